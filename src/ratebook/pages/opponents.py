"""Whom a member has played, and how the score compares with what the ratings let expect."""

import math
from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from ratebook.book.connection import Connection
from ratebook.book.ledger.opponents import PlayedGame, played_games
from ratebook.book.profile import Federation
from ratebook.model import SCORES, System
from ratebook.pages.columns import Column, Columns
from ratebook.pages.crosstable import SYSTEM_TITLES
from ratebook.rating.formulas import expected_score, rounded

COLOURS = {"w": "white", "b": "black", "": ""}
RESULTS = {1.0: "win", 0.5: "draw", 0.0: "loss"}


class Score(NamedTuple):
    """Results of games.

    Attributes:
        expected: points to be expected of the games in which both were rated; None where there was none.
        points_of_rated: points made in these games.
    """

    games: int
    wins: int
    draws: int
    losses: int
    expected: float | None
    points_of_rated: float

    @property
    def points(self) -> float:
        """Return the points of all games."""
        return self.wins + self.draws / 2


class OpponentLine(NamedTuple):
    """A member's games against one opponent, in one system."""

    opponent: str
    name: str
    score: Score


OPPONENTS: Columns[OpponentLine] = (
    Column("Opponent", lambda one: one.name or one.opponent),
    Column("Games", lambda one: str(one.score.games), "right"),
    Column("Won", lambda one: str(one.score.wins), "right"),
    Column("Drawn", lambda one: str(one.score.draws), "right"),
    Column("Lost", lambda one: str(one.score.losses), "right"),
    Column("Points", lambda one: f"{one.score.points:g}", "right"),
    Column(
        "Against expectation",
        lambda one: (
            "" if one.score.expected is None else f"{one.score.points_of_rated - one.score.expected:+.1f}"
        ),
        "right",
    ),
)

GAMES: Columns[PlayedGame] = (
    Column("End", "end"),
    Column("Event", lambda one: one.event_name or one.event_id),
    Column("Round", "round", "right"),
    Column("System", lambda one: SYSTEM_TITLES[one.system]),
    Column("Colour", lambda one: COLOURS[one.colour]),
    Column("Result", lambda one: RESULTS[SCORES[one.result]]),
    Column("Own rating", lambda one: _rating(one.own), "right"),
    Column("Their rating", lambda one: _rating(one.their), "right"),
)


def opponents_of(
    connection: Connection, federation: Federation, member: str, system: System
) -> list[OpponentLine]:
    """Return whom a member has met in a system, those met most often first."""
    games = [one for one in played_games(connection, member) if one.system is system]
    games.sort(key=lambda one: one.opponent)
    lines = [
        OpponentLine(opponent, those[0].name, score_of(federation, those))
        for opponent, met in groupby(games, key=lambda one: one.opponent)
        if (those := list(met))
    ]
    return sorted(lines, key=lambda one: (-one.score.games, one.name, one.opponent))


def score_of(federation: Federation, games: Iterable[PlayedGame]) -> Score:
    """Return the results of some games, and the points that the ratings before the sections let expect.

    Ratings count as they were published: what anyone may read can be computed from what is published.
    """
    scores, expected, made = [], [], []
    for one in games:
        scores.append(SCORES[one.result])
        if one.own is not None and one.their is not None:
            made.append(SCORES[one.result])
            rules = federation.rulebook.in_force(one.system, one.end)
            expected.append(expected_score(rules, rounded(one.own), rounded(one.their)))
    return Score(
        len(scores),
        scores.count(1.0),
        scores.count(0.5),
        scores.count(0.0),
        math.fsum(expected) if expected else None,
        math.fsum(made),
    )


def _rating(rating: float | None) -> str:
    return "unrated" if rating is None else f"{rounded(rating):.0f}"
