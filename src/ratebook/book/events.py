"""Events as they are rated: the header, the sections in their place of history, entries and games."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import groupby, islice
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Row,
    and_,
    bindparam,
    case,
    delete,
    func,
    insert,
    or_,
    select,
    tuple_,
    update,
)

from ratebook.book import schema
from ratebook.book.chain.contents import Linked
from ratebook.book.chain.links import note_linked
from ratebook.book.columns import place_of
from ratebook.book.connection import POSTGRESQL
from ratebook.book.copies.bulk import add_rows
from ratebook.book.facts.member_files import batches, owners_of, rows_about
from ratebook.book.facts.members import asked_parts
from ratebook.book.facts.states import is_state
from ratebook.book.mirrors import Changing, note_changed, note_event_changed, systems_of
from ratebook.book.queries import PreparedQuery
from ratebook.model import Cell, Entry, Event, FloorRequest, PlayerFacts, Section, SectionType
from ratebook.player_lists.names import folded
from ratebook.records.events import EventSection, FoundEvent

sections = schema.sections
entries = schema.entries
games = schema.games

SECTIONS_AT_ONCE = 100


class StoredSection(NamedTuple):
    """A section of the book, with its number in the store.

    Attributes:
        section: what was played; players are canonical member ids.
        fide: FIDE ratings that the report brought (opponents of foreign events), by player.
    """

    id: int
    event_id: str
    place: str
    withdrawn: bool
    section: Section
    fide: Mapping[str, float]

    @property
    def members(self) -> list[str]:
        """All players who have a seat, once, in the order of the seats."""
        return list(dict.fromkeys(entry.player for entry in self.section.entries))


def as_stored(
    number: int, event_id: str, section: Section, players: Mapping[str, PlayerFacts]
) -> StoredSection:
    """Return a section of a report as the book has it under a number of its store."""
    foreign = section.type is SectionType.FIDE
    fide = {
        player: facts.fide.rating for player, facts in players.items() if foreign and facts.fide is not None
    }
    place = place_of(section.end, event_id, section.number)
    return StoredSection(
        id=number, event_id=event_id, place=place, withdrawn=False, section=section, fide=fide
    )


class EventQuestion(NamedTuple):
    """Which events are wanted: those that meet every condition that is not empty, and come after the event of an id.

    *text* is an id, or parts of the name in any order. An event has one of the days from *since* to *until*, both
    included; it is *withdrawn* if all its sections are.
    """

    text: str = ""
    since: date | None = None
    until: date | None = None
    state: str = ""
    withdrawn: bool | None = None
    most: int = 50
    page: int = 1
    after: str = ""


def states_of_events(connection: Connection) -> list[str]:
    """Return the states in which there was an event, as the book has them."""
    return list(connection.execute(select(schema.events.c.state).distinct()).scalars())


def find_events(connection: Connection, question: EventQuestion) -> tuple[list[FoundEvent], int]:
    """Return a page of the events that *question* selects, the latest first, and how many there are."""
    events = schema.events
    begun, over = func.min(func.coalesce(sections.c.start, sections.c.end)), func.max(sections.c.end)
    in_force = func.sum(case((sections.c.withdrawn, 0), else_=1))
    matching = (
        select(events.c.id, events.c.name)
        .join_from(events, sections, sections.c.event_id == events.c.id)
        .group_by(events.c.id, events.c.name)
        .order_by(over.desc(), events.c.id.desc())
    )
    if question.since is not None:
        matching = matching.having(over >= question.since)
    if question.until is not None:
        matching = matching.having(begun <= question.until)
    if question.state:
        matching = matching.where(is_state(events.c.state, question.state))
    if question.withdrawn is not None:
        matching = matching.having(in_force == 0 if question.withdrawn else in_force > 0)
    if question.after:
        last = select(func.max(sections.c.end)).where(sections.c.event_id == question.after).scalar_subquery()
        matching = matching.having(tuple_(over, events.c.id) < tuple_(last, question.after))
    first = (question.page - 1) * question.most
    if question.text:
        parts = asked_parts(folded(question.text))
        ids = [
            event
            for event, name in connection.execute(
                matching.where(_may_match(connection, question.text, parts))
            )
            if event == question.text or all(part in folded(name) for part in parts)
        ]
        shown, total = ids[first : first + question.most], len(ids)
    else:
        shown = [row.id for row in connection.execute(matching.limit(question.most).offset(first))]
        counted = select(func.count()).select_from(matching.order_by(None).subquery())
        total = int(connection.execute(counted).scalar_one())
    players = select(func.count()).where(entries.c.section_id == sections.c.id).scalar_subquery()
    about = (
        select(
            events.c.id,
            events.c.name,
            begun.label("start"),
            over.label("end"),
            events.c.city,
            events.c.state,
            func.count().label("sections"),
            func.sum(players).label("players"),
            (in_force == 0).label("withdrawn"),
        )
        .join_from(events, sections, sections.c.event_id == events.c.id)
        .where(events.c.id.in_(shown))
        .group_by(events.c.id, events.c.name, events.c.city, events.c.state)
    )
    rows = {row.id: row for row in connection.execute(about)}
    return [_listed(rows[event]) for event in shown], total


def _may_match(connection: Connection, text: str, parts: Sequence[str]) -> ColumnElement[bool]:
    """Return the condition that an event has the id *text*, or a name that may have all *parts*.

    No store folds accents: a name with letters beyond ASCII is left to be compared outside of it.
    """
    name = schema.events.c.name
    named = and_(*(name.icontains(part, autoescape=True) for part in parts))
    accents = (
        name.bool_op("~")("[^ -~]")
        if connection.dialect.name == POSTGRESQL
        else name.bool_op("GLOB")("*[^ -~]*")
    )
    return or_(schema.events.c.id == text, named, accents)


def _listed(row: Row[tuple[Any, ...]]) -> FoundEvent:
    figures = {"players": int(row.players), "withdrawn": bool(row.withdrawn)}
    return FoundEvent(**row._asdict() | figures)


def known_events(connection: Connection, event_ids: Iterable[str]) -> dict[str, str]:
    """Return the names of those of some events that the book has."""
    known = select(schema.events.c.id, schema.events.c.name)
    return {row.id: row.name for row in rows_about(connection, known, schema.events.c.id, event_ids)}


def names_at_seats(
    connection: Connection, seats: Collection[tuple[str, int, int]]
) -> dict[tuple[str, int, int], str]:
    """Return the names that reports give to the players at some seats: of an event, its section and the seat."""
    if not seats:
        return {}
    sections, entries = schema.sections.c, schema.entries.c
    at = (sections.event_id, sections.number, entries.seat)
    known = select(*at, entries.name).join_from(schema.sections, schema.entries)
    rows = connection.execute(known.where(tuple_(*at).in_(seats)))
    return {(event, section, seat): name for event, section, seat, name in rows}


def write_event(connection: Connection, event: Event, submission: int, *, is_known: bool) -> None:
    """Write the header of an event, or change that of a *known* one to what a revision of its report says."""
    # Directors besides the chief and the like remain in the submission's report.
    header = {field: value for field, value in event._asdict().items() if field in schema.events.c}
    values = {**header, "submission_id": submission}
    note_linked(connection, Linked.EVENT, [event.id])
    if is_known:
        connection.execute(update(schema.events).where(schema.events.c.id == event.id).values(values))
        note_event_changed(connection, event.id)
    else:
        connection.execute(_NEW_EVENT, values)


_NEW_EVENT = insert(schema.events)


def write_section(
    connection: Connection, event_id: str, section: Section, players: Mapping[str, PlayerFacts]
) -> int:
    """Write a section with its entries and games, replacing what the book had under its number.

    *players* have names, and FIDE ratings of opponents, as the report gives them; their keys are member ids.
    """
    alone = NewSections(connection)
    replaced = section_numbers(connection, [event_id]).get((event_id, section.number))
    number = alone.add(event_id, section, players, replaced)
    alone.write()
    return number


class NewSections:
    """Sections whose entries and games are written together: a statement costs far more than a row of it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._numbers: list[int] = []
        self._entries: list[tuple[object, ...]] = []
        self._games: list[tuple[object, ...]] = []

    def add(
        self, event_id: str, section: Section, players: Mapping[str, PlayerFacts], replaced: int | None
    ) -> int:
        """Write a section, or what takes the place of the one *replaced*, and return its number in the store."""
        values = {
            **{name: getattr(section, name) for name in _SECTION_COLUMNS},
            "event_id": event_id,
            "place": place_of(section.end, event_id, section.number),
            "type": section.type.value,
            "withdrawn": False,
        }
        connection = self._connection
        if replaced is None:
            number = int(connection.execute(_NEW_SECTION, values).scalar_one())
        else:
            number = replaced
            connection.execute(update(sections).where(sections.c.id == number).values(values))
            connection.execute(delete(games).where(games.c.section_id == number))
            connection.execute(delete(entries).where(entries.c.section_id == number))
        self._numbers.append(number)
        foreign = section.type is SectionType.FIDE
        for seat, player, rounds, update_asked, request, *_ in section.entries:
            facts = players.get(player)
            fide = None if not foreign or facts is None or facts.fide is None else facts.fide.rating
            name = "" if facts is None else facts.name
            asked = None if request is None else request.value
            self._entries.append((number, seat, player, name, update_asked, asked, fide))
            self._games += [(number, seat, at, *cell) for at, cell in enumerate(rounds, start=1)]
        return number

    def write(self) -> None:
        """Write the entries and games that wait."""
        note_changed(self._connection, Changing.SECTION, self._numbers)
        note_linked(self._connection, Linked.SECTION, self._numbers)
        add_rows(self._connection, entries.name, _ENTRY_COLUMNS, self._entries)
        add_rows(self._connection, games.name, _GAME_COLUMNS, self._games)
        self._numbers, self._entries, self._games = [], [], []


