"""What the office and a sender write about a report, and who has it, by the number of the report's first version."""

from collections.abc import Callable, Collection
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import delete, func, insert, select

from ratebook.book.connection import Connection
from ratebook.web.store.accounts import Role
from ratebook.web.store.schema import accounts, desks, moment, notes


class NoteReader(StrEnum):
    """Who reads a note: the office alone, or who sent the report, too."""

    OFFICE = "office"
    SENDER = "sender"


class Note(NamedTuple):
    """A note: who wrote it, when, and who reads it."""

    by: str
    written_at: str
    words: str
    reader: NoteReader

    def is_read_by(self, sender: str) -> bool:
        """Return whether the account that sent the report reads it, or has written it."""
        return self.reader is NoteReader.SENDER or self.by == sender


def take_report(connection: Connection, report: int, account: int, at: datetime) -> None:
    """Note that an account has a report, whoever had it before."""
    give_back(connection, report)
    connection.execute(insert(desks).values(report=report, account_id=account, taken_at=moment(at)))


def give_back(connection: Connection, report: int) -> None:
    """Note that no one has a report."""
    connection.execute(delete(desks).where(desks.c.report == report))


def holders(connection: Connection, reports: Collection[int]) -> dict[int, str]:
    """Return the names of the accounts that have some of the *reports*."""
    held = select(desks.c.report, accounts.c.name).join_from(desks, accounts)
    rows = connection.execute(held.where(desks.c.report.in_(list(reports))))
    return {report: name for report, name in rows}  # noqa: C416 - rows unpack, dict() of rows does not type


def add_note(
    connection: Connection,
    report: int,
    account: int,
    words: str,
    at: datetime,
    *,
    reader: NoteReader = NoteReader.OFFICE,
) -> None:
    """Add a note on a report."""
    values = {"account_id": account, "words": words, "written_at": moment(at), "reader": reader.value}
    connection.execute(insert(notes).values(report=report, **values))


def read_notes(connection: Connection, report: int) -> list[Note]:
    """Return the notes on a report, the oldest first."""
    columns = accounts.c.name, notes.c.written_at, notes.c.words, notes.c.reader
    query = select(*columns).join_from(notes, accounts)
    rows = connection.execute(query.where(notes.c.report == report).order_by(notes.c.id))
    return [Note(by, at, words, NoteReader(reader)) for by, at, words, reader in rows]


def unanswered(connection: Connection) -> list[int]:
    """Return the reports whose newest note is its director's, the longest waiting first."""
    newest = select(func.max(notes.c.id)).group_by(notes.c.report)
    query = select(notes.c.report).join_from(notes, accounts).where(notes.c.id.in_(newest))
    rows = connection.execute(query.where(accounts.c.role == Role.DIRECTOR.value).order_by(notes.c.id))
    return list(rows.scalars())


def asked_by_office(connection: Connection, sender: int, reports: Collection[int]) -> set[int]:
    """Return those of the *reports* about which the office wrote to their sender, who has not answered."""
    is_read = (notes.c.reader == NoteReader.SENDER.value) | (notes.c.account_id == sender)
    newest = select(func.max(notes.c.id)).where(notes.c.report.in_(list(reports)), is_read)
    query = select(notes.c.report).where(
        notes.c.id.in_(newest.group_by(notes.c.report)), notes.c.reader == NoteReader.SENDER.value
    )
    return set(connection.execute(query).scalars())


def forget_notes(connection: Connection, is_about: Callable[[str], bool]) -> int:
    """Forget the notes that are about a person; return how many."""
    rows = connection.execute(select(notes.c.id, notes.c.words))
    numbers = [row.id for row in rows if is_about(row.words)]
    connection.execute(delete(notes).where(notes.c.id.in_(numbers)))
    return len(numbers)
