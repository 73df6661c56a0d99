"""The whole book as portable files, and back into either store; what comes back is the same, bit for bit.

A folder holds ``manifest.json`` and one file of JSON lines for each table: a row is one JSON array in the order of the
manifest's columns, rows are in the order of their keys, days are ``2026-11-20``, yes and no are ``true`` and
``false``, nothing is ``null``, and a figure has as many digits as it takes to read the same figure again. The same book
gives the same bytes, whichever store it is in.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from typing import NamedTuple

from ratebook.book.chain.links import link_noted
from ratebook.book.connection import VERSION, Book, Connection, require_release, require_version
from ratebook.book.copies.tables import (
    Value,
    count_rows,
    defer_references,
    fill_table,
    kinds_of_columns,
    read_rows,
    tables,
)
from ratebook.book.failures import BookError, failure_of_file, refused, unwritable
from ratebook.book.migrations import migrate, versions
from ratebook.book.migrations.creation import new_tables
from ratebook.bounded_files import MOST_BYTES, bounded_bytes, opened_stream
from ratebook.findings import Place
from ratebook.office import Progress, no_progress
from ratebook.private_files import make_private_folder, open_private_file
from ratebook.unfinished_files import PARTIAL, make_durable, unfinished_folder, write_durably

MANIFEST = "manifest.json"
FORMAT = "ratebook book"
MOST_OF_ROW = 4 * MOST_BYTES
"""Bytes of a line: that of a submission has its report, whose letters may take several in JSON."""


class StoredTable(NamedTuple):
    """What the manifest says of one table: columns in the order of the arrays, and the SHA-256 of the file's bytes."""

    name: str
    columns: tuple[str, ...]
    rows: int
    sha256: str


class Manifest(NamedTuple):
    """What an export consists of: tables of one version, in an order in which each refers to those before it."""

    version: str
    tables: tuple[StoredTable, ...]


def export_book(book: Book, target: str, progress: Progress = no_progress) -> Manifest:
    """Write one state of the whole book as portable files, which only the user may read, into a new folder, or nothing.

    Raises:
        BookError: there is something at *target* already, or it cannot be written; or the store fails.
    """
    folder = Path(target)
    if folder.exists():
        raise refused("export-target-exists", Place(file=target))
    with ExitStack() as stack:
        try:
            if not folder.parent.exists():
                make_private_folder(folder.parent)
            partial = stack.enter_context(unfinished_folder(folder, PARTIAL))
        except OSError as failure:
            raise unwritable(failure, target) from failure
        try:
            with book.reading() as connection:
                require_version(connection, book.url)
                manifest = _write_tables(connection, partial, progress)
            content = {"format": FORMAT, **manifest._asdict()}
            content["tables"] = [table._asdict() for table in manifest.tables]
            write_durably(partial / MANIFEST, f"{json.dumps(content, indent=1)}\n".encode())
            partial.rename(folder)
            make_durable(folder.parent)
        except OSError as failure:
            raise failure_of_file(failure, target) from failure
    return manifest


def import_book(folder: str, place: str, progress: Progress = no_progress, *, shown: str = "") -> Manifest:
    """Make a book at *place* from what `export_book` wrote, whole or not at all; an older one is upgraded.

    The place is the path of a new file or the URL of an empty PostgreSQL database; findings name it as *shown*.

    Raises:
        BookError: the files are not those that the manifest names; there is a book already; or the store fails.
    """
    manifest = read_manifest(folder)
    with new_tables(place, manifest.version, shown=shown) as connection:
        total, rows = sum(table.rows for table in manifest.tables), 0
        defer_references(connection)
        columns = kinds_of_columns(connection)
        if columns.keys() != {table.name for table in manifest.tables}:
            raise _manifest_wrong(folder, "its tables are not those of its version")
        for table in manifest.tables:
            kinds = columns[table.name]
            if kinds.keys() != set(table.columns) or len(kinds) != len(table.columns):
                raise _manifest_wrong(folder, f"the columns of {table.name} are not those of its version")
            ordered = {name: kinds[name] for name in table.columns}
            fill_table(connection, table.name, ordered, _rows_of(folder, table, list(ordered.values())))
            rows += table.rows
            progress(rows, total)
        migrate(connection)
        link_noted(connection)
    return manifest


