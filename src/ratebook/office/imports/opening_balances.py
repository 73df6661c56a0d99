"""Opening balances in bulk: where the ledgers of members begin, each by a dated decision."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import func, insert, select, update

from ratebook.book import schema
from ratebook.book.decisions import Decision, decide
from ratebook.book.ledger.pending import Pending, note_pending
from ratebook.book.ledger.read import CURRENT
from ratebook.book.member_files import text_of_floors
from ratebook.book.profile import read_federation
from ratebook.book.schema import day_of_place
from ratebook.findings import finding
from ratebook.formats.contract import Findings
from ratebook.formats.native.players import read_player
from ratebook.formats.reading.fields import Fields, shown
from ratebook.formats.source import ZIP_SIGNATURE, SourceError
from ratebook.formats.uschess.dbf import decoded
from ratebook.model import PlayerFacts, System
from ratebook.office.imports.effects import owners_of
from ratebook.office.imports.memberships import unknown_member
from ratebook.office.imports.table import (
    ROWS_AT_ONCE,
    Imported,
    TableRow,
    Tally,
    import_file,
    opened_table,
    rows_of_table,
)
from ratebook.office.progress import Progress, no_progress
from ratebook.office.rating.titles import write_titles
from ratebook.player_lists.members_columns import UnreadableCellError, read_games
from ratebook.player_lists.members_csv import iter_members_said, titles_of
from ratebook.player_lists.read import opened_list
from ratebook.player_lists.row import Fit, ListKind, Wanted
from ratebook.titles.awards import opening_state

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date
    from pathlib import Path

    from sqlalchemy import Connection, Row

    from ratebook.book.connection import Actor, Book
    from ratebook.model import EnteredFloor, Rating
    from ratebook.player_lists.row import ListedPlayer

balances = schema.opening_balances
ledger = schema.ledger
members = schema.members

OPENING_BALANCE = "opening-balance"
"""Kind of the decisions."""

REQUIRED = ("member_id", "system", "as_of", "rating")
OPTIONAL = (
    "games",
    "wins",
    "draws",
    "losses",
    "record",
    "long_events",
    "peak",
    "life_master_games",
    "floor_kind",
    "floor",
)
_NUMBERS = ("rating", "wins", "draws", "losses", "long_events", "peak", "life_master_games", "floor")
_HEAD = 1 << 16
_KEY = "listed"


class BalanceRow(NamedTuple):
    """A balance as a file has it; ``rating.as_of`` is not read."""

    where: str
    member: str
    system: System
    as_of: date
    rating: Rating
    floors: tuple[EnteredFloor, ...]


class _EveryPlayer(Wanted):
    """Asks a list for all its rows."""

    def fit(self, number: str, name: str) -> Fit:  # noqa: ARG002 - as the class that it stands for
        """Return that the row is wanted."""
        return Fit.WANTED


def import_opening_balances(  # noqa: PLR0913 - what, by whom, and how
    book: Book,
    path: Path,
    actor: Actor,
    *,
    as_of: date | None = None,
    replace: bool = False,
    second: System = System.QUICK,
    progress: Progress = no_progress,
) -> Imported:
    """Import opening balances: a table of them, a members CSV, or a Golden, supplement or combined list (DBF).

    The columns of the table stand in docs/demo-federation.md. Members must be in the book; of the members of a
    US Chess list those that are not are left out.

    Args:
        book: the book.
        path: the file.
        actor: who decides, and when.
        as_of: day of the balances, where a rating has none of its own.
        replace: let a new balance take the place of one that the member has in the system.
        second: the system of the second rating of a US Chess list with two.
        progress: told how much of how much is read.

    Raises:
        BookError: the store fails.
    """

    def read(connection: Connection, tally: Tally) -> None:
        writer = BalanceWriter(connection, actor, path.name, tally, replace=replace)
        if _is_table(path):
            with opened_table(path, progress) as stream:
                rows = rows_of_table(stream, path.name, tally.findings, REQUIRED, OPTIONAL)
                while batch := list(islice(rows, ROWS_AT_ONCE)):
                    tally.rows += len(batch)
                    writer.write(one for row in batch for one in _of_table(row))
                    progress(stream.tell(), path.stat().st_size)
            return
        with opened_list(path, tally.findings, second) as opened:
            if not opened.kind.by_member_id:
                raise SourceError(finding("list-unknown.opening-balances", path.name, kind=opened.kind))
            listed: Iterator[ListedPlayer]
            if opened.kind is ListKind.MEMBERS:
                listed = (row for row, _ in iter_members_said(opened.stream, opened.name, tally.findings))
            else:
                listed = opened.rows(opened.stream, opened.name, _EveryPlayer(), tally.findings)
                writer.only_known = True
            while some := list(islice(listed, ROWS_AT_ONCE)):
                tally.rows += len(some)
                writer.write(
                    balance
                    for row in some
                    for balance in balances_of_facts(
                        row.where, row.member_id, row.facts, as_of, tally.findings
                    )
                )
            if opened.kind.published:
                writer.note_published()

    return import_file(book, path, actor, "import-opening-balances", read)


def balances_of_facts(
    where: str, member: str, facts: PlayerFacts, as_of: date | None, findings: Findings
) -> Iterator[BalanceRow]:
    """Yield the balances that the ratings of a listed player are."""
    for system, rating in facts.ratings.items():
        day = rating.as_of or as_of
        if day is None:
            findings.add("import-as-of-missing", f"{where}, {system}")
            continue
        floors = tuple(floor for floor in facts.floors if floor.system is system)
        yield BalanceRow(where, member, system, day, rating, floors)


def _is_table(path: Path) -> bool:
    """Return whether the file is a table of balances; members are named ``member_id`` there."""
    with path.open("rb") as stream:
        head = stream.read(_HEAD)
    if head.startswith(ZIP_SIGNATURE) or b"\0" in head:
        return False
    titles, _ = titles_of(decoded(head.split(b"\n", 1)[0]))
    return "member_id" in titles


def _of_table(row: TableRow) -> Iterator[BalanceRow]:
    """Yield the balance in a row, unless something of it is wrong."""
    fields = Fields(row.findings, dict(row.cells), row.where)
    system, day = fields.choice("system", System, "system-unknown.choice"), row.day("as_of")
    values: dict[str, object] = {title: row.number(title) for title in _NUMBERS if title in row.cells}
    floor, kind = values.pop("floor", None), row.text("floor_kind")
    values["games"] = _games(row)
    if "record" in row.cells:
        values["record"] = row.text("record")
    if system is None or day is None:
        return
    player: dict[str, object] = {"id": _KEY, "ratings": {system.value: values}}
    if floor is not None or kind:
        player["floors"] = [{"system": system.value, "kind": kind or None, "floor": floor}]
    found = Findings()
    facts = read_player(found, player, 0)
    for one in found.of_file(row.where):
        field = one.where.rpartition(".")[2].rpartition(" ")[2]
        where = f"{row.where}, {field}" if field in {*REQUIRED, *OPTIONAL} else row.where
        row.findings.append(one._replace(where=where))
    if facts is not None and system in facts.ratings and not found.has_errors:
        yield BalanceRow(row.where, row.text("member_id"), system, day, facts.ratings[system], facts.floors)


def _games(row: TableRow) -> int | float | None:
    """Return the number of games; None: established, number unknown."""
    cell = row.cells.get("games")
    try:
        return None if cell is None else read_games(cell)
    except UnreadableCellError as failure:
        row.findings.add(
            "list-value-unreadable.games", f"{row.where}, games", cell=shown(cell), failure=failure
        )
        return None


class BalanceWriter:
    """Writes balances, a batch at a time, in one transaction.

    Attributes:
        only_known: leave out who is no member of the book; otherwise that is an error.
    """

    def __init__(
        self, connection: Connection, actor: Actor, name: str, tally: Tally, *, replace: bool
    ) -> None:
        self.connection = connection
        self.actor = actor
        self.name = name
        self.tally = tally
        self.findings = tally.findings
        self.replace = replace
        self.only_known = False
        self.strangers = 0
        self.federation = read_federation(connection)
        # Whose titles may be others now: a career begins with the peak of the balance.
        self.careers: set[str] = set()
        self.seen: set[tuple[str, System]] = set()

    def write(self, rows: Iterable[BalanceRow]) -> None:
        """Write one batch."""
        batch = list(rows)
        owner = owners_of(self.connection, sorted({row.member for row in batch}))
        ids = self._with_merged(sorted(set(owner.values())))
        first = self._first_places(ids)
        known = {
            (ids[row.member_id], System(row.system)): row
            for row in self.connection.execute(select(balances).where(balances.c.member_id.in_(sorted(ids))))
        }
        for row in batch:
            member = owner.get(row.member)
            if member is None:
                self._stranger(row)
            elif (member, row.system) in self.seen:
                self.findings.add("import-row-twice.write", row.where, member=member, system=row.system)
            else:
                self.seen.add((member, row.system))
                self._one(member, row, known.get((member, row.system)), first.get(member))
        if not self.findings.has_errors:
            write_titles(self.connection, self.federation, sorted(self.careers))
        self.careers.clear()

    def _with_merged(self, canonical: list[str]) -> dict[str, str]:
        """Return *canonical* ids and those merged into them, each with the canonical one."""
        merged = select(members.c.id, members.c.merged_into).where(members.c.merged_into.in_(canonical))
        owner = {one: one for one in canonical}
        return owner | {row.id: row.merged_into for row in self.connection.execute(merged)}

    def _first_places(self, owner: dict[str, str]) -> dict[str, str]:
        """Return the place of the first section in which each member was rated."""
        found: dict[str, str] = {}
        rows = self.connection.execute(
            select(ledger.c.member_id, func.min(ledger.c.place).label("first"))
            .where(CURRENT, ledger.c.member_id.in_(sorted(owner)))
            .group_by(ledger.c.member_id)
        )
        for row in rows:
            member = owner[row.member_id]
            found[member] = min(row.first, found.get(member, row.first))
        return found

    def _stranger(self, row: BalanceRow) -> None:
        if self.only_known:
            self.strangers += 1
        else:
            unknown_member(self.connection, self.findings, row.where, row.member)

    def _one(
        self, member: str, row: BalanceRow, before: Row[tuple[object, ...]] | None, first: str | None
    ) -> None:
        """Write one balance, unless the member's ledger has begun already."""
        values = _values(row)
        if before is not None and all(getattr(before, name) == value for name, value in values.items()):
            self.tally.unchanged += 1
            return
        if before is not None and not self.replace:
            self.findings.add("balance-exists", row.where, member=member, system=row.system)
            return
        if first is not None and day_of_place(first) <= row.as_of.isoformat():
            self.findings.add(
                "balance-too-late", row.where, member=member, first=day_of_place(first), as_of=row.as_of
            )
            return
        if self.findings.has_errors:
            # Nothing will be kept; what remains is only to be looked at.
            return
        decision = decide(
            self.connection,
            self.actor,
            Decision(
                OPENING_BALANCE,
                f"member {member}",
                f"opening balances {self.name}",
                effective=row.as_of,
                member=member,
                system=row.system,
                value=row.rating.rating,
                details={name: value for name, value in values.items() if name not in {"as_of", "rating"}},
            ),
        )
        values |= {"decision_id": decision}
        if before is None:
            own = {"member_id": member, "system": row.system.value}
            self.connection.execute(insert(balances).values(values | own))
            self.tally.added += 1
        else:
            same = (balances.c.decision_id == before.decision_id) & (balances.c.system == row.system.value)
            self.connection.execute(update(balances).where(same).values(values))
            self.tally.changed += 1
        if row.system is System.REGULAR and (
            before is not None or opening_state(peak=row.rating.peak).titles
        ):
            self.careers.add(member)
        if first is not None:
            reason = f"opening balance of {member}"
            note_pending(self.connection, [Pending(first, reason, member=member)])
            self.tally.marked += 1

    def note_published(self) -> None:
        """Say what is special about balances from a published list."""
        if self.tally.added or self.tally.changed:
            self.findings.add("balance-published", self.name)
        if self.strangers:
            self.findings.add("import-strangers", self.name, strangers=self.strangers)


def _values(row: BalanceRow) -> dict[str, object]:
    """Return the columns of a balance."""
    rating = row.rating
    return {
        "as_of": row.as_of,
        "rating": float(rating.rating),
        "games": None if rating.games is None else float(rating.games),
        "wins": rating.wins,
        "draws": rating.draws,
        "losses": rating.losses,
        "record": None if rating.record is None else rating.record.value,
        "long_events": rating.long_events,
        "peak": None if rating.peak is None else float(rating.peak),
        "life_master_games": rating.life_master_games,
        "floors": text_of_floors(row.floors),
    }
