"""Markdown that several pages have: tables, and parts that are made anew between two marks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], numbers_from: int | None = None
) -> list[str]:
    """Return the lines of a table; the columns from *numbers_from* on are numbers."""
    rules = ["---" if numbers_from is None or at < numbers_from else "---:" for at in range(len(columns))]
    return [f"| {' | '.join(map(cell, row))} |" for row in (columns, rules, *rows)]


def cell(text: str) -> str:
    """Return *text* as it can stand in a cell of a table."""
    return text.replace("|", r"\|").replace("\n", " ")


def with_part(text: str, name: str, lines: Iterable[str]) -> str:
    """Return a page with *lines* between the marks of *name*."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    return pattern.sub(lambda _: "\n".join([begin, *lines, end]), text)
