"""Two players beside each other: ratings, records, the score against each other, opponents whom both have met."""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, NamedTuple

from ratebook.book.connection import Connection
from ratebook.book.facts.members import holding_id, names_of
from ratebook.book.ledger.history import SeriesPoint
from ratebook.book.ledger.official import list_in_effect
from ratebook.book.ledger.opponents import played_games
from ratebook.book.profile import Federation
from ratebook.model import System
from ratebook.pages.columns import Column, Columns, counted
from ratebook.pages.crosstable import rating_text
from ratebook.pages.member import MemberCareer, read_career
from ratebook.pages.opponents import COLOUR_WORDS, Opposition, by_colour, opposition_of
from ratebook.rating.formulas import expected_score
from ratebook.records.players import CurrentRating, GameOfPlayer, HeadToHead, Player, Score
from ratebook.records.system_titles import SYSTEM_TITLES

MOST_COMMON = 20
"""Common opponents that are shown: those whom both have met most often."""
MOST_CERTAIN = 0.99
"""The highest expectation of a single game that is shown as a number."""


class Meetings(NamedTuple):
    """The games of two players, the newest first, and the score of the first by system and colour."""

    scores: tuple[HeadToHead, ...]
    games: list[GameOfPlayer]

    @property
    def played(self) -> list[float]:
        """The points of the first in each game: one that two systems rate is one game."""
        times: Counter[tuple[str, int, int, str, float]] = Counter()
        for system in System:
            of_system = (game for game in self.games if game.system is system)
            times |= Counter((one.event, one.section, one.round, one.colour, one.score) for one in of_system)
        return [score for *_, score in times.elements()]


class CommonOpponent(NamedTuple):
    """An opponent whom two players have met, and the score of each."""

    opponent: str
    name: str
    first: Score
    second: Score


class NextGame(NamedTuple):
    """What the ratings of today let the first player expect of a game against the second, who has *gap* points less."""

    system: System
    gap: int
    expected: float

    @property
    def figure(self) -> str:
        """Return the expectation as it is shown: no result of a game is certain, however large the gap.

        >>> [NextGame(System.REGULAR, 0, expected).figure for expected in (0.7597, 0.9968, 0.0007)]
        ['0.76', 'over 0.99', 'under 0.01']
        """
        if self.expected > MOST_CERTAIN:
            return f"over {MOST_CERTAIN}"
        return (
            f"{self.expected:.2f}" if self.expected >= 1 - MOST_CERTAIN else f"under {1 - MOST_CERTAIN:.2f}"
        )

    @property
    def gap_words(self) -> str:
        """Return how far apart the ratings are, from the first player's side."""
        if not self.gap:
            return "rated the same"
        return f"rated {counted(abs(self.gap), 'point')} {'higher' if self.gap > 0 else 'lower'}"


class BothCareers(NamedTuple):
    """The ratings of two players in a system in which both have been rated, each in the order of history."""

    system: System
    first: Sequence[SeriesPoint]
    second: Sequence[SeriesPoint]


class Comparison(NamedTuple):
    """Two players beside each other.

    Attributes:
        system: the one of the records and of the common opponents; None: they were not asked for.
        careers: ratings in the *system*, or in the one in which they have played most; None where none has both.
        records: the scores of all games of each; None for who has none.
        meetings: their games against each other in all systems.
        next_game: in the system of *careers*; None where they have no ratings in one system.
        common: opponents whom both have met, those met most often first; at most `MOST_COMMON`.
        common_number: how many there are.
    """

    system: System | None
    players: tuple[Player, Player]
    careers: BothCareers | None
    records: tuple[HeadToHead | None, HeadToHead | None]
    meetings: Meetings
    next_game: NextGame | None
    common: tuple[CommonOpponent, ...]
    common_number: int


class RatingBeside(NamedTuple):
    """The ratings of two players in a system."""

    system: System
    first: CurrentRating | None
    second: CurrentRating | None


def meetings_of(connection: Connection, federation: Federation, first: str, second: str) -> Meetings:
    """Return the games of two players, given by the ids under which they are rated."""
    games = played_games(connection, first, second)
    return Meetings(
        tuple(score for system in System for score in by_colour(federation, system, games)), games
    )


