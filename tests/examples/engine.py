"""What a worked example of J15, N15 and D25 may ask for: each calculator turns a case's inputs into its figures."""

from __future__ import annotations

import math
from datetime import date
from typing import TYPE_CHECKING, Any

from ratebook.findings import Finding
from ratebook.model import PlayerFacts, Rating, System
from ratebook.rating.floors import NO_FLOOR, money_floor, peak_floor, personal_floor
from ratebook.rating.formulas import (
    converted_cfc,
    converted_fide,
    converted_fide_youth,
    k_factor,
    most_effective_games,
    rounded,
)
from ratebook.rating.step1 import age_rating
from ratebook.rules.rulebook import load_rulebook
from ratebook.rules.timecontrol import parse_time_control, systems_for
from support.builders import rate, rules_of, seat_of, section, workings_of

if TYPE_CHECKING:
    from collections.abc import Callable

Case = dict[str, Any]


def displayed(ratings: list[float]) -> Case:
    return {"shown": [rounded(rating) for rating in ratings]}


def established(on: str, games: list[float]) -> Case:
    return {"established": [count > rules_of(on).established_above_games for count in games]}


def games_in_effect(on: str, rating: float, games: float) -> Case:
    most = most_effective_games(rules_of(on), rating)
    rated = rate([Rating(rating, games), Rating(1500.0, 50)], ["D2", "D1"], on=on)
    return {
        "under_the_root": (50.0 / most) ** 2,
        "most": most,
        "effective": workings_of(rated, 1).effective_games,
    }


def k(on: str, rating: float, effective_games: float, played: int, *, dual_rated: bool = False) -> Case:
    found = k_factor(rules_of(on), rating, effective_games, played, 0, int(dual_rated))
    return {"k": found, "k_times_games": found * (effective_games + played)}


def bonus_multiplier(days: list[str]) -> Case:
    return {"multipliers": [rules_of(day).bonus_multiplier for day in days]}


def personal(on: str, wins: int, draws: int, long_sections: int) -> Case:
    return {"floor": personal_floor(rules_of(on), wins, draws, long_sections)}


def peak(on: str, peak: float) -> Case:
    rules = rules_of(on)
    floor = peak_floor(rules, peak)
    return {
        "less_200": rounded(peak) - rules.peak_floor_drop,
        "floor": "none" if floor == NO_FLOOR else floor,
    }


def money(on: str, prize: float, limit: float) -> Case:
    rules = rules_of(on)
    return {
        "large_enough": prize >= rules.money_floor_prize,
        "floor": money_floor(rules, rules.money_floor_prize, limit),
    }


def convert_fide(on: str, fide: float) -> Case:
    return {"converted": converted_fide(rules_of(on), fide)}


def convert_cfc(on: str, cfc: float) -> Case:
    return {"converted": converted_cfc(rules_of(on), cfc)}


def convert_fide_youth(on: str, fide: float) -> Case:
    return {"converted": converted_fide_youth(rules_of(on), fide)}


def by_age(on: str, days: int | None = None, *, adult: bool = False) -> Case:
    end = 738000.0
    born = -1.0 if days is None else end - days
    return {"rating": age_rating(rules_of(on), born, int(adult), end)}


def time_control(on: str, text: str) -> Case:
    parsed = parse_time_control(text)
    assert not isinstance(parsed, Finding), parsed
    systems = systems_for(load_rulebook(), parsed, date.fromisoformat(on), online=False)
    return {"systems": [system.value for system in systems]}


def blend(system: str, start: str, end: str, born: str, sources: list[Case]) -> Case:
    ratings = {
        System(source["system"]): Rating(
            float(source["rating"]), None, as_of=date.fromisoformat(source["as_of"])
        )
        for source in sources
    }
    rated_in = System(system)
    facts = {
        "1": PlayerFacts("1", birth_date=date.fromisoformat(born), ratings=ratings),
        "2": PlayerFacts("2", ratings={rated_in: Rating(1500.0, 50)}),
    }
    rated = rate(facts, section(["D2", "D1"], on=start, end=end), system=rated_in)
    step1 = rated.step1
    assert step1 is not None
    places = [list(System).index(one) for one in ratings]
    before = seat_of(rated, 1).before
    columns = {
        "x": step1.converted,
        "g": step1.factor,
        "d": step1.staleness_days,
        "p": step1.age_rating,
        "z": step1.strength,
        "s": step1.staleness,
        "w": step1.weight,
    }
    return {
        **{name: [values[place] for place in places] for name, values in columns.items()},
        "sum_of_weights": math.fsum(step1.weight[place] for place in places),
        "rating": before.rating,
        "games": before.games,
    }


CALCULATORS: dict[str, Callable[..., Case]] = {
    "displayed": displayed,
    "established": established,
    "effective_games": games_in_effect,
    "k_factor": k,
    "bonus_multiplier": bonus_multiplier,
    "personal_floor": personal,
    "peak_floor": peak,
    "money_floor": money,
    "convert_fide": convert_fide,
    "convert_cfc": convert_cfc,
    "convert_fide_youth": convert_fide_youth,
    "age_rating": by_age,
    "time_control": time_control,
    "blend": blend,
}
