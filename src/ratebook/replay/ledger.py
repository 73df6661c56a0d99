"""What a replay gives: ledger rows chunk by chunk, final standings, and the file they go to."""

import errno
from collections.abc import Collection
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ratebook.private_files import give_rights_of, make_private_file
from ratebook.replay.memory import NO_EXTRA, NOBODY, SYSTEMS, Array, Ledger, State, standings_at
from ratebook.replay.prepare import COUNTS, FLOOR_COLUMNS
from ratebook.replay.tables import FULL_LEDGER, LEDGER, STANDINGS, VERSION, VERSION_KEY, table_of

UNFINISHED = ".unfinished"
"""What the name of a file ends in until it is complete."""


def ledger_schema(*, workings: bool, columns: Collection[str] = ()) -> pa.Schema:
    """Return the columns of a ledger, with its version: those named in *columns*, or all where it is empty.

    Raises:
        ValueError: the ledger has no column of a name.
    """
    whole = FULL_LEDGER if workings else LEDGER
    unknown = sorted(set(columns) - set(whole.names))
    if unknown:
        raise ValueError(f"the ledger has no column {unknown[0]}; it has {', '.join(whole.names)}")
    fields = [field for field in whole if not columns or field.name in columns]
    return pa.schema(fields, metadata={VERSION_KEY: VERSION})


def ledger_table(ledger: Ledger, rows: int, first_section: int, schema: pa.Schema) -> pa.Table:
    """Return the first *rows* rows as a table of *schema*, those that were not used left out."""
    columns = {name: getattr(ledger, name)[:rows] for name in schema.names}
    used = ledger.member[:rows] != NOBODY
    if not used.all():
        rated = np.flatnonzero(used)
        columns = {name: values.take(rated) for name, values in columns.items()}
    if "section" in columns:
        columns["section"] = columns["section"] + np.int32(first_section)
    return table_of("ledger", columns, schema)


def standings_table(state: State) -> pa.Table:
    """Return the standings of all rated members, by member and system."""
    places = np.flatnonzero(state.standings["known"])
    standings = standings_at(state.standings, places)
    floors: dict[str, Array] = {}
    has = standings["extra"] != NO_EXTRA
    entered = state.extras["entered"][standings["extra"][has]]
    for kind, name in enumerate(FLOOR_COLUMNS):
        floors[name] = np.full(len(places), np.nan)
        floors[name][has] = np.where(entered[:, kind] < 0, np.nan, entered[:, kind])
    return table_of(
        "standings",
        {
            "member": (places // SYSTEMS).astype("i4"),
            "system": (places % SYSTEMS).astype("i1"),
            "as_of": standings["day"],
            "rating": standings["rating"],
            "games": standings["games"],
            **{column: standings[field] for column, field in COUNTS.items()},
            "record": standings["record"],
            "at_least": standings["at_least"],
            "peak": np.where(standings["peak"] < 0, np.nan, standings["peak"]),
            **floors,
        },
        STANDINGS,
    )


class ParquetFile:
    """A Parquet file that gets its name when it is complete; otherwise nothing is left behind.

    Only the user may read it, unless it replaces a file that others may read.

    Attributes:
        complete: to be set when everything was written.

    Raises:
        OSError: it cannot be written, or something that is no file has its name.
    """

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        if path.exists() and not path.is_file():
            raise OSError(errno.EINVAL, "it is there already and is no file", str(path))
        self.path = path
        self.complete = False
        self.unfinished = path.with_name(path.name + UNFINISHED)
        self.unfinished.unlink(missing_ok=True)
        make_private_file(self.unfinished)
        # Random bits of ratings neither compress nor repeat: dictionaries and codecs would only cost time.
        self._writer = pq.ParquetWriter(
            self.unfinished, schema, compression="none", use_dictionary=False, write_statistics=False
        )

    def write(self, table: pa.Table) -> None:
        """Append rows."""
        self._writer.write_table(table)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _value: BaseException | None, _trace: TracebackType | None
    ) -> None:
        try:
            self._writer.close()
            if kind is None and self.complete:
                if self.path.exists():
                    give_rights_of(self.path, self.unfinished)
                self.unfinished.replace(self.path)
        finally:
            # Where it has its name by now, nothing of the other is left.
            self.unfinished.unlink(missing_ok=True)
