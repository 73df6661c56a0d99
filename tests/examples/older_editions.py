"""What a worked example of R95 and A01 may ask for: each calculator turns a case's inputs into all its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ratebook.calculators import approx2001, conversion1995, fics_glicko, r1995
from ratebook.calculators.arithmetic import Game

if TYPE_CHECKING:
    from collections.abc import Callable

Case = dict[str, Any]


def r95_peak_floor(highest: float, *, prison: bool) -> Case:
    return {"floor": r1995.peak_floor(highest, prison=prison)}


def r95_table(federation: str) -> Case:
    table = conversion1995.conversion_table(conversion1995.ForeignFederation(federation))
    return {
        "rows": len(table.foreign),
        "first": [table.foreign[0], table.converted[0]],
        "last": [table.foreign[-1], table.converted[-1]],
        "sum_of_foreign": sum(table.foreign),
        "sum_of_converted": sum(table.converted),
    }


def r95_assign_rating(cfc: float | None = None, fide: float | None = None) -> Case:
    result = conversion1995.assign_rating(cfc=cfc, fide=fide)
    return {"rating": result.rating, "games": result.games, "added": result.rating - result.foreign_rating}


def r95_rate_established(rating_before: float, games: list[Case], age: float, *, scholastic: bool) -> Case:
    played = [Game(**game) for game in games]
    result = r1995.rate_established(rating_before, played, age=age, scholastic=scholastic)
    return {
        "normal_k": result.normal_k,
        "k_factors": [game.k_factor for game in result.games],
        "expectancies": [game.expected_score for game in result.games],
        "rating_after": result.rating_after,
    }


def r95_glicko_new_player() -> Case:
    return fics_glicko.FicsRating()._asdict()


def r95_glicko_intervals(rating: float, deviation: float) -> Case:
    result = fics_glicko.intervals(fics_glicko.FicsRating(rating, deviation))
    return {
        "probabilities": [interval.probability for interval in result],
        "lows": [interval.low for interval in result],
        "highs": [interval.high for interval in result],
    }


def r95_glicko_balance(winner: Case, loser: Case) -> Case:
    won, lost = fics_glicko.rate_both(fics_glicko.FicsRating(**winner), fics_glicko.FicsRating(**loser), 1)
    return {
        "winner_gains": won.change > 0,
        "loser_loses": lost.change < 0,
        "winner_moves_more": won.change > 10 * abs(lost.change),
    }


def a01_rate_special(rating_before: float, games_before: float, games: list[Case]) -> Case:
    played = [Game(**game) for game in games]
    result = approx2001.rate_special(rating_before, games_before, played)
    return {**result._asdict(), "games_played": result.games}


def a01_effective_games(rating: float, games_before: float) -> Case:
    return approx2001.effective_games(rating, games_before)._asdict()


def a01_rate_standard(rating_before: float, games_before: float, games: list[Case]) -> Case:
    played = [Game(**game) for game in games]
    result = approx2001.rate_standard(rating_before, games_before, played)
    return {
        **result._asdict(),
        "games_played": result.games,
        "by_rating": result.effective_games.by_rating,
        "effective": result.effective_games.effective,
        "odds_against_first": 1.0 / result.expectancies[0] - 1.0,
    }


def a01_peak_floor(highest: float) -> Case:
    return approx2001.peak_floor(highest)._asdict()


CALCULATORS: dict[str, Callable[..., Case]] = {
    "r95.peak_floor": r95_peak_floor,
    "r95.table": r95_table,
    "r95.assign_rating": r95_assign_rating,
    "r95.rate_established": r95_rate_established,
    "r95.glicko_new_player": r95_glicko_new_player,
    "r95.glicko_intervals": r95_glicko_intervals,
    "r95.glicko_balance": r95_glicko_balance,
    "a01.rate_special": a01_rate_special,
    "a01.effective_games": a01_effective_games,
    "a01.rate_standard": a01_rate_standard,
    "a01.peak_floor": a01_peak_floor,
}
