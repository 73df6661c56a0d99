"""The commands ``ratebook web token``: programs act for an account, never with more rights than it has."""

import click

from ratebook.cli.command import command
from ratebook.cli.options import WholeRange, WordOf, default_option
from ratebook.cli.show import json_option, show, table
from ratebook.cli.web.session import keeper
from ratebook.web.admin.home import TOKENS
from ratebook.web.store.tokens import LONGEST_DAYS, Scope, all_tokens


@click.group("token")
def token_group() -> None:
    """Keep the tokens by which programs act for an account."""


@command("add", json_option, within=token_group)
@click.argument("account", metavar="ACCOUNT")
@click.option("--purpose", required=True, metavar="TEXT", help="What it is for, so that one knows it again.")
@click.option(
    "--scope",
    "scopes",
    type=WordOf(Scope),
    multiple=True,
    required=True,
    help="What the program may do; repeatable.",
)
@default_option(
    "--days", type=WholeRange(1, LONGEST_DAYS), default=90, help="For how many days the token holds."
)
def add_command(account: str, purpose: str, scopes: tuple[Scope, ...], days: int) -> None:
    """Give a program a token; it is shown once, and kept nowhere.

    Examples:
      ratebook web --book league.book token add dora --purpose "club program" --scope preview --scope submit
    """
    with keeper() as accounts:
        number, token = accounts.give_token(accounts.account(account), purpose, scopes, days)
    show("web-token", {"number": number, "token": token}, f"Token {number}:\n{token}", findings=None)


@command("list", json_option, within=token_group)
def list_command() -> None:
    """List the tokens, without what they are.

    Examples:
      ratebook web --book league.book token list
    """
    with keeper() as accounts:
        tokens = all_tokens(accounts.connection)
    show(
        "web-tokens",
        {"tokens": tokens},
        table("Tokens", TOKENS, tokens, none="There are no tokens."),
        findings=None,
    )


@command("revoke", json_option, within=token_group)
@click.argument("number", type=WholeRange(min=1), metavar="NUMBER")
def revoke_command(number: int) -> None:
    """Make a token void at once.

    Examples:
      ratebook web --book league.book token revoke 3
    """
    with keeper() as accounts:
        accounts.revoke(number)
    show("web-token", {"number": number}, f"Token {number} is void.", findings=None)
