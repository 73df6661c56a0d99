"""Norms: whose score in one section was good enough for which level.

Titles are decided in ``awards``. `norms_of_section` takes other *rules* of titles than the packaged ones.
"""

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from ratebook.model import SCORES, Section, SectionType, System
from ratebook.rating.results import RatedSection
from ratebook.titles.title_rules import NormRules, TitleRules, title_rules


class NoNorm(StrEnum):
    """Why a player made no norm: what the section is, or what the player did in it."""

    OTHER_SYSTEM = "other-system"
    TOO_EARLY = "too-early"
    MATCH = "match"
    FOREIGN = "foreign-fide"
    ONLINE = "online"
    FEW_ROUNDS = "few-rounds"
    FEW_GAMES = "few-games"
    MET_TOO_OFTEN = "met-too-often"
    SCORE = "score"


class NormTry(NamedTuple):
    """One level that a player tried for: whether the *surplus* of the score over the sum of C is enough for it."""

    level: int
    expected: float
    surplus: float
    made: bool


class NormResult(NamedTuple):
    """What one player's section is worth in norms, with its workings.

    Attributes:
        level: the highest level at which a norm was made; it counts for all lower ones. None: no norm.
        reason: why there is none; None where there is one.
        games, score: the rated games that count, and the score in them.
        left_out: rated games that do not count, because the opponent has no rating after the section.
        by_few_games: whether the rule for three games and a full-point bye or forfeit win applies.
        margin: what the surplus must exceed, or by the rule for three games reach; None where no level was tried.
        tries: every level, rising; empty where no level was tried.
    """

    player: str
    level: int | None
    reason: NoNorm | None
    games: int
    score: float
    left_out: int
    by_few_games: bool
    margin: float | None
    tries: tuple[NormTry, ...]


class _Played(NamedTuple):
    """What one player did, all seats together: games as (opponent, score), and all result letters."""

    games: list[tuple[str, float]]
    letters: list[str]


def norm_expectation(level: float, opponent_rating: float) -> float:
    """Return C, the score that a norm at *level* expects against one opponent.

    With d = level - opponent_rating: 0 up to d = -400, 0.5 + d / 800 up to 0, 0.5 + d / 400 up to 200, then 1.

    The opponent's rating is the one after the section.

    Source: docs/rules/outside.md#6a-titles-from-norms.

    >>> norm_expectation(1600, 2000), norm_expectation(1600, 1600), norm_expectation(1600, 1500)
    (0.0, 0.5, 0.75)
    """
    return _on_line(title_rules().norm.expectancy, level - opponent_rating)


def _on_line(points: tuple[tuple[float, float], ...], difference: float) -> float:
    """Return the value at *difference* of the line through *points*, level beyond them."""
    start, low = points[0]
    if difference <= start:
        return low
    for end, high in points:
        if difference <= end:
            return low + (high - low) * (difference - start) / (end - start)
        start, low = end, high
    return low


def norms_of_section(
    section: Section,
    ratings_after: Mapping[str, float],
    *,
    system: System = System.REGULAR,
    rules: TitleRules | None = None,
) -> tuple[NormResult, ...]:
    """Return what a checked section is worth in norms, for each player in the order of first seats: OTB Regular only.

    Two seats of one person are one player (docs/rules/readings.md#a8). A norm at level L is made with at least four
    rated games and

        score > sum of C(L) + 1.0

    or with exactly three, a full-point bye or a forfeit win beside them, and score >= sum of C(L) + 2.0.

    *ratings_after* has the ratings after the section in full precision; a player who is still unrated is absent.

    Source: docs/rules/outside.md#6a-titles-from-norms; docs/rules/readings.md#titles.
    """
    in_force = rules or title_rules()
    barred = _why_no_norms(section, in_force.norm) if system is System.REGULAR else NoNorm.OTHER_SYSTEM
    return tuple(
        _norm_of(player, played, ratings_after, in_force, barred)
        for player, played in _played(section).items()
    )


