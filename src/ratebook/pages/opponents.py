"""Whom a member has played, and how the score compares with what the ratings let expect."""

import math
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from ratebook.book.connection import Connection
from ratebook.book.facts.members import names_of
from ratebook.book.ledger.opponents import Meeting, meetings
from ratebook.book.profile import Federation
from ratebook.model import SCORES, System
from ratebook.pages.columns import Column, Columns, event_title
from ratebook.rating.formulas import expectancy, expectancy_numbers, expected_score, rounded, strength
from ratebook.records.players import GameOfPlayer, HeadToHead, Opponent, Score
from ratebook.records.system_titles import SYSTEM_TITLES
from ratebook.rules.in_force import RulesInForce

COLOURS = {"w": "white", "b": "black", "": ""}
COLOUR_WORDS = {None: "All games", "w": "With white", "b": "With black", "": "Colour not reported"}
RESULTS = {1.0: "win", 0.5: "draw", 0.0: "loss"}

Outcome: TypeAlias = tuple[str, str, float, float | None]
"""A game: opponent, colour, points, and those that the ratings let expect; None where a player was unrated."""


def rating_or_none(rating: int | None) -> str:
    """Return a rating before a section, or that there was none."""
    return "unrated" if rating is None else str(rating)


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
        outcomes: of all games, the last first.
        colours: the score by colour, that of all games first.
    """

    outcomes: Sequence[Outcome]
    colours: tuple[HeadToHead, ...]

    @property
    def record(self) -> HeadToHead | None:
        """The score of all games."""
        return self.colours[0] if self.colours else None

    def times_met(self) -> Counter[str]:
        """Return how often each opponent was met, those met last first."""
        return Counter([outcome[0] for outcome in self.outcomes])

    def most_met(self) -> list[str]:
        """Return the opponents, those met most often first."""
        return [opponent for opponent, _ in self.times_met().most_common()]

    def scores(self, opponents: Iterable[str]) -> dict[str, Score]:
        """Return the score against each of some opponents."""
        return {opponent: score_of(outcomes) for opponent, outcomes in self._against(opponents).items()}

    def _against(self, opponents: Iterable[str]) -> dict[str, list[Outcome]]:
        against: dict[str, list[Outcome]] = {opponent: [] for opponent in opponents}
        for outcome in self.outcomes:
            if outcome[0] in against:
                against[outcome[0]].append(outcome)
        return against

    def by_gain(self, *, most: bool) -> list[str]:
        """Return the opponents, those first against whom a member made *most* beyond expectation, or else least."""
        gains = {
            opponent: math.fsum(points - one for *_, points, one in outcomes if one is not None)
            for opponent, outcomes in self._against(self.times_met()).items()
        }
        return sorted(gains, key=gains.__getitem__, reverse=most)


def opposition_of(
    connection: Connection, federation: Federation, member: str, system: System, *, since: str = ""
) -> Opposition:
    """Return whom a member has met in a system from a place on, and the scores."""
    return opposition(federation, system, meetings(connection, member, system, since=since))


def opposition(federation: Federation, system: System, met: Iterable[Meeting]) -> Opposition:
    """Return the outcomes of all games of a member in a system."""
    outcomes: list[Outcome] = []
    games = sorted(met)
    # The busiest have thousands of games, and most players none in most years: rules are looked up once for each time.
    for since in reversed(federation.rulebook.change_dates(system)):
        start = bisect_left(games, since.isoformat(), key=itemgetter(0))
        if start == len(games):
            continue
        rules = federation.rulebook.in_force(system, since)
        strong = _STRENGTHS.setdefault(expectancy_numbers(rules), _Strengths(rules))
        expected = expectancy(rules)
        outcomes += [
            (
                opponent,
                colour,
                SCORES[result],
                None if own is None or their is None else expected(strong[own], strong[their]),
            )
            for _, opponent, result, colour, own, their in reversed(games[start:])
            if result in SCORES
        ]
        del games[start:]
    return Opposition(outcomes, _by_colour(system, outcomes))


class _Strengths(dict[float, float]):
    """The strengths of ratings, each computed once."""

    def __init__(self, rules: RulesInForce) -> None:
        super().__init__()
        self._rules = rules

    def __missing__(self, rating: float) -> float:
        if len(self) >= MOST_STRENGTHS:
            self.clear()
        known = self[rating] = strength(self._rules, rounded(rating))
        return known


MOST_STRENGTHS = 10_000
_STRENGTHS: dict[tuple[float, ...], _Strengths] = {}
"""By the numbers of the rules on which they depend, which are the same for years."""


def lines_of(connection: Connection, met: Opposition, opponents: Sequence[str]) -> list[Opponent]:
    """Return names of and scores against some opponents."""
    names, scores = names_of(connection, opponents), met.scores(opponents)
    return [Opponent(opponent=one, name=names[one], score=scores[one]) for one in opponents]


def by_colour(
    federation: Federation, system: System, games: Iterable[GameOfPlayer]
) -> tuple[HeadToHead, ...]:
    """Return the score of the games in a system, all of them first, then with each colour, where colours were reported.

    Ratings count as they were published: what anyone may read can be computed from what is published.
    """
    return _by_colour(system, [_outcome(federation, game) for game in games if game.system is system])


def _by_colour(system: System, outcomes: Sequence[Outcome]) -> tuple[HeadToHead, ...]:
    of_colours: defaultdict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        of_colours[outcome[1]].append(outcome)
    scores = {colour: score_of(of_colours[colour]) for colour in COLOURS if colour in of_colours}
    whole: list[tuple[str | None, Score]] = [(None, sum_of(scores.values()))] if scores else []
    lines = [*whole, *scores.items()] if any(scores) else whole
    return tuple(HeadToHead(system=system, colour=colour, score=score) for colour, score in lines)


def _outcome(federation: Federation, game: GameOfPlayer) -> Outcome:
    expected = None
    if game.rating is not None and game.opponent_rating is not None:
        rules = federation.rulebook.in_force(game.system, game.end)
        expected = expected_score(rules, game.rating, game.opponent_rating)
    return game.opponent, game.colour, game.score, expected


def score_of(outcomes: Sequence[Outcome]) -> Score:
    """Return the score of some outcomes."""
    points = [outcome[2] for outcome in outcomes]
    expected = [outcome[3] for outcome in outcomes if outcome[3] is not None]
    return Score(
        games=len(points),
        wins=points.count(1.0),
        draws=points.count(0.5),
        losses=points.count(0.0),
        games_of_rated=len(expected),
        points_of_rated=sum([outcome[2] for outcome in outcomes if outcome[3] is not None]),
        expected_of_rated=math.fsum(expected) if expected else None,
    )


def sum_of(scores: Collection[Score]) -> Score:
    """Return several scores as one."""
    expected = [score.expected_of_rated for score in scores if score.expected_of_rated is not None]
    return Score(
        games=sum(score.games for score in scores),
        wins=sum(score.wins for score in scores),
        draws=sum(score.draws for score in scores),
        losses=sum(score.losses for score in scores),
        games_of_rated=sum(score.games_of_rated for score in scores),
        points_of_rated=sum(score.points_of_rated for score in scores),
        expected_of_rated=math.fsum(expected) if expected else None,
    )
