"""What is stored reads back, and a report that does not stops no other."""

from __future__ import annotations

from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from ratebook.book.connection import Actor
from ratebook.book.failures import BookError
from ratebook.book.submissions import read_findings
from ratebook.formats.registry import read_report
from ratebook.office.queue.submit import recheck
from ratebook.office.rating.rate_queue import rate_ready
from support.book_reports import add_members, report, send

if TYPE_CHECKING:
    from collections.abc import Callable

    from ratebook.book.connection import Book

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
ROUNDS = ["W2 D3", "L1 W4", "W4 D1", "L3 L2"]
UNREADABLE = ["\t", "\n", "\x07", "\x1b[31m", "\x7f", "\x9b", "\ud800"]
FESTIVAL = Path(__file__).resolve().parents[4] / "examples" / "festival"


@pytest.mark.parametrize(
    ("file", "texts"),
    [
        ("festival.csv", ["202608300001", "SUMMER FESTIVAL", "OPEN", "G/60;d5", "ADAMS EXAMPLE", "90000001"]),
        ("festival.json", ["202608300001", "SUMMER FESTIVAL", "OPEN", "G/60;d5", "ADAMS EXAMPLE"]),
        ("trf16/section-1.trf", ["SUMMER FESTIVAL", "SPRINGFIELD", "G/60;d5"]),
        ("trf26/section-1.trf", ["SUMMER FESTIVAL", "SPRINGFIELD", "G/60;d5"]),
        ("crosstable/section-1.txt", ["ADAMS EXAMPLE"]),
        ("standings-1.json", ["ADAMS"]),
    ],
)
def test_no_reader_lets_a_control_character_through(file: str, texts: list[str]) -> None:
    read = partial(read_report, name=file)
    if file.startswith("crosstable"):
        read = partial(read, start=date(2026, 8, 28), end=date(2026, 8, 30), time_control="G/60;d5")
    data = (FESTIVAL / file).read_text()
    assert read(data.encode()).report is not None
    for passage in texts:
        for character in ("\t", "\x1b", "\x7f", "\x9b"):
            middle = len(passage) // 2
            changed = data.replace(passage, f"{passage[:middle]}{character}{passage[middle:]}")
            assert changed != data
            parsed = read(changed.encode())
            assert parsed.report is None, (passage, character)


@pytest.mark.parametrize("character", UNREADABLE)
def test_a_report_that_would_not_read_back_is_not_stored(
    new_book: Callable[[], Book], character: str
) -> None:
    book = new_book()
    add_members(book, 4)
    sent = send(book, report("2025-03-01", [1, 2, 3, 4], ROUNDS, event_id=f"A{character}B"), ACTOR)
    assert sent.status == "held"
    assert {"report-not-storable", "text-unreadable"} & {found.code for found in sent.findings}
    send(book, report("2025-03-02", [1, 2, 3, 4], ROUNDS), ACTOR)
    assert len(rate_ready(book, ACTOR).posted) == 1


def test_rating_holds_back_what_cannot_be_read_and_goes_on(new_book: Callable[[], Book]) -> None:
    book = new_book()
    add_members(book, 4)
    broken = send(book, report("2025-03-01", [1, 2, 3, 4], ROUNDS), ACTOR).number
    send(book, report("2025-03-02", [1, 2, 3, 4], ROUNDS), ACTOR)
    assert broken is not None
    with book.writing() as connection:
        connection.execute(text("UPDATE submissions SET report = '{' WHERE id = :id"), {"id": broken})
    rated = rate_ready(book, ACTOR)
    assert ([one.submission for one in rated.held], len(rated.posted)) == ([broken], 1)
    with book.reading() as connection:
        assert "submission-damaged" in [one.finding.code for one in read_findings(connection, broken)]
    with pytest.raises(BookError) as caught:
        recheck(book, broken, ACTOR)
    assert caught.value.finding.code == "submission-damaged"
