from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ratebook.book.profile import read_federation
from ratebook.model import System
from ratebook.pages.event import SECTIONS, event_page, section_tables

if TYPE_CHECKING:
    from ratebook.book.connection import Book


def test_an_event_lists_its_sections_and_their_systems(season: Book) -> None:
    with season.reading() as connection:
        page = event_page(connection, "202601100001")
    line = page.sections[0]
    assert (page.name, len(page.sections)) == ("EXAMPLE OPEN", 1)
    assert (line.number, line.players, line.systems) == (1, 4, (System.REGULAR, System.QUICK))


def test_a_long_schedule_by_round_is_shown_by_its_beginning(season: Book) -> None:
    with season.reading() as connection:
        (line,) = event_page(connection, "202601100001").sections
    (column,) = [one for one in SECTIONS if one.title == "Time control"]
    schedule = ", ".join(
        f"Round {place}: G/{minutes};d5" for place, minutes in enumerate((90, 90, 120), start=1)
    )
    assert column.text(replace(line, time_control=schedule)) == "Round 1: G/90;d5, Round 2: G/90;d5, …"
    assert column.text(replace(line, time_control="40/90, SD/30; d5")) == "40/90, SD/30; d5"


def test_a_crosstable_is_in_order_of_points_and_has_no_initial_rating(season: Book) -> None:
    with season.reading() as connection:
        regular, quick = section_tables(connection, read_federation(connection), "202601030001")
    assert (regular.system, quick.system) == (System.REGULAR, System.QUICK)
    assert [line.points for line in regular.lines] == [2.5, 2.0, 1.5, 0.0]
    assert {line.before for line in regular.lines} == {None}
    assert regular.lines[0].rounds == ("W4", "W2", "D3")
