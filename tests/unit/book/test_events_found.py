"""Events are found by parts of their names, by days, and by what became of them."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import event, update

from ratebook.book import schema
from ratebook.book.connection import Actor
from ratebook.book.events import EventQuestion, find_events
from ratebook.office.decisions.events import withdraw
from ratebook.office.decisions.revision import Reason, SectionRef

if TYPE_CHECKING:
    from ratebook.book.connection import Book

FIRST, SECOND, THIRD = "202601030001", "202601100001", "202602140001"


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        (EventQuestion(), [THIRD, SECOND, FIRST]),
        (EventQuestion("ópen example"), [THIRD, SECOND, FIRST]),
        (EventQuestion(FIRST), [FIRST]),
        (EventQuestion("closed"), []),
        (EventQuestion("lodz OPEN"), [THIRD]),
        (EventQuestion("open_"), []),
        (EventQuestion(since=date(2026, 1, 10)), [THIRD, SECOND]),
        (EventQuestion(until=date(2026, 1, 9)), [FIRST]),
        (EventQuestion(withdrawn=True), [SECOND]),
        (EventQuestion(withdrawn=False), [THIRD, FIRST]),
        (EventQuestion(most=2, page=2), [FIRST]),
    ],
)
def test_events_are_found_the_latest_first(season: Book, asked: EventQuestion, found: list[str]) -> None:
    withdraw(
        season, SectionRef(SECOND, 1), Reason(Actor("office", "2026-11-20T12:00:00Z"), "not rated", ["all"])
    )
    with season.writing() as connection:
        named = update(schema.events).where(schema.events.c.id == THIRD)
        connection.execute(named.values(name="Łódź Open, Éxample"))
    with season.reading() as connection:
        events, total = find_events(connection, asked)
    assert [one.id for one in events] == found
    assert total == (3 if asked.most == 2 else len(found))


def test_the_store_looks_for_names_and_for_a_page_of_events(season: Book) -> None:
    asked: list[str] = []

    def note(_: object, __: object, statement: str, *___: object) -> None:
        asked.append(" ".join(statement.split()))

    event.listen(season.engine, "before_cursor_execute", note)
    with season.reading() as connection:
        asked.clear()
        find_events(connection, EventQuestion(most=1))
        assert len(asked) == 3
        assert "LIMIT" in asked[0]
        asked.clear()
        find_events(connection, EventQuestion("open"))
    assert len(asked) == 2
    assert "LIKE" in asked[0]
