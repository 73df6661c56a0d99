"""Books that tests begin with: each is made once in a store, by what is done to a new one, and copied."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from ratebook.book.connection import Actor
from ratebook.book.profile import Profile
from ratebook.office.creation import create_book

if TYPE_CHECKING:
    from collections.abc import Callable

    from ratebook.book.connection import Book

    Work = Callable[[Book], None]
    """What is done to a new book."""
    BookAfter = Callable[[Work], Book]
    """A maker of books to which some work was done."""

ACTOR = Actor("office", "2026-11-20T12:00:00Z")


def nothing(_book: Book) -> None:
    """Leave a book as it is made."""


class Templates:
    """Where the books of one store are that are copied."""

    def __init__(self, new_place: Callable[[], str]) -> None:
        self._new_place = new_place
        self._places: dict[Work, str] = {}

    def place_of(self, work: Work) -> str:
        """Return where the book is to which *work* was done."""
        if work not in self._places:
            place = self._new_place()
            with closing(create_book(place, Profile(name="Example Federation"), ACTOR)) as book:
                work(book)
            self._places[work] = place
        return self._places[work]