def read_manifest(folder: str) -> Manifest:
    """Return what an export consists of; a `BookError` without a manifest of a version that this program knows."""
    path = Path(folder) / MANIFEST
    try:
        content = bounded_bytes(path)
    except FileNotFoundError as failure:
        raise refused("export-manifest-missing", Place(file=folder)) from failure
    except OSError as failure:
        raise failure_of_file(failure, str(path)) from failure
    try:
        manifest = json.loads(content)
        version = str(manifest["version"])
        tables = tuple(
            StoredTable(
                str(table["name"]),
                tuple(map(str, table["columns"])),
                int(table["rows"]),
                str(table["sha256"]),
            )
            for table in manifest["tables"]
        )
        is_ours = manifest["format"] == FORMAT
    except (ValueError, KeyError, TypeError, RecursionError) as failure:
        raise _manifest_wrong(folder, "it is not as an export writes it") from failure
    if not is_ours:
        raise _manifest_wrong(folder, "it names another format")
    require_release(version, folder)
    if version not in versions():
        raise _manifest_wrong(folder, f"there is no version {version}")
    return Manifest(version, tables)


def _write_tables(connection: Connection, folder: Path, progress: Progress) -> Manifest:
    total, rows_before = count_rows(connection), 0
    written: list[StoredTable] = []
    for name, columns in tables().items():
        digest = hashlib.sha256()
        rows = 0
        path = folder / f"{name}.jsonl"
        with open_private_file(path) as file:
            for batch in read_rows(connection, name):
                chunk = b"".join(
                    json.dumps(row, ensure_ascii=False, allow_nan=False).encode() + b"\n" for row in batch
                )
                digest.update(chunk)
                file.write(chunk)
                rows += len(batch)
                progress(rows_before + rows, total)
            file.flush()
            os.fsync(file.fileno())
        rows_before += rows
        written.append(StoredTable(name, columns, rows, digest.hexdigest()))
    return Manifest(VERSION, tuple(written))


def _rows_of(folder: str, table: StoredTable, kinds: Sequence[type]) -> Iterator[list[Value]]:
    """Yield the rows of a table's file; the last one only if the file is the one that the manifest names."""
    path = Path(folder) / f"{table.name}.jsonl"
    digest = hashlib.sha256()
    rows = 0
    try:
        with opened_stream(path) as file:
            while line := file.readline(MOST_OF_ROW):
                digest.update(line)
                rows += 1
                if rows > table.rows:
                    break
                yield _row(line, kinds, f"{path}, line {rows}")
    except FileNotFoundError as failure:
        raise refused("export-file-missing", Place(file=str(path))) from failure
    except OSError as failure:
        raise failure_of_file(failure, str(path)) from failure
    if rows != table.rows or digest.hexdigest() != table.sha256:
        differs = "It is not the file that the manifest names: its rows or its SHA-256 differ."
        raise refused("export-file-changed", Place(file=str(path)), message=differs)


def _row(line: bytes, kinds: Sequence[type], where: str) -> list[Value]:
    try:
        row = json.loads(line)
        if len(row) == len(kinds) and isinstance(row, list):
            return [
                None if value is None else _of_kind(value, kind)
                for value, kind in zip(row, kinds, strict=True)
            ]
    except (ValueError, TypeError, RecursionError):
        pass
    raise refused("export-file-changed", Place(file=where), message="The line is not a row of this table.")


def _of_kind(value: object, kind: type) -> Value:
    """Return *value* as both stores take it for a column of a *kind*."""
    if kind is date and isinstance(value, str):
        return date.fromisoformat(value).isoformat()
    if kind is float and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if type(value) is kind:
        return value  # type: ignore[return-value]
    raise ValueError(kind)


def _manifest_wrong(folder: str, reason: str) -> BookError:
    return refused("export-manifest-wrong", Place(file=folder), reason=reason)
