"""The worked examples of the five documents, asserted as printed.

A case names its calculator, its inputs and what it expects. Expected values are exact (floats within 1e-9), except

* a string of digits, which is a number as printed: its tolerance is half a unit of the last printed digit;
* a table ``{printed, tolerance}``, which widens that tolerance and needs a ``why`` in the case;
* a list, which is compared element by element.

``contradiction`` marks an expectation that the document itself contradicts: it must fail.
"""

from __future__ import annotations

import copy
import re
import tomllib
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from examples import engine, older_editions

Case = dict[str, Any]

FOLDER = Path(__file__).parent
DOCUMENTS = ("j15.toml", "n15.toml", "d25.toml", "r95.toml", "a01.toml")
CALCULATORS = {**engine.CALCULATORS, **older_editions.CALCULATORS}
REQUIRED_KEYS = {"name", "where", "calculator", "statements", "inputs", "expected"}
OPTIONAL_KEYS = {"why", "contradiction"}
PRINTED = re.compile(r"-?[0-9]+(\.[0-9]+)?")


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
        assert isinstance(actual, list | tuple), label
        assert len(actual) == len(expected), label
        for position, (one, wanted) in enumerate(zip(actual, expected, strict=True)):
            assert_matches(one, wanted, f"{label}[{position}]")
    elif isinstance(expected, dict):
        assert expected.keys() == {"printed", "tolerance"}, label
        assert actual == pytest.approx(float(expected["printed"]), abs=expected["tolerance"]), label
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
        return [*value[:-1], spoiled(value[-1])] if value else ["something"]
    if isinstance(value, dict):
        return {**value, "printed": spoiled(value["printed"])}
    if isinstance(value, str):
        if not PRINTED.fullmatch(value):
            return f"not {value}"
        # One unit of the last printed digit, and a wider tolerance's worth on top.
        return f"{float(value) + 0.1 + 4 * printed_tolerance(value):.6f}"
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


def first_of(calculator: str) -> Case:
    """Return the first case of a calculator."""
    return next(case for case in CASES if case["calculator"] == calculator)


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


def test_a_wider_tolerance_without_a_reason_fails() -> None:
    doctored = {**first_of("r95.peak_floor"), "expected": {"floor": {"printed": "1400", "tolerance": 1}}}
    with pytest.raises(AssertionError, match="needs its reason"):
        check_case(doctored)


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
    assert case["inputs"]["sources"][0]["system"] == "regular"
    assert date(2020, 9, 1) - timedelta(days=891) == date.fromisoformat(case["inputs"]["sources"][0]["as_of"])
