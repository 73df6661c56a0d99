from __future__ import annotations

from typing import TYPE_CHECKING

from ratebook.model import System
from ratebook.pages.event import event_page

if TYPE_CHECKING:
    from ratebook.book.connection import Book


def test_an_event_lists_its_sections_and_their_systems(season: Book) -> None:
    with season.reading() as connection:
        page = event_page(connection, "202601100001")
    line = page.sections[0]
    assert (page.name, len(page.sections)) == ("EXAMPLE OPEN", 1)
    assert (line.number, line.players, line.systems) == (1, 4, (System.REGULAR, System.QUICK))
