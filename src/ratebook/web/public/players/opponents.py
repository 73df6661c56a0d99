"""Whom a player has met, and the games of two players against each other."""

from collections.abc import Sequence
from enum import StrEnum

from litestar import Response
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from ratebook.book.connection import Connection
from ratebook.book.facts.members import holding_id, names_of
from ratebook.book.ledger.history import SeriesPoint
from ratebook.model import System
from ratebook.pages.columns import Column, Columns, counted, event_title
from ratebook.pages.opponents import COLOURS, RESULTS, Opposition, lines_of, opposition_of, rating_or_none
from ratebook.pages.players.comparison import (
    RECORDS,
    BothCareers,
    Comparison,
    common_columns,
    compared,
    rating_columns_of,
    ratings_beside,
)
from ratebook.records.players import GameOfPlayer, HeadToHead, Opponent, Player
from ratebook.records.system_titles import SYSTEM_TITLES
from ratebook.web.layout.tables import change_look, html_table, result_look
from ratebook.web.layout.words import day_words, in_title_case, person_name
from ratebook.web.pictures.graph import Graph, GraphLine, rating_graph
from ratebook.web.pictures.pips import score_bar
from ratebook.web.pictures.spark import sparkline
from ratebook.web.public.links import AGAINST_PAGE, OPPONENTS_PAGE, PLAYER_PAGE, SECTION_PAGE, WHY_PAGES
from ratebook.web.public.players.page import RatingCard
from ratebook.web.rendering import page
from ratebook.web.routing import PageNumber, public
from ratebook.web.site import TheSite

OPPONENTS_AT_ONCE = 50


OPPONENTS: Columns[Opponent] = (
    Column("Opponent", lambda one: person_name(one.name or one.opponent)),
    Column("Games", "score.games", "right"),
    Column("Points", "score.points", "right"),
    Column("Results", lambda _: ""),
    Column("Vs. expected", lambda one: one.score.against_expectation, "right"),
)


class Order(StrEnum):
    """By what the opponents of a player are ordered."""

    GAMES = "games"
    NAME = "name"
    GAINED = "gained"
    LOST = "lost"


ORDERS = {
    Order.GAMES: ("Most games", "most often met first"),
    Order.NAME: ("Name", "by name"),
    Order.GAINED: ("More than expected", "most above expectation first"),
    Order.LOST: ("Less than expected", "most below expectation first"),
}
"""What the link to each order says, and what the caption says."""


def _ordered(connection: Connection, met: Opposition, order: Order) -> list[str]:
    match order:
        case Order.GAMES:
            return met.most_met()
        case Order.GAINED | Order.LOST:
            return met.by_gain(most=order is Order.GAINED)
        case _:
            names = names_of(connection, met.times_met())
            return sorted(names, key=lambda one: (names[one], one))


@public(OPPONENTS_PAGE)
def opponents(
    site: TheSite,
    member: FromPath[str],
    system: FromQuery[System] = System.REGULAR,
    sort: FromQuery[Order] = Order.GAMES,
    number: PageNumber = 1,
) -> Response[bytes] | Redirect:
    """Show whom a player has met in a system, and the score against each."""
    with site.reading() as reader:
        holding = holding_id(reader.connection, member)
        if holding != member:
            return Redirect(OPPONENTS_PAGE(holding), status_code=308)
        name = names_of(reader.connection, [member])[member]
        met = opposition_of(reader.connection, reader.federation, member, system)
        ordered = _ordered(reader.connection, met, sort)
        first = (number - 1) * OPPONENTS_AT_ONCE
        shown = lines_of(reader.connection, met, ordered[first : first + OPPONENTS_AT_ONCE])
    table = html_table(
        f"Opponents, {ORDERS[sort][1]}",
        OPPONENTS,
        shown,
        {"Opponent": lambda one: AGAINST_PAGE(member, one.opponent)},
        under={
            "Opponent": lambda one: f"{one.score.wins} won, {one.score.draws} drawn, {one.score.losses} lost"
        },
        looks={"Vs. expected": change_look},
        pictures={"Results": lambda one: score_bar(one.score)},
        wide=["Games", "Results"],
    )
    return page(
        "public/opponents.html",
        reader.face,
        member=member,
        name=name,
        table=table,
        system=system,
        colours=met.colours,
        sort=sort,
        orders=ORDERS,
        number=number,
        more=len(ordered) > number * OPPONENTS_AT_ONCE,
    )


