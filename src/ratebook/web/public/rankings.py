"""Rankings: the highest rated members of a system."""

from typing import Annotated

from litestar import Response
from litestar.params import FromPath, QueryParameter

from ratebook.model import System
from ratebook.pages.official.ranking import RANKING, ranking
from ratebook.web.public.links import player_page
from ratebook.web.rendering import html_table, page
from ratebook.web.routing import public
from ratebook.web.site import TheSite


@public("/rankings/{system:str}")
def rankings(
    site: TheSite,
    system: FromPath[System],
    home: Annotated[str, QueryParameter(name="state", max_length=20)] = "",
) -> Response[bytes]:
    """Show the hundred highest rated members of a system, of one state or of all."""
    with site.reading() as reader:
        lines = ranking(reader.connection, reader.federation, system, on=reader.today, most=100, state=home)
    table = html_table("Ranking", RANKING, lines, {"Name": lambda one: player_page(one.member)}, heads="Name")
    return page("public/rankings.html", table=table, system=system, state=home)