def norms_made_in(section: Section, ratings_after: Mapping[str, float]) -> list[NormResult]:
    """Return what `norms_of_section` returns of those who made a norm, in OTB Regular by the packaged rules.

    Who expects too much of the lowest level makes no norm: every higher one expects as much or more.
    """
    rules = title_rules()
    if _why_no_norms(section, rules.norm) is not None:
        return []
    least, lowest = min(rules.norm.games, rules.norm.short_games), rules.levels[0]
    results = []
    for player, played in _played(section).items():
        if len(played.games) < least:
            continue
        surplus = 0.0
        for opponent, score in played.games:
            if opponent in ratings_after:
                surplus += score - _on_line(rules.norm.expectancy, lowest - ratings_after[opponent])
        # With half of what is asked for, no sum that is made in another order is missed.
        if surplus > min(rules.norm.margin, rules.norm.short_margin) / 2:
            results.append(_norm_of(player, played, ratings_after, rules, None))
    return [result for result in results if result.level is not None]


def norms_of_rated_section(rated: RatedSection) -> tuple[NormResult, ...]:
    """Return what a section is worth in norms, as it was rated in one system.

    Source: docs/rules/outside.md#6a-titles-from-norms.
    """
    after = {entry.player: entry.after.rating for entry in rated.entries if entry.after is not None}
    return norms_of_section(rated.section, after, system=rated.system)


def _why_no_norms(section: Section, rules: NormRules) -> NoNorm | None:
    """Return why no one can make a norm in *section*, or None."""
    if section.rules_date < rules.first_day:
        return NoNorm.TOO_EARLY
    if section.type is SectionType.MATCH:
        return NoNorm.MATCH
    if section.type is SectionType.FIDE:
        return NoNorm.FOREIGN
    if section.online:
        return NoNorm.ONLINE
    if rounds_of(section) < rules.rounds:
        return NoNorm.FEW_ROUNDS
    return None


def rounds_of(section: Section) -> int:
    """Return how many rounds *section* had: the last one in which anything is recorded for any player."""
    return max(
        (
            number
            for entry in section.entries
            for number, cell in enumerate(entry.rounds, start=1)
            if cell.letter
        ),
        default=0,
    )


def _played(section: Section) -> dict[str, _Played]:
    player_at = {entry.seat: entry.player for entry in section.entries}
    played: dict[str, _Played] = {}
    for entry in section.entries:
        own = played.setdefault(entry.player, _Played([], []))
        for cell in entry.rounds:
            own.letters.append(cell.letter)
            if cell.rated and cell.opponent is not None:
                own.games.append((player_at[cell.opponent], SCORES[cell.letter]))
    return played


def _norm_of(
    player: str, played: _Played, ratings_after: Mapping[str, float], rules: TitleRules, barred: NoNorm | None
) -> NormResult:
    norm = rules.norm
    games = [
        (ratings_after[opponent], score) for opponent, score in played.games if opponent in ratings_after
    ]
    score = 0.0
    for _, points in games:
        score += points
    few = len(games) == norm.short_games and any(letter in norm.short_letters for letter in played.letters)
    result = NormResult(
        player=player,
        level=None,
        reason=barred,
        games=len(games),
        score=score,
        left_out=len(played.games) - len(games),
        by_few_games=few,
        margin=None,
        tries=(),
    )
    if barred is not None:
        return result
    if len(games) < norm.games and not few:
        return result._replace(reason=NoNorm.FEW_GAMES)
    if max(Counter(opponent for opponent, _ in played.games).values(), default=0) > norm.most_meetings:
        return result._replace(reason=NoNorm.MET_TOO_OFTEN)
    tries = tuple(_try_for(level, games, score, few=few, rules=norm) for level in rules.levels)
    level = max((tried.level for tried in tries if tried.made), default=None)
    return result._replace(
        level=level,
        reason=NoNorm.SCORE if level is None else None,
        margin=norm.short_margin if few else norm.margin,
        tries=tries,
    )


def _try_for(
    level: int, games: list[tuple[float, float]], score: float, *, few: bool, rules: NormRules
) -> NormTry:
    expected = 0.0
    for rating, _ in games:
        expected += _on_line(rules.expectancy, level - rating)
    surplus = score - expected
    # Nothing that floating point adds may decide a tie: whole ratings give many exact ones.
    enough = surplus > rules.margin + rules.tolerance
    enough_for_few = surplus >= rules.short_margin - rules.tolerance
    return NormTry(level, expected, surplus, enough_for_few if few else enough)
