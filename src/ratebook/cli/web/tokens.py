"""The commands ``ratebook web token``: programs act for an account, never with more rights than it has."""

import click

from ratebook.cli.command import command
from ratebook.cli.options import WholeRange, WordOf, default_option
from ratebook.cli.show import fail_with, json_option, show, table
from ratebook.cli.web.session import desk, random_bytes
from ratebook.web.admin.home import TOKENS
from ratebook.web.gate.visitors import digest_of, new_token
from ratebook.web.store.accounts import find_account
from ratebook.web.store.log import Kind
from ratebook.web.store.tokens import LONGEST_DAYS, PREFIX, Scope, add_token, all_tokens, revoke_token


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
    token = PREFIX + new_token(random_bytes)
    with desk() as at_work:
        found = find_account(at_work.connection, account)
        if found is None:
            fail_with("account-unknown", account)
        wanted = tuple(dict.fromkeys(scopes))
        number = add_token(
            at_work.connection,
            digest_of(token),
            found.id,
            " ".join(purpose.split()),
            wanted,
            at_work.at,
            days,
        )
        at_work.note(Kind.TOKEN_ADDED, found.name, f"token {number}: {', '.join(wanted)}")
    show("web-token", {"number": number, "token": token}, f"Token {number}:\n{token}", findings=None)


@command("list", json_option, within=token_group)
def list_command() -> None:
    """List the tokens, without what they are.

    Examples:
      ratebook web --book league.book token list
    """
    with desk() as at_work:
        found = all_tokens(at_work.connection)
    show(
        "web-tokens",
        {"tokens": found},
        table("Tokens", TOKENS, found, none="There are no tokens."),
        findings=None,
    )


@command("revoke", json_option, within=token_group)
@click.argument("number", type=WholeRange(min=1), metavar="NUMBER")
def revoke_command(number: int) -> None:
    """Make a token void at once.

    Examples:
      ratebook web --book league.book token revoke 3
    """
    with desk() as at_work:
        account = revoke_token(at_work.connection, number, at_work.at)
        if account is None:
            fail_with("token-unknown", str(number))
        at_work.note(Kind.TOKEN_REVOKED, account, f"token {number}")
    show("web-token", {"number": number}, f"Token {number} is void.", findings=None)
