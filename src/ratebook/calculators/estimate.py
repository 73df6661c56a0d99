"""Estimates for one player against opponents whose ratings stay fixed: one pass of the timeline's own formulas.

A real section also rates the opponents first (Step 4), so that a published rating may differ by a few points. An
opponent without a rating is faced as a section has it (Step 3): at the rating that the special formula gives the
newcomer, who starts with the first rating for the age, for the games against the player. Other games of the newcomer
count in a section, and are not known here.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from ratebook.calculators.arithmetic import Game, contradicted_rating
from ratebook.rating.columns import GameColumns, Starters, section_columns
from ratebook.rating.formulas import NO_AGE, stored_rating
from ratebook.rating.results import FORMULA_NAMES
from ratebook.rating.special import MIXED
from ratebook.rating.step1 import age_rating
from ratebook.rating.steps import STANDARD, SectionColumns, prepare_players, rate_all, rate_newcomers
from ratebook.rules.in_force import CONSTANT, RulesInForce


class EstimatePlayer(NamedTuple):
    """The player and how the section is rated.

    Attributes:
        rating: R0, rating points.
        games: N; infinite for an established player whose number is unknown; 0 for an unrated one.
        record: whether all earlier games were wins or losses (``special`` codes).
        half_k: a half-K section (before March 2006).
        dual_rated: OTB Regular in a section that is also rated in OTB Quick.
    """

    rating: float
    games: float = math.inf
    record: int = MIXED
    half_k: bool = False
    dual_rated: bool = False


class Estimate(NamedTuple):
    """The figures of an estimate; K, the bonus and its threshold exist in the standard formula only.

    Attributes:
        opponents: the ratings at which the opponents are faced, one a game.
    """

    rating_before: float
    games_before: float
    formula: str
    effective_games: float
    score: float
    opponents: tuple[float, ...]
    expectancies: tuple[float, ...]
    expected: float
    k: float | None
    change: float | None
    bonus_eligible: bool
    bonus_threshold: float | None
    bonus: float | None
    rating_after: float
    games_after: float


class LastGame(NamedTuple):
    """The rating after the event if the last game is won, drawn or lost."""

    win: float
    draw: float
    loss: float


def estimate_rating(rules: RulesInForce, player: EstimatePlayer, games: Sequence[Game]) -> Estimate:
    """Return the estimated rating of *player* after *games*, by the *rules* of the system and the day.

    An empty list, a number that is not finite, or one opponent with two ratings raises ``ValueError``.

    Source: D25 sections 3 and 4, one pass as in section 6.

    >>> from ratebook.rules.rulebook import rules_on
    >>> results = [Game(1400.0, 1.0), Game(1550.0, 0.0), Game(1650.0, 0.5)]
    >>> round(estimate_rating(rules_on("2024-06-01"), EstimatePlayer(1500.0, 6.0), results).rating_after, 3)
    1511.111
    """
    if not games:
        raise ValueError("an estimate needs at least one game")
    rated = [game.opponent_rating for game in games if not game.is_newcomer]
    if not all(math.isfinite(value) for value in (player.rating, *rated)):
        raise ValueError("ratings must be finite numbers")
    contradicted = contradicted_rating(games)
    if contradicted is not None:
        raise ValueError(f"the opponent {contradicted[0]!r} has two ratings; give one, or two names")
    columns = estimate_columns(rules, player, games)
    prepare_players(rules, 1 if player.half_k else 0, 1 if player.dual_rated else 0, 0, columns)
    rate_newcomers(rules, columns)
    rate_all(rules, columns, columns.step3, columns.step5, columns.expectancy5)
    standard = columns.formula[0] == STANDARD
    weight = rules.half_k_game_weight if player.half_k else 1.0
    return Estimate(
        rating_before=player.rating,
        games_before=player.games,
        formula=FORMULA_NAMES[columns.formula[0]],
        effective_games=columns.effective_games[0],
        score=columns.total_score[0],
        opponents=tuple(columns.step3[opponent] for opponent in columns.opponent[: len(games)]),
        expectancies=tuple(columns.expectancy5[: len(games)]),
        expected=columns.expected[0],
        k=columns.k[0] if standard else None,
        change=columns.change[0] if standard else None,
        bonus_eligible=bool(columns.bonus_eligible[0]),
        bonus_threshold=columns.bonus_threshold[0] if standard else None,
        bonus=columns.bonus[0] if standard else None,
        rating_after=stored_rating(rules, player.rating, columns.step5[0]),
        games_after=player.games + weight * len(games),
    )


def first_rating(rules: RulesInForce, age: float | None) -> float:
    """Return the rating with which an unrated player *age* years old starts (None: no birth date).

    >>> from ratebook.rules.rulebook import rules_on
    >>> first_rating(rules_on("2024-06-01"), 10.0), first_rating(rules_on("2024-06-01"), None)
    (500.0, 750.0)
    """
    if rules.initial_method == CONSTANT:
        return rules.initial_constant
    if age is None:
        return age_rating(rules, -1.0, 0, 0.0)
    return age_rating(rules, 0.0, 0, age * rules.days_per_year)


def estimate_columns(rules: RulesInForce, player: EstimatePlayer, games: Sequence[Game]) -> SectionColumns:
    """Return a section of one player with games and the opponents: newcomers have the same games, others none."""
    names = [
        game.opponent if game.opponent is not None else f" {number}" for number, game in enumerate(games)
    ]
    at = {name: 1 + number for number, name in enumerate(dict.fromkeys(names))}
    opponents = dict(zip(names, games, strict=True))
    newcomers = [opponents[name].is_newcomer for name in at]
    others = len(at)
    starters = Starters(
        players=["player"],
        places={"player": 0},
        rating=[
            player.rating,
            *(
                first_rating(rules, game.opponent_age) if game.is_newcomer else game.opponent_rating
                for game in opponents.values()
            ),
        ],
        games=[player.games, *[0.0] * others],
        age=[NO_AGE] * (1 + others),
        newcomer=[0, *map(int, newcomers)],
        record=[player.record, *[MIXED] * others],
        several_seats=[0] * (1 + others),
        sources=[0] * (1 + others),
        step1=None,
        unrated={},
    )
    opponent, score, first_game = [at[name] for name in names], [game.score for game in games], [0]
    for name, is_newcomer in zip(at, newcomers, strict=True):
        first_game.append(len(opponent))
        if is_newcomer:
            theirs = [1.0 - game.score for other, game in zip(names, games, strict=True) if other == name]
            opponent += [0] * len(theirs)
            score += theirs
    columns = GameColumns(
        first_game=[*first_game, len(opponent)],
        opponent=opponent,
        score=score,
        rounds=list(range(1, len(opponent) + 1)),
        seats=[0] * len(opponent),
    )
    return section_columns(starters, columns)


def last_game_worth(rules: RulesInForce, player: EstimatePlayer, games: Sequence[Game]) -> LastGame:
    """Return what the result of the last game decides: the rating after a win, a draw and a loss in it."""

    def after(score: float) -> float:
        return estimate_rating(rules, player, [*games[:-1], games[-1]._replace(score=score)]).rating_after

    return LastGame(after(1.0), after(0.5), after(0.0))
