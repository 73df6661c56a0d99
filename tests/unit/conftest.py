"""Books for the tests: a SQLite file, or a database of a real PostgreSQL server that is started for them."""

from __future__ import annotations

import shutil
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import pytest

from ratebook.book.connection import Actor, open_book
from ratebook.book.profile import Profile
from ratebook.office.creation import create_book
from ratebook.office.publish.lists import publish
from ratebook.office.rating.rate_queue import rate_ready
from support.book_reports import add_members, report, send
from support.postgresql import drop_database, new_database

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ratebook.book.connection import Book

ACTOR = Actor("office", "2026-11-20T12:00:00Z")

Place = TypeVar("Place", str, Path)


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Give a place without a book, once in each store."""
    if request.param == "sqlite":
        return str(tmp_path / "federation.book")
    maker: Callable[[], str] = request.getfixturevalue("empty_database")
    return maker()


@pytest.fixture
def empty_database(server: str) -> Iterator[Callable[[], str]]:
    """Give a maker of empty databases on the server."""
    made: list[str] = []

    def make() -> str:
        made.append(new_database(server))
        return made[-1]

    yield make
    for one in made:
        drop_database(server, one)


@pytest.fixture(scope="session")
def fresh_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the file of a new book, to be copied."""
    return _fresh_book(tmp_path_factory.mktemp("first") / "federation.book")


@pytest.fixture(scope="session")
def fresh_database(server: str) -> str:
    """Give the address of a new book on the server, to be copied."""
    return _fresh_book(new_database(server))


def _fresh_book(place: Place) -> Place:
    create_book(str(place), Profile(name="Example Federation"), ACTOR).close()
    return place


@pytest.fixture(params=["sqlite", "postgresql"])
def book(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Book]:
    """Give a new book, once in each store."""
    if request.param == "sqlite":
        with closing(
            open_book(str(shutil.copy(request.getfixturevalue("fresh_file"), tmp_path / "federation.book")))
        ) as made:
            yield made
        return
    server = request.getfixturevalue("server")
    place = new_database(server, request.getfixturevalue("fresh_database"))
    with closing(open_book(place)) as made:
        yield made
    drop_database(server, place)


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


@pytest.fixture
def season(book: Book) -> Book:
    """A book in which four of five members played three events, dual-rated, and one of the lists is published."""
    rounds = ("W4 W2 D3", "W3 L1 W4", "L2 W4 D1", "L1 L3 L2")
    add_members(book, 5)
    for day in ("2026-01-03", "2026-01-10", "2026-02-14"):
        send(book, report(day, [1, 2, 3, 4], rounds, time_control="G/60;d5"), ACTOR)
    rate_ready(book, ACTOR)
    publish(book, "2026-03", date(2026, 3, 5), ACTOR)
    return book
