"""Events, the crosstables of their sections, and what was changed in them after they were rated."""

from datetime import date
from typing import Annotated

from litestar import Response
from litestar.params import FromPath, FromQuery, QueryParameter

from ratebook.book.events import EventQuestion, find_events
from ratebook.pages.changes import EVENT_DECISIONS, EVENT_RERATINGS, event_changes
from ratebook.pages.columns import counted, id_last
from ratebook.pages.crosstable import SYSTEM_TITLES
from ratebook.pages.event import EVENTS, SECTIONS, event_page, result_columns, section_tables
from ratebook.records.events import Crosstable
from ratebook.records.players import PublicCause
from ratebook.web.layout.tables import HtmlTable, html_table
from ratebook.web.public.links import EVENT_CHANGES_PAGE, EVENT_PAGE, PLAYER_PAGE, SECTION_PAGE
from ratebook.web.rendering import page
from ratebook.web.routing import PageNumber, public
from ratebook.web.site import TheSite

MOST_CHANGES = 100


@public("/events")
def events(
    site: TheSite,
    name: FromQuery[str] = "",
    since: Annotated[date | None, QueryParameter(name="from")] = None,
    until: Annotated[date | None, QueryParameter(name="to")] = None,
    home: Annotated[str, QueryParameter(name="state", max_length=20)] = "",
    number: PageNumber = 1,
) -> Response[bytes]:
    """Show the events, the latest first, or those that are asked for by name, days and state."""
    question = EventQuestion(" ".join(name.split()), since, until, home, withdrawn=False, page=number)
    with site.reading() as reader:
        events, total = find_events(reader.connection, question)
    table = html_table(
        counted(total, "event", "events"),
        (*EVENTS[1:], EVENTS[0]),
        events,
        {"Name": lambda one: EVENT_PAGE(one.id)},
    )
    return page(
        "public/events.html", reader.face, asked=question, table=table, more=total > number * question.most
    )


@public(EVENT_PAGE)
def event(site: TheSite, event_id: FromPath[str]) -> Response[bytes]:
    """Show an event with its sections; the only one with its crosstables."""
    with site.reading() as reader:
        event = event_page(reader.connection, event_id)
        alone = len(event.sections) == 1
        crosstables = section_tables(reader.connection, reader.federation, event_id) if alone else []
    table = html_table(
        "Sections", SECTIONS, event.sections, {"Name": lambda one: SECTION_PAGE(event_id, one.number)}
    )
    return page(
        "public/event.html", reader.face, event=event, table=table, crosstables=_crosstables(crosstables)
    )


@public(SECTION_PAGE)
def section(site: TheSite, event_id: FromPath[str], number: FromPath[int]) -> Response[bytes]:
    """Show the crosstables of a section: one for each system that rates it."""
    with site.reading() as reader:
        crosstables = section_tables(reader.connection, reader.federation, event_id, number)
        header = event_page(reader.connection, event_id)
    return page(
        "public/section.html", reader.face, event=header, tables=_crosstables(crosstables), number=number
    )


def _crosstables(crosstables: list[Crosstable]) -> list[HtmlTable]:
    return [
        html_table(
            f"Crosstable, {SYSTEM_TITLES[crosstable.system]}",
            id_last(result_columns(crosstable.lines)),
            crosstable.lines,
            {"Name": lambda line: PLAYER_PAGE(line.player)},
        )
        for crosstable in crosstables
    ]


@public(EVENT_CHANGES_PAGE)
def changes_of_event(site: TheSite, event_id: FromPath[str]) -> Response[bytes]:
    """Show what was decided about an event since it was rated, and what re-ratings changed in it."""
    with site.reading() as reader:
        header = event_page(reader.connection, event_id)
        changes = event_changes(reader.connection, event_id, most=MOST_CHANGES)
    reratings = html_table(
        "Rated again",
        EVENT_RERATINGS,
        changes.reratings,
        {
            "Section": lambda rerating: SECTION_PAGE(event_id, rerating.section),
            "Because": lambda rerating: corrected_event(rerating.because),
        },
        heads="What moved",
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


def corrected_event(because: tuple[PublicCause, ...]) -> str:
    """Return the page of the event that was corrected, where it is one."""
    events = {one.event for one in because if one.event is not None}
    return EVENT_CHANGES_PAGE(events.pop()) if len(events) == 1 else ""
