"""A table of corrections comes in: each is a decision of its own, and can be given again without harm."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from ratebook.book import schema
from ratebook.book.connection import Actor
from ratebook.book.events import read_sections
from ratebook.office.imports.corrections import Corrected, apply_corrections
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from ratebook.office.rating.verify import verify
from support.book_reports import add_members, member_id, report, send

if TYPE_CHECKING:
    from pathlib import Path

    from ratebook.book.connection import Book
    from ratebook.model import Section
    from unit.templates import BookAfter

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
HEADER = "on,by,kind,event_id,section,seat,round,value,opponent_value,reason\n"
EVENT = "202503010001"
ROUNDS = ["W2 D3", "L1 W4", "W4 D1", "L3 L2"]
RESULT = f"2025-04-01,CLERK EXAMPLE,result,{EVENT},1,1,1,L,W,The winner and the loser were swapped.\n"
MEMBER = f"2025-04-01,CLERK EXAMPLE,member,{EVENT},1,4,,90000005,,The id belongs to another member.\n"
DATES = f"2025-04-01,CLERK EXAMPLE,date,{EVENT},1,,,2025-03-07,2025-03-08,It was a week later.\n"
TIME_CONTROL = f"2025-04-01,CLERK EXAMPLE,time-control,{EVENT},1,,,G/30;d5,,It was quicker.\n"
WITHDRAW = f"2025-04-01,CLERK EXAMPLE,withdraw,{EVENT},1,,,,,It was not to be rated.\n"
BIRTH_DATE = "2025-04-01,CLERK EXAMPLE,birth-date,,,,,90000001,2012-01-01,The year of birth was wrong.\n"


@pytest.fixture
def rated(file_after: BookAfter) -> Book:
    """Give a SQLite book with one rated section."""
    return file_after(rate_one_section)


def rate_one_section(book: Book) -> None:
    add_members(book, 6)
    send(book, report("2025-03-01", [1, 2, 3, 4], ROUNDS, event_id=EVENT), ACTOR)
    assert len(rate_ready(book, ACTOR).posted) == 1


def corrected(book: Book, folder: Path, *rows: str) -> Corrected:
    path = folder / "corrections.csv"
    path.write_text(HEADER + "".join(rows), encoding="utf-8")
    return apply_corrections(book, path, ACTOR, accepted=["all"])


def test_the_days_of_a_table_are_written_in_one_order(rated: Book, tmp_path: Path) -> None:
    written = BIRTH_DATE.replace("2025-04-01", "28.04.2025").replace("2012-01-01", "02.01.2012")
    corrected(rated, tmp_path, written)
    with rated.reading() as connection:
        born = connection.execute(
            select(schema.members.c.birth_date).where(schema.members.c.id == member_id(1))
        ).scalar_one()
    assert born == date(2012, 1, 2)


def counts(result: Corrected) -> tuple[int, int, int, int, int]:
    return result.rows, result.made, result.mended, result.already, result.refused


def section_of(book: Book) -> Section:
    with book.reading() as connection:
        return next(iter(read_sections(connection, event_id=EVENT))).section


def test_a_result_is_changed_from_both_sides(rated: Book, tmp_path: Path) -> None:
    assert counts(corrected(rated, tmp_path, RESULT)) == (1, 1, 0, 0, 0)
    assert [entry.rounds[0].letter for entry in section_of(rated).entries] == ["L", "W", "W", "L"]


def test_another_member_takes_the_seat(rated: Book, tmp_path: Path) -> None:
    assert counts(corrected(rated, tmp_path, MEMBER)) == (1, 1, 0, 0, 0)
    assert section_of(rated).entries[3].player == member_id(5)


def test_the_days_of_the_only_section_are_those_of_the_event(rated: Book, tmp_path: Path) -> None:
    assert counts(corrected(rated, tmp_path, DATES)) == (1, 1, 0, 0, 0)
    section = section_of(rated)
    assert (section.start, section.end) == (date(2025, 3, 7), date(2025, 3, 8))
    events = schema.events
    with rated.reading() as connection:
        assert connection.execute(select(events.c.end)).scalar_one() == date(2025, 3, 8)


def test_another_time_control_is_rated_in_other_systems(rated: Book, tmp_path: Path) -> None:
    assert counts(corrected(rated, tmp_path, TIME_CONTROL)) == (1, 1, 0, 0, 0)
    rerate(rated, ACTOR)
    ledger = schema.ledger
    with rated.reading() as connection:
        systems = connection.execute(
            select(ledger.c.system).where(ledger.c.superseded_by.is_(None)).distinct()
        )
        assert set(systems.scalars()) == {"regular", "quick"}


@pytest.mark.parametrize(
    "row", [RESULT, MEMBER, DATES, TIME_CONTROL, WITHDRAW, BIRTH_DATE], ids=lambda row: row.split(",")[2]
)
def test_a_correction_waits_for_a_re_rating_and_is_made_once(rated: Book, tmp_path: Path, row: str) -> None:
    assert counts(corrected(rated, tmp_path, row)) == (1, 1, 0, 0, 0)
    assert counts(corrected(rated, tmp_path, row)) == (1, 0, 0, 1, 0)
    assert [one.code for one in verify(rated).findings] == ["rerate-waits"]
    rerate(rated, ACTOR)
    assert verify(rated).findings == ()
    decisions = schema.decisions
    with rated.reading() as connection:
        assert connection.execute(select(decisions.c.decided_by)).scalar_one() == "CLERK EXAMPLE"


def test_a_reason_says_the_day_of_the_table_where_it_was_imported_on_another(
    rated: Book, tmp_path: Path
) -> None:
    corrected(rated, tmp_path, RESULT, BIRTH_DATE.replace("2025-04-01", ACTOR.at[:10]))
    with rated.reading() as connection:
        reasons = connection.execute(
            select(schema.decisions.c.reason).order_by(schema.decisions.c.id)
        ).scalars()
        assert list(reasons) == [
            "The winner and the loser were swapped. (2025-04-01)",
            "The year of birth was wrong.",
        ]


def test_a_wrong_id_in_a_report_that_is_held_back_is_mended(rated: Book, tmp_path: Path) -> None:
    event = "202503150001"
    held = send(rated, report("2025-03-15", [1, 2, 3, 9], ROUNDS, event_id=event), ACTOR)
    assert held.status == "held"
    rows = [row.replace(EVENT, event) for row in (RESULT, MEMBER, DATES)]
    result = corrected(rated, tmp_path, *rows)
    assert (counts(result), result.held) == ((3, 0, 3, 0, 0), 1)
    assert f"corrections.csv, line 2, event {event}, report 2 -> report 3, held" in result.changes
    assert counts(corrected(rated, tmp_path, *rows)) == (3, 0, 0, 3, 0)
    assert [one.event_id for one in rate_ready(rated, ACTOR).posted] == [event]
    assert verify(rated).findings == ()


def test_a_row_that_is_tried_sees_the_rows_before_it(rated: Book, tmp_path: Path) -> None:
    with rated.trying():
        tried = corrected(rated, tmp_path, RESULT, RESULT)
    assert counts(tried) == (2, 1, 0, 1, 0)
    assert corrected(rated, tmp_path, RESULT, RESULT) == tried


def test_what_cannot_be_done_is_a_finding_with_its_line_and_the_others_are_done(
    rated: Book, tmp_path: Path
) -> None:
    nobody = MEMBER.replace("90000005", "90000077")
    nowhere = RESULT.replace(EVENT, "209901010001")
    no_seat = RESULT.replace(",1,1,1,L,", ",1,9,1,L,")
    no_member = BIRTH_DATE.replace("90000001", "90000077")
    result = corrected(rated, tmp_path, nobody, nowhere, no_seat, no_member, WITHDRAW)
    assert counts(result) == (5, 1, 0, 0, 4)
    assert [(one.code, one.where.split(", ")[1]) for one in result.findings] == [
        ("member-unknown", "line 2"),
        ("event-unknown", "line 3"),
        ("seat-unknown", "line 4"),
        ("member-unknown", "line 5"),
    ]


@pytest.mark.parametrize(
    ("row", "code", "where"),
    [
        (RESULT.replace("result", "wish"), "import-kind-unknown", "line 3, kind"),
        (RESULT.replace("2025-04-01", "April"), "date-unreadable", "line 3, on"),
        (RESULT.replace("CLERK EXAMPLE", ""), "list-value-missing", "line 3, by"),
        (RESULT.replace(",1,1,1,L,", ",1,,1,L,"), "list-value-missing", "line 3, seat"),
        (RESULT.replace(",1,1,1,L,", ",1,1,0,L,"), "list-value-unreadable", "line 3, round"),
        (BIRTH_DATE.replace("2012-01-01", "2012-02-30"), "date-unreadable", "line 3, opponent_value"),
        (DATES.replace("2025-03-07", "7 March"), "date-unreadable", "line 3, value"),
    ],
)
def test_nothing_is_done_while_a_row_cannot_be_read(
    rated: Book, tmp_path: Path, row: str, code: str, where: str
) -> None:
    result = corrected(rated, tmp_path, WITHDRAW, row)
    assert (code, f"corrections.csv, {where}") in {(one.code, one.where) for one in result.findings}
    assert result.made == 0
    assert verify(rated).findings == ()


def test_a_table_without_its_columns_is_refused(rated: Book, tmp_path: Path) -> None:
    path = tmp_path / "corrections.csv"
    path.write_text("on,by,reason\n", encoding="utf-8")
    assert [one.code for one in apply_corrections(rated, path, ACTOR).findings] == ["column-missing"]
    assert [one.code for one in apply_corrections(rated, tmp_path / "none.csv", ACTOR).findings] == [
        "file-unreadable"
    ]
