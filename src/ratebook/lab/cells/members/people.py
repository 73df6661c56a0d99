"""The standings of members at the end of a cell, for the office alone: they name persons."""

from pathlib import Path

import numpy as np
import polars as pl

from ratebook.rating.floors import olm_floor, peak_floor
from ratebook.replay.memory import Array
from ratebook.rules.in_force import RulesInForce


def people_beside(games: Path) -> Path:
    """Return where the standings of members are, from where the sums of sections are."""
    return games.with_name(f"{games.stem}-people.parquet")


def write_people(standings: pl.DataFrame, rating: Array, rules: RulesInForce | None, path: Path) -> None:
    """Write the rating, N, peak and floor of each rated member.

    Args:
        standings: of one system at the end of a replay.
        rating: of each member after the last section, rating points; NaN for those who did not play.
        rules: that give floors; None for a competitor, which has neither floors nor peaks.
        path: of the file.

    Raises:
        OSError: it cannot be written.
    """
    played = pl.Series(rating[standings["member"].to_numpy()], nan_to_null=True)
    # Those who never played are where they began; the office may have moved others since.
    ends = standings["rating"] if rules is not None else played.fill_null(standings["rating"])
    people = standings.select("member", "games", "peak", "life_master_games").with_columns(rating=ends)
    if rules is None:
        empty = pl.lit(None)
        people = people.with_columns(
            peak=empty.cast(pl.Float64), floor=empty.cast(pl.Float64), life_master=pl.lit(value=False)
        )
    else:
        peaks = [peak_floor(rules, value) for value in people["peak"].fill_null(-1.0).to_list()]
        life_master = [
            olm_floor(rules, value) for value in people["life_master_games"].fill_null(-1).to_list()
        ]
        floors = np.maximum(np.maximum(peaks, life_master), rules.absolute_floor)
        people = people.with_columns(
            floor=pl.Series(floors), life_master=pl.Series(np.asarray(life_master) > rules.absolute_floor)
        )
    people.select("member", "rating", "games", "peak", "floor", "life_master").write_parquet(path)
