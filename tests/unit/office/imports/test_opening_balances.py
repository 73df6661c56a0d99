"""Opening balances come in bulk: from a table, a members CSV or a US Chess list, each by a dated decision."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from ratebook.book import schema
from ratebook.book.connection import Actor
from ratebook.book.facts.member_files import Balance, load_member_files
from ratebook.formats.uschess.dbf import write_dbf
from ratebook.model import EnteredFloor, FloorKind, Rating, Record, System
from ratebook.office.imports.members import import_members
from ratebook.office.imports.opening_balances import import_opening_balances
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from ratebook.office.rating.verify import verify
from support.book_reports import add_members, member_id, report, send

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ratebook.book.connection import Book
    from ratebook.office.imports.table import Imported

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
HEADER = (
    "member_id,system,as_of,rating,games,wins,draws,losses,record,long_events,peak,life_master_games,"
    "floor_kind,floor\n"
)
TABLE = f"""{HEADER}90000001,regular,2024-12-31,1850,120,50,20,50,mixed,30,1912.5,0,money,1600
90000002,regular,2024-12-31,1500,,,,,,,,,,
90000002,quick,2024-12-31,812,9,0,0,9,losses,2,,,,
"""
DAY = date(2024, 12, 31)


def balances(book: Book, folder: Path, text: str, *, replace: bool = False) -> Imported:
    path = folder / "opening-balances.csv"
    path.write_text(text, encoding="utf-8")
    return import_opening_balances(book, path, ACTOR, replace=replace)


def of_member(book: Book, number: int) -> dict[System, Balance]:
    with book.reading() as connection:
        return load_member_files(connection, [member_id(number)])[member_id(number)].balances


def found(result: Imported) -> list[tuple[str, str]]:
    return [(finding.code, finding.where) for finding in result.findings]


def decisions(book: Book) -> list[tuple[str, str, str, date, float]]:
    table = schema.decisions
    with book.reading() as connection:
        rows = connection.execute(select(table).order_by(table.c.id))
        return [(row.kind, row.member_id, row.system, row.effective, row.value) for row in rows]


def balances_in(book: Book) -> int:
    with book.reading() as connection:
        return int(connection.execute(select(func.count()).select_from(schema.opening_balances)).scalar_one())


def rated(book: Book) -> None:
    send(book, report("2025-03-01", [1, 2, 3, 4], ["W2 D3", "L1 W4", "W4 D1", "L3 L2"]), ACTOR)
    assert len(rate_ready(book, ACTOR).posted) == 1


def test_a_balance_is_what_the_table_says_and_a_dated_decision(book: Book, tmp_path: Path) -> None:
    add_members(book, 4)
    result = balances(book, tmp_path, TABLE)
    assert (result.rows, result.added, result.marked, result.findings) == (3, 3, 0, ())
    rating = Rating(1850.0, 120.0, 50, 20, 50, Record.MIXED, 30, 1912.5, 0, as_of=DAY)
    floors = (EnteredFloor(System.REGULAR, FloorKind.MONEY, 1600.0),)
    assert of_member(book, 1) == {System.REGULAR: Balance(DAY, rating, floors)}
    of_ben = of_member(book, 2)
    assert of_ben[System.REGULAR].rating == Rating(1500.0, None, as_of=DAY)
    assert of_ben[System.QUICK].rating == Rating(812.0, 9.0, 0, 0, 9, Record.LOSSES, 2, as_of=DAY)
    assert decisions(book) == [
        ("opening-balance", "90000001", "regular", DAY, 1850.0),
        ("opening-balance", "90000002", "regular", DAY, 1500.0),
        ("opening-balance", "90000002", "quick", DAY, 812.0),
    ]


def test_the_ledger_begins_at_the_balance(book: Book, tmp_path: Path) -> None:
    add_members(book, 4)
    balances(book, tmp_path, TABLE)
    rated(book)
    ledger = schema.ledger
    with book.reading() as connection:
        row = connection.execute(
            select(ledger.c.rating_before, ledger.c.games_before, ledger.c.source).where(
                ledger.c.member_id == member_id(1)
            )
        ).one()
    assert tuple(row)[:2] == (1850.0, 120.0)
    assert verify(book).findings == ()


def test_the_same_balances_change_nothing_the_second_time(book: Book, tmp_path: Path) -> None:
    add_members(book, 4)
    balances(book, tmp_path, TABLE)
    again = balances(book, tmp_path, TABLE)
    assert (again.added, again.changed, again.unchanged, again.findings) == (0, 0, 3, ())
    assert len(decisions(book)) == 3


def test_another_balance_is_refused_unless_it_is_to_replace_the_first(book: Book, tmp_path: Path) -> None:
    add_members(book, 4)
    balances(book, tmp_path, TABLE)
    rated(book)
    other = f"{HEADER}90000001,regular,2024-12-31,1900,120,,,,,,,,,\n90000003,regular,2024-12-31,1000,50,,,,,,,,,\n"
    refused = balances(book, tmp_path, other)
    assert found(refused) == [("balance-exists", "opening-balances.csv, line 2")]
    assert (refused.added, balances_in(book)) == (0, 3)
    result = balances(book, tmp_path, other, replace=True)
    assert (result.added, result.changed, result.marked) == (1, 1, 2)
    assert of_member(book, 1)[System.REGULAR] == Balance(DAY, Rating(1900.0, 120.0, as_of=DAY), ())
    assert len(decisions(book)) == 5
    assert rerate(book, ACTOR).rated == 1
    assert verify(book).findings == ()


def test_nobody_gets_a_balance_after_a_rated_section(book: Book, tmp_path: Path) -> None:
    add_members(book, 4)
    rated(book)
    late = f"{HEADER}90000001,quick,2025-03-01,1900,120,,,,,,,,,\n"
    assert found(balances(book, tmp_path, late)) == [("balance-too-late", "opening-balances.csv, line 2")]
    early = f"{HEADER}90000001,regular,2025-02-28,1900,120,,,,,,,,,\n"
    result = balances(book, tmp_path, early)
    assert (result.added, result.marked) == (1, 1)
    assert rerate(book, ACTOR).rated == 1
    assert verify(book).findings == ()


@pytest.mark.parametrize(
    ("row", "code", "where"),
    [
        ("90000009,regular,2024-12-31,1500", "member-unknown", "line 3, member_id"),
        ("90000002,rapid,2024-12-31,1500", "system-unknown", "line 3, system"),
        ("90000002,regular,2024-13-31,1500", "date-unreadable", "line 3, as_of"),
        ("90000002,regular,,1500", "list-value-missing", "line 3, as_of"),
        ("90000002,regular,2024-12-31,15", "rating-out-of-range", "line 3, rating"),
        ("90000002,regular,2024-12-31,high", "list-value-unreadable", "line 3, rating"),
        ("90000002,regular,2024-12-31,1500,many", "list-value-unreadable", "line 3, games"),
        ("90000002,regular,2024-12-31,1500,-3", "games-out-of-range", "line 3, games"),
        ("90000002,regular,2024-12-31,1500,9,1,0,8,losses", "record-contradicts-counts", "line 3, record"),
        ("90000002,regular,2024-12-31,1500,99,,,,,,,,roof,1400", "floor-kind-unknown", "line 3"),
        ("90000002,regular,2024-12-31,1500,99,,,,,,,,money,1450", "floor-level-wrong", "line 3, floor"),
        ("90000001,regular,2024-12-31,1500", "import-row-twice", "line 3"),
    ],
)
def test_a_table_of_balances_with_a_mistake_is_refused_with_its_line(
    new_book: Callable[[], Book], tmp_path: Path, row: str, code: str, where: str
) -> None:
    book = new_book()
    add_members(book, 4)
    result = balances(book, tmp_path, f"{HEADER}90000001,regular,2024-12-31,1500,9\n{row}\n")
    assert (code, f"opening-balances.csv, {where}") in found(result)
    assert (result.added, balances_in(book), decisions(book)) == (0, 0, [])


def test_ratings_of_a_members_list_are_balances_only_when_asked(book: Book, tmp_path: Path) -> None:
    path = tmp_path / "members.csv"
    path.write_text(
        "id,name,regular,regular_games,regular_as_of,quick,quick_games,floors\n"
        "90000001,ANN EXAMPLE,1850,120,2024-12-31,1700,12,regular:money:1600\n",
        encoding="utf-8",
    )
    without = import_members(book, path, ACTOR)
    assert (without.added, balances_in(book)) == (1, 0)
    assert found(without) == [("import-columns-left", "members.csv")]
    assert found(import_members(book, path, ACTOR, balances=True)) == [
        ("import-as-of-missing", "members.csv, line 2, quick")
    ]
    result = import_members(book, path, ACTOR, balances=True, as_of=date(2024, 6, 30))
    assert (result.added, balances_in(book)) == (2, 2)
    assert of_member(book, 1)[System.QUICK] == Balance(
        date(2024, 6, 30), Rating(1700.0, 12.0, as_of=date(2024, 6, 30)), ()
    )
    assert of_member(book, 1)[System.REGULAR].floors == (
        EnteredFloor(System.REGULAR, FloorKind.MONEY, 1600.0),
    )


def test_members_and_balances_come_in_together_or_not_at_all(book: Book, tmp_path: Path) -> None:
    path = tmp_path / "members.csv"
    path.write_text("id,name,regular,regular_games\n90000001,ANN EXAMPLE,1850,120\n", encoding="utf-8")
    result = import_members(book, path, ACTOR, balances=True)
    assert (result.added, [code for code, _ in found(result)]) == (0, ["import-as-of-missing"])
    with book.reading() as connection:
        assert connection.execute(select(schema.members.c.id)).all() == []


def test_a_supplement_brings_balances_of_those_who_are_in_the_book(book: Book, tmp_path: Path) -> None:
    add_members(book, 2)
    path = tmp_path / "supplement.dbf"
    fields = [("R_MEM_ID", 8), ("R_MEM_NAME", 30), ("R_RATING1", 7), ("R_RATING2", 7)]
    rows = [
        ["90000001", "EXAMPLE, PLAYER 1", "1850", "1700/12"],
        ["90000007", "EXAMPLE, NOBODY", "1500", ""],
    ]
    path.write_bytes(write_dbf(fields, rows, date(2026, 11, 1)))
    undated = import_opening_balances(book, path, ACTOR)
    assert ("import-as-of-missing", "supplement.dbf, record 1, regular") in found(undated)
    assert balances_in(book) == 0
    result = import_opening_balances(book, path, ACTOR, as_of=DAY)
    assert (result.rows, result.added) == (2, 2)
    assert [code for code, _ in found(result)] == [
        "second-rating-assumed",
        "balance-published",
        "import-strangers",
    ]
    assert {system: one.rating.games for system, one in of_member(book, 1).items()} == {
        System.REGULAR: None,
        System.QUICK: 12.0,
    }


def test_a_fide_list_holds_no_balances(book: Book, tmp_path: Path) -> None:
    path = tmp_path / "list.xml"
    path.write_text("<playerslist><player><fideid>1</fideid></player></playerslist>", encoding="utf-8")
    assert found(import_opening_balances(book, path, ACTOR)) == [("list-unknown", "list.xml")]


def test_who_opens_with_the_games_of_an_original_life_master_has_the_title_after_the_first_section(
    book: Book, tmp_path: Path
) -> None:
    """300 games from an established 2200 or more (D25 section 5) are in the balance already."""
    add_members(book, 4)
    row = "90000001,regular,2024-12-31,2350,900,500,200,200,mixed,150,2400,310,,\n"
    assert found(balances(book, tmp_path, HEADER + row)) == []
    rated(book)
    with book.reading() as connection:
        titles = connection.execute(
            select(schema.titles.c.title).where(schema.titles.c.member_id == member_id(1))
        ).scalars()
        assert "OLM" in set(titles)
    assert verify(book).findings == ()
