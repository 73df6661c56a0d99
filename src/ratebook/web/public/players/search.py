"""Players searched for by id, by parts of the name or by club, and those who are compared with one."""

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated

from litestar import Response
from litestar.params import FromPath, FromQuery, QueryParameter
from litestar.response import Redirect

from ratebook.book.facts.members import MemberQuestion, holding_id, names_of
from ratebook.model import System
from ratebook.pages.columns import Column, counted
from ratebook.pages.players.search import PlayerMatch, ratings_columns, search
from ratebook.records.system_titles import SYSTEM_TITLES
from ratebook.web.layout.tables import HtmlTable, html_table
from ratebook.web.layout.words import in_title_case, person_name
from ratebook.web.public.links import AGAINST_PAGE, COMPARE_PAGE, PLAYER_PAGE
from ratebook.web.public.rankings import highest_rated
from ratebook.web.rendering import page
from ratebook.web.routing import PageNumber, public
from ratebook.web.site import TheSite

LONGEST_NAME = 200
LEADS = {"Name": lambda match: PLAYER_PAGE(match.player.id)}
LEFT_OUT = tuple(system for system in System if system.online or system is System.BLITZ)
"""Systems whose ratings a narrow screen leaves out."""


def _matches(
    caption: str, matches: Iterable[PlayerMatch], leads: Mapping[str, Callable[[PlayerMatch], str]]
) -> HtmlTable:
    """Return players with their ratings; who they are is the second line of the name."""
    wide = tuple(SYSTEM_TITLES[system] for system in LEFT_OUT)
    return html_table(caption, (NAME, *ratings_columns()), matches, leads, under={"Name": _who}, wide=wide)


def _who(match: PlayerMatch) -> str:
    found = match.player
    return " · ".join(
        filter(None, (found.id, found.title, found.state, found.federation, in_title_case(found.club)))
    )


NAME = Column[PlayerMatch]("Name", lambda match: person_name(match.player.name))


@public("/players")
def players(
    site: TheSite, q: FromQuery[str] = "", club: FromQuery[str] = "", number: PageNumber = 1
) -> Response[bytes] | Redirect:
    """Search for players by id, parts of the name, or club; one person found leads straight to the page.

    Who has typed nothing yet sees the highest rated.
    """
    words, of_club = " ".join(q.split()), " ".join(club.split())
    question = MemberQuestion(words, of_club, page=number)
    with site.reading() as reader:
        result = search(reader.connection, reader.federation, question) if words or of_club else None
        highest = None if result else highest_rated(reader)
    if result is not None and result.total == 1:
        return Redirect(PLAYER_PAGE(result.matches[0].player.id), status_code=303)
    return page(
        "public/players.html",
        reader.face,
        words=words,
        club=of_club,
        table=result and _matches(counted(result.total, "player"), result.matches, LEADS),
        near=result and _matches("Did you mean …", result.near, LEADS),
        highest=highest,
        number=number,
        more=result is not None and result.total > number * question.most,
    )


@public(COMPARE_PAGE)
def compare(
    site: TheSite,
    member: FromPath[str],
    words: Annotated[str, QueryParameter(name="with", max_length=LONGEST_NAME)] = "",
) -> Response[bytes] | Redirect:
    """Lead to a player beside another, given by id or parts of the name; list those who may be meant."""
    words = " ".join(words.split())
    with site.reading() as reader:
        holding = holding_id(reader.connection, member)
        name = names_of(reader.connection, [holding])[holding]
        result = search(reader.connection, reader.federation, MemberQuestion(words)) if words else None
    if result is not None and result.total == 1:
        return Redirect(AGAINST_PAGE(holding, result.matches[0].player.id), status_code=303)
    leads = {"Name": lambda match: AGAINST_PAGE(holding, match.player.id)}
    matches = result and [match for match in result.matches or result.near if match.player.id != holding]
    caption = "Compare with" if result and result.matches else "Did you mean …"
    return page(
        "public/compare.html",
        reader.face,
        member=holding,
        name=name or holding,
        words=words,
        table=matches and _matches(caption, matches, leads),
    )
