from __future__ import annotations

from typing import TYPE_CHECKING

from ratebook.book.profile import read_federation
from ratebook.model import System
from ratebook.pages.section import section_tables

if TYPE_CHECKING:
    from ratebook.book.connection import Book


def test_a_crosstable_is_in_order_of_points_and_has_no_initial_rating(season: Book) -> None:
    with season.reading() as connection:
        regular, quick = section_tables(connection, read_federation(connection), "202601030001")
    assert (regular.system, quick.system) == (System.REGULAR, System.QUICK)
    assert [line.points for line in regular.lines] == [2.5, 2.0, 1.5, 0.0]
    assert {line.before for line in regular.lines} == {None}
    assert regular.lines[0].rounds == ("W4", "W2", "D3")
