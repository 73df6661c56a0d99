"""Opening balances come in bulk: from a table, a members CSV or a US Chess list, each by a dated decision."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from ratebook.book import schema
from ratebook.book.connection import Actor
from ratebook.book.facts.member_files import MemberBalance, load_member_files
from ratebook.book.ledger.careers import Opening
from ratebook.book.profile import read_federation
from ratebook.formats.uschess.dbf import write_dbf
from ratebook.model import Bound, EnteredFloor, FloorKind, Rating, Record, System
from ratebook.office.imports.members import import_members
from ratebook.office.imports.opening_balances import import_opening_balances
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from ratebook.office.rating.titles import attained_peak
from ratebook.office.rating.verify import verify
from support.book_reports import add_members, current_ledger, member_id, report, send
from unit.templates import nothing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ratebook.book.connection import Book
    from ratebook.book.ledger.rows import LedgerRow
    from ratebook.office.imports.table import Imported
    from unit.templates import BookAfter

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


@pytest.fixture
def book(file_after: BookAfter) -> Book:
    """Give a new book in a file; tests/unit/office/test_whole_federation.py imports balances on a server too."""
    return file_after(nothing)


def balances(book: Book, folder: Path, text: str, *, replace: bool = False) -> Imported:
    path = folder / "opening-balances.csv"
    path.write_text(text, encoding="utf-8")
    return import_opening_balances(book, path, ACTOR, replace=replace)


def of_member(book: Book, number: int) -> dict[System, MemberBalance]:
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
    assert (result.rows, result.added, result.marked) == (3, 3, 0)
    assert found(result) == [("balance-peak-bounded", "opening-balances.csv")]
    assert "without a peak: 1." in result.findings[0].message
    rating = Rating(1850.0, 120.0, 50, 20, 50, Record.MIXED, 30, 1912.5, 0, as_of=DAY)
    floors = (EnteredFloor(System.REGULAR, FloorKind.MONEY, 1600.0),)
    assert of_member(book, 1) == {System.REGULAR: MemberBalance(DAY, rating, floors)}
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


def test_one_or_two_games_without_their_results_are_a_warning_that_names_the_members(
    book: Book, tmp_path: Path
) -> None:
    add_members(book, 7)
    games_and_results = ("2,,,,", "1,,,,", "2,,,,losses", "1,1,0,0,", "2,1,0,1,", "3,,,,", "0,,,,")
    rows = (
        f"{member_id(number)},regular,2024-12-31,1500,{given},,,,,\n"
        for number, given in enumerate(games_and_results, start=1)
    )
    result = balances(book, tmp_path, HEADER + "".join(rows))
    (warning,) = result.findings
    assert (result.added, warning.code) == (7, "balance-record-needed")
    assert warning.message.endswith("lost or drawn: 90000001 in regular, 90000002 in regular.")


def test_a_list_without_ratings_is_no_opening(book: Book, tmp_path: Path) -> None:
    path = tmp_path / "members.csv"
    path.write_text("id,name\n90000001,ANN EXAMPLE\n", encoding="utf-8")
    assert found(import_opening_balances(book, path, ACTOR)) == [("import-no-ratings", "members.csv")]


def test_the_same_balances_change_nothing_the_second_time(book: Book, tmp_path: Path) -> None:
    add_members(book, 4)
    balances(book, tmp_path, TABLE)
    again = balances(book, tmp_path, TABLE)
    assert (again.added, again.changed, again.unchanged, found(again)) == (0, 0, 3, [])
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
    assert of_member(book, 1)[System.REGULAR] == MemberBalance(DAY, Rating(1900.0, 120.0, as_of=DAY), ())
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
    assert (result.balances.added, balances_in(book)) == (2, 2)
    assert of_member(book, 1)[System.QUICK] == MemberBalance(
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
    rows = [["90000001", "EXAMPLE, PLAYER 1", "1850", "1700/12"], ["90000007", "EXAMPLE, NOBODY", "1500", ""]]
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
        "balance-peak-bounded",
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


# What is known bounds what is not (docs/rules/readings.md#what-is-known-bounds-what-is-not)


def ledger_of(book: Book, number: int) -> list[LedgerRow]:
    """Return the rows of a member in OTB Regular, in the order of history."""
    rows = [
        (key, row) for key, row in current_ledger(book).items() if key[:2] == (member_id(number), "regular")
    ]
    return [row for _, row in sorted(rows)]


def titles_of(book: Book, number: int) -> dict[str, date]:
    table = schema.titles
    with book.reading() as connection:
        rows = connection.execute(
            select(table.c.title, table.c.earned).where(table.c.member_id == member_id(number))
        )
        return {row.title: row.earned for row in rows}


def play(book: Book, day: str, score: str, times: int) -> None:
    """Rate an event in which member 1 plays so many games against each of the members 2 to 5, with one result."""
    other = {"W": "L", "L": "W", "D": "D"}[score]
    rounds = [" ".join(f"{score}{seat}" for seat in range(2, 6) for _ in range(times))]
    gaps = "U " * times
    rounds += [f"{gaps * (seat - 2)}{f'{other}1 ' * times}{gaps * (5 - seat)}" for seat in range(2, 6)]
    send(book, report(day, [1, 2, 3, 4, 5], rounds, event_id=day.replace("-", "") + "0001"), ACTOR)
    assert len(rate_ready(book, ACTOR).posted) == 1


def test_a_book_that_is_founded_from_a_list_holds_members_at_the_floors_of_their_ratings(
    book: Book, tmp_path: Path
) -> None:
    """Lists have no peaks. D25 section 5: 1850 was attained, so the floor is 1600; 2250 makes a National Master."""
    add_members(book, 5)
    path = tmp_path / "supplement.dbf"
    ratings = ["1850", "2250", "1500", "1500/12", "1500"]
    rows = [[member_id(number), f"EXAMPLE, PLAYER {number}", one] for number, one in enumerate(ratings, 1)]
    fields = [("R_MEM_ID", 8), ("R_MEM_NAME", 30), ("R_RATING1", 7)]
    path.write_bytes(write_dbf(fields, rows, date(2024, 12, 1)))
    result = import_opening_balances(book, path, ACTOR, as_of=DAY)
    (note,) = (one for one in result.findings if one.code == "balance-peak-bounded")
    assert note.message.startswith("Established ratings without a peak: 4.")
    assert titles_of(book, 2) == {"NM": DAY}
    for month in range(1, 5):
        play(book, f"2025-0{month}-15", "L", 5)
    rows_of_1 = ledger_of(book, 1)
    assert rows_of_1[0].rating < 1850.0
    assert (rows_of_1[-1].rating, rows_of_1[-1].floor_applied) == (1600.0, 1600.0)
    assert {row.at_least for row in rows_of_1} == {"peak counts life_master_games"}
    assert (rows_of_1[-1].peak, rows_of_1[-1].losses) == (1850.0, 80)
    assert next(row.at_least for row in ledger_of(book, 4)) == "counts life_master_games"
    assert verify(book).findings == ()
    assert rerate(book, ACTOR, everything=True).rows == 0


def test_300_games_seen_for_sure_make_an_original_life_master(book: Book, tmp_path: Path) -> None:
    """D25 section 5: 300 games from 2200; five events of 60 games are 300, whatever was played before."""
    add_members(book, 5)
    equal = "".join(f"{member_id(number)},regular,2024-12-31,2300,,,,,,,2300,,,\n" for number in range(2, 6))
    balances(book, tmp_path, f"{HEADER}90000001,regular,2024-12-31,2300,,,,,,,,,,\n{equal}")
    for month in range(1, 6):
        assert "OLM" not in titles_of(book, 1)
        play(book, f"2025-0{month}-15", "D", 15)
    assert titles_of(book, 1) == {"NM": DAY, "OLM": date(2025, 5, 15)}
    last = ledger_of(book, 1)[-1]
    assert (last.rating, last.life_master_games, last.at_least) == (
        2300.0,
        300,
        "peak counts life_master_games",
    )
    for month in range(6, 9):
        play(book, f"2025-0{month}-15", "L", 5)
    assert ledger_of(book, 1)[-1].rating == 2200.0
    assert verify(book).findings == ()


def test_a_bound_that_a_table_states_stays_one(book: Book, tmp_path: Path) -> None:
    """The peak of a club's old list: at least 1912, perhaps more."""
    add_members(book, 4)
    header = HEADER.replace("floor_kind", "at_least,floor_kind")
    row = "90000001,regular,2024-12-31,1850,120,50,20,50,mixed,30,1912,0,peak,,\n"
    assert found(balances(book, tmp_path, header + row)) == []
    assert of_member(book, 1)[System.REGULAR].rating.at_least is Bound.PEAK
    wrong = header + row.replace("peak", "peaks").replace("90000001", "90000002")
    assert found(balances(book, tmp_path, wrong)) == [
        ("bound-unknown", "opening-balances.csv, line 2, at_least")
    ]
    rated(book)
    assert [(row.peak, row.at_least) for row in ledger_of(book, 1)] == [(1912.0, "peak")]
    assert verify(book).findings == ()


