"""The pages of what the program writes and never reads, official lists and rated reports; the list of all formats."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

from scripts.pages.formats.tables import SHAPES
from scripts.pages.markdown import table
from scripts.pages.places import DOCS, MADE_BY

from ratebook.cli.report.template import table_words
from ratebook.formats.built_in import BUILT_IN
from ratebook.formats.results.rated import HEADER
from ratebook.model import System
from ratebook.official_lists.columns import GOLDEN, SUPPLEMENT, TITLED, csv_columns
from ratebook.official_lists.write import LIST_FORMATS
from ratebook.player_lists.row import ListKind
from ratebook.rating.results import SOURCE_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

OF_LISTS: Mapping[ListKind, str] = {
    ListKind.MEMBERS: "members-csv.md",
    ListKind.GOLDEN: "player-lists.md#us-chess",
    ListKind.SUPPLEMENT: "player-lists.md#us-chess",
    ListKind.COMBINED: "player-lists.md#us-chess",
    ListKind.FIDE: "player-lists.md#fide",
    ListKind.CFC: "player-lists.md#canada",
}
"""The page of each kind of players' list."""


_SOURCES = ", ".join(f"`{name}`" for name in SOURCE_NAMES)


def _meanings() -> dict[str, dict[str, str]]:
    words: dict[str, dict[str, str]] = tomllib.loads((DOCS / "formats" / "written.toml").read_text("utf-8"))
    return words


def _table(heading: str, part: str, names: Iterable[str]) -> list[str]:
    """Return the lines of a table; every name needs its meaning in ``written.toml``, and no other has one."""
    meanings, names = _meanings()[part], list(names)
    if meanings.keys() != set(names):
        raise ValueError(f"docs/formats/written.toml, {part}: {sorted(meanings.keys() ^ set(names))}")
    rows = [(f"`{name}`", meanings[name].replace("{sources}", _SOURCES)) for name in names]
    return table((heading, "what"), rows)


def official_lists_page() -> str:
    """Return the page of official lists."""
    known = {field: width for layout in (GOLDEN, TITLED, SUPPLEMENT) for field, width in layout.fields}
    meanings = _meanings()["list-dbf"]
    if meanings.keys() != known.keys():
        raise ValueError("docs/formats/written.toml, list-dbf")
    files = [
        (f"`{known.name}`", known.title, f"`{known.file_name.format(month='2026-04')}`")
        for known in LIST_FORMATS
    ]
    fields = [(f"`{field}`", str(width), meanings[field]) for field, width in known.items()]
    lines = [
        "# Official lists",
        "",
        f"{MADE_BY} from the formats of lists.",
        "",
        "`ratebook book publish` publishes a list; `ratebook book list MONTH` writes it again, in any format:",
        "",
        *table(("`--format`", "what", "file"), files),
        "",
        "The text and the HTML page are for people: P and a number are the games of a provisional rating.",
        "The [members CSV](members-csv.md) has the official ratings, as of the cut-off.",
        "",
        "## CSV",
        "",
        *_table("column", "list-csv", csv_columns([System.REGULAR])),
        "",
        "## JSON",
        "",
        *_table("key", "list-json", _meanings()["list-json"]),
        "",
        "## dBASE",
        "",
        (
            "The Golden Database (`golden`; `titles-dbf` has one field more) and the supplement have two ratings:"
            " OTB Regular, and the system of `--second`."
        ),
        "The widths of some fields are [inferred](../rules/readings.md#official-lists-in-dbase-files).",
        "",
        *table(("field", "width", "what"), fields),
        "",
    ]
    return "\n".join(lines)


def rated_page() -> str:
    """Return the page of rated reports and explanations."""
    meanings = _meanings()
    lines = [
        "# Rated reports",
        "",
        f"{MADE_BY} from the columns of results.",
        "",
        (
            "What `ratebook rate` and `ratebook explain` write for other programs."
            " It is complete, initial ratings included, and so for the office alone."
        ),
        "",
        "## CSV",
        "",
        "`ratebook rate --csv`, and [a Polars frame](../notebook.md): one row for each section, system and seat.",
        "",
        *_table("column", "rated-csv", HEADER),
        "",
        "## JSON",
        "",
        "`ratebook rate --json`:",
        "",
        *_table("key", "rated-json", meanings["rated-json"]),
        "",
        "Each entry of a section:",
        "",
        *_table("key", "rated-json-entry", meanings["rated-json-entry"]),
        "",
        "`ratebook explain --json`:",
        "",
        *_table("key", "explanation-json", meanings["explanation-json"]),
        "",
    ]
    return "\n".join(lines)


def formats_page() -> str:
    """Return the list of all formats and tables, each with its page."""
    formats = [
        (
            f"[{known.title}]({known.page})",
            f"`{known.name}`",
            *("yes" if module else "no" for module in (known.reader, known.writer)),
        )
        for known in BUILT_IN
    ]
    lines = [
        "# Formats",
        "",
        f"{MADE_BY} from the registries of formats.",
        "",
        "## Reports",
        "",
        "The content decides which format a file has, not its name; `convert --to` takes the names.",
        "",
        *table(("format", "name", "read", "written"), formats),
        "",
        "Installed packages can bring [formats and checks of your own](plugins.md).",
        "[Time controls](time-controls.md) as directors write them, and [what an office checks](office-checks.md).",
    ]
    lines += ["", "## Tables", "", "CSV or Excel; [how tables are read](tables.md).", ""]
    for name in SHAPES:
        words = table_words()[name]
        anchor = "#the-members-numbers" if name == "numbers" else ""
        lines.append(f"* [{words['title']}]({words['page']}.md{anchor})")
    lines += ["", "## Players' lists", "", "For `--players`, and for imports into a book.", ""]
    lines += [f"* [{kind}]({page})" for kind, page in OF_LISTS.items()]
    lines += [
        "",
        "## Written only",
        "",
        f"* [Official lists](official-lists.md): {'; '.join(known.title for known in LIST_FORMATS)}",
        "* [Rated reports and explanations](rated.md): JSON and CSV",
        "",
        "## Settings",
        "",
        "* [The profile of a federation](profile.md), TOML",
        "* [Rules of your own](overlay.md), TOML",
        "",
        "## Whole histories",
        "",
        "* [Eight tables](../history-columns.md), Parquet",
        "* [A book as files](../book/schema.md): the tables of a book, written by `ratebook book export`",
        "",
    ]
    return "\n".join(lines)
