"""Cells against plain replays: the same ledgers, scores computed apart, forecasts that know nothing of what comes."""

import math
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa

from lab_known.answers import KnownAnswer, KnownFigure, about, same
from lab_known.reports import variants
from ratebook.lab.cells.cell import run_cell
from ratebook.lab.cells.content import CellContent
from ratebook.lab.cells.forecasts import PROVISIONAL_GAMES
from ratebook.lab.cells.measures import Measures
from ratebook.lab.cells.scores import scores_of
from ratebook.lab.studies.store import world_in
from ratebook.lab.worlds.world import World
from ratebook.model import System
from ratebook.replay.run import Options, Run, replay
from ratebook.replay.tables import SCHEMAS, History
from ratebook.rules.rulebook import Rulebook, load_rulebook

WORLD = World(
    years=4, members=110, arrivals=20, leaving=0.1, leaving_children=0.1, children=0.4, strength=1750.0, spread=400.0,
    walk=40.0, regions=1, dual=0.5, events=5.0,
)  # fmt: skip
"""Small, and with so many strong players that the K of dual-rated games matters."""
SINCE = date(2005, 7, 1)
CHUNK = 37
"""Sections at once: so few that chunks begin in the middle of months."""
FORECASTS = ["member", "system", "rating_before", "games_before", "source"]
PRECISE, PRECISE_SLOPE = 1e-9, 1e-6
CLOSES = 1e-6


