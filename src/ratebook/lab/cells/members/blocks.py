"""Losses by player: blocks from which intervals follow that hold all games of a player together.

A game is in the blocks of both of its players.
"""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ratebook.replay.memory import Array

PLAYERS = pa.schema(
    [
        pa.field("member", pa.int32(), nullable=False),
        pa.field("games", pa.int32(), nullable=False),
        pa.field("log_loss", pa.float64(), nullable=False),
        pa.field("brier", pa.float64(), nullable=False),
        pa.field("excess", pa.float64(), nullable=False),
    ]
)


class PlayerBlocks:
    """Sums of the scored games of each member."""

    def __init__(self, members: int) -> None:
        self._games = np.zeros(members, "i4")
        self._losses = {name: np.zeros(members) for name in ("log_loss", "brier", "excess")}

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
        table = pa.table([pa.array(columns[one.name]).cast(one.type) for one in PLAYERS], schema=PLAYERS)
        pq.write_table(table, path, compression="none", use_dictionary=False, write_statistics=False)
