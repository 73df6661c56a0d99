"""Complete tables for people: which files there are, and what their columns mean."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from litestar import Response

from ratebook.pages.columns import Column, Columns
from ratebook.records.data_files import DataFile, DataManifest
from ratebook.web.api.data_files import manifest_of
from ratebook.web.layout.tables import html_table
from ratebook.web.public.links import DATA_FILE
from ratebook.web.rendering import page
from ratebook.web.routing import public
from ratebook.web.site import TheSite

FORMAT_TITLES = {"csv": "CSV (gzip)", "ndjson": "ND-JSON (gzip)", "parquet": "Parquet"}


class DataPart(NamedTuple):
    """A table, or one year of it, in all formats."""

    table: str
    year: str
    rows: int
    files: dict[str, DataFile]


class ColumnLine(NamedTuple):
    """A column of a table."""

    table: str
    column: str
    type: str
    may_lack: bool


COLUMNS: Columns[ColumnLine] = (
    Column("Table", "table"),
    Column("Column", "column"),
    Column("Type", "type"),
    Column("Empty", lambda line: "may be empty" if line.may_lack else "never empty"),
)


@public("/data")
def data(site: TheSite) -> Response[bytes]:
    """Show the files of complete tables."""
    manifest = manifest_of(site)
    if manifest is None:
        return page("public/data.html", site.face(), manifest=None, files=None, columns=None)
    formats: Columns[DataPart] = tuple(_of_format(form) for form in manifest.formats)
    files = html_table(
        "Files",
        (Column("Table", "table"), Column("Year", _years), Column("Rows", _rows, "right"), *formats),
        _parts(manifest.files),
        {FORMAT_TITLES[form]: _link(form) for form in manifest.formats},
        heads="Table",
        below=["Year", "Rows", *(column.title for column in formats)],
    )
    columns = html_table(
        "Columns",
        COLUMNS,
        _columns(manifest),
        heads="Column",
        below=[column.title for column in COLUMNS if column.title != "Column"],
    )
    return page("public/data.html", site.face(), manifest=manifest, files=files, columns=columns)


def _years(part: DataPart) -> str:
    return part.year or "all"


def _rows(part: DataPart) -> str:
    return f"{part.rows:,}"


def _of_format(form: str) -> Column[DataPart]:
    return Column(FORMAT_TITLES[form], lambda part: f"{max(1, part.files[form].bytes // 1000):,} kB", "right")


def _link(form: str) -> Callable[[DataPart], str]:
    return lambda part: DATA_FILE(part.files[form].name)


def _parts(files: Iterable[DataFile]) -> list[DataPart]:
    parts: dict[tuple[str, str], DataPart] = {}
    for file in files:
        key = file.table, file.year or ""
        parts.setdefault(key, DataPart(*key, file.rows, {})).files[file.format] = file
    return list(parts.values())


def _columns(manifest: DataManifest) -> list[ColumnLine]:
    return [
        ColumnLine(table.name, column.name, column.type, column.may_lack)
        for table in manifest.tables
        for column in table.columns
    ]
