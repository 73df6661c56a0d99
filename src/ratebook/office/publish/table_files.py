"""A table in several formats at once, line by line: CSV and ND-JSON, both compressed, and Parquet."""

import csv
import gzip
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

from ratebook.bounded_files import sha256_of
from ratebook.pages.columns import csv_cells, flat_cells
from ratebook.records.data_files import ENDINGS, DataFile, DataTable, type_of
from ratebook.records.record import plain
from ratebook.unfinished_files import make_durable

LINES_AT_ONCE = 10_000
"""Lines of a row group of Parquet, which are in memory until it is written."""
EFFORT = 6


class _Lines(Protocol):
    """Takes the lines of a table: the values of its keys, the record, and the cells of both."""

    def __init__(self, table: DataTable, path: Path, stack: ExitStack) -> None: ...

    def add(self, keys: Sequence[object], line: object, cells: Sequence[object]) -> None: ...


class _Csv:
    def __init__(self, table: DataTable, path: Path, stack: ExitStack) -> None:
        self._writer = csv.writer(_packed_text(path, stack, newline=""), lineterminator="\r\n")
        self._writer.writerow(column.name for column in table.columns)

    def add(self, keys: Sequence[object], line: object, cells: Sequence[object]) -> None:  # noqa: ARG002 - of all
        self._writer.writerow(csv_cells(cells))


class _NdJson:
    def __init__(self, table: DataTable, path: Path, stack: ExitStack) -> None:
        self._keys = [column.name for column in table.keys]
        self._text = _packed_text(path, stack, newline="\n")

    def add(self, keys: Sequence[object], line: object, cells: Sequence[object]) -> None:  # noqa: ARG002 - of all
        item = dict(zip(self._keys, keys, strict=True)) | plain(line)
        self._text.write(json.dumps(item, ensure_ascii=False, separators=(",", ":")) + "\n")


class _Parquet:
    def __init__(self, table: DataTable, path: Path, stack: ExitStack) -> None:
        import pyarrow as pa  # noqa: PLC0415 - only who asks for Parquet has it
        from pyarrow import parquet  # noqa: PLC0415 - as above

        fields = [
            pa.field(column.name, pa.type_for_alias(type_of(column)), column.may_lack)
            for column in table.columns
        ]
        self._schema = pa.schema(fields)
        self._writer: Any = parquet.ParquetWriter(path, self._schema, compression="zstd")
        stack.callback(self._writer.close)
        stack.callback(self._write)
        self._lines: list[Sequence[object]] = []

    def add(self, keys: Sequence[object], line: object, cells: Sequence[object]) -> None:  # noqa: ARG002 - of all
        self._lines.append(cells)
        if len(self._lines) == LINES_AT_ONCE:
            self._write()

    def _write(self) -> None:
        import pyarrow as pa  # noqa: PLC0415 - as above

        if self._lines:
            columns = zip(*self._lines, strict=True)
            arrays = [
                pa.array(column, field.type) for column, field in zip(columns, self._schema, strict=True)
            ]
            self._writer.write_table(pa.table(arrays, schema=self._schema))
            self._lines = []


def _packed_text(path: Path, stack: ExitStack, newline: str) -> io.TextIOWrapper:
    """Return a text whose compressed bytes go into a new file; no time and no name in it, so that they are the same."""
    file = stack.enter_context(path.open("wb"))
    packed = gzip.GzipFile("", "wb", EFFORT, file, mtime=0)
    return stack.enter_context(io.TextIOWrapper(packed, encoding="utf-8", newline=newline))


_FORMATS: Mapping[str, type[_Lines]] = {"csv": _Csv, "ndjson": _NdJson, "parquet": _Parquet}


class TableFiles:
    """The files of a table, or of one *year* of it, which are written at once below *folder*.

    Raises:
        ImportError: a format needs a library that is not installed.
        OSError: they cannot be written.
    """

    def __init__(self, table: DataTable, year: str | None, formats: Iterable[str], folder: Path) -> None:
        self._table = table
        self._year = year
        self._rows = 0
        stem = table.name if year is None else f"{table.name}-{year}"
        self._paths = {form: folder / f"{stem}.{ENDINGS[form]}" for form in formats}
        self._stack = ExitStack()
        self._files: list[_Lines] = [
            _FORMATS[form](table, path, self._stack) for form, path in self._paths.items()
        ]

    def add(self, keys: Sequence[object], line: object) -> None:
        """Add a line."""
        cells = (*keys, *flat_cells(self._table.kind, line))
        for file in self._files:
            file.add(keys, line, cells)
        self._rows += 1

    def close(self) -> None:
        """Close the files, whether they are complete or not."""
        self._stack.close()

    def placed(self, folder: Path) -> list[DataFile]:
        """Close the files, give them the names of their contents in *folder*, and return what they are."""
        self.close()
        files = []
        for form, path in self._paths.items():
            digest = sha256_of(path)
            name = f"{path.name.partition('.')[0]}-{digest[:16]}.{ENDINGS[form]}"
            size = path.stat().st_size
            make_durable(path)
            path.replace(folder / name)
            files.append(
                DataFile(
                    name=name,
                    table=self._table.name,
                    year=self._year,
                    format=form,
                    rows=self._rows,
                    bytes=size,
                    sha256=digest,
                )
            )
        return files
