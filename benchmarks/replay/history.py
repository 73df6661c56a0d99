"""One synthetic history as a single chunk, ready to be rated again and again."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from benchmarks.replay.yardstick import rate_by_yardstick, start_ratings

from ratebook.demo.synthetic import Shape, synthetic_history
from ratebook.rating.steps import SPECIAL
from ratebook.replay.check import check_chunk
from ratebook.replay.engine.compiled import PLAIN, compiled
from ratebook.replay.engine.scratch import allocate
from ratebook.replay.engine.threads import rate_in_threads, room_for
from ratebook.replay.load import chunks, source_of
from ratebook.replay.prepare import (
    RuleTable,
    chunk_of,
    decisions_that_count,
    ledger_room,
    opening_state,
    side_arrays,
    tables_of,
    with_extras,
)
from ratebook.replay.run import frozen
from ratebook.replay.tables import LEDGER
from ratebook.rules.rulebook import load_rulebook

if TYPE_CHECKING:
    from pathlib import Path

    from ratebook.replay.engine.compiled import Functions
    from ratebook.replay.memory import Chunk


class PreparedHistory:
    """A synthetic history whose columns are checked and in memory.

    Attributes:
        history: its tables.
        chunk: all of its sections.
        members: how many members there are.
        games: how many rated games the yardstick counts; a dual-rated game counts twice.
    """

    def __init__(self, shape: Shape, cache: Path) -> None:
        self.history = synthetic_history(shape)
        self.members = shape.members
        self._functions = compiled(cache)
        self._rules = rules = RuleTable(load_rulebook())
        source = source_of(self.history)
        side = side_arrays(source.side)
        side["decisions"] = decisions_that_count(side)
        self._tables = frozen(tables_of(side, rules))
        raw = next(chunks(source, source.sections))
        seen = np.zeros(self.members, "i4")
        findings = check_chunk(raw, None, self.members, rules, seen, self._functions.scan_games)
        assert not findings, findings  # noqa: S101 - the generator's own promise
        self.chunk = frozen(chunk_of(raw, rules, 0))
        self._start = with_extras(opening_state(side), self.chunk)
        self._ledger = ledger_room(int(self.chunk.first_row[-1]), LEDGER.names)
        self.games = rate_by_yardstick(self.chunk, start_ratings(self.members))

    def seconds_of_kernel(self, threads: int) -> float:
        """Rate everything once by the full rules and return the seconds of the loop alone."""
        return self._seconds_of(self._functions, self.chunk, threads)

    def _seconds_of(self, functions: Functions, chunk: Chunk, threads: int) -> float:
        keep = self._start.standings.copy()
        state = type(self._start)._make(values.copy() for values in self._start)
        state = state._replace(standings=self._start.standings)
        scratch = allocate(threads, *room_for(chunk))
        begin = perf_counter()
        rate_in_threads(functions, chunk, self._tables, state, self._ledger, scratch, threads)
        seconds = perf_counter() - begin
        self._start.standings[:] = keep
        return seconds

    def seconds_of_yardstick(self) -> float:
        """Rate everything once by plain Elo and return the seconds."""
        rating = start_ratings(self.members)
        begin = perf_counter()
        rate_by_yardstick(self.chunk, rating)
        return perf_counter() - begin

    def interpreted(self, most_games: int) -> tuple[float, int]:
        """Rate the first sections, up to about *most_games* games, interpreted: seconds and games."""
        sections = self._sections_of(most_games)
        chunk = frozen(chunk_of(next(chunks(source_of(self.history), sections)), self._rules, 0))
        return self._seconds_of(PLAIN, chunk, 1), int(self._games_by_section()[:sections].sum())

    def _games_by_section(self) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        sides = np.diff(self.chunk.first_game[self.chunk.first_entry])
        systems = np.unpackbits(self.chunk.systems[:, None], axis=1).sum(axis=1)
        return np.asarray(0.5 * sides * systems)

    def _sections_of(self, most_games: int) -> int:
        enough = int(np.searchsorted(np.cumsum(self._games_by_section()), most_games)) + 1
        return min(enough, len(self.chunk.kind))

    def special_share(self) -> float:
        """Return the share of ledger rows that the special formula rated; the kernel must have run."""
        used = self._ledger.member >= 0
        return float((self._ledger.formula[used] == SPECIAL).mean())
