"""Members, memberships and ratings of other federations come in bulk; a file comes in whole or not at all."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from ratebook.book import schema
from ratebook.book.audit import RecordFilter, newest_entries
from ratebook.book.connection import Actor
from ratebook.book.facts.member_files import MemberFile, load_member_files
from ratebook.book.facts.members import MemberFacts, load_members
from ratebook.book.ledger.pending import read_pending
from ratebook.model import ForeignRating, PlayerFacts
from ratebook.office.decisions.members import ChangedFacts, correct_facts
from ratebook.office.decisions.revision import Reason
from ratebook.office.imports.foreign_ratings import import_external_ratings, import_foreign_list
from ratebook.office.imports.members import add_member, import_members, import_memberships
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from ratebook.office.rating.verify import verify
from support.book_reports import member_id, report, send

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from ratebook.book.connection import Book
    from ratebook.office.imports.table import Imported

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
MEMBERS = """id,name,birth_date,canadian_resident,expires,fide,fide_as_of
90000001,"EXAMPLE, ANN",2001-02-03,,2026-12-31,1900,2025-01-01
90000002,"EXAMPLE, BEN",2002-02-03,true,life,,
90000003,"EXAMPLE, CAT",,,,,
90000004,"EXAMPLE, DAN",2004-02-03,,2025-06-30,,
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give an empty folder for files that are imported."""
    made = tmp_path / "files"
    made.mkdir()
    return made


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def members(book: Book, folder: Path, text: str, accepted: Sequence[str] = ()) -> Imported:
    return import_members(book, written(folder, "members.csv", text), ACTOR, accepted=accepted)


def test_a_list_that_was_cut_off_between_two_cells_is_not_imported(book: Book, folder: Path) -> None:
    cut = MEMBERS[: MEMBERS.index(",2025-06-30")]
    imported = members(book, folder, cut)
    assert [finding.code for finding in imported.findings] == ["list-cut-short"]
    assert imported.findings[0].where == "members.csv, line 5"
    memberships = "member_id,starts,expires\n90000001,2026-01-01,2026-12-31\n90000002,2026-01-01"
    found = import_memberships(book, written(folder, "memberships.csv", memberships), ACTOR).findings
    assert "list-cut-short" in [finding.code for finding in found]
    with book.reading() as connection:
        assert connection.execute(select(func.count()).select_from(schema.members)).scalar_one() == 0


def member_file(book: Book, number: int) -> MemberFile:
    with book.reading() as connection:
        return load_member_files(connection, [member_id(number)])[member_id(number)]


def codes(result: Imported) -> list[str]:
    return [finding.code for finding in result.findings]


def places(result: Imported) -> list[str]:
    return [finding.where for finding in result.findings]


def rows_in(book: Book, table: str) -> int:
    with book.reading() as connection:
        return int(
            connection.execute(select(func.count()).select_from(schema.metadata.tables[table])).scalar_one()
        )


def decided(book: Book) -> Sequence[tuple[str, str | None, str]]:
    table = schema.decisions
    with book.reading() as connection:
        rows = connection.execute(
            select(table.c.kind, table.c.member_id, table.c.details).order_by(table.c.id)
        )
        return [(row.kind, row.member_id, row.details) for row in rows]


def rated(book: Book, day: str = "2025-03-01") -> None:
    """Rate a section of the members 1 to 4."""
    send(book, report(day, [1, 2, 3, 4], ["W2 D3", "L1 W4", "W4 D1", "L3 L2"]), ACTOR)
    assert len(rate_ready(book, ACTOR).posted) == 1


def test_new_members_come_in_with_everything_that_the_file_says(book: Book, folder: Path) -> None:
    result = members(book, folder, MEMBERS)
    assert (result.rows, result.added, result.changed, result.marked, result.findings) == (4, 4, 0, 0, ())
    ann, ben = member_file(book, 1), member_file(book, 2)
    assert (ann.name, ann.birth_date, ann.canadian_resident) == ("EXAMPLE, ANN", date(2001, 2, 3), False)
    assert ann.foreign == {"fide": [ForeignRating(1900.0, date(2025, 1, 1))]}
    assert ben.canadian_resident
    assert ann.expires(date(2026, 1, 1)) == date(2026, 12, 31)
    assert ben.expires(date(2026, 1, 1)) == date.max
    assert member_file(book, 3).memberships == ()


def test_the_same_file_changes_nothing_the_second_time(book: Book, folder: Path) -> None:
    members(book, folder, MEMBERS)
    entries = rows_in(book, "audit")
    again = members(book, folder, MEMBERS)
    assert (again.added, again.changed, again.unchanged) == (0, 0, 4)
    assert rows_in(book, "audit") == entries
    assert rows_in(book, "memberships") == 3


def test_new_ids_without_a_name_are_refused_since_it_may_be_the_wrong_file(book: Book, folder: Path) -> None:
    text = "id,name\n90000001,\n90000771,\n90000772,NEW NAME\n"
    refused = members(book, folder, text)
    assert (codes(refused), refused.added) == (["import-member-nameless"], 0)
    assert "without a name: 2, among them 90000001" in refused.findings[0].message
    accepted = members(book, folder, text, accepted=["import-member-nameless"])
    assert (codes(accepted), accepted.added) == (["import-member-nameless"], 3)


def test_a_roster_with_schools_and_numbers_of_rows_brings_members_and_balances(
    book: Book, folder: Path
) -> None:
    text = "No,USCF ID,First,Last,School,Reg Rtng,Games\n1,90000771,Ann,Example,Elm School,1500,30\n"
    path = written(folder, "roster.csv", text)
    result = import_members(book, path, ACTOR, balances=True, as_of=date(2025, 1, 1))
    assert not any(one.severity == "warning" for one in result.findings)
    assert (result.added, result.balances) == (1, (1, 0, 0))
    with book.reading() as connection:
        assert load_members(connection, ["90000771"])["90000771"].facts.club == "Elm School"


@pytest.mark.parametrize(("title", "asked"), [("Urodz.", ["column-unclear"]), ("Member since", [])])
def test_a_column_that_seems_to_hold_births_is_asked_for(
    book: Book, folder: Path, title: str, asked: list[str]
) -> None:
    days = ("1990-01-02", "2014-03-04", "1961-05-06")
    rows = "".join(
        f'9000000{at},"Example, {name}",{day}\n'
        for at, (name, day) in enumerate(zip("ABC", days, strict=False))
    )
    result = members(book, folder, f"id,name,{title}\n{rows}")
    assert [finding.code for finding in result.findings if finding.severity == "error"] == asked
    assert rows_in(book, "members") == (0 if asked else 3)


def test_an_empty_cell_says_nothing(book: Book, folder: Path) -> None:
    members(book, folder, MEMBERS)
    result = members(book, folder, "id,name,birth_date,canadian_resident\n90000002,BEN E. EXAMPLE,,\n")
    assert (result.added, result.changed, result.unchanged) == (0, 1, 0)
    ben = member_file(book, 2)
    assert (ben.name, ben.birth_date, ben.canadian_resident) == ("BEN E. EXAMPLE", date(2002, 2, 3), True)
    members(book, folder, "id,canadian_resident\n90000002,false\n")
    assert not member_file(book, 2).canadian_resident


def test_a_changed_birth_date_is_a_decision_that_names_no_date_and_waits_for_a_re_rating(
    book: Book, folder: Path
) -> None:
    members(book, folder, MEMBERS)
    rated(book)
    result = members(book, folder, "id,birth_date\n90000004,2014-02-03\n90000003,\n")
    assert (result.changed, result.marked) == (1, 1)
    assert decided(book) == [("correct-facts", "90000004", '{"changed": ["birth_date"]}')]
    with book.reading() as connection:
        assert [(one.member, one.place[:10]) for one in read_pending(connection)] == [
            ("90000004", "2025-03-01")
        ]
    assert rerate(book, ACTOR).rated > 0
    assert verify(book).findings == ()


def test_what_no_rated_section_has_read_needs_no_decision(book: Book, folder: Path) -> None:
    members(book, folder, MEMBERS)
    result = members(book, folder, "id,birth_date\n90000004,2014-02-03\n")
    assert (result.changed, result.marked, decided(book)) == (1, 0, [])


def test_a_rating_of_a_later_list_moves_nothing_and_one_of_an_earlier_list_does(
    book: Book, folder: Path
) -> None:
    members(book, folder, MEMBERS)
    rated(book)
    later = "member_id,source,list_date,rating\n90000003,fide,2025-03-02,1700\n"
    result = import_external_ratings(book, written(folder, "later.csv", later), ACTOR)
    assert (result.added, result.marked) == (1, 0)
    earlier = "member_id,source,list_date,rating\n90000003,fide,2025-03-01,2000\n"
    result = import_external_ratings(book, written(folder, "earlier.csv", earlier), ACTOR)
    assert (result.added, result.marked) == (1, 1)
    assert [kind for kind, *_ in decided(book)] == ["correct-foreign-rating"]
    assert rerate(book, ACTOR).rated > 0
    assert verify(book).findings == ()


def test_a_list_of_memberships_takes_the_place_of_a_last_day(book: Book, folder: Path) -> None:
    members(book, folder, MEMBERS)
    table = "member_id,starts,expires\n90000001,2026-01-01,2026-12-31\n90000002,2020-05-01,life\n"
    result = import_memberships(book, written(folder, "memberships.csv", table), ACTOR)
    assert (result.added, result.findings) == (2, ())
    assert member_file(book, 1).memberships == ((date(2026, 1, 1), date(2026, 12, 31)),)
    assert member_file(book, 2).memberships == ((date(2020, 5, 1), date.max),)


def test_a_later_last_day_follows_the_membership_that_is_known(book: Book, folder: Path) -> None:
    members(book, folder, MEMBERS)
    members(book, folder, "id,expires\n90000004,2026-06-30\n90000001,2026-01-31\n")
    assert member_file(book, 4).expires(date(2025, 7, 1)) == date(2026, 6, 30)
    assert member_file(book, 1).expires(date(2026, 1, 1)) == date(2026, 12, 31), (
        "an older list takes nothing away"
    )


def test_a_membership_with_the_same_first_day_gets_the_last_day_of_the_file(book: Book, folder: Path) -> None:
    members(book, folder, "id,name\n90000001,ANN EXAMPLE\n")
    for end in ("2026-06-30", "2026-09-30"):
        table = f"member_id,starts,expires\n90000001,2026-01-01,{end}\n"
        import_memberships(book, written(folder, "memberships.csv", table), ACTOR)
    assert member_file(book, 1).memberships == ((date(2026, 1, 1), date(2026, 9, 30)),)


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ("name,birth_date\nANN EXAMPLE,2001-02-03\n", "list-columns-missing", "line 1"),
        ("id,birth_date\n90000001,2001-02-30\n", "date-unreadable", "line 2, birth_date"),
        ("id,birth_date\n90000001,2026-11-21\n", "birth-date-after-event", "line 2, birth_date"),
        ("id,name\n9,ANN EXAMPLE\n", "import-id-wrong", "line 2, id"),
        ("id,name\n,ANN EXAMPLE\n", "list-value-missing", "line 2, id"),
        ("id,name\n90000001,ANN\n90000002,BEN\n90000001,CAT\n", "import-row-twice", "line 4"),
        ("id,fide,fide_as_of\n90000001,9900,2025-01-01\n", "rating-out-of-range", "line 2, fide"),
        ('id,name\n90000001,"ANN\n', "list-unreadable", "line"),
        ("id,canadian_resident\n90000001,perhaps\n", "list-value-unreadable", "line 2, canadian_resident"),
        ("", "list-columns-missing", "line 1"),
    ],
)
def test_a_members_list_with_a_mistake_is_refused_with_its_line(
    new_book: Callable[[], Book], folder: Path, text: str, code: str, where: str
) -> None:
    book = new_book()
    result = members(book, folder, f"{text}90000009,EXAMPLE\n" if text else text)
    assert code in codes(result)
    assert f"members.csv, {where}" in places(result)[codes(result).index(code)]
    assert (result.added, rows_in(book, "members"), rows_in(book, "audit")) == (0, 0, 1)


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ("member_id,starts\n90000001,2026-01-01\n", "column-missing", "line 1"),
        ("member_id,starts,expires\n90000001,2026-01-01,\n", "list-value-missing", "line 2, expires"),
        ("member_id,starts,expires\n90000001,2026-01-01,soon\n", "date-unreadable", "line 2, expires"),
        ("member_id,starts,expires\n90000001,01/02/2026,life\n", "date-order-unclear", "line 2, starts"),
        ("member_id,starts,expires\n90000001,2026-01-01,2025-01-01\n", "dates-reversed", "line 2, expires"),
        ("member_id,starts,expires\n90000010,2026-01-01,life\n", "member-unknown", "line 2, member_id"),
        ("member_id,starts,expires\n90000001,2026-01-01,life,x\n", "list-row-too-long", "line 2"),
        ("member_id,starts,expires,expires\n", "column-twice", "line 1"),
    ],
)
def test_a_table_of_memberships_with_a_mistake_is_refused_with_its_line(
    new_book: Callable[[], Book], folder: Path, text: str, code: str, where: str
) -> None:
    book = new_book()
    members(book, folder, MEMBERS)
    before = rows_in(book, "memberships")
    text += "90000003,2026-01-01,2026-12-31\n"
    result = import_memberships(book, written(folder, "memberships.csv", text), ACTOR)
    assert code in codes(result)
    assert places(result)[codes(result).index(code)] == f"memberships.csv, {where}"
    assert (result.added, rows_in(book, "memberships")) == (0, before)


@pytest.mark.parametrize(
    ("row", "code", "where"),
    [
        ("90000001,uefa,2025-01-01,1900", "import-source-unknown", "line 3, source"),
        ("90000001,fide,2025-01-01,x", "list-value-unreadable", "line 3, rating"),
        ("90000001,fide,2025-01-01,12", "rating-out-of-range", "line 3, rating"),
        ("90000002,fide,2025-01-01,1800", "import-row-twice", "line 3"),
    ],
)
def test_a_table_of_external_ratings_with_a_mistake_is_refused_with_its_line(
    new_book: Callable[[], Book], folder: Path, row: str, code: str, where: str
) -> None:
    book = new_book()
    members(book, folder, MEMBERS)
    text = f"member_id,source,list_date,rating\n90000002,fide,2025-01-01,1700\n{row}\n"
    result = import_external_ratings(book, written(folder, "external.csv", text), ACTOR)
    assert list(zip(codes(result), places(result), strict=True)) == [(code, f"external.csv, {where}")]
    assert (result.added, rows_in(book, "external_ratings")) == (0, 1)


def test_a_missing_file_is_a_finding(book: Book, folder: Path) -> None:
    assert codes(import_members(book, folder / "nothing.csv", ACTOR)) == ["file-unreadable"]


FIDE_LIST = """<playerslist>
<player><fideid>79000001</fideid><name>Example, Ann</name><rating>1955</rating></player>
<player><fideid>79000009</fideid><name>Example, Nobody</name><rating>2000</rating></player>
</playerslist>
"""


def test_a_fide_list_needs_a_table_of_numbers_and_brings_the_ratings_of_those_in_it(
    book: Book, folder: Path
) -> None:
    members(book, folder, MEMBERS)
    path = written(folder, "standard_nov25frl_xml.xml", FIDE_LIST)
    assert codes(import_foreign_list(book, path, ACTOR)) == ["import-numbers-missing"]
    table = "member_id,source,number\n90000001,fide,79000001\n90000002,fide,79000002\n90000003,cfc,79000009\n"
    numbers = written(folder, "numbers.csv", table)
    result = import_foreign_list(book, path, ACTOR, numbers=numbers)
    assert (result.rows, result.added) == (1, 1)
    assert codes(result) == ["import-not-listed"]
    assert member_file(book, 1).foreign["fide"][-1] == ForeignRating(1955.0, date(2025, 11, 1))
    assert member_file(book, 3).foreign == {}


def test_a_fide_list_finds_the_members_by_their_fide_ids(book: Book, folder: Path) -> None:
    members(book, folder, "id,name,fide_id\n90000001,A,79000001\n90000002,B,79000002\n")
    path = written(folder, "standard_nov25frl_xml.xml", FIDE_LIST)
    result = import_foreign_list(book, path, ACTOR)
    assert (result.rows, result.added, codes(result)) == (1, 1, ["import-not-listed"])
    assert member_file(book, 1).foreign["fide"] == [ForeignRating(1955.0, date(2025, 11, 1))]


def test_a_cfc_list_needs_its_day(book: Book, folder: Path) -> None:
    members(book, folder, MEMBERS)
    text = "CFC#,Expiry,Last,First,Prov,City,Rating,High\n123456,2026/01/01,Example,Ben,ON,Town,1850,1900\n"
    path = written(folder, "tdlist.txt", text)
    numbers = written(folder, "numbers.csv", "member_id,source,number\n90000002,cfc,123456\n")
    assert codes(import_foreign_list(book, path, ACTOR, numbers=numbers)) == ["import-list-date-missing"]
    result = import_foreign_list(book, path, ACTOR, numbers=numbers, list_date=date(2025, 11, 1))
    assert (result.added, result.findings) == (1, ())
    assert member_file(book, 2).foreign == {"cfc": [ForeignRating(1850.0, date(2025, 11, 1))]}


def test_a_long_list_is_read_in_pieces_and_its_progress_is_told(book: Book, folder: Path) -> None:
    text = "id,name\n" + "".join(f"9{number:07d},EXAMPLE {number}\n" for number in range(1, 1_501))
    steps: list[tuple[int, int]] = []
    path = written(folder, "members.csv", text)
    result = import_members(book, path, ACTOR, progress=lambda done, total: steps.append((done, total)))
    assert (result.rows, result.added) == (1_500, 1_500)
    assert steps[0][0] == 0
    assert steps[-1] == (len(text), len(text))
    assert len(steps) > 3


def test_facts_beside_ratings_are_imported_and_said(book: Book, folder: Path) -> None:
    members(book, folder, MEMBERS)
    more = (
        'id,name,fide_id,sex,title,federation,club\n90000003,"EXAMPLE, KAT",1503014,f,WFM,NGR,École Lincoln\n'
    )
    book.dry_run = True
    tried = members(book, folder, more)
    book.dry_run = False
    imported = members(book, folder, more)
    assert tried == imported, "the dry run kept nothing, so that the import found the same"
    assert imported.changes == (
        (
            "90000003 EXAMPLE, CAT: name: EXAMPLE, CAT -> EXAMPLE, KAT; FIDE id: none -> 1503014; sex: none -> f;"
            " title: none -> WFM; federation: none -> NGR; club: none -> École Lincoln"
        ),
    )
    assert members(book, folder, more).unchanged == 1


@pytest.mark.parametrize(
    "row",
    ["90000009,Ann Example,2001-02-03,,,,,\n", '90000009,"OTHER, NAME",,,,,,1503014\n'],
    ids=["name and birth date", "FIDE id"],
)
def test_a_new_member_who_may_be_another_one_needs_to_be_accepted(book: Book, folder: Path, row: str) -> None:
    header, first, *_ = MEMBERS.splitlines()
    members(book, folder, f"{header},fide_id\n{first},1503014\n")
    twice = f"{header},fide_id\n{row}"
    refused = members(book, folder, twice)
    assert [(one.code, one.severity) for one in refused.findings] == [("possible-duplicate", "error")]
    assert refused.added == 0
    path = folder / "members.csv"
    accepted = import_members(book, path, ACTOR, accepted=["possible-duplicate"])
    assert [(one.code, one.severity) for one in accepted.findings] == [("possible-duplicate", "warning")]
    assert accepted.added == 1


@pytest.mark.parametrize(
    ("new", "found"),
    [
        (PlayerFacts(member_id(9), "EXAMPLE, NEW"), []),
        (PlayerFacts(member_id(1), "EXAMPLE, NEW"), ["member-exists"]),
        (PlayerFacts("9000000O", "EXAMPLE, NEW"), ["import-id-wrong"]),
        (PlayerFacts(member_id(9), "Ann Example", date(2001, 2, 3)), ["possible-duplicate"]),
        (PlayerFacts(member_id(9), "example ánn", date(2001, 2, 3)), ["possible-duplicate"]),
        (PlayerFacts(member_id(9), "EXAMPLE, NEW", date(2026, 11, 21)), ["birth-date-after-event"]),
    ],
)
def test_a_member_is_added_with_the_checks_of_an_import(
    book: Book, folder: Path, new: PlayerFacts, found: list[str]
) -> None:
    members(book, folder, MEMBERS)
    facts = new._replace(fide_id="99900009", club="LINCOLN SCHOOL")
    book.dry_run = True
    tried = add_member(book, facts, ACTOR, expires=date(2027, 1, 1))
    book.dry_run = False
    assert rows_in(book, "members") == 4
    added = add_member(book, facts, ACTOR, expires=date(2027, 1, 1))
    assert added == tried
    assert (codes(added), added.added) == (found, int(not found))
    with book.reading() as connection:
        stored = load_members(connection, [new.id]).get(new.id)
        entry = newest_entries(connection, 1, RecordFilter())[0]
    if found:
        assert rows_in(book, "members") == 4
        accepted = add_member(book, facts, ACTOR, accepted=["all"])
        assert accepted.added == (found == ["possible-duplicate"])
    else:
        assert stored is not None
        assert stored.facts == MemberFacts(new.id, new.name, fide_id="99900009", club="LINCOLN SCHOOL")
        assert member_file(book, 9).expires(date(2026, 12, 1)) == date(2027, 1, 1)
        assert (entry.action, entry.subject) == ("add-member", f"member {new.id}")


def test_a_list_that_takes_a_correction_back_says_so(new_book: Callable[[], Book], folder: Path) -> None:
    book = new_book()
    members(book, folder, MEMBERS)
    because = Reason(ACTOR, "passport", ["all"])
    correct_facts(book, member_id(1), ChangedFacts(birth_date=date(2001, 2, 4)), because)
    again = [one for one in members(book, folder, MEMBERS).findings if one.code == "import-takes-back"]
    assert len(again) == 1
    assert "member 90000001 that a decision had corrected: birth_date" in again[0].message
    assert "import-takes-back" not in codes(members(book, folder, MEMBERS))
