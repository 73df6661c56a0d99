"""A report before it is sent: its problems, and the ratings it would give by what the book knows now."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple, TypeAlias

from ratebook.book.connection import Connection
from ratebook.book.events import as_stored
from ratebook.book.facts.members import names_of
from ratebook.book.failures import BookError
from ratebook.book.ledger.rows import rows_of
from ratebook.book.profile import read_federation, revision
from ratebook.findings import Finding, Place, finding, has_errors
from ratebook.model import Event, Report, System
from ratebook.office.queue.submit import Examined, Incoming, examine
from ratebook.office.rating.standings import MemberStandings, rate_from
from ratebook.pages.crosstable import crosstable
from ratebook.rating.explanation.notes import depends_on_age
from ratebook.rating.results import RatedSection
from ratebook.records.events import Crosstable, CrosstableLine
from ratebook.reports.prizes import with_prize_floors

MOST_RESULTS = 20_000
"""Rating more takes longer than anyone waits for a page; few events have as many."""


AGES = (5, 40)
"""Initial ratings rise with the age: what is the same for a child and for an adult tells nothing of it."""

RatedSeat: TypeAlias = tuple[int, System, int]
"""A rating: its section, its system, and the seat."""


class Preview(NamedTuple):
    """What would become of a report at one state of the book.

    Attributes:
        examined: the report as it would be stored.
        findings: what a sender hears; assumptions about players, which may tell an age, are the office's.
        sections: as they would be rated, with the names of players; none where a finding is an error.
        withheld: ratings that depend on an age: reports that are made up would tell it (`tables`).
        revision: of the book.
    """

    examined: Examined
    findings: tuple[Finding, ...]
    sections: tuple[RatedSection, ...]
    withheld: frozenset[RatedSeat]
    revision: int

    def tables(self) -> list[Crosstable]:
        """Return the crosstables of the sections as a sender sees them, without what is withheld."""
        return [self._table(section) for section in self.sections]

    def _table(self, rated: RatedSection) -> Crosstable:
        event = Event() if self.examined.report is None else self.examined.report.event
        table = crosstable(event, rated, step1_shown=False)

        def hidden(row: CrosstableLine) -> bool:
            return (rated.section.number, rated.system, row.seat) in self.withheld

        lines = [replace(line, after=None, withheld=True) if hidden(line) else line for line in table.lines]
        # The order of equal points would tell what the ratings do.
        in_order = (
            sorted(lines, key=lambda line: (-line.points, line.seat)) if any(map(hidden, lines)) else lines
        )
        return replace(table, lines=tuple(in_order))


def preview(connection: Connection, incoming: Incoming, *, revises: int | None = None) -> Preview:
    """Examine a report as `submit` does, and rate it from what the book knows before its place in history.

    Nothing is written. The report may be about to take the place of the submission that it *revises*.
    """
    standings = MemberStandings(read_federation(connection))
    examined = examine(connection, incoming, revises=revises, standings=standings)
    findings = list(examined.findings)
    rated: list[RatedSection] = []
    withheld: frozenset[RatedSeat] = frozenset()
    report = examined.report
    if report is not None and not has_errors(findings):
        results = sum(len(entry.rounds) for section in report.sections for entry in section.entries)
        if results > MOST_RESULTS:
            findings.append(
                finding(
                    "preview-without-ratings", Place(file=incoming.name), results=results, most=MOST_RESULTS
                )
            )
        else:
            try:
                rated += _rated(connection, standings, report, findings)
                withheld = _withheld(connection, standings, report, rated)
            except BookError as failure:
                findings.append(failure.finding)
    sections = () if has_errors(findings) else tuple(rated)
    return Preview(examined, tuple(findings), sections, withheld, revision(connection))


def _withheld(
    connection: Connection, standings: MemberStandings, report: Report, rated: Sequence[RatedSection]
) -> frozenset[RatedSeat]:
    """Return the ratings that would be others if the players were of another age."""
    if not any(depends_on_age(section, at) for section in rated for at in range(len(section.sources))):
        return frozenset()
    published = _published(rated)
    first = min(section.end for section in report.sections)
    others = [
        _published(_rated(connection, MemberStandings(standings.federation), report, [], first.year - age))
        for age in AGES
    ]
    return frozenset(
        seat for seat, rating in published.items() if any(ratings[seat] != rating for ratings in others)
    )


def _published(rated: Iterable[RatedSection]) -> dict[RatedSeat, int | None]:
    return {
        (section.section.number, section.system, entry.seat): None
        if entry.after is None
        else entry.after.published
        for section in rated
        for entry in section.entries
    }


def _rated(
    connection: Connection,
    standings: MemberStandings,
    report: Report,
    findings: list[Finding],
    born: int | None = None,
) -> Iterator[RatedSection]:
    """Yield the sections of a report as they would be rated, one after the other; add what is found to *findings*.

    Where a year is given, all members are taken as *born* in it.
    """
    names = {player.id: player.name for player in report.players.values()}
    names |= names_of(connection, report.players)
    sections = [as_stored(0, report.event.id, section, report.players) for section in report.sections]
    for stored in sorted(sections, key=lambda section: section.place):
        standings.load(connection, stored.members, stored.place)
        if born is not None:
            _take_as_born(standings, born)
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


def _take_as_born(standings: MemberStandings, year: int) -> None:
    for state in standings.states.values():
        if state.member_file is not None:
            state.member_file = state.member_file._replace(birth_date=date(year, 1, 1), adult=None)
