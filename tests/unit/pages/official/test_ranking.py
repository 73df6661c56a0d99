from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from ratebook.book.profile import read_federation
from ratebook.model import System
from ratebook.pages.official.ranking import ranking
from support.book_reports import member_id

if TYPE_CHECKING:
    from ratebook.book.connection import Book

TODAY = date(2026, 3, 5)


def test_a_ranking_is_of_an_age_band(season: Book) -> None:
    with season.reading() as connection:
        federation = read_federation(connection)
        everybody = ranking(connection, federation, System.REGULAR, today=TODAY)
        # Players 1 to 4 were born on the first of January 1961 to 1964.
        seniors = ranking(connection, federation, System.REGULAR, today=TODAY, band="o65")
    assert [line.rating for line in everybody] == sorted((line.rating for line in everybody), reverse=True)
    assert {line.player for line in everybody} == {member_id(number) for number in (1, 2, 3, 4)}
    assert {line.player for line in seniors} == {member_id(1)}
