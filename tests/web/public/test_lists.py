"""Official lists in public: every member once however one pages, differences, files without what is not public."""

from __future__ import annotations

from datetime import date
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import pytest

from ratebook.book.ledger.lists import ListQuestion, read_list
from ratebook.model import Shown, System
from ratebook.office.publish.lists import list_difference
from ratebook.official_lists.contents import ListMember, OfficialList, PersonFacts, in_public
from ratebook.official_lists.write import LIST_FORMATS, write_list
from ratebook.pages.official.lists import (
    MEMBERS_BEFORE,
    ListPage,
    list_page,
    lists_compared,
    official_months,
    part_around,
)
from support.web.federation import LISTS
from support.web.served import asked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ratebook.book.connection import Book, Connection
    from ratebook.web.site import Site

FIRST, SECOND = LISTS[0], LISTS[1]


def pages_of(connection: Connection, asked: ListQuestion) -> Iterator[ListPage]:
    """Yield the parts of a list one after another."""
    while True:
        found = list_page(connection, SECOND, asked)
        yield found
        if not found.after:
            return
        asked = asked._replace(after=found.after)


@pytest.mark.parametrize("system", [None, System.REGULAR, System.BLITZ])
def test_whoever_pages_through_a_list_sees_every_member_once(federation: Book, system: System | None) -> None:
    with federation.reading() as connection:
        lines = read_list(connection, SECOND)
        pages = list(pages_of(connection, ListQuestion(system=system, most=7)))
    rows = list(chain.from_iterable(one.rows for one in pages))
    assert len(pages) > 1
    assert sorted(one.member for one in rows) == sorted(
        {one.player for one in lines if system in {None, one.system}}
    )
    if system is None:
        assert [one.name for one in rows] == sorted(one.name for one in rows)
    else:
        ratings = [one.ratings[system].rating for one in rows]
        assert all(higher >= lower for higher, lower in pairwise(ratings))
    assert {(one.member, system, rating) for one in rows for system, rating in one.ratings.items()} == {
        (one.player, one.system, one.official) for one in lines if one.player in {row.member for row in rows}
    }


@pytest.mark.parametrize("system", [None, System.REGULAR, System.BLITZ])
def test_everybody_is_found_in_the_list_with_those_before(federation: Book, system: System | None) -> None:
    with federation.reading() as connection:
        in_order = [row.member for row in list_page(connection, SECOND, ListQuestion(system=system)).rows]
        assert len(in_order) > MEMBERS_BEFORE + 2
        for place, member in enumerate(in_order):
            part = part_around(connection, SECOND, system, member)
            assert part is not None
            rows = list_page(connection, SECOND, part).rows
            assert [row.member for row in rows] == in_order[max(0, place - MEMBERS_BEFORE) :]
        assert part_around(connection, SECOND, system, "nobody") is None


@pytest.mark.parametrize("system", [None, System.REGULAR])
def test_after_somebody_who_is_not_in_the_list_comes_nobody(federation: Book, system: System | None) -> None:
    with federation.reading() as connection:
        assert list_page(connection, SECOND, ListQuestion(system=system, after="nobody")).rows == ()


def test_a_list_is_searched_by_id_and_by_parts_of_the_name(federation: Book) -> None:
    with federation.reading() as connection:
        somebody = list_page(connection, SECOND, ListQuestion(most=1)).rows[0]
        last, first = somebody.name.casefold().split(", ")
        for text in (somebody.member, f"{first} {last}"):
            found = list_page(connection, SECOND, ListQuestion(text))
            assert [one.member for one in found.rows] == [somebody.member]


@pytest.mark.parametrize("system", list(System))
def test_two_lists_differ_as_the_command_says(federation: Book, system: System) -> None:
    with federation.reading() as connection:
        found = lists_compared(connection, FIRST, SECOND, system)
        changes = [one for one in list_difference(connection, FIRST, SECOND) if one.system is system]
    points = [one.after.rating - one.before.rating for one in changes if one.before and one.after]
    assert found.counts == {
        "risen": sum(one > 0 for one in points),
        "fallen": sum(one < 0 for one in points),
        "new": sum(one.before is None for one in changes),
        "gone": sum(one.after is None for one in changes),
    }
    assert {(one.member, one.before, one.after) for those in found.rows.values() for one in those} == {
        (one.member, one.before, one.after)
        for one in changes
        if not (one.before and one.after) or one.before.rating != one.after.rating
    }


@pytest.mark.parametrize("form", [one.name for one in LIST_FORMATS])
def test_a_file_in_public_tells_no_sex_and_no_membership(form: str) -> None:
    person = PersonFacts(sex="F", club="EXAMPLE CLUB")
    ratings = {System.REGULAR: Shown(1500)}
    member = ListMember("90000001", "EXAMPLE, ANN", "NY", date(2027, 5, 31), ratings, person=person)
    official = OfficialList("Example", "2026-12", date(2026, 11, 18), (member,))
    untold = member._replace(expires=None, person=PersonFacts(club="EXAMPLE CLUB"))
    assert write_list(in_public(official), form) == write_list(official._replace(members=(untold,)), form)
    assert all(b"2027" not in data for data in write_list(in_public(official), form).files.values())


def test_official_ratings_month_by_month_are_those_of_the_lists(federation: Book) -> None:
    with federation.reading() as connection:
        of_lists = {month: read_list(connection, month) for month in LISTS}
        member = of_lists[FIRST][0].player
        months = official_months(connection, member)
    expected = {
        month: {one.system: one.official for one in lines if one.player == member}
        for month, lines in of_lists.items()
    }
    assert [one.month for one in months] == sorted(LISTS, reverse=True)
    assert {one.month: dict(one.ratings) for one in months} == expected
    assert [dict(one.before) for one in months] == [expected[SECOND], expected[FIRST], {}]


def test_a_list_by_rating_has_names_as_pages_have_them_and_trends(site: Site) -> None:
    with asked(site) as client:
        by_name, by_rating = (
            client.get(f"/lists/{SECOND}?sort={order}").text for order in ("name", "regular")
        )
    assert ">Aspen, Manuel</a>" in by_name
    assert "Trend" not in by_name
    assert ">Manuel Aspen</a>" in by_rating
    assert by_rating.count('<svg class="trend"') > 1