_SECTION_COLUMNS = [name for name in Section._fields if name in sections.c]
_NEW_SECTION = insert(sections).returning(sections.c.id)
_ENTRY_COLUMNS = ("section_id", "seat", "member_id", "name", "update", "floor_request", "fide_rating")
_GAME_COLUMNS = ("section_id", "seat", "round", "result", "opponent", "colour")


def section_numbers(connection: Connection, event_ids: Iterable[str]) -> dict[tuple[str, int], int]:
    """Return the store's numbers of all sections of some events, by event and number."""
    columns = select(sections.c.event_id, sections.c.number, sections.c.id)
    rows = rows_about(connection, columns, sections.c.event_id, event_ids)
    return {(event_id, number): section for event_id, number, section in rows}


def set_withdrawn(connection: Connection, section: int, *, withdrawn: bool) -> None:
    """Say whether a section is withdrawn: it is kept, and rated no longer."""
    note_changed(connection, Changing.SECTION, [section])
    note_linked(connection, Linked.SECTION, [section])
    connection.execute(update(sections).where(sections.c.id == section).values(withdrawn=withdrawn))


def seated_later(connection: Connection, ids: Iterable[str], place: str) -> dict[str, str]:
    """Return the last seats after *place* of the members among *ids* who have one: what is read of them may change.

    A seat, by the place of its section, is enough. Who reported no game has no row in the ledger, but an opponent's
    report may name the player.
    """
    later: dict[str, str] = {}
    if connection.execute(_ANY_LATER, {"place": place}).first() is None:
        return later
    for batch in batches(ids):
        holder = owners_of(connection, batch)
        seated = connection.execute(_SEATED_LATER, {"ids": list(holder), "place": place})
        for member, last in seated:
            later[holder[member]] = max(last, later.get(holder[member], ""))
    return later


