"""Whoever is erased is nowhere in the book: not in a table, not in the bytes of its files; the chain holds."""

from __future__ import annotations

from datetime import date
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import Text, inspect, select, text

from ratebook.book import schema
from ratebook.book.audit import AuditSubject
from ratebook.book.chain.contents import Linked
from ratebook.book.chain.links import note_linked
from ratebook.book.connection import Actor, open_book
from ratebook.book.decisions import Decision, decide
from ratebook.book.facts.erasure import TEXTS
from ratebook.book.facts.members import MemberFacts, write_members
from ratebook.book.failures import BookError
from ratebook.book.submissions import Status, read_submission
from ratebook.checks import ReportedFacts
from ratebook.findings import Severity
from ratebook.office.decisions.events import correct_member
from ratebook.office.decisions.members import ChangedFacts, correct_facts
from ratebook.office.decisions.persons import merge
from ratebook.office.decisions.revision import DecisionResult, Reason, SectionRef
from ratebook.office.erasure.erase import erase
from ratebook.office.queue.submit import fix, reject
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from ratebook.office.rating.verify import verify
from ratebook.reports.load import LoadedReport
from support.book_reports import add_members, member_id, report, send

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ratebook.book.connection import Book
    from ratebook.model import Report
    from unit.templates import BookAfter

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
WHY = Reason(ACTOR, "asked for by letter", ("all",))
NAME = "DRIMKLÉXO, STEDREQ"
WORDS = ("drimkl", "stedreq")
ROUNDS = ["W2 D3", "L1 W4", "W4 D1", "L3 L2"]
PERSON = member_id(3)
WRONG = "90000723"


@pytest.fixture
def office(book_after: BookAfter) -> Book:
    """Give a book with members, of whom the third is to be erased."""
    return book_after(add_the_person)


def add_the_person(book: Book) -> None:
    add_members(book, 6)
    with book.writing() as connection:
        write_members(connection, [MemberFacts(PERSON, NAME, date(1999, 9, 9), club="Knights")])


def with_seat(report: Report, seat: int, key: str, name: str) -> Report:
    """Return a report with another player at a seat of its only section."""
    (section,) = report.sections
    before = section.entries[seat - 1].player
    entries = tuple(entry._replace(player=key) if entry.seat == seat else entry for entry in section.entries)
    players = {
        (key if player == before else player): facts._replace(id=key, name=name)
        if player == before
        else facts
        for player, facts in report.players.items()
    }
    return report._replace(sections=(section._replace(entries=entries),), players=players)


def quad(day: str, key: str = PERSON, name: str = NAME) -> Report:
    return with_seat(report(day, [1, 2, 3, 4], ROUNDS), 3, key, name)


def texts(book: Book) -> Iterator[tuple[str, str]]:
    """Yield all texts of all tables."""
    with book.engine.connect() as connection:
        for table in inspect(connection).get_table_names():
            for row in connection.execute(text(f'SELECT * FROM "{table}"')):  # noqa: S608 - names of the schema
                yield from ((table, str(value).casefold()) for value in row if value is not None)


def left(book: Book, *words: str) -> list[str]:
    """Return where a word is left: tables, and files with their bytes."""
    found = [table for table, said in texts(book) if any(word in said for word in words)]
    if not book.on_server:
        files = sorted(Path(book.url).parent.glob(f"{Path(book.url).name}*"))
        assert files
        for file in files:
            data = file.read_bytes().lower()
            found += [file.name for word in words if word.encode() in data]
    return sorted(set(found))


def assert_erased(book: Book, *words: str) -> None:
    assert left(book, *(words or WORDS)) == []
    assert [one for one in verify(book).findings if one.severity is Severity.ERROR] == []


def codes(result: DecisionResult) -> list[str]:
    return [one.code for one in result.findings if one.severity is not Severity.NOTE]


def corrected(book: Book, one: Report) -> None:
    """Send a report with a wrong id and correct it, as an office does."""
    number = send(book, one, ACTOR).number
    assert number is not None
    at = SectionRef("", 1, number)
    with book.reading() as connection:
        stored = read_submission(connection, number)
    assert stored is not None
    at = SectionRef(stored.event_id, 1, number)
    done = correct_member(book, at, 3, PERSON, WHY)
    assert done.decision is not None, done.findings


