"""Accounts: who may sign in, and as what."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import Row, delete, func, insert, select, update

from ratebook.book.connection import Connection
from ratebook.web.store.schema import accounts, links, moment, recovery_codes, sessions

HOLDS = timedelta(hours=24)
"""How long a link holds by which a person chooses a password."""


class Role(StrEnum):
    """What an account is for."""

    DIRECTOR = "director"
    OFFICE = "office"
    ADMINISTRATOR = "administrator"


class Account(NamedTuple):
    """Who may sign in.

    Attributes:
        member_id: of a director, who is a member; empty for others.
        affiliates: ids of those for which a director sends reports.
        password: its argon2id hash; None until the person has chosen one.
        secret: of the second factor, sealed; None until it is set up.
        counter: the last time step whose code was used (RFC 6238, section 5.2: a code counts once).
    """

    id: int
    name: str
    role: Role
    member_id: str
    affiliates: tuple[str, ...]
    made_at: str
    password: str | None
    disabled_at: str | None
    secret: str | None
    counter: int


def folded(name: str) -> str:
    """Return the name by which an account is found, whatever its case.

    >>> folded(" Ann  LEE ")
    'ann lee'
    """
    return " ".join(name.split()).casefold()


def add_account(
    connection: Connection, name: str, role: Role, member_id: str, affiliates: tuple[str, ...], at: datetime
) -> Account | None:
    """Add an account without a password and return it; None where the name is taken."""
    if find_account(connection, name) is not None:
        return None
    connection.execute(
        insert(accounts).values(
            folded_name=folded(name),
            name=" ".join(name.split()),
            role=role.value,
            member_id=member_id,
            affiliates=" ".join(affiliates),
            made_at=moment(at),
            counter=0,
        )
    )
    return find_account(connection, name)


def find_account(connection: Connection, name: str) -> Account | None:
    """Return the account of a name."""
    row = connection.execute(select(accounts).where(accounts.c.folded_name == folded(name))).first()
    return None if row is None else account_of(row)


def account_numbered(connection: Connection, number: int) -> Account | None:
    """Return the account with a number; None where there is none."""
    row = connection.execute(select(accounts).where(accounts.c.id == number)).first()
    return None if row is None else account_of(row)


def all_accounts(connection: Connection) -> list[Account]:
    """Return all accounts in the order of their names."""
    return [account_of(row) for row in connection.execute(select(accounts).order_by(accounts.c.folded_name))]


def account_of(row: Row[tuple[object, ...]]) -> Account:
    """Return the account that a row of its columns says."""
    said = {name: getattr(row, name) for name in Account._fields}
    return Account(**said | {"role": Role(row.role), "affiliates": tuple(row.affiliates.split())})


def set_password(connection: Connection, account: int, password: str) -> None:
    """Give an account the hash of a password; links by which one could be chosen are void."""
    connection.execute(update(accounts).where(accounts.c.id == account).values(password=password))
    connection.execute(delete(links).where(links.c.account_id == account))


def set_second_factor(connection: Connection, account: int, secret: str, counter: int) -> None:
    """Give an account its sealed second factor; *counter* is the time step of the code that proved it."""
    connection.execute(
        update(accounts).where(accounts.c.id == account).values(secret=secret, counter=counter)
    )


def use_code(connection: Connection, account: int, counter: int) -> bool:
    """Note that the code of a time step was used; False where it or a later one was used before."""
    changed = connection.execute(
        update(accounts).where(accounts.c.id == account, accounts.c.counter < counter).values(counter=counter)
    )
    return changed.rowcount == 1


def set_recovery_codes(connection: Connection, account: int, digests: Iterable[str]) -> None:
    """Give an account codes of recovery by their digests; earlier ones are void."""
    connection.execute(delete(recovery_codes).where(recovery_codes.c.account_id == account))
    rows = [{"digest": one, "account_id": account} for one in digests]
    if rows:
        connection.execute(insert(recovery_codes), rows)


def use_recovery_code(connection: Connection, account: int, digest: str) -> bool:
    """Take a code of recovery away; False where the account has no such code."""
    used = connection.execute(
        delete(recovery_codes).where(
            recovery_codes.c.digest == digest, recovery_codes.c.account_id == account
        )
    )
    return used.rowcount == 1


def recovery_codes_left(connection: Connection, account: int) -> int:
    """Return how many codes of recovery an account has."""
    of_account = recovery_codes.c.account_id == account
    return int(connection.execute(select(func.count()).where(of_account)).scalar_one())


def disable_account(connection: Connection, account: int, at: datetime) -> None:
    """Let no one sign in with an account, and end its sessions."""
    connection.execute(update(accounts).where(accounts.c.id == account).values(disabled_at=moment(at)))
    _sign_out_everywhere(connection, account)


def reset_account(connection: Connection, account: int) -> None:
    """Take password and second factor from an account, end its sessions, and enable it."""
    connection.execute(
        update(accounts)
        .where(accounts.c.id == account)
        .values(password=None, secret=None, counter=0, disabled_at=None)
    )
    set_recovery_codes(connection, account, ())
    _sign_out_everywhere(connection, account)


def change_account(
    connection: Connection, account: int, role: Role, member_id: str, affiliates: tuple[str, ...]
) -> None:
    """Change what an account is for, and end its sessions: the next one begins with the new rights."""
    connection.execute(
        update(accounts)
        .where(accounts.c.id == account)
        .values(role=role.value, member_id=member_id, affiliates=" ".join(affiliates))
    )
    _sign_out_everywhere(connection, account)


def _sign_out_everywhere(connection: Connection, account: int) -> None:
    for table in (sessions, links):
        connection.execute(delete(table).where(table.c.account_id == account))


def add_link(connection: Connection, digest: str, account: int, at: datetime) -> None:
    """Add a link for an account, by the digest of its token; earlier ones are void."""
    connection.execute(delete(links).where(links.c.account_id == account))
    connection.execute(insert(links).values(digest=digest, account_id=account, expires_at=moment(at + HOLDS)))


def account_of_link(connection: Connection, digest: str, at: datetime) -> Account | None:
    """Return whose password may be chosen by a link; None where it was used or is too old."""
    row = connection.execute(
        select(accounts)
        .join(links)
        .where(links.c.digest == digest, links.c.expires_at > moment(at), accounts.c.disabled_at.is_(None))
    ).first()
    return None if row is None else account_of(row)
