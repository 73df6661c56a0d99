"""Parts of a book's history through the compiled engine: ratings for a re-rating that changes much.

A part is replayed from the standings before it. Within the part a row of the replay is used only while
the replay agrees with the standings about all members of its section; all other rows are rated interpreted.
"""

from __future__ import annotations

import math
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from ratebook.book.facts.member_files import BOUND_NAMES, MemberBalance, text_of_floors
from ratebook.book.ledger.rows import LedgerRow
from ratebook.model import EnteredFloor, FloorKind, FloorRequest, PlayerFacts, SectionType, System
from ratebook.office.rating.history_columns import (
    SYSTEM_NUMBERS,
    People,
    people_rows,
    section_rows,
    table_of_rows,
)
from ratebook.office.rating.inputs import participants
from ratebook.rating.carry import NO_RECORD, RECORD_NAMES
from ratebook.rating.floors import NO_FLOOR
from ratebook.rating.rate import floors_after
from ratebook.rating.results import FORMULA_NAMES, SOURCE_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ratebook.book.events import StoredSection
    from ratebook.book.facts.member_files import MemberFile
    from ratebook.office.rating.inputs import MemberState
    from ratebook.replay.parts import Columns, PartReplay
    from ratebook.replay.prepare import PlayedMatch
    from ratebook.reports.plan import PlannedSection
    from ratebook.rules.rulebook import Rulebook

SYSTEMS = tuple(System)
STATE = slice(LedgerRow._fields.index("rating"), LedgerRow._fields.index("match_change") + 1)
"""The columns of a row that later sections read."""


class Pace(NamedTuple):
    """When a re-rating changes its pace. What it writes depends on none of these.

    Attributes:
        part: sections that are read and written together; memory grows with them, and with nothing else of history.
        first_part: the same while few of them are looked at.
        whole_part: share of the sections of a part that are looked at, from which on everything of it is read at once:
            a section that is not looked at costs about a quarter of one that is then.
        changing: share of the postings of a part that were rated again, from which on the next part is replayed:
            a replay rates all of the part, in about half of the time of rating it interpreted.
        replayed: postings left to be rated again, at the pace so far, from which on a replay is worth loading the
            compiled code: a second, against a tenth of a millisecond a posting.
        compiled: the same where nothing is compiled yet, which takes about a minute.
    """

    part: int = 1_000
    first_part: int = 200
    whole_part: float = 0.25
    changing: float = 0.5
    replayed: int = 10_000
    compiled: int = 600_000


USUAL = Pace()


def same_state(one: LedgerRow, other: LedgerRow) -> bool:
    """Return whether two rows leave a member with the same state for later sections."""
    return one[STATE] == other[STATE]


class Replayer:
    """Replays parts of history where that pays."""

    def __init__(self, rulebook: Rulebook, thresholds: Pace, compiling: Callable[[], None]) -> None:
        """Replay by the rules of *rulebook* where *thresholds* say so; *compiling* is told before code is compiled."""
        self._rulebook = rulebook
        self._thresholds = thresholds
        self._compiling = compiling
        self._engine: PartReplay | None = None
        self._possible = True

    def pays(self, share: float, left: int) -> bool:
        """Return whether a replay of the next part pays, after a *share* rated again, with so many postings *left*."""
        if not self._possible or share < self._thresholds.changing:
            return False
        if self._engine is not None:
            return True
        if left < self._thresholds.replayed:
            return False
        try:
            from ratebook.replay.parts import PartReplay  # noqa: PLC0415 - loads the libraries of the extra
        except ImportError:
            self._possible = False
            return False
        engine = PartReplay(self._rulebook)
        if not engine.is_compiled():
            if left < self._thresholds.compiled:
                return False
            self._compiling()
        self._engine = engine
        return True

    def replay(
        self, part: Iterable[tuple[StoredSection, PlannedSection | None]], states: Mapping[str, MemberState]
    ) -> ReplayedPart:
        """Return what the compiled engine makes of a part, from *states* before it; they know earlier matches."""
        assert self._engine is not None, "it was asked for only where it pays"  # noqa: S101 - for the type checker
        planned = [(stored, plan) for stored, plan in part if plan is not None and plan.systems]
        sections = [stored for stored, _ in planned]
        people = _people(sections, states)
        systems = {
            stored.id: sum(1 << SYSTEM_NUMBERS[system] for system, _ in plan.systems)
            for stored, plan in planned
        }
        rows = people_rows(people) | section_rows(sections, systems, people)
        tables = {name: table_of_rows(name, one) for name, one in rows.items()}
        columns = self._engine.rate(tables, list(_earlier_matches(sections, states, people)))
        if columns is None:
            return ReplayedPart({}, ())
        members = list(people.numbers)
        diverged_throughout = (member for member in members if _has_floors_twice(states[member]))
        return ReplayedPart(dict(_rows(columns, members, sections)), diverged_throughout)


