"""Whom a player has met, and the games of two players against each other."""

from litestar import Response
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from ratebook.book.facts.members import holding_id, names_of
from ratebook.book.ledger.opponents import played_games
from ratebook.model import System
from ratebook.pages.opponents import GAMES, OPPONENTS, opponents_of, score_of
from ratebook.web.public.links import against_page, opponents_page, section_page
from ratebook.web.rendering import html_table, page
from ratebook.web.routing import public
from ratebook.web.site import TheSite


@public("/players/{member:str}/opponents")
def opponents(
    site: TheSite, member: FromPath[str], system: FromQuery[System] = System.REGULAR
) -> Response[bytes] | Redirect:
    """Show whom a player has met in a system, and the score against each."""
    with site.reading() as reader:
        holding = holding_id(reader.connection, member)
        if holding != member:
            return Redirect(opponents_page(holding), status_code=308)
        name = names_of(reader.connection, [member])[member]
        lines = opponents_of(reader.connection, reader.federation, member, system)
    table = html_table(
        "Opponents, those met most often first",
        OPPONENTS,
        lines,
        {"Opponent": lambda one: against_page(member, one.opponent)},
        heads="Opponent",
    )
    return page("public/opponents.html", member=member, name=name, table=table, system=system)


@public("/players/{member:str}/against/{other:str}")
def against(site: TheSite, member: FromPath[str], other: FromPath[str]) -> Response[bytes] | Redirect:
    """Show the games of two players against each other."""
    with site.reading() as reader:
        first, second = (holding_id(reader.connection, one) for one in (member, other))
        if (first, second) != (member, other):
            return Redirect(against_page(first, second), status_code=308)
        names = names_of(reader.connection, [first, second])
        games = played_games(reader.connection, first, second)
        scores = {
            system: score_of(reader.federation, those)
            for system in System
            if (those := [game for game in games if game.system is system])
        }
    table = html_table(
        "Games, the newest first",
        GAMES,
        games,
        {"Event": lambda game: section_page(game.event_id, game.section)},
        heads="Event",
    )
    return page("public/against.html", players=(first, second), names=names, table=table, scores=scores)
