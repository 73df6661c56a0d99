"""A book of an invented federation, written at one go, and how long re-ratings in it take (`ratebook bench`)."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.raw_rows import copy_of, raw_rows, spent
from sqlalchemy import func, insert, select

from ratebook.book import schema
from ratebook.book.audit import BOOK
from ratebook.book.decisions import Decision, decide
from ratebook.book.events import read_sections, write_event, write_section
from ratebook.book.facts.member_files import stored_rating
from ratebook.book.facts.members import MemberFacts, write_members
from ratebook.book.reports import report_hashes, stated_text, with_members
from ratebook.book.submissions import NewSubmission, Status, store_submission
from ratebook.checks.submission import MEMBER_ID, ReportedFacts
from ratebook.findings import has_errors
from ratebook.formats.native.write import write
from ratebook.office.decisions.events import GameResult, correct_result
from ratebook.office.decisions.revision import Reason, SectionRef
from ratebook.office.rating.rerate import rerate

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ratebook.book.connection import Actor, Book
    from ratebook.demo.values import Arrival, InventedFederation
    from ratebook.office.rating.difference import Difference


class ReRated(NamedTuple):
    """How long re-ratings in a book took.

    Attributes:
        first: rating everything for the first time, seconds.
        first_cpu: of the processor.
        raw, raw_cpu: the same rows raw, into a copy of the book as it was before.
        rows: how many these are, in all tables.
        month: the re-rating after a correction one month before the end, seconds.
        everything: looking at everything again, seconds.
        changing: rating everything again where the first results of history have changed, seconds.
        changing_cpu: of the processor.
        month_ratings, changed_ratings: how many sections were rated again in a system then.
        ratings: how many there are in all.
    """

    first: float
    first_cpu: float
    raw: float
    raw_cpu: float
    rows: int
    month: float
    everything: float
    changing: float
    changing_cpu: float
    month_ratings: int
    changed_ratings: int
    ratings: int


def write_people(book: Book, federation: InventedFederation, actor: Actor) -> None:
    """Write the members of *federation* into *book*, and what was known of them before the first event."""
    with book.writing() as connection:
        write_members(connection, (_facts(member.facts, member.state) for member in federation.members))
        connection.execute(
            insert(schema.memberships),
            [
                {"member_id": one.member, "starts": one.starts, "expires": one.expires}
                for one in federation.memberships
            ],
        )
        if federation.external_ratings:
            connection.execute(
                insert(schema.external_ratings),
                [
                    {
                        "member_id": rating.member,
                        "source": rating.source.value,
                        "list_date": rating.list_date,
                        "rating": float(rating.rating),
                    }
                    for rating in federation.external_ratings
                ],
            )
        decision = decide(connection, actor, Decision("opening-balances", BOOK, "the book begins"))
        connection.execute(
            insert(schema.opening_balances),
            [
                {
                    **stored_rating(balance.rating, () if balance.floor is None else (balance.floor,)),
                    "as_of": balance.rating.as_of,
                    "member_id": balance.member,
                    "system": balance.system.value,
                    "decision_id": decision,
                }
                for balance in federation.opening_balances
            ],
        )


def _facts(facts: object, state: str) -> MemberFacts:
    known = {name: getattr(facts, name) for name in MemberFacts._fields if hasattr(facts, name)}
    return MemberFacts(**{**known, "state": state})


def write_reports(book: Book, federation: InventedFederation, actor: Actor) -> int:
    """Write the reports of *federation* as if they had been checked, and return how many there are.

    Nothing is rated: a re-rating of everything does that. Reports of unknown players, and those that come twice, are
    left out.
    """
    written: set[str] = set()
    with book.writing() as connection:
        for arrival in federation.arrivals:
            if arrival.report.event.id not in written and _write_report(connection, arrival, actor):
                written.add(arrival.report.event.id)
    return len(written)


def _write_report(connection: Connection, arrival: Arrival, actor: Actor) -> bool:
    report, findings = with_members(connection, arrival.report)
    if has_errors(findings):
        return False
    event = report.event
    new = NewSubmission(
        event_id=event.id,
        event_name=event.name,
        source_name=f"{event.id}.json",
        received=arrival.received,
        report=write(report).files["report.json"].decode(),
        stated=stated_text(ReportedFacts()),
        **report_hashes(report, MEMBER_ID)._asdict(),
    )
    submission = store_submission(connection, new, Status.RATED, actor, ())
    write_event(connection, event, submission, is_known=False)
    for section in report.sections:
        write_section(connection, event.id, section, report.players)
    return True


def measure_re_rating(book: Book, actor: Actor) -> ReRated:
    """Rate everything in *book*, correct a game one month before the end and one at the beginning, and re-rate.

    Args:
        book: a SQLite file with reports that were not rated (`write_reports`).
        actor: who is noted as having done it.
    """
    unrated = Path(f"{book.url}.unrated")
    copy_of(book.url, unrated)
    first = spent(lambda: rerate(book, actor, everything=True))
    raw, rows = raw_rows(unrated, book.url)
    turn_around(book, month_before_the_end(book), actor)
    differences: list[Difference] = []
    month = spent(lambda: differences.append(rerate(book, actor)))
    everything = spent(lambda: rerate(book, actor, everything=True))
    for place in _first_places(book):
        turn_around(book, place, actor)
    changing = spent(lambda: differences.append(rerate(book, actor)))
    with book.reading() as connection:
        ratings = connection.execute(
            select(func.count())
            .select_from(schema.postings)
            .where(schema.postings.c.superseded_by.is_(None), schema.postings.c.withdrawn.is_(False))
        ).scalar_one()
    return ReRated(
        first=first.wall,
        first_cpu=first.cpu,
        raw=raw.wall,
        raw_cpu=raw.cpu,
        rows=rows,
        month=month.wall,
        everything=everything.wall,
        changing=changing.wall,
        changing_cpu=changing.cpu,
        month_ratings=differences[0].rated,
        changed_ratings=differences[1].rated,
        ratings=int(ratings),
    )


FIRST_SECTIONS = 20
"""So many of the first sections are corrected to change nearly everything that follows."""

DECEMBER = 12
SHORTEST_MONTH = 28
"""Days."""


def month_before_the_end(book: Book) -> str:
    """Return the day a month before the last section ended; places from there on sort after it."""
    with book.reading() as connection:
        last: date = connection.execute(select(func.max(schema.sections.c.end))).scalar_one()
    year, month = (last.year, last.month - 1) if last.month > 1 else (last.year - 1, DECEMBER)
    return date(year, month, min(last.day, SHORTEST_MONTH)).isoformat()


def _first_places(book: Book) -> list[str]:
    with book.reading() as connection:
        return list(
            connection.execute(
                select(schema.sections.c.place).order_by(schema.sections.c.place).limit(FIRST_SECTIONS)
            ).scalars()
        )


def turn_around(book: Book, place: str, actor: Actor) -> None:
    """Correct the first decided game from *place* on: who won has lost."""
    at, game = _decided_game(book, place)
    correct_result(book, at, game, Reason(actor, "a benchmark", ["all"]))


def _decided_game(book: Book, place: str) -> tuple[SectionRef, GameResult]:
    with book.reading() as connection:
        for stored in read_sections(connection, since=place):
            for entry in stored.section.entries:
                for turn, cell in enumerate(entry.rounds, start=1):
                    if cell.letter in {"W", "L"}:
                        at = SectionRef(stored.event_id, stored.section.number)
                        return at, GameResult(entry.seat, turn, "L" if cell.letter == "W" else "W")
    raise LookupError(f"no game was decided from {place} on")
