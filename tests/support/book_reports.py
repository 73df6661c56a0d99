"""Reports and members for the tests of the book: short to say, plain to read."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from sqlalchemy import insert, select

from ratebook.book import schema
from ratebook.book.audit import AuditSubject
from ratebook.book.chain.contents import Linked
from ratebook.book.chain.links import note_linked
from ratebook.book.decisions import Decision, decide
from ratebook.book.facts.members import MemberFacts, write_members
from ratebook.book.ledger.rows import LedgerRow
from ratebook.checks import ReportedFacts
from ratebook.model import Event, PlayerFacts, Report, Section, SectionType
from ratebook.office.queue.submit import Incoming, Submitted, submit
from ratebook.reports.load import LoadedReport
from support.builders import entry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratebook.book.connection import Actor, Book

FIRST_ID = 90_000_000


def member_id(number: int) -> str:
    """Return the id of the invented member *number*."""
    return str(FIRST_ID + number)


def add_members(book: Book, count: int) -> None:
    """Add the members 1 to *count*, born one year after the other from 1960 on."""
    facts = [
        MemberFacts(member_id(number), f"EXAMPLE, PLAYER {number}", date(1960 + number % 50, 1, 1))
        for number in range(1, count + 1)
    ]
    with book.writing() as connection:
        write_members(connection, facts)


def open_at(book: Book, number: int, rating: float, actor: Actor, *, peak: float | None = None) -> None:
    """Give a member an opening balance of 40 games."""
    with book.writing() as connection:
        opening = Decision(
            "opening-balance", AuditSubject("member", member_id(number)), "list", member=member_id(number)
        )
        values = {
            "member_id": member_id(number),
            "system": "regular",
            "as_of": date(2025, 12, 31),
            "rating": rating,
            "games": 40,
            "wins": 20,
            "draws": 10,
            "losses": 10,
            "long_events": 10,
            "life_master_games": 0,
            "peak": peak,
            "floors": "",
            "decision_id": decide(connection, actor, opening),
        }
        connection.execute(insert(schema.opening_balances).values(values))
        note_linked(connection, Linked.MEMBER, [member_id(number)])


def report(  # noqa: PLR0913 - each test says another thing about a report
    day: str,
    players: Sequence[int],
    rounds: Sequence[str],
    *,
    event_id: str = "",
    time_control: str = "G/90;d5",
    kind: SectionType = SectionType.SWISS,
    online: bool = False,
    number: int = 1,
) -> Report:
    """Return a report of one section that ended on *day*; the rounds of each seat are written as ``"W2 D3"``."""
    end = date.fromisoformat(day)
    entries = tuple(
        entry(seat, cells, member_id(player))
        for seat, (player, cells) in enumerate(zip(players, rounds, strict=True), start=1)
    )
    section = Section(
        number, "OPEN", end, end, time_control, kind, online, half_k=False, youth=False, entries=entries
    )
    known = {
        member_id(player): PlayerFacts(member_id(player), f"EXAMPLE, PLAYER {player}") for player in players
    }
    return Report(Event(event_id, "EXAMPLE OPEN", end, end), known, (section,))


def send(book: Book, one: Report, actor: Actor, *, accepted: Sequence[str] = ("all",)) -> Submitted:
    """Submit a report as the office would, its warnings accepted."""
    loaded = LoadedReport(one, (), {}, ReportedFacts())
    end = max(section.end for section in one.sections)
    return submit(book, Incoming(loaded, "report.json", end, accepted=accepted), actor)


def current_ledger(book: Book) -> dict[tuple[str, str, str], LedgerRow]:
    """Return the current rows of the ledger by member, system and event."""
    ledger, sections = schema.ledger, schema.sections
    with book.reading() as connection:
        rows = connection.execute(
            select(ledger.c.system, sections.c.event_id, *(ledger.c[name] for name in LedgerRow._fields))
            .join(sections, sections.c.id == ledger.c.section_id)
            .where(ledger.c.superseded_by.is_(None))
        )
        return {(row.member_id, row.system, row.event_id): LedgerRow._make(row[2:]) for row in rows}
