"""Events in the shape of the ratings API of US Chess, at its addresses: a program written for that changes the host.

Source: docs/formats/ratings-api.md.
"""

from datetime import date
from typing import Annotated

from litestar import Response
from litestar.params import FromPath, QueryParameter
from msgspec import Struct

from ratebook.book.events import read_event, read_sections
from ratebook.book.facts.members import load_members
from ratebook.book.failures import refused
from ratebook.findings import Place
from ratebook.formats.ratings_api.read import FORMATS
from ratebook.formats.ratings_api.standings import COLOURS, LETTERS
from ratebook.formats.reading.printed_table import SYSTEM_OF_LABEL
from ratebook.model import Cell, Entry, Section, SectionType
from ratebook.pages.event import section_tables
from ratebook.records.events import Crosstable, CrosstableLine
from ratebook.web.api.answers import MOST_ITEMS, json_answer
from ratebook.web.api.routing import resource
from ratebook.web.site import TheSite

OUTCOMES = {letter: name for name, letter in LETTERS.items() if name != "ReportNoResult"}
NAMES_OF_COLOURS = {letter: name for name, letter in COLOURS.items() if name}
LABELS = {system: label for label, system in SYSTEM_OF_LABEL.items()}
TYPES = {kind: name for name, kind in reversed(FORMATS.items())}
DUAL = "D"
UNRATED = "U"


class ApiRating(Struct, rename="camel", frozen=True):
    """A rating before and after a section; no decimals, which are not public here."""

    rating_system: str
    pre_rating: int | None
    post_rating: int | None
    post_provisional_game_count: float | None


class ApiOutcome(Struct, rename="camel", frozen=True):
    """A round of a player."""

    round_number: int
    outcome: str
    color: str
    opponent_ordinal: int | None
    opponent_pairing_number: int | None
    opponent_member_id: str | None


class ApiStanding(Struct, rename="camel", frozen=True):
    """A player of a section."""

    ordinal: int
    pairing_number: int
    member_id: str
    first_name: str
    last_name: str
    state_rep: str
    score: float
    round_outcomes: list[ApiOutcome]
    ratings: list[ApiRating]


class ApiStandings(Struct, rename="camel", frozen=True):
    """Some players of a section."""

    items: list[ApiStanding]
    offset: int
    page_size: int
    has_previous_page: bool
    has_next_page: bool


class ApiSection(Struct, rename="camel", frozen=True):
    """A section; *ratingSystem* is D for one that counts in two systems."""

    number: int
    name: str
    player_count: int
    round_count: int
    start_date: date | None
    end_date: date
    format: str
    time_control: str | None
    rating_system: str
    is_online: bool


class ApiEvent(Struct, rename="camel", frozen=True):
    """An event with its sections."""

    id: str
    name: str
    start_date: date | None
    end_date: date | None
    city: str
    state_code: str
    country_code: str
    affiliate: str
    section_count: int
    player_count: int
    sections: list[ApiSection]


@resource("/rated-events/{event_id:str}")
def rated_event(site: TheSite, event_id: FromPath[str]) -> Response[ApiEvent]:
    """An event, as the ratings API of US Chess gives it."""
    with site.reading() as reader:
        tables = section_tables(reader.connection, reader.federation, event_id)
        event = read_event(reader.connection, event_id)
        stored = [each.section for each in read_sections(reader.connection, event_id=event_id)]
    assert event is not None  # noqa: S101 - its tables were read
    sections = [
        _section(section, [table for table in tables if table.section == section.number])
        for section in stored
    ]
    return json_answer(
        ApiEvent(
            id=event.id,
            name=event.name,
            start_date=event.start,
            end_date=event.end,
            city=event.city,
            state_code=event.state,
            country_code=event.country,
            affiliate=event.affiliate,
            section_count=len(sections),
            player_count=len({entry.player for section in stored for entry in section.entries}),
            sections=sections,
        )
    )


@resource("/rated-events/{event_id:str}/sections/{number:int}/standings")
def rated_standings(
    site: TheSite,
    event_id: FromPath[str],
    number: FromPath[int],
    offset: Annotated[int, QueryParameter(name="Offset", ge=0, le=10_000)] = 0,
    size: Annotated[int, QueryParameter(name="Size", ge=1, le=MOST_ITEMS)] = MOST_ITEMS,
) -> Response[ApiStandings]:
    """The standings of a section, as the ratings API of US Chess gives them."""
    with site.reading() as reader:
        tables = section_tables(reader.connection, reader.federation, event_id, number)
        stored = read_sections(reader.connection, event_id=event_id)
        section = next((each.section for each in stored if each.section.number == number), None)
        if section is None:
            raise refused("event-unknown.section-not-rated", Place(event=event_id, section=number))
        people = load_members(reader.connection, [entry.player for entry in section.entries])
    states = {player: member.facts.state for player, member in people.items()}
    players = _standings(section, tables, states)
    part = players[offset : offset + size]
    return json_answer(ApiStandings(part, offset, size, offset > 0, offset + size < len(players)))


def _section(section: Section, tables: list[Crosstable]) -> ApiSection:
    systems = [table.system for table in tables]
    label = DUAL if len(systems) > 1 else LABELS[systems[0]] if systems else UNRATED
    return ApiSection(
        number=section.number,
        name=section.name,
        player_count=len(section.entries),
        round_count=max((len(entry.rounds) for entry in section.entries), default=0),
        start_date=section.start,
        end_date=section.end,
        format=TYPES.get(section.type, TYPES[SectionType.OTHER]),
        time_control=section.time_control,
        rating_system=label,
        is_online=section.online,
    )


def _standings(section: Section, tables: list[Crosstable], states: dict[str, str]) -> list[ApiStanding]:
    """Return the players in the order of points, as the first table has them, each with all ratings."""
    by_seat = {entry.seat: entry for entry in section.entries}
    ordinals = {line.seat: at for at, line in enumerate(tables[0].lines, start=1)} if tables else {}
    lines = {(table.system, line.seat): line for table in tables for line in table.lines}
    players = []
    for seat, ordinal in ordinals.items():
        entry, line = by_seat[seat], lines[tables[0].system, seat]
        last, _, first = line.name.partition(",")
        players.append(
            ApiStanding(
                ordinal=ordinal,
                pairing_number=seat,
                member_id=entry.player,
                first_name=first.strip(),
                last_name=last.strip(),
                state_rep=states.get(entry.player, ""),
                score=line.points,
                round_outcomes=[
                    _outcome(at, cell, ordinals, by_seat)
                    for at, cell in enumerate(entry.rounds, start=1)
                    if cell.letter
                ],
                ratings=[_rating(lines[table.system, seat]) for table in tables],
            )
        )
    return players


def _rating(line: CrosstableLine) -> ApiRating:
    return ApiRating(
        rating_system=LABELS[line.system],
        pre_rating=None if line.before is None else line.before.rating,
        post_rating=None if line.after is None else line.after.rating,
        post_provisional_game_count=None if line.after is None else line.after.provisional_games,
    )


def _outcome(at: int, cell: Cell, ordinals: dict[int, int], by_seat: dict[int, Entry]) -> ApiOutcome:
    opponent = cell.opponent
    return ApiOutcome(
        round_number=at,
        outcome=OUTCOMES[cell.letter],
        color=NAMES_OF_COLOURS.get(cell.colour, NAMES_OF_COLOURS[""]),
        opponent_ordinal=None if opponent is None else ordinals.get(opponent),
        opponent_pairing_number=opponent,
        opponent_member_id=None if opponent is None else by_seat[opponent].player,
    )
