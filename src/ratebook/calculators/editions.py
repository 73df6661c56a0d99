"""Estimates with every figure on the way: by the rules of a day, the approximation of 2001, the report of 1995."""

import math
from datetime import date
from typing import Any, NamedTuple

from ratebook.calculators import approx2001, estimate, r1995
from ratebook.calculators.arithmetic import Game
from ratebook.calculators.conversion1995 import CONVERTED_GAMES, ConvertedRating, assign_rating
from ratebook.findings import Finding, Place, finding
from ratebook.model import System
from ratebook.rating.floors import NO_FLOOR, peak_floor
from ratebook.rating.formulas import rounded
from ratebook.rating.special import ALL_LOSSES, ALL_WINS, MIXED
from ratebook.rules.rulebook import Rulebook
from ratebook.rules.timecontrol import check_schedule, parse_time_control, systems_for

RECORDS = {"mixed": MIXED, "wins": ALL_WINS, "losses": ALL_LOSSES}


class Situation(NamedTuple):
    """The player and the section of an estimate; *floor* is one that is known, whatever it comes from."""

    rating: float | None
    games: float
    age: float | None
    record: str
    half_k: bool
    peak: float | None
    floor: float | None = None


class OlderOptions(NamedTuple):
    """Options that only the older editions have."""

    edition: str | None
    bonus: str
    prison: bool
    fide: float | None
    cfc: float | None
    opponents: str | None


def by_timeline(  # noqa: PLR0913, PLR0917 - what the command takes
    situation: Situation,
    games: list[Game],
    rulebook: Rulebook,
    day: date,
    wanted: System | None,
    time_control: str | None,
) -> dict[str, Any] | list[Finding]:
    """Return the figures by the rules of *day*, or why there are none; findings are placed at the input.

    Raises:
        RuleNotKnown: the day is before the timeline.
    """
    system, dual_rated = wanted or System.REGULAR, False
    if time_control is not None:
        rated_in = _system_of(time_control, rulebook, day, system, chosen=wanted is not None)
        if isinstance(rated_in, list):
            return rated_in
        system, dual_rated = rated_in
    rules = rulebook.in_force(system, day)
    if not rules.system_exists:
        return [finding("system-not-rated.on-day", Place(input="system"), system=system, day=day)]
    if situation.half_k and rules.half_k_numerator < 0:
        return [finding("half-k-not-allowed.in-estimate", Place(input="half-k"), day=day)]
    rating = situation.rating
    before = estimate.first_rating(rules, situation.age) if rating is None else rating
    player = estimate.EstimatePlayer(
        before,
        situation.games,
        RECORDS[situation.record],
        half_k=situation.half_k,
        dual_rated=dual_rated and system is System.REGULAR,
    )
    estimated = estimate.estimate_rating(rules, player, games)
    worth = estimate.last_game_worth(rules, player, games)
    after = estimated.rating_after
    of_peak = NO_FLOOR if situation.peak is None else peak_floor(rules, situation.peak)
    floor = max(of_peak, NO_FLOOR if situation.floor is None else situation.floor)
    if floor != NO_FLOOR:
        after = max(after, floor)
        worth = estimate.LastGame(*(max(rating, floor) for rating in worth))
    return {
        "rules of": day.isoformat(),
        "system": system.value,
        "rating before": before,
        "formula": estimated.formula,
        "effective games": estimated.effective_games,
        "score": estimated.score,
        **(
            {"opponents faced at": list(estimated.opponents)}
            if any(game.is_newcomer for game in games)
            else {}
        ),
        "expectancies": list(estimated.expectancies),
        "expected score": estimated.expected,
        "k": estimated.k,
        "bonus multiplier": rules.bonus_multiplier,
        "bonus threshold": estimated.bonus_threshold,
        "bonus eligible": estimated.bonus_eligible,
        "bonus": estimated.bonus,
        **({} if situation.peak is None else {"peak floor": None if of_peak == NO_FLOOR else of_peak}),
        **({} if situation.floor is None else {"floor": situation.floor}),
        "rating after": after,
        "displayed": rounded(after),
        "games after": None if math.isinf(estimated.games_after) else estimated.games_after,
        "last game": worth._asdict(),
    }


def _system_of(
    text: str, rulebook: Rulebook, day: date, system: System, *, chosen: bool
) -> tuple[System, bool] | list[Finding]:
    """Return the system that a time control chooses (*system* itself if it is dual-rated), and whether it is dual."""
    where = Place(input="time-control")
    time_control = parse_time_control(text, where)
    if isinstance(time_control, Finding):
        return [time_control]
    systems = systems_for(rulebook, time_control, day, online=system.online)
    if not systems:
        if differ := check_schedule(rulebook, time_control, day, where, online=system.online):
            return list(differ)
        return [
            finding("time-control-not-ratable.estimate", where, text=text, total=time_control.total, day=day)
        ]
    if chosen and system not in systems:
        named = " and ".join(systems)
        return [
            finding(
                "system-not-rated.by-time-control",
                Place(input="system"),
                text=text,
                systems=named,
                system=system,
            )
        ]
    return (system if system in systems else systems[0]), len(systems) > 1


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
        figures |= _with_floor(floor.floor, figures["rating_after"]) | {"highest_less_200": floor.reduced}
    return figures | _held(situation, figures)


def _with_floor(floor: float, rating_after: float) -> dict[str, Any]:
    """Return the figures of a peak floor, and the rating that it may hold up."""
    return {"peak_floor": floor, "rating_after": max(rating_after, floor)}


def _held(situation: Situation, figures: dict[str, Any]) -> dict[str, Any]:
    """Return a floor that is known, and the rating that it may hold up."""
    floor = situation.floor
    return {} if floor is None else {"floor": floor, "rating_after": max(figures["rating_after"], floor)}


def by_1995(situation: Situation, games: list[Game], older: OlderOptions) -> dict[str, Any]:
    """Return the figures of the 1995 edition; the scholastic K holds where an age is given."""
    converted = None
    if older.fide is not None or older.cfc is not None:
        converted = assign_rating(cfc=older.cfc, fide=older.fide)
    provisional = math.isfinite(situation.games) and r1995.is_provisional(situation.games)
    figures: dict[str, Any]
    if converted is not None:
        both = older.cfc is not None and older.fide is not None
        result = r1995.rate_provisional(converted.rating, CONVERTED_GAMES, games)
        figures = {
            "edition": "1995, provisional",
            "converted_from": foreign_text(converted) + ("; --fide is not used beside --cfc" if both else ""),
            **result._asdict(),
        }
    elif situation.rating is None or provisional:
        result = r1995.rate_provisional(situation.rating, situation.games, games)
        figures = {"edition": "1995, provisional", **result._asdict()}
    else:
        figures = _established_of_1995(situation, situation.rating, games)
    if situation.peak is not None:
        floor = r1995.peak_floor(situation.peak, prison=older.prison)
        figures |= _with_floor(floor, figures["rating_after"])
    return figures | _held(situation, figures)


def foreign_text(converted: ConvertedRating) -> str:
    """Return a converted rating in words.

    >>> foreign_text(assign_rating(cfc=1970))
    'CFC 1970 is 1958, provisional on 10 games'
    """
    kind = "as established" if converted.games is None else f"provisional on {converted.games} games"
    return f"{converted.federation.upper()} {converted.foreign_rating:g} is {converted.rating}, {kind}"


def _established_of_1995(situation: Situation, rating: float, games: list[Game]) -> dict[str, Any]:
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
