"""The Elo of riix, an optional library, on the same games, in the batches in which it is quickest.

riix updates a rating period at once. Sections are put together into periods of one, two, four ... sections; a sample
decides which is quickest, and only riix's own loop over its own data set is timed.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from benchmarks.replay.yardstick import START

if TYPE_CHECKING:
    from collections.abc import Mapping

SAMPLE = 300_000
"""Games by which the batch size is chosen."""

SECTIONS_A_BATCH = (1, 2, 4, 8)


class RiixRun(NamedTuple):
    """What riix did: seconds, games, sections a batch."""

    seconds: float
    games: int
    batch: int


def rate_by_riix(games: Mapping[str, Any], repeat: int) -> RiixRun:
    """Rate *games* (``yardstick.games_of``) by riix and return its best run.

    Raises:
        ModuleNotFoundError: riix is not installed.
    """
    from riix.models.elo import Elo  # noqa: PLC0415 - an optional library
    from riix.utils.data_utils import MatchupDataset  # noqa: PLC0415 - an optional library

    used, at = np.unique(games["pairs"], return_inverse=True)
    pairs = np.ascontiguousarray(at.reshape(-1, 2).astype("i4"))

    def seconds(count: int, batch: int) -> float:
        rated = MatchupDataset.init_from_arrays(
            time_steps=(games["section"][:count] // batch).astype("i4"),
            matchups=pairs[:count],
            outcomes=games["scores"][:count],
            competitors=used,
        )
        system = Elo(used, initial_rating=START, update_method="batched")
        begin = perf_counter()
        system.fit_dataset(rated)
        return perf_counter() - begin

    sample = min(SAMPLE, len(pairs))
    batch = min(SECTIONS_A_BATCH, key=lambda size: min(seconds(sample, size) for _ in range(2)))
    return RiixRun(min(seconds(len(pairs), batch) for _ in range(repeat)), len(pairs), batch)
