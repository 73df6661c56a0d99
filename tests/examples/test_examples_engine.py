"""The worked examples of J15, N15 and D25, asserted as printed.

A case names its calculator, its inputs and what it expects. Expected values are exact (floats within 1e-9), except

* a string of digits, which is a number as printed: its tolerance is half a unit of the last printed digit;
* a list, which is compared element by element.

``contradiction`` marks an expectation that the document itself contradicts: it must fail.
"""

from __future__ import annotations

import copy
import math
import re
import tomllib
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from builders import REGULAR, rate, rules_of, seat_of, section, workings_of
from ratebook.model import PlayerFacts, Rating, System
from ratebook.problems import Problem
from ratebook.rating.floors import NO_FLOOR, money_floor, peak_floor, personal_floor
from ratebook.rating.formulas import (
    converted_cfc,
    converted_fide,
    converted_fide_youth,
    k_factor,
    most_effective_games,
    rounded,
)
from ratebook.rating.initial import age_rating
from ratebook.rules.rulebook import load_rulebook
from ratebook.rules.timecontrol import parse_time_control, systems_for

if TYPE_CHECKING:
    from collections.abc import Callable

Case = dict[str, Any]

FOLDER = Path(__file__).parent
DOCUMENTS = ("j15.toml", "n15.toml", "d25.toml")
REQUIRED_KEYS = {"name", "where", "calculator", "statements", "inputs", "expected"}
OPTIONAL_KEYS = {"contradiction"}
PRINTED = re.compile(r"[0-9]+(\.[0-9]+)?")


# The calculators: each turns the inputs of a case into everything that a case may expect.


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
    return {"large_enough": prize >= rules.money_floor_prize, "floor": money_floor(rules, limit)}


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
    assert not isinstance(parsed, Problem), parsed
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


# The runner


def load_cases() -> list[Case]:
    """Return the cases of every document, in the order of the files."""
    cases = []
    for name in DOCUMENTS:
        document = tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))
        assert document.keys() == {"document", "case"}, f"{name}: unknown keys"
        cases += [{**case, "_document": name} for case in document["case"]]
    return cases


def printed_tolerance(printed: str) -> float:
    """Return half a unit of the last digit of a printed number.

    >>> printed_tolerance("0.640"), printed_tolerance("1500")
    (0.0005, 0.5)
    """
    _, _, decimals = printed.partition(".")
    return float(f"5e-{len(decimals) + 1}")


def assert_matches(actual: object, expected: object, label: str) -> None:
    """Assert that *actual* is what the document prints."""
    if isinstance(expected, list):
        assert isinstance(actual, list), label
        assert len(actual) == len(expected), label
        for position, (one, wanted) in enumerate(zip(actual, expected, strict=True)):
            assert_matches(one, wanted, f"{label}[{position}]")
    elif isinstance(expected, str) and PRINTED.fullmatch(expected):
        # A hair more than half a digit, for the binary form of the printed number.
        assert actual == pytest.approx(float(expected), abs=printed_tolerance(expected) + 1e-12), label
    elif isinstance(expected, int | float) and not isinstance(expected, bool):
        assert actual == pytest.approx(expected, abs=1e-9), label
    else:
        assert actual == expected, label


def check_case(case: Case) -> None:
    """Assert a case: its form, its inputs, and every key that it expects."""
    keys = case.keys() - {"_document"}
    assert keys >= REQUIRED_KEYS, f"{case.get('name')}: lacks {REQUIRED_KEYS - keys}"
    assert keys <= REQUIRED_KEYS | OPTIONAL_KEYS, f"{case['name']}: unknown keys"
    assert case["expected"], f"{case['name']}: expects nothing"
    actual = CALCULATORS[case["calculator"]](**case["inputs"])
    unknown = case["expected"].keys() - actual.keys()
    assert not unknown, f"{case['name']}: {case['calculator']} gives no {sorted(unknown)}"
    for key, expected in case["expected"].items():
        assert_matches(actual[key], expected, f"{case['name']}: {key}")


