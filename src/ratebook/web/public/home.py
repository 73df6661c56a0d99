"""The first page: search, the events that were rated last, the newest official list."""

from litestar import Response

from ratebook.book.ledger.official import list_in_effect
from ratebook.book.ledger.runs import RatedEvent, newly_rated_events
from ratebook.pages.columns import Column, Columns
from ratebook.pages.official.lists import missing_words
from ratebook.web.public.links import EVENT_PAGE
from ratebook.web.rendering import html_table, page
from ratebook.web.routing import public
from ratebook.web.site import TheSite

EVENTS_SHOWN = 12

RATED: Columns[RatedEvent] = (
    Column("Event", "name"),
    Column("End", "end"),
    Column("Place", lambda one: ", ".join(part for part in (one.city, one.state) if part)),
    Column("Sections", "sections", "right"),
    Column("Rated", lambda one: one.rated_at[:10]),
)


@public("/")
def home(site: TheSite) -> Response[bytes]:
    """Show where to begin."""
    with site.reading() as reader:
        in_effect = list_in_effect(reader.connection, reader.federation, reader.today)
        newest = newly_rated_events(reader.connection, EVENTS_SHOWN)
    events = html_table("Rated last", RATED, newest, {"Event": lambda one: EVENT_PAGE(one.id)}, heads="Event")
    return page(
        "public/home.html",
        name=reader.federation.profile.name,
        month=in_effect.newest,
        missing=missing_words(*in_effect),
        events=events,
    )
