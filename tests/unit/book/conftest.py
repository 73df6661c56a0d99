"""The book of the first version, in each store."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Column, MetaData, create_engine, insert, select, text

from ratebook.book.connection import engine_for
from ratebook.book.migrate import migrate

FIRST_BOOK = Path(__file__).with_name("version_0001.sql")
"""A small book as the first version made it; it never changes.

`work_a_round` made it; then an overlay was adopted, a result was corrected, all was rated again and a list published.
"""


@pytest.fixture
def first_file(tmp_path: Path) -> str:
    """Give the place of the book of the first version as a file."""
    file = str(tmp_path / "first.book")
    with closing(sqlite3.connect(file)) as raw:
        raw.executescript(FIRST_BOOK.read_text(encoding="utf-8"))
    return file


@pytest.fixture(params=["sqlite", "postgresql"])
def first_book(request: pytest.FixtureRequest, first_file: str) -> str:
    """Give the place of the book of the first version, in each store."""
    if request.param == "sqlite":
        return first_file
    place: str = request.getfixturevalue("empty_database")()
    _copy_rows(f"sqlite:///{first_file}", place)
    return place


def _copy_rows(source: str, place: str) -> None:
    """Bring the rows of a book of the first version into tables of the first version on a server."""
    origin, target = create_engine(source), engine_for(place, must_exist=True)
    known = MetaData()
    with origin.connect() as reading, target.begin() as writing:
        migrate(writing, "0001")
        # Rows refer to others of their own table, in any order.
        writing.execute(text("SET LOCAL session_replication_role = replica"))
        known.reflect(reading)
        for table in known.sorted_tables:
            rows = [row._asdict() for row in reading.execute(select(table))]
            if not rows or table.name == "alembic_version":
                continue
            writing.execute(insert(table), rows)
            if isinstance(table.autoincrement_column, Column):
                counted = f"pg_get_serial_sequence('{table.name}', 'id')"
                writing.execute(text(f"SELECT setval({counted}, max(id)) FROM {table.name}"))  # noqa: S608 - names of the schema
    origin.dispose()
    target.dispose()
