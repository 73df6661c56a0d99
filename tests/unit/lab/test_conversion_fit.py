"""Conversions fitted to players with two ratings, against a second computation from the published method."""

from __future__ import annotations

import math
import random
from statistics import median

import pytest

from ratebook.lab.conversion_fit import FitError, Pair, fit_conversion, parse_pairs

SPAN = 0.75


def players(number: int, *, seed: int = 1, noise: float = 40.0) -> list[Pair]:
    """Return invented players whose ratings follow a bent line, as those of 1995 did."""
    drawn = random.Random(seed)  # noqa: S311 - invented players, no secret
    foreign = [2200.0 + 500.0 * drawn.random() for _ in range(number)]
    return [Pair(x, bent(x) + drawn.gauss(0.0, noise)) for x in foreign]


def bent(foreign: float) -> float:
    return foreign + 50.0 * math.sin((foreign - 2150.0) / 160.0)


def solved(rows: list[list[float]]) -> list[float]:
    """Return the solution of a small system of linear equations by elimination."""
    for at in range(len(rows)):
        best = max(range(at, len(rows)), key=lambda row: abs(rows[row][at]))
        rows[at], rows[best] = rows[best], rows[at]
        for row in range(len(rows)):
            if row != at:
                factor = rows[row][at] / rows[at][at]
                rows[row] = [value - factor * other for value, other in zip(rows[row], rows[at], strict=True)]
    return [row[-1] / row[at] for at, row in enumerate(rows)]


def local_fit(pairs: list[Pair], robust: list[float], at: float, degree: int) -> float:
    """Return the local polynomial at *at*: tricube weights over the nearest 75 %, times the robust weights."""
    nearest = math.floor(len(pairs) * SPAN + 1e-5)
    reach = sorted(abs(pair.foreign - at) for pair in pairs)[nearest - 1]
    sums = [[0.0] * (degree + 2) for _ in range(degree + 1)]
    for pair, own in zip(pairs, robust, strict=True):
        offset = (pair.foreign - at) / reach
        if abs(offset) < 1.0:
            weight = own * (1.0 - abs(offset) ** 3) ** 3
            for row in range(degree + 1):
                for column in range(degree + 1):
                    sums[row][column] += weight * offset ** (row + column)
                sums[row][-1] += weight * offset**row * pair.rating
    return solved(sums)[0]


def second_opinion(pairs: list[Pair], at: float, degree: int = 2) -> float:
    """Return the robust loess at *at*: four rounds of weights, the bisquare of each residual over 6 medians."""
    robust = [1.0] * len(pairs)
    for _ in range(4):
        residuals = [pair.rating - local_fit(pairs, robust, pair.foreign, degree) for pair in pairs]
        scale = 6.0 * median(map(abs, residuals))
        robust = [max(0.0, 1.0 - (residual / scale) ** 2) ** 2 for residual in residuals]
    return local_fit(pairs, robust, at, degree)


@pytest.mark.statement("I20")
@pytest.mark.parametrize("degree", [1, 2])
def test_a_fit_is_that_of_a_second_computation(degree: int) -> None:
    pairs = players(80)
    rows = {row.foreign: row.rating for row in fit_conversion(pairs, degree=degree).rows}
    for at in (2225.0, 2300.0, 2400.0, 2550.0, 2650.0):
        assert rows[at] == pytest.approx(second_opinion(pairs, at, degree), abs=0.001)


@pytest.mark.statement("I20")
def test_outliers_do_not_bend_the_table() -> None:
    """Six of eighty players slip by 1,500 points, and the bent line is still found; least squares would miss it."""
    pairs = players(80, noise=5.0)
    slipped = [
        pair._replace(rating=pair.rating - 1500.0) if number % 14 == 0 else pair
        for number, pair in enumerate(pairs)
    ]
    for row in fit_conversion(slipped).rows:
        if 2250.0 <= row.foreign <= 2650.0:
            assert row.rating == pytest.approx(bent(row.foreign), abs=12.0)


@pytest.mark.statement("I20")
def test_a_table_has_the_steps_between_the_lowest_and_the_highest_player() -> None:
    pairs = [Pair(2201.0 + 9.0 * number, 2210.0 + 9.0 * number) for number in range(20)]
    found = fit_conversion(pairs, step=10)
    assert [row.foreign for row in found.rows] == [2210.0 + 10.0 * number for number in range(17)]
    assert [row.rating for row in found.rows] == pytest.approx([row.foreign + 9.0 for row in found.rows])
    assert found.spread == pytest.approx(0.0, abs=1e-6)


def test_many_players_are_fitted_by_blending_nearly_the_same() -> None:
    pairs = players(2_100, seed=5)
    blended = {row.foreign: row.rating for row in fit_conversion(pairs, step=50).rows}
    fewer = {row.foreign: row.rating for row in fit_conversion(pairs[:2_000], step=50).rows}
    for at in (2250.0, 2400.0, 2600.0):
        assert blended[at] == pytest.approx(fewer[at], abs=3.0)


@pytest.mark.parametrize(
    "pairs",
    [
        [Pair(2300.0, 2300.0 + number) for number in range(20)],
        [Pair(2200.0 + 100.0 * (number % 4), 2300.0 + number) for number in range(40)],
    ],
)
def test_players_in_too_few_places_cannot_be_fitted(pairs: list[Pair]) -> None:
    with pytest.raises(FitError, match="too few places"):
        fit_conversion(pairs)


def test_no_step_between_the_players_is_said() -> None:
    pairs = [Pair(2201.0 + number / 20, 2300.0 + number) for number in range(20)]
    with pytest.raises(FitError, match="no multiple of 5"):
        fit_conversion(pairs)


ROWS = "".join(f"P{number};{2200 + number};{2210 + number}\n" for number in range(12))


def test_columns_are_found_by_name_or_place() -> None:
    data = ("id;FIDE;US Rating\nP;2400;\n" + ROWS).encode()
    pairs, findings = parse_pairs(data, "pairs.csv", foreign="fide", rating="us-rating")
    assert findings == ()
    assert (len(pairs), pairs[0]) == (12, Pair(2200.0, 2210.0))
    by_place = "\n".join(["a,b", *(f"{2200 + number},{2210 + number}" for number in range(10))]).encode()
    assert len(parse_pairs(by_place, "pairs.csv")[0]) == 10


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "pairs-missing"),
        (b"\0\0", "pairs-missing"),
        (b"only\n2400\n", "pairs-missing"),
        (b'a,b\n"2400,2300\n', "pairs-missing"),
        (b"a,b\n", "pairs-count"),
        (b"a,b\n2400,2300\n", "pairs-count"),
        (b"a,b\nx,2300\n", "pair-rating-wrong"),
        (b"a,b\nnan,2300\n", "pair-rating-wrong"),
        (b"a,b\n2400,99\n", "pair-rating-wrong"),
    ],
)
def test_what_is_no_table_of_two_ratings_is_a_finding(data: bytes, code: str) -> None:
    pairs, findings = parse_pairs(data, "pairs.csv")
    assert [finding.code for finding in findings] == [code]
    assert len(pairs) < 10


def test_a_column_that_is_not_there_is_a_finding_that_names_the_near_one() -> None:
    (found,) = parse_pairs(b"fide,uscf\n2400,2300\n", "pairs.csv", foreign="fied")[1]
    assert found.code == "pair-column-missing"
    assert "fide" in found.remedy
