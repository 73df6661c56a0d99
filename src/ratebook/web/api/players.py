"""Players for programs."""

from datetime import date
from typing import Annotated

from litestar import Response
from litestar.params import FromPath, FromQuery, QueryParameter

from ratebook.book.columns import END_OF_HISTORY
from ratebook.book.facts.members import MemberQuestion, find_members, holding_id
from ratebook.book.ledger.careers import earned_norms, earned_titles
from ratebook.book.ledger.lists import published_ratings
from ratebook.book.ledger.official import list_in_effect
from ratebook.book.ledger.opponents import played_games
from ratebook.model import System
from ratebook.office.rating.explain import AskedRatings, explain_rating
from ratebook.pages.changes import changes_page
from ratebook.pages.member import history_page, member_page
from ratebook.pages.opponents import lines_of, opposition_of
from ratebook.pages.players.comparison import meetings_of
from ratebook.rating.explanation.public import explain_in_public
from ratebook.records.explanations import Explanation
from ratebook.records.players import (
    FoundPlayer,
    GameOfPlayer,
    HeadToHead,
    Norm,
    OfficialRating,
    Opponent,
    Player,
    PlayerChange,
    SectionResult,
    Title,
)
from ratebook.web.api.answers import ApiRequest, Cursor, Limit, NumberedCursor, json_answer, listed
from ratebook.web.api.routing import collection, resource
from ratebook.web.site import TheSite
from ratebook.wire import Items

MOST_IDS = 100


@collection("/players")
def players(
    request: ApiRequest,
    site: TheSite,
    q: FromQuery[str] = "",
    ids: Annotated[
        str,
        QueryParameter(
            pattern=rf"^([^,]*,){{0,{MOST_IDS - 1}}}[^,]*$",
            description=f"Up to {MOST_IDS} ids, separated by commas.",
        ),
    ] = "",
    limit: Limit = 50,
    cursor: Cursor = "",
) -> Response[Items[FoundPlayer]]:
    """Players by id, parts of the name, or a list of ids."""
    wanted = list(dict.fromkeys(ids.split(","))) if ids else []
    with site.reading() as reader:
        if wanted:
            named = (find_members(reader.connection, MemberQuestion(member))[0] for member in wanted)
            members = [member for matches in named for member in matches if member.id in wanted]
            return listed(request, FoundPlayer, members)
        question = MemberQuestion(" ".join(q.split()), most=limit + 1, after=cursor, id_parts=True)
        members, _ = find_members(reader.connection, question)
    following = members[limit - 1].id if len(members) > limit else None
    return listed(request, FoundPlayer, members[:limit], following)


@resource("/players/{member:str}")
def player(site: TheSite, member: FromPath[str]) -> Response[Player]:
    """A player: ratings now and official, titles, norms.

    An id that was merged into another leads to that one.
    """
    with site.reading() as reader:
        return json_answer(member_page(reader.connection, reader.federation, member, reader.today))


@collection("/players/{member:str}/history")
def history(
    request: ApiRequest,
    site: TheSite,
    member: FromPath[str],
    system: FromQuery[System | None] = None,
    limit: Limit = 50,
    cursor: Cursor = END_OF_HISTORY,
) -> Response[Items[SectionResult]]:
    """What each section did to a player's ratings, the newest first."""
    systems = tuple(System) if system is None else (system,)
    with site.reading() as reader:
        holding = holding_id(reader.connection, member)
        part = history_page(reader.connection, reader.federation, holding, systems, before=cursor, most=limit)
    return listed(request, SectionResult, part.lines, part.older or None)


@collection("/players/{member:str}/games")
def games(
    request: ApiRequest,
    site: TheSite,
    member: FromPath[str],
    system: FromQuery[System] = System.REGULAR,
    opponent: FromQuery[str] = "",
) -> Response[Items[GameOfPlayer]]:
    """A player's rated games, the newest first."""
    with site.reading() as reader:
        holding = holding_id(reader.connection, member)
        other = holding_id(reader.connection, opponent) if opponent else ""
        played = played_games(reader.connection, holding, other)
    items = [game for game in played if game.system is system]
    return listed(request, GameOfPlayer, items)


@collection("/players/{member:str}/opponents")
def opponents(
    request: ApiRequest, site: TheSite, member: FromPath[str], system: FromQuery[System] = System.REGULAR
) -> Response[Items[Opponent]]:
    """A player's opponents, those met most often first."""
    with site.reading() as reader:
        holding = holding_id(reader.connection, member)
        met = opposition_of(reader.connection, reader.federation, holding, system)
        lines = lines_of(reader.connection, met, met.most_met())
    return listed(request, Opponent, lines)


@collection("/players/{member:str}/against/{other:str}")
def against(
    request: ApiRequest, site: TheSite, member: FromPath[str], other: FromPath[str]
) -> Response[Items[HeadToHead]]:
    """A player's score against another player, by system and colour.

    Their games are those of ``games?opponent=``.
    """
    with site.reading() as reader:
        first, second = (holding_id(reader.connection, player) for player in (member, other))
        meetings = meetings_of(reader.connection, reader.federation, first, second)
    return listed(request, HeadToHead, meetings.scores)


@collection("/players/{member:str}/official-ratings")
def official_ratings(
    request: ApiRequest,
    site: TheSite,
    member: FromPath[str],
    on: Annotated[
        date | None,
        QueryParameter(
            description="Only the ratings that are official on this day: those of the newest list."
        ),
    ] = None,
) -> Response[Items[OfficialRating]]:
    """A player's ratings in the official lists, the newest first."""
    with site.reading() as reader:
        holding = holding_id(reader.connection, member)
        ratings = published_ratings(reader.connection, holding)
        if on is not None:
            in_effect = list_in_effect(reader.connection, reader.federation, on)
            ratings = [rating for rating in ratings if rating.month == in_effect.newest]
    return listed(request, OfficialRating, ratings)


@collection("/players/{member:str}/norms")
def norms(request: ApiRequest, site: TheSite, member: FromPath[str]) -> Response[Items[Norm]]:
    """A player's norms, in the order of history."""
    with site.reading() as reader:
        earned = earned_norms(reader.connection, holding_id(reader.connection, member))
    return listed(request, Norm, earned)


@collection("/players/{member:str}/titles")
def titles(request: ApiRequest, site: TheSite, member: FromPath[str]) -> Response[Items[Title]]:
    """A player's titles, the first one first."""
    with site.reading() as reader:
        earned = earned_titles(reader.connection, holding_id(reader.connection, member))
    return listed(request, Title, earned)


@collection("/players/{member:str}/changes")
def changes(
    request: ApiRequest, site: TheSite, member: FromPath[str], limit: Limit = 50, cursor: NumberedCursor = ""
) -> Response[Items[PlayerChange]]:
    """Ratings that were changed after they were given, the newest first."""
    before = int(cursor) if cursor else None
    with site.reading() as reader:
        holding = holding_id(reader.connection, member)
        part = changes_page(reader.connection, reader.federation, holding, before=before, most=limit)
    return listed(request, PlayerChange, part.lines, None if part.older is None else str(part.older))


@collection("/players/{member:str}/explanations/{event:str}/{number:int}")
def explanations(
    request: ApiRequest,
    site: TheSite,
    member: FromPath[str],
    event: FromPath[str],
    number: FromPath[int],
    system: FromQuery[System | None] = None,
) -> Response[Items[Explanation]]:
    """Why a section moved a player's ratings."""
    ratings = AskedRatings(number, () if system is None else (system,))
    explanations = explain_rating(site.book, member, event, ratings, explain_in_public)
    return listed(request, Explanation, explanations)
