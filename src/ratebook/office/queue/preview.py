"""A report before it is sent: its problems, and the ratings it would give by what the book knows now."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple, TypeAlias

from ratebook.book.connection import Connection
from ratebook.book.events import StoredSection, as_stored
from ratebook.book.facts.member_files import MemberBalance, MemberFile
from ratebook.book.facts.members import names_of
from ratebook.book.failures import BookError
from ratebook.book.ledger.rows import rows_of
from ratebook.book.profile import Federation, read_federation, revision
from ratebook.checks.member_ids import foreign_opponents
from ratebook.findings import Finding, Place, Severity, finding
from ratebook.model import Event, PlayerFacts, Report, System
from ratebook.office.queue.submit import Examined, Incoming, examine
from ratebook.office.rating.inputs import MemberState, played_in
from ratebook.office.rating.standings import MemberStandings, rate_from
from ratebook.pages.crosstable import crosstable
from ratebook.rating.explanation.notes import depends_on_age
from ratebook.rating.results import RatedSection
from ratebook.records.events import Crosstable, CrosstableLine
from ratebook.reports.load import untimed
from ratebook.reports.plan import plan_report, with_pairing_ratings
from ratebook.reports.prizes import with_prize_floors

MOST_RESULTS = 20_000
"""Rating more takes longer than anyone waits for a page; few events have as many."""


AGES = (5, 40)
"""Initial ratings rise with the age: what is the same for a child and for an adult tells nothing of it."""

SETTLED_BY_OFFICE = frozenset({"member-unknown"})
"""Codes of errors that hold a report back, and with which it can be rated: who the player is, is settled later."""

RatedSeat: TypeAlias = tuple[int, System, int]
"""A rating: its section, its system, and the seat."""


class Preview(NamedTuple):
    """What would become of a report at one state of the book.

    Attributes:
        examined: the report as it would be stored.
        findings: what a sender hears; assumptions about players, which may tell an age, are the office's.
        sections: as they would be rated, with the names of players; none where an error keeps them from being rated.
        withheld: ratings that depend on an age: reports that are made up would tell it (`tables`).
        revision: of the book.
        newcomers: players whom the book does not know, each rated as a person of its own from what the report says.
    """

    examined: Examined
    findings: tuple[Finding, ...]
    sections: tuple[RatedSection, ...]
    withheld: frozenset[RatedSeat]
    revision: int
    newcomers: frozenset[str] = frozenset()

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

    Nothing is written. The report may be about to take the place of the submission that it *revises*. A player whom the
    book does not know is rated from what the report says; an error holds the report back all the same.
    """
    standings = MemberStandings(read_federation(connection))
    examined = examine(connection, incoming, revises=revises, standings=standings)
    findings = [*examined.findings, *_of_tentative(connection, incoming, standings)]
    rated: list[RatedSection] = []
    withheld: frozenset[RatedSeat] = frozenset()
    report = examined.report
    newcomers: dict[str, PlayerFacts] = {}
    if report is not None and not keeps_from_rating(findings):
        newcomers = _newcomers(connection, standings, report, incoming)
        results = sum(len(entry.rounds) for section in report.sections for entry in section.entries)
        if results > MOST_RESULTS:
            findings.append(
                finding(
                    "preview-without-ratings", Place(file=incoming.name), results=results, most=MOST_RESULTS
                )
            )
        else:
            rating = _PreviewRating(connection, standings.federation, report, newcomers)
            try:
                rated += rating.sections(findings)
                withheld = rating.withheld(rated)
            except BookError as failure:
                findings.append(failure.finding)
    return Preview(
        examined=examined,
        findings=tuple(findings),
        sections=() if keeps_from_rating(findings) else tuple(rated),
        withheld=withheld,
        revision=revision(connection),
        newcomers=frozenset(newcomers),
    )


def _of_tentative(
    connection: Connection, incoming: Incoming, standings: MemberStandings
) -> Iterator[Finding]:
    """Yield what else is wrong with a report of which only the day or the time control is not known."""
    if incoming.loaded.tentative is None:
        return
    loaded = incoming.loaded._replace(report=incoming.loaded.tentative, findings=())
    examined = examine(connection, incoming._replace(loaded=loaded), standings=standings)
    if examined.known is None:
        yield from untimed(examined.findings)


