"""Rating classes, by the rating as it is displayed."""

from __future__ import annotations

import math

import pytest

from ratebook.titles.classes import rating_class

pytestmark = pytest.mark.statement("M6")

LOWEST = [
    (2400, "Senior Master"),
    (2200, "Master"),
    (2000, "Expert"),
    (1800, "Class A"),
    (1600, "Class B"),
    (1400, "Class C"),
    (1200, "Class D"),
    (1000, "Class E"),
    (800, "Class F"),
    (600, "Class G"),
    (400, "Class H"),
    (200, "Class I"),
    (100, "Class J"),
]


@pytest.mark.parametrize(("lowest", "name"), LOWEST)
def test_a_class_begins_with_its_lowest_displayed_rating(lowest: int, name: str) -> None:
    assert rating_class(lowest).name == name
    assert rating_class(lowest - 0.5).name == name
    if lowest > 100:
        assert rating_class(lowest - 0.51).name != name


def test_every_rating_is_in_the_highest_class_that_it_reaches() -> None:
    for rating in range(100, 3000):
        assert rating_class(rating).name == next(name for lowest, name in LOWEST if rating >= lowest)


def test_the_letters_are_a_to_j_and_those_of_experts_and_masters() -> None:
    assert [rating_class(lowest).code for lowest, _ in LOWEST] == ["SM", "M", "X", *"ABCDEFGHIJ"]


def test_a_rating_below_the_floor_of_all_ratings_is_in_the_lowest_class() -> None:
    assert rating_class(99).name == "Class J"


@pytest.mark.parametrize("rating", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_has_no_class(rating: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        rating_class(rating)
