"""Writing a history: a folder of Parquet files that gets its name when it is complete; only the user may read it."""

import shutil
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pyarrow.parquet as pq

from ratebook.private_files import make_private_file, make_private_folder
from ratebook.replay.ledger import UNFINISHED
from ratebook.replay.tables import SCHEMAS, SIDE_TABLES, STREAMED, VERSION, VERSION_KEY, History, arrow_table

REPEATING = ("member", "opponent")
"""Columns whose numbers hardly repeat: a dictionary of them would be as long as the column."""


class HistoryWriter:
    """Writes the tables of a history, each in as many parts as there are, in order.

    >>> import tempfile
    >>> from ratebook.demo.synthetic import Shape, synthetic_history
    >>> folder = Path(tempfile.mkdtemp()) / "history"
    >>> with HistoryWriter(folder) as writer:
    ...     for name, table in synthetic_history(Shape(games=100, members=50))._asdict().items():
    ...         writer.write(name, table)
    >>> sorted(path.name for path in folder.iterdir())[:3]
    ['balances.parquet', 'decisions.parquet', 'entries.parquet']

    Raises:
        FileExistsError: something of that name exists already.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        if self.folder.exists():
            raise FileExistsError(f"{self.folder} exists already; give another name.")
        self.unfinished = self.folder.with_name(self.folder.name + UNFINISHED)
        self._open = ExitStack()
        self._files: dict[str, pq.ParquetWriter] = {}

    def write(self, name: str, table: Any) -> None:  # noqa: ANN401 - anything with the PyCapsule interface
        """Append rows to the table *name*; sections, entries and games in the order of rating (see `History`)."""
        schema = SCHEMAS[name]
        self._files[name].write_table(arrow_table(name, table).select(schema.names).cast(schema))

    def __enter__(self) -> Self:
        shutil.rmtree(self.unfinished, ignore_errors=True)
        try:
            self._begin()
        except BaseException:
            self._open.close()
            shutil.rmtree(self.unfinished, ignore_errors=True)
            raise
        return self

    def _begin(self) -> None:
        make_private_folder(self.unfinished)
        for name, schema in SCHEMAS.items():
            file = self.unfinished / f"{name}.parquet"
            make_private_file(file)
            dictionary = [field.name for field in schema if field.name not in REPEATING]
            writer = pq.ParquetWriter(
                file,
                schema.with_metadata({VERSION_KEY: VERSION}),
                compression="lz4",
                use_dictionary=dictionary,
            )
            self._files[name] = self._open.enter_context(writer)

    def __exit__(
        self, kind: type[BaseException] | None, _value: BaseException | None, _trace: TracebackType | None
    ) -> None:
        try:
            self._open.close()
            if kind is None:
                self.unfinished.rename(self.folder)
        finally:
            # Where it has its name by now, nothing of the other is left.
            shutil.rmtree(self.unfinished, ignore_errors=True)


def write_history(history: History, folder: str | Path) -> None:
    """Write a history whose tables are in memory.

    Raises:
        FileExistsError: something of that name exists already.
        OSError: a file cannot be written.
    """
    with HistoryWriter(folder) as writer:
        for name in (*SIDE_TABLES, *STREAMED):
            writer.write(name, getattr(history, name))
