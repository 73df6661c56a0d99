"""A report before it is sent: what would speak against it, and the ratings it would give by what the book knows now."""

from collections.abc import Iterator
from typing import NamedTuple

from ratebook.book.connection import Connection
from ratebook.book.events import as_stored
from ratebook.book.facts.members import names_of
from ratebook.book.failures import BookError
from ratebook.book.ledger.rows import rows_of
from ratebook.book.profile import read_federation, revision
from ratebook.findings import Finding, finding, has_errors
from ratebook.office.queue.submit import Examined, Incoming, examine
from ratebook.office.rating.standings import MemberStandings, rate_from
from ratebook.rating.results import RatedSection
from ratebook.reports.prizes import with_prize_floors

MOST_RESULTS = 50_000
"""Rating more takes longer than anyone waits for a page; the largest events have fewer."""


class Preview(NamedTuple):
    """What would become of a report at one state of the book.

    Attributes:
        examined: the report as it would be stored.
        findings: what a sender hears; assumptions about players, which may tell an age, are the office's.
        sections: as they would be rated, with the names of players; none where a finding is an error.
        revision: of the book.
    """

    examined: Examined
    findings: tuple[Finding, ...]
    sections: tuple[RatedSection, ...]
    revision: int


def preview(connection: Connection, incoming: Incoming, *, revises: int | None = None) -> Preview:
    """Examine a report as `submit` does, and rate it from what the book knows before its place in history.

    Nothing is written. The report may be about to take the place of the submission that it *revises*.
    """
    standings = MemberStandings(read_federation(connection))
    examined = examine(connection, incoming, revises=revises, standings=standings)
    findings = list(examined.findings)
    rated: list[RatedSection] = []
    if examined.report is not None and not has_errors(findings):
        results = sum(len(entry.rounds) for one in examined.report.sections for entry in one.entries)
        if results > MOST_RESULTS:
            findings.append(
                finding("preview-without-ratings", incoming.name, results=results, most=MOST_RESULTS)
            )
        else:
            try:
                rated += _rated(connection, standings, examined, findings)
            except BookError as failure:
                findings.append(failure.finding)
    sections = () if has_errors(findings) else tuple(rated)
    return Preview(examined, tuple(findings), sections, revision(connection))


def _rated(
    connection: Connection, standings: MemberStandings, examined: Examined, findings: list[Finding]
) -> Iterator[RatedSection]:
    """Yield the sections of a report as they would be rated, one after the other; add what is found to *findings*."""
    report = examined.report
    assert report is not None, "it was read"  # noqa: S101 - tells the type checker
    names = {**{one.id: one.name for one in report.players.values()}, **names_of(connection, report.players)}
    there = [(as_stored(0, examined.event_id, one, report.players), one) for one in report.sections]
    for stored, _ in sorted(there, key=lambda one: one[0].place):
        standings.load(connection, stored.members, stored.place)
        plan = standings.plan(stored)
        if plan is None:
            continue
        rows = {}
        for at, inputs in enumerate(standings.inputs(connection, stored)):
            if at == 0:
                findings += with_prize_floors(report, plan, inputs.facts, standings.federation.rulebook)
            rated = rate_from(stored, inputs)
            rows[inputs.system] = rows_of(rated)
            named = {player: facts._replace(name=names[player]) for player, facts in rated.facts.items()}
            yield rated._replace(facts=named)
        standings.apply(stored, rows)
