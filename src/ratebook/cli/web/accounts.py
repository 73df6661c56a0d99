"""The commands ``ratebook web account`` and ``ratebook web token``: made on the machine, by whoever may use it."""

from collections.abc import Mapping
from typing import Any

import click

from ratebook.cli.action import command_of
from ratebook.cli.book.session import confirm, yes_option
from ratebook.cli.command import command
from ratebook.cli.options import WholeRange, default_option, flag_option, today
from ratebook.cli.show import fail, json_option, show, table
from ratebook.cli.web.session import keeper, random_bytes, reason_of
from ratebook.office.action import Action
from ratebook.pages.columns import counted
from ratebook.web.admin.actions import ADD, CHANGE, DISABLE, GIVE_TOKEN, RESET
from ratebook.web.admin.home import ACCOUNTS, TOKENS, state_of
from ratebook.web.gate.keeping import Keeper
from ratebook.web.gate.passwords import SALT_BYTES, hashed, refusal
from ratebook.web.store.accounts import HOLDS, Account, all_accounts, set_password
from ratebook.web.store.tokens import all_tokens

address_option = default_option(
    "--address URL", "The address of the server, for the link.", default="http://127.0.0.1:8000"
)
ask_option = flag_option("--ask", "Ask for the password here instead of giving a link.")


@click.group("account")
def account_group() -> None:
    """Manage the accounts of people who sign in."""


@command_of(ADD, ask_option, address_option, json_option, within=account_group)
def add_command(address: str, *, ask: bool, **values: Any) -> None:  # noqa: ANN401 - what the options give
    """Add an account."""
    password = _typed_password(values["name"]) if ask else None
    with keeper() as accounts:
        account = ADD.done(accounts, reason_of(accounts), values, today())
        link = _let_in(accounts, account, password, address)
    _say_how(account, link)


@command("list", json_option, within=account_group)
def list_command() -> None:
    """List the accounts.

    Examples:
      ratebook web --book league.book account list
    """
    with keeper() as accounts:
        rows = all_accounts(accounts.connection)
    lines = [
        {
            "name": account.name,
            "role": account.role.value,
            "member": account.member_id,
            "affiliates": account.affiliates,
            "state": state_of(account),
            "second_factor": account.secret is not None,
            "made_at": account.made_at,
        }
        for account in rows
    ]
    shown = table("Accounts", ACCOUNTS, rows, none="There are no accounts: ratebook web account add.")
    show("web-accounts", {"accounts": lines}, shown, findings=None)


@command_of(CHANGE, json_option, within=account_group)
def change_command(**values: Any) -> None:  # noqa: ANN401 - what the options give
    """Change what an account is for."""
    account = _done_to(CHANGE, values)
    _show(account, f"{account.name} is an account for the role {values['role'].value} now.")


@command_of(RESET, ask_option, address_option, yes_option, json_option, within=account_group)
def reset_command(address: str, *, ask: bool, yes: bool, **values: Any) -> None:  # noqa: ANN401 - what the options give
    """Reset an account."""
    name = values["name"]
    if not yes:
        tokens = "are void then" if values["void_tokens"] else "hold on"
        confirm(f"The tokens of its programs {tokens}. {RESET.sure.format(name=name)}?", name)
    password = _typed_password(name) if ask else None
    with keeper() as accounts:
        account = accounts.account(name)
        holding = RESET.done(accounts, reason_of(accounts), values, today())
        link = _let_in(accounts, account, password, address)
    _say_how(account, link, holding)


@command_of(DISABLE, json_option, within=account_group)
def disable_command(**values: Any) -> None:  # noqa: ANN401 - what the options give
    """Disable an account."""
    account = _done_to(DISABLE, values)
    _show(account, f"{account.name} cannot sign in any more.")


def _done_to(action: Action[Keeper, None], values: Mapping[str, Any]) -> Account:
    """Do something to an account, and return it as it was."""
    with keeper() as accounts:
        account = accounts.account(values["name"])
        action.done(accounts, reason_of(accounts), values, today())
    return account


def _typed_password(name: str) -> str:
    """Return the hash of a password that is typed twice, unseen."""
    password = click.prompt("Password", hide_input=True, confirmation_prompt="The same again", err=True)
    wrong = refusal(password, (name,))
    if wrong is not None:
        fail([wrong])
    return hashed(password, random_bytes(SALT_BYTES))


def _let_in(accounts: Keeper, account: Account, password: str | None, address: str) -> str | None:
    """Give an account its password, or return the link by which its person chooses one."""
    if password is None:
        return address.rstrip("/") + accounts.link(account)
    set_password(accounts.connection, account.id, password)
    return None


def _say_how(account: Account, link: str | None, holding: int = 0) -> None:
    """Say how a person signs in now, and how many tokens of the account hold on."""
    tokens = f"{counted(holding, 'token of its programs holds', 'tokens of its programs hold')} on: ratebook web token"
    lines = [f"{tokens} list and revoke."] if holding else []
    if link is None:
        _show(account, "\n".join([f"{account.name} can sign in.", *lines]), tokens=holding)
        return
    hours = HOLDS.total_seconds() / 3600
    words = f"Give {account.name} this link; it works once, within {hours:g} hours:"
    _show(account, "\n".join([*lines, words, link]), link=link, tokens=holding)


def _show(account: Account, words: str, **more: str | int) -> None:
    show("web-account", {"name": account.name, **more}, words, findings=None)


@click.group("token")
def token_group() -> None:
    """Manage the tokens with which programs act for an account."""


@command_of(GIVE_TOKEN, json_option, within=token_group)
def give_token_command(**values: Any) -> None:  # noqa: ANN401 - what the options give
    """Give a program a token."""
    with keeper() as accounts:
        number, token = GIVE_TOKEN.done(accounts, reason_of(accounts), values, today())
    show("web-token", {"number": number, "token": token}, f"Token {number}:\n{token}", findings=None)


@command("list", json_option, within=token_group)
def list_tokens_command() -> None:
    """List the tokens, without their secrets.

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
    """Revoke a token at once.

    Examples:
      ratebook web --book league.book token revoke 3
    """
    with keeper() as accounts:
        accounts.revoke(number)
    show("web-token", {"number": number}, f"Token {number} is void.", findings=None)
