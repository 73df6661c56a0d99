"""Reading a history in chunks of consecutive sections, from tables in memory or from a folder of Parquet files."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ratebook.replay.memory import Array
from ratebook.replay.tables import (
    MAY_LACK,
    READ_VERSIONS,
    SCHEMAS,
    SIDE_TABLES,
    STREAMED,
    VERSION_KEY,
    History,
    array_of,
    arrow_table,
)

ROWS_AT_ONCE = 1 << 17

Arrays = dict[str, Any]
"""The columns of a table as arrays, by name."""


class RawChunk(NamedTuple):
    """Consecutive sections as they were read, nothing checked yet.

    Attributes:
        first_section: number of the first section in the history.
        sections, entries, games: columns by name; sums of counts may not agree with what was there.
        after: int32, one an entry; filled when the chunk is checked (``scan.scan_games``).
        enough: whether there were as many entries and games as the counts ask for.
    """

    first_section: int
    sections: Arrays
    entries: Arrays
    games: Arrays
    after: Array
    enough: bool


class TableReader:
    """The rows of one table, taken a number at a time."""

    def __init__(self, name: str, batches: Iterator[pa.RecordBatch]) -> None:
        self.name = name
        self._batches = batches
        self._held: list[pa.RecordBatch] = []
        self._count = 0

    def take(self, count: int) -> Arrays:
        """Return the next *count* rows, or what is left, as arrays.

        Raises:
            pa.ArrowInvalid: a column does not fit its type.
        """
        while self._count < count and self._fetch():
            pass
        schema = SCHEMAS[self.name]
        if not count or not self._held:
            return {field.name: array_of(pa.array([], field.type), field.type) for field in schema}
        held = pa.Table.from_batches(self._held)
        self._held = held.slice(count).to_batches()
        self._count = max(self._count - count, 0)
        table = arrow_table(self.name, held.slice(0, count))
        return {
            field.name: table.column("event").cast(pa.string())
            if field.name == "event"
            else array_of(table.column(field.name), field.type)
            for field in schema
        }

    def is_empty(self) -> bool:
        """Return whether nothing is left."""
        return not self._count and not self._fetch()

    def _fetch(self) -> bool:
        """Hold the next batch that has rows; return whether there was one."""
        batch = next((batch for batch in self._batches if batch.num_rows), None)
        if batch is None:
            return False
        self._held.append(batch)
        self._count += batch.num_rows
        return True


class HistorySource(NamedTuple):
    """A history that can be read: the side tables as they are, the others row by row."""

    side: Mapping[str, pa.Table]
    rows: Mapping[str, TableReader]
    sections: int


def source_of(history: History | str | Path) -> HistorySource:
    """Return what reads a history: its tables, or the folder that `write_history` wrote.

    Raises:
        OSError: a file cannot be read.
        pa.ArrowInvalid: a file is no Parquet file.
        ValueError: a file is of another version.
        TypeError: a table has no Arrow PyCapsule interface.
    """
    if isinstance(history, History):
        tables = {name: arrow_table(name, table) for name, table in history._asdict().items()}
        rows = {name: TableReader(name, iter(tables[name].to_batches())) for name in STREAMED}
        return HistorySource({name: tables[name] for name in SIDE_TABLES}, rows, tables["sections"].num_rows)
    folder = Path(history)
    files = {
        name: pq.ParquetFile(folder / f"{name}.parquet", memory_map=True)
        for name in SCHEMAS
        if name not in MAY_LACK or (folder / f"{name}.parquet").exists()
    }
    for name, file in files.items():
        written = (file.schema_arrow.metadata or {}).get(VERSION_KEY)
        if written not in READ_VERSIONS:
            version = "none" if written is None else written.decode(errors="replace")
            known = " or ".join(known.decode() for known in READ_VERSIONS)
            raise ValueError(f"{name}.parquet: the version of the columns must be {known}, not {version}")
    side = {
        name: arrow_table(name, files[name].read()) if name in files else SCHEMAS[name].empty_table()
        for name in SIDE_TABLES
    }
    rows = {name: TableReader(name, files[name].iter_batches(batch_size=ROWS_AT_ONCE)) for name in STREAMED}
    return HistorySource(side, rows, files["sections"].metadata.num_rows)


def chunks(source: HistorySource, sections_at_once: int) -> Iterator[RawChunk]:
    """Yield the history in chunks of *sections_at_once* sections; the last one may have rows that are left over.

    Raises:
        pa.ArrowInvalid: a column does not fit its type.
    """
    first = 0
    while not source.rows["sections"].is_empty():
        sections = source.rows["sections"].take(sections_at_once)
        count = len(sections["entries"])
        wanted_entries = int(np.maximum(sections["entries"], 0).sum(dtype="i8"))
        entries = source.rows["entries"].take(wanted_entries)
        wanted_games = int(entries["games"].sum(dtype="i8"))
        games = source.rows["games"].take(wanted_games)
        enough = len(entries["member"]) == wanted_entries and len(games["score"]) == wanted_games
        after = np.zeros(len(entries["member"]), "i4")
        yield RawChunk(
            first_section=first, sections=sections, entries=entries, games=games, after=after, enough=enough
        )
        first += count


def first_places(counts: Array) -> Array:
    """Return where each of consecutive groups begins, and where the last one ends, from their sizes.

    >>> first_places(np.array([2, 0, 3])).tolist()
    [0, 2, 2, 5]
    """
    first = np.zeros(len(counts) + 1, "i8")
    np.cumsum(counts, out=first[1:])
    return first
