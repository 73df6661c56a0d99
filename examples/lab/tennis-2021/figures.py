"""Prints the figures of the study beside those that were published.

    ratebook lab run study.toml --results results
    python figures.py results

Davis Cup does not count, as in the publication, and a tournament that begins in December belongs to the next year.
"""

import sys
from collections.abc import Iterator

import polars as pl

from ratebook.lab.frames import read_results
from ratebook.lab.studies.lock import Lock, LockedVariant
from ratebook.lab.studies.store import table_in

YEARS_LATER = 40
DAVIS_CUP = " D"
PUBLISHED = {2014: (2488, 0.69132, 0.58917), 2015: (2540, 0.69252, 0.57892), 2016: (2594, 0.69661, 0.59375)}
"""Matches, share of favourites who won, and log loss: `elo_prob` in the notebook `research_paper/Results.ipynb`."""


def games_of(lock: Lock) -> pl.DataFrame:
    """Return the games of the study with their years."""
    sections = pl.read_parquet(lock.history / "sections.parquet").with_row_index("section")
    events = sections.group_by("event").agg(pl.col("start").min())
    year = (pl.col("start") + pl.duration(days=31)).dt.year() - YEARS_LATER
    return (
        table_in(lock.variants[0].place.games)
        .join(sections.select("section", "event"), on="section")
        .join(events, on="event")
        .filter(~pl.col("event").str.ends_with(DAVIS_CUP))
        .select("game", year=year, score=pl.col("half_points") / 2)
    )


def figures(games: pl.DataFrame, variant: LockedVariant) -> pl.DataFrame:
    """Return matches, favourites who won, log loss and Brier score of each year."""
    expected = 1.0 / (1.0 + (-pl.col("forecast").cast(pl.Float64) / 400.0 * pl.lit(10.0).log()).exp())
    right = (
        pl.when(pl.col("forecast") == 0)
        .then(0.5)
        .otherwise((pl.col("forecast") > 0) == (pl.col("score") == 1))
    )
    forecasts = games.join(table_in(variant.place.games).select("game", "forecast"), on="game")
    return (
        forecasts.with_columns(expected=expected, right=right)
        .group_by("year")
        .agg(
            matches=pl.len(),
            right=pl.col("right").mean(),
            log_loss=-(
                pl.col("score") * pl.col("expected").log()
                + (1 - pl.col("score")) * (1 - pl.col("expected")).log()
            ).mean(),
            brier=((pl.col("score") - pl.col("expected")) ** 2).mean(),
        )
        .filter(pl.col("year").is_in(list(PUBLISHED)))
        .sort("year")
    )


def lines_of(results: str) -> Iterator[str]:
    """Yield the lines of the table of the study in *results*."""
    lock = read_results(results).lock
    games = games_of(lock)
    yield f"{'':40} year  matches  favourite won  log loss    Brier"
    for year, (matches, right, log_loss) in PUBLISHED.items():
        yield f"{'published':40} {year} {matches:8,} {right:14.2%} {log_loss:9.5f}"
    for variant in lock.variants:
        for year, matches, right, log_loss, brier in figures(games, variant).iter_rows():
            yield f"{variant.name:40} {year} {matches:8,} {right:14.2%} {log_loss:9.5f} {brier:8.5f}"


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in lines_of(sys.argv[1]))
