"""Re-rating a whole history: from tables or files to ledger and standings, chunk by chunk."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pyarrow as pa

from ratebook.findings import Finding, Place, finding, has_errors
from ratebook.formats.contract import InputError
from ratebook.replay import prepare
from ratebook.replay.check import check_chunk, check_side
from ratebook.replay.engine.compiled import (
    PLAIN,
    Functions,
    allowed_threads,
    cache_findings,
    compiled,
    default_cache,
    is_compiled,
)
from ratebook.replay.engine.plain import follow_all
from ratebook.replay.engine.scratch import allocate
from ratebook.replay.engine.threads import rate_in_threads, room_for
from ratebook.replay.ledger import ParquetFile, ledger_schema, ledger_table, standings_table
from ratebook.replay.load import RawChunk, chunks, source_of
from ratebook.replay.matches import MatchEligibility
from ratebook.replay.memory import Array, Ledger, State
from ratebook.replay.tables import History
from ratebook.rules.rulebook import Rulebook, load_rulebook

SECTIONS_AT_ONCE = 25_000
SHORT = 1_000
"""Sections below which a history is rated by plain Python, unless the loop was compiled before."""


class Options(NamedTuple):
    """How a history is replayed; results do not depend on any of these, except ``workings`` and ``columns``.

    Attributes:
        threads: how many sections may be rated side by side.
        workings: give the columns of ``tables.FULL_LEDGER``.
        columns: give only these columns of the ledger; empty: all.
        sections_at_once: the size of a chunk, sections.
        cache: where compiled code is kept between runs; None: with the user's caches.
        short: histories of fewer sections are interpreted where nothing is compiled yet.
        progress: called after each chunk with the sections done and all sections.
    """

    threads: int = 1
    workings: bool = False
    columns: tuple[str, ...] = ()
    sections_at_once: int = SECTIONS_AT_ONCE
    cache: Path | None = None
    short: int = SHORT
    progress: Callable[[int, int], None] | None = None


class Replayed(NamedTuple):
    """What a replay gives.

    Attributes:
        ledger: one row a player, section and system (``tables.LEDGER``); None where a finding is an error.
        standings: of all rated members at the end (``tables.STANDINGS``).
        findings: what the columns are like.
    """

    ledger: pl.DataFrame | None
    standings: pl.DataFrame | None
    findings: tuple[Finding, ...]


class WrittenLedger(NamedTuple):
    """What a replay into a file gives: the rows written, the final standings, findings."""

    rows: int
    standings: pl.DataFrame | None
    findings: tuple[Finding, ...]


DEFAULT_OPTIONS = Options()


def replay(
    history: History | str | Path, rules: Rulebook | None = None, options: Options = DEFAULT_OPTIONS
) -> Replayed:
    """Return the ledger and the final standings of *history*, rated from its beginning.

    The ledger is held in memory; `replay_to_file` needs none for it.

    Args:
        history: eight tables (`History`; Polars frames or anything with the Arrow PyCapsule interface), or the folder
            of a history on disk.
        rules: the dated rules, perhaps with an overlay (`Rulebook.with_overlay`); None: those that ship.
        options: threads, workings, chunks.
    """
    run = Run(history, rules, options, keep=True)
    tables = list(run.ledgers())
    if run.failed:
        return Replayed(None, None, tuple(run.findings))
    schema = ledger_schema(workings=options.workings, columns=options.columns)
    ledger = pl.DataFrame(pa.concat_tables(tables) if tables else schema.empty_table())
    return Replayed(ledger, run.standings(), tuple(run.findings))


def ledger_of(
    history: History | str | Path, rules: Rulebook | None = None, options: Options = DEFAULT_OPTIONS
) -> pl.DataFrame:
    """Return the ledger that `replay` gives.

    Raises:
        InputError: the history has errors; the findings name them.
    """
    replayed = replay(history, rules, options)
    if replayed.ledger is None:
        raise InputError(replayed.findings)
    return replayed.ledger


def replay_to_file(
    history: History | str | Path,
    ledger: str | Path,
    rules: Rulebook | None = None,
    options: Options = DEFAULT_OPTIONS,
) -> WrittenLedger:
    """Replay *history* into the Parquet file *ledger*, which gets its name when it is complete.

    Memory grows with members, not with games. An error or an interrupt leaves no file behind.

    Raises:
        OSError: the file cannot be written.
    """
    run = Run(history, rules, options)
    rows = 0
    with ParquetFile(Path(ledger), ledger_schema(workings=options.workings, columns=options.columns)) as file:
        for table in run.ledgers():
            file.write(table)
            rows += table.num_rows
        if not run.failed:
            file.complete = True
    if run.failed:
        return WrittenLedger(0, None, tuple(run.findings))
    return WrittenLedger(rows, run.standings(), tuple(run.findings))


def check_history(
    history: History | str | Path, rules: Rulebook | None = None, options: Options = DEFAULT_OPTIONS
) -> tuple[Finding, ...]:
    """Return what is wrong with the columns of *history*; nothing is rated."""
    run = Run(history, rules, options)
    for _ in run.good_chunks():
        pass
    return tuple(run.findings)


class Run:
    """One replay.

    Attributes:
        findings: findings so far; while one is an error, nothing more is rated.
        engine: what rates; None where the tables cannot be read or the side tables are wrong.
        birth_days: of the members, as day numbers, -1 where unknown.
    """

    def __init__(
        self, history: History | str | Path, rules: Rulebook | None, options: Options, *, keep: bool = False
    ) -> None:
        self.options = options
        self.rulebook = rules or load_rulebook()
        self.findings: list[Finding] = []
        self.engine: Engine | None = None
        try:
            self._source = source_of(history)
            side = prepare.side_arrays(self._source.side)
        except (OSError, pa.ArrowException, KeyError, TypeError, ValueError) as failure:
            self._note_unreadable(failure)
            return
        self._rules = prepare.RuleTable(self.rulebook)
        self.findings += check_side(side)
        if self.failed:
            return
        side["decisions"] = prepare.decisions_that_count(side)
        self._matches = MatchEligibility(side.pop("published_ratings"), self._rules)
        self.birth_days = side["members"]["birth_date"]
        self._members = len(self.birth_days)
        folder = options.cache or default_cache()
        self.findings += cache_findings(folder)
        if self._source.sections < options.short and not is_compiled(folder):
            self.engine = Engine(side, self._rules, options._replace(threads=1), PLAIN, keep=keep)
        else:
            self.engine = Engine(side, self._rules, options, compiled(folder), keep=keep)

    @property
    def failed(self) -> bool:
        """Whether a finding is an error."""
        return has_errors(self.findings)

    def _note_unreadable(self, failure: Exception) -> None:
        """Note that tables or files cannot be read as a history."""
        reason = str(failure).strip() or type(failure).__name__
        self.findings.append(finding("history-unreadable", Place(subject="history"), failure=reason))

    def regions(self) -> tuple[list[str], Array]:
        """Return the names of the regions, and of each member the place of its own among them."""
        regions = self._source.side["members"]["region"].combine_chunks().dictionary_encode()
        return regions.dictionary.to_pylist(), np.asarray(regions.indices)

    def ledgers(self) -> Iterator[pa.Table]:
        """Yield the ledger chunk by chunk; after an error nothing more.

        A table is good until the next one is asked for, unless the run was told to *keep* them.
        """
        for _, table in self.rated_chunks():
            yield table

    def rated_chunks(self) -> Iterator[tuple[RawChunk, pa.Table]]:
        """Yield each chunk of sections with its ledger, good until the next one is asked for."""
        for engine, raw in self.good_chunks():
            try:
                table = engine.rate(raw)
            except (ArithmeticError, ValueError) as failure:
                if not self.rulebook.overlaid:
                    raise
                self.findings.append(finding("what-if-unusable", Place(subject="history"), failure=failure))
                return
            yield raw, table
            if self.options.progress is not None:
                self.options.progress(raw.first_section + len(raw.sections["end"]), self._source.sections)

    def good_chunks(self) -> Iterator[tuple["Engine", RawChunk]]:
        """Yield the chunks up to the first one that is wrong, with what rates them; note what is wrong."""
        if self.engine is None:
            return
        seen = np.zeros(self._members, "i4")
        before: RawChunk | None = None
        reading = chunks(self._source, self.options.sections_at_once)
        while True:
            try:
                raw = next(reading, None)
            except (OSError, pa.ArrowException, KeyError, ValueError) as failure:
                self._note_unreadable(failure)
                return
            if raw is None:
                break
            self.findings += check_chunk(
                raw, before, self._members, self._rules, seen, self.engine.scan_games
            )
            if self.failed:
                return
            self._matches.look_at(raw)
            yield self.engine, raw
            before = raw
        for name in ("entries", "games"):
            if not self._source.rows[name].is_empty():
                self.findings.append(finding("history-left-over", Place(file=name)))
        self.findings += self._matches.findings()

    def standings(self) -> pl.DataFrame:
        """Return the standings after the last section and after all decisions."""
        assert self.engine is not None, "nothing was rated"  # noqa: S101 - tells the type checker
        return pl.DataFrame(standings_table(self.engine.final_state()))


class Engine:
    """The loop behind the columns, compiled or as plain Python.

    Attributes:
        state: the standings now.
        scan_games: see ``scan``.
    """

    def __init__(
        self,
        side: dict[str, Any],
        rules: prepare.RuleTable,
        options: Options,
        functions: Functions,
        *,
        keep: bool = False,
    ) -> None:
        self.scan_games = functions.scan_games
        self.state = prepare.opening_state(side)
        self._functions = functions
        self._threads = allowed_threads(options.threads)
        self._rules = rules
        self._schema = ledger_schema(workings=options.workings, columns=options.columns)
        self._keep = keep
        self._tables = frozen(prepare.tables_of(side, rules))
        self._ledger: Ledger | None = None
        self._scratch: Any = None
        self._room = (0, 0)

    def rate(self, raw: RawChunk) -> pa.Table:
        """Rate a chunk and return its ledger."""
        self.state = prepare.without_old_matches(self.state, self._rules, int(raw.sections["end"][0]))
        chunk = frozen(prepare.chunk_of(raw, self._rules, len(self.state.match_day)))
        self.state = prepare.with_extras(self.state, chunk)
        rows = int(chunk.first_row[-1])
        ledger = self._ledger
        if ledger is None or self._keep or len(ledger.member) < rows:
            ledger = self._ledger = prepare.ledger_room(rows, self._schema.names)
        ledger.member[:rows] = -1
        needed = room_for(chunk)
        if needed[0] > self._room[0] or needed[1] > self._room[1]:
            self._room = (max(needed[0], self._room[0]), max(needed[1], self._room[1]))
            self._scratch = allocate(self._threads, *self._room)
        rate_in_threads(
            self._functions, chunk, self._tables, self.state, ledger, self._scratch, self._threads
        )
        if self._rules.rulebook.overlaid:
            # A floor may make a rating of what is no number: the expected score tells.
            rated = ledger.member[:rows] >= 0
            if not all(
                np.isfinite(values[:rows][rated]).all() for values in (ledger.rating, ledger.expected)
            ):
                raise FloatingPointError("a rating is no number")
        return ledger_table(ledger, rows, raw.first_section, self._schema)

    def final_state(self) -> State:
        """Return the state after all decisions: what no section follows takes effect too."""
        follow_all(self._tables, self.state)
        return self.state


def frozen(columns: Any) -> Any:  # noqa: ANN401 - a tuple of arrays
    """Return views that cannot be written and have no gaps: one type for the compiler, wherever they come from."""
    views = []
    for values in columns:
        view = np.ascontiguousarray(values).view()
        view.flags.writeable = False
        views.append(view)
    return type(columns)._make(views)
