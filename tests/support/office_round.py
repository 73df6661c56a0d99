"""A small round of an office that can be broken off anywhere and finished from there.

Submit, rate, a late report, a correction, a re-rating, an official list. Every step is left out where it is done
already, as an office would after a power cut.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import func, make_url, select

from ratebook.book import schema
from ratebook.book.connection import Actor, open_book
from ratebook.book.ledger.rows import LedgerRow
from ratebook.book.profile import Profile
from ratebook.model import SCORES
from ratebook.office.copies.backup import backup, restore
from ratebook.office.creation import create_book
from ratebook.office.decisions.events import GameResult, correct_result
from ratebook.office.decisions.revision import Reason, SectionRef
from ratebook.office.publish.lists import publish
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from ratebook.office.rating.verify import verify
from support.book_reports import add_members, report, send
from support.hang_guard import HANG_GUARD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import ColumnElement, Connection

    from ratebook.book.connection import Book
    from ratebook.model import Report

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
MEMBERS = 6
MONTH = "2026-02"
TODAY = date(2026, 11, 20)


def new_office(place: str) -> None:
    """Make the book that the round begins with."""
    made = create_book(place, Profile(name="Example Federation"), ACTOR)
    add_members(made, MEMBERS)
    made.close()


def _two_sections() -> Report:
    """Return a report of a dual-rated section and a slow one."""
    first = report(
        "2026-01-10", [1, 2, 3, 4], ["W2", "L1", "W4", "L3"], event_id="202601100001", time_control="G/45;d5"
    )
    second = report("2026-01-10", [5, 6], ["D2", "D1"], event_id="202601100001", number=2)
    return first._replace(
        players={**first.players, **second.players}, sections=first.sections + second.sections
    )


@contextmanager
def opened(place: str) -> Iterator[Book]:
    """Give the book at *place*, open."""
    book = open_book(place, wait_seconds=HANG_GUARD)
    try:
        yield book
    finally:
        book.close()


def finish_round(place: str) -> None:
    """Do whatever of the round is not done."""
    copy = backup_of(place)
    with opened(place) as book:
        games = ["W2 D3", "L1 W4", "W4 D1", "L3 L2"]
        _send_in(book, report("2026-01-03", [1, 2, 3, 4], games, event_id="202601030001"))
        _send_in(book, _two_sections())
        rate_ready(book, ACTOR)
        _send_in(book, report("2026-01-06", [1, 3, 5], ["W2 H", "L1 W3", "H L2"], event_id="202601060001"))
        rate_ready(book, ACTOR)
        if not _count(book, schema.decisions.c.kind == "correct-result"):
            correct_result(
                book,
                SectionRef("202601030001", 1),
                GameResult(1, 1, "D"),
                Reason(ACTOR, "the players say so", ["all"]),
            )
        rerate(book, ACTOR)
        if not _count(book, schema.published_lists.c.id == MONTH):
            publish(book, MONTH, TODAY, ACTOR)
        if not copy.exists():
            backup(book, str(copy), ACTOR)
    restore(str(copy), place, ACTOR)


def backup_of(place: str) -> Path:
    """Return where the backup of the book at *place* goes, under a name that is the same for all servers' books."""
    if "://" in place:
        own = Path(tempfile.gettempdir()) / f"ratebook-{os.getuid()}-{make_url(place).database}"
        own.mkdir(exist_ok=True)
        return own / "office.backup"
    return Path(f"{place}.backup")


def remove_backup(place: str) -> None:
    """Remove the backup of the book at *place*: a file, or the folder for a server's book."""
    copy = backup_of(place)
    if "://" in place:
        shutil.rmtree(copy.parent)
    else:
        copy.unlink(missing_ok=True)


def _send_in(book: Book, one: Report) -> None:
    if not _count(book, schema.submissions.c.event_id == one.event.id):
        send(book, one, ACTOR)


def _count(book: Book, condition: ColumnElement[bool]) -> int:
    with book.reading() as connection:
        return int(connection.execute(select(func.count()).where(condition)).scalar_one())


