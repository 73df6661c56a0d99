"""The page of the tables of a book: a diagram, and what every column means."""

from __future__ import annotations

import ast
import itertools
import tomllib
from typing import TYPE_CHECKING

from scripts.pages.places import DOCS, MADE_BY, SOURCE

from ratebook.book import schema

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Column, Table

EVERY = "every"
"""The part of ``docs/book/columns.toml`` that holds for all tables."""


def table_meanings() -> dict[str, str]:
    """Return what each table is for: the text below it in ``book/schema.py``, first paragraph."""
    body = ast.parse((SOURCE / "book" / "schema.py").read_text(encoding="utf-8")).body
    found = {}
    for statement, after in itertools.pairwise(body):
        if (
            isinstance(statement, ast.Assign)
            and isinstance(statement.targets[0], ast.Name)
            and isinstance(after, ast.Expr)
            and isinstance(after.value, ast.Constant)
        ):
            text = str(after.value.value).replace("``", "`")
            found[statement.targets[0].id] = " ".join(text.split())
    return {name: text for name, text in found.items() if name in schema.metadata.tables}


def column_meanings() -> dict[str, dict[str, str]]:
    """Return what ``docs/book/columns.toml`` says, by table and column."""
    entries: dict[str, dict[str, str]] = tomllib.loads(
        (DOCS / "book" / "columns.toml").read_text(encoding="utf-8")
    )
    return entries


def meaning_of(column: Column[object], meanings: Mapping[str, Mapping[str, str]]) -> str:
    """Return what a column means; empty where nothing says so."""
    own = meanings.get(column.table.name, {})
    return own.get(column.name, meanings[EVERY].get(column.name, ""))


def book_schema_page() -> str:
    """Return the page of the tables of a book."""
    tables = schema.metadata.tables.values()
    purposes, meanings = table_meanings(), column_meanings()
    lines = [
        "# The tables of a book",
        "",
        f"{MADE_BY} from `src/ratebook/book/schema.py` and `docs/book/columns.toml`; change those, not this page.",
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
        lines += ["", f"## `{table.name}`", "", purposes.get(table.name, ""), ""]
        lines += ["| column | type | meaning |", "| --- | --- | --- |"]
        lines += [
            f"| `{column.name}` | {_kind(column)} | {_said(column, meanings)} |" for column in table.columns
        ]
        uniques = [
            ", ".join(f"`{column.name}`" for column in index.columns)
            + (" (rows not superseded)" if "where" in index.info else "")
            for index in sorted(table.indexes, key=lambda one: str(one.name))
            if index.unique
        ]
        lines += [f"\nOne row only for each {one}." for one in uniques]
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


def _said(column: Column[object], meanings: Mapping[str, Mapping[str, str]]) -> str:
    to = "".join(f" (`{key.target_fullname}`)" for key in sorted(column.foreign_keys, key=str))
    return meaning_of(column, meanings) + to
