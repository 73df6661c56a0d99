"""How fast a whole history is rated: the compiled full rules against plain Elo, on the same synthetic columns.

The yardstick is one pass of Elo a game, compiled with Numba, over the same columns and members; a dual-rated game
counts twice in both. Kernel times leave reading, checking and writing out; ``--files`` measures those too. The best of
several runs counts; compile time is that of the first call, and next to nothing once the cache has the code.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pyarrow.parquet as pq

from ratebook.bulk.check import check_chunk
from ratebook.bulk.compiled import Compiled, compiled, default_cache
from ratebook.bulk.history import write_history
from ratebook.bulk.prepare import (
    RuleTable,
    chunk_of,
    decisions_that_count,
    ledger_room,
    opening_state,
    side_arrays,
    tables_of,
    with_dossiers,
)
from ratebook.bulk.replay import Options, frozen, replay_to_file
from ratebook.bulk.scratch import allocate
from ratebook.bulk.stream import chunks, source_of
from ratebook.bulk.synthetic import Shape, synthetic_history
from ratebook.rating.section import SPECIAL
from ratebook.rules.rulebook import load_rulebook

SYSTEMS = 6
START = 1300.0


@numba.njit(nogil=True)
def plain_elo(  # noqa: PLR0913, PLR0917 - the same columns as the full rules have
    first_entry: Any,  # noqa: ANN401 - arrays
    member: Any,  # noqa: ANN401
    first_game: Any,  # noqa: ANN401
    opponent: Any,  # noqa: ANN401
    score: Any,  # noqa: ANN401
    systems: Any,  # noqa: ANN401
    rating: Any,  # noqa: ANN401
) -> int:
    """Rate every game by Elo with K = 32, once; return how many there were. The yardstick."""
    games = 0
    for section in range(len(systems)):
        first = first_entry[section]
        for system in range(SYSTEMS):
            if not systems[section] & (1 << system):
                continue
            for entry in range(first, first_entry[section + 1]):
                if member[entry] < 0:
                    continue
                for game in range(first_game[entry], first_game[entry + 1]):
                    other = first + opponent[game]
                    if other > entry and member[other] >= 0:
                        one = member[entry] * SYSTEMS + system
                        two = member[other] * SYSTEMS + system
                        expected = 1.0 / (1.0 + 10.0 ** ((rating[two] - rating[one]) / 400.0))
                        change = 32.0 * (0.5 * score[game] - expected)
                        rating[one] += change
                        rating[two] -= change
                        games += 1
    return games


class Bench:
    """One synthetic history as a single chunk, ready to be rated again and again."""

    def __init__(self, games: int, members: int, seed: int) -> None:
        begin = time.perf_counter()
        self.history = synthetic_history(Shape(games=games, members=members, seed=seed))
        self.generated = time.perf_counter() - begin
        self.functions: Compiled = compiled(default_cache())
        rules = RuleTable(load_rulebook())
        source = source_of(self.history)
        side = side_arrays(source.side)
        side["decisions"] = decisions_that_count(side)
        self.tables = frozen(tables_of(side, rules))
        raw = next(chunks(source, source.sections))
        found = check_chunk(raw, None, members, rules, np.zeros(members, "i4"), self.functions.scan_games)
        assert not found, found  # noqa: S101 - the generator's own promise
        self.chunk = frozen(chunk_of(raw, rules, 0))
        self.start = with_dossiers(opening_state(side), self.chunk)
        self.ledger = ledger_room(int(self.chunk.first_row[-1]), workings=False)
        self.members = members

    def full_rules(self, threads: int) -> float:
        """Rate everything once and return the seconds of the kernel."""
        state = type(self.start)._make(values.copy() for values in self.start)
        state = state._replace(standings=self.start.standings)
        keep = self.start.standings.copy()
        entries = int(np.diff(self.chunk.first_entry).max())
        games = int(np.diff(self.chunk.first_game[self.chunk.first_entry]).max())
        scratch = allocate(threads, entries, games)
        done = np.zeros(len(self.chunk.kind), "u1")

        def share(thread: int) -> None:
            self.functions.rate_sections(
                self.chunk, self.tables, state, self.ledger, scratch, done, thread, threads
            )

        begin = time.perf_counter()
        if threads == 1:
            share(0)
        else:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(share, range(threads)))
        seconds = time.perf_counter() - begin
        self.start.standings[:] = keep
        return seconds

    def elo(self) -> tuple[float, int]:
        """Rate everything once by plain Elo and return seconds and games."""
        chunk = self.chunk
        rating = np.full(self.members * SYSTEMS, START)
        begin = time.perf_counter()
        games = plain_elo(
            chunk.first_entry,
            chunk.member,
            chunk.first_game,
            chunk.opponent,
            chunk.score,
            chunk.systems,
            rating,
        )
        return time.perf_counter() - begin, games

    def special_share(self) -> float:
        """Return the share of ledger rows that the special formula rated."""
        used = self.ledger.member >= 0
        return float((self.ledger.formula[used] == SPECIAL).mean())


def end_to_end(bench: Bench, threads: int) -> tuple[float, int]:
    """Return the seconds from Parquet to Parquet, and the size of the ledger's file."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_history(bench.history, folder / "history")
        begin = time.perf_counter()
        written = replay_to_file(
            folder / "history", folder / "ledger.parquet", options=Options(threads=threads, short=0)
        )
        seconds = time.perf_counter() - begin
        assert written.rows == pq.ParquetFile(folder / "ledger.parquet").metadata.num_rows  # noqa: S101
        return seconds, (folder / "ledger.parquet").stat().st_size


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2_000_000)
    parser.add_argument("--members", type=int, default=100_000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--files", action="store_true", help="measure Parquet to Parquet too")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    bench = Bench(given.games, given.members, given.seed)
    first = bench.full_rules(1)
    bench.elo()
    kernel = min(bench.full_rules(1) for _ in range(given.repeat))
    elo, games = min(bench.elo() for _ in range(given.repeat))
    figures: dict[str, float] = {
        "games": games,
        "generating_seconds": bench.generated,
        "compile_seconds": first - kernel,
        "kernel_seconds": kernel,
        "elo_seconds": elo,
        "ratio": kernel / elo,
        "games_a_second": games / kernel,
        "special_share": bench.special_share(),
    }
    if given.threads > 1:
        several = min(bench.full_rules(given.threads) for _ in range(given.repeat))
        figures |= {"threads": given.threads, "threads_seconds": several, "threads_gain": kernel / several}
    if given.files:
        seconds, size = end_to_end(bench, given.threads)
        figures |= {"end_to_end_seconds": seconds, "end_to_end_ratio": seconds / kernel, "ledger_bytes": size}
    figures["peak_megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if given.json:
        print(json.dumps(figures, indent=2))
        return
    for name, figure in figures.items():
        print(f"{name:>20} {figure:,.3f}")


if __name__ == "__main__":
    main()