def known_at_start(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of a ledger, in their order, with what was known of the member before the first day.

    Columns of *rows*: ``member``, ``start``, ``end``, ``rating_before``, ``games_before`` and ``source``; the last
    three are replaced by those of the first row of the member that ends on that day or later.
    """
    names = ["rating_before", "games_before", "source"]
    earlier: dict[int, list[tuple[date, tuple[object, ...]]]] = {}
    known = []
    for member, start, end, *before in rows.select("member", "start", "end", *names).iter_rows():
        earlier.setdefault(member, []).append((end, tuple(before)))
        known.append(next(before for day, before in earlier[member] if day >= start))
    found = pl.DataFrame(known, schema={name: rows.schema[name] for name in names}, orient="row")
    return rows.with_columns(*(found[name] for name in names))


def games_by_polars(history: Path, ledger: pl.DataFrame, since: date) -> pl.DataFrame:
    """Return the games between players established in the regular system, each once, from the favourite's side.

    Columns: ``section``, ``difference`` of ratings, ``true`` difference of strengths, and ``result``.
    """
    sections = (
        pl.read_parquet(history / "sections.parquet").with_row_index("section").cast({"section": pl.Int32})
    )
    rows = ledger.filter(pl.col("system") == 0).join(
        sections.select("section", "start", "end"), on="section", maintain_order="left"
    )
    known = known_at_start(rows).select("section", "member", "source", "rating_before", "games_before")
    entries = pl.read_parquet(history / "entries.parquet").with_columns(
        pl.read_parquet(history / "truth.parquet")
    )
    entries = entries.with_columns(
        section=sections["section"].gather(np.repeat(np.arange(len(sections)), sections["entries"]))
    ).with_columns(seat=pl.int_range(pl.len()).over("section"))
    played = pl.read_parquet(history / "games.parquet").with_columns(
        entry=pl.Series(np.repeat(np.arange(len(entries)), entries["games"]))
    )
    sides = (
        entries.join(known, on=["section", "member"], how="left")
        .with_row_index("entry")
        .cast({"entry": pl.Int64})
    )
    others = sides.select("section", opponent="seat", other="rating_before", other_source="source",
                          other_games="games_before", other_strength="strength")  # fmt: skip
    return (
        played.join(sides, on="entry")
        .join(others.cast({"opponent": pl.UInt16}), on=["section", "opponent"])
        .join(sections.select("section", "end"), on="section")
        .filter(
            (pl.col("end") >= since) & (pl.col("source") == 0) & (pl.col("other_source") == 0)
            & (pl.col("games_before") > PROVISIONAL_GAMES) & (pl.col("other_games") > PROVISIONAL_GAMES)
            & ((pl.col("rating_before") > pl.col("other"))
               | ((pl.col("rating_before") == pl.col("other")) & (pl.col("seat") < pl.col("opponent"))))
        )
        .with_columns(
            difference=pl.col("rating_before") - pl.col("other"),
            true=pl.col("strength") - pl.col("other_strength"),
            result=pl.col("score") / 2.0,
        )
    )  # fmt: skip


def content_of(history: Path, rules: Rulebook, folder: Path) -> CellContent:
    """Return what is kept of a cell whose chunks are small."""
    cell = run_cell(
        history, rules, Measures(since=SINCE), folder / "games.parquet", Options(sections_at_once=CHUNK)
    )
    assert cell.content is not None, cell.findings
    return cell.content


def ledger_of(history: History | Path, rules: Rulebook | None = None) -> pl.DataFrame:
    """Return the ledger of a plain replay."""
    ledger = replay(history, rules).ledger
    assert ledger is not None, "the history is ours"
    return ledger


def _same_ledgers(folder: Path) -> Iterator[KnownFigure]:
    history = world_in(folder, WORLD)
    differing = distinct = 0
    before: pl.DataFrame | None = None
    for rules in (load_rulebook(), *variants().values()):
        plain = ledger_of(history, rules if rules.overlaid else None)
        run = Run(history, rules, Options(workings=True, sections_at_once=CHUNK), keep=True)
        of_cell = pl.DataFrame(pa.concat_tables([table for _, table in run.rated_chunks()]))
        differing += not of_cell.select(plain.columns).equals(plain)
        distinct += before is None or not plain.equals(before)
        before = plain
    yield same(
        "ledgers of cells that differ from those of plain replays, 18 variants and the dated rules", differing
    )
    yield about("variants that differ from the one before", 1.0 + len(variants()), 0.0, distinct)


def _scores_apart(folder: Path) -> Iterator[KnownFigure]:
    from scipy.optimize import minimize  # noqa: PLC0415 - only this answer needs it

    history = world_in(folder, WORLD)
    scores = scores_of(content_of(history, load_rulebook(), folder))
    games = games_by_polars(history, ledger_of(history), SINCE)
    yield about("games", len(games), 0.0, scores.games)
    logit, score = games["difference"].to_numpy() * math.log(10.0) / 400.0, games["result"].to_numpy()
    forecast = 1.0 / (1.0 + 10.0 ** (-games["difference"].to_numpy() / 400.0))
    loss = -(score * np.log(forecast) + (1.0 - score) * np.log(1.0 - forecast)).mean()
    yield about("log loss, nats a game", loss, PRECISE, scores.log_loss)
    yield about("Brier score", ((score - forecast) ** 2).mean(), PRECISE, scores.brier)

    def likelihood(point: np.ndarray) -> tuple[float, np.ndarray]:
        at = point[0] * logit + point[1]
        off = 1.0 / (1.0 + np.exp(-at)) - score
        return float((np.logaddexp(0.0, at) - score * at).mean()), np.array(
            [(off * logit).mean(), off.mean()]
        )

    fitted = minimize(likelihood, [1.0, 0.0], jac=True, method="BFGS", options={"gtol": PRECISE})
    for name, value in zip(("slope", "intercept"), fitted.x.tolist(), strict=True):
        yield about(f"{name} of the logistic regression", value, PRECISE_SLOPE, getattr(scores, name))


def _no_look_ahead(folder: Path) -> Iterator[KnownFigure]:
    history = world_in(folder, WORLD)
    tables = {name: pl.read_parquet(history / f"{name}.parquet") for name in SCHEMAS}
    middle = len(tables["sections"]) // 2
    first = int(tables["entries"]["games"].head(int(tables["sections"]["entries"].head(middle).sum())).sum())
    games, place = tables["games"], pl.int_range(pl.len())
    turned = pl.when(place >= first).then(2 - pl.col("score")).otherwise(pl.col("score")).cast(pl.UInt8)
    kept = ledger_of(history)
    other = ledger_of(History(**{**tables, "games": games.with_columns(score=turned)}))
    until, at = pl.col("section") <= middle, pl.col("section") == middle
    pairs = [one.filter(until).select(FORECASTS) for one in (kept, other)]
    yield same(
        "forecasts that change when results of their section and of later ones do",
        not pairs[0].equals(pairs[1]),
    )
    rated = [one.filter(at)["rating"] for one in (kept, other)]
    yield same("ratings after that section that stay as they were", int((rated[0] == rated[1]).all()))


def _balance_closes(folder: Path) -> Iterator[KnownFigure]:
    history = world_in(folder, WORLD)
    ends = pl.read_parquet(history / "sections.parquet")["end"]
    worst = 0.0
    for rules in variants().values():
        rows = ledger_of(history, rules).filter(pl.col("system") == list(System).index(System.REGULAR))
        rows = rows.with_columns(year=ends.gather(rows["section"]).dt.year())
        pool = 0.0
        for line in content_of(history, rules, folder).balance:
            last = rows.filter(pl.col("year") <= line.year).group_by("member").agg(pl.col("rating").last())
            entered = float(last["rating"].sum()) - pool
            worst = max(worst, abs(sum(line.causes.values()) - entered))
            pool += entered
    yield about("points of a year without a cause, 18 variants", 0.0, CLOSES, worst)


REPLAYS = (
    KnownAnswer(
        "A1",
        "the ledger of a cell is that of a plain replay of the same overlay, bit by bit",
        "the ledger of ratebook replay",
        _same_ledgers,
    ),
    KnownAnswer(
        "A2",
        "scores are those computed from the ledger and the games, apart from the laboratory",
        "Polars, and SciPy's optimizer",
        _scores_apart,
    ),
    KnownAnswer(
        "A3",
        "forecasts know nothing of their own section or of later ones",
        "the definition of a forecast",
        _no_look_ahead,
    ),
    KnownAnswer(
        "A12",
        "every rating point of the pool has a cause",
        "the last ratings of a plain replay",
        _balance_closes,
        long=True,
    ),
)