@pytest.mark.parametrize(
    ("key", "name"),
    [(WRONG, NAME), (member_id(5), NAME), ("seat-3", "Stedreq Drimklexo")],
    ids=["a mistyped id", "another member's id", "no id"],
)
def test_a_name_goes_from_the_version_in_which_another_id_had_it(office: Book, key: str, name: str) -> None:
    corrected(office, quad("2026-03-07", key, name))
    rate_ready(office, ACTOR)
    assert left(office, *WORDS) != []
    done = erase(office, PERSON, WHY)
    assert codes(done) == []
    assert done.decision is not None
    if key == WRONG:
        assert "submissions" not in left(office, WRONG)
        assert "findings" not in left(office, WRONG)
    with office.reading() as connection:
        first = read_submission(connection, 1)
        assert first is not None
        assert first.status is Status.REPLACED
    rerate(office, ACTOR)
    assert_erased(office)


def test_texts_that_name_the_person_lose_the_name_and_what_says_so_is_kept(office: Book) -> None:
    """A reason, a finding about someone else with the person as a candidate, an event and a file named after them."""
    named = quad("2026-03-07")
    send(office, named._replace(event=named.event._replace(name="Stedreq Drimklexo Memorial")), ACTOR)
    rate_ready(office, ACTOR)
    candidate = quad("2026-03-14", WRONG, "DRIMKLEXO, S")
    number = send(office, with_seat(candidate, 2, "seat-2", "ELM, EVE"), ACTOR).number
    assert number is not None
    reject(office, [number], "STEDREQ Q. DRIMKLEXO did not play", ACTOR)
    erased = Reason(ACTOR, "Ms. Drimklexo asked by letter")
    with office.writing() as connection:
        decide(
            connection,
            ACTOR,
            Decision("adjust", AuditSubject("member", PERSON), "Stedreq was right", member=PERSON),
        )
    assert {"decisions", "audit", "findings", "events", "submissions"} <= set(left(office, *WORDS))
    done = erase(office, PERSON, erased, names=["DRIMKLEXO, S"])
    assert codes(done) == []
    with office.reading() as connection:
        reasons = list(
            connection.execute(select(schema.decisions.c.reason).order_by(schema.decisions.c.id)).scalars()
        )
    assert reasons[-4:] == [
        "(erased) did not play",
        "(erased) was right",
        "Ms. (erased) asked by letter",
        "kept when the person was erased",
    ]
    rerate(office, ACTOR)
    assert_erased(office)


def test_a_merged_id_and_a_former_name_are_the_same_person(office: Book) -> None:
    with office.writing() as connection:
        write_members(connection, [MemberFacts("90000777", "VORLIX, STEDREQ", date(1999, 9, 9))])
    send(office, quad("2026-03-07", "90000777", "VORLIX, STEDREQ"), ACTOR)
    rate_ready(office, ACTOR)
    assert merge(office, "90000777", PERSON, WHY).decision is not None
    rerate(office, ACTOR)
    assert codes(erase(office, PERSON, WHY)) == []
    rerate(office, ACTOR)
    assert_erased(office, *WORDS, "vorlix")


def test_a_correction_that_was_taken_back_costs_no_one_else_the_name(office: Book) -> None:
    other = "EXAMPLE, PLAYER 5"
    number = send(office, quad("2026-03-07", member_id(5), other), ACTOR).number
    assert number is not None
    with office.reading() as connection:
        stored = read_submission(connection, number)
    assert stored is not None
    rate_ready(office, ACTOR)
    at = SectionRef(stored.event_id, 1)
    assert correct_member(office, at, 3, PERSON, WHY).decision is not None
    assert correct_member(office, at, 3, member_id(5), WHY).decision is not None
    rerate(office, ACTOR)
    assert codes(erase(office, PERSON, WHY)) == []
    with office.reading() as connection:
        names = [
            read.report.count(other)
            for one in (1, 2, 3)
            if (read := read_submission(connection, one)) is not None
        ]
    assert names == [1, 0, 1]
    assert_erased(office)