@public(AGAINST_PAGE)
def against(
    site: TheSite, member: FromPath[str], other: FromPath[str], system: FromQuery[System | None] = None
) -> Response[bytes] | Redirect:
    """Show two players beside each other: score, ratings, a next game, their games; in a *system* all opponents."""
    if member == other:
        return Redirect(PLAYER_PAGE(member))
    with site.reading() as reader:
        first, second = (holding_id(reader.connection, one) for one in (member, other))
        if (first, second) != (member, other):
            return Redirect(AGAINST_PAGE(first, second), status_code=308)
        comparison = compared(reader.connection, reader.federation, first, second, system, reader.today)
    players, meetings, careers = comparison.players, comparison.meetings, comparison.careers
    scores: dict[System, list[HeadToHead]] = {}
    for score in meetings.scores:
        scores.setdefault(score.system, []).append(score)
    together = comparison.common_number, len(comparison.common)
    return page(
        "public/against.html",
        reader.face,
        players=players,
        system=system,
        ratings=html_table(
            "Current ratings",
            rating_columns_of(comparison, person_name),
            ratings_beside(comparison),
            heads="System",
        ),
        records=system
        and html_table(
            f"All games, {SYSTEM_TITLES[system]}",
            (RECORDS[0]._replace(value=lambda one: person_name(one[0].name or one[0].id)), *RECORDS[1:]),
            list(zip(players, comparison.records, strict=True)),
            {"Player": lambda one: PLAYER_PAGE(one[0].id)},
            below=[column.title for column in RECORDS[2:]],
        ),
        table=html_table(
            "Games, newest first",
            BETWEEN,
            meetings.games,
            {"Event": lambda game: SECTION_PAGE(game.event, game.section)},
            under={"Event": _of_game},
            looks={"Result": result_look},
            wide=["Own rating"],
        ),
        scores=scores,
        total=sum(meetings.played),
        number=len(meetings.played),
        next_game=comparison.next_game,
        graph=careers and _graph(careers, players),
        careers=careers,
        cards=_cards(comparison),
        common=system
        and html_table(
            counted(together[0], "common opponent")
            + (", those met most often" if together[0] > together[1] else "")
            + f", {SYSTEM_TITLES[system]}",
            common_columns(comparison, person_name),
            comparison.common,
            {"Opponent": lambda one: PLAYER_PAGE(one.opponent)},
        ),
    )


def _cards(comparison: Comparison) -> list[RatingCard | None]:
    """Return a rating of each player as a card, in the system of the next game where both have one in it."""
    system = comparison.next_game and comparison.next_game.system
    careers = comparison.careers if comparison.careers and comparison.careers.system is system else None
    lines = (careers.first, careers.second) if careers else ((), ())

    def card(player: Player, line: Sequence[SeriesPoint]) -> RatingCard | None:
        rating = next((rating for rating in player.ratings if system in {None, rating.system}), None)
        if rating is None:
            return None
        address = f"{PLAYER_PAGE(player.id, system=rating.system)}#graph"
        return RatingCard(rating, sparkline(line), address, is_here=False)

    return [card(player, line) for player, line in zip(comparison.players, lines, strict=True)]


def _graph(careers: BothCareers, players: tuple[Player, Player]) -> Graph | None:
    system, *lines = careers
    names = [person_name(player.name or player.id) for player in players]
    return rating_graph(
        f"{SYSTEM_TITLES[system]} ratings of {' and '.join(names)}",
        [
            GraphLine(name, system, line, WHY_PAGES(player.id), look)
            for name, line, player, look in zip(names, lines, players, ("", "second"), strict=True)
        ],
    )


BETWEEN: Columns[GameOfPlayer] = (
    Column("Event", lambda game: in_title_case(event_title(game.event_name, game.end))),
    Column("Result", lambda game: RESULTS[game.score].capitalize()),
    Column("Own rating", "rating", "right", rating_or_none),
    Column("Their rating", "opponent_rating", "right", rating_or_none),
)


def _of_game(game: GameOfPlayer) -> str:
    colour = COLOURS[game.colour]
    system = SYSTEM_TITLES[game.system].removeprefix("OTB ")
    parts = (day_words(game.end, short=True), system, f"round {game.round}", colour and f"with {colour}")
    return " · ".join(filter(None, parts))
