"""The first page, and statements: what this is, what is shown of whom and what never, for whom the pages are made."""

from litestar import MediaType, Response

from ratebook import __version__
from ratebook.book.ledger.official import list_in_effect
from ratebook.book.ledger.runs import RatedEvent, newly_rated_events
from ratebook.pages.columns import Column, Columns, event_title
from ratebook.pages.official.lists import missing_words
from ratebook.web.layout.tables import html_table
from ratebook.web.public.links import EVENT_PAGE
from ratebook.web.rendering import page
from ratebook.web.routing import public
from ratebook.web.site import Site, TheSite

EVENTS_SHOWN = 12
ROBOTS = """\
User-agent: *
Disallow: /api/
Disallow: /sign-in
"""
"""Pages of players say themselves that they are not to be listed: a crawler that may not read them would not know."""

RATED: Columns[RatedEvent] = (
    Column("Event", lambda one: event_title(one.name, one.end)),
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
    events = html_table("Rated last", RATED, newest, {"Event": lambda one: EVENT_PAGE(one.id)})
    return page(
        "public/home.html",
        reader.face,
        name=reader.federation.profile.name,
        month=in_effect.newest,
        missing=missing_words(*in_effect),
        events=events,
    )


@public("/about")
def about(site: TheSite) -> Response[bytes]:
    """Say whose ratings these are, how they come about, and whom to ask."""
    return _statement(site, "about")


@public("/privacy")
def privacy(site: TheSite) -> Response[bytes]:
    """Say what is shown of players and what never, and what is kept of those who read."""
    return _statement(site, "privacy")


@public("/accessibility")
def accessibility(site: TheSite) -> Response[bytes]:
    """Say for whom the pages are made, how that is tested, and what is known not to be good yet."""
    return _statement(site, "accessibility")


@public("/robots.txt")
def robots() -> Response[str]:
    """Tell crawlers what there is nothing to list in."""
    return Response(ROBOTS, media_type=MediaType.TEXT)


def _statement(site: Site, name: str) -> Response[bytes]:
    with site.reading() as reader:
        profile = reader.federation.profile
    return page(f"public/{name}.html", reader.face, profile=profile, version=__version__)
