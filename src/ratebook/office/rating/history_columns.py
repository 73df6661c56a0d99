"""A book's history as columns (docs/history-columns.md), for replays by compiled code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ratebook.book.connection import Book, Connection
from ratebook.book.events import StoredSection, count_sections, read_sections
from ratebook.book.facts.member_files import (
    MemberBalance,
    MemberDecision,
    MemberFile,
    batches,
    load_member_files,
)
from ratebook.book.facts.members import canonical_ids, states_of
from ratebook.book.failures import refused
from ratebook.book.ledger.history import initial_ratings
from ratebook.book.ledger.lists import ratings_of_lists
from ratebook.book.ledger.read import posted_systems
from ratebook.findings import Place
from ratebook.model import SCORES, Entry, FloorRequest, SectionType, System
from ratebook.office import Progress, no_progress
from ratebook.official_lists.calendar import first_day_of
from ratebook.rating.carry import RECORDS
from ratebook.rating.decisions import FLOOR_KINDS

if TYPE_CHECKING:
    from ratebook.replay.history import HistoryWriter

SECTIONS_AT_ONCE = 2_000
SYSTEM_NUMBERS = {system: number for number, system in enumerate(System)}
SOURCES = ("fide", "cfc")
MOST_ROUNDS = 255
"""The column has eight bits; what comes later has no round that is known."""
COLOURS = {"w": 1, "b": -1}
HALF_POINTS = {letter: int(2 * score) for letter, score in SCORES.items()}
SECTION_KINDS = {SectionType.MATCH: 1, SectionType.FIDE: 2}
NO_MEMBER = -1

SEVERAL_SEATS = 1
UPDATED = 2
MEMBER = 4
GRANTED = 8
DENIED = 16

HistoryRows: TypeAlias = list[tuple[Any, ...]]
"""Rows of one table, their values in the order of its columns (``replay/tables.py``)."""


class ExportedHistory(NamedTuple):
    """How much a history holds."""

    members: int
    sections: int
    games: int


class People(NamedTuple):
    """Members by id: their numbers in the table ``members``, their files, and where those live of whom it is known."""

    numbers: Mapping[str, int]
    member_files: Mapping[str, MemberFile]
    regions: Mapping[str, str] = {}


def export_history(
    book: Book, folder: Path, progress: Progress = no_progress, *, with_birth_dates: bool = False
) -> ExportedHistory:
    """Write everything that is rated as a folder of Parquet files; it gets its name when it is complete.

    Without birth dates, the initial ratings that may depend on them are there as decided. A section is there with the
    systems in which it is posted; withdrawn sections, byes and forfeits are not.

    Raises:
        BookError: the extra ``bulk`` is not installed, or the folder exists or cannot be written.
    """
    try:
        from ratebook.replay.history import HistoryWriter  # noqa: PLC0415 - loads the libraries of the extra
    except ImportError as missing:
        raise refused("bulk-missing", Place(file=str(folder)), missing_name=missing.name) from missing
    try:
        with book.reading() as connection, HistoryWriter(folder) as writer:
            return _write(connection, writer, progress, with_birth_dates=with_birth_dates)
    except FileExistsError as there:
        raise refused("output-exists.folder-used", Place(file=str(folder))) from there
    except OSError as failure:
        raise refused("output-unwritable.unwritable", Place(file=str(folder)), reason=failure) from failure


def _write(
    connection: Connection, writer: HistoryWriter, progress: Progress, *, with_birth_dates: bool
) -> ExportedHistory:
    """Write every table, those of sections in parts."""
    ids = canonical_ids(connection)
    files: dict[str, MemberFile] = {}
    for batch in batches(ids):
        loaded = load_member_files(connection, batch)
        files |= loaded if with_birth_dates else _without_birth_dates(connection, loaded)
    people = People({member: number for number, member in enumerate(ids)}, files, states_of(connection))

    def put(tables: Mapping[str, HistoryRows]) -> None:
        for name, rows in tables.items():
            writer.write(name, _table_of_rows(name, rows))

    put(_people_rows(people))
    put({"published_ratings": list(_published_ratings(connection, people))})
    # The systems in which each section is posted are the bits of a number.
    systems: dict[int, int] = Counter()
    for section, system in posted_systems(connection):
        systems[section] |= 1 << SYSTEM_NUMBERS[system]
    total = count_sections(connection)
    posted = (stored for stored in read_sections(connection) if stored.id in systems)
    written = games = 0
    while part := list(islice(posted, SECTIONS_AT_ONCE)):
        tables = _section_rows(part, systems, people)
        put(tables)
        written += len(part)
        games += len(tables["games"])
        progress(written, total)
    if not written:
        put(_section_rows([], systems, people))
    progress(total, total)
    return ExportedHistory(len(people.numbers), written, games // 2)


def _without_birth_dates(connection: Connection, files: Mapping[str, MemberFile]) -> dict[str, MemberFile]:
    """Return members without birth dates, whose initial ratings by Step 1 are decided as the ledger has them."""
    born = [member for member, member_file in files.items() if member_file.birth_date is not None]
    started = initial_ratings(connection, born)
    without = dict(files)
    for member in born:
        initial = [
            MemberDecision(
                kind="initial",
                effective=row.end,
                system=row.system,
                value=row.rating,
                floor_kind=FLOOR_KINDS[0],
                games=row.games,
                id=0,
            )
            for row in started.get(member, ())
        ]
        decisions = sorted((*files[member].decisions, *initial), key=lambda decision: decision.effective)
        without[member] = files[member]._replace(birth_date=None, decisions=tuple(decisions))
    return without


def _table_of_rows(name: str, rows: HistoryRows) -> Any:  # noqa: ANN401 - an Arrow table
    """Return the rows of a table of a history as an Arrow table."""
    import pyarrow as pa  # noqa: PLC0415 - only replays need it

    from ratebook.replay.tables import SCHEMAS  # noqa: PLC0415 - as above

    schema = SCHEMAS[name]
    columns = zip(*rows, strict=True) if rows else [()] * len(schema)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.table(arrays, schema=schema)


def _people_rows(people: People) -> dict[str, HistoryRows]:
    """Return the rows of the tables about members: persons, where their ledgers begin, foreign ratings, decisions."""
    in_order = [(number, people.member_files[member]) for member, number in people.numbers.items()]
    return {
        "members": [
            (
                member_file.id,
                member_file.birth_date,
                bool(member_file.adult),
                member_file.canadian_resident,
                member_file.usa_flag,
                member_file.fide_opt_in,
                people.regions.get(member_file.id, ""),
            )
            for _, member_file in in_order
        ],
        "balances": [
            (number, *_balance(system, member_file.balances[system]))
            for number, member_file in in_order
            for system in System
            if system in member_file.balances
        ],
        "foreign_ratings": [
            (number, source, rating.as_of, float(rating.rating))
            for number, member_file in in_order
            for source, word in enumerate(SOURCES)
            for rating in member_file.foreign.get(word, ())
        ],
        # Decisions of a file are in the order of their days already, and keep it within a system.
        "decisions": [
            (number, SYSTEM_NUMBERS[decision.system], decision.effective, *decision.numbers())
            for number, member_file in in_order
            for decision in sorted(member_file.decisions, key=lambda each: SYSTEM_NUMBERS[each.system])
        ],
    }


def _balance(system: System, balance: MemberBalance) -> tuple[Any, ...]:
    rating = balance.rating
    floors = {floor.kind: floor.floor for floor in balance.floors}
    return (
        SYSTEM_NUMBERS[system],
        balance.as_of,
        rating.rating,
        rating.games,
        rating.wins,
        rating.draws,
        rating.losses,
        None if rating.record is None else RECORDS.index(rating.record),
        rating.long_events,
        rating.peak,
        rating.life_master_games,
        int(rating.at_least),
        *(floors.get(kind) for kind in FLOOR_KINDS),
    )


def _published_ratings(connection: Connection, people: People) -> Iterator[tuple[Any, ...]]:
    """Yield the ratings of official lists, without those that a list says again."""
    for batch in batches(people.numbers):
        ratings = sorted(
            (
                people.numbers[member],
                SYSTEM_NUMBERS[rating.system],
                rating.month,
                rating.official.rating,
                rating.official.provisional_games,
            )
            for member, rating in ratings_of_lists(connection, batch)
        )
        before: tuple[float | None, ...] = ()
        for number, system, month, points, games in ratings:
            published = (number, system, points, games)
            if published != before:
                yield number, system, first_day_of(month), points, games
            before = published


def _section_rows(
    part: Iterable[StoredSection], systems: Mapping[int, int], people: People
) -> dict[str, HistoryRows]:
    """Return the rows of sections, entries and games; *systems* that rate each section are bits of a number."""
    tables: dict[str, HistoryRows] = {"sections": [], "entries": [], "games": []}
    for stored in part:
        section = stored.section
        tables["sections"].append(
            (
                stored.event_id,
                section.number,
                section.rules_date,
                section.end,
                SECTION_KINDS.get(section.type, 0),
                section.half_k,
                section.youth,
                systems[stored.id],
                len(stored.members),
            )
        )
        _add_entries(stored, people, tables["entries"], tables["games"])
    return tables


def _add_entries(stored: StoredSection, people: People, entries: HistoryRows, games: HistoryRows) -> None:
    section = stored.section
    foreign = section.type is SectionType.FIDE
    seats: dict[str, list[Entry]] = {}
    for entry in section.entries:
        seats.setdefault(entry.player, []).append(entry)
    order = {player: number for number, player in enumerate(seats)}
    at_seat = {entry.seat: order[entry.player] for entry in section.entries}
    for player, own in seats.items():
        played = [
            (
                number,
                at_seat[opponent],
                HALF_POINTS[letter],
                number if number <= MOST_ROUNDS else 0,
                COLOURS.get(colour, 0),
            )
            for entry in own
            for number, (letter, opponent, colour) in enumerate(entry.rounds, 1)
            if opponent is not None and letter in HALF_POINTS
        ]
        if len(own) > 1:
            played.sort()
        marks = _marks(own, people.member_files.get(player), section.end, foreign=foreign)
        entries.append(
            (people.numbers.get(player, NO_MEMBER), len(played), marks, stored.fide.get(player, 0.0))
        )
        games += [game[1:] for game in played]


def _marks(seats: list[Entry], member_file: MemberFile | None, day: date, *, foreign: bool) -> int:
    marks = SEVERAL_SEATS if len(seats) > 1 else 0
    for entry in seats:
        if entry.floor_request is FloorRequest.GRANTED:
            marks |= GRANTED
        elif entry.floor_request is FloorRequest.DENIED:
            marks |= DENIED
    if foreign:
        marks |= UPDATED if any(entry.update for entry in seats) else 0
        marks |= MEMBER if member_file is not None and member_file.member_on(day) else 0
    return marks
