"""Whom a member has played, and how the score compares with what the ratings let expect."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple, TypeAlias

from ratebook.book.columns import day_of_place
from ratebook.book.connection import Connection
from ratebook.book.facts.members import names_of
from ratebook.book.ledger.opponents import Meeting, PlayedGame, meetings
from ratebook.book.profile import Federation
from ratebook.model import SCORES, System
from ratebook.pages.columns import Column, Columns
from ratebook.pages.crosstable import SYSTEM_TITLES
from ratebook.rating.formulas import expected_of_strengths, expected_score, rounded, strength
from ratebook.rules.in_force import RulesInForce

COLOURS = {"w": "white", "b": "black", "": ""}
COLOUR_WORDS = {"w": "With white", "b": "With black", "": "Colour not reported"}
RESULTS = {1.0: "win", 0.5: "draw", 0.0: "loss"}

Outcome: TypeAlias = tuple[float, float | None]
"""The points of a game, and those that the ratings let expect; None where a player was unrated."""


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


class Opposition(NamedTuple):
    """Whom a member has met in a system, as little of each as it takes to order thousands.

    Attributes:
        outcomes: of the games against each opponent, those met last first.
        colours: the score by colour.
    """

    outcomes: Mapping[str, Sequence[Outcome]]
    colours: tuple[ColourLine, ...]

    def most_met(self) -> list[str]:
        """Return the opponents, those met most often first."""
        return sorted(self.outcomes, key=lambda one: -len(self.outcomes[one]))

    def best_scores(self) -> list[str]:
        """Return the opponents, those against whom a member made most beyond expectation first."""
        return sorted(self.outcomes, key=lambda one: -self._gained(one))

    def worst_scores(self) -> list[str]:
        """Return the opponents, those against whom a member fell short of expectation most first."""
        return sorted(self.outcomes, key=self._gained)

    def _gained(self, opponent: str) -> float:
        return math.fsum(points - one for points, one in self.outcomes[opponent] if one is not None)


def opposition_of(connection: Connection, federation: Federation, member: str, system: System) -> Opposition:
    """Return whom a member has met in a system, and the scores."""
    return opposition(federation, system, meetings(connection, member, system))


def opposition(federation: Federation, system: System, met: Iterable[Meeting]) -> Opposition:
    """Return the outcomes of all games of a member in a system, in one pass over them."""
    # The rules of a section and the member's strength in it serve all of his games there.
    sections: dict[str, tuple[RulesInForce, float | None]] = {}
    against: defaultdict[str, list[Outcome]] = defaultdict(list)
    coloured: defaultdict[str, list[Outcome]] = defaultdict(list)
    last: dict[str, str] = {}
    for opponent, place, result, colour, own, their in met:
        if place not in sections:
            rules = federation.rulebook.in_force(system, date.fromisoformat(day_of_place(place)))
            sections[place] = rules, None if own is None else strength(rules, rounded(own))
        rules, strong = sections[place]
        outcome = (
            SCORES[result],
            None
            if strong is None or their is None
            else expected_of_strengths(strong, strength(rules, rounded(their))),
        )
        against[opponent].append(outcome)
        coloured[colour].append(outcome)
        if place > last.get(opponent, ""):
            last[opponent] = place
    in_order = sorted(sorted(last), key=last.__getitem__, reverse=True)
    return Opposition({one: against[one] for one in in_order}, _by_colour(coloured))


def lines_of(connection: Connection, met: Opposition, opponents: Sequence[str]) -> list[OpponentLine]:
    """Return names of and scores against some opponents."""
    names = names_of(connection, opponents)
    return [OpponentLine(one, names[one], _score(met.outcomes[one])) for one in opponents]


def score_of(federation: Federation, games: Iterable[PlayedGame]) -> Score:
    """Return the results of some games, and the points that the ratings before the sections let expect.

    Ratings count as they were published: what anyone may read can be computed from what is published.
    """
    return _score([_outcome(federation, one) for one in games])


def by_colour(federation: Federation, games: Iterable[PlayedGame]) -> tuple[ColourLine, ...]:
    """Return the score of some games, all of them first, then with each colour, where colours were reported."""
    coloured: defaultdict[str, list[Outcome]] = defaultdict(list)
    for one in games:
        coloured[one.colour].append(_outcome(federation, one))
    return _by_colour(coloured)


def _by_colour(coloured: Mapping[str, Sequence[Outcome]]) -> tuple[ColourLine, ...]:
    if not coloured:
        return ()
    lines = [ColourLine("All games", _score([one for those in coloured.values() for one in those]))]
    if any(coloured):
        lines += [
            ColourLine(words, _score(coloured[colour]))
            for colour, words in COLOUR_WORDS.items()
            if colour in coloured
        ]
    return tuple(lines)


def _outcome(federation: Federation, one: PlayedGame) -> Outcome:
    if one.own is None or one.their is None:
        return SCORES[one.result], None
    rules = federation.rulebook.in_force(one.system, one.end)
    return SCORES[one.result], expected_score(rules, rounded(one.own), rounded(one.their))


def _score(outcomes: Sequence[Outcome]) -> Score:
    made = [points for points, _ in outcomes]
    rated = [(points, expected) for points, expected in outcomes if expected is not None]
    return Score(
        len(made),
        made.count(1.0),
        made.count(0.5),
        made.count(0.0),
        math.fsum(expected for _, expected in rated) if rated else None,
        math.fsum(points for points, _ in rated),
        len(rated),
    )


def _rating(rating: float | None) -> str:
    return "unrated" if rating is None else f"{rounded(rating):.0f}"
