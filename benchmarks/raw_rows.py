"""What a piece of work costs, and what the store takes for the same rows when nothing else is done with them."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PRAGMAS = ("journal_mode = WAL", "foreign_keys = ON", "synchronous = FULL")
"""As the book's own connections have them."""

WRITTEN = ("runs", "rule_sets", "postings", "ledger", "norms", "titles", "changed", "chain", "audit")
"""Tables that a re-rating adds to, each after those that it refers to."""


class Spent(NamedTuple):
    """Seconds on the clock, and of the processor (user and system): on a busy machine only these compare."""

    wall: float
    cpu: float

    def __str__(self) -> str:
        """Return both for people.

        >>> str(Spent(12.34, 5.0))
        '5.0 s CPU, 12.3 s wall'
        """
        return f"{self.cpu:.1f} s CPU, {self.wall:.1f} s wall"


def spent(work: Callable[[], object]) -> Spent:
    """Do *work* in this process and return what it cost."""
    begun, before = time.perf_counter(), time.process_time()
    work()
    return Spent(time.perf_counter() - begun, time.process_time() - before)


def copy_of(source: str, target: Path) -> None:
    """Copy a SQLite file page by page."""
    with closing(sqlite3.connect(source)) as one, closing(sqlite3.connect(target)) as other:
        one.backup(other)


def raw_rows(before: Path, after: str) -> tuple[Spent, int]:
    """Insert what the file *after* has more than *before* into *before*, by ``executemany`` in one transaction.

    The tables have their indexes and triggers. Returns what it cost, and how many rows there were.
    """
    with closing(sqlite3.connect(before, isolation_level=None)) as store:
        for pragma in PRAGMAS:
            store.execute(f"PRAGMA {pragma}")
        store.execute("ATTACH ? AS rated", (after,))
        work = []
        for table in WRITTEN:
            rows = store.execute(f"SELECT * FROM rated.{table} EXCEPT SELECT * FROM main.{table}").fetchall()  # noqa: S608 - its own words
            if rows:
                values = ", ".join("?" * len(rows[0]))
                work.append((f"INSERT INTO {table} VALUES ({values}) {_AGAIN.get(table, '')}", rows))  # noqa: S608 - as above
        store.execute("DETACH rated")

        def insert() -> None:
            store.execute("BEGIN IMMEDIATE")
            for statement, rows in work:
                store.executemany(statement, rows)
            store.execute("COMMIT")

        return spent(insert), sum(len(rows) for _, rows in work)


_AGAIN = {"changed": "ON CONFLICT (kind, subject) DO UPDATE SET revision = excluded.revision"}
