"""The public part of a book as complete tables in files, for mirrors and researchers: what its pages show, and no more.

A folder holds files whose names have the beginning of their SHA-256, and a manifest, which is replaced last: whoever
reads one finds the files that it names, those of the manifest before it included. A run that was ended goes on with the
year at which it was. A table is written in several formats at once, line by line.
"""

import csv
import gzip
import io
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice, takewhile
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias

from ratebook.book.audit import RecordFilter
from ratebook.book.connection import Book, Connection
from ratebook.book.decisions import count_decisions
from ratebook.book.events import SECTIONS_AT_ONCE, StoredSection, read_sections
from ratebook.book.facts.members import IDENTITY, canonical_ids, load_members
from ratebook.book.failures import refused
from ratebook.book.ledger.history import HistoryRow, letter_of, moved_ratings, years_of_history
from ratebook.book.ledger.lists import newest_list
from ratebook.book.ledger.rows import LedgerRow
from ratebook.book.mirrors import sections_by_id
from ratebook.book.profile import Federation, read_federation, revision
from ratebook.bounded_files import MOST_OF_SETTINGS, bounded_bytes, sha256_of
from ratebook.findings import Place
from ratebook.office import Progress, no_progress
from ratebook.pages.columns import csv_cells, flat_cells
from ratebook.pages.event import RatedTables, tables_of
from ratebook.pages.member import players_now, section_result
from ratebook.records.data_files import (
    DATA_FORMAT,
    DATA_MANIFEST,
    DATA_NAME,
    ENDINGS,
    TABLES,
    DataColumn,
    DataFile,
    DataManifest,
    DataTable,
    TableColumns,
    type_of,
)
from ratebook.records.players import FoundPlayer
from ratebook.records.record import plain
from ratebook.unfinished_files import PARTIAL, locked_folder, make_durable, unfinished_folder

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


ERASED = "erase-member"
UNFINISHED = f"{DATA_MANIFEST}.unfinished"
"""What a run has made so far."""
MEMBERS_AT_ONCE = 500
Line: TypeAlias = tuple[str, Sequence[object], object]
"""Of a table, with the values of its keys."""


class WrittenData(NamedTuple):
    """What is in the folder, and how many of its files were not there before."""

    manifest: DataManifest
    made: int


def write_data(
    book: Book, folder: Path, formats: Sequence[str], progress: Progress = no_progress
) -> WrittenData:
    """Write one state of the public part of a book as complete tables; what is there of it already is left as it is.

    Raises:
        BookError: the folder cannot be written, another run writes it, a library is not installed, or the store fails.
    """
    try:
        folder.mkdir(exist_ok=True)
        with locked_folder(folder):
            return _written(book, folder, formats, progress)
    except ImportError as missing:
        raise refused("bulk-missing", Place(file=str(folder)), missing_name=missing.name) from missing
    except OSError as failure:
        reason = failure.strerror or str(failure)
        raise refused("output-unwritable.unwritable", Place(file=str(folder)), reason=reason) from failure


def read_data_manifest(folder: Path, name: str = DATA_MANIFEST) -> DataManifest | None:
    """Return the manifest in a folder; None where there is none of this version, an `OSError` if it cannot be read."""
    try:
        content: dict[str, Any] = json.loads(bounded_bytes(folder / name, MOST_OF_SETTINGS))
        tables = tuple(
            TableColumns(**table | {"columns": tuple(DataColumn(**column) for column in table["columns"])})
            for table in content["tables"]
        )
        files = tuple(DataFile(**file) for file in content["files"])
        manifest = DataManifest(
            **content | {"formats": tuple(content["formats"]), "tables": tables, "files": files}
        )
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, RecursionError):
        # Of another version of the program, or damaged: it is made anew.
        return None
    return manifest if manifest.format == DATA_FORMAT else None


def erasures(connection: Connection) -> int:
    """Return how often personal data were removed from a book: what was written before any of them must go."""
    return count_decisions(connection, RecordFilter(kinds=[ERASED])).get(ERASED, 0)


def _written(book: Book, folder: Path, formats: Sequence[str], progress: Progress) -> WrittenData:
    earlier = read_data_manifest(folder)
    with ExitStack() as stack:
        connection = stack.enter_context(book.reading())
        federation = read_federation(connection)
        manifest = _without_files(connection, federation, formats)
        if (
            earlier is not None
            and replace(earlier, files=()) == manifest
            and _are_there(folder, earlier.files)
        ):
            return WrittenData(earlier, 0)
        beside = stack.enter_context(unfinished_folder(folder / "tables", PARTIAL))
        unfinished = read_data_manifest(folder, UNFINISHED)
        before = () if unfinished is None or replace(unfinished, files=()) != manifest else unfinished.files
        known = {file.name for file in (*before, *(() if earlier is None else earlier.files))}
        parts = (None, *years_of_history(connection))
        for done, year in enumerate(parts):
            progress(done, len(parts))
            files = [file for file in before if file.year == year]
            if not files or not _are_there(folder, files):
                files = _part(connection, federation, year, formats, beside, folder)
            manifest = replace(manifest, files=(*manifest.files, *files))
            _put(manifest, beside, folder / UNFINISHED)
        progress(len(parts), len(parts))
        _put(manifest, beside, folder / DATA_MANIFEST)
    # Whoever has read the manifest before finds its files, unless a name has to go.
    still = earlier.files if earlier is not None and earlier.erasures == manifest.erasures else ()
    named = {file.name for file in (*manifest.files, *still)}
    for path in folder.iterdir():
        if path.name == UNFINISHED or (DATA_NAME.fullmatch(path.name) and path.name not in named):
            path.unlink()
    return WrittenData(manifest, len({file.name for file in manifest.files} - known))


