"""What every request works with: the open book, the day, and the federation whose book it is."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, TypeAlias

from litestar.di import NamedDependency

from ratebook.book.connection import Book, Connection
from ratebook.book.failures import BookError
from ratebook.book.profile import Federation, read_federation, revision
from ratebook.web.gate.gate import Gate
from ratebook.web.layout.face import Face, face_of
from ratebook.web.layout.words import AS_THEY_CAME


class Served(StrEnum):
    """Which pages a server has: the public site, the signed-in site, or both."""

    PUBLIC = "public"
    OFFICE = "office"
    ALL = "all"


class Reader(NamedTuple):
    """One state of the book, for as long as a page reads it; *today* chooses the official list."""

    connection: Connection
    federation: Federation
    today: date

    @property
    def face(self) -> Face:
        """Return how the federation shows itself."""
        return face_of(self.federation.profile)


class Site(NamedTuple):
    """A book that is served.

    Attributes:
        book: read by every page; only signed-in pages of the office write to it.
        served: the public site, the signed-in site, or both.
        today: asks what day it is.
        gate: what lets people in; None where there are only public pages.
        lists_requests: whether the server logs who asked for which page, which its page about privacy says.
        data: the folder with complete tables; None where the server has none.
    """

    book: Book
    served: Served
    today: Callable[[], date]
    gate: Gate | None = None
    lists_requests: bool = False
    data: Path | None = None

    @property
    def has_public(self) -> bool:
        """Whether it has the pages that anyone may read."""
        return self.served is not Served.OFFICE

    @property
    def has_accounts(self) -> bool:
        """Whether people can sign in."""
        return self.served is not Served.PUBLIC and self.gate is not None

    def revision(self) -> int:
        """Return how often the book was changed so far."""
        with self.book.reading() as connection:
            return revision(connection)

    def face(self) -> Face:
        """Return how the federation shows itself; the program's own face while the book cannot be read."""
        try:
            with self.reading() as reader:
                return reader.face
        except BookError:
            return Face()

    @contextmanager
    def reading(self) -> Iterator[Reader]:
        """Give one state of the book."""
        with self.book.reading() as connection:
            federation = read_federation(connection)
            AS_THEY_CAME.set(not federation.profile.title_case)
            yield Reader(connection, federation, self.today())


TheSite: TypeAlias = NamedDependency[Site]
"""How a handler asks for the site."""