def compared(  # noqa: PLR0913, PLR0917 - who, in what, on which day
    connection: Connection, federation: Federation, first: str, second: str, system: System | None, on: date
) -> Comparison:
    """Return two players beside each other; *on* chooses the official list.

    Only with a *system* the games of both against everybody are looked at, for the records and the common opponents.

    Raises:
        BookError: there is no such member.
    """
    first, second = (holding_id(connection, member) for member in (first, second))
    in_effect = list_in_effect(connection, federation, on)
    careers = (
        read_career(connection, federation, first, in_effect),
        read_career(connection, federation, second, in_effect),
    )
    players = (careers[0].player, careers[1].player)
    drawn = _both(careers, system)
    beside = Comparison(
        system=system,
        players=players,
        careers=drawn,
        records=(None, None),
        meetings=meetings_of(connection, federation, first, second),
        next_game=_next_game(federation, players, drawn and drawn.system, on),
        common=(),
        common_number=0,
    )
    if system is None:
        return beside
    met = tuple(opposition_of(connection, federation, member, system) for member in (first, second))
    both = _common(met[0], met[1])
    shown = both[:MOST_COMMON]
    names, scores = names_of(connection, shown), [opposition.scores(shown) for opposition in met]
    return beside._replace(
        records=(met[0].record, met[1].record),
        common=tuple(CommonOpponent(one, names[one], scores[0][one], scores[1][one]) for one in shown),
        common_number=len(both),
    )


def _both(careers: tuple[MemberCareer, MemberCareer], system: System | None) -> BothCareers | None:
    first, second = (career.series.points for career in careers)
    shared = [one for one in System if one in first and one in second and system in {None, one}]
    most = max(shared, key=lambda one: min(len(first[one]), len(second[one])), default=None)
    return None if most is None else BothCareers(most, first[most], second[most])


def _next_game(
    federation: Federation, players: tuple[Player, Player], drawn: System | None, on: date
) -> NextGame | None:
    own, their = (
        {one.system: one.current.rating for one in player.ratings if one.current} for player in players
    )
    for system in (drawn, *System):
        if system in own and system in their:
            rules = federation.rulebook.in_force(system, on)
            return NextGame(
                system, own[system] - their[system], expected_score(rules, own[system], their[system])
            )
    return None


def _common(first: Opposition, second: Opposition) -> list[str]:
    met = first.times_met() & second.times_met()
    return sorted(met, key=lambda one: (-met[one], one))


def ratings_beside(comparison: Comparison) -> list[RatingBeside]:
    """Return the ratings of both in each system in which one has any."""
    first, second = ({rating.system: rating for rating in player.ratings} for player in comparison.players)
    return [
        RatingBeside(system, first.get(system), second.get(system))
        for system in System
        if system in first or system in second
    ]


def _rating(rating: CurrentRating | None) -> str:
    return "-" if rating is None else rating_text(rating.current)


def _score_words(score: Score) -> str:
    return f"{score.points:g} of {score.games}"


def rating_columns_of(comparison: Comparison, named: Callable[[str], str] = str) -> Columns[RatingBeside]:
    """Return the columns of the ratings of both, *named* as names are written."""
    return Column("System", "system", format=SYSTEM_TITLES.__getitem__), *_of_both(comparison, _rating, named)


def common_columns(comparison: Comparison, named: Callable[[str], str] = str) -> Columns[CommonOpponent]:
    """Return the columns of the opponents whom both have met, *named* as names are written."""
    opponent: Column[CommonOpponent] = Column("Opponent", lambda one: named(one.name or one.opponent))
    return opponent, *_of_both(comparison, _score_words, named)


def _of_both(
    comparison: Comparison, words: Callable[[Any], str], named: Callable[[str], str]
) -> Columns[Any]:
    first, second = (named(player.name or player.id) for player in comparison.players)
    return (
        Column(first, "first", "right", words),
        Column(second if second != first else comparison.players[1].id, "second", "right", words),
    )


RECORDS: Columns[tuple[Player, HeadToHead | None]] = (
    Column("Player", lambda one: one[0].name or one[0].id),
    Column("Points", lambda one: _of(one[1], _score_words), "right"),
    Column("Won", lambda one: _of(one[1], lambda score: str(score.wins)), "right"),
    Column("Drawn", lambda one: _of(one[1], lambda score: str(score.draws)), "right"),
    Column("Lost", lambda one: _of(one[1], lambda score: str(score.losses)), "right"),
    Column("Against expectation", lambda one: _of(one[1], lambda score: score.against_expectation), "right"),
)


def _of(record: HeadToHead | None, words: Callable[[Score], str]) -> str:
    return "-" if record is None else words(record.score)


SCORES_BY_COLOUR: Columns[HeadToHead] = (
    Column("System", "system", format=SYSTEM_TITLES.__getitem__),
    Column("Games", lambda one: COLOUR_WORDS[one.colour]),
    Column("Points", lambda one: _score_words(one.score), "right"),
    Column("Expected", "score.expected_of_rated", "right", ".2f"),
    Column("Won", "score.wins", "right"),
    Column("Drawn", "score.draws", "right"),
    Column("Lost", "score.losses", "right"),
)
