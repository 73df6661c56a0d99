"""An event with its sections."""

from datetime import date
from textwrap import shorten
from typing import NamedTuple

from ratebook.book.connection import Connection
from ratebook.book.events import ListedEvent, ListedSection, list_sections, read_event
from ratebook.book.failures import refused
from ratebook.pages.columns import Column, Columns

_CONTROL_WIDTH = 40

SECTIONS: Columns[ListedSection] = (
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


EVENTS: Columns[ListedEvent] = (
    Column("Event", "id"),
    Column("Name", "name"),
    Column("Start", "start"),
    Column("End", "end"),
    Column("Place", lambda one: ", ".join(part for part in (one.city, one.state) if part)),
    Column("Sections", "sections", "right"),
    Column("Players", "players", "right"),
    Column("Note", lambda one: "withdrawn" if one.withdrawn else ""),
)


class EventPage(NamedTuple):
    """An event with its sections."""

    id: str
    name: str
    start: date | None
    end: date | None
    place: str
    affiliate: str
    chief_td: str
    sections: tuple[ListedSection, ...]


def event_page(connection: Connection, event_id: str) -> EventPage:
    """Return an event with its sections.

    Raises:
        BookError: no section of such an event is rated.
    """
    event = read_event(connection, event_id)
    if event is None:
        raise refused("event-unknown.event-page", f"event {event_id}")
    place = ", ".join(part for part in (event.city, event.state, event.country) if part)
    sections = list_sections(connection, event_id)
    return EventPage(
        event_id, event.name, event.start, event.end, place, event.affiliate, event.chief_td, sections
    )
