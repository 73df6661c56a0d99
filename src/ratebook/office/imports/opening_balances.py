"""Opening balances in bulk: the ratings with which the ledgers of members begin, each a dated decision."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

from ratebook.book.columns import day_of_place
from ratebook.book.connection import Actor, Book
from ratebook.book.facts.member_files import MemberBalance, stored_rating
from ratebook.book.facts.members import merged_ids
from ratebook.book.facts.opening_balances import Ledgers, ledgers_of, write_balance
from ratebook.book.ledger.careers import Opening, write_titles
from ratebook.book.ledger.pending import Pending, note_pending
from ratebook.book.profile import read_federation
from ratebook.findings import Findings, Place, finding
from ratebook.formats.archive import ZIP_SIGNATURE, SourceError
from ratebook.formats.contract import DayOrder
from ratebook.formats.reading.fields import Fields
from ratebook.formats.reading.kinds import Choice
from ratebook.formats.reading.sheets.encodings import HEAD
from ratebook.formats.reading.sheets.header import MOST_ROWS_ABOVE, TableKind, plain_title
from ratebook.formats.reading.sheets.opening import opened_sheet
from ratebook.formats.reading.sheets.player_columns import reader_of
from ratebook.formats.reading.sheets.sheet import first_rows
from ratebook.formats.reading.tables import RATING, read_player
from ratebook.formats.uschess.dbf import decoded
from ratebook.model import EnteredFloor, Rating, System
from ratebook.office import Progress, no_progress
from ratebook.office.decisions.members import decide_about
from ratebook.office.decisions.revision import Reason
from ratebook.office.imports.table import Counts, Import, Imported, TableRow, importing
from ratebook.office.rating.titles import attained_peak, changed_titles
from ratebook.player_lists.members_csv import KIND as MEMBERS
from ratebook.player_lists.members_csv import iter_members_said
from ratebook.player_lists.read import opened_list
from ratebook.player_lists.row import EveryPlayer, ListedPlayer, ListKind
from ratebook.rating.carry import games_of
from ratebook.rating.explanation.notes import FEW_GAMES, tells_record
from ratebook.titles.awards import opening_state

OPENING_BALANCE = "opening-balance"
"""Kind of the decisions."""

REQUIRED = ("member_id", "system", "as_of", "rating")
_RATING_COLUMNS = {
    field.name: reader_of(field)
    for field in RATING.fields
    if field.name not in {"published", "published_games", "as_of"}
}
OPTIONAL = (*(name for name in _RATING_COLUMNS if name != "rating"), "floor_kind", "floor")
MOST_NAMED = 12
"""Balances that a finding names one by one."""
JUMP = 1_000
"""Points between two ratings of a person: a wrong first digit, more often than not."""
KIND = TableKind("balances", (*REQUIRED, *OPTIONAL), REQUIRED)
_KEY = "listed"
_OF_MEMBERS = frozenset({"name", "first_name", "last_name", "birth_date", "expires"})
"""Columns of a list of members that no table of balances has, beside ``id``."""


class _SystemWord(Choice[System]):
    """A system as people write it: Regular, Online Quick, OTB Blitz."""

    def read(self, fields: Fields, key: str, value: object) -> System | None:
        plain = "-".join(str(value).casefold().replace("_", " ").replace("-", " ").split())
        plain = plain.removeprefix("otb-")
        return super().read(fields, key, plain if plain in self.schema["enum"] else value)


_SYSTEM = _SystemWord(System, "system-unknown.choice")


class BalanceRow(NamedTuple):
    """A balance as a file has it; ``rating.as_of`` is not read."""

    where: Place
    member: str
    system: System
    as_of: date
    rating: Rating
    floors: tuple[EnteredFloor, ...]


def import_opening_balances(  # noqa: PLR0913 - what, by whom, and how
    book: Book,
    path: Path,
    actor: Actor,
    *,
    as_of: date | None = None,
    replace: bool = False,
    second: System = System.QUICK,
    order: DayOrder | None = None,
    progress: Progress = no_progress,
) -> Imported:
    """Import opening balances: a table of them, a members CSV, or a Golden, supplement or combined list (DBF).

    docs/formats/opening-balances.md has the columns of the table. Members must be in the book; players of a US Chess
    list who are not are left out.

    Balances are as of the day *as_of* if a rating has none of its own; with *replace* they replace those that members
    have in the system. *second* is the system of the second rating of a US Chess list with two.
    """
    with importing(book, path, actor, "import-opening-balances", progress, order) as running:
        writer = BalanceWriter(running, replace=replace)
        if _is_table(path):
            for batch in running.batches(lambda stream: running.table(stream, KIND)):
                writer.write(balance for row in batch for balance in _of_table(row))
        else:
            _write_list(writer, path, second, as_of)
        if not writer.rows and not running.findings.has_errors:
            running.findings.add("import-no-ratings", Place(file=path.name))
        writer.note_bounds()
        running.added, running.changed, running.unchanged = writer.counts
    return running.imported()


def _write_list(writer: "BalanceWriter", path: Path, second: System, as_of: date | None) -> None:
    running, findings = writer.running, writer.running.findings
    with opened_list(path, findings, second) as opened:
        if not opened.kind.by_member_id:
            raise SourceError(finding("list-unknown.not-own", Place(file=path.name), kind=opened.kind))
        listed: Iterator[ListedPlayer]
        if opened.kind is ListKind.MEMBERS:
            listed = (
                row for row, _ in iter_members_said(opened.stream, opened.name, findings, running.order)
            )
        else:
            listed = opened.rows(opened.stream, opened.name, EveryPlayer(), findings)
            writer.only_known = True
        for batch in running.in_batches(listed):
            writer.write(balance for row in batch for balance in balances_of_facts(row, as_of, findings))
        if opened.kind.published:
            writer.note_published()


def balances_of_facts(row: ListedPlayer, as_of: date | None, findings: Findings) -> Iterator[BalanceRow]:
    """Yield the balances that the ratings of a listed player are."""
    for system, rating in row.facts.ratings.items():
        day = rating.as_of or as_of
        if day is None:
            findings.add("import-as-of-missing", row.where.but(system=system))
            continue
        floors = tuple(floor for floor in row.facts.floors if floor.system is system)
        yield BalanceRow(
            where=row.where, member=row.facts.id, system=system, as_of=day, rating=rating, floors=floors
        )


def _is_table(path: Path) -> bool:
    """Return whether the file is a table of balances: it names a system in each row, which no list of members does."""
    with opened_sheet(path, Findings()) as stream:
        head = stream.peek(HEAD)
    if head.startswith(ZIP_SIGNATURE) or b"\0" in head:
        return False
    return has_balances(first_rows(decoded(head).splitlines()[:MOST_ROWS_ABOVE]))


def has_balances(rows: Sequence[list[str]]) -> bool:
    """Return whether one of the first *rows* of a table is the header line of opening balances."""
    header = next((row for row in rows if KIND.is_header(row)), [])
    titles, listed = {*KIND.columns_of(header), *map(plain_title, header)}, {*MEMBERS.columns_of(header)}
    return "member_id" in titles and (
        "system" in titles or ("id" not in titles and listed.isdisjoint(_OF_MEMBERS))
    )


def _of_table(row: TableRow) -> Iterator[BalanceRow]:
    """Yield the balance in a row, unless something of it is wrong."""
    system, day = row.fields.read("system", _SYSTEM), row.day("as_of")
    # Games that are not given are those of an established rating.
    values: dict[str, object] = {"games": None}
    values |= {title: row.read(title, read) for title, read in _RATING_COLUMNS.items() if title in row.cells}
    floor, kind = row.number("floor"), row.text("floor_kind")
    if system is None or day is None:
        return
    player: dict[str, object] = {"id": _KEY, "ratings": {system.value: values}}
    if floor is not None or kind:
        player["floors"] = [{"system": system.value, "kind": kind or None, "floor": floor}]
    findings = Findings()
    facts = read_player(findings, player, 0)
    for problem in findings.of_file(row.where.file):
        field = problem.place.field.rpartition(".")[2]
        place = row.where.inner(field) if field in {*REQUIRED, *OPTIONAL} else row.where
        row.findings.append(problem._replace(place=place))
    if facts is not None and system in facts.ratings and not findings.has_errors:
        yield BalanceRow(
            where=row.where,
            member=row.text("member_id"),
            system=system,
            as_of=day,
            rating=facts.ratings[system],
            floors=facts.floors,
        )


class BalanceWriter:
    """Writes balances, a batch at a time; players who are no members are errors, or left out (*only_known*)."""

    def __init__(self, running: Import, *, replace: bool) -> None:
        self.running = running
        self.replace = replace
        self.only_known = False
        self.unknown_members = 0
        self.rows = self.added = self.changed = self.unchanged = 0
        self.bounded = 0
        self.without_record: list[str] = []
        self.today = date.fromisoformat(running.actor.at[:10])
        self.in_future: list[BalanceRow] = []
        self.federation = read_federation(running.connection)
        # Whose titles may be others now: a career begins with the peak of the balance.
        self.careers: set[str] = set()

    @property
    def counts(self) -> Counts:
        """What became of the balances so far."""
        return Counts(self.added, self.changed, self.unchanged)

    def write(self, rows: Iterable[BalanceRow]) -> None:
        """Write one batch."""
        running, findings = self.running, self.running.findings
        batch = list(rows)
        self.rows += len(batch)
        owner = merged_ids(running.connection, sorted({row.member for row in batch}))
        ledgers = ledgers_of(running.connection, sorted(set(owner.values())))
        ratings = {key: float(known.balance.rating.rating) for key, known in ledgers.balances.items()}
        for row in batch:
            member = owner.get(row.member)
            if member is None and self.only_known:
                self.unknown_members += 1
            elif member is None:
                running.unknown_member(row.where, row.member)
            elif not running.is_new((member, row.system)):
                findings.add("import-row-twice.balance", row.where, member=member, system=row.system)
            else:
                self._look_at(member, row, ratings)
                self._write_balance(member, row, ledgers)
        if not running.findings.has_errors:
            changed = changed_titles(running.connection, self.federation, sorted(self.careers))
            write_titles(running.connection, changed)
        self.careers.clear()

    def _look_at(self, member: str, row: BalanceRow, ratings: dict[tuple[str, System], float]) -> None:
        """Warn of a rating that is far from the member's other *ratings*, to which it comes; note days to come."""
        far = [
            (system, rating)
            for system in System
            if (rating := ratings.get((member, system))) is not None
            and abs(rating - row.rating.rating) >= JUMP
        ]
        for system, rating in far[:1]:
            rated = {"rating": f"{row.rating.rating:g}", "other": system.value, "other_rating": f"{rating:g}"}
            self.running.findings.add("balance-far-off", row.where, member=member, system=row.system, **rated)
        ratings[member, row.system] = row.rating.rating
        if row.as_of > self.today:
            self.in_future.append(row)

    def _write_balance(self, member: str, row: BalanceRow, ledgers: Ledgers) -> None:
        """Write one balance, unless the member's ledger has begun already."""
        running, findings = self.running, self.running.findings
        before, first = ledgers.balances.get((member, row.system)), ledgers.first.get(member)
        figures = {name: getattr(row.rating, name) for name in ("rating", "games", "peak")}
        floats = {name: None if figure is None else float(figure) for name, figure in figures.items()}
        rating = row.rating._replace(**floats, published=None, published_games=None, as_of=row.as_of)  # type: ignore[arg-type] # a rating is there
        balance = MemberBalance(row.as_of, rating, row.floors)
        if before is not None and before.balance == balance:
            self.unchanged += 1
            return
        if before is not None and not self.replace:
            findings.add("balance-exists", row.where, member=member, system=row.system)
            return
        if first is not None and day_of_place(first) <= row.as_of.isoformat():
            findings.add(
                "balance-too-late", row.where, member=member, first=day_of_place(first), as_of=row.as_of
            )
            return
        if running.findings.has_errors:
            # Nothing will be kept; what remains is only to be looked at.
            return
        details = stored_rating(rating, row.floors)
        decision = decide_about(
            running.connection,
            Reason(running.actor, f"opening balances {running.name}"),
            OPENING_BALANCE,
            member,
            effective=row.as_of,
            system=row.system,
            value=rating.rating,
            details={name: value for name, value in details.items() if name != "rating"},
        )
        write_balance(running.connection, member, row.system, balance, decision, before)
        if before is None:
            self.added += 1
        else:
            self.changed += 1
        opening = Opening(row.as_of, rating.rating, rating.games, rating.peak)
        attained = attained_peak(self.federation, row.system, opening)
        if rating.peak is None and attained is not None:
            self.bounded += 1
        if 0 < games_of(rating.games) <= FEW_GAMES and not tells_record(rating):
            self.without_record.append(f"{member} in {row.system}")
        if row.system is System.REGULAR and (before is not None or opening_state(peak=attained).titles):
            self.careers.add(member)
        if first is not None:
            reason = f"opening balance of {member}"
            note_pending(running.connection, [Pending(first, reason, member=member)])
            running.marked += 1

    def note_bounds(self) -> None:
        """Say which balances need a record or are of days to come, and that floors follow from unknown peaks."""
        for row in self.in_future[:1]:
            number, day = len(self.in_future), row.as_of
            self.running.findings.add("balance-in-future", row.where, number=number, as_of=day)
        if balances := self.without_record:
            more = f" and {len(balances) - MOST_NAMED:,} more" if len(balances) > MOST_NAMED else ""
            named = ", ".join(balances[:MOST_NAMED]) + more
            self.running.findings.add("balance-record-needed", Place(file=self.running.name), named=named)
        if self.bounded:
            self.running.findings.add(
                "balance-peak-bounded", Place(file=self.running.name), bounded_count=self.bounded
            )

    def note_published(self) -> None:
        """Say what is special about balances from a published list."""
        running = self.running
        if self.added or self.changed:
            running.findings.add("balance-published", Place(file=running.name))
        if self.unknown_members:
            running.findings.add("import-strangers", Place(file=running.name), strangers=self.unknown_members)
