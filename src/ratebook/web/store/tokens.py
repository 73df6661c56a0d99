"""Tokens by which programs act for an account, never with more rights than it has."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import Row, func, insert, select, update

from ratebook.book.connection import Connection
from ratebook.web.store.accounts import Account, account_of
from ratebook.web.store.schema import accounts, moment, tokens

PREFIX = "rbk_"
"""What a token begins with, so that it is recognized where it should not be."""
LONGEST_DAYS = 365


class Scope(StrEnum):
    """What a program may do with a token."""

    PREVIEW = "preview"
    SUBMIT = "submit"
    READ_PRIVATE = "read-private"


class Token(NamedTuple):
    """A token as it is listed; what it is itself is shown once and kept nowhere."""

    id: int
    account: str
    purpose: str
    scopes: tuple[Scope, ...]
    made_at: str
    expires_at: str
    revoked_at: str | None


def add_token(
    connection: Connection,
    digest: str,
    account: int,
    purpose: str,
    scopes: tuple[Scope, ...],
    at: datetime,
    days: int,
) -> int:
    """Add a token by its digest and return its number."""
    row = connection.execute(
        insert(tokens)
        .values(
            digest=digest,
            account_id=account,
            purpose=purpose,
            scopes=" ".join(scopes),
            made_at=moment(at),
            expires_at=moment(at + timedelta(days=days)),
        )
        .returning(tokens.c.id)
    )
    return int(row.scalar_one())


def find_token(connection: Connection, digest: str, at: datetime) -> tuple[Token, Account] | None:
    """Return a token that holds and the account that it acts for."""
    row = connection.execute(
        select(tokens, accounts.c.name)
        .join(accounts)
        .where(
            tokens.c.digest == digest,
            tokens.c.revoked_at.is_(None),
            tokens.c.expires_at > moment(at),
            accounts.c.disabled_at.is_(None),
        )
    ).first()
    if row is None:
        return None
    account = connection.execute(select(accounts).where(accounts.c.id == row.account_id)).one()
    return _token(row), account_of(account)


def all_tokens(connection: Connection) -> list[Token]:
    """Return all tokens, the oldest first."""
    rows = connection.execute(select(tokens, accounts.c.name).join(accounts).order_by(tokens.c.id))
    return [_token(row) for row in rows]


def revoke_token(connection: Connection, number: int, at: datetime) -> str | None:
    """Make a token void and return the name of its account; None where there is no such token that holds."""
    holds = tokens.c.id == number, tokens.c.revoked_at.is_(None)
    owner = connection.execute(select(accounts.c.name).join(tokens).where(*holds)).scalar()
    connection.execute(update(tokens).where(*holds).values(revoked_at=moment(at)))
    return owner


def tokens_that_hold(connection: Connection, account: int, at: datetime) -> int:
    """Return how many tokens of an account are neither void nor expired."""
    holds = tokens.c.account_id == account, tokens.c.revoked_at.is_(None), tokens.c.expires_at > moment(at)
    return int(connection.execute(select(func.count()).where(*holds)).scalar_one())


def revoke_tokens_of(connection: Connection, account: int, at: datetime) -> None:
    """Make all tokens of an account void."""
    holds = tokens.c.account_id == account, tokens.c.revoked_at.is_(None)
    connection.execute(update(tokens).where(*holds).values(revoked_at=moment(at)))


def owner_of_token(connection: Connection, digest: str) -> tuple[int, str] | None:
    """Return the number of a token, which may hold no more, and the name of its account; None for no token."""
    row = connection.execute(
        select(tokens.c.id, accounts.c.name).join(accounts).where(tokens.c.digest == digest)
    ).first()
    return None if row is None else (row.id, row.name)


def _token(row: Row[tuple[object, ...]]) -> Token:
    return Token(
        id=row.id,
        account=row.name,
        purpose=row.purpose,
        scopes=tuple(map(Scope, row.scopes.split())),
        made_at=row.made_at,
        expires_at=row.expires_at,
        revoked_at=row.revoked_at,
    )
