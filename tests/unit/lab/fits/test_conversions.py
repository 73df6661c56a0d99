"""Conversions fitted to players with two ratings, against a second computation from the published method."""

from __future__ import annotations

import math
import random
from datetime import date
from statistics import NormalDist, median
from typing import TYPE_CHECKING

import pytest

from ratebook.lab.fits.conversions import ConvertedRule, FitMethod, FitSettings, fit_conversion, overlay_of
from ratebook.lab.fits.curves import FitError
from ratebook.lab.fits.pairs import Pair, parse_pairs
from ratebook.model import System
from ratebook.rating.formulas import converted_cfc, converted_fide, converted_fide_youth
from ratebook.rules.rulebook import load_rulebook

if TYPE_CHECKING:
    from pathlib import Path

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
    """Return the robust loess at *at*: four fits, as R has by default.

    Between them, the weight of a player is the bisquare of the residual over 6 medians.
    """
    robust = [1.0] * len(pairs)
    for _ in range(3):
        residuals = [pair.rating - local_fit(pairs, robust, pair.foreign, degree) for pair in pairs]
        scale = 6.0 * median(map(abs, residuals))
        robust = [max(0.0, 1.0 - (residual / scale) ** 2) ** 2 for residual in residuals]
    return local_fit(pairs, robust, at, degree)


@pytest.mark.statement("I20")
@pytest.mark.parametrize("degree", [1, 2])
def test_a_fit_is_that_of_a_second_computation(degree: int) -> None:
    pairs = players(80)
    rows = {row.foreign: row.rating for row in fit_conversion(pairs, FitSettings(degree=degree)).rows}
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
    found = fit_conversion(pairs, FitSettings(step=10))
    assert [row.foreign for row in found.rows] == [2210.0 + 10.0 * number for number in range(17)]
    assert [row.rating for row in found.rows] == pytest.approx([row.foreign + 9.0 for row in found.rows])
    assert found.spread == pytest.approx(0.0, abs=1e-6)


def test_many_players_are_fitted_by_blending_nearly_the_same() -> None:
    pairs = players(2_100, seed=5)
    blended = {row.foreign: row.rating for row in fit_conversion(pairs, FitSettings(step=50)).rows}
    fewer = {row.foreign: row.rating for row in fit_conversion(pairs[:2_000], FitSettings(step=50)).rows}
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


def bent_at_2000(number: int) -> list[Pair]:
    """Return players around D25's lines for FIDE ratings as J15 has them, every twentieth of them far below."""
    drawn = random.Random(4)  # noqa: S311 - invented players, no secret
    foreign = [1500.0 + 1000.0 * drawn.random() for _ in range(number)]
    lines = [180.0 + 0.94 * x if x <= 2000.0 else 20.0 + 1.02 * x for x in foreign]
    return [
        Pair(x, y + drawn.gauss(0.0, 8.0) - (400.0 if place % 20 == 0 else 0.0))
        for place, (x, y) in enumerate(zip(foreign, lines, strict=True))
    ]


def test_straight_pieces_are_found_with_their_knot() -> None:
    """The lines are 180 + 0.94 F to 2000 and 20 + 1.02 F above (J15, section 2.6); their interval contains them."""
    found = fit_conversion(bent_at_2000(800), FitSettings(FitMethod.PIECES, step=100))
    assert found.pieces is not None
    assert found.pieces.knots[0] == pytest.approx(2000.0, abs=80.0)
    for row in found.rows:
        right = 180.0 + 0.94 * row.foreign if row.foreign <= 2000.0 else 20.0 + 1.02 * row.foreign
        assert row.rating == pytest.approx(right, abs=3.0)
        assert row.low < row.rating < row.high < row.low + 10.0
    given = fit_conversion(bent_at_2000(800), FitSettings(FitMethod.PIECES, knots=(2000.0,), step=100))
    assert given.pieces is not None
    assert given.pieces.slopes == pytest.approx((0.94, 1.02), abs=0.01)
    with pytest.raises(FitError, match="fewer than 5"):
        fit_conversion(bent_at_2000(40), FitSettings(FitMethod.PIECES, knots=(1200.0,)))


@pytest.mark.long
def test_equal_percentiles_are_those_of_both_samples() -> None:
    """Of two normal samples, e(x) = mean + sd (x - mean) / sd of the other, whoever has which rating."""
    shares = [(place + 0.5) / 500 for place in range(500)]
    ratings = [[NormalDist(*normal).inv_cdf(one) for one in shares] for normal in ((1800, 200), (1900, 300))]
    random.Random(9).shuffle(ratings[1])  # noqa: S311 - invented players, no secret
    pairs = [Pair(*map(round, pair)) for pair in zip(*ratings, strict=True)]
    found = fit_conversion(pairs, FitSettings(FitMethod.EQUIPERCENTILE, step=100))
    for row in found.rows:
        if 1500.0 <= row.foreign <= 2100.0:
            assert row.rating == pytest.approx(1900.0 + 1.5 * (row.foreign - 1800.0), abs=5.0)
            assert row.low < row.rating < row.high


@pytest.mark.parametrize("method", FitMethod)
@pytest.mark.parametrize("rule", ConvertedRule)
def test_the_timeline_converts_by_an_overlay(method: FitMethod, rule: ConvertedRule, tmp_path: Path) -> None:
    """From its day on, as the table says; before that day nothing changes."""
    found = fit_conversion(bent_at_2000(200), FitSettings(method, step=100))
    overlay = overlay_of(found, rule, date(2026, 1, 1))
    (tmp_path / "rules.toml").write_text(overlay.text, encoding="utf-8")
    ours = load_rulebook()
    rules = ours.with_overlay_file(tmp_path / "rules.toml")
    converted = {"fide": converted_fide, "fide-youth": converted_fide_youth, "cfc": converted_cfc}[rule.value]
    after, before = (rules.in_force(System.REGULAR, date(year, 6, 1)) for year in (2026, 2025))
    assert overlay.difference < 60.0
    for row in found.rows:
        assert converted(after, row.foreign) == pytest.approx(row.rating, abs=overlay.difference + 0.01)
        same = converted(ours.in_force(System.REGULAR, date(2025, 6, 1)), row.foreign)
        assert converted(before, row.foreign) == same


def test_a_rule_with_one_knee_takes_no_more() -> None:
    found = fit_conversion(bent_at_2000(200), FitSettings(FitMethod.PIECES, knots=(1800.0, 2200.0)))
    with pytest.raises(FitError, match="2 pieces, the fit 3"):
        overlay_of(found, ConvertedRule.FIDE, date(2026, 1, 1))


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
