"""A book in which a re-rating has much to do."""

from __future__ import annotations

import shutil
from contextlib import closing
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

import pytest

from ratebook.book.connection import open_book
from ratebook.book.profile import Profile
from ratebook.demo.build import build_federation
from ratebook.model import FloorKind, System
from ratebook.office.creation import create_book
from ratebook.office.decisions.adjustments import Adjustment, adjust
from ratebook.office.decisions.revision import Reason
from support.book_federation import (
    ACTOR,
    import_lists,
    make_corrections,
    send_reports,
    settle,
    turn_marks,
    written_federation,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ratebook.book.connection import Book

WHY = Reason(ACTOR, "a try", ["all"])


class CorrectedBook(NamedTuple):
    """The file of a book of an invented federation, rated and corrected, and the ids of its members."""

    place: Path
    members: Sequence[str]


@pytest.fixture(scope="session")
def corrected_book(tmp_path_factory: pytest.TempPathFactory) -> CorrectedBook:
    """Give a book about whose members nothing is decided yet; it is copied, never changed."""
    folder = tmp_path_factory.mktemp("corrected")
    federation = build_federation(80, 2, seed=4)
    files = written_federation(federation, folder / "demo")
    place = folder / "corrected.book"
    with closing(create_book(str(place), Profile(name="Example Federation"), ACTOR)) as book:
        import_lists(book, files)
        count = len(federation.arrivals)
        send_reports(book, files, list(range(count)), 1, max(one.received for one in federation.arrivals))
        make_corrections(book, files)
    return CorrectedBook(place, [member.facts.id for member in federation.members])


@pytest.fixture(scope="session")
def settled_place(corrected_book: CorrectedBook, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the file of that book with decisions of every kind, in which nothing waits; it is copied, never changed."""
    place = tmp_path_factory.mktemp("settled") / "settled.book"
    shutil.copyfile(corrected_book.place, place)
    with closing(open_book(str(place))) as book:
        decide_about_members(book, corrected_book.members)
        settle(book)
    return place


def decide_about_members(book: Book, members: Sequence[str]) -> None:
    """Take decisions of every kind."""
    day = date(2020, 6, 1)
    adjust(book, "floor", Adjustment(members[5], System.REGULAR, 2200.0, day, FloorKind.OLM), WHY)
    for kind in (FloorKind.MONEY, FloorKind.LOWERED, FloorKind.OFFICE):
        adjust(book, "floor", Adjustment(members[2], System.REGULAR, 1200.0, day, kind), WHY)
        adjust(book, "floor", Adjustment(members[7], System.REGULAR, 2000.0, day, kind), WHY)
    adjust(book, "floor", Adjustment(members[2], System.REGULAR, None, date(2021, 3, 1)), WHY)
    adjust(book, "floor", Adjustment(members[0], System.REGULAR, 1500.0, day), WHY)
    adjust(book, "floor", Adjustment(members[3], System.QUICK, 1900.0, date(2019, 1, 1)), WHY)
    adjust(book, "ceiling", Adjustment(members[1], System.QUICK, 900.0, day), WHY)
    adjust(book, "ceiling", Adjustment(members[1], System.QUICK, None, date(2021, 6, 1)), WHY)
    for member in members[72:77]:
        adjust(book, "initial", Adjustment(member, System.BLITZ, 1234.0, date(2020, 1, 1), games=3), WHY)
    turn_marks(book, members, WHY)
