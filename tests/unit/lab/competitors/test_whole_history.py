"""The example that forecasts by whole-history rating and TrueSkill Through Time, on games that are drawn here."""

from __future__ import annotations

import csv
import math
import runpy
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence

SCRIPT = Path(__file__).parents[4] / "examples" / "lab" / "whole-history" / "forecasts.py"
FIRST, SINCE = date(2004, 1, 5), date(2005, 1, 1)
PLAYERS, GAMES = 6, 120


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    """Give what the script defines."""
    return runpy.run_path(str(SCRIPT))


def drawn(example: dict[str, Any], *, turned_from: date = date.max) -> list[Any]:
    """Return games of three years between players 120 points apart; results from a day on may be turned round."""
    random, games = np.random.default_rng(7), []
    for number in range(GAMES):
        day = FIRST + timedelta(days=8 * number)
        player, other = random.permutation(PLAYERS)[:2].tolist()
        wins = random.random() < 1.0 / (1.0 + 10.0 ** ((other - player) * 120.0 / 400.0))
        score = 0.5 if random.random() < 0.1 else float(wins)
        score = 1.0 - score if day >= turned_from else score
        games.append(example["Game"](number, day.toordinal(), f"p{player}", f"p{other}", score))
    return games


def loss(games: Sequence[Any], forecasts: dict[int, float]) -> float:
    scored = [(game.score, forecasts[game.number]) for game in games if game.number in forecasts]
    return -float(np.mean([score * math.log(p) + (1 - score) * math.log(1 - p) for score, p in scored]))


@pytest.mark.parametrize("method", [pytest.param("whr", marks=pytest.mark.long), "ttt"])
def test_a_year_is_forecast_from_earlier_ones_and_the_bound_sees_everything(
    example: dict[str, Any], method: str
) -> None:
    games, later = drawn(example), drawn(example, turned_from=date(2005, 6, 1))
    forecasts, same, bound, other = (
        dict(example["forecasts"](played, SINCE, method, bound=bound))
        for played, bound in ((games, False), (later, False), (games, True), (later, True))
    )
    of_2005 = [game.number for game in games if date.fromordinal(game.day).year == 2005]
    assert list(forecasts) == [game.number for game in games if game.day >= SINCE.toordinal()]
    assert {number: forecasts[number] for number in of_2005} == {number: same[number] for number in of_2005}
    assert all(bound[number] != other[number] for number in of_2005)
    # Drawn by chance, they can be forecast better than by guessing, and best by who knows the results.
    assert loss(games, bound) < loss(games, forecasts) < math.log(2.0)


def test_the_script_reads_what_lab_games_writes(example: dict[str, Any], tmp_path: Path) -> None:
    games = drawn(example)
    with (tmp_path / "games.csv").open("w", encoding="utf-8", newline="") as stream:
        lines = csv.writer(stream)
        lines.writerow(("game", "date", "player", "opponent", "score"))
        for game in games:
            lines.writerow((game.number, date.fromordinal(game.day), game.one, game.other, game.score))
    command = (sys.executable, str(SCRIPT), str(tmp_path / "games.csv"), str(SINCE), "--method", "ttt")
    written = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    header, *rows = csv.reader(written.splitlines())
    assert header == ["game", "probability"]
    wanted = example["forecasts"](games, SINCE, "ttt", bound=False)
    assert [(int(game), float(probability)) for game, probability in rows] == list(wanted)
