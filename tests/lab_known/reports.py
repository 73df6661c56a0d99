"""The committee's 18 variants, what its reports of 2013 and 2014 found, and a bonus threshold without drift.

The variants are those of examples/lab/committee-2012; a test compares them with the files there.
"""

import math
from collections.abc import Iterator, Mapping
from datetime import date
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl

from lab_known.answers import KnownAnswer, KnownFigure, about, same
from ratebook.lab.cells.cell import run_cell
from ratebook.lab.cells.measures import Measures
from ratebook.lab.studies.search import Evaluator, drift, solve
from ratebook.lab.studies.store import world_in
from ratebook.lab.studies.study import Range, Study, read_study
from ratebook.lab.worlds.world import PRESETS, World
from ratebook.replay.run import replay
from ratebook.rules.rulebook import Rulebook, load_rulebook

Values = Mapping[str, float] | float | str

FIRST_DAY = date(2001, 1, 1)
EFFECTIVE_GAMES: Mapping[str, Values] = {
    "2001": {"most": 50, "constant": 1, "slope": 0.00001, "centre": 2200, "knee": 2200},
    "between": {"most": 50, "constant": 0.831, "slope": 0.000008695, "centre": 2384.5, "knee": 2277.5},
    "2013": {"most": 50, "constant": 0.662, "slope": 0.00000739, "centre": 2569, "knee": 2355},
}
OF_STRONG = {"above": 2200, "least_from": 2500}
REDUCED_K: Mapping[str, Values] = {
    "none": "off",
    "mild": {**OF_STRONG, "intercept": 3.75, "slope": 0.00125, "least_numerator": 500},
    "2013": {**OF_STRONG, "intercept": 6.5, "slope": 0.0025, "least_numerator": 200},
}
THRESHOLDS = (6, 8)


def overlay_of(effective_games: str, reduced_k: str, threshold: float) -> dict[str, object]:
    """Return an overlay in the format of the timeline."""
    dual: dict[str, object] = {"from": FIRST_DAY, "is": REDUCED_K[reduced_k]}
    if reduced_k != "none":
        dual["systems"] = ["regular"]
    return {
        "effective_games": {"values": [{"from": FIRST_DAY, "is": EFFECTIVE_GAMES[effective_games]}]},
        "reduced_k": {"values": [dual]},
        "bonus_multiplier": {"values": [{"from": FIRST_DAY, "is": threshold}]},
    }


def variant(effective_games: str, reduced_k: str, threshold: float) -> Rulebook:
    """Return the rules of a variant."""
    return load_rulebook().with_overlay_file(overlay_of(effective_games, reduced_k, threshold))


def variants() -> dict[tuple[str, str, int], Rulebook]:
    """Return the rules of all 18 by their levels."""
    return {levels: variant(*levels) for levels in product(EFFECTIVE_GAMES, REDUCED_K, THRESHOLDS)}


CLEARLY = 4.0
"""Standard errors."""
SEEDS = range(1, 9)
SCHOOL = PRESETS["school"]._replace(members=600, arrivals=140, regions=4)
STRONG = World(years=2, members=900, strength=1400.0, spread=330.0, regions=12, dual=0.5, events=12.0)
"""So many regions that some of them have nobody near 2200."""
NEAR = 2100.0
BONUS = Range("bonus_multiplier", 6.0, 40.0)
NO_DRIFT, FRESH = 2.0, 9
"""Points a year that count as none, and the seed that confirms it."""


def _level(world: Path, effective_games: str, threshold: int, folder: Path) -> float:
    """Return the mean of rating minus strength, rating points."""
    rules = variant(effective_games, "none", threshold)
    content = run_cell(world, rules, Measures(since=date(2008, 1, 1)), folder / "games.parquet").content
    assert content is not None, "the history is ours"
    assert content.truth.bias is not None, "a world knows strengths"
    return content.truth.bias