_IDS: BindParameter[list[Any]] = bindparam("ids", expanding=True)
_ANY_LATER = select(sections.c.id).where(sections.c.place > bindparam("place")).limit(1)
_SEATED_LATER = (
    select(entries.c.member_id, func.max(sections.c.place))
    .join(sections, sections.c.id == entries.c.section_id)
    # Opponents in foreign FIDE events are no members, and nothing that the book knows of them changes.
    .join(schema.members, schema.members.c.id == entries.c.member_id)
    .where(entries.c.member_id.in_(_IDS), sections.c.place > bindparam("place"))
    .group_by(entries.c.member_id)
)


def as_kept(section: Section) -> Section:
    """Return a section of a report with what the book keeps of it, and nothing else."""
    values = {name: getattr(section, name) for name in _SECTION_COLUMNS}
    entries_kept = (entry if entry.rank is None else entry._replace(rank=None) for entry in section.entries)
    return Section(**values, entries=tuple(entries_kept))


def read_event(connection: Connection, event_id: str) -> Event | None:
    """Return the header of an event."""
    return next((Event(**row._asdict()) for row in _EVENT.rows(connection, event=event_id)), None)


_EVENT = PreparedQuery(
    select(*(column for column in schema.events.c if column.name in Event._fields)).where(
        schema.events.c.id == bindparam("event")
    )
)