def keeps_from_rating(findings: Iterable[Finding]) -> bool:
    """Return whether a report with these findings cannot be rated at all, whoever its players are."""
    return any(
        finding.severity is Severity.ERROR and finding.code not in SETTLED_BY_OFFICE for finding in findings
    )


def _newcomers(
    connection: Connection, standings: MemberStandings, report: Report, incoming: Incoming
) -> dict[str, PlayerFacts]:
    """Return what the report as it came says of the players whom the book does not know."""
    sent = incoming.loaded.report
    assert sent is not None, "it was examined"  # noqa: S101 - tells the type checker
    known = standings.at("", connection, report.players).member_files
    strangers = report.players.keys() - known.keys() - foreign_opponents(report)
    planned, _ = plan_report(sent, standings.federation.rulebook)
    facts, _ = with_pairing_ratings(planned, sent.players)
    return {player: facts[player] for player in sorted(strangers)}


def _file_of(newcomer: PlayerFacts) -> MemberFile:
    """Return what a report says of a newcomer, as the book would have it of a member."""
    foreign = {"fide": newcomer.fide, "cfc": newcomer.cfc}
    return MemberFile(
        id=newcomer.id,
        name=newcomer.name,
        birth_date=newcomer.birth_date,
        adult=newcomer.adult,
        canadian_resident=newcomer.canadian_resident,
        usa_flag=newcomer.usa_flag,
        fide_opt_in=newcomer.fide_opt_in,
        memberships=(),
        foreign={source: [rating] for source, rating in foreign.items() if rating is not None},
        balances={
            system: MemberBalance(date.min, rating, newcomer.floors)
            for system, rating in newcomer.ratings.items()
        },
        decisions=(),
    )


class _PreviewRating(NamedTuple):
    """The rating of a report that the book does not have."""

    connection: Connection
    federation: Federation
    report: Report
    newcomers: Mapping[str, PlayerFacts]

    def sections(self, findings: list[Finding], born: int | None = None) -> Iterator[RatedSection]:
        """Yield the sections as they would be rated, one after the other; add what is found to *findings*.

        Where a year is given, members are taken as *born* in it. What a report says of a newcomer, its sender knows.
        """
        report, standings = self.report, MemberStandings(self.federation)
        names = {player.id: player.name for player in report.players.values()}
        names |= names_of(self.connection, report.players)
        sections = [as_stored(0, report.event.id, section, report.players) for section in report.sections]
        for stored in sorted(sections, key=lambda section: section.place):
            self._load(standings, stored, born)
            plan = standings.plan(stored)
            if plan is None:
                continue
            rows = {}
            playing = played_in(stored.section).rated
            for at, inputs in enumerate(standings.inputs(self.connection, stored, of_all=True)):
                if at == 0:
                    findings += with_prize_floors(report, plan, inputs.facts, self.federation.rulebook)
                rated = rate_from(stored, inputs)
                rows[inputs.system] = {
                    player: row for player, row in rows_of(rated).items() if player in playing
                }
                named = {player: facts._replace(name=names[player]) for player, facts in rated.facts.items()}
                yield rated._replace(facts=named)
            standings.apply(stored, rows)

    def _load(self, standings: MemberStandings, stored: StoredSection, born: int | None) -> None:
        standings.load(self.connection, stored.members, stored.place)
        for player in stored.members:
            state = standings.states[player]
            if state.member_file is None and player in self.newcomers:
                own = _file_of(self.newcomers[player])
                standings.states[player] = MemberState(own, {}, self.federation.rulebook)
            elif state.member_file is not None and player not in self.newcomers and born is not None:
                state.member_file = state.member_file._replace(birth_date=date(born, 1, 1), adult=None)

    def withheld(self, rated: Sequence[RatedSection]) -> frozenset[RatedSeat]:
        """Return the ratings that would be others if the members were of another age."""
        if not any(depends_on_age(section, at) for section in rated for at in range(len(section.sources))):
            return frozenset()
        published = _published(rated)
        first = min(section.end for section in self.report.sections)
        others = [_published(self.sections([], first.year - age)) for age in AGES]
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
