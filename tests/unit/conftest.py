"""Books for the tests: a SQLite file, or a database of a real PostgreSQL server that is started for them."""

from __future__ import annotations

import shutil
from contextlib import ExitStack, closing
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

import pytest

from ratebook.book.connection import open_book
from ratebook.book.profile import Profile
from ratebook.office.creation import create_book
from ratebook.office.publish.lists import publish
from ratebook.office.rating.rate_queue import rate_ready
from support.book_reports import add_members, report, send
from support.postgresql import drop_database, new_database
from unit.templates import ACTOR, Templates, nothing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ratebook.book.connection import Book
    from unit.templates import BookAfter, Work


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
    places: list[str] = []

    def make() -> str:
        places.append(new_database(server))
        return places[-1]

    yield make
    for place in places:
        drop_database(server, place)


@pytest.fixture(scope="session")
def template_files(tmp_path_factory: pytest.TempPathFactory) -> Templates:
    """Give the files of books that are copied."""
    return Templates(lambda: str(tmp_path_factory.mktemp("template") / "federation.book"))


@pytest.fixture(scope="session")
def template_databases(server: str) -> Templates:
    """Give the databases of books that are copied."""
    return Templates(partial(new_database, server))


@pytest.fixture(params=["sqlite", "postgresql"])
def book_after(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[BookAfter]:
    """Give a maker of books to which some work was done, once in each store: a copy for each test."""
    on_server = request.param == "postgresql"
    templates: Templates = request.getfixturevalue("template_databases" if on_server else "template_files")
    server = request.getfixturevalue("server") if on_server else ""
    with ExitStack() as books:

        def copied(work: Work) -> Book:
            template = templates.place_of(work)
            if on_server:
                place = new_database(server, template)
                books.callback(drop_database, server, place)
            else:
                place = str(shutil.copy(template, tmp_path / "federation.book"))
            return books.enter_context(closing(open_book(place)))

        yield copied


@pytest.fixture
def file_after(template_files: Templates, tmp_path: Path) -> Iterator[BookAfter]:
    """Give a maker of SQLite books to which some work was done, for tests of what no store does differently."""
    with ExitStack() as books:
        yield lambda work: books.enter_context(
            closing(open_book(str(shutil.copy(template_files.place_of(work), tmp_path / "federation.book"))))
        )


@pytest.fixture
def book(book_after: BookAfter) -> Book:
    """Give a new book, once in each store."""
    return book_after(nothing)


@pytest.fixture
def new_book(tmp_path: Path) -> Iterator[Callable[[], Book]]:
    """Give a maker of new SQLite books, for tests that need several."""
    books: list[Book] = []

    def make() -> Book:
        books.append(create_book(str(tmp_path / f"{len(books)}.book"), Profile(), ACTOR))
        return books[-1]

    yield make
    for book in books:
        book.close()


@pytest.fixture
def season(book_after: BookAfter) -> Book:
    """A book in which four of five members played three events, dual-rated, and one of the lists is published."""
    return book_after(play_a_season)


def play_a_season(book: Book) -> None:
    """Let four of five members play three events, and publish a list."""
    rounds = ("W4 W2 D3", "W3 L1 W4", "L2 W4 D1", "L1 L3 L2")
    add_members(book, 5)
    for day in ("2026-01-03", "2026-01-10", "2026-02-14"):
        send(book, report(day, [1, 2, 3, 4], rounds, time_control="G/60;d5"), ACTOR)
    rate_ready(book, ACTOR)
    publish(book, "2026-03", date(2026, 3, 5), ACTOR)