def test_seats_that_were_numbered_anew_keep_their_names(office: Book) -> None:
    """The first version has other seats: only who has the person's name is the person."""
    first = report("2026-03-07", [4, 2, 1], ["W2 D3", "L1 W3", "D1 L2"])
    second = with_seat(report("2026-03-07", [1, 2, 4], ["W2 D3", "L1 W3", "D1 L2"]), 2, PERSON, NAME)
    first = with_seat(first, 1, "seat-1", "Stedreq Drimklexo")
    number = send(office, first, ACTOR).number
    assert number is not None
    fixed = fix(office, number, LoadedReport(second, (), {}, ReportedFacts()), "r.json", ACTOR)
    assert fixed.number is not None
    assert codes(erase(office, PERSON, WHY)) == []
    assert left(office, *WORDS) == []
    with office.reading() as connection:
        stored = read_submission(connection, number)
    assert stored is not None
    assert "EXAMPLE, PLAYER 2" in stored.report


def test_what_may_mean_a_namesake_is_left_and_named_until_the_name_is_given(office: Book) -> None:
    with office.writing() as connection:
        write_members(connection, [MemberFacts("90000888", NAME, date(1950, 1, 1))])
        decide(
            connection,
            ACTOR,
            Decision("adjust", AuditSubject("member", "90000888"), f"{NAME} was right", member="90000888"),
        )
    send(office, quad("2026-03-07"), ACTOR)
    rate_ready(office, ACTOR)
    first = erase(office, PERSON, WHY)
    assert codes(first) == ["erasure-left"]
    assert "90000888" in first.findings[0].message
    assert left(office, *WORDS)[:1] == ["audit"]
    assert "submissions" not in left(office, *WORDS)
    with office.reading() as connection:
        assert (
            connection.execute(
                select(schema.members.c.name).where(schema.members.c.id == "90000888")
            ).scalar_one()
            == NAME
        )
    again = erase(office, PERSON, WHY, names=[NAME])
    assert again.decision is not None
    assert {"audit", "decisions"}.isdisjoint(left(office, *WORDS))


def test_a_name_that_is_nearly_the_same_stays_that_of_another_member(office: Book) -> None:
    """Who is JOHN A. cannot be told from a text about John; who is JOHN B. can."""
    name, other = "SMITH, JOHN A", "SMITH, JOHN B"
    with office.writing() as connection:
        write_members(connection, [MemberFacts(PERSON, name), MemberFacts("90000888", other)])
        for said in ("John B. Smith was right", "John A. Smith was wrong"):
            decide(
                connection,
                ACTOR,
                Decision("adjust", AuditSubject("member", "90000888"), said, member="90000888"),
            )
    both = with_seat(quad("2026-03-07", PERSON, name), 2, "90000888", other)
    send(office, both, ACTOR)
    rate_ready(office, ACTOR)
    done = erase(office, PERSON, WHY)
    assert codes(done) == []
    found = [said for table, said in texts(office) if "smith" in said and table != "name_words"]
    assert found
    assert all("john b" in said for said in found)
    assert not [said for said in found if "john a" in said]
    rerate(office, ACTOR)
    assert [one for one in verify(office).findings if one.severity is Severity.ERROR] == []


def test_a_report_that_waits_is_named_and_erasing_goes_on_after_it_is_corrected(office: Book) -> None:
    number = send(office, quad("2026-03-07", "seat-3", NAME), ACTOR).number
    assert number is not None
    first = erase(office, PERSON, WHY)
    assert codes(first) == ["erasure-left"]
    assert f"submissions {number}" in first.findings[0].message
    with office.reading() as connection:
        stored = read_submission(connection, number)
    assert stored is not None
    assert correct_member(office, SectionRef(stored.event_id, 1, number), 3, PERSON, WHY).decision is not None
    assert left(office, *WORDS) != []
    again = erase(office, PERSON, WHY)
    assert (again.decision is not None, codes(again)) == (True, [])
    assert_erased(office)
    with pytest.raises(BookError) as refused:
        erase(office, PERSON, WHY)
    assert refused.value.finding.code == "nothing-changes"


