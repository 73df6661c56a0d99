"""A book of everything that is rare: what any page, command or answer may have to show, in one book of some events."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING

from ratebook.book.connection import Actor
from ratebook.book.facts.members import MemberFacts, write_members
from ratebook.book.profile import Profile
from ratebook.checks import ReportedFacts
from ratebook.model import FloorKind, PlayerFacts, Section, SectionType, System
from ratebook.office.creation import create_book
from ratebook.office.decisions.adjustments import Adjustment, Prize, adjust, enter_prize
from ratebook.office.decisions.events import GameResult, correct_member, correct_result, undo, withdraw
from ratebook.office.decisions.persons import merge
from ratebook.office.decisions.revision import Reason, SectionRef
from ratebook.office.erasure.erase import erase
from ratebook.office.imports.opening_balances import import_opening_balances
from ratebook.office.publish.lists import publish
from ratebook.office.queue.submit import Incoming, submit
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from ratebook.reports.load import LoadedReport, load_bytes
from support.book_reports import member_id, report

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ratebook.book.connection import Book
    from ratebook.model import Report

ACTOR = Actor("decision 7: office", "2026-11-20T12:00:00Z")
WHY = Reason(ACTOR, "decision 3, a word such as event X came late")
FEDERATION = "decision makers"
TODAY = date(2026, 11, 23)
"""The lists to May are published, so that one is missing."""
LISTS = ("2026-04", "2026-05")

EVENT_IDS = ("202601100001", "OPEN 7 section 1", "a?b=c&d", "100%25", "x.csv", "x/y", "..")
"""Ids of events as federations may make them: each is one event of the same four players, if the book takes it."""

NAMES = (
    "EXAMPLE, PLAYER 1",
    "X",
    "דוגמה, שחקן",
    "section 2, seat 3 (BAKER)",
    '=<b>"Q", O\u2019NE</b>',
    "",
    "EXAMPLE, ERASED",
    "EXAMPLE, MERGED",
    "EXAMPLE, LATE",
)
BORN = {1: date(1980, 2, 29), 2: date(1996, 1, 1)}
HALF, UNKNOWN, ERASED, MERGED, LATE = 1, 2, 7, 8, 9
"""Numbers of members: on half games, with unknown counts, erased, merged into another, and late."""

BALANCES = f"""member_id,system,as_of,rating,games,wins,draws,losses
{member_id(HALF)},regular,2004-12-31,1500,12.5,5,5,5
{member_id(UNKNOWN)},regular,2004-12-31,1712.4,,,,
{member_id(UNKNOWN)},quick,2004-12-31,1650,0.5,0,1,0
{member_id(LATE)},regular,2025-12-31,1999,30,,,
"""
ROUND_ROBIN = ("W2 D3 W4", "L1 L4 L3", "W4 D1 W2", "L3 W2 L1")


def odd_book(place: str, files: Path) -> Book:
    """Return a new book of what is rare; *files* is a folder for what is imported."""
    book = create_book(place, Profile(name=FEDERATION, member_id_pattern=""), ACTOR)
    with book.writing() as connection:
        write_members(
            connection,
            [
                MemberFacts(member_id(at), name, BORN.get(at), club="Chess; 7 1")
                for at, name in enumerate(NAMES, start=1)
            ],
        )
    balances = files / "balances.csv"
    balances.write_text(BALANCES, encoding="utf-8")
    assert import_opening_balances(book, balances, ACTOR).added == BALANCES.count("\n") - 1
    _send_sections_at_half_k(book)
    for at, event in enumerate(EVENT_IDS):
        _send(book, report(f"2026-01-{10 + at}", [1, 2, 3, 4], ROUND_ROBIN, event_id=event))
    _send(book, report("2026-02-07", [3, 5, 7, 8], ROUND_ROBIN, event_id="DUAL", time_control="G/60;d5"))
    _send(book, report("2026-02-10", [1, 2], ("W2 W2 D2", "L1 L1 D1"), kind=SectionType.MATCH))
    _send(
        book, report("2026-02-12", [4, 6], ("W2", "L1"), event_id="ONLINE", time_control="G/5", online=True)
    )
    _send(book, report("2026-02-14", [1, 5, 6], ("W2 B", "L1 H", "X Z"), event_id="WITHDRAWN"))
    _send_foreign_event(book)
    rate_ready(book, ACTOR)
    _decide(book)
    rerate(book, ACTOR)
    for month in LISTS:
        publish(book, month, TODAY, ACTOR)
    _after_the_newest_list(book)
    return book


def _send(book: Book, one: Report, accepted: Sequence[str] = ("all",)) -> None:
    loaded = LoadedReport(one, (), {}, ReportedFacts())
    end = max(section.end for section in one.sections)
    submit(book, Incoming(loaded, "decision day, seat 2.json", end, accepted=accepted), ACTOR)


def _send_sections_at_half_k(book: Book) -> None:
    """Send two events from before March 2006, one of members all rated and one with newcomers."""
    for day, players in (("2005-01-08", [1, 2, 3, 4]), ("2005-06-11", [1, 2])):
        rounds = ROUND_ROBIN if len(players) > 2 else ("W2", "L1")
        whole = report(day, players, rounds, event_id=f"HALF {day}")

        def at_half_k(section: Section) -> Section:
            return section._replace(half_k=True)

        _send(book, whole._replace(sections=tuple(map(at_half_k, whole.sections))))


def _send_foreign_event(book: Book) -> None:
    """Send an event abroad, in which a member met a player whom FIDE alone rates."""
    content = {
        "format": "ratebook-report/1",
        "event": {"id": "ABROAD", "name": "Foreign", "start": "2026-02-15", "end": "2026-02-16"},
        "players": [
            {"id": member_id(UNKNOWN), "name": NAMES[UNKNOWN - 1], "fide": {"rating": 2250}},
            {"id": "FIDE1", "fide": {"rating": 2200}},
        ],
        "sections": [
            {
                "number": 1,
                "type": "fide",
                "entries": [
                    {"seat": 1, "player": member_id(UNKNOWN), "rounds": ["W2"], "update": True},
                    {"seat": 2, "player": "FIDE1", "rounds": ["L1"]},
                ],
            }
        ],
    }
    loaded = load_bytes(json.dumps(content).encode(), "abroad.json")
    submit(book, Incoming(loaded, "abroad.json", date(2026, 2, 17), accepted=("all",)), ACTOR)


def _decide(book: Book) -> None:
    """Correct, withdraw, adjust, merge and undo, so that each is in the book."""
    first = EVENT_IDS[0]
    corrected = correct_result(book, SectionRef(first, 1), GameResult(1, 1, "D"), WHY).decision
    assert corrected is not None
    undo(book, corrected, WHY)
    correct_result(book, SectionRef("HALF 2005-01-08", 1), GameResult(2, 2, "D"), WHY)
    correct_member(book, SectionRef("ONLINE", 1), 2, member_id(5), WHY)
    withdraw(book, SectionRef("WITHDRAWN", 1), WHY)
    day = date(2026, 2, 20)
    adjust(book, "rating", Adjustment(member_id(3), System.REGULAR, 1850.0, day, approved_by="A"), WHY)
    adjust(book, "floor", Adjustment(member_id(5), System.REGULAR, 1200.0, day, FloorKind.OFFICE), WHY)
    adjust(book, "ceiling", Adjustment(member_id(4), System.REGULAR, 1900.0, day), WHY)
    enter_prize(book, Prize(member_id(1), System.REGULAR, 4000, 1800, day), WHY)
    merge(book, member_id(MERGED), member_id(6), WHY)


def _after_the_newest_list(book: Book) -> None:
    """Go on after the newest list: a late report, a first Blitz rating, an erased player, reports that wait."""
    _send(book, report("2026-01-03", [1, LATE], ("D2", "D1"), event_id="LATE"))
    _send(book, report("2026-05-10", [1, 2, 3, 4], ROUND_ROBIN, event_id="BLITZ", time_control="G/5"))
    rate_ready(book, ACTOR)
    rerate(book, ACTOR)
    erase(book, member_id(ERASED), WHY)
    correct_result(book, SectionRef(EVENT_IDS[1], 1), GameResult(1, 1, "D"), WHY)
    _send(book, report("2026-10-10", [1, 2], ("W2", "L1"), event_id="READY"))
    waits = report("2026-10-11", [1, 2], ("W2", "L1"), event_id="HELD")
    unknown = {**waits.players, "UNKNOWN 1": PlayerFacts("UNKNOWN 1", "X")}
    first = waits.sections[0]
    seats = (first.entries[0], first.entries[1]._replace(player="UNKNOWN 1"))
    held = waits._replace(players=unknown, sections=(first._replace(entries=seats),))
    _send(book, held, accepted=())
