"""Every format and every table has its page; the schemas take the examples, and see what shape can say."""

from __future__ import annotations

import csv
import json
import tomllib
from importlib import import_module
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from scripts.generate_docs import PAGES
from scripts.pages.formats.tables import LEAGUE, SHAPES
from scripts.pages.formats.written import OF_LISTS
from scripts.pages.places import DOCS, SOURCE

from ratebook.cli.report.template import table_words
from ratebook.formats.built_in import BUILT_IN
from ratebook.formats.reading.cells import parse_cell
from ratebook.formats.reading.sheets.header import TableKind, plain_title
from ratebook.formats.reading.sheets.outcomes import parse_outcome
from ratebook.office.imports.table import TableImport
from ratebook.player_lists.row import ListKind

if TYPE_CHECKING:
    from collections.abc import Iterator

SCHEMAS = {
    path.stem.partition(".")[0]: json.loads(path.read_text("utf-8")) for path in DOCS.rglob("*.schema.json")
}


def tables_of_the_source() -> Iterator[tuple[str, frozenset[str]]]:
    """Yield every declared table with its columns, wherever it is declared."""
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "TableKind(" in text or "TableImport(" in text:
            name = ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts)
            for title, value in vars(import_module(name)).items():
                if isinstance(value, TableKind):
                    yield f"{name}.{title}", value.columns
                elif isinstance(value, TableImport):
                    yield f"{name}.{title}", frozenset(value.columns)


def test_every_table_has_a_page_with_all_its_columns() -> None:
    """Of the systems, a page shows OTB Regular alone."""
    found = dict(tables_of_the_source())
    assert len(found) >= len(SHAPES)
    pages = {name: PAGES[f"docs/formats/{table_words()[name]['page']}.md"]() for name in SHAPES}
    others = ("quick", "blitz", "online_")
    for table, columns in found.items():
        shown = {title for title in columns if not title.startswith(others)}
        assert any(
            all(f"\n| `{title}` |" in page or title.startswith("regular_") for title in shown)
            and set(SHAPES[name].columns) - {"round1"} <= columns
            for name, page in pages.items()
        ), table


def test_every_format_has_a_page() -> None:
    for known in BUILT_IN:
        assert (DOCS / "formats" / known.page.partition("#")[0]).is_file()
    assert [*ListKind] == list(OF_LISTS)


@pytest.mark.parametrize("text", ["won 12", "½-3", "1 (5) w", "½", "bye", "-H-"])
def test_round_cells_of_the_page_are_read(text: str) -> None:
    assert f"`{text}`" in PAGES["docs/formats/csv-report.md"]() or text == "-H-"
    assert parse_cell(text) or parse_outcome(text)


def value_in(cell: str, schema: dict[str, Any]) -> object:
    """Return the value that a plainly written cell stands for."""
    kinds = [one.get("type") for one in schema.get("anyOf", [schema])]
    if "boolean" in kinds:
        return cell == "yes"
    if {"number", "integer"} & {*kinds} and cell != "established":
        return float(cell)
    return cell


@pytest.mark.parametrize("name", SHAPES)
def test_the_rows_of_the_example_fit_the_schema(name: str) -> None:
    schema = SCHEMAS["tables"]["$defs"][name.replace(" ", "-")]
    validator = jsonschema.Draft202012Validator(schema, format_checker=jsonschema.FormatChecker())
    lines = (LEAGUE / table_words()[name]["example"]).read_text("utf-8").splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("# ")))
    assert rows
    plain = {"no": "seat", "member_id": "player", "rd_1": "round1"} if name == "report" else {}
    for row in rows:
        cells = {
            plain.get(plain_title(title), plain_title(title)): cell for title, cell in row.items() if cell
        }
        of_columns = schema["properties"]
        validator.validate(
            {title: value_in(cell, of_columns.get(title, {})) for title, cell in cells.items()}
        )
        wrong = {**cells, "seat": 0, "member_id": 7, "birth_date": "yesterday", "file": ""}
        assert not validator.is_valid(wrong)


@pytest.mark.parametrize(
    ("schema", "file", "wrong"),
    [
        ("profile", "profile.toml", {"cut_off": 31}),
        ("profile", "profile.toml", {"nam": "x"}),
        ("overlay", "rules.toml", {"bonus": {"values": []}}),
        ("overlay", "rules.toml", {"bonus_multiplier": {"values": [{"is": 8}]}}),
        ("overlay", "rules.toml", {"half_k": {"values": [{"from": "2026-01-01", "is": {"denominator": 2}}]}}),
    ],
)
def test_the_settings_of_the_example_fit_their_schema(schema: str, file: str, wrong: dict[str, Any]) -> None:
    validator = jsonschema.Draft202012Validator(SCHEMAS[schema])
    values = tomllib.loads((LEAGUE / file).read_text("utf-8"))
    validator.validate(values)
    assert not validator.is_valid({**values, **wrong})
