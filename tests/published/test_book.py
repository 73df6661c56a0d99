"""Real sections come out of a book as out of their reports, to the last bit: member by member, system by system."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

import pytest
from scripts.published.reports import report_of
from scripts.published.sample import sample

from ratebook.book.connection import Actor
from ratebook.book.facts.members import MemberFacts, write_members
from ratebook.book.profile import Profile
from ratebook.model import Event, Report, Section, System
from ratebook.office.creation import create_book
from ratebook.office.imports.opening_balances import import_opening_balances
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.reports.rate import rate_report
from ratebook.rules.rulebook import load_rulebook
from support.book_reports import current_ledger, member_id, send

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date
    from pathlib import Path

    from scripts.published.stored import StoredSection

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
MOST_SEATS = 24
EVERY = 4


class Numbered(NamedTuple):
    """A report whose players are members of a book, and the day to which their ratings belong."""

    report: Report
    balances_of: date


def numbered(sections: list[StoredSection]) -> Iterator[Numbered]:
    """Yield the reports of *sections*; every player of every section is a member of its own."""
    members = 0
    for number, stored in enumerate(sections, start=1):
        report = report_of(stored)
        (section,) = report.sections
        day = stored.start - timedelta(days=1)
        keys = {key: member_id(members + place) for place, key in enumerate(report.players, start=1)}
        members += len(keys)
        players = {
            keys[key]: facts._replace(
                id=keys[key],
                name=f"EXAMPLE, PLAYER {keys[key]}",
                ratings={system: rating._replace(as_of=day) for system, rating in facts.ratings.items()},
            )
            for key, facts in report.players.items()
        }
        entries = tuple(entry._replace(player=keys[entry.player]) for entry in section.entries)
        event = Event(f"{stored.end:%Y%m%d}{number:04}", "EXAMPLE OPEN", stored.start, stored.end)
        played: Section = section._replace(name="OPEN", entries=entries)
        yield Numbered(Report(event, players, (played,)), day)


def balances_file(reports: list[Numbered], folder: Path) -> Path:
    """Write the published ratings before the sections as opening balances."""
    lines = ["member_id,system,as_of,rating,games"]
    for sent in reports:
        for key, facts in sent.report.players.items():
            for system, rating in facts.ratings.items():
                games = "" if rating.games is None else f"{rating.games:g}"
                lines.append(f"{key},{system},{sent.balances_of},{rating.rating:g},{games}")
    path = folder / "opening-balances.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def without_facts(report: Report) -> Report:
    """Return the report as it comes in: the book knows its members' ratings itself."""
    return report._replace(players={key: facts._replace(ratings={}) for key, facts in report.players.items()})


@pytest.mark.long
def test_a_book_of_real_sections_agrees_with_their_reports_to_the_last_bit(tmp_path: Path) -> None:
    reports = list(numbered([one for one in sample() if len(one.seats) <= MOST_SEATS][::EVERY]))
    book = create_book(str(tmp_path / "real.book"), Profile(name="Example Federation"), ACTOR)
    with book.writing() as connection:
        facts = [MemberFacts(key, one.name) for given in reports for key, one in given.report.players.items()]
        write_members(connection, facts)
    imported = import_opening_balances(book, balances_file(reports, tmp_path), ACTOR)
    assert [one.code for one in imported.findings] == ["balance-record-needed", "balance-peak-bounded"]
    expected: dict[tuple[str, str, str], tuple[float, float]] = {}
    for report, _ in reports:
        for rated in rate_report(report, load_rulebook()).sections:
            for entry in rated.entries:
                if entry.workings is not None and entry.after is not None:
                    key = (entry.player, rated.system.value, report.event.id)
                    expected[key] = (entry.after.rating, entry.after.games)
        submitted = send(book, without_facts(report), ACTOR)
        assert [one for one in submitted.findings if one.severity == "error"] == []
    assert rate_ready(book, ACTOR).held == ()
    ledger = {
        key: (row.rating, math.inf if row.games is None else row.games)
        for key, row in current_ledger(book).items()
    }
    assert len({system for _, system, _ in expected}) == len(System)
    assert len(expected) > 500
    assert ledger == expected
    book.close()
