"""Whom a member has played, and how the score compares with what the ratings let expect."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ratebook.book.connection import Connection
from ratebook.book.ledger.opponents import PlayedGame, played_games
from ratebook.book.profile import Federation
from ratebook.model import SCORES, System
from ratebook.pages.columns import Column, Columns
from ratebook.pages.crosstable import SYSTEM_TITLES
from ratebook.rating.formulas import expected_score, rounded

COLOURS = {"w": "white", "b": "black", "": ""}
COLOUR_WORDS = {"w": "With white", "b": "With black", "": "Colour not reported"}
RESULTS = {1.0: "win", 0.5: "draw", 0.0: "loss"}


class Score(NamedTuple):
    """Results of games.

    Attributes:
        expected: points to be expected of the games in which both were rated; None where there was none.
        points_of_rated: points made in these games.
        games_of_rated: how many these games are.
    """

    games: int
    wins: int
    draws: int
    losses: int
    expected: float | None
    points_of_rated: float
    games_of_rated: int

    @property
    def points(self) -> float:
        """Return the points of all games."""
        return self.wins + self.draws / 2

    @property
    def against_expectation(self) -> str:
        """Return by how much the points made differ from those expected; nothing where none were."""
        if self.expected is None:
            return ""
        difference = f"{self.points_of_rated - self.expected:+.1f}"
        return "0.0" if float(difference) == 0.0 else difference


class OpponentLine(NamedTuple):
    """A member's games against one opponent, in one system."""

    opponent: str
    name: str
    score: Score


class ColourLine(NamedTuple):
    """A member's games with one colour, or all of them."""

    words: str
    score: Score


OPPONENTS: Columns[OpponentLine] = (
    Column("Opponent", lambda one: one.name or one.opponent),
    Column("Games", lambda one: str(one.score.games), "right"),
    Column("Points", lambda one: f"{one.score.points:g}", "right"),
    Column(
        "Against expectation",
        lambda one: one.score.against_expectation,
        "right",
    ),
    Column("Won", lambda one: str(one.score.wins), "right"),
    Column("Drawn", lambda one: str(one.score.draws), "right"),
    Column("Lost", lambda one: str(one.score.losses), "right"),
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
    return by_opponent(federation, [one for one in played_games(connection, member) if one.system is system])


def score_of(federation: Federation, games: Iterable[PlayedGame]) -> Score:
    """Return the results of some games, and the points that the ratings before the sections let expect.

    Ratings count as they were published: what anyone may read can be computed from what is published.
    """
    counted = {1.0: 0, 0.5: 0, 0.0: 0}
    expected, made = [], 0.0
    for one in games:
        score = SCORES[one.result]
        counted[score] += 1
        if one.own is not None and one.their is not None:
            made += score
            rules = federation.rulebook.in_force(one.system, one.end)
            expected.append(expected_score(rules, rounded(one.own), rounded(one.their)))
    return Score(
        sum(counted.values()),
        counted[1.0],
        counted[0.5],
        counted[0.0],
        math.fsum(expected) if expected else None,
        made,
        len(expected),
    )


def by_opponent(federation: Federation, games: Iterable[PlayedGame]) -> list[OpponentLine]:
    """Return the score of some games against each opponent, those met most often first."""
    met: defaultdict[str, list[PlayedGame]] = defaultdict(list)
    for one in games:
        met[one.opponent].append(one)
    lines = [
        OpponentLine(opponent, those[0].name, score_of(federation, those)) for opponent, those in met.items()
    ]
    return sorted(lines, key=lambda one: (-one.score.games, one.name, one.opponent))


def by_colour(federation: Federation, games: Sequence[PlayedGame]) -> tuple[ColourLine, ...]:
    """Return the score of some games, all of them first, then with each colour, where colours were reported."""
    lines = [ColourLine("All games", score_of(federation, games))]
    if any(one.colour for one in games):
        for colour, words in COLOUR_WORDS.items():
            those = [one for one in games if one.colour == colour]
            lines += [ColourLine(words, score_of(federation, those))] if those else []
    return tuple(lines)


def _rating(rating: float | None) -> str:
    return "unrated" if rating is None else f"{rounded(rating):.0f}"
