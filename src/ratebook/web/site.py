"""What every request works with: the open book, the day, and the federation whose book it is."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from litestar.di import NamedDependency

from ratebook.book.connection import Book, Connection
from ratebook.book.profile import Federation, read_federation, revision
from ratebook.web.gate.gate import Gate


class Face(StrEnum):
    """Which rooms a server has."""

    PUBLIC = "public"
    OFFICE = "office"
    ALL = "all"


class Reader(NamedTuple):
    """One state of the book, for as long as a page reads it; *today* chooses the official list."""

    connection: Connection
    federation: Federation
    today: date


class Site(NamedTuple):
    """A book that is served.

    Attributes:
        book: read by every page; only the office's rooms write to it.
        face: the rooms that are open.
        today: asks what day it is.
        gate: what lets people in; None where there are only public pages.
    """

    book: Book
    face: Face
    today: Callable[[], date]
    gate: Gate | None = None

    @property
    def has_public(self) -> bool:
        """Whether it has the pages that anyone may read."""
        return self.face is not Face.OFFICE

    @property
    def has_rooms(self) -> bool:
        """Whether people can sign in."""
        return self.face is not Face.PUBLIC and self.gate is not None

    def revision(self) -> int:
        """Return how often the book was changed so far."""
        with self.book.reading() as connection:
            return revision(connection)

    @contextmanager
    def reading(self) -> Iterator[Reader]:
        """Give one state of the book.

        Raises:
            BookError: the store fails.
        """
        with self.book.reading() as connection:
            yield Reader(connection, read_federation(connection), self.today())


TheSite: TypeAlias = NamedDependency[Site]
"""How a handler asks for the site."""
