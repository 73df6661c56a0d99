"""The worked examples of R95 and A01, asserted as printed.

A case names its calculator, its inputs and what it expects. Expected values are exact, except

* a string, which is a number as printed: its tolerance is half a unit of the last printed digit;
* a table ``{printed, tolerance}``, which widens that tolerance and needs a ``why`` in the case;
* a list, which is compared element by element.

``contradiction`` marks an expectation that the document itself contradicts: it must fail.
"""

from __future__ import annotations

import copy
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ratebook.calculators import approx2001, conversion1995, fics_glicko, r1995

if TYPE_CHECKING:
    from collections.abc import Callable

Case = dict[str, Any]

FOLDER = Path(__file__).parent
DOCUMENTS = ("r95.toml", "a01.toml")
REQUIRED_KEYS = {"name", "where", "calculator", "statements", "inputs", "expected"}
OPTIONAL_KEYS = {"why", "contradiction"}


def r95_peak_floor(highest: float, *, prison: bool) -> Case:
    return {"floor": r1995.peak_floor(highest, prison=prison)}


def r95_table(federation: str) -> Case:
    table = conversion1995.conversion_table(conversion1995.Federation(federation))
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
    played = [r1995.Game(**game) for game in games]
    result = r1995.rate_established(rating_before, played, age=age, scholastic=scholastic)
    return {
        "normal_k": result.normal_k,
        "k_factors": [game.k_factor for game in result.games],
        "expectancies": [game.expected_score for game in result.games],
        "rating_after": result.rating_after,
    }


def r95_glicko_new_player() -> Case:
    return fics_glicko.Player()._asdict()


def r95_glicko_intervals(rating: float, deviation: float) -> Case:
    result = fics_glicko.intervals(fics_glicko.Player(rating, deviation))
    return {
        "probabilities": [interval.probability for interval in result],
        "lows": [interval.low for interval in result],
        "highs": [interval.high for interval in result],
    }


def r95_glicko_balance(winner: Case, loser: Case) -> Case:
    won, lost = fics_glicko.rate_both(fics_glicko.Player(**winner), fics_glicko.Player(**loser), 1)
    return {
        "winner_gains": won.change > 0,
        "loser_loses": lost.change < 0,
        "winner_moves_more": won.change > 10 * abs(lost.change),
    }


def a01_rate_special(rating_before: float, games_before: float, games: list[Case]) -> Case:
    played = [approx2001.Game(**game) for game in games]
    result = approx2001.rate_special(rating_before, games_before, played)
    return {**result._asdict(), "games_played": result.games}


def a01_effective_games(rating: float, games_before: float) -> Case:
    return approx2001.effective_games(rating, games_before)._asdict()


def a01_rate_standard(rating_before: float, games_before: float, games: list[Case]) -> Case:
    played = [approx2001.Game(**game) for game in games]
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


def load_cases() -> list[Case]:
    """Return the cases of every document, in the order of the files."""
    return [
        case
        for name in DOCUMENTS
        for case in tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))["case"]
    ]


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
        assert isinstance(actual, list | tuple), label
        assert len(actual) == len(expected), label
        for position, (one, wanted) in enumerate(zip(actual, expected, strict=True)):
            assert_matches(one, wanted, f"{label}[{position}]")
    elif isinstance(expected, dict):
        assert expected.keys() == {"printed", "tolerance"}, label
        assert actual == pytest.approx(float(expected["printed"]), abs=expected["tolerance"]), label
    elif isinstance(expected, str):
        # A hair more than half a digit, for the binary form of the printed number.
        assert actual == pytest.approx(float(expected), abs=printed_tolerance(expected) + 1e-12), label
    else:
        assert actual == expected, label


def check_case(case: Case) -> None:
    """Assert a case: its form, its inputs, and every key that it expects."""
    keys = case.keys()
    assert keys >= REQUIRED_KEYS, f"{case.get('name')}: lacks {REQUIRED_KEYS - keys}"
    assert keys <= REQUIRED_KEYS | OPTIONAL_KEYS, f"{case['name']}: unknown keys"
    assert case["expected"], f"{case['name']}: expects nothing"
    if any(isinstance(value, dict) for value in case["expected"].values()):
        assert case.get("why"), f"{case['name']}: a wider tolerance needs its reason"
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
        return [*value[:-1], spoiled(value[-1])]
    if isinstance(value, dict):
        return {**value, "printed": spoiled(value["printed"])}
    if isinstance(value, str):
        # One unit of the last printed digit, and a wider tolerance's worth on top.
        return f"{float(value) + 0.1 + 2 * printed_tolerance(value):.6f}"
    assert isinstance(value, int | float)
    return value + 1


def as_parameter(case: Case) -> Any:  # noqa: ANN401 - pytest has no public type for a parameter set
    """Return a case as a parameter that carries its statements and its contradiction."""
    marks: list[pytest.MarkDecorator] = [pytest.mark.statement(*case["statements"])]
    if "contradiction" in case:
        marks.append(pytest.mark.xfail(strict=True, raises=AssertionError, reason=case["contradiction"]))
    return pytest.param(case, id=f"{case['calculator']}: {case['name']}", marks=marks)


CASES = load_cases()
TRUE_CASES = [case for case in CASES if "contradiction" not in case]


@pytest.mark.parametrize("case", [as_parameter(case) for case in CASES])
def test_the_example_comes_out_as_printed(case: Case) -> None:
    check_case(case)


@pytest.mark.parametrize(
    ("case", "key"),
    [pytest.param(case, key, id=f"{case['name']}: {key}") for case in TRUE_CASES for key in case["expected"]],
)
def test_every_expectation_is_asserted(case: Case, key: str) -> None:
    """Spoil one expected value: a case that still passed would not have looked at it."""
    doctored = copy.deepcopy(case)
    doctored["expected"][key] = spoiled(case["expected"][key])
    with pytest.raises(AssertionError, match=re.escape(key)):
        check_case(doctored)


def test_a_misspelt_expectation_fails() -> None:
    doctored = {**CASES[0], "expected": {"flor": 1400}}
    with pytest.raises(AssertionError, match="gives no"):
        check_case(doctored)


def test_a_misspelt_input_fails() -> None:
    doctored = {**CASES[0], "inputs": {"highest": 1750, "prisson": True}}
    with pytest.raises(TypeError, match="prisson"):
        check_case(doctored)


def test_a_misspelt_key_of_a_case_fails() -> None:
    with pytest.raises(AssertionError, match="unknown keys"):
        check_case({**CASES[0], "toleranse": 1})


def test_a_case_that_expects_nothing_fails() -> None:
    with pytest.raises(AssertionError, match="expects nothing"):
        check_case({**CASES[0], "expected": {}})


def test_a_wider_tolerance_without_a_reason_fails() -> None:
    doctored = {**CASES[0], "expected": {"floor": {"printed": "1400", "tolerance": 1}}}
    with pytest.raises(AssertionError, match="needs its reason"):
        check_case(doctored)


def test_names_are_unique_and_statements_well_formed() -> None:
    names = [case["name"] for case in CASES]
    assert len(set(names)) == len(names)
    for case in CASES:
        assert case["statements"], case["name"]
        assert all(re.fullmatch(r"[A-Z]\d+", statement) for statement in case["statements"]), case["name"]


def test_every_calculator_of_the_runner_has_a_case() -> None:
    assert {case["calculator"] for case in CASES} == set(CALCULATORS)
