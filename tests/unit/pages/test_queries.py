from __future__ import annotations

import typing
from datetime import date
from typing import TYPE_CHECKING

import pytest

from ratebook.book.connection import Actor
from ratebook.book.failures import BookError
from ratebook.book.profile import read_federation
from ratebook.model import System
from ratebook.office.decisions.events import GameResult, correct_result
from ratebook.office.decisions.persons import merge
from ratebook.office.decisions.revision import Reason, SectionRef
from ratebook.office.publish.lists import publish
from ratebook.office.rating.explain import explain_rating
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from ratebook.pages import contents
from ratebook.pages.queries import (
    current_ratings,
    event_page,
    find_members,
    history,
    member_page,
    ranking,
    section_tables,
)
from support.book_reports import add_members, member_id, report, send

if TYPE_CHECKING:
    from ratebook.book.connection import Book

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
TODAY = date(2026, 3, 5)
ROUNDS = ("W4 W2 D3", "W3 L1 W4", "L2 W4 D1", "L1 L3 L2")


@pytest.fixture
def season(book: Book) -> Book:
    """A book in which four members played three events, dual-rated, and one of the lists is published."""
    add_members(book, 5)
    for day in ("2026-01-03", "2026-01-10", "2026-02-14"):
        send(book, report(day, [1, 2, 3, 4], ROUNDS, time_control="G/60;d5"), ACTOR)
    rate_ready(book, ACTOR)
    publish(book, "2026-03", TODAY, ACTOR)
    return book


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


def test_an_event_lists_its_sections_and_their_systems(season: Book) -> None:
    with season.reading() as connection:
        page = event_page(connection, "202601100001")
    line = page.sections[0]
    assert (page.name, len(page.sections)) == ("EXAMPLE OPEN", 1)
    assert (line.number, line.players, line.systems) == (1, 4, (System.REGULAR, System.QUICK))


def test_a_crosstable_is_in_order_of_points_and_has_no_initial_rating(season: Book) -> None:
    with season.reading() as connection:
        regular, quick = section_tables(connection, read_federation(connection), "202601030001")
    assert (regular.system, quick.system) == (System.REGULAR, System.QUICK)
    assert [line.points for line in regular.lines] == [2.5, 2.0, 1.5, 0.0]
    assert {line.before for line in regular.lines} == {"unrated"}
    assert regular.lines[0].rounds == ("W4", "W2", "D3")


def test_a_ranking_is_of_an_age_band(season: Book) -> None:
    with season.reading() as connection:
        federation = read_federation(connection)
        everybody = ranking(connection, federation, System.REGULAR, on=TODAY)
        # Players 1 to 4 were born on the first of January 1961 to 1964.
        young = ranking(connection, federation, System.REGULAR, on=TODAY, ages=(62, 63))
    assert [line.rating for line in everybody] == sorted((line.rating for line in everybody), reverse=True)
    assert {line.member for line in everybody} == {member_id(number) for number in (1, 2, 3, 4)}
    assert {line.member for line in young} == {member_id(3), member_id(4)}


def test_members_are_found_by_a_part_of_the_name(season: Book) -> None:
    with season.reading() as connection:
        assert [one.id for one in find_members(connection, "player 3")] == [member_id(3)]
        assert len(find_members(connection, "example")) == 5
        assert find_members(connection, "100%_nobody") == []


def test_an_explanation_ends_at_the_rating_of_the_ledger(season: Book) -> None:
    explanations = explain_rating(season, member_id(3), "202601100001")
    with season.reading() as connection:
        federation = read_federation(connection)
        lines = [
            line for line in history(connection, federation, member_id(3)) if line.event_id == "202601100001"
        ]
        assert current_ratings(connection, federation, member_id(3), TODAY)
    assert [(one.system, one.name) for one in explanations] == [
        ("regular", "EXAMPLE, PLAYER 3"),
        ("quick", "EXAMPLE, PLAYER 3"),
    ]
    for explanation, line in zip(
        explanations, sorted(lines, key=lambda one: list(System).index(one.system)), strict=True
    ):
        figures = [figure.value for step in explanation.steps for figure in step.figures]
        assert line.rating in figures


def test_what_waits_for_a_rerating_is_not_explained(season: Book) -> None:
    correct_result(
        season, SectionRef("202601030001", 1), GameResult(1, 1, "L"), Reason(ACTOR, "the score sheet")
    )
    with pytest.raises(BookError) as refused:
        explain_rating(season, member_id(3), "202601030001")
    assert refused.value.finding.code == "rerate-waits"
    assert explain_rating(season, member_id(3), "202601100001"), "the ledger still says what it said"
    rerate(season, ACTOR)
    assert explain_rating(season, member_id(3), "202601030001")


@pytest.mark.parametrize("member", [member_id(5), "12345678"])
def test_nothing_to_explain_is_a_finding(season: Book, member: str) -> None:
    with pytest.raises(BookError) as refused:
        explain_rating(season, member, "202601100001")
    assert refused.value.finding.code in {"nothing-to-explain", "member-unknown"}


def test_no_public_view_has_a_field_for_a_birth_date_or_an_initial_rating() -> None:
    views = [
        view
        for view in vars(contents).values()
        if isinstance(view, type) and issubclass(view, tuple) and view.__module__ == contents.__name__
    ]
    assert len(views) >= 10
    dates = set()
    for view in views:
        for name, kind in typing.get_type_hints(
            view, vars(contents) | {"date": date, "System": System}
        ).items():
            assert not {"birth", "born", "age", "initial", "adult"} & set(name.split("_")), (view, name)
            # A rating before a section is a text, which says no more than that somebody was unrated.
            assert not ("before" in name and kind is not str), (view, name)
            if kind in {date, date | None}:
                dates.add(name)
    assert dates <= {"as_of", "earned", "end", "start"}