def test_by_rules_without_bounds_a_rating_in_a_balance_is_no_peak(book: Book) -> None:
    """Books of the first version keep their titles until they adopt the rules of today."""
    with book.reading() as connection:
        federation = read_federation(connection)
    opening = Opening(DAY, 2250.0, None, None)
    assert attained_peak(federation, System.REGULAR, opening) == 2250.0
    assert attained_peak(federation, System.REGULAR, opening._replace(games=20.0)) is None
    assert attained_peak(federation, System.REGULAR, opening._replace(peak=2300.0)) == 2300.0
    older = federation._replace(rulebook=federation.rulebook.with_overlay({"floors_from_bounds": "0"}))
    assert attained_peak(older, System.REGULAR, opening) is None


def test_systems_are_read_as_people_write_them(book: Book, tmp_path: Path) -> None:
    add_members(book, 1)
    text = "Member #,System,Date,Rating\n90000001,OTB Regular,2024-12-31,1850\n90000001,online_Quick,2024-12-31,1700\n"
    assert balances(book, tmp_path, text).added == 2
    assert set(of_member(book, 1)) == {System.REGULAR, System.ONLINE_QUICK}


def test_a_roster_in_words_of_its_own_is_a_members_csv(book: Book, tmp_path: Path) -> None:
    add_members(book, 1)
    path = tmp_path / "roster.csv"
    path.write_text("USCF ID,First,Last,Reg Rtng,Games\n90000001,Ann,Example,1500,30\n", encoding="utf-8")
    assert import_opening_balances(book, path, ACTOR, as_of=DAY).added == 1
