"""Quads: every result enumerated, by the engine and by the second engine of the tests."""

from __future__ import annotations

import re
from datetime import date
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from lab_known.quads import GAMES, ON, quad_gains
from ratebook.rules.rulebook import load_rulebook
from support.reference import Edition, Player, five_steps

ROW = re.compile(r"^\| (\d{4}-\d\d-\d\d) \| (\d+) \|([^|]+)\|([^|]+)\|([^|]+)\|$", re.MULTILINE)
MANY = 10_000.0
PRINTED = 9


@pytest.mark.parametrize(
    "ratings", [(1500.0,) * 4, (1400.0, 1500.0, 1600.0, 1700.0), (900.0, 1250.0, 2250.0, 2300.0)]
)
@pytest.mark.parametrize("threshold", [6, 8, 10, 12, 14])
def test_the_second_engine_gains_the_same(ratings: tuple[float, ...], threshold: int) -> None:
    rules = load_rulebook().with_overlay({"bonus_multiplier": threshold})
    found = quad_gains(ratings, rules, ON, 0.2)
    chances, changes = [], []
    for results in product((0.0, 0.5, 1.0), repeat=6):
        chance = 1.0
        played: list[list[tuple[int, float]]] = [[] for _ in ratings]
        for (seat, other), score in zip(GAMES, results, strict=True):
            expectation = 1 / (1 + 10 ** ((ratings[other] - ratings[seat]) / 400))
            half = 0.2 * min(expectation, 1 - expectation)
            chance *= {0.0: 1 - expectation - half, 0.5: 2 * half, 1.0: expectation - half}[score]
            played[seat].append((other, score))
            played[other].append((seat, 1 - score))
        players = [Player(rating, MANY, tuple(games)) for rating, games in zip(ratings, played, strict=True)]
        steps = five_steps(players, Edition(threshold, new_effective_games=True))
        chances.append(chance)
        changes.append([after - rating for after, rating in zip(steps.step5, ratings, strict=True)])
    weights, gained = np.array(chances), np.array(changes)
    assert weights.sum() == pytest.approx(1.0, abs=1e-12)
    mean = weights @ gained
    assert found.change == pytest.approx(mean, abs=1e-9)
    assert found.variance == pytest.approx(weights @ (gained - mean) ** 2, abs=1e-7)


def test_the_docs_print_what_is_computed() -> None:
    rows = ROW.findall(Path("docs/laboratory-answers.md").read_text(encoding="utf-8"))
    rules = load_rulebook()
    changes = {
        value.since for name in ("bonus_multiplier", "effective_games") for value in rules.rules[name].values
    }
    # The table ends with the rules of its day; later ones need no line.
    assert len(rows) >= PRINTED
    assert [date.fromisoformat(day) for day, *_ in rows] == sorted(changes)[: len(rows)]
    for day, _, *cells in rows:
        for share, cell in zip((0.0, 0.25, 0.5), cells, strict=True):
            found = quad_gains([1500.0] * 4, rules, date.fromisoformat(day), share)
            assert cell.strip() == f"{found.change[0]:+.3f} ({found.bonus[0]:.3f})"
