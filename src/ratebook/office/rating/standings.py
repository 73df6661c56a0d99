"""The standings of members before a section of history, and the rating of a section from them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from ratebook.book.connection import Connection
from ratebook.book.events import StoredSection, read_sections
from ratebook.book.facts.member_files import MemberFile, load_member_files
from ratebook.book.failures import refused
from ratebook.book.ledger.official import as_published, list_in_effect, rating_for_matches
from ratebook.book.ledger.postings import NewPosting
from ratebook.book.ledger.read import RuleSets, load_matches, load_standings
from ratebook.book.ledger.rows import LedgerRow, standing_of
from ratebook.book.profile import Federation, read_federation
from ratebook.findings import Finding, Place, has_errors
from ratebook.model import EarlierMatch, PlayerFacts, Section, SectionType, Shown, System
from ratebook.office.rating.inputs import GamesPlayed, MemberState, facts_to_rate, input_hash, played_in
from ratebook.official_lists.calendar import cut_off_of, month_of
from ratebook.rating.decisions import MOVING
from ratebook.rating.rate import rate_in_columns, rate_section
from ratebook.rating.results import RatedSection
from ratebook.reports.plan import PlannedSection, plan_section
from ratebook.rules.in_force import RulesInForce
from ratebook.rules.rulebook import RuleNotKnown

MOST_MEMBER_FILES = 20_000
"""Files that are kept in memory; it does not grow with the book."""


class Inputs(NamedTuple):
    """What one system of a section is rated from: the numbers in force, and facts; the *hash* covers all of it."""

    system: System
    rules: RulesInForce
    dual_rated: bool
    facts: dict[str, PlayerFacts]
    hash: str


class MemberStandings:
    """The states of members at a place of history, which moves on as sections are applied.

    Files of members, read once, are valid until someone writes about them; *before_reading* writes what waits about
    members before a place, so that the ledger can be read.
    """

    def __init__(
        self, federation: Federation, before_reading: Callable[[Iterable[str], str], None] = lambda *_: None
    ) -> None:
        """Start without members."""
        self.federation = federation
        # Sections that are alike are rated alike: by time control, kind and day.
        self._systems: dict[tuple[object, ...], tuple[tuple[System, RulesInForce], ...] | None] = {}
        self.before_reading = before_reading
        self.rule_sets = RuleSets()
        self.states: dict[str, MemberState] = {}
        self.member_files: dict[str, MemberFile] = {}

    def plan(self, stored: StoredSection) -> PlannedSection | None:
        """Return in which systems and by which rules a section is rated; None where it is withdrawn or cannot be."""
        if stored.withdrawn:
            return None
        section = stored.section
        day = section.rules_date
        alike = (section.time_control, section.type, section.online, section.half_k, day)
        if alike not in self._systems:
            self._systems[alike] = self._systems_of(section, day)
        systems = self._systems[alike]
        return None if systems is None else PlannedSection(section, day, systems)

    def _systems_of(self, section: Section, day: date) -> tuple[tuple[System, RulesInForce], ...] | None:
        try:
            planned, findings = plan_section(section, self.federation.rulebook, day)
        except RuleNotKnown:
            return None
        if has_errors(findings):
            return None
        kept = self.federation.profile.systems
        return tuple((system, rules) for system, rules in planned.systems if system in kept)

    def load(self, connection: Connection, members: Iterable[str], place: str) -> None:
        """Read the states before *place* of those *members* who are not loaded yet."""
        fresh = [member for member in members if member not in self.states]
        if not fresh:
            return
        member_files = self.read_files(connection, fresh)
        self.before_reading(fresh, place)
        standings = load_standings(connection, list(member_files), place, moved=False)
        for member in fresh:
            member_file = member_files.get(member)
            self.states[member] = MemberState(
                member_file, standings.get(member, {}), self.federation.rulebook
            )

    def read_files(self, connection: Connection, members: Sequence[str]) -> dict[str, MemberFile]:
        """Return the files of those of *members* who are members."""
        files = self.member_files
        unread = [member for member in members if member not in files]
        if unread:
            loaded = load_member_files(connection, unread)
            if len(files) + len(loaded) > MOST_MEMBER_FILES:
                needed = {member: files[member] for member in members if member in files}
                files.clear()
                files.update(needed)
            files.update(loaded)
        return {member: files[member] for member in members if member in files}

    def at(self, place: str, connection: Connection, members: Iterable[str]) -> "MemberStandings":
        """Return the standings of *members* before another place; both share the member files that were read."""
        standings = MemberStandings(self.federation, self.before_reading)
        standings.rule_sets, standings.member_files = self.rule_sets, self.member_files
        standings.load(connection, members, place)
        return standings

    def of_list(
        self, connection: Connection, stored: StoredSection, system: System
    ) -> Mapping[str, Shown | None]:
        """Return what the list of the day says of the players of a match, and read their earlier matches."""
        section = stored.section
        if section.type is not SectionType.MATCH:
            return {}
        # An official list closes before its month begins.
        self.before_reading(stored.members, month_of(section.rules_date))
        self.read_matches(connection, stored.members, stored.place)
        return {
            member: self._of_list(connection, member, system, section.rules_date) for member in stored.members
        }

    def _of_list(self, connection: Connection, member: str, system: System, day: date) -> Shown | None:
        """Return what the list of a day says; if it is not published, decisions move it as they move a start."""
        member_file = self.states[member].member_file
        moving = member_file is not None and any(one.kind in MOVING for one in member_file.decisions)
        in_effect = list_in_effect(connection, self.federation, day)
        if not moving or in_effect.missing is None:
            return rating_for_matches(connection, self.federation, member, system, in_effect)
        cut_off = cut_off_of(in_effect.missing, self.federation.profile.cut_off)
        until = (cut_off + timedelta(days=1)).isoformat()
        standings = load_standings(connection, [member], until, moved=False)[member]
        rating = (
            MemberState(member_file, standings, self.federation.rulebook).facts_after(system, cut_off).rating
        )
        if rating is None or (rating.as_of is not None and rating.as_of > cut_off):
            return None
        return as_published(self.federation, system, rating.rating, rating.games, cut_off)

    def read_matches(self, connection: Connection, members: Iterable[str], place: str) -> None:
        """Read the matches before *place* of those *members*, all loaded, whose matches are not known yet."""
        unread = [member for member in members if self.states[member].matches is None]
        if not unread:
            return
        self.before_reading(unread, place)
        for member, matches in load_matches(connection, unread, place).items():
            self.states[member].matches = matches

    def inputs(
        self, connection: Connection, stored: StoredSection, *, of_all: bool = False
    ) -> Iterator[Inputs]:
        """Yield what each system rates a section from, as it was before the section (docs/rules/readings.md#a12).

        Where it is *of_all*, the ratings of players without a game are there too, to be shown.
        """
        planned = self.plan(stored)
        if planned is None:
            return
        played = played_in(stored.section)
        played = played._replace(rated=frozenset(stored.members)) if of_all else played
        for system, rules in planned.systems:
            yield self.inputs_with(
                connection, stored, system, rules, dual_rated=planned.dual_rated, played=played
            )

    def inputs_with(  # noqa: PLR0913 - a section, how it is rated, and what was played in it where that is known
        self,
        connection: Connection,
        stored: StoredSection,
        system: System,
        rules: RulesInForce,
        *,
        dual_rated: bool,
        played: GamesPlayed | None = None,
    ) -> Inputs:
        """Return what one system of a section is rated from by given *rules*."""
        games = played or played_in(stored.section)
        official = self.of_list(connection, stored, system)
        facts = facts_to_rate(stored, games, system, self.states, official, rules)
        digest = input_hash(games, system, self.rule_sets.fingerprint(rules), facts, dual_rated=dual_rated)
        return Inputs(system, rules, dual_rated, facts, digest)

    def new_posting(
        self, connection: Connection, run: int, stored: StoredSection, inputs: Inputs
    ) -> NewPosting:
        """Return the posting of a section that was rated from *inputs*; the numbers in force are stored."""
        return NewPosting(
            run_id=run,
            section_id=stored.id,
            system=inputs.system,
            place=stored.place,
            dual_rated=inputs.dual_rated,
            rules=self.rule_sets.store(connection, inputs.rules),
            input_hash=inputs.hash,
        )

    def apply(self, stored: StoredSection, rated: Mapping[System, Mapping[str, LedgerRow]]) -> None:
        """Move the members of a section to the states in its rows."""
        end = stored.section.end
        for system, rows in rated.items():
            for member, row in rows.items():
                state = self.states.get(member)
                if state is None:
                    continue
                state.standings[system] = standing_of(row, system, stored.place)
                if row.match_change is not None and state.matches is not None:
                    state.matches.append(EarlierMatch(system, end, row.match_change))

    def forget_member(self, connection: Connection, member: str, place: str) -> None:
        """Read a member again, about whom something was decided, as before *place*."""
        del self.states[member]
        self.member_files.pop(member, None)
        self.load(connection, [member], place)

    def forget(self) -> None:
        """Forget everything that was read, after another program has written."""
        self.states.clear()
        self.member_files.clear()
        self._systems.clear()
        self.rule_sets.forget()


def rate_from(
    stored: StoredSection, inputs: Inputs, rate: Callable[..., RatedSection] = rate_section
) -> RatedSection:
    """Rate a section in one system from its inputs, and from nothing else; `rate_in_columns` is enough for rows.

    A `BookError` if the adopted rules give no finite rating.
    """
    try:
        return rate(stored.section, inputs.facts, inputs.system, inputs.rules, dual_rated=inputs.dual_rated)
    except (ArithmeticError, ValueError) as failure:
        raise refused(
            "rules-give-no-rating",
            Place(event=stored.event_id, section=stored.section.number, system=inputs.system),
            failure=failure,
        ) from failure


_CODES = frozenset({"fide-not-eligible", "fide-updated-unmarked"})


def updates_found(rated: RatedSection) -> Iterator[Finding]:
    """Yield what the rating of a foreign event found out about who is updated; nothing of other sections."""
    return (finding for finding in rated.findings if finding.code in _CODES)


def updates_of_event(connection: Connection, event_id: str, number: int | None = None) -> list[Finding]:
    """Return what the foreign events among the sections of an event, or one of them, say of who is updated."""
    standings = MemberStandings(read_federation(connection))
    updates: list[Finding] = []
    for stored in read_sections(connection, event_id=event_id):
        section = stored.section
        if section.type is not SectionType.FIDE or stored.withdrawn or number not in {None, section.number}:
            continue
        earlier = standings.at(stored.place, connection, stored.members)
        for inputs in earlier.inputs(connection, stored):
            updates += updates_found(rate_from(stored, inputs, rate_in_columns))
    return updates
