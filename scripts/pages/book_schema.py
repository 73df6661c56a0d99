"""The page of the tables of a book: a diagram, and what every column means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scripts.pages import markdown
from scripts.pages.places import MADE_BY

from ratebook.book import schema

if TYPE_CHECKING:
    from sqlalchemy import Column, Table


def book_schema_page() -> str:
    """Return the page of the tables of a book."""
    tables = schema.metadata.tables.values()
    lines = [
        "# The tables of a book",
        "",
        f"{MADE_BY} from `src/ratebook/book/schema.py`; change that, not this page.",
        "",
        "Days are dates; moments are text in UTC; ratings are points in full precision.",
        "Columns that may be empty are marked. Rows of `ledger`, `published_lists` and `published_ratings` are never",
        "deleted; the only change that triggers allow is to set `ledger.superseded_by`, once.",
        "",
        "```mermaid",
        "erDiagram",
        *(line for table in tables for line in _drawn(table)),
        *sorted({line for table in tables for line in _references(table)}),
        "```",
    ]
    for table in tables:
        lines += ["", f"## `{table.name}`", "", str(table.info["about"]), ""]
        rows = [(f"`{column.name}`", _kind(column), _meaning(column)) for column in table.columns]
        lines += markdown.table(("column", "type", "meaning"), rows)
        uniques = [
            (index.columns, " (rows not superseded)" if "where" in index.info else "")
            for index in sorted(table.indexes, key=lambda index: str(index.name))
            if index.unique
        ]
        if len(table.primary_key) > 1:
            uniques.insert(0, (table.primary_key.columns, ""))
        lines += [
            f"\nOne row only for each {', '.join(f'`{column.name}`' for column in columns)}{which}."
            for columns, which in uniques
        ]
    return "\n".join(lines) + "\n"


def _drawn(table: Table) -> list[str]:
    """Return the box of a table: its keys and references; the other columns stand below the drawing."""
    keys = [column for column in table.columns if column.primary_key or column.foreign_keys]
    boxes = [f"        {_word(column)} {column.name} {', '.join(_roles(column))}" for column in keys]
    return [f"    {table.name} {{", *boxes, "    }"] if boxes else [f"    {table.name}"]


def _roles(column: Column[object]) -> list[str]:
    return [role for role, holds in (("PK", column.primary_key), ("FK", bool(column.foreign_keys))) if holds]


def _references(table: Table) -> list[str]:
    return [
        f"    {key.column.table.name} {'|o' if column.nullable else '||'}--o{{ {table.name} : {column.name}"
        for column in table.columns
        for key in column.foreign_keys
    ]


def _word(column: Column[object]) -> str:
    """Return the type as one word: mermaid takes no more."""
    return type(column.type).__name__.lower()


def _kind(column: Column[object]) -> str:
    return _word(column) + (", may be empty" if column.nullable else "")


def _meaning(column: Column[object]) -> str:
    to = "".join(f" (`{key.target_fullname}`)" for key in sorted(column.foreign_keys, key=str))
    return f"{column.doc}{to}"