def read_sections(connection: Connection, *, since: str = "", event_id: str = "") -> Iterator[StoredSection]:
    """Yield the sections from the place *since* on, of one event or of all, in the order of history.

    They are read in batches, so that memory does not grow with the book.
    """
    wanted = _SECTIONS_IN_ORDER.where(sections.c.event_id == event_id) if event_id else _SECTIONS_IN_ORDER
    rows = connection.execute(wanted.where(sections.c.place >= since)).all()
    while rows:
        yield from _filled(connection, rows)
        if len(rows) < SECTIONS_AT_ONCE:
            return
        rows = connection.execute(wanted.where(sections.c.place > rows[-1].place)).all()


def section_parts(
    connection: Connection, chosen: Collection[int] | None = None
) -> Iterator[list[StoredSection]]:
    """Yield sections in the order of history, some hundred at a time: all, or those *chosen* by their numbers.

    History goes on from each section of a part to the next one, with none between them.
    """
    if chosen is None:
        history = read_sections(connection)
        while part := list(islice(history, SECTIONS_AT_ONCE)):
            yield part
        return
    numbers = connection.execute(select(sections.c.id).order_by(sections.c.place)).scalars().all()
    for is_chosen, run in groupby(numbers, chosen.__contains__):
        while is_chosen and (part_numbers := list(islice(run, SECTIONS_AT_ONCE))):
            rows = connection.execute(_SECTIONS_IN_ORDER.where(sections.c.id.in_(part_numbers))).all()
            yield list(_filled(connection, rows))


def misplaced_games(connection: Connection, chosen: Collection[int] | None = None) -> set[int]:
    """Return the store's numbers of the sections with games that no player has, or whose rounds are not 1, 2, 3, ….

    Only those *chosen* are looked at, if any are.
    """
    if chosen is None:
        return set(connection.execute(_MISPLACED_GAMES).scalars())
    return {row[0] for row in rows_about(connection, _MISPLACED_GAMES, games.c.section_id, chosen)}


def seat_names(connection: Connection, section_ids: Iterable[int]) -> dict[int, dict[int, str]]:
    """Return the names in some sections as they were reported, by section and seat."""
    names: dict[int, dict[int, str]] = defaultdict(dict)
    columns = select(entries.c.section_id, entries.c.seat, entries.c.name)
    for section, seat, name in rows_about(connection, columns, entries.c.section_id, section_ids):
        names[section][seat] = name
    return names