def final_state(book: Book) -> dict[str, list[tuple[object, ...]]]:
    """Return what holds in *book*, without the numbers that the store gives: these count interrupted work too."""
    ledger, norms, titles = schema.ledger, schema.norms, schema.titles
    rows = [ledger.c[name] for name in LedgerRow._fields]
    questions = {
        "ledger": select(ledger.c.place, ledger.c.system, *rows)
        .where(ledger.c.superseded_by.is_(None))
        .order_by(ledger.c.place, ledger.c.system, ledger.c.member_id),
        "hashes": select(schema.postings.c.place, schema.postings.c.system, schema.postings.c.input_hash)
        .where(schema.postings.c.superseded_by.is_(None), schema.postings.c.withdrawn.is_(False))
        .order_by(schema.postings.c.place, schema.postings.c.system),
        "norms": select(
            norms.c.member_id, norms.c.place, norms.c.level, norms.c.score, norms.c.expected
        ).order_by(norms.c.member_id, norms.c.place),
        "titles": select(titles).order_by(titles.c.member_id, titles.c.title),
        "lists": select(schema.published_lists.c.id, schema.published_lists.c.digest).order_by(
            schema.published_lists.c.id
        ),
        "submissions": select(schema.submissions.c.event_id, schema.submissions.c.status).order_by(
            schema.submissions.c.event_id, schema.submissions.c.status
        ),
    }
    with book.reading() as connection:
        return {name: [tuple(row) for row in connection.execute(one)] for name, one in questions.items()}


def half_done(book: Book) -> list[str]:
    """Return what is half done or wrong in *book*, in words: nothing, after whatever happened to a writer."""
    found = [f"{one.code}: {one.message}" for one in verify(book).findings if one.severity == "error"]
    with book.reading() as connection:
        found += _postings_without_rows(connection)
        found += _rated_without_postings(connection)
        found += _without_audit(connection)
        lists = schema.published_lists.c.id
        empty = select(lists).where(lists.not_in(select(schema.published_ratings.c.list_id)))
        found += [f"list {one} is empty" for one in connection.execute(empty).scalars()]
    return found


def _postings_without_rows(connection: Connection) -> Iterator[str]:
    """Compare the current rows of each section and system with the members who have a rated game in it."""
    postings, ledger, entries, games = schema.postings, schema.ledger, schema.entries, schema.games
    seated: dict[int, set[str]] = {}
    with_games = (
        select(entries.c.section_id, entries.c.member_id)
        .join(games, (games.c.section_id == entries.c.section_id) & (games.c.seat == entries.c.seat))
        .where(games.c.result.in_(sorted(SCORES)))
    )
    for section, member in connection.execute(with_games):
        seated.setdefault(section, set()).add(member)
    rows: dict[tuple[int, str], set[str]] = {}
    # A rating that a decision moved has no section.
    current = select(ledger.c.section_id, ledger.c.system, ledger.c.member_id).where(
        ledger.c.superseded_by.is_(None), ledger.c.section_id.is_not(None)
    )
    for section, system, member in connection.execute(current):
        rows.setdefault((section, system), set()).add(member)
    posted = {
        (section, system)
        for section, system in connection.execute(
            select(postings.c.section_id, postings.c.system).where(
                postings.c.superseded_by.is_(None),
                postings.c.withdrawn.is_(False),
                postings.c.section_id.is_not(None),
            )
        )
    }
    for key in sorted(posted | rows.keys()):
        if key not in posted:
            yield f"section and system {key} have rows without a posting"
        elif rows.get(key) != seated.get(key[0]):
            yield f"section and system {key} have rows of {rows.get(key)}, seats of {seated.get(key[0])}"


def _rated_without_postings(connection: Connection) -> Iterator[str]:
    submissions, sections = schema.submissions, schema.sections
    posted = select(schema.postings.c.section_id)
    rated = select(submissions.c.event_id).where(submissions.c.status == "rated")
    unposted = select(sections.c.event_id, sections.c.number).where(
        sections.c.event_id.in_(rated), sections.c.id.not_in(posted), sections.c.withdrawn.is_(False)
    )
    for event_id, number in connection.execute(unposted):
        yield f"event {event_id} is rated, its section {number} is not"
    written = select(sections.c.event_id)
    for event_id in connection.execute(rated.where(submissions.c.event_id.not_in(written))).scalars():
        yield f"event {event_id} is rated and has no section"


def _without_audit(connection: Connection) -> Iterator[str]:
    audit = schema.audit
    details = list(connection.execute(select(audit.c.action, audit.c.subject, audit.c.details)))
    subjects = {subject for _, subject, _ in details}
    # Revisions of a report are made by decisions, which have their own entries.
    sent_in = select(schema.submissions.c.id).where(schema.submissions.c.decision_id.is_(None))
    for number in connection.execute(sent_in).scalars():
        if f"submission {number}" not in subjects:
            yield f"submission {number} has no audit entry"
    for number in connection.execute(select(schema.decisions.c.id)).scalars():
        if not any(text.startswith(f"decision {number}:") for _, _, text in details):
            yield f"decision {number} has no audit entry"
    for month in connection.execute(select(schema.published_lists.c.id)).scalars():
        if f"official list {month}" not in subjects:
            yield f"list {month} has no audit entry"
    rerated = select(schema.runs.c.id).where(schema.runs.c.kind == "rerate")
    for run in connection.execute(rerated).scalars():
        if f"run {run}" not in subjects:
            yield f"re-rating {run} has no audit entry"
