"""Whom a member has played, and how the score compares with what the ratings let expect."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from ratebook.book.columns import day_of_place
from ratebook.book.connection import Connection
from ratebook.book.facts.members import names_of
from ratebook.book.ledger.opponents import Meeting, meetings
from ratebook.book.profile import Federation
from ratebook.model import SCORES, System
from ratebook.pages.columns import Column, Columns, event_title
from ratebook.rating.formulas import expected_of_strengths, expected_score, rounded, strength
from ratebook.records.players import GameOfPlayer, HeadToHead, Opponent, Score
from ratebook.records.system_titles import SYSTEM_TITLES

COLOURS = {"w": "white", "b": "black", "": ""}
COLOUR_WORDS = {None: "All games", "w": "With white", "b": "With black", "": "Colour not reported"}
RESULTS = {1.0: "win", 0.5: "draw", 0.0: "loss"}

Outcome: TypeAlias = tuple[float, float | None]
"""The points of a game, and those that the ratings let expect; None where a player was unrated."""


def rating_or_none(rating: int | None) -> str:
    """Return a rating before a section, or that there was none."""
    return "unrated" if rating is None else str(rating)


OPPONENTS: Columns[Opponent] = (
    Column("Opponent", lambda one: one.name or one.opponent),
    Column("Games", "score.games", "right"),
    Column("Points", "score.points", "right", "g"),
    Column("Against expectation", lambda one: one.score.against_expectation, "right"),
    Column("Won", "score.wins", "right"),
    Column("Drawn", "score.draws", "right"),
    Column("Lost", "score.losses", "right"),
)

GAMES: Columns[GameOfPlayer] = (
    Column("End", "end"),
    Column("Event", lambda one: event_title(one.event_name, one.end)),
    Column("Round", "round", "right"),
    Column("System", "system", format=SYSTEM_TITLES.__getitem__),
    Column("Colour", lambda one: COLOURS[one.colour]),
    Column("Result", lambda one: RESULTS[one.score]),
    Column("Own rating", "rating", "right", rating_or_none),
    Column("Their rating", "opponent_rating", "right", rating_or_none),
)


class Opposition(NamedTuple):
    """Whom a member has met in a system, as little of each as it takes to order thousands.

    Attributes:
        outcomes: of the games against each opponent, those met last first.
        colours: the score by colour.
    """

    outcomes: Mapping[str, Sequence[Outcome]]
    colours: tuple[HeadToHead, ...]

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


def opposition_of(
    connection: Connection, federation: Federation, member: str, system: System, *, since: str = ""
) -> Opposition:
    """Return whom a member has met in a system from a place on, and the scores."""
    return opposition(federation, system, meetings(connection, member, system, since=since))


def opposition(federation: Federation, system: System, met: Iterable[Meeting]) -> Opposition:
    """Return the outcomes of all games of a member in a system, in one pass over them."""
    against: defaultdict[str, list[Outcome]] = defaultdict(list)
    coloured: defaultdict[str, list[Outcome]] = defaultdict(list)
    # The busiest have thousands of games: the rules of a section and the member's strength serve all of those there.
    for place, games in groupby(sorted(met, key=itemgetter(0, 1), reverse=True), key=itemgetter(0)):
        rules = federation.rulebook.in_force(system, date.fromisoformat(day_of_place(place)))
        strong: float | None = None
        for _, opponent, result, colour, own, their in games:
            if strong is None and own is not None:
                strong = strength(rules, rounded(own))
            expected = None
            if strong is not None and their is not None:
                expected = expected_of_strengths(rules, strong, strength(rules, rounded(their)))
            outcome = SCORES[result], expected
            against[opponent].append(outcome)
            coloured[colour].append(outcome)
    return Opposition(against, _by_colour(system, coloured))


def lines_of(connection: Connection, met: Opposition, opponents: Sequence[str]) -> list[Opponent]:
    """Return names of and scores against some opponents."""
    names = names_of(connection, opponents)
    return [
        Opponent(opponent=member, name=names[member], score=score_of(met.outcomes[member]))
        for member in opponents
    ]


def by_colour(
    federation: Federation, system: System, games: Iterable[GameOfPlayer]
) -> tuple[HeadToHead, ...]:
    """Return the score of the games in a system, all of them first, then with each colour, where colours were reported.

    Ratings count as they were published: what anyone may read can be computed from what is published.
    """
    coloured: defaultdict[str, list[Outcome]] = defaultdict(list)
    for game in games:
        if game.system is system:
            coloured[game.colour].append(_outcome(federation, game))
    return _by_colour(system, coloured)


def _by_colour(system: System, coloured: Mapping[str, Sequence[Outcome]]) -> tuple[HeadToHead, ...]:
    if not coloured:
        return ()
    everything = [outcome for outcomes in coloured.values() for outcome in outcomes]
    of_colours = coloured.items() if any(coloured) else ()
    by_colour: dict[str | None, Sequence[Outcome]] = dict([(None, everything), *of_colours])
    return tuple(
        HeadToHead(system=system, colour=colour, score=score_of(by_colour[colour]))
        for colour in COLOUR_WORDS
        if colour in by_colour
    )


def _outcome(federation: Federation, game: GameOfPlayer) -> Outcome:
    if game.rating is None or game.opponent_rating is None:
        return game.score, None
    rules = federation.rulebook.in_force(game.system, game.end)
    return game.score, expected_score(rules, game.rating, game.opponent_rating)


def score_of(outcomes: Sequence[Outcome]) -> Score:
    """Return the score of some outcomes."""
    points_made = [points for points, _ in outcomes]
    expectancies = [expected for _, expected in outcomes if expected is not None]
    return Score(
        games=len(points_made),
        wins=points_made.count(1.0),
        draws=points_made.count(0.5),
        losses=points_made.count(0.0),
        games_of_rated=len(expectancies),
        points_of_rated=sum(points for points, expected in outcomes if expected is not None),
        expected_of_rated=math.fsum(expectancies) if expectancies else None,
    )
