"""The scored games of a cell, one by one: from them differences of cells follow, for any games and blocks of these.

A cell keeps the forecast of each game; that of the baseline also keeps who played, what came out, and the parts of the
games that each is in, by the ratings of the baseline: so variants are compared on the same games in every part.
"""

import numpy as np
import pyarrow as pa

from ratebook.lab.cells.forecasts import HALF_POINT, ForecastGames
from ratebook.lab.cells.strata import CUTS, Circumstances, populations
from ratebook.replay.load import RawChunk
from ratebook.replay.memory import Array

FORECAST = {"game": pa.uint32(), "forecast": pa.float32()}
PLAYED = {
    "member": pa.int32(),
    "other": pa.int32(),
    "section": pa.int32(),
    "half_points": pa.uint8(),
    "population": pa.uint8(),
    "true": pa.float32(),
}
"""*true*: the difference of strengths; NaN where no one knows these."""


def games_schema(*, is_baseline: bool) -> pa.Schema:
    """Return the columns of the games of a cell."""
    kinds = FORECAST | (PLAYED | dict.fromkeys(CUTS, pa.int16()) if is_baseline else {})
    return pa.schema([pa.field(name, kind, nullable=False) for name, kind in kinds.items()])


def games_table(
    raw: RawChunk,
    first: int,
    games: ForecastGames,
    of: Circumstances | None = None,
    true: Array | None = None,
) -> pa.Table:
    """Return the scored games of a chunk as a table, each from the side of the player who is listed first.

    Args:
        raw: the chunk.
        first: number of its first row of games in the history.
        games: of the chunk.
        of: what is known of them, for the columns of the baseline; None for another cell.
        true: differences of true strengths, from the side of the favourite; None where they are not known.
    """
    turned = games.entry > games.other
    forecast = np.where(turned, -games.difference, games.difference)
    columns: dict[str, Array] = {"game": games.place + first, "forecast": forecast}
    if of is not None:
        entry, other = np.minimum(games.entry, games.other), np.maximum(games.entry, games.other)
        member = raw.entries["member"]
        columns |= {
            "member": member[entry],
            "other": member[other],
            "section": games.section + raw.first_section,
            "half_points": np.where(turned, 1.0 - games.score, games.score) / HALF_POINT,
            "population": populations(games, of.ratings),
            "true": np.full(len(entry), np.nan) if true is None else np.where(turned, -true, true),
        }
        columns |= {name: values(of) for name, values in CUTS.items()}
    schema = games_schema(is_baseline=of is not None)
    order = np.argsort(columns["game"], kind="stable")
    arrays = [pa.array(columns[field.name][order].astype(_KINDS[field.type])) for field in schema]
    return pa.table(arrays, schema=schema)


_KINDS = {pa.uint32(): "u4", pa.int32(): "i4", pa.int16(): "i2", pa.uint8(): "u1", pa.float32(): "f4"}
