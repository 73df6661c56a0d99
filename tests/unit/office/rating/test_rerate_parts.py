"""A re-rating writes the same to the last bit, however much of history is read and written at once."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
from collections import Counter
from contextlib import closing
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

import pytest
from sqlalchemy import select

from ratebook.book import schema
from ratebook.book.audit import BOOK, note_audit
from ratebook.book.chain.checking import chain_findings
from ratebook.book.connection import open_book
from ratebook.book.events import read_sections
from ratebook.book.facts.foreign_ratings import ListedForeign
from ratebook.book.ledger import postings as posting
from ratebook.book.ledger import read as ledger
from ratebook.book.ledger.read import load_current
from ratebook.book.ledger.rows import LedgerRow
from ratebook.book.profile import read_federation
from ratebook.model import PlayerFacts, SectionType, System
from ratebook.office.decisions.adjustments import Adjustment, adjust
from ratebook.office.decisions.events import GameResult, correct_dates, correct_result, withdraw
from ratebook.office.decisions.members import ChangedFacts, correct_facts, correct_foreign_rating
from ratebook.office.decisions.persons import merge
from ratebook.office.decisions.revision import Reason, SectionRef
from ratebook.office.profile import adopt_rules
from ratebook.office.rating import rerate as rerating
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import KeptRerating, Pace, rerate
from ratebook.office.rating.standings import MemberStandings
from ratebook.office.rating.verify import verify
from support.book_federation import ACTOR
from support.book_reports import add_members, report, send

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from sqlalchemy import Connection

    from ratebook.book.connection import Book
    from ratebook.book.events import StoredSection
    from ratebook.book.ledger.read import CurrentPostings
    from ratebook.findings import Finding
    from ratebook.office.rating.difference import Difference
    from ratebook.office.rating.standings import Inputs

SECTION_BY_SECTION = Pace(first_part=1, whole_part=2.0)
IN_PARTS = Pace(part=9, first_part=5, whole_part=-1.0)
OTHERS = {
    "in parts": IN_PARTS,
    "as needed": Pace(part=20, first_part=10, whole_part=0.25),
    "in large parts, seen before": Pace(part=40, first_part=40, whole_part=-1.0),
    "as needed, seen before": Pace(part=20, first_part=10, whole_part=0.1),
}
SEEN_BEFORE = {"in large parts, seen before", "as needed, seen before"}
"""The ways in which a re-rating is previewed first, and done as it was seen."""
WHY = Reason(ACTOR, "a try", ["all"])
LARGER_BONUS = """
[bonus_multiplier]
values = [{ from = 2019-01-01, is = 1, document = "vote", where = "May 3", status = "documented" }]
"""


class Asked(NamedTuple):
    """How a re-rating is asked for."""

    since: date | None = None
    everything: bool = False


def sections_of(book: Book) -> list[StoredSection]:
    with book.reading() as connection:
        return list(read_sections(connection))


def rules_were_adopted(book: Book) -> Asked:
    adopt_rules(book, LARGER_BONUS, WHY)
    return Asked()


def everything_was_corrected(book: Book) -> Asked:
    """Leave corrections of every kind waiting: results, dates, persons, facts, decisions, withdrawn sections."""
    sections = [one for one in sections_of(book) if one.section.type is SectionType.SWISS]
    withdraw(book, SectionRef(sections[3].event_id, sections[3].section.number), WHY)
    moved = sections[5]
    correct_dates(
        book,
        SectionRef(moved.event_id, moved.section.number),
        moved.section.start,
        sections[len(sections) // 2].section.end,
        WHY,
    )
    flip_a_result(book, sections[1])
    members = list(dict.fromkeys(member for one in sections for member in one.members))
    correct_facts(book, members[0], ChangedFacts(birth_date=date(1950, 5, 5)), WHY)
    correct_foreign_rating(book, members[-1], ListedForeign("fide", date(2020, 1, 1), 2100.0), WHY)
    adjust(book, "floor", Adjustment(members[4], System.REGULAR, 1700.0, date(2020, 9, 1)), WHY)
    together = {
        frozenset((one, other))
        for section in sections
        for one in section.members
        for other in section.members
    }
    old, new = next(
        (old, new) for old in reversed(members) for new in members if frozenset((old, new)) not in together
    )
    merge(book, old, new, WHY)
    return Asked()


def flip_a_result(book: Book, stored: StoredSection) -> None:
    """Make a win of the section a draw."""
    seat, number = next(
        (entry.seat, number)
        for entry in stored.section.entries
        for number, cell in enumerate(entry.rounds, start=1)
        if cell.letter == "W"
    )
    at = SectionRef(stored.event_id, stored.section.number)
    correct_result(book, at, GameResult(seat, number, "D"), WHY)


def a_late_result_was_corrected(book: Book) -> Asked:
    sections = [one for one in sections_of(book) if one.section.type is SectionType.SWISS]
    flip_a_result(book, sections[-len(sections) // 4])
    return Asked()


def everything_is_asked_for(book: Book) -> Asked:
    flip_a_result(book, next(one for one in sections_of(book) if one.section.type is SectionType.SWISS))
    return Asked(everything=True)


def the_second_year_is_asked_for(book: Book) -> Asked:
    sections = [one for one in sections_of(book) if one.section.type is SectionType.SWISS]
    flip_a_result(book, sections[-len(sections) // 3])
    return Asked(since=sections[len(sections) // 2].section.end)


def somebody_wrote_into_the_ledger(book: Book) -> Asked:
    """Change ratings, peaks and floors of a few rows behind the back of the program."""
    with sqlite3.connect(book.url) as changed:
        changed.execute("DROP TRIGGER ledger_never_changes")
        current = "SELECT id FROM ledger WHERE superseded_by IS NULL ORDER BY section_id, member_id, system"
        ids = [row[0] for row in changed.execute(current)]
        for share, change in (
            (0.15, "rating = rating + 1"),
            (0.35, "peak = 2345.5"),
            (0.55, 'floors = \'[["money", 1600.0], ["office", 1500.0]]\''),
            (0.6, "wins = wins + 1"),
            (0.7, "match_change = 5.0"),
            (0.8, 'floors = \'[["money", 1600.0], ["money", 1700.0]]\''),
        ):
            changed.execute(f"UPDATE ledger SET {change} WHERE id = ?", (ids[int(share * len(ids))],))  # noqa: S608 - the words above
    changed.close()
    return Asked(everything=True)


def rows_written_into(place: Path, settled_place: Path) -> int:
    """Return how many current rows are not as they were in the settled book."""
    one, other = (", ".join(f"{row}.{name}" for name in LedgerRow._fields) for row in ("one", "other"))
    asked = f"FROM ledger AS one JOIN settled.ledger AS other USING (id) WHERE ({one}) IS NOT ({other})"
    with closing(sqlite3.connect(place)) as raw:
        raw.execute("ATTACH ? AS settled", (str(settled_place),))
        (count,) = raw.execute(f"SELECT count(*) {asked} AND one.superseded_by IS NULL").fetchone()
    return int(count)


CASES: tuple[Callable[[Book], Asked], ...] = (
    rules_were_adopted,
    everything_was_corrected,
    a_late_result_was_corrected,
    everything_is_asked_for,
    the_second_year_is_asked_for,
    somebody_wrote_into_the_ledger,
)


class Waiting(NamedTuple):
    """A book in which a re-rating waits, and what it gives section by section."""

    place: Path
    asked: Asked
    difference: Difference
    tables: Mapping[str, Sequence[str]]
    findings: Sequence[Finding]


@pytest.fixture(scope="module", params=CASES, ids=lambda case: case.__name__)
def waiting(
    request: pytest.FixtureRequest, settled_place: Path, tmp_path_factory: pytest.TempPathFactory
) -> Waiting:
    """Give a book in which something waits, and what a re-rating makes of it section by section."""
    place = tmp_path_factory.mktemp("waiting") / "waiting.book"
    shutil.copyfile(settled_place, place)
    with closing(open_book(str(place))) as book:
        asked = request.param(book)
    copy = place.with_name("by-section.book")
    shutil.copyfile(place, copy)
    with closing(open_book(str(copy))) as book:
        difference = rerate(book, ACTOR, **asked._asdict(), pace=SECTION_BY_SECTION)
        assert difference.rated > 0
        tables = tables_of(book)
        findings = verify(book).findings
    # What somebody wrote into a row is found in it, and in nothing that was rated again.
    written = rows_written_into(copy, settled_place)
    assert sum(one.code not in {"guard-missing", "kept-changed"} for one in findings) == written, findings
    assert bool(written) == (request.param is somebody_wrote_into_the_ledger)
    return Waiting(place, asked, difference, tables, findings)


def done_as_seen(book: Book, asked: Asked, pace: Pace, monkeypatch: pytest.MonkeyPatch) -> Difference:
    """Preview a re-rating, note something in the audit log, and do what was seen, for which nothing is computed."""
    with closing(KeptRerating()) as preview, monkeypatch.context() as patched:
        seen = rerate(book, ACTOR, **asked._asdict(), dry_run=True, pace=pace, preview=preview)
        with book.logging() as connection:
            note_audit(connection, ACTOR, "backup-book", BOOK, "before.book")
        for name in ("rate_from", "read_sections"):
            patched.setattr(rerating, name, lambda *_, **__: pytest.fail("this was computed before"))
        assert rerate(book, ACTOR, **asked._asdict(), preview=preview) == seen
    return seen


def tables_of(book: Book) -> dict[str, Sequence[str]]:
    with book.reading() as connection:
        return {
            table.name: sorted(repr(tuple(row)) for row in connection.execute(select(*columns)))
            for table in schema.metadata.sorted_tables
            # Salts and hashes differ by design; what links are about does not.
            for columns in [table.c if table is not schema.chain else (table.c.kind, table.c.subject)]
        }


@pytest.mark.parametrize("way", OTHERS)
def test_every_way_of_re_rating_writes_the_same_rows(
    waiting: Waiting, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy.book"
    shutil.copyfile(waiting.place, copy)
    expected = dict(waiting.tables)
    with closing(open_book(str(copy))) as book:
        if way in SEEN_BEFORE:
            difference = done_as_seen(book, waiting.asked, OTHERS[way], monkeypatch)
        else:
            difference = rerate(book, ACTOR, **waiting.asked._asdict(), pace=OTHERS[way])
        tables = tables_of(book)
        # Rows that are equal are as they were found to be; links have salts of their own.
        with book.reading() as connection:
            assert set(chain_findings(connection)) <= set(waiting.findings)
    assert difference == waiting.difference
    if way in SEEN_BEFORE:
        audit, chain = expected.pop("audit"), expected.pop("chain")
        assert len(tables["audit"]) == len(audit) + 1
        assert Counter(tables["chain"]) - Counter(chain) == {f"('audit', '{len(audit) + 1}')": 1}
    for name, rows in expected.items():
        assert tables[name] == rows, name


def test_what_was_tried_before_the_book_changed_is_computed_anew(settled_place: Path, tmp_path: Path) -> None:
    results = []
    for name in ("tried.book", "alone.book"):
        copy = tmp_path / name
        shutil.copyfile(settled_place, copy)
        with closing(open_book(str(copy))) as book, closing(KeptRerating()) as preview:
            a_late_result_was_corrected(book)
            if name == "tried.book":
                rerate(book, ACTOR, dry_run=True, preview=preview)
            swiss = (stored for stored in sections_of(book) if stored.section.type is SectionType.SWISS)
            flip_a_result(book, next(swiss))
            results.append((rerate(book, ACTOR, preview=preview), tables_of(book)))
            with book.reading() as connection:
                assert list(chain_findings(connection)) == []
    assert results[0] == results[1]


def test_what_waits_is_written_before_the_walk_reads_it(
    settled_place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {}
    for name in ("written", "forgotten"):
        copy = tmp_path / f"{name}.book"
        shutil.copyfile(settled_place, copy)
        book = open_book(str(copy))
        rules_were_adopted(book)
        if name == "forgotten":
            monkeypatch.setattr(posting.Postings, "write_about", lambda _self, _members, _before: None)
        rerate(book, ACTOR, pace=Pace(part=10**9))
        found[name] = {finding.code for finding in verify(book).findings}
    # Players of matches have official ratings that follow from sections of the same part.
    assert found == {"written": set(), "forgotten": {"chain-broken"}}


def test_no_more_of_history_is_in_memory_than_a_part(
    settled_place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy.book"
    shutil.copyfile(settled_place, copy)
    book = open_book(str(copy))
    rules_were_adopted(book)
    parts: list[int] = []
    written: list[int] = []
    load, write = ledger.load_current, posting.Postings.write

    def loaded(connection: Connection, ids: Sequence[int]) -> CurrentPostings:
        parts.append(len(ids))
        return load(connection, ids)

    def noted(self: posting.Postings) -> list[int]:
        numbers = write(self)
        written.append(len(numbers))
        return numbers

    monkeypatch.setattr(rerating, "load_current", loaded)
    monkeypatch.setattr(posting.Postings, "write", noted)
    difference = rerate(book, ACTOR, pace=IN_PARTS)
    assert sum(written) == difference.rated > 2 * IN_PARTS.part
    assert max(parts) == IN_PARTS.part
    # A section is rated in two systems at most, and what is written at a time is no more than a part of them.
    assert max(written) <= 2 * IN_PARTS.part


def test_postings_are_written_in_good_time(
    settled_place: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.book"
    shutil.copyfile(settled_place, copy)
    book = open_book(str(copy))
    rules_were_adopted(book)
    monkeypatch.setattr(posting, "AT_ONCE", 3)
    rerate(book, ACTOR, pace=IN_PARTS)
    assert verify(book).findings == ()


def test_the_hash_is_that_of_everything_a_rating_reads_as_one_text(settled_place: Path) -> None:
    book = open_book(str(settled_place))
    compared = 0
    with book.reading() as connection:
        standings = MemberStandings(read_federation(connection))
        for stored in read_sections(connection):
            standings.load(connection, stored.members, stored.place)
            assert standings.plan(stored) is not None or stored.withdrawn
            for one in standings.inputs(connection, stored):
                assert one.hash == hash_of_one_text(stored, one, standings.rule_sets.fingerprint(one.rules))
                compared += 1
            for system, known in load_current(connection, [stored.id]).postings.get(stored.id, {}).items():
                standings.apply(stored, {system: known.rows})
    assert compared > 100


def hash_of_one_text(stored: StoredSection, inputs: Inputs, fingerprint: str) -> str:
    """Return the hash as the first version of the program took it, whose books are still there."""
    section = stored.section

    def by_system(values: Mapping[System, object]) -> list[object]:
        return [[system.value, values[system]] for system in System if system in values]

    def listed(facts: PlayerFacts) -> list[object]:
        # That version knew neither bounds nor titles: a rating without bounds reads as it did, titles rate nothing.
        ratings = {system: one if one.at_least else one[:-1] for system, one in facts.ratings.items()}
        others = facts[6 : PlayerFacts._fields.index("initial")]
        return [*facts[:5], by_system(ratings), *others, by_system(facts.initial)]

    read = [
        inputs.system.value,
        fingerprint,
        inputs.dual_rated,
        section.start,
        section.end,
        section.type.value,
        section.half_k,
        section.youth,
        [entry[:5] for entry in section.entries],
        [listed(facts) for facts in inputs.facts.values()],
    ]
    whole = json.dumps(read, default=lambda day: day.isoformat(), separators=(",", ":"))
    return hashlib.sha256(whole.encode()).hexdigest()[:32]


@pytest.mark.parametrize("pace", [SECTION_BY_SECTION, IN_PARTS], ids=["one", "parts"])
def test_what_a_late_event_moves_is_rated_again_in_every_store(book: Book, pace: Pace) -> None:
    add_members(book, 8)
    for month in range(1, 11):
        late_event = report(
            f"2024-{month:02d}-20",
            [1, 2, 3, 4],
            ["W2 D3 W4", "L1 W4 D3", "W4 D1 D2", "L3 L2 L1"],
            event_id=f"2024{month:02d}200001",
            time_control=("G/90;d5", "G/45;d5", "G/10;d0")[month % 3],
        )
        send(book, late_event, ACTOR)
    rate_ready(book, ACTOR)
    send(
        book,
        report("2024-02-10", [1, 2, 5, 6], ["L2 W3", "W1 W4", "W4 L1", "L3 L2"], event_id="202402100001"),
        ACTOR,
    )
    assert len(rate_ready(book, ACTOR).posted) == 1
    difference = rerate(book, ACTOR, pace=pace)
    assert difference.rated > 6
    assert verify(book).findings == ()
    assert rerate(book, ACTOR, everything=True, pace=pace).rated == 0
