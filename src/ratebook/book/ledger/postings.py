"""Writing to the ledger: postings and their rows, hundreds of them in a few statements."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, insert, update

from ratebook.book import schema
from ratebook.book.chain.contents import Linked
from ratebook.book.chain.links import note_linked
from ratebook.book.copies.bulk import add_rows
from ratebook.book.ledger.read import CURRENT
from ratebook.book.ledger.rows import LedgerRow
from ratebook.book.mirrors import Changing, note_changed
from ratebook.model import System

ledger = schema.ledger
postings = schema.postings

AT_ONCE = 1_000
"""Postings that wait at most, so that memory does not grow with what is written."""


class NewPosting(NamedTuple):
    """A section rated in one system, to be stored."""

    run_id: int
    section_id: int
    system: System
    place: str
    dual_rated: bool
    rules: str | None
    input_hash: str
    withdrawn: bool = False


class PendingPosting(NamedTuple):
    """A posting on its way to the store, with its rows: those that are new or have changed.

    It *supersedes* another one, perhaps one that withdrew the section. *closed* are the members whose current rows
    of the section and system end here; that they are *all_closed* saves a statement for each of them.
    """

    new: NewPosting
    rows: Sequence[LedgerRow]
    supersedes: int | None = None
    closed: Sequence[str] = ()
    all_closed: bool = False


class Postings:
    """Postings on their way to the store, written together: a statement costs far more than a row of it.

    What waits is not in the ledger yet: call `write` or `write_about` before reading the ledger. Postings come
    in the order of their places.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._waiting: list[PendingPosting] = []
        self._places: set[tuple[int, System]] = set()
        # By member: the first place of what waits.
        self._members: dict[str, str] = {}
        self._noted: set[str] = set()

    def add(self, posting: PendingPosting) -> None:
        """Take a posting."""
        new = posting.new
        place = (new.section_id, new.system)
        if place in self._places or len(self._waiting) >= AT_ONCE:
            self.write()
        self._places.add(place)
        for member in posting.closed:
            self._members.setdefault(member, new.place)
        for row in posting.rows:
            self._members.setdefault(row.member_id, new.place)
        self._waiting.append(posting)

    def write_about(self, members: Iterable[str], before: str) -> None:
        """Write what waits if it has a row of one of *members* at an earlier place than *before*."""
        if self._waiting and any(self._members.get(member, before) < before for member in members):
            self.write()

    def write(self) -> list[int]:
        """Write what waits, in the order in which it came; return the numbers of the postings."""
        waiting = self._waiting
        if not waiting:
            return []
        self._waiting, self._places, self._members = [], set(), {}
        connection = self._connection
        # A new posting becomes the current one when the one before has given way.
        new = [
            posting.new._asdict() | {"system": posting.new.system.value, "superseded_by": posting.supersedes}
            for posting in waiting
        ]
        numbers = list(connection.execute(_NEW_POSTINGS, new).scalars())
        note_linked(connection, Linked.POSTING, numbers)
        replaced = [
            {"new_posting": number, "old_posting": posting.supersedes}
            for number, posting in zip(numbers, waiting, strict=True)
            if posting.supersedes is not None
        ]
        if replaced:
            connection.execute(_SUPERSEDE, replaced)
            connection.execute(_MAKE_CURRENT, replaced)
        note_changed(connection, Changing.SECTION, (posting.new.section_id for posting in waiting))
        moved = (
            member
            for posting in waiting
            for member in (*posting.closed, *(row.member_id for row in posting.rows))
        )
        note_changed(connection, Changing.PLAYER, self._once(moved))
        self._close(numbers, waiting)
        rows = (
            (number, posting.new.section_id, posting.new.system.value, posting.new.place, *row)
            for number, posting in zip(numbers, waiting, strict=True)
            for row in posting.rows
        )
        add_rows(connection, ledger.name, _ROW_COLUMNS, rows)
        return numbers

    def _once(self, members: Iterable[str]) -> list[str]:
        """Return those of *members* of whom nothing was written before: a transaction notes each change once."""
        new = [member for member in dict.fromkeys(members) if member not in self._noted]
        self._noted.update(new)
        return new

    def _close(self, numbers: Sequence[int], waiting: Sequence[PendingPosting]) -> None:
        """End the rows that give way, before others take their places."""
        whole: list[dict[str, object]] = []
        single: list[dict[str, object]] = []
        for number, posting in zip(numbers, waiting, strict=True):
            binds: dict[str, object] = {
                "new_posting": number,
                "of_section": posting.new.section_id,
                "of_system": posting.new.system.value,
            }
            if posting.all_closed and posting.closed:
                whole.append(binds)
            else:
                single += [binds | {"of_member": member} for member in posting.closed]
        if whole:
            self._connection.execute(_CLOSE_SECTION, whole)
        if single:
            self._connection.execute(_CLOSE_ROW, single)


_NEW_POSTINGS = insert(postings).returning(postings.c.id, sort_by_parameter_order=True)
_ROW_COLUMNS = ("posting_id", "section_id", "system", "place", *LedgerRow._fields)
_SUPERSEDE = (
    update(postings)
    .where(postings.c.id == bindparam("old_posting"))
    .values(superseded_by=bindparam("new_posting"))
)
_MAKE_CURRENT = update(postings).where(postings.c.id == bindparam("new_posting")).values(superseded_by=None)
_CLOSE = (
    update(ledger)
    .where(CURRENT, ledger.c.section_id == bindparam("of_section"), ledger.c.system == bindparam("of_system"))
    .values(superseded_by=bindparam("new_posting"))
)
# Every id comes after "". Without that SQLite would walk through all of a system instead of the section.
_CLOSE_SECTION = _CLOSE.where(ledger.c.member_id > "")
_CLOSE_ROW = _CLOSE.where(ledger.c.member_id == bindparam("of_member"))
