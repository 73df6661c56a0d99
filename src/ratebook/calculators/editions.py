"""Estimates by the editions that are not the timeline: the report of 1995 and the approximation of 2001."""

import math
from typing import Any, NamedTuple

from ratebook.calculators import approx2001, r1995
from ratebook.calculators.conversion1995 import ConvertedRating, assign_rating
from ratebook.calculators.games import Game


class Situation(NamedTuple):
    """The player and the section of an estimate."""

    rating: float | None
    games: float
    age: float | None
    record: str
    half_k: bool
    peak: float | None


class OlderOptions(NamedTuple):
    """What only the older editions ask for."""

    edition: str | None
    bonus: str
    prison: bool
    fide: float | None
    cfc: float | None
    opponents: str | None


def by_2001(situation: Situation, games: list[Game], bonus: str) -> dict[str, Any]:
    """Return the figures of the 2001 approximating formulas."""
    count = 50.0 if math.isinf(situation.games) else situation.games
    figures: dict[str, Any]
    if situation.rating is None or approx2001.uses_special_formula(count):
        special = approx2001.rate_special(situation.rating, count, games)
        figures = {"edition": "2001, special", **special._asdict()}
    else:
        standard = approx2001.rate_standard(
            situation.rating,
            count,
            games,
            half_k=situation.half_k,
            bonus_multiplier=16 if bonus == "16" else 10,
        )
        figures = {
            "edition": "2001, standard",
            **standard._asdict(),
            "effective_games": standard.effective_games._asdict(),
        }
    if situation.peak is not None:
        floor = approx2001.peak_floor(situation.peak)
        figures |= with_floor(floor.floor, figures["rating_after"]) | {"highest_less_200": floor.reduced}
    return figures


def with_floor(floor: float, rating_after: float) -> dict[str, Any]:
    """Return the figures of a peak floor, and the rating that it may hold up."""
    return {"peak_floor": floor, "rating_after": max(rating_after, floor)}


def by_1995(situation: Situation, games: list[Game], older: OlderOptions) -> dict[str, Any]:
    """Return the figures of the 1995 edition; the scholastic K holds where an age is given."""
    converted = None
    if older.fide is not None or older.cfc is not None:
        converted = assign_rating(cfc=older.cfc, fide=older.fide)
    provisional = math.isfinite(situation.games) and r1995.is_provisional(situation.games)
    figures: dict[str, Any]
    if converted is not None:
        both = older.cfc is not None and older.fide is not None
        result = r1995.rate_converted(converted, games)
        figures = {
            "edition": "1995, provisional",
            "converted_from": foreign_text(converted) + ("; --fide is not used beside --cfc" if both else ""),
            **result._asdict(),
        }
    elif situation.rating is None or provisional:
        result = r1995.rate_provisional(situation.rating, situation.games, games)
        figures = {"edition": "1995, provisional", **result._asdict()}
    else:
        figures = established_of_1995(situation, situation.rating, games)
    if situation.peak is not None:
        floor = r1995.peak_floor(situation.peak, prison=older.prison)
        figures |= with_floor(floor, figures["rating_after"])
    return figures


def foreign_text(converted: ConvertedRating) -> str:
    """Return a converted rating in words.

    >>> foreign_text(assign_rating(cfc=1970))
    'CFC 1970 is 1958, provisional on 10 games'
    """
    kind = "as established" if converted.games is None else f"provisional on {converted.games} games"
    return f"{converted.federation.upper()} {converted.foreign_rating:g} is {converted.rating}, {kind}"


def established_of_1995(situation: Situation, rating: float, games: list[Game]) -> dict[str, Any]:
    """Return the figures of an established player of 1995."""
    scholastic = situation.age is not None or any(game.opponent_age is not None for game in games)
    established = r1995.rate_established(rating, games, age=situation.age, scholastic=scholastic)
    return {
        "edition": "1995, established",
        **established._asdict(),
        "stretches": [stretch._asdict() for stretch in established.stretches],
        "games": [
            {
                "opponent": game.game.opponent_rating,
                "k": game.k_factor,
                "expected": game.expected_score,
                "change": game.change,
            }
            for game in established.games
        ],
    }
