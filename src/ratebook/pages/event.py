"""An event with its sections."""

from textwrap import shorten

from ratebook.book.connection import Connection
from ratebook.book.events import list_sections, read_event
from ratebook.book.failures import refused
from ratebook.findings import Place
from ratebook.pages.columns import Column, Columns
from ratebook.records.events import EventSection, FoundEvent, WholeEvent

_CONTROL_WIDTH = 40

SECTIONS: Columns[EventSection] = (
    Column("Section", "number", "right"),
    Column("Name", "name"),
    Column("End", "end"),
    # A schedule by round has hundreds of characters.
    Column("Time control", lambda one: shorten(one.time_control, _CONTROL_WIDTH, placeholder=" …")),
    Column("Type", "type"),
    Column("Systems", "systems"),
    Column("Players", "players", "right"),
    Column("Note", lambda one: "withdrawn" if one.withdrawn else ""),
)


EVENTS: Columns[FoundEvent] = (
    Column("Event", "id"),
    Column("Name", "name"),
    Column("Start", "start"),
    Column("End", "end"),
    Column("Place", lambda one: ", ".join(part for part in (one.city, one.state) if part)),
    Column("Sections", "sections", "right"),
    Column("Players", "players", "right"),
    Column("Note", lambda one: "withdrawn" if one.withdrawn else ""),
)


def event_page(connection: Connection, event_id: str) -> WholeEvent:
    """Return an event with its sections.

    Raises:
        BookError: no section of such an event is rated.
    """
    event = read_event(connection, event_id)
    if event is None:
        raise refused("event-unknown.no-rated-section", Place(event=event_id))
    place = ", ".join(part for part in (event.city, event.state, event.country) if part)
    sections = list_sections(connection, event_id)
    return WholeEvent(
        id=event_id,
        name=event.name,
        start=event.start,
        end=event.end,
        place=place,
        affiliate=event.affiliate,
        chief_td=event.chief_td,
        sections=sections,
    )