def _without_files(connection: Connection, federation: Federation, formats: Sequence[str]) -> DataManifest:
    return DataManifest(
        format=DATA_FORMAT,
        federation=federation.profile.name,
        revision=revision(connection),
        newest_list=newest_list(connection) or None,
        rules=federation.fingerprint,
        erasures=erasures(connection),
        formats=tuple(formats),
        tables=tuple(
            TableColumns(
                name=table.name,
                title=table.title,
                columns=tuple(
                    DataColumn(name=column.name, type=type_of(column), may_lack=column.may_lack)
                    for column in table.columns
                ),
            )
            for table in TABLES
        ),
        files=(),
    )


def _are_there(folder: Path, files: Iterable[DataFile]) -> bool:
    return all(sha256_of(folder / file.name) == file.sha256 for file in files)


def _put(manifest: DataManifest, beside: Path, place: Path) -> None:
    """Write a manifest; readers see the old one or the new one."""
    path = beside / place.name
    path.write_text(json.dumps(plain(manifest), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    make_durable(path)
    path.replace(place)
    make_durable(place.parent)


def _part(  # noqa: PLR0913, PLR0917 - of what, as what, and where
    connection: Connection,
    federation: Federation,
    year: str | None,
    formats: Sequence[str],
    beside: Path,
    folder: Path,
) -> list[DataFile]:
    """Make the files of a year, or those of tables that have no years."""
    tables = [table for table in TABLES if table.by_year == (year is not None)]
    lines = _of_players(connection, federation) if year is None else _of_year(connection, federation, year)
    with ExitStack() as stack:
        files: dict[str, TableFiles] = {}
        for table in tables:
            files[table.name] = TableFiles(table, year, formats, beside)
            stack.callback(files[table.name].close)
        for table_name, keys, line in lines:
            files[table_name].add(keys, line)
        return [made for table in tables for made in files[table.name].placed(folder)]


def _of_players(connection: Connection, federation: Federation) -> Iterator[Line]:
    ids = iter(canonical_ids(connection))
    while batch := list(islice(ids, MEMBERS_AT_ONCE)):
        members = load_members(connection, batch)
        now = players_now(connection, federation, members.values())
        for member in batch:
            facts = members[member].facts
            yield "players", (), FoundPlayer(**{name: getattr(facts, name) for name in IDENTITY})
            for rating in now[member].ratings:
                yield "ratings", (member,), rating
            for title in now[member].titles:
                yield "titles", (member,), title


def _of_year(connection: Connection, federation: Federation, year: str) -> Iterator[Line]:
    """Yield the sections that ended in a year, in the order of history, and then what the office moved in it."""
    until = f"{year}-99"
    sections = takewhile(lambda stored: stored.place < until, read_sections(connection, since=year))
    while part := list(islice(sections, SECTIONS_AT_ONCE)):
        now = sections_by_id(connection, (stored.id for stored in part))
        event_names = {section.event: section.event_name for section in now.values()}
        for rated in tables_of(connection, federation, part, event_names):
            yield "sections", (), now[rated.stored.id]
            for table in rated.tables:
                for line in table.lines:
                    yield "standings", (table.event, table.section), line
            yield from _of_section(federation, rated, event_names)
    for member, row in moved_ratings(connection, year, until):
        yield "history", (member,), section_result(federation, row, "")


def _of_section(federation: Federation, rated: RatedTables, event_names: Mapping[str, str]) -> Iterator[Line]:
    stored = rated.stored
    section = stored.section
    letters = _letters(stored)
    for table in rated.tables:
        rows = rated.rows[table.system]
        for member in stored.members:
            if member in rows:
                row = HistoryRow(
                    end=section.end,
                    event_id=stored.event_id,
                    event_name=event_names[stored.event_id],
                    section=section.number,
                    section_name=section.name,
                    system=table.system.value,
                    **{name: getattr(rows[member], name) for name in OF_LEDGER},
                    section_id=stored.id,
                )
                yield "history", (member,), section_result(federation, row, letters[member])


OF_LEDGER = [name for name in HistoryRow._fields if name in LedgerRow._fields]
"""What both a row of the ledger and one of a member's history have."""


def _letters(stored: StoredSection) -> dict[str, str]:
    """Return the results of each member of a section in the order of rounds, a letter a round."""
    letters: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    for entry in stored.section.entries:
        letters[entry.player] += [
            (number, entry.seat, letter_of(cell.letter)) for number, cell in enumerate(entry.rounds, 1)
        ]
    return {member: "".join(letter for *_, letter in sorted(played)) for member, played in letters.items()}
