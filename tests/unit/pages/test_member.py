from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from ratebook.book.connection import Actor
from ratebook.book.ledger.lists import published_ratings
from ratebook.book.profile import read_federation
from ratebook.model import System
from ratebook.office.decisions.events import GameResult, correct_result, withdraw
from ratebook.office.decisions.persons import merge
from ratebook.office.decisions.revision import Reason, SectionRef
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from ratebook.official_lists.contents import shown_rating
from ratebook.pages.member import history, member_page, would_be_official
from support.book_reports import member_id, report, send

if TYPE_CHECKING:
    from ratebook.book.connection import Book

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
TODAY, NOVEMBER = date(2026, 3, 5), date(2026, 11, 23)


def test_a_member_page_shows_current_and_official_ratings(season: Book) -> None:
    with season.reading() as connection:
        federation = read_federation(connection)
        page = member_page(connection, federation, member_id(1), TODAY)
        latest = history(connection, federation, member_id(1), [System.REGULAR])[-1]
    assert [one.system for one in page.ratings] == [System.REGULAR, System.QUICK]
    assert (page.name, page.rated_sections) == ("EXAMPLE, PLAYER 1", 3)
    regular = page.ratings[0]
    assert regular.rating == latest.rating
    assert shown_rating(regular.current) == f"{latest.rating:.0f}P9"
    assert (page.official_list, page.missing_list) == ("2026-03", None)
    assert regular.official == regular.current
    assert regular.as_of == date(2026, 2, 14)


def test_what_no_list_has_said_is_not_official(season: Book) -> None:
    """Lists to March, and it is November: corrections, withdrawals and a new system change no official figure."""
    with season.reading() as connection:
        listed = {
            rating.system: rating.official
            for rating in published_ratings(connection, member_id(1))
            if rating.month == "2026-03"
        }
    blitz = report("2026-05-10", [1, 2, 3, 4], ("W2 W3 W4", "L1 W4 W3", "W4 L1 L2", "L3 L2 L1"))
    sections = tuple(one._replace(time_control="G/5;d3") for one in blitz.sections)
    send(season, blitz._replace(sections=sections), ACTOR)
    rate_ready(season, ACTOR)
    because = Reason(ACTOR, "letter")
    correct_result(season, SectionRef("202601030001", 1), GameResult(1, 1, "L"), because)
    withdraw(season, SectionRef("202602140001", None), because)
    rerate(season, ACTOR)
    with season.reading() as connection:
        federation = read_federation(connection)
        page = member_page(connection, federation, member_id(1), NOVEMBER)
        would_be = would_be_official(connection, federation, member_id(1), "2026-11")
    assert (page.official_list, page.missing_list) == ("2026-03", "2026-11")
    now = {one.system: one.current for one in page.ratings}
    assert {one.system: one.official for one in page.ratings} == {**listed, System.BLITZ: None}
    assert now[System.REGULAR] != listed[System.REGULAR]
    assert would_be == now
    for event in ("202601030001", "202601100001", "202605100001"):
        withdraw(season, SectionRef(event, None), because)
    rerate(season, ACTOR)
    with season.reading() as connection:
        page = member_page(connection, federation, member_id(1), NOVEMBER)
    assert {one.system: (one.current, one.official) for one in page.ratings} == {
        system: (None, rating) for system, rating in listed.items()
    }


def test_a_list_is_official_from_the_first_day_of_its_month(season: Book) -> None:
    with season.reading() as connection:
        page = member_page(connection, read_federation(connection), member_id(1), date(2026, 2, 28))
    assert (page.official_list, page.missing_list) == (None, "2026-02")
    assert {one.official for one in page.ratings} == {None}


def test_a_history_says_unrated_in_the_place_of_an_initial_rating(season: Book) -> None:
    with season.reading() as connection:
        lines = history(connection, read_federation(connection), member_id(2), [System.REGULAR])
    # Class A is from 1800, each class below it 200 points wide (docs/rules/outside.md#6c-rating-classes).
    letters = ["ABCDEFGHIJ"[(1999 - round(line.rating)) // 200] for line in lines]
    assert [line.rating_class for line in lines] == [f"Class {letter}" for letter in letters]
    first = lines[0]
    assert (first.event, first.before, first.change) == ("202601030001", None, None)
    assert lines[1].before == lines[0].after
    assert lines[1].change == pytest.approx(lines[1].rating - lines[0].rating)
    assert [(line.score, line.games) for line in lines] == [(2.0, 3)] * 3


def test_a_merged_id_leads_to_the_page_of_the_one_that_holds(season: Book) -> None:
    merge(season, member_id(5), member_id(4), Reason(ACTOR, "one person", ["all"]))
    with season.reading() as connection:
        page = member_page(connection, read_federation(connection), member_id(5), TODAY)
    assert (page.id, page.earlier_ids) == (member_id(4), (member_id(5),))