def list_sections(connection: Connection, event_id: str) -> tuple[EventSection, ...]:
    """Return the sections of an event by their numbers."""
    rows = _SECTIONS_OF_EVENT.rows(connection, event=event_id)
    systems = systems_of(connection, [row.id for row in rows])
    return tuple(
        EventSection(
            number=row.number,
            name=row.name,
            end=row.end,
            time_control=row.time_control or "",
            type=row.type,
            systems=systems[row.id],
            players=row.players,
            withdrawn=row.withdrawn,
        )
        for row in rows
    )


_PLAYERS = select(func.count()).where(entries.c.section_id == sections.c.id).scalar_subquery()
_SECTIONS_OF_EVENT = PreparedQuery(
    select(sections, _PLAYERS.label("players"))
    .where(sections.c.event_id == bindparam("event"))
    .order_by(sections.c.number)
)


def count_sections(connection: Connection, since: str = "") -> int:
    """Return how many sections there are from the place *since* on."""
    counted = select(func.count()).select_from(sections).where(sections.c.place >= since)
    return int(connection.execute(counted).scalar_one())


def _filled(connection: Connection, rows: Sequence[Row[tuple[object, ...]]]) -> Iterator[StoredSection]:
    ids = [row.id for row in rows]
    # Few cells differ: each is made once.
    made_cells: dict[tuple[str, int | None, str], Cell] = {}
    cells: dict[tuple[int, int], list[Cell]] = defaultdict(list)
    for section_id, seat, result, opponent, colour in connection.execute(_GAMES_OF, {"ids": ids}).all():
        key = (result, opponent, colour)
        cell = made_cells.get(key)
        if cell is None:
            cell = made_cells[key] = Cell(*key)
        cells[section_id, seat].append(cell)
    seats: dict[int, list[Entry]] = defaultdict(list)
    fide: dict[int, dict[str, float]] = defaultdict(dict)
    for seated in connection.execute(_ENTRIES_OF, {"ids": ids}).all():
        section_id, seat, member, update_asked, floor_request, fide_rating, merged_into = seated
        player = merged_into or member
        request = FloorRequest(floor_request) if floor_request else None
        seats[section_id].append(Entry(seat, player, tuple(cells[section_id, seat]), update_asked, request))
        if fide_rating is not None:
            fide[section_id][player] = fide_rating
    for row in rows:
        values = {name: getattr(row, name) for name in _SECTION_COLUMNS} | {"type": SectionType(row.type)}
        section = Section(**values, entries=tuple(seats[row.id]))
        yield StoredSection(
            id=row.id,
            event_id=row.event_id,
            place=row.place,
            withdrawn=row.withdrawn,
            section=section,
            fide=fide[row.id],
        )


_CANONICAL = schema.members.alias()
_SECTIONS_IN_ORDER = select(sections).order_by(sections.c.place).limit(SECTIONS_AT_ONCE)
_GAMES_OF = (
    select(games.c.section_id, games.c.seat, games.c.result, games.c.opponent, games.c.colour)
    .where(games.c.section_id.in_(_IDS))
    .order_by(games.c.section_id, games.c.seat, games.c.round)
)
_MISPLACED_GAMES = (
    select(games.c.section_id)
    .outerjoin(entries, and_(entries.c.section_id == games.c.section_id, entries.c.seat == games.c.seat))
    .group_by(games.c.section_id, games.c.seat)
    .having(
        or_(
            func.min(games.c.round) != 1,
            func.max(games.c.round) != func.count(),
            func.count(entries.c.seat) != func.count(),
        )
    )
)
_ENTRIES_OF = (
    select(*[*(entries.c[name] for name in _ENTRY_COLUMNS if name != "name"), _CANONICAL.c.merged_into])
    .outerjoin(_CANONICAL, _CANONICAL.c.id == entries.c.member_id)
    .where(entries.c.section_id.in_(_IDS))
    .order_by(entries.c.section_id, entries.c.seat)
)
