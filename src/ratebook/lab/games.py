"""The games of a history as rows, for programs that forecast them themselves."""

from pathlib import Path

import numpy as np
import polars as pl

from ratebook.lab.cells.forecasts import HALF_POINT, sides_of


def games_of_history(history: Path) -> pl.DataFrame:
    """Return each game of a history once, in the order of rating, from the side of the player who is listed first.

    *game* is the row of ``games`` from which the game is taken, counted from 0; *date* the last day of its section;
    *colour* that of *player*: 1 white, -1 black, 0 unknown; *score* that of *player*.

    Raises:
        OSError: a table cannot be read.
        polars.exceptions.PolarsError: a table is none of ours.
    """
    sections, entries, games, members = (
        pl.read_parquet(history / f"{name}.parquet") for name in ("sections", "entries", "games", "members")
    )
    section, entry, other = sides_of(
        sections["entries"].to_numpy(), entries["games"].to_numpy(), games["opponent"].to_numpy()
    )
    once = np.flatnonzero(entry < other)
    of_section = sections[section[entry[once]]]
    ids, member = members["id"], entries["member"]
    own = games[once]
    unknown = pl.zeros(len(once), pl.Int8, eager=True)
    return pl.DataFrame(
        {
            "game": once,
            "date": of_section["end"],
            "event": of_section["event"],
            "section": of_section["number"],
            "round": own["round"] if "round" in own.columns else unknown,
            "player": ids[member[entry[once]]],
            "opponent": ids[member[other[once]]],
            "colour": own["colour"] if "colour" in own.columns else unknown,
            "score": own["score"] * HALF_POINT,
        }
    )
