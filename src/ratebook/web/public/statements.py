"""Statements: what this is, what is shown of whom and what never, for whom the pages are made, and robots.txt."""

from litestar import MediaType, Response

from ratebook import __version__
from ratebook.web.rendering import page
from ratebook.web.routing import public
from ratebook.web.site import Site, TheSite

ROBOTS = """\
User-agent: *
Disallow: /api/
Disallow: /sign-in
"""
"""Pages of players say themselves that they are not to be listed: a crawler that may not read them would not know."""


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
    return page(f"public/{name}.html", profile=profile, version=__version__)
