"""The commands ``ratebook web account``: accounts are made on the machine, by whoever may use it."""

import click

from ratebook.cli.book.session import confirm
from ratebook.cli.command import command
from ratebook.cli.options import WordOf, default_option, flag_option
from ratebook.cli.show import fail, json_option, show, table
from ratebook.cli.web.session import keeper, random_bytes
from ratebook.pages.columns import counted
from ratebook.web.admin.home import ACCOUNTS, state_of
from ratebook.web.gate.keeping import Duty, Keeper
from ratebook.web.gate.passwords import SALT_BYTES, hashed, refusal
from ratebook.web.store.accounts import HOLDS, Account, Role, all_accounts, set_password

name_argument = click.argument("name", metavar="NAME")
address_option = default_option(
    "--address",
    metavar="URL",
    default="http://127.0.0.1:8000",
    help="The address at which the server is found, for the link.",
)
member_option = click.option("--member", default="", metavar="ID", help="The member id of a director.")
affiliate_option = click.option(
    "--affiliate",
    "affiliates",
    multiple=True,
    metavar="ID",
    help="An affiliate for which a director sends reports; repeatable.",
)
role_option = click.option("--role", type=WordOf(Role), required=True, help="What the account is for.")


@click.group("account")
def account_group() -> None:
    """Keep the accounts of those who sign in."""


@command(
    "add", role_option, member_option, affiliate_option, address_option, json_option, within=account_group
)
@name_argument
@flag_option("--ask", help="Ask for the password here instead of giving a link.")
def add_command(
    name: str, role: Role, member: str, affiliates: tuple[str, ...], address: str, *, ask: bool
) -> None:
    """Add an account, and print a link by which its person chooses a password within 24 hours.

    Examples:
      ratebook web --book league.book account add "Ann Lee" --role office
      ratebook web account add dora --role director --member 12345678 --affiliate A6000001
      ratebook web account add ada --role administrator --ask
    """
    password = _asked(name) if ask else None
    with keeper() as accounts:
        account = accounts.add(name, Duty(role, member, affiliates))
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


@command("change", role_option, member_option, affiliate_option, json_option, within=account_group)
@name_argument
def change_command(name: str, role: Role, member: str, affiliates: tuple[str, ...]) -> None:
    """Change what an account is for; its person must sign in again.

    Examples:
      ratebook web --book league.book account change "Ann Lee" --role administrator
    """
    with keeper() as accounts:
        account = accounts.account(name)
        accounts.change(account, Duty(role, member, affiliates))
    _done(account, f"{account.name} is an account for the role {role.value} now.")


@command("reset", address_option, json_option, within=account_group)
@name_argument
@flag_option("--ask", help="Ask for the password here instead of giving a link.")
@flag_option("--void-tokens", help="Make the tokens of its programs void, too.")
@flag_option("--yes", help="Do not ask whether you are sure.")
def reset_command(name: str, address: str, *, ask: bool, void_tokens: bool, yes: bool) -> None:
    """Take password and second factor from an account, and let its person choose a password as after `add`.

    An account that was disabled can be used again. Tokens of its programs hold on unless `--void-tokens` is given,
    which is right after a theft.

    Examples:
      ratebook web --book league.book account reset "Ann Lee"
      ratebook web --book league.book account reset dora --void-tokens
    """
    if not yes:
        tokens = (
            "make the tokens of its programs void"
            if void_tokens
            else "let the tokens of its programs hold on"
        )
        confirm(f"Take password and second factor from {name}, end its sessions, and {tokens}?", name)
    password = _asked(name) if ask else None
    with keeper() as accounts:
        account = accounts.account(name)
        holding = accounts.reset(account, void_tokens=void_tokens)
        link = _let_in(accounts, account, password, address)
    _say_how(account, link, holding)


@command("disable", json_option, within=account_group)
@name_argument
def disable_command(name: str) -> None:
    """Let no one sign in with an account: end its sessions and make its tokens void.

    Examples:
      ratebook web --book league.book account disable "Ann Lee"
    """
    with keeper() as accounts:
        account = accounts.account(name)
        accounts.disable(account)
    _done(account, f"{account.name} cannot sign in any more.")


def _asked(name: str) -> str:
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
        _done(account, "\n".join([f"{account.name} can sign in.", *lines]), tokens=holding)
        return
    hours = HOLDS.total_seconds() / 3600
    words = f"Give {account.name} this link; it works once, within {hours:g} hours:"
    _done(account, "\n".join([*lines, words, link]), link=link, tokens=holding)


def _done(account: Account, words: str, **more: str | int) -> None:
    show("web-account", {"name": account.name, **more}, words, findings=None)
