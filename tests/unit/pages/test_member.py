from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from ratebook.book.connection import Actor
from ratebook.book.profile import read_federation
from ratebook.model import System
from ratebook.office.decisions.persons import merge
from ratebook.office.decisions.revision import Reason
from ratebook.pages.member import history, member_page
from support.book_reports import member_id

if TYPE_CHECKING:
    from ratebook.book.connection import Book

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
TODAY = date(2026, 3, 5)


def test_a_member_page_shows_current_and_official_ratings(season: Book) -> None:
    with season.reading() as connection:
        federation = read_federation(connection)
        page = member_page(connection, federation, member_id(1), TODAY)
        latest = history(connection, federation, member_id(1), [System.REGULAR])[-1]
    assert [one.system for one in page.ratings] == [System.REGULAR, System.QUICK]
    assert (page.name, page.sections_played) == ("EXAMPLE, PLAYER 1", 3)
    regular = page.ratings[0]
    assert regular.rating == latest.rating
    assert regular.shown == f"{latest.rating:.0f}P9"
    assert regular.official == regular.shown
    assert regular.as_of == date(2026, 2, 14)


def test_a_history_says_unrated_in_the_place_of_an_initial_rating(season: Book) -> None:
    with season.reading() as connection:
        lines = history(connection, read_federation(connection), member_id(2), [System.REGULAR])
    # Class A is from 1800, each class below it 200 points wide (docs/rules/outside.md#6c-rating-classes).
    letters = ["ABCDEFGHIJ"[(1999 - round(line.rating)) // 200] for line in lines]
    assert [line.rating_class for line in lines] == [f"Class {letter}" for letter in letters]
    first = lines[0]
    assert (first.event_id, first.before, first.change) == ("202601030001", "unrated", None)
    assert lines[1].before == lines[0].after
    assert lines[1].change == pytest.approx(lines[1].rating - lines[0].rating)
    assert [(line.score, line.games) for line in lines] == [(2.0, 3)] * 3


def test_a_merged_id_leads_to_the_page_of_the_one_that_holds(season: Book) -> None:
    merge(season, member_id(5), member_id(4), Reason(ACTOR, "one person"))
    with season.reading() as connection:
        page = member_page(connection, read_federation(connection), member_id(5), TODAY)
    assert (page.id, page.earlier_ids) == (member_id(4), (member_id(5),))
