"""The commands ``ratebook web token``: programs act for an account, never with more rights than it has."""

from typing import Any

import click

from ratebook.cli.action import command_of
from ratebook.cli.command import command
from ratebook.cli.options import WholeRange, today
from ratebook.cli.show import json_option, show, table
from ratebook.cli.web.session import keeper, reason_of
from ratebook.web.admin.actions import GIVE_TOKEN
from ratebook.web.admin.home import TOKENS
from ratebook.web.store.tokens import all_tokens


@click.group("token")
def token_group() -> None:
    """Keep the tokens by which programs act for an account."""


@command_of(GIVE_TOKEN, json_option, within=token_group)
def add_command(**values: Any) -> None:  # noqa: ANN401 - what the options give
    """Give a program a token."""
    with keeper() as accounts:
        number, token = GIVE_TOKEN.done(accounts, reason_of(accounts), values, today())
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
