"""Rated events as the office sees them: every id, result and fact of a section leads to the form that corrects it."""

from collections.abc import Callable
from typing import NamedTuple

from litestar import Response
from litestar.params import FromPath, FromQuery

from ratebook.book.connection import Connection
from ratebook.book.events import EventQuestion, StoredSection, read_event, read_sections, seat_names
from ratebook.book.failures import refused
from ratebook.findings import Place
from ratebook.model import Event, System
from ratebook.pages.columns import Column, Columns, counted, rounds_of
from ratebook.pages.crosstable import after_text, before_text, cell_text, change_text, points_of
from ratebook.pages.event import event_page, section_tables
from ratebook.records.events import Crosstable, CrosstableLine, EventSection, FoundEvent
from ratebook.records.system_titles import SYSTEM_TITLES
from ratebook.web.forms.context import TheContext
from ratebook.web.layout.choices import MenuItem, system_choice
from ratebook.web.layout.tables import HtmlTable, Look, crosstable_looks, html_table
from ratebook.web.layout.words import day_words, in_title_case, person_name, place_words
from ratebook.web.office import links
from ratebook.web.public.events import FOUND, events_found
from ratebook.web.routing import Needs, PageNumber, shown_to

LISTED: Columns[FoundEvent] = (
    *FOUND[:-1],
    Column("Sections", "sections", "right"),
    FOUND[-1],
    Column("State", lambda event: "withdrawn" if event.withdrawn else ""),
)


class CorrectableSection(NamedTuple):
    """A section of the book beside its crosstable, and where each of its facts is corrected."""

    stored: StoredSection
    systems: tuple[MenuItem, ...]
    table: HtmlTable
    dates: str
    time_control: str
    withdraw: str


@shown_to(Needs.OFFICE, links.EVENTS)
def rated_events(context: TheContext, name: FromQuery[str] = "", number: PageNumber = 1) -> Response[bytes]:
    """Show the rated events, the latest first, or those of a name or an id."""
    question = EventQuestion(" ".join(name.split()), page=number)
    with context.site.reading() as reader:
        events, total, meant = events_found(reader.connection, question)
    return context.page(
        "office/events/events.html",
        asked=question,
        meant=meant,
        more=total > number * question.most,
        table=html_table(
            counted(total, "event", "events"),
            LISTED,
            events,
            {"Event": lambda event: links.EVENT(event.id)},
            under={
                "Event": lambda event: " · ".join(
                    filter(None, (place_words(event.city, event.state), event.id))
                )
            },
            narrow={"Event": lambda event: day_words(event.end)},
            looks={"State": lambda text: Look.CAUTION if text else Look.PLAIN},
            wide=("Date", "Sections"),
        ),
    )


@shown_to(Needs.OFFICE, links.EVENT)
def rated_event(
    context: TheContext, event: FromPath[str], system: FromQuery[System | None] = None
) -> Response[bytes]:
    """Show an event with the crosstable of its first section."""
    return _page(context, event, None, system)


@shown_to(Needs.OFFICE, links.SECTION)
def rated_section(
    context: TheContext, event: FromPath[str], number: FromPath[int], system: FromQuery[System | None] = None
) -> Response[bytes]:
    """Show an event with the crosstable of a section."""
    return _page(context, event, number, system)


def _page(context: TheContext, event_id: str, number: int | None, system: System | None) -> Response[bytes]:
    with context.site.reading() as reader:
        event = event_page(reader.connection, event_id)
        chosen = event.sections[0].number if number is None else number
        if all(section.number != chosen for section in event.sections):
            raise refused("event-unknown.section-not-rated", Place(event=event_id, section=chosen))
        stored = read_event(reader.connection, event_id)
        crosstables = section_tables(reader.connection, reader.federation, event_id, chosen)
        section = _section(reader.connection, event_id, chosen, crosstables, system)
    return context.page(
        "office/events/event.html",
        event=event,
        section=section,
        sections=[_choice(event_id, each, chosen) for each in event.sections]
        if len(event.sections) > 1
        else (),
        correct=links.of_event(stored or Event(), event_id),
        withdraw_all=links.CORRECTION("withdraw", event=event_id) if len(event.sections) > 1 else "",
        is_public=context.site.has_public,
    )


