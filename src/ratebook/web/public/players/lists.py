"""A player's official ratings, month by month."""

from litestar import Response
from litestar.params import FromPath
from litestar.response import Redirect

from ratebook.book.facts.members import holding_id, names_of
from ratebook.pages.official.lists import official_columns, official_months
from ratebook.web.public.links import LIST_PAGE, OFFICIAL_PAGE
from ratebook.web.rendering import html_table, page
from ratebook.web.routing import public
from ratebook.web.site import TheSite


@public(OFFICIAL_PAGE)
def official_ratings(site: TheSite, member: FromPath[str]) -> Response[bytes] | Redirect:
    """Show a player's ratings in the official lists, the newest first, and by how much each moved."""
    with site.reading() as reader:
        holding = holding_id(reader.connection, member)
        if holding != member:
            return Redirect(OFFICIAL_PAGE(holding), status_code=308)
        name = names_of(reader.connection, [member])[member]
        months = official_months(reader.connection, member)
    table = html_table(
        "Official ratings, the newest list first",
        official_columns(months),
        months,
        {"List": lambda one: LIST_PAGE(one.month)},
        heads="List",
    )
    return page("public/official.html", member=member, name=name, table=table)
