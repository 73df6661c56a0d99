"""Estimates by the rules of a day, with every figure on the way."""

import math
from datetime import date
from typing import Any

from ratebook.calculators.editions import Situation
from ratebook.calculators.estimate import EstimatePlayer, LastGame, estimate_rating, last_game_worth
from ratebook.calculators.games import Game
from ratebook.findings import Finding, Place, finding
from ratebook.model import System
from ratebook.rating.floors import NO_FLOOR, peak_floor
from ratebook.rating.formulas import rounded
from ratebook.rating.special import ALL_LOSSES, ALL_WINS, MIXED
from ratebook.rating.step1 import age_rating
from ratebook.rules.in_force import RulesInForce
from ratebook.rules.rulebook import Rulebook
from ratebook.rules.timecontrol import check_schedule, parse_time_control, systems_for

RECORDS = {"mixed": MIXED, "wins": ALL_WINS, "losses": ALL_LOSSES}


def by_timeline(  # noqa: PLR0913, PLR0917 - what the command asks for
    situation: Situation,
    games: list[Game],
    rulebook: Rulebook,
    day: date,
    wanted: System | None,
    time_control: str | None,
) -> dict[str, Any] | list[Finding]:
    """Return the figures by the rules of *day*, or why there are none; findings lie at what was put in.

    Raises:
        RuleNotKnown: the day is before the timeline.
    """
    system, dual_rated = wanted or System.REGULAR, False
    if time_control is not None:
        chosen = system_of(time_control, rulebook, day, system, asked=wanted is not None)
        if isinstance(chosen, list):
            return chosen
        system, dual_rated = chosen
    rules = rulebook.in_force(system, day)
    if not rules.system_exists:
        return [finding("system-not-rated.on-day", Place(input="system"), system=system, day=day)]
    if situation.half_k and rules.half_k_numerator < 0:
        return [finding("half-k-not-allowed.in-estimate", Place(input="half-k"), day=day)]
    rating = situation.rating
    before = initial_by_age(rules, situation.age) if rating is None else rating
    player = EstimatePlayer(
        before,
        situation.games,
        RECORDS[situation.record],
        half_k=situation.half_k,
        dual_rated=dual_rated and system is System.REGULAR,
    )
    estimate = estimate_rating(rules, player, games)
    worth = last_game_worth(rules, player, games)
    after = estimate.rating_after
    floor = NO_FLOOR if situation.peak is None else peak_floor(rules, situation.peak)
    if floor != NO_FLOOR:
        after = max(after, floor)
        worth = LastGame(*(max(rating, floor) for rating in worth))
    return {
        "rules of": day.isoformat(),
        "system": system.value,
        "rating before": before,
        "formula": estimate.formula,
        "effective games": estimate.effective_games,
        "score": estimate.score,
        "expectancies": list(estimate.expectancies),
        "expected score": estimate.expected,
        "k": estimate.k,
        "bonus multiplier": rules.bonus_multiplier,
        "bonus threshold": estimate.bonus_threshold,
        "bonus eligible": estimate.bonus_eligible,
        "bonus": estimate.bonus,
        **({} if situation.peak is None else {"peak floor": None if floor == NO_FLOOR else floor}),
        "rating after": after,
        "displayed": rounded(after),
        "games after": None if math.isinf(estimate.games_after) else estimate.games_after,
        "last game": worth._asdict(),
    }


def system_of(
    text: str, rulebook: Rulebook, day: date, system: System, *, asked: bool
) -> tuple[System, bool] | list[Finding]:
    """Return the system that a time control chooses (the asked one where it is dual-rated), and whether it is dual."""
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
    if asked and system not in systems:
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


def initial_by_age(rules: RulesInForce, age: float | None) -> float:
    """Return the initial rating of an unrated player *age* years old (None: no birth date)."""
    if age is None:
        return age_rating(rules, -1.0, 0, 0.0)
    return age_rating(rules, 0.0, 0, age * rules.days_per_year)