def _choice(event_id: str, section: EventSection, chosen: int) -> MenuItem:
    title = in_title_case(section.name) or f"Section {section.number}"
    return MenuItem(title, links.SECTION(event_id, section.number), section.number == chosen)


def _section(
    connection: Connection, event_id: str, number: int, crosstables: list[Crosstable], system: System | None
) -> CorrectableSection:
    stored = next(
        section
        for section in read_sections(connection, event_id=event_id)
        if section.section.number == number
    )
    shown = next((each for each in crosstables if each.system is system), next(iter(crosstables), None))
    section = stored.section
    at = {"event": event_id, "section": number}
    lines = (
        shown.lines
        if shown is not None
        else _unrated_lines(stored, seat_names(connection, [stored.id])[stored.id])
    )
    return CorrectableSection(
        stored=stored,
        systems=system_choice(crosstables, shown),
        table=_table(event_id, number, shown, lines),
        dates=links.CORRECTION("dates", **at, start=section.start, end=section.end),
        time_control=links.CORRECTION("time-control", **at, time_control=section.time_control or None),
        withdraw="" if stored.withdrawn else links.CORRECTION("withdraw", **at),
    )


def _unrated_lines(stored: StoredSection, names: dict[int, str]) -> tuple[CrosstableLine, ...]:
    """Return the lines of a section that no system rates: whatever keeps it from being rated may be corrected."""
    return tuple(
        CrosstableLine(
            system=System.REGULAR,
            seat=entry.seat,
            player=entry.player,
            name=names.get(entry.seat, ""),
            before=None,
            after=None,
            points=points_of(entry),
            rounds=tuple(map(cell_text, entry.rounds)),
        )
        for entry in stored.section.entries
    )


def _table(
    event_id: str, number: int, shown: Crosstable | None, lines: tuple[CrosstableLine, ...]
) -> HtmlTable:
    """Return a section whose ids, results and changes lead to where each is corrected or explained."""
    rounds = rounds_of(lines, lambda line: line.rounds)

    def of_result(at: int) -> Callable[[CrosstableLine], str]:
        def address(line: CrosstableLine) -> str:
            letter = line.rounds[at][:1] if at < len(line.rounds) else None
            return links.CORRECTION(
                "result", event=event_id, section=number, seat=line.seat, number=at + 1, result=letter
            )

        return address

    rated: Columns[CrosstableLine] = (
        Column("Before", before_text, "right"),
        Column("After", after_text, "right"),
        Column("Change", change_text, "right"),
    )
    columns: Columns[CrosstableLine] = (
        Column("Seat", "seat", "right"),
        Column("Player", lambda line: person_name(line.name)),
        Column("ID", "player"),
        *rounds,
        Column("Points", "points", "right"),
        *(rated if shown is not None else ()),
    )
    lead: dict[str, Callable[[CrosstableLine], str]] = {
        "Player": lambda line: links.MEMBER(line.player),
        "ID": lambda line: links.CORRECTION("member", event=event_id, section=number, seat=line.seat),
        **{column.title: of_result(at) for at, column in enumerate(rounds)},
    }
    if shown is not None:
        of = shown.system
        lead["After"] = lambda line: links.WHY(line.player, event_id, number, system=of)
    return html_table(
        f"Crosstable, {SYSTEM_TITLES[shown.system]}" if shown is not None else "Crosstable, not rated",
        columns,
        lines,
        lead,
        heads="Player",
        narrow={"After": change_text} if shown is not None else None,
        looks=crosstable_looks(columns),
        wide=("Before", "Change"),
    )
