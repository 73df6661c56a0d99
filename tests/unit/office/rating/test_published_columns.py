"""Ratings of official lists in a book's history: what changed from list to list, and what they say of matches."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import insert

from ratebook.book import schema
from ratebook.book.audit import BOOK
from ratebook.book.chain.contents import Linked
from ratebook.book.chain.links import note_linked
from ratebook.book.connection import Actor
from ratebook.book.decisions import Decision, decide
from ratebook.book.profile import read_federation
from ratebook.model import SectionType
from ratebook.office.publish.lists import publish
from ratebook.office.rating.history_columns import export_history
from ratebook.office.rating.rate_queue import rate_ready
from support.book_federation import history_of
from support.book_reports import add_members, member_id, report, send

if TYPE_CHECKING:
    from pathlib import Path

    from ratebook.book.connection import Book
    from unit.templates import BookAfter

pytestmark = pytest.mark.usefixtures("compiled_engine")


ACTOR = Actor("office", "2026-11-20T12:00:00Z")
TODAY = date(2026, 11, 20)
OPENING = {1: (1500.0, None), 2: (1600.4, 30.0), 3: (1900.0, 9.0)}
"""Opening ratings and their games, by member."""


@pytest.fixture
def book_with_lists(book_after: BookAfter) -> Book:
    """A book with the lists of January, February and March 2026, and a match in March."""
    return book_after(publish_three_lists)


def publish_three_lists(book: Book) -> None:
    add_members(book, 4)
    with book.writing() as connection:
        decision = decide(connection, ACTOR, Decision("opening-balance", BOOK, "the book begins"))
        note_linked(connection, Linked.MEMBER, map(member_id, OPENING))
        connection.execute(
            insert(schema.opening_balances),
            [
                {
                    "member_id": member_id(number),
                    "system": "regular",
                    "as_of": date(2025, 11, 30),
                    "rating": rating,
                    "games": games,
                    "floors": "[]",
                    "decision_id": decision,
                }
                for number, (rating, games) in OPENING.items()
            ],
        )
    publish(book, "2026-01", TODAY, ACTOR)
    send(book, report("2026-01-30", [1, 3], ["W2", "L1"]), ACTOR)
    rate_ready(book, ACTOR)
    publish(book, "2026-02", TODAY, ACTOR)
    publish(book, "2026-03", TODAY, ACTOR)
    send(book, report("2026-03-07", [1, 2], ["W2 D2", "L1 D1"], kind=SectionType.MATCH), ACTOR)
    rate_ready(book, ACTOR)


def test_an_export_has_a_row_for_each_list_that_says_something_new(book_with_lists: Book) -> None:
    rows = history_of(book_with_lists)["published_ratings"].to_pylist()
    says = [(row["member"], row["system"], row["list_date"], row["games"]) for row in rows]
    january, march = date(2026, 1, 1), date(2026, 3, 1)
    assert says == [
        # The section of January 30 came after the cut-off of February, January 21.
        (0, 0, january, None),
        (0, 0, march, None),
        (1, 0, january, None),
        (2, 0, january, 9),
        (2, 0, march, 10),
    ]
    ratings = [row["rating"] for row in rows]
    assert ratings[0] == 1500
    assert ratings[1] > 1500
    assert ratings[2] == 1600
    assert ratings[3] == 1900
    assert ratings[4] < 1900


def test_a_match_that_the_book_allowed_is_allowed_by_its_history(
    book_with_lists: Book, tmp_path: Path
) -> None:
    from ratebook.replay.run import Options, check_history, replay  # noqa: PLC0415 - after the skips

    export_history(book_with_lists, tmp_path / "history")
    with book_with_lists.reading() as connection:
        rulebook = read_federation(connection).rulebook
    assert check_history(tmp_path / "history", rulebook) == ()
    stricter = rulebook.with_overlay({"match_difference": "1"})
    replayed = replay(tmp_path / "history", stricter, Options(short=10**9))
    assert [finding.code for finding in replayed.findings] == ["history-match-not-eligible"]
    assert "1 of 1 matches" in replayed.findings[0].message
    assert replayed.ledger is not None
