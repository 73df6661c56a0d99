"""Events, the crosstables of their sections, and what was changed in them after they were rated."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from textwrap import shorten
from typing import Annotated, NamedTuple

from litestar import Response
from litestar.params import FromPath, FromQuery, QueryParameter

from ratebook.book import schema
from ratebook.book.connection import Connection
from ratebook.book.events import EventQuestion, find_events, states_of_events
from ratebook.book.facts.near_members import near_words
from ratebook.book.facts.states import state_code, state_names
from ratebook.book.ledger.changes import first_rated
from ratebook.model import SectionType, System
from ratebook.pages.changes import EVENT_DECISIONS, EVENT_RERATINGS, because_text, event_changes
from ratebook.pages.columns import Column, Columns, counted, event_title, rounds_of
from ratebook.pages.crosstable import after_text, before_text, change_text
from ratebook.pages.event import TYPE_TITLES, event_page, section_tables
from ratebook.records.events import (
    Crosstable,
    CrosstableLine,
    EventChanges,
    EventRerating,
    EventSection,
    FoundEvent,
)
from ratebook.records.players import PublicCause
from ratebook.records.system_titles import SYSTEM_TITLES
from ratebook.web.layout.choices import MenuItem, system_choice
from ratebook.web.layout.tables import HtmlTable, Look, crosstable_looks, html_table
from ratebook.web.layout.words import day_words, in_title_case, person_name, place_words
from ratebook.web.public.links import EVENT_CHANGES_PAGE, EVENT_PAGE, PLAYER_PAGE, SECTION_PAGE, WHY_PAGE
from ratebook.web.rendering import page
from ratebook.web.routing import PageNumber, public
from ratebook.web.site import Site, TheSite

MOST_CHANGES = 100
LONGEST_CONTROL = 40
"""A schedule by round has hundreds of characters."""


FOUND: Columns[FoundEvent] = (
    Column("Date", "end"),
    Column("Event", lambda event: in_title_case(event_title(event.name, event.end))),
    Column("Players", "players", "right"),
)
RATED_SECTIONS: Columns[EventSection] = (
    Column("Section", lambda section: in_title_case(section.name) or f"Section {section.number}"),
    Column("Systems", lambda section: ", ".join(SYSTEM_TITLES[system] for system in section.systems)),
    Column("Players", "players", "right"),
    Column("Note", lambda section: "withdrawn" if section.withdrawn else ""),
)


@public("/events")
def events(
    site: TheSite,
    name: FromQuery[str] = "",
    since: Annotated[date | None, QueryParameter(name="from")] = None,
    until: Annotated[date | None, QueryParameter(name="to")] = None,
    home: Annotated[str, QueryParameter(name="state", max_length=30)] = "",
    number: PageNumber = 1,
) -> Response[bytes]:
    """Show the events, the latest first, or those found by name, days and state."""
    question = EventQuestion(
        " ".join(name.split()), since, until, state_code(home), withdrawn=False, page=number
    )
    with site.reading() as reader:
        events, total, meant = events_found(reader.connection, question)
        states = state_names(question.state, *states_of_events(reader.connection))
    table = html_table(
        counted(total, "event", "events"),
        FOUND,
        events,
        {"Event": lambda event: EVENT_PAGE(event.id)},
        under={"Event": _place_and_sections},
        narrow={"Event": lambda event: day_words(event.end)},
        wide=("Date",),
    )
    return page(
        "public/events.html",
        reader.face,
        asked=question,
        state=question.state,
        states=states,
        meant=meant,
        table=table,
        more=total > number * question.most,
    )


def events_found(connection: Connection, question: EventQuestion) -> tuple[list[FoundEvent], int, str]:
    """Return what `find_events` does, and the words that were meant where only these found anything."""
    events, total = find_events(connection, question)
    meant = "" if total or not question.text else near_words(connection, question.text, schema.events.c.name)
    return (*find_events(connection, question._replace(text=meant)), meant) if meant else (events, total, "")


def _place_and_sections(event: FoundEvent) -> str:
    return " · ".join(
        filter(None, (place_words(event.city, event.state), counted(event.sections, "section")))
    )


@public(EVENT_PAGE)
def event(site: TheSite, event_id: FromPath[str], system: FromQuery[System | None] = None) -> Response[bytes]:
    """Show an event with its sections; if there is only one, with its crosstable."""
    return _page(site, event_id, None, system)


@public(SECTION_PAGE)
def section(
    site: TheSite, event_id: FromPath[str], number: FromPath[int], system: FromQuery[System | None] = None
) -> Response[bytes]:
    """Show the crosstable of a section in a system that rates it."""
    return _page(site, event_id, number, system)


def _page(site: Site, event_id: str, number: int | None, system: System | None) -> Response[bytes]:
    with site.reading() as reader:
        event = event_page(reader.connection, event_id)
        if number is None and len(event.sections) == 1:
            number = event.sections[0].number
        crosstables = (
            [] if number is None else section_tables(reader.connection, reader.federation, event_id, number)
        )
        first = first_rated(reader.connection, event_id)
        changes = event_changes(reader.connection, event_id, most=MOST_CHANGES)
    table = html_table(
        counted(len(event.sections), "section"),
        RATED_SECTIONS,
        event.sections,
        {"Section": lambda section: SECTION_PAGE(event_id, section.number)},
        under={"Section": section_words},
        looks={"Note": lambda _: Look.CAUTION},
    )
    return page(
        "public/event.html",
        reader.face,
        event=event,
        table=table,
        section=next((section for section in event.sections if section.number == number), None),
        section_words=section_words,
        crosstable=_chosen(crosstables, system),
        rated=status_words(first, changes, number),
        is_changed=bool(changes.decisions or changes.reratings or changes.waits),
    )


def status_words(rated: Mapping[int, str], changes: EventChanges, number: int | None) -> tuple[str, ...]:
    """Return when an event, or the section of a *number*, was rated and last re-rated, and whether that is pending."""
    first = [moment for section, moment in rated.items() if number in {None, section}]
    again = [moved.day for moved in changes.reratings if number in {None, moved.section}]
    return (
        *([f"Rated {day_words(min(first))}"] if first else []),
        *([f"Re-rated {day_words(max(again))}"] if again else []),
        *(["Re-rating pending"] if changes.waits else []),
    )


def section_words(section: EventSection) -> str:
    """Return what kind of section it is, in words."""
    control = shorten(section.time_control, LONGEST_CONTROL, placeholder=" …")
    return " · ".join(
        part for part in (TYPE_TITLES[SectionType(section.type)], control, day_words(section.end)) if part
    )


class ChosenCrosstable(NamedTuple):
    """The crosstable of a section in one of the systems that rate it, and the choice between these."""

    system: System
    systems: tuple[MenuItem, ...]
    table: HtmlTable


def _chosen(crosstables: Sequence[Crosstable], system: System | None) -> ChosenCrosstable | None:
    """Return the crosstable of a system, or of the first that rates a section; None where none does."""
    if not crosstables:
        return None
    chosen = next((each for each in crosstables if each.system is system), crosstables[0])
    return ChosenCrosstable(chosen.system, system_choice(crosstables, chosen), public_table(chosen))


def public_table(crosstable: Crosstable) -> HtmlTable:
    """Return a crosstable whose results lead to the opponents, and whose changes lead to why."""
    players = {line.seat: line.player for line in crosstable.lines}
    rounds = rounds_of(crosstable.lines, lambda line: line.rounds)

    def opponent_of(number: int) -> Callable[[CrosstableLine], str]:
        def address(line: CrosstableLine) -> str:
            seat = line.rounds[number][1:] if number < len(line.rounds) else ""
            return PLAYER_PAGE(players[int(seat)]) if seat.isdecimal() and int(seat) in players else ""

        return address

    def why(line: CrosstableLine) -> str:
        return WHY_PAGE(line.player, crosstable.event, crosstable.section, system=crosstable.system)

    columns: Columns[CrosstableLine] = (
        Column("No.", "seat", "right"),
        Column("Player", lambda line: person_name(line.name)),
        Column("Points", "points", "right"),
        Column("Before", before_text, "right"),
        Column("After", after_text, "right"),
        Column("Change", change_text, "right"),
        *rounds,
        Column("Expected", "expected", "right", ".2f"),
        Column("Performance", "performance", "right"),
        Column("Why", lambda line: "Why?" if line.after is not None else ""),
    )
    return html_table(
        f"Crosstable, {SYSTEM_TITLES[crosstable.system]}",
        columns,
        crosstable.lines,
        {
            "Player": lambda line: PLAYER_PAGE(line.player),
            "Why": why,
            **{f"R{number + 1}": opponent_of(number) for number in range(len(rounds))},
        },
        under={"Player": lambda line: line.player},
        narrow={"After": change_text},
        looks=crosstable_looks(columns),
        wide=("Expected", "Performance", "Before", "Change"),
    )


@public(EVENT_CHANGES_PAGE)
def changes_of_event(site: TheSite, event_id: FromPath[str]) -> Response[bytes]:
    """Show what was decided about an event since it was rated, and what re-ratings changed in it."""
    with site.reading() as reader:
        header = event_page(reader.connection, event_id)
        changes = event_changes(reader.connection, event_id, most=MOST_CHANGES)
    reratings = html_table(
        "Ratings that moved",
        EVENT_RERATINGS,
        changes.reratings,
        {
            "Section": lambda rerating: SECTION_PAGE(event_id, rerating.section),
            "Because": lambda rerating: corrected_event(rerating.because),
        },
        heads="What moved",
        narrow={"What moved": _where_and_why},
        wide=("Section", "System", "Because"),
    )
    decisions = html_table(
        "Decisions",
        EVENT_DECISIONS,
        changes.decisions,
        {
            "Section": lambda decision: (
                "" if decision.section is None else SECTION_PAGE(event_id, decision.section)
            )
        },
        heads="Decision",
    )
    return page(
        "public/event_changes.html",
        reader.face,
        event=header,
        decisions=decisions,
        reratings=reratings,
        waits=changes.waits,
    )


def _where_and_why(rerating: EventRerating) -> str:
    return f"Section {rerating.section}, {SYSTEM_TITLES[rerating.system]}: {because_text(rerating)}"


def corrected_event(because: tuple[PublicCause, ...]) -> str:
    """Return the page of the event that was corrected, where it is one."""
    events = {one.event for one in because if one.event is not None}
    return EVENT_CHANGES_PAGE(events.pop()) if len(events) == 1 else ""
