"""Keeping accounts and tokens, with entries in the log: what commands and the pages of the administrator both do."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from ratebook.book.connection import Connection
from ratebook.book.failures import refused
from ratebook.findings import Place
from ratebook.web.gate.visitors import digest_of, new_token
from ratebook.web.store import accounts
from ratebook.web.store.accounts import Account, Role, add_link
from ratebook.web.store.log import LogKind, note
from ratebook.web.store.tokens import (
    PREFIX,
    Scope,
    add_token,
    revoke_token,
    revoke_tokens_of,
    tokens_that_hold,
)

LONGEST_NAME = 60


class Duty(NamedTuple):
    """What an account is for.

    Attributes:
        member: id of a director, who is a member.
        affiliates: ids of those for which a director sends reports.
    """

    role: Role
    member: str = ""
    affiliates: tuple[str, ...] = ()


class Keeper(NamedTuple):
    """Who keeps accounts, when and from where, and the store's connection that takes it all or nothing."""

    connection: Connection
    random: Callable[[int], bytes]
    actor: str
    at: datetime
    address: str = ""

    def note(self, kind: LogKind, account: str, details: str = "") -> None:
        """Add an entry to the log."""
        said = ": ".join(filter(None, (f"by {self.actor}", details)))
        note(self.connection, kind, account, self.at, self.address, said)

    def account(self, name: str) -> Account:
        """Return the account of a name.

        Raises:
            BookError: there is none.
        """
        account = accounts.find_account(self.connection, name)
        if account is None:
            raise refused("account-unknown", Place(account=name))
        return account

    def add(self, name: str, duty: Duty) -> Account:
        """Add an account that has no password yet.

        Raises:
            BookError: the name is taken, or no one could type it.
        """
        shown = " ".join(name.split())
        if not shown or len(shown) > LONGEST_NAME or not shown.isprintable():
            raise refused("account-name-wrong", Place(input="name"), most=LONGEST_NAME)
        added = accounts.add_account(self.connection, shown, *_plain(duty), self.at)
        if added is None:
            raise refused("account-exists", Place(input="name"))
        self.note(LogKind.ACCOUNT_ADDED, added.name, duty.role.value)
        return added

    def change(self, account: Account, duty: Duty) -> None:
        """Change what an account is for; its sessions end."""
        accounts.change_account(self.connection, account.id, *_plain(duty))
        self.note(LogKind.ACCOUNT_CHANGED, account.name, f"{account.role.value} to {duty.role.value}")

    def reset(self, account: Account, *, void_tokens: bool) -> int:
        """Take password and second factor from an account, and enable it; return how many of its tokens hold on."""
        accounts.reset_account(self.connection, account.id)
        if void_tokens:
            revoke_tokens_of(self.connection, account.id, self.at)
        holding = tokens_that_hold(self.connection, account.id, self.at)
        self.note(LogKind.ACCOUNT_RESET, account.name, "its tokens are void" if void_tokens else "")
        return holding

    def disable(self, account: Account) -> None:
        """Let no one in with an account: its sessions end, and its tokens are void for good."""
        accounts.disable_account(self.connection, account.id, self.at)
        revoke_tokens_of(self.connection, account.id, self.at)
        self.note(LogKind.ACCOUNT_DISABLED, account.name)

    def link(self, account: Account) -> str:
        """Return the path of a one-time link by which a person chooses a password."""
        token = new_token(self.random)
        add_link(self.connection, digest_of(token), account.id, self.at)
        return f"/first-password/{token}"

    def give_token(
        self, account: Account, purpose: str, scopes: tuple[Scope, ...], days: int
    ) -> tuple[int, str]:
        """Return the number of a new token and the token itself, which is kept nowhere."""
        token = PREFIX + new_token(self.random)
        wanted = tuple(dict.fromkeys(scopes))
        said = " ".join(purpose.split())
        number = add_token(self.connection, digest_of(token), account.id, said, wanted, self.at, days)
        self.note(LogKind.TOKEN_ADDED, account.name, f"token {number}: {', '.join(wanted)}")
        return number, token

    def revoke(self, number: int) -> None:
        """Make a token void.

        Raises:
            BookError: there is none of this number that holds.
        """
        account = revoke_token(self.connection, number, self.at)
        if account is None:
            raise refused("token-unknown", Place(token=number))
        self.note(LogKind.TOKEN_REVOKED, account, f"token {number}")


def _plain(duty: Duty) -> tuple[Role, str, tuple[str, ...]]:
    ids = tuple("".join(one.split()) for one in duty.affiliates)
    return duty.role, "".join(duty.member.split()), tuple(filter(None, ids))