def test_what_an_older_program_left_goes_with_a_second_erasure(office: Book) -> None:
    """As it erased: the members and the reports that hold, and not the versions before."""
    corrected(office, quad("2026-03-07", WRONG, NAME))
    rate_ready(office, ACTOR)
    with office.reading() as connection:
        first = read_submission(connection, 1)
    assert first is not None
    erase(office, PERSON, WHY)
    with office.writing() as connection:
        connection.execute(
            schema.submissions.update().where(schema.submissions.c.id == 1).values(report=first.report)
        )
        note_linked(connection, Linked.SUBMISSION, [1])
    again = erase(office, PERSON, WHY)
    assert again.decision is not None
    assert "reports 1" in again.changes
    rerate(office, ACTOR)
    assert_erased(office)


def test_a_trial_changes_nothing(office: Book) -> None:
    corrected(office, quad("2026-03-07", WRONG, NAME))
    before = sorted(texts(office))
    done = erase(office.sibling(dry_run=True), PERSON, WHY)
    assert "reports 1, 2" in done.changes
    assert sorted(texts(office)) == before


def test_a_file_that_someone_reads_is_said_and_cleaned_later(new_book: Callable[[], Book]) -> None:
    book = new_book()
    with book.writing() as connection:
        write_members(connection, [MemberFacts(PERSON, NAME, date(1999, 9, 9))])
    reader = open_book(book.url, wait_seconds=0.01)
    hasty = open_book(book.url, wait_seconds=0.01)
    with reader.reading() as connection:
        connection.execute(select(schema.members)).all()
        assert codes(erase(hasty, PERSON, WHY)) == ["erasure-left"]
        assert left(book, *WORDS) != []
    with pytest.raises(BookError) as refused:
        erase(hasty, PERSON, WHY)
    assert refused.value.finding.code == "nothing-changes"
    assert left(book, *WORDS) == []
    reader.close()
    hasty.close()


def test_pages_of_the_file_that_were_freed_before_are_cleaned_too(new_book: Callable[[], Book]) -> None:
    book = new_book()
    with book.writing() as connection:
        write_members(connection, [MemberFacts(PERSON, NAME * 200)])
    correct_facts(book, PERSON, ChangedFacts(name="PLEYNE, PAT"), WHY)
    assert left(book, "stedreq") != []
    erase(book, PERSON, WHY)
    assert left(book, "stedreq", "pleyne") == []


MEMBERS_OWN = "members.* name_words.word"
ACTORS = (
    "audit.by decisions.decided_by findings.accepted_by published_lists.published_by runs.started_by"
    " submissions.submitted_by"
)
OF_THE_FEDERATION = "book.* rulebooks.* rule_sets.*"
WRITTEN_BY_THE_PROGRAM = (
    "audit.at audit.action audit.subject_kind chain.* changed.* published_lists.* runs.* decisions.kind"
    " decisions.decided_at decisions.system external_ratings.source published_ratings.* titles.title opening_balances.*"
    " submissions.status submissions.submitted_at submissions.content_hash submissions.roster_hash findings.code"
    " reported_sections.played_hash"
    " findings.severity findings.accepted_at sections.place sections.time_control sections.type"
    " entries.floor_request games.* norms.* postings.* rerate_marks.place rerate_marks.late_event ledger.*"
)
IDS = "*.member_id *.event_id events.id events.state events.country"


def test_every_column_of_text_is_looked_through_or_says_why_not() -> None:
    """A new column in which people write what they like must be in `TEXTS`."""
    looked = [f"{one.table.name}.{name}" for one in TEXTS for name in one.texts]
    others = f"{MEMBERS_OWN} {ACTORS} {OF_THE_FEDERATION} {WRITTEN_BY_THE_PROGRAM} {IDS}".split()
    unknown = [
        name
        for table in schema.metadata.sorted_tables
        for column in table.columns
        if isinstance(column.type, Text)
        and (name := f"{table.name}.{column.name}") not in looked
        and not any(fnmatch(name, pattern) for pattern in others)
    ]
    assert unknown == []
