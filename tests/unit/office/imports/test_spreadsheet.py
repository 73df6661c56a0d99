"""The spreadsheet of an office is imported at the first try: what is doubtful in it is named with its line."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from ratebook.book.connection import Actor
from ratebook.book.facts.member_files import load_member_files
from ratebook.book.facts.members import load_members
from ratebook.model import ForeignRating
from ratebook.office.imports.members import import_members

if TYPE_CHECKING:
    from pathlib import Path

    from ratebook.book.connection import Book

ACTOR = Actor("office", "2026-11-20T12:00:00Z")


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


SPREADSHEET = [
    "Members of the Example League,,,,,,,",
    "USCF ID,Last Name,First Name,DOB,Expires,Reg Rtng,Quick Rtng,FIDE Rtng,FIDE as of",
    *(
        f"{90000100 + number},Example,Ann {number},{1 + number % 12}/{13 + number % 15}/{1950 + number % 60},"
        f"12/31/2026,{1200 + number},{1180 + number},{1500 + number if number % 10 == 0 else ''},{{fide_as_of}}"
        for number in range(300)
    ),
    "Total,,,,,300,300,30,",
]
"""As an office keeps it: a title above, a row of totals below, a day of the list that is filled down."""
DAY_FIRST, TYPED = 6, 9
"""Lines with a birth date of the other order, and with a wrong first digit."""


def spreadsheet(fide_as_of: str = "") -> str:
    lines = [line.format(fide_as_of=fide_as_of) for line in SPREADSHEET]
    cells = lines[DAY_FIRST - 1].split(",")
    lines[DAY_FIRST - 1] = ",".join([*cells[:3], "31/12/1990", *cells[4:]])
    cells = lines[TYPED - 1].split(",")
    lines[TYPED - 1] = ",".join([*cells[:6], "2206", *cells[7:]])
    return "\n".join(lines)


def test_the_spreadsheet_of_an_office_is_imported_at_the_first_try(book: Book, tmp_path: Path) -> None:
    path = written(tmp_path, "members.csv", spreadsheet("11/1/2026"))
    result = import_members(book, path, ACTOR, balances=True, as_of=date(2026, 12, 31))
    assert (result.rows, result.added, result.balances) == (300, 300, (600, 0, 0))
    warnings = [finding for finding in result.findings if finding.severity == "warning"]
    assert [(finding.code, finding.place.line) for finding in warnings] == [
        ("date-order-unusual", DAY_FIRST),
        ("balance-far-off", TYPED),
        ("balance-in-future", 3),
    ]
    assert "31/12" not in warnings[0].message
    assert ("list-totals-left", 303) in [(finding.code, finding.place.line) for finding in result.findings]
    with book.reading() as connection:
        stored = load_members(connection, ["90000100", "90000103", "90000310"])
    assert [stored[member].facts.birth_date for member in ("90000100", "90000103")] == [
        date(1950, 1, 13),
        date(1990, 12, 31),
    ]
    with book.reading() as connection:
        (files,) = load_member_files(connection, ["90000310"]).values()
    assert files.foreign == {"fide": [ForeignRating(1710.0, date(2026, 11, 1))]}


def test_fide_ratings_without_the_day_of_their_list_are_left_out_until_it_is_given(
    book: Book, tmp_path: Path
) -> None:
    path = written(tmp_path, "members.csv", spreadsheet())
    left = import_members(book, path, ACTOR)
    missing = [finding for finding in left.findings if finding.code == "import-list-date-missing"]
    assert [(finding.severity, finding.place.line) for finding in missing] == [("warning", 3)]
    assert left.added == 300
    again = import_members(book, path, ACTOR, fide_as_of=date(2026, 11, 1))
    assert (again.added, again.changed) == (0, 30)
    assert "import-list-date-missing" not in [finding.code for finding in again.findings]


def test_dates_of_which_not_nearly_all_tell_one_order_are_errors(book: Book, tmp_path: Path) -> None:
    text = "id,name,birth_date\n90000001,A,5/13/2001\n90000002,B,13/5/2001\n90000003,C,5/6/2001\n"
    result = import_members(book, written(tmp_path, "members.csv", text), ACTOR)
    assert [(finding.code, finding.place.line) for finding in result.findings] == [
        ("date-order-unusual", 3),
        ("date-order-unclear", 4),
        ("date-order-taken", None),
    ]
    assert result.added == 0
