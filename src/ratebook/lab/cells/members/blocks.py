"""Sums of losses by block, from which intervals follow; those by player hold all games of a player together.

A game is in the blocks of both of its players.
"""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ratebook.replay.memory import Array

LOSSES = ("log_loss", "brier", "excess")


def block_schema(key: str) -> pa.Schema:
    """Return the columns of sums by *key*: games, and their losses."""
    kinds = {key: pa.int32(), "games": pa.int32(), **dict.fromkeys(LOSSES, pa.float64())}
    return pa.schema([pa.field(name, kind, nullable=False) for name, kind in kinds.items()])


def block_table(columns: dict[str, Array], schema: pa.Schema) -> pa.Table:
    """Return sums as a table."""
    return pa.table([pa.array(columns[field.name]).cast(field.type) for field in schema], schema=schema)


class PlayerBlocks:
    """Sums of the scored games of each member."""

    def __init__(self, members: int) -> None:
        self._games = np.zeros(members, "i4")
        self._losses = {name: np.zeros(members) for name in LOSSES}

    def add(self, member: Array, other: Array, losses: dict[str, Array]) -> None:
        """Add games between members, with their losses by name."""
        for who in (member, other):
            np.add.at(self._games, who, 1)
            for name, values in losses.items():
                np.add.at(self._losses[name], who, values)

    def write(self, path: Path) -> None:
        """Write those who played.

        Raises:
            OSError: it cannot be written.
        """
        who = np.flatnonzero(self._games)
        columns = {"member": who, "games": self._games[who]}
        columns |= {name: values[who] for name, values in self._losses.items()}
        table = block_table(columns, block_schema("member"))
        pq.write_table(table, path, compression="none", use_dictionary=False, write_statistics=False)
