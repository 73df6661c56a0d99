"""Complete tables for mirrors and researchers: what each holds, its files, and the manifest that vouches for them."""

import re
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from ratebook.records.changes import RatingNow, SectionNow
from ratebook.records.events import CrosstableLine
from ratebook.records.players import FoundPlayer, SectionResult, Title
from ratebook.records.record import TypedColumn, record, typed_columns

DATA_FORMAT = "ratebook-data/1"
DATA_MANIFEST = "manifest.json"
ENDINGS = {"csv": "csv.gz", "ndjson": "ndjson.gz", "parquet": "parquet"}
"""How the names of files end, by their formats."""
DATA_NAME = re.compile(r"[a-z]+(-[0-9]{4})?-[0-9a-f]{16}\.(csv\.gz|ndjson\.gz|parquet)")
"""The name of a file: its table, the year, the beginning of its SHA-256, and the ending of its format."""


class DataTable(NamedTuple):
    """A table: records of a *kind*, each after *keys* that say what it is about; some have files *by_year*."""

    name: str
    title: str
    kind: type
    keys: tuple[TypedColumn, ...] = ()
    by_year: bool = False

    @property
    def columns(self) -> Iterator[TypedColumn]:
        """Yield its columns, as the interface for programs names them."""
        yield from self.keys
        yield from typed_columns(self.kind)


_PLAYER = (TypedColumn("player", str, may_lack=False),)
_SECTION = (TypedColumn("event", str, may_lack=False), TypedColumn("section", int, may_lack=False))

TABLES = (
    DataTable("players", "Players, each once; IDs that were merged into theirs are left out.", FoundPlayer),
    DataTable("ratings", "Their ratings now, in each system.", RatingNow, _PLAYER),
    DataTable("titles", "Their titles.", Title, _PLAYER),
    DataTable(
        "sections", "Sections, by the year of their end; withdrawn ones too.", SectionNow, by_year=True
    ),
    DataTable("standings", "The crosstables of these sections.", CrosstableLine, _SECTION, by_year=True),
    DataTable(
        "history", "What each section, or the office, did to a rating.", SectionResult, _PLAYER, by_year=True
    ),
)

_TYPES = {str: "string", int: "int64", float: "double", bool: "bool", date: "date32"}


def type_of(column: TypedColumn) -> str:
    """Return the type of a column as Arrow names it; what is a word, or several, is text."""
    return _TYPES.get(column.kind, "string")


@record
class DataColumn:
    """A column of a table, its type as Arrow names it, and whether values may be missing."""

    name: str
    type: str
    may_lack: bool


@record
class DataFile:
    """A file of a table in one format, of one *year* where the table has files by year, and its SHA-256."""

    name: str
    table: str
    year: str | None
    format: str
    rows: int
    bytes: int
    sha256: str


@record
class TableColumns:
    """A table, what it holds, and its columns."""

    name: str
    title: str
    columns: tuple[DataColumn, ...]


@record
class DataManifest:
    """What complete tables were made of: the *revision* of a book, and the fingerprint of its *rules*.

    Later *erasures* of personal data are not in it, and a server sends it no longer once there are any.

    The same revision gives the same bytes. A file never changes: what changed has another name.
    """

    format: str
    federation: str
    revision: int
    newest_list: str | None
    rules: str
    erasures: int
    formats: tuple[str, ...]
    tables: tuple[TableColumns, ...]
    files: tuple[DataFile, ...]