def spoiled(value: object) -> object:
    """Return an expectation that a right answer cannot meet."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, list):
        return [*value[:-1], spoiled(value[-1])] if value else ["something"]
    if isinstance(value, str):
        if not PRINTED.fullmatch(value):
            return f"not {value}"
        # More than one unit of the last printed digit.
        return f"{float(value) + 4 * printed_tolerance(value):.6f}"
    assert isinstance(value, int | float)
    return value + 1


def as_parameter(case: Case) -> Any:  # noqa: ANN401 - pytest has no public type for a parameter set
    """Return a case as a parameter that carries its statements and its contradiction."""
    marks: list[pytest.MarkDecorator] = [pytest.mark.statement(*case["statements"])]
    if "contradiction" in case:
        marks.append(pytest.mark.xfail(strict=True, raises=AssertionError, reason=case["contradiction"]))
    return pytest.param(case, id=f"{case['_document']}: {case['name']}", marks=marks)


CASES = load_cases()
TRUE_CASES = [case for case in CASES if "contradiction" not in case]


@pytest.mark.parametrize("case", [as_parameter(case) for case in CASES])
def test_the_example_comes_out_as_printed(case: Case) -> None:
    check_case(case)


@pytest.mark.parametrize(
    ("case", "key"),
    [
        pytest.param(case, key, id=f"{case['_document']}: {case['name']}: {key}")
        for case in TRUE_CASES
        for key in case["expected"]
    ],
)
def test_every_expectation_is_asserted(case: Case, key: str) -> None:
    """Spoil one expected value: a case that still passed would not have looked at it."""
    doctored = copy.deepcopy(case)
    doctored["expected"][key] = spoiled(case["expected"][key])
    with pytest.raises(AssertionError, match=re.escape(key)):
        check_case(doctored)


def test_a_misspelt_expectation_fails() -> None:
    with pytest.raises(AssertionError, match="gives no"):
        check_case({**CASES[0], "expected": {"shwon": [1644, 1431]}})


def test_a_misspelt_input_fails() -> None:
    with pytest.raises(TypeError, match="ratngs"):
        check_case({**CASES[0], "inputs": {"ratngs": [1643.759]}})


def test_a_misspelt_key_of_a_case_fails() -> None:
    with pytest.raises(AssertionError, match="unknown keys"):
        check_case({**CASES[0], "toleranse": 1})


def test_a_case_that_lacks_a_key_fails() -> None:
    with pytest.raises(AssertionError, match="lacks"):
        check_case({key: value for key, value in CASES[0].items() if key != "where"})


def test_a_case_that_expects_nothing_fails() -> None:
    with pytest.raises(AssertionError, match="expects nothing"):
        check_case({**CASES[0], "expected": {}})


def test_names_are_unique_and_statements_well_formed() -> None:
    names = [(case["_document"], case["name"]) for case in CASES]
    assert len(set(names)) == len(names)
    for case in CASES:
        assert case["statements"], case["name"]
        assert all(re.fullmatch(r"[A-Z]\d+", statement) for statement in case["statements"]), case["name"]


def test_every_calculator_of_the_runner_has_a_case() -> None:
    assert {case["calculator"] for case in CASES} == set(CALCULATORS)


def test_the_editions_of_2015_print_the_same_examples() -> None:
    """Word for word they differ in names, in B and in who is updated for foreign events only."""
    j15, n15 = (
        {case["name"]: case["expected"] for case in CASES if case["_document"] == name}
        for name in ("j15.toml", "n15.toml")
    )
    assert j15.keys() == n15.keys()
    assert [name for name in j15 if j15[name] != n15[name]] == ["the bonus multiplier"]


def test_the_example_of_the_blend_is_weighed_to_full_precision() -> None:
    """5.98 is not ten times the printed 0.60: "calculations are actually done to full precision"."""
    case = next(case for case in CASES if case["calculator"] == "blend")
    weights = CALCULATORS["blend"](**case["inputs"])["w"]
    assert weights == pytest.approx([5.98498, 2.73796, 4.14572], abs=5e-6)
    assert REGULAR.value == case["inputs"]["sources"][0]["system"]
    assert date(2020, 9, 1) - timedelta(days=891) == date.fromisoformat(case["inputs"]["sources"][0]["as_of"])
