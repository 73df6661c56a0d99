"""What is asked of a book's store, and whether it reads large tables as a whole to answer."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sqlalchemy import event

from ratebook.book import queries

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import Connection

    from ratebook.book.connection import Book

LARGE = ("ledger", "games", "entries", "published_ratings", "postings", "name_words", "reported_sections")
"""Tables that grow with the years, or with the members."""

MEMBERS_TOO = (*LARGE, "members")
"""PostgreSQL may rather read all members of this small federation than find some of them."""


@contextmanager
def statements(book: Book) -> Iterator[list[tuple[str, Any]]]:
    """Collect what is asked of the store."""
    found: list[tuple[str, Any]] = []

    def note(_: object, __: object, statement: str, parameters: object, *___: object) -> None:
        found.append((statement, parameters))

    def ask(connection: Connection, text: str, binds: Any) -> Sequence[Any]:  # noqa: ANN401 - as the driver takes them
        found.append((text, binds))
        return asks(connection, text, binds)

    asks, queries.ask = queries.ask, ask
    event.listen(book.engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(book.engine, "before_cursor_execute", note)
        queries.ask = asks


def scanned(connection: Connection, statement: str, parameters: Any) -> list[str]:  # noqa: ANN401 - a driver's own
    """Return the large tables that the store would read as a whole to answer *statement*."""
    if connection.dialect.name == "sqlite":
        rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
        # Nearly every row has no successor: looking for these is looking at all.
        whole = rf"SCAN ({'|'.join(MEMBERS_TOO)})(_\d+)?\b|SEARCH .*\(superseded_by=\?\)"
        if statement.startswith("UPDATE"):
            # A ranking follows a system and stops; a change would go through all of it.
            whole += r"|SEARCH ledger .*\(system=\?\)"
        return [row.detail for row in rows if re.match(whole, row.detail)]
    plan = connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}", parameters).scalar_one()
    tree = json.loads(plan) if isinstance(plan, str) else plan
    return list(_whole(tree[0]["Plan"]))


def _whole(node: dict[str, Any]) -> Iterator[str]:
    """Yield the large tables that are read as a whole: one after the other, or along an index without a condition."""
    condition = node.get("Index Cond") or node.get("Recheck Cond")
    # Nearly every row has no successor: looking for these is looking at all. A change finds its rows by inner nodes.
    reads = node["Node Type"] != "ModifyTable" and node.get("Relation Name") in LARGE
    if reads and condition in {None, "(superseded_by IS NULL)"}:
        yield f"{node['Node Type']} on {node['Relation Name']}"
    for inner in node.get("Plans", ()):
        yield from _whole(inner)
