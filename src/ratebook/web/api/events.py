"""Events and crosstables for programs."""

from datetime import date
from typing import Annotated

from litestar import Response
from litestar.params import FromPath, FromQuery, QueryParameter

from ratebook.book.events import EventQuestion, find_events
from ratebook.model import System
from ratebook.pages.event import event_page
from ratebook.pages.section import section_tables
from ratebook.web.api.answers import ApiRequest, Cursor, Limit, found, listed
from ratebook.web.api.contents import Event, FoundEvent, Items, Section, Standing, published
from ratebook.web.api.routing import collection, resource
from ratebook.web.site import TheSite


@collection("/events", "Events, the latest first.")
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
    """Read events, or those that are asked for by name, days and state."""
    number = int(cursor) if cursor.isdecimal() else 1
    asked = EventQuestion(
        " ".join(name.split()), since, until, home, withdrawn=False, most=limit, page=number
    )
    with site.reading() as reader:
        those, total = find_events(reader.connection, asked)
    items = [
        FoundEvent(one.id, one.name, one.start, one.end, one.city, one.state, one.sections, one.players)
        for one in those
    ]
    return listed(request, FoundEvent, items, str(number + 1) if total > number * limit else None)


@resource("/events/{event_id:str}", "An event with its sections.")
def event(site: TheSite, event_id: FromPath[str]) -> Response[Event]:
    """Read an event."""
    with site.reading() as reader:
        page = event_page(reader.connection, event_id)
    sections = [
        Section(
            one.number,
            one.name,
            one.end,
            one.time_control,
            one.type,
            list(one.systems),
            one.players,
            one.withdrawn,
        )
        for one in page.sections
    ]
    return found(
        Event(page.id, page.name, page.start, page.end, page.place, page.affiliate, page.chief_td, sections)
    )


@collection(
    "/events/{event_id:str}/sections/{number:int}/standings", "The crosstable of a section in a system."
)
def standings(
    request: ApiRequest,
    site: TheSite,
    event_id: FromPath[str],
    number: FromPath[int],
    system: FromQuery[System | None] = None,
) -> Response[Items[Standing]]:
    """Read a crosstable, in the order of points; the first system that rates the section, if none is asked for."""
    with site.reading() as reader:
        tables = section_tables(reader.connection, reader.federation, event_id, number)
    chosen = [one for one in tables if system in {None, one.system}][:1]
    items = [
        Standing(
            one.system,
            line.seat,
            line.member,
            line.name,
            published(line.before),
            published(line.after),
            line.points,
            list(line.rounds),
        )
        for one in chosen
        for line in one.lines
    ]
    return listed(request, Standing, items)


HANDLERS = (*events, *event, *standings)
