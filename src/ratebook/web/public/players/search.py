"""Players searched for by id, by parts of the name or by club, and those who are compared with one."""

from litestar import Response
from litestar.params import FromQuery
from litestar.response import Redirect

from ratebook.book.facts.members import MemberQuestion
from ratebook.pages.columns import counted
from ratebook.pages.players.search import MATCHES, search
from ratebook.web.public.links import PLAYER_PAGE
from ratebook.web.rendering import html_table, page
from ratebook.web.routing import PageNumber, public
from ratebook.web.site import TheSite

LEADS = {"Name": lambda match: PLAYER_PAGE(match.player.id)}


@public("/players")
def players(
    site: TheSite, q: FromQuery[str] = "", club: FromQuery[str] = "", number: PageNumber = 1
) -> Response[bytes] | Redirect:
    """Search for players by id, parts of the name, or club; one person found leads straight to the page."""
    words, of_club = " ".join(q.split()), " ".join(club.split())
    question = MemberQuestion(words, of_club, page=number)
    with site.reading() as reader:
        result = search(reader.connection, reader.federation, question) if words or of_club else None
    if result is not None and result.total == 1:
        return Redirect(PLAYER_PAGE(result.matches[0].player.id), status_code=303)
    return page(
        "public/players.html",
        words=words,
        club=of_club,
        table=result and html_table(counted(result.total, "player"), MATCHES, result.matches, LEADS),
        near=result and html_table("Did you mean …", MATCHES, result.near, LEADS),
        number=number,
        more=result is not None and result.total > number * question.most,
    )
