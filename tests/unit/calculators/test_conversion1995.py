"""The conversion tables of 1995, between their rows and beyond their ends."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratebook.calculators.conversion1995 import (
    CONVERTED_GAMES,
    ForeignFederation,
    RatingOutOfRangeError,
    assign_rating,
    conversion_table,
    convert_rating,
)

RANGES = {ForeignFederation.FIDE: (2200, 2695, 5), ForeignFederation.CFC: (1510, 2500, 10)}

FEDERATIONS = st.sampled_from(list(ForeignFederation))


@pytest.mark.statement("I17")
@pytest.mark.parametrize(
    ("federation", "keys", "values"),
    [(ForeignFederation.FIDE, 244750, 250764), (ForeignFederation.CFC, 200500, 198221)],
)
def test_the_tables_are_the_printed_ones(federation: ForeignFederation, keys: int, values: int) -> None:
    lowest, highest, step = RANGES[federation]
    table = conversion_table(federation)
    assert table.foreign == tuple(range(lowest, highest + 1, step))
    assert (len(table.foreign), len(table.converted)) == (100, 100)
    assert (sum(table.foreign), sum(table.converted)) == (keys, values)
    assert all(low < high for low, high in pairwise(table.converted))


@pytest.mark.statement("I17")
@pytest.mark.parametrize("federation", list(ForeignFederation))
def test_every_row_converts_to_its_printed_value(federation: ForeignFederation) -> None:
    table = conversion_table(federation)
    for foreign, printed in zip(table.foreign, table.converted, strict=True):
        result = convert_rating(federation, foreign)
        assert (result.unrounded, result.rating, result.games) == (printed, printed, CONVERTED_GAMES)


@pytest.mark.statement("I17")
@pytest.mark.parametrize(
    ("federation", "rating", "unrounded", "rounded"),
    [
        (ForeignFederation.FIDE, 2202, 2220.2, 2220),  # 2217 + 8 * 2 / 5
        (ForeignFederation.FIDE, 2692.5, 2689.5, 2690),  # halfway between 2689 and 2690: a half goes up
        (ForeignFederation.CFC, 1515, 1487.5, 1488),  # halfway between 1483 and 1492
        (ForeignFederation.CFC, 2499, 2563.3, 2563),  # 2548 + 17 * 9 / 10
    ],
)
@pytest.mark.statement("Q27")
def test_between_two_rows_a_straight_line_joins_them(
    federation: ForeignFederation, rating: float, unrounded: float, rounded: int
) -> None:
    result = convert_rating(federation, rating)
    assert result.unrounded == pytest.approx(unrounded)
    assert result.rating == rounded


@pytest.mark.statement("I17")
@pytest.mark.parametrize(
    ("federation", "rating"),
    [
        (ForeignFederation.FIDE, 2199.9),
        (ForeignFederation.FIDE, 2696),
        (ForeignFederation.CFC, 1509),
        (ForeignFederation.CFC, 2500.1),
    ],
)
@pytest.mark.statement("Q27")
def test_outside_its_table_a_rating_is_refused_with_the_range(
    federation: ForeignFederation, rating: float
) -> None:
    lowest, highest, _ = RANGES[federation]
    with pytest.raises(RatingOutOfRangeError, match=f"from {lowest} to {highest}, not {rating}") as refusal:
        convert_rating(federation, rating)
    assert isinstance(refusal.value, ValueError)
    assert (refusal.value.federation, refusal.value.rating) == (federation, rating)
    assert (refusal.value.lowest, refusal.value.highest) == (lowest, highest)


@pytest.mark.statement("I17")
@given(FEDERATIONS, st.floats(min_value=0, max_value=1), st.floats(min_value=0, max_value=1))
def test_a_higher_rating_never_converts_to_a_lower_one(
    federation: ForeignFederation, one: float, other: float
) -> None:
    lowest, highest, _ = RANGES[federation]
    weaker, stronger = (
        convert_rating(federation, min(lowest + share * (highest - lowest), highest))
        for share in sorted((one, other))
    )
    assert weaker.unrounded <= stronger.unrounded
    assert weaker.rating <= stronger.rating


@pytest.mark.statement("I17")
@pytest.mark.statement("Q26")
def test_the_cfc_rating_goes_before_the_fide_rating() -> None:
    assert assign_rating(cfc=1970, fide=2440).federation is ForeignFederation.CFC
    assert assign_rating(cfc=1970, fide=2440).rating == 1958
    assert assign_rating(fide=2440).federation is ForeignFederation.FIDE
    assert assign_rating(fide=2440).rating == 2525


@pytest.mark.statement("I17")
def test_a_cfc_rating_outside_its_table_does_not_fall_back_to_fide() -> None:
    with pytest.raises(RatingOutOfRangeError, match="CFC"):
        assign_rating(cfc=1400, fide=2440)


def test_one_rating_at_least_is_needed_and_must_be_a_number() -> None:
    with pytest.raises(ValueError, match="must be given"):
        assign_rating()
    with pytest.raises(ValueError, match="FIDE rating must be a finite number"):
        assign_rating(fide=math.nan)
