"""A whole invented federation goes through a book; the order in which its reports arrive makes no difference."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from ratebook.book import schema
from ratebook.book.profile import Profile
from ratebook.book.submissions import Status
from ratebook.demo.build import build_federation
from ratebook.demo.chance import Chance
from ratebook.demo.values import Habit
from ratebook.office.creation import create_book
from ratebook.office.imports.corrections import apply_corrections
from ratebook.office.imports.reports import import_reports
from ratebook.office.rating.rerate import rerate
from support.book_federation import (
    ACTOR,
    current_state,
    import_lists,
    make_corrections,
    send_reports,
    settle,
    written_federation,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date
    from pathlib import Path

    from ratebook.book.connection import Book
    from ratebook.demo.values import InventedFederation

pytestmark = pytest.mark.long

MEMBERS = 60


def last_day_of(federation: InventedFederation) -> date:
    return max(arrival.received for arrival in federation.arrivals)


def played(book: Book, federation: InventedFederation, place: Path, order: list[int], batches: int) -> None:
    """Take everything of *federation* through a book, corrections included."""
    import_lists(book, place)
    send_reports(book, place, order, batches, last_day_of(federation))
    settle(book)
    corrected = make_corrections(book, place)
    assert corrected.rows == corrected.made + corrected.mended == len(federation.corrections)


def in_order(federation: InventedFederation) -> list[int]:
    return list(range(len(federation.arrivals)))


def in_any_order(federation: InventedFederation, seed: int) -> list[int]:
    return list(Chance(seed, "order of arrival").in_any_order(in_order(federation)))


def statuses(book: Book) -> Counter[str]:
    table = schema.submissions
    with book.reading() as connection:
        rows = connection.execute(select(table.c.status, func.count()).group_by(table.c.status))
        return Counter({row[0]: row[1] for row in rows})


@pytest.fixture(scope="module")
def state_in_any_order(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[object, ...]]]:
    """Give what a file holds in the end where the reports came in any order."""
    folder = tmp_path_factory.mktemp("in-any-order")
    federation = build_federation(MEMBERS, 2, seed=1)
    place = written_federation(federation, folder / "demo")
    with closing(create_book(str(folder / "any.book"), Profile(), ACTOR)) as book:
        played(book, federation, place, in_any_order(federation, 1), 3)
        return current_state(book)


def test_a_whole_federation_comes_in_is_rated_and_corrected_the_same_in_every_store_and_order(
    book: Book, state_in_any_order: dict[str, list[tuple[object, ...]]], tmp_path: Path
) -> None:
    federation = build_federation(MEMBERS, 2, seed=1)
    place = written_federation(federation, tmp_path / "demo")
    played(book, federation, place, in_order(federation), 4)
    twice = sum(Habit.DUPLICATE in one.habits for one in federation.arrivals)
    nobody = sum(Habit.UNKNOWN_MEMBER in one.habits for one in federation.arrivals)
    assert nobody > 0
    found = statuses(book)
    assert found[Status.RATED] == len(federation.arrivals) - twice
    assert found[Status.HELD] == found[Status.READY] == found[Status.REJECTED] == 0
    state = current_state(book)
    assert len(state["ledger"]) > 500
    assert state["norms"]
    assert state["titles"]

    assert state == state_in_any_order

    again = import_reports(book, place, last_day_of(federation), ACTOR)
    assert (again.files, again.already) == (len(federation.arrivals), len(federation.arrivals))
    corrected = apply_corrections(book, place / "corrections.csv", ACTOR)
    assert (corrected.rows, corrected.already) == (len(federation.corrections), len(federation.corrections))
    whole = rerate(book, ACTOR, everything=True)
    assert (whole.rows, whole.closed, whole.changes) == (0, 0, ())
    assert current_state(book) == state


# The test above compares two orders, and tests/unit/office/test_properties.py many of small histories.
@pytest.mark.soak
@pytest.mark.parametrize("seed", [2, 5])
def test_events_rated_in_any_order_and_then_re_rated_equal_events_rated_in_order(
    new_book: Callable[[], Book], tmp_path: Path, seed: int
) -> None:
    federation = build_federation(60, 1, seed=seed)
    place = written_federation(federation, tmp_path / "demo")
    states = []
    for order, batches in (
        (in_order(federation), 1),
        (in_any_order(federation, seed), 5),
        (in_order(federation)[::-1], 2),
    ):
        book = new_book()
        played(book, federation, place, order, batches)
        states.append(current_state(book))
    assert states[0]["ledger"]
    assert states[1] == states[0]
    assert states[2] == states[0]
