"""The first page, and statements: what this is, what is shown of whom and what never, for whom the pages are made."""

from datetime import timedelta

from litestar import MediaType, Response

from ratebook import __version__
from ratebook.book.figures.federation import activity_since, biggest_changes, distribution, last_day
from ratebook.book.ledger.lists import count_members
from ratebook.book.ledger.official import list_in_effect
from ratebook.book.ledger.runs import newly_rated_events
from ratebook.pages.official.lists import missing_words
from ratebook.web.pictures.histogram import histogram
from ratebook.web.rendering import page
from ratebook.web.routing import public
from ratebook.web.site import Site, TheSite

EVENTS_SHOWN, CHANGES_SHOWN = 10, 3
"""Events, and ratings that rose and as many that fell."""
LATELY = timedelta(days=30)
ROBOTS = """\
User-agent: *
Disallow: /api/
Disallow: /sign-in
"""
"""Pages of players say themselves that they are not to be listed: a crawler that may not read them would not know."""


@public("/")
def home(site: TheSite) -> Response[bytes]:
    """Show where to begin: the search, what was rated lately, what moved most, and how ratings are spread."""
    with site.reading() as reader:
        events = newly_rated_events(reader.connection, EVENTS_SHOWN)
        until = min(reader.today, last_day(reader.connection) or reader.today)
        since = until - LATELY
        in_effect = list_in_effect(reader.connection, reader.federation, reader.today)
        month, system = in_effect.newest, reader.federation.profile.systems[0]
        bands = () if month is None else distribution(reader.connection, month, system)
        return page(
            "public/home.html",
            reader.face,
            month=month,
            cut_off=in_effect.cut_off,
            missing=missing_words(in_effect.newest, in_effect.missing, in_effect.coming),
            events=events,
            until=until,
            activity=activity_since(reader.connection, since),
            changes=biggest_changes(reader.connection, since, CHANGES_SHOWN),
            listed=0 if month is None else count_members(reader.connection, month),
            system=system,
            bars=histogram(bands),
            days=LATELY.days,
        )


@public("/about")
def about(site: TheSite) -> Response[bytes]:
    """Say whose ratings these are, how they are computed, and whom to ask."""
    return _statement(site, "about")


@public("/privacy")
def privacy(site: TheSite) -> Response[bytes]:
    """Say what is shown about players, what never is, and what is kept about readers."""
    return _statement(site, "privacy")


@public("/accessibility")
def accessibility(site: TheSite) -> Response[bytes]:
    """Say whom the pages are accessible to, how that is tested, and what does not work well yet."""
    return _statement(site, "accessibility")


@public("/robots.txt")
def robots() -> Response[str]:
    """Tell crawlers which addresses not to list."""
    return Response(ROBOTS, media_type=MediaType.TEXT)


def _statement(site: Site, name: str) -> Response[bytes]:
    with site.reading() as reader:
        profile = reader.federation.profile
    lists = site.lists_requests
    return page(
        f"public/{name}.html", reader.face, profile=profile, version=__version__, lists_requests=lists
    )