def _directions(folder: Path) -> Iterator[KnownFigure]:
    differences: dict[str, list[float]] = {
        "level of N 2013 above that of N 2001, B = 6": [],
        "level of N 2013 above that of N 2001, B = 8": [],
        "level of B = 6 above that of B = 8, N 2001": [],
        "level of B = 6 above that of B = 8, N 2013": [],
    }
    for seed in SEEDS:
        world = world_in(folder, SCHOOL._replace(seed=seed))
        level = {(n, b): _level(world, n, b, folder) for n in ("2001", "2013") for b in (6, 8)}
        above = (
            level["2013", 6] - level["2001", 6],
            level["2013", 8] - level["2001", 8],
            level["2001", 6] - level["2001", 8],
            level["2013", 6] - level["2013", 8],
        )
        for found, points in zip(differences.values(), above, strict=True):
            found.append(points)
    for what, gained in differences.items():
        error = float(np.std(gained, ddof=1)) / math.sqrt(len(gained))
        yield KnownFigure(f"{what}, standard errors", CLEARLY, math.inf, float(np.mean(gained)) / error)


def _ledger(history: Path, rules: Rulebook) -> pl.DataFrame:
    ledger = replay(history, rules).ledger
    assert ledger is not None, "the history is ours"
    return ledger.filter(pl.col("system") == 0)


def _strong_alone(folder: Path) -> Iterator[KnownFigure]:
    history = world_in(folder, STRONG)
    full, reduced = (_ledger(history, variant("2001", dual_k, 8)) for dual_k in ("none", "2013"))
    touched = np.zeros(STRONG.everyone, bool)
    within = []
    near = full["rating_before"].to_numpy() >= NEAR
    near |= full["rating"].to_numpy() >= NEAR
    member, section = full["member"].to_numpy(), full["section"].to_numpy()
    for places in np.split(np.arange(len(member)), np.flatnonzero(np.diff(section)) + 1):
        # Who meets someone whose rating may differ, differs; and so does everybody in the section.
        if near[places].any() or touched[member[places]].any():
            touched[member[places]] = True
            within.append(places)
    apart = np.ones(len(member), bool)
    apart[np.concatenate(within)] = False
    others = [one.filter(apart) for one in (full, reduced)]
    yield same("ratings that change of players who never met one near 2200", not others[0].equals(others[1]))
    yield KnownFigure("such ratings", 100.0, math.inf, float(apart.sum()))
    changed = (full["rating"] != reduced["rating"]).sum()
    yield KnownFigure("other ratings that change", 1.0, math.inf, float(changed))


def _study(folder: Path, seed: int) -> Study:
    path = folder / f"level {seed}.toml"
    effective_games = overlay_of("2013", "none", 8)["effective_games"]["values"][0]["is"]  # type: ignore[index]
    values = ", ".join(f"{name} = {value!r}" for name, value in effective_games.items())
    path.write_text(
        f'[world]\npreset = "school"\nseed = {seed}\nmembers = 6000\narrivals = 1400\nregions = 30\n'
        f"[[factor.effective-games.2013.effective_games.values]]\nfrom = 2001-01-01\nis = {{ {values} }}\n",
        encoding="utf-8",
    )
    return read_study(path)


def _no_drift(folder: Path) -> Iterator[KnownFigure]:
    found = solve(
        Evaluator(_study(folder, 1), folder, [BONUS], drift(), lambda _: None),
        BONUS,
        target=0.0,
        tolerance=0.1,
    )
    assert found.values is not None, "the range holds such a value"
    yield KnownFigure("bonus threshold without drift, N 2013", BONUS.low, BONUS.high, found.values[0])
    again = Evaluator(_study(folder, FRESH), folder, [BONUS], drift(), lambda _: None)(found.values)
    yield about(
        "drift with it in another federation, points a year",
        0.0,
        NO_DRIFT,
        math.nan if again is None else again,
    )


REPORTS = (
    KnownAnswer(
        "A13",
        "the effective games of 2013 inflate, and a higher bonus threshold deflates, by 4 errors and more",
        "reports of 2013 and 2014",
        _directions,
        long=True,
    ),
    KnownAnswer(
        "A13",
        "the reduced K of dual-rated games changes nothing far below 2200, bit by bit",
        "D25, section 4.2",
        _strong_alone,
    ),
    KnownAnswer(
        "A14",
        "a bonus threshold without drift is one in another federation too",
        "another seed",
        _no_drift,
        long=True,
    ),
)
