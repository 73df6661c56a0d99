"""Events and crosstables for programs."""

from datetime import date
from typing import Annotated

from litestar import Response
from litestar.params import FromPath, FromQuery, QueryParameter

from ratebook.book.events import EventQuestion, find_events
from ratebook.book.failures import refused
from ratebook.findings import Place
from ratebook.model import System
from ratebook.pages.changes import event_changes
from ratebook.pages.event import event_page, section_tables
from ratebook.records.events import CrosstableLine, EventChanges, EventSection, FoundEvent, WholeEvent
from ratebook.web.api.answers import MOST_ITEMS, ApiRequest, Cursor, Limit, json_answer, listed
from ratebook.web.api.routing import collection, resource
from ratebook.web.site import TheSite
from ratebook.wire import Items


@collection("/events")
def events(
    request: ApiRequest,
    site: TheSite,
    name: FromQuery[str] = "",
    since: Annotated[date | None, QueryParameter(name="from")] = None,
    until: Annotated[date | None, QueryParameter(name="to")] = None,
    home: Annotated[str, QueryParameter(name="state", max_length=20)] = "",
    limit: Limit = 50,
    cursor: Cursor = "",
) -> Response[Items[FoundEvent]]:
    """Events, the latest first."""
    question = EventQuestion(
        " ".join(name.split()), since, until, home, withdrawn=False, most=limit + 1, after=cursor
    )
    with site.reading() as reader:
        matches, _ = find_events(reader.connection, question)
    following = matches[limit - 1].id if len(matches) > limit else None
    return listed(request, FoundEvent, matches[:limit], following)


@resource("/events/{event_id:str}")
def event(site: TheSite, event_id: FromPath[str]) -> Response[WholeEvent]:
    """An event with its sections."""
    with site.reading() as reader:
        return json_answer(event_page(reader.connection, event_id))


@resource("/events/{event_id:str}/sections/{number:int}")
def section(site: TheSite, event_id: FromPath[str], number: FromPath[int]) -> Response[EventSection]:
    """A section of an event."""
    with site.reading() as reader:
        page = event_page(reader.connection, event_id)
    section = next((each for each in page.sections if each.number == number), None)
    if section is None:
        raise refused("event-unknown.section-not-rated", Place(event=event_id, section=number))
    return json_answer(section)


@resource("/events/{event_id:str}/changes")
def changes(site: TheSite, event_id: FromPath[str]) -> Response[EventChanges]:
    """What was changed in an event since it was rated, the newest first."""
    with site.reading() as reader:
        event_page(reader.connection, event_id)
        return json_answer(event_changes(reader.connection, event_id, most=MOST_ITEMS))


@collection("/events/{event_id:str}/sections/{number:int}/standings")
def standings(
    request: ApiRequest,
    site: TheSite,
    event_id: FromPath[str],
    number: FromPath[int],
    system: FromQuery[System | None] = None,
) -> Response[Items[CrosstableLine]]:
    """The crosstable of a section in a system.

    The first system that rates the section, if none is asked for.
    """
    with site.reading() as reader:
        tables = section_tables(reader.connection, reader.federation, event_id, number)
    chosen = [table for table in tables if system in {None, table.system}][:1]
    return listed(request, CrosstableLine, [line for table in chosen for line in table.lines])
