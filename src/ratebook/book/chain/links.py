"""The links of the chain: written at the end of a transaction for what it changed; read by `verify`.

A link has the hash ``SHA-256(head before, number, kind, subject, digest)``, its parts a line each; the digest is
``SHA-256(salt, content)``. Erasing a person removes the salts: a digest without its salt reveals nothing about what it
was made from, and the chain still holds.
"""

import hashlib
import secrets
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, Table, bindparam, insert, select, text, update
from sqlalchemy.sql.dml import ReturningInsert

from ratebook.book import schema
from ratebook.book.chain.contents import Linked, contents_of
from ratebook.book.copies.bulk import add_rows

chain = schema.chain

_NOTED = "ratebook_noted"
_ONE_AT_A_TIME = text("SELECT pg_advisory_xact_lock(7213600845)")
"""On a server, writers take turns with those who only add to the audit log; the number is the lock's name."""

_SALT_BYTES = 16
_AT_ONCE = 1_000


class Link(NamedTuple):
    """A link: its *head* is the hash up to here."""

    number: int
    kind: str
    subject: str
    salt: str
    digest: str
    head: str


class Head(NamedTuple):
    """How far a chain goes: the number of its last link, and its hash."""

    number: int
    head: str

    def __str__(self) -> str:
        """Return what is printed: ``1234:3f2a…``."""
        return f"{self.number}:{self.head}"


NO_LINK = Head(0, "")


def note_linked(connection: Connection, kind: Linked, subjects: Iterable[str | int]) -> None:
    """Note that this transaction writes what a link is about; the link follows when it ends."""
    noted: dict[Linked, dict[str, None]] = connection.info.setdefault(_NOTED, {})
    noted.setdefault(kind, {}).update((str(subject), None) for subject in subjects)


def add_linked(connection: Connection, kind: Linked, table: Table, values: Mapping[str, object]) -> int:
    """Add a row that is linked under its own number, and return that number."""
    number: int = connection.execute(_new_row(table), values).scalar_one()
    note_linked(connection, kind, [number])
    return number


@cache
def _new_row(table: Table) -> ReturningInsert[Any]:
    return insert(table).returning(table.c.id)


def forget_noted(connection: Connection) -> None:
    """Forget what an earlier transaction on the same connection noted and did not keep."""
    connection.info.pop(_NOTED, None)


def link_noted(connection: Connection) -> None:
    """Add a link for everything that this transaction noted."""
    noted: dict[Linked, dict[str, None]] = connection.info.pop(_NOTED, {})
    if noted:
        _link(connection, ((kind, subjects) for kind, subjects in noted.items()))


def _link(connection: Connection, noted: Iterable[tuple[Linked, Iterable[str]]]) -> None:
    if connection.dialect.name != "sqlite":
        connection.execute(_ONE_AT_A_TIME)
    number, head = head_of(connection)
    links: list[Link] = []
    for kind, subjects in noted:
        for subject, content in contents_of(connection, kind, subjects):
            number += 1
            salt = secrets.token_hex(_SALT_BYTES)
            digest = digest_of(salt, content)
            head = next_head(head, number, kind, subject, digest)
            links.append(Link(number=number, kind=kind, subject=subject, salt=salt, digest=digest, head=head))
            if len(links) == _AT_ONCE:
                add_rows(connection, chain.name, Link._fields, links)
                links = []
    add_rows(connection, chain.name, Link._fields, links)


def digest_of(salt: str, content: str) -> str:
    """Return the digest of a content; of none at all, an empty one."""
    return hashlib.sha256(f"{salt}{content}".encode()).hexdigest() if content else ""


def next_head(head: str, number: int, kind: str, subject: str, digest: str) -> str:
    """Return the head after one more link."""
    return hashlib.sha256(f"{head}\n{number}\n{kind}\n{subject}\n{digest}".encode()).hexdigest()


def head_of(connection: Connection) -> Head:
    """Return how far the chain goes now."""
    return _head(connection, _HEAD) or NO_LINK


def head_at(connection: Connection, number: int) -> Head | None:
    """Return the head after a link; None where there is no such link."""
    return _head(connection, _HEAD_AT, of_number=number)


def head_of_list(connection: Connection, month: str) -> Head | None:
    """Return the head with which an official list was published."""
    return _head(connection, _HEAD_OF_LIST, month=month)


def _head(connection: Connection, query: Select[Any], **binds: object) -> Head | None:
    row = connection.execute(query, binds).first()
    return None if row is None else Head(*row)


def read_links(connection: Connection) -> Iterator[Link]:
    """Yield all links in the order of their numbers."""
    rows: Iterable[Any] = connection.execution_options(yield_per=_AT_ONCE).execute(_LINKS)
    for row in rows:
        yield Link(*row)


def forget_salts(connection: Connection, kind: Linked, subjects: Iterable[str | int]) -> None:
    """Make the digests of the past contents of *subjects* useless for guessing what they held."""
    links = [{"of_kind": kind.value, "of_subject": str(subject)} for subject in subjects]
    if links:
        connection.execute(_FORGET, links)


_COLUMNS = tuple(chain.c[name] for name in Link._fields)
_LINKS = select(*_COLUMNS).order_by(chain.c.number)
_HEAD = select(chain.c.number, chain.c.head).order_by(chain.c.number.desc()).limit(1)
_HEAD_AT = select(chain.c.number, chain.c.head).where(chain.c.number == bindparam("of_number"))
_HEAD_OF_LIST = (
    select(chain.c.number, chain.c.head)
    .where(chain.c.kind == Linked.LIST.value, chain.c.subject == bindparam("month"))
    .order_by(chain.c.number)
    .limit(1)
)
_FORGET = (
    update(chain)
    .where(chain.c.kind == bindparam("of_kind"), chain.c.subject == bindparam("of_subject"))
    .values(salt="")
)