class ReplayedPart:
    """What the compiled engine made of a part, compared with the standings section by section."""

    def __init__(
        self, rows: Mapping[tuple[int, System], Mapping[str, LedgerRow]], diverged_throughout: Iterable[str]
    ) -> None:
        self._rows = rows
        # Members whose state in the replay differs from the standings, and in which systems; None: throughout the part.
        self._diverged: dict[str, set[System | None]] = {member: {None} for member in diverged_throughout}

    def rows(
        self, stored: StoredSection, system: System, facts: Mapping[str, PlayerFacts]
    ) -> dict[str, LedgerRow] | None:
        """Return the rows of a section with the *facts* of the standings; None where it must be rated interpreted."""
        replayed = self._rows.get((stored.id, system))
        if replayed is None or _needs_interpreter(stored) or not self._diverged.keys().isdisjoint(facts):
            return None
        rows = {}
        for member, row in replayed.items():
            before = facts[member].ratings.get(system)
            if before is not None and (before.rating, before.games) != (row.rating_before, row.games_before):
                return None
            rows[member] = _with_floors(row, facts[member].floors, system)
        return rows

    def compare(
        self,
        stored: StoredSection,
        system: System,
        rows: Mapping[str, LedgerRow],
        states: Mapping[str, MemberState],
    ) -> None:
        """Note whose state after a section differs from the replay's.

        *rows* are empty where the section is not rated in the system; *states* are those before the section.
        """
        replayed = self._rows.get((stored.id, system), {})
        end = stored.section.end
        for member in rows.keys() | replayed.keys():
            state, row, other = states.get(member), rows.get(member), replayed.get(member)
            if state is not None and other is not None:
                other = _with_floors(other, state.facts(system, end).floors, system)
            if row is None or other is None or not same_state(row, other):
                diverged = self._diverged.setdefault(member, set())
                diverged.add(system)
                if stored.section.type is SectionType.MATCH:
                    # The limits of later matches read what an earlier one changed.
                    diverged.add(None)
            elif member in self._diverged:
                self._diverged[member].discard(system)
                if not self._diverged[member]:
                    del self._diverged[member]


def _needs_interpreter(stored: StoredSection) -> bool:
    """Return whether columns do not say everything about a section that its rating reads.

    Two seats of one player: their games of one round are ordered by the opponents' ratings. A floor that the office
    lowers: the ledger of a replay does not say which floors it ended.
    """
    entries = stored.section.entries
    return len({entry.player for entry in entries}) < len(entries) or any(
        entry.floor_request is FloorRequest.GRANTED for entry in entries
    )


def _with_floors(row: LedgerRow, floors: tuple[EnteredFloor, ...], system: System) -> LedgerRow:
    """Return *row* with the entered floors that hold after its section, where none was lowered there."""
    if not floors:
        return row
    facts = PlayerFacts(row.member_id, floors=floors)
    kept = floors_after(facts, system, NO_FLOOR, lowered_kept=bool(row.floors))
    return row._replace(floors=text_of_floors(kept))


def _people(sections: Iterable[StoredSection], states: Mapping[str, MemberState]) -> People:
    """Return the members who have a seat, with what they carry into the part instead of opening balances."""
    member_files: dict[str, MemberFile] = {}
    for player in participants(sections):
        state = states[player]
        if state.member_file is not None:
            carried = {
                system: MemberBalance(one.end, one.rating, one.floors)
                for system, one in state.standings.items()
            }
            balances = {**state.member_file.balances, **carried}
            member_files[player] = state.member_file._replace(balances=balances)
    return People({member: number for number, member in enumerate(member_files)}, member_files)


def _has_floors_twice(state: MemberState) -> bool:
    """Return whether two entered floors are of one kind and system; columns have room for one."""
    carried = [one for system in SYSTEMS if (one := state.carried(system)) is not None]
    return any(len({floor.kind for floor in one.floors}) < len(one.floors) for one in carried)


def _earlier_matches(
    sections: Iterable[StoredSection], states: Mapping[str, MemberState], people: People
) -> Iterator[PlayedMatch]:
    from ratebook.replay.prepare import PlayedMatch  # noqa: PLC0415 - loads the libraries of the extra

    matches = [stored for stored in sections if stored.section.type is SectionType.MATCH]
    for player in sorted(player for player in participants(matches) if player in people.numbers):
        for match in states[player].matches or ():
            yield PlayedMatch(
                people.numbers[player], SYSTEM_NUMBERS[match.system], match.end.toordinal(), match.change
            )


def _rows(
    columns: Columns, members: Sequence[str], sections: Sequence[StoredSection]
) -> Iterator[tuple[tuple[int, System], dict[str, LedgerRow]]]:
    """Yield the rows of each section and system, of entered floors with the lowered one alone."""
    members_of_rows = [members[number] for number in columns["member"]]
    values: dict[str, Iterable[Any]] = {
        **columns,
        "member_id": members_of_rows,
        "source": [SOURCE_NAMES[code] for code in columns["source"]],
        "formula": [FORMULA_NAMES[code] for code in columns["formula"]],
        "at_least": [BOUND_NAMES[bits] for bits in columns["at_least"]],
        "record": [None if code == NO_RECORD else RECORD_NAMES[code] for code in columns["record"]],
        "games_before": [None if math.isinf(games) else games for games in columns["games_before"]],
        "games": [None if math.isinf(games) else games for games in columns["games"]],
        "floors": [_lowered_floor(level) for level in columns["lowered"]],
    }
    rows = map(LedgerRow._make, zip(*(values[name] for name in LedgerRow._fields), strict=True))
    places = zip(columns["section"], columns["system"], strict=True)
    for (section, system), of_section in groupby(zip(places, rows, strict=True), key=itemgetter(0)):
        yield (sections[section].id, SYSTEMS[system]), {row.member_id: row for _, row in of_section}


def _lowered_floor(level: float | None) -> str:
    """Return a lowered floor as the column of entered floors has it, which names no system."""
    return "" if level is None else text_of_floors([EnteredFloor(System.REGULAR, FloorKind.LOWERED, level)])
