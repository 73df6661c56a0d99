"""The first page: search, the newest events, the newest official list."""

from litestar import Response

from ratebook.book.ledger.lists import newest_list
from ratebook.web.rendering import page
from ratebook.web.routing import public
from ratebook.web.site import TheSite


@public("/")
def home(site: TheSite) -> Response[bytes]:
    """Show where to begin."""
    with site.reading() as reader:
        month = newest_list(reader.connection)
    return page("public/home.html", name=reader.federation.profile.name, month=month)
