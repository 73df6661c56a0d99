"""Draws: the published generator, and what is made of its numbers."""

from __future__ import annotations

from collections import Counter

import pytest

from ratebook.demo.chance import Chance


def test_the_generator_is_splitmix64() -> None:
    """The values for the seed 1234567 are those that Rosetta Code publishes for this generator."""
    chance = Chance(1234567, "")
    assert [chance._word() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_streams_of_other_names_and_seeds_differ() -> None:
    first = [Chance(seed, name).below(1_000_000) for seed in range(20) for name in ("people", "play")]
    assert len(set(first)) == len(first)


def test_whole_numbers_reach_both_bounds_and_nothing_beyond() -> None:
    chance = Chance(1, "bounds")
    assert Counter(chance.between(3, 6) for _ in range(400)).keys() == {3, 4, 5, 6}


def test_a_bell_has_its_middle_and_spread() -> None:
    chance = Chance(1, "bell")
    drawn = [chance.bell(1_500.0, 200.0) for _ in range(4_000)]
    middle = sum(drawn) / len(drawn)
    assert middle == pytest.approx(1_500.0, abs=15.0)
    assert sum((one - middle) ** 2 for one in drawn) / len(drawn) == pytest.approx(200.0**2, rel=0.08)


def test_weights_decide_how_often_an_item_comes() -> None:
    chance = Chance(1, "weights")
    counted = Counter(chance.weighted((("seldom", 1), ("often", 3))) for _ in range(4_000))
    assert counted["often"] / 4_000 == pytest.approx(0.75, abs=0.03)


def test_without_weights_nothing_can_be_drawn() -> None:
    with pytest.raises(ValueError, match="no item has a weight"):
        Chance(1, "weights").weighted([("never", 0)])


def test_a_random_order_holds_everything_once() -> None:
    assert sorted(Chance(1, "order").in_any_order(range(50))) == list(range(50))
    assert list(Chance(1, "order").in_any_order(range(50))) != list(range(50))
