"""What must hold of the columns before compiled code reads them: it reads out of bounds silently.

Every check gives findings and computes on whole columns; a chunk with an error is not rated.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

import numpy as np
import pyarrow.compute as pc

from ratebook.findings import Finding, Place, finding
from ratebook.model import Bound, FloorKind, System
from ratebook.rating.decisions import FLOOR, FLOOR_KINDS, KINDS, NUMBERS
from ratebook.rating.floors import LEVEL, LEVELS, levels_text
from ratebook.replay.engine import scan
from ratebook.replay.load import Arrays, RawChunk, first_places
from ratebook.replay.memory import FOREIGN, MATCH, NOBODY, SYSTEMS, Array
from ratebook.replay.prepare import COUNTS, FLOOR_COLUMNS, RuleTable

MOST_COUNT = 1_000_000_000
"""Counts are kept in 32 bits; no one plays as many games in the rest of a history."""

MOST_ENTRIES = 32_767
"""Entries of a section: opponents are numbered in 16 bits, in a foreign event twice."""

WRONG_GAMES = {
    scan.OPPONENT_OUTSIDE: "history-game-wrong.opponent-outside",
    scan.OPPONENT_IS_SELF: "history-game-wrong.opponent-is-self",
    scan.SCORE_UNKNOWN: "history-game-wrong.score",
}
"""Findings about a game, by what the scan says of it."""

MOST_POINTS = 10_000.0
LAST_DAY = 3_652_059
RECORDS = 3

Bounds: TypeAlias = tuple[float, float, str]
"""The least and the most value of a column, and both in words."""
SYSTEM: Bounds = (0, SYSTEMS - 1, "0 to 5")
DATE: Bounds = (1, LAST_DAY, "a date")
DATE_OR_EMPTY: Bounds = (-1, LAST_DAY, "a date")
RATING: Bounds = (1, MOST_POINTS, "a rating")


def first_bad(bad: Array) -> int | None:
    """Return the first row for which *bad* is true; None where there is none."""
    return int(np.argmax(bad)) if bad.any() else None


def wrong_values(table: str, column: str, bad: Array, wanted: str, first_row: int = 0) -> Iterator[Finding]:
    """Yield one error for the first row of *column* that is *bad*."""
    row = first_bad(bad)
    if row is not None:
        yield finding(
            "history-value",
            Place(table=table, rows=(first_row + row,), field=column),
            wanted=wanted,
            bad=int(bad.sum()),
        )


def at_section(raw: RawChunk, number: int, field: str = "") -> Place:
    """Return the place of a section of a chunk, by its number there."""
    return Place(table="sections", rows=(raw.first_section + number,), field=field)


def outside(values: Array, least: float, most: float) -> Array:
    """Return which values are outside *least* to *most*; NaN does."""
    return ~((values >= least) & (values <= most))


def beyond(
    table: str, columns: Arrays, bounds: Mapping[str, Bounds], first_row: int = 0
) -> Iterator[Finding]:
    """Yield one error for each column that has a value outside its *bounds*."""
    for column, (least, most, wanted) in bounds.items():
        bad = outside(columns[column], least, most)
        yield from wrong_values(table, column, bad, wanted, first_row)


def check_side(side: Mapping[str, Arrays]) -> list[Finding]:
    """Return what is wrong with members, balances, foreign ratings, decisions and published ratings."""
    members, foreign = side["members"], side["foreign_ratings"]
    last = len(members["adult"]) - 1
    findings = [*beyond("members", members, {"birth_date": DATE_OR_EMPTY})]
    a_member = {"member": (0, last, f"the number of one of the {last + 1} members")}
    for name in ("balances", "foreign_ratings", "decisions", "published_ratings"):
        findings += beyond(name, side[name], a_member)
    findings += _check_balances(side["balances"])
    sources = 0, 1, "0 (FIDE) or 1 (CFC)"
    findings += beyond("foreign_ratings", foreign, {"source": sources, "list_date": DATE, "rating": RATING})
    findings += _check_sorted("foreign_ratings", foreign, ("member", "source", "list_date"), twice=True)
    findings += _check_decisions(side["decisions"])
    findings += _check_published(side["published_ratings"])
    return findings


def _check_balances(balances: Arrays) -> Iterator[Finding]:
    yield from beyond("balances", balances, {"system": SYSTEM, "rating": RATING, "as_of": DATE_OR_EMPTY})
    for column, kind in zip(FLOOR_COLUMNS, FLOOR_KINDS, strict=True):
        bad = ~np.isnan(balances[column]) & _no_level(kind, balances[column])
        yield from wrong_values("balances", column, bad, f"empty or {levels_text(kind)}")
    for column, most in (("games", MOST_COUNT), ("peak", MOST_POINTS)):
        values = balances[column]
        bad = ~np.isnan(values) & outside(values, 0, most)
        if column == "games":
            # Final standings say so of a rating that is only known to be established.
            bad &= ~np.isposinf(values)
        yield from wrong_values("balances", column, bad, "empty, zero or a number of that kind")
    counts = dict.fromkeys(COUNTS, (-1, MOST_COUNT, "empty or a count"))
    record = -1, RECORDS - 1, "empty, 0 (mixed), 1 (wins) or 2 (losses)"
    bits = 0, sum(Bound), f"a set of lower bounds (0 to {sum(Bound)})"
    yield from beyond("balances", balances, {**counts, "record": record, "at_least": bits})
    yield from _check_sorted("balances", balances, ("member", "system"), twice=False)


def _no_level(kind: FloorKind, floors: Array) -> Array:
    """Return which *floors* no rule of their kind gives, as ``rating.floors.is_level`` says it of one."""
    return outside(floors, *LEVELS[kind]) | (floors % LEVEL != 0)


def _check_decisions(decisions: Arrays) -> Iterator[Finding]:
    last, last_floor = max(NUMBERS.values()), len(FLOOR_KINDS) - 1
    kinds = {"kind": (1, last, f"1 to {last}"), "floor_kind": (0, last_floor, f"0 to {last_floor}")}
    yield from beyond("decisions", decisions, {"system": SYSTEM, "effective": DATE, **kinds})
    for column, least, most, meaning in (
        ("value", 1, MOST_POINTS, "a rating"),
        ("games", 0, MOST_COUNT, "a number of games"),
    ):
        filled = np.isin(
            decisions["kind"], [kind.number for kind in KINDS.values() if column in kind.columns]
        )
        bad = filled & outside(decisions[column], least, most)
        yield from wrong_values("decisions", column, bad, meaning)
    for place, kind_of_floor in enumerate(FLOOR_KINDS):
        set_so = (decisions["kind"] == FLOOR) & (decisions["floor_kind"] == place)
        bad = set_so & _no_level(kind_of_floor, decisions["value"])
        yield from wrong_values(
            "decisions", "value", bad, f"{levels_text(kind_of_floor)} ({kind_of_floor} floor)"
        )
    yield from _check_sorted("decisions", decisions, ("member", "system", "effective"), twice=True)


def _check_published(published: Arrays) -> Iterator[Finding]:
    games = -1, MOST_COUNT, "empty or a number of games"
    bounds = {"system": SYSTEM, "list_date": DATE, "rating": RATING, "games": games}
    yield from beyond("published_ratings", published, bounds)
    yield from _check_sorted("published_ratings", published, ("member", "system", "list_date"), twice=False)


def _check_sorted(table: str, columns: Arrays, by: Sequence[str], *, twice: bool) -> Iterator[Finding]:
    """Yield an error where rows are not sorted *by* some columns, or a key comes again and may not come *twice*."""
    keys = [columns[name] for name in by]
    later = np.zeros(max(len(keys[0]) - 1, 0), bool)
    equal = ~later
    for key in keys:
        later |= equal & (key[1:] < key[:-1])
        equal &= key[1:] == key[:-1]
    row = first_bad(later if twice else later | equal)
    if row is not None:
        yield finding(
            "history-not-sorted.rows",
            Place(table=table, rows=(row + 1,)),
            by=f"{', '.join(by[:-1])} and {by[-1]}",
            word="." if twice else ", each once.",
        )


def check_chunk(  # noqa: PLR0913, PLR0917 - a chunk and what it must agree with
    raw: RawChunk,
    before: RawChunk | None,
    members: int,
    rules: RuleTable,
    seen: Array,
    scan_games: Callable[..., tuple[int, int, int]],
) -> list[Finding]:
    """Return what is wrong with the sections, entries and games of a chunk, and with its order after *before*.

    *seen* has a zero for each member before the first chunk (see ``scan.scan_games``).
    """
    findings = [*_check_sections(raw, rules)]
    findings += _check_order(raw, before)
    if not raw.enough:
        findings.append(finding("history-incomplete", at_section(raw, 0)))
    if findings:
        return findings
    kind = np.repeat(raw.sections["kind"], raw.sections["entries"])
    member = raw.entries["member"]
    bad = outside(member, 0, members - 1) & ~((kind == FOREIGN) & (member == NOBODY))
    findings += wrong_values("entries", "member", bad, f"the number of one of the {members} members")
    findings += beyond("entries", raw.entries, {"fide": (0, MOST_POINTS, "0 or a rating")})
    findings += beyond("games", raw.games, {"colour": (-1, 1, "1, -1 or 0")})
    if not findings:
        findings += _check_games(raw, seen, scan_games)
    return findings


def _check_sections(raw: RawChunk, rules: RuleTable) -> Iterator[Finding]:
    sections, first = raw.sections, raw.first_section
    start, end, kind, systems = (sections[name] for name in ("start", "end", "kind", "systems"))
    yield from beyond("sections", sections, {"end": DATE}, first)
    bad = (start > end) | (start < 1)
    yield from wrong_values("sections", "start", bad, "a date up to the end", first)
    bad = start < rules.first_day
    row = first_bad(bad)
    if row is not None:
        first_day = rules.rulebook.first_day
        yield finding("history-rules-unknown", at_section(raw, row, "start"), first_day=first_day)
    yield from beyond("sections", sections, {"kind": (0, FOREIGN, "0, 1 or 2")}, first)
    bad = (systems == 0) | (systems >= 1 << SYSTEMS) | ((kind == FOREIGN) & (systems != 1))
    wanted = "a set of systems (1 to 63; 1 for a foreign event)"
    yield from wrong_values("sections", "systems", bad, wanted, first)
    yield from beyond("sections", sections, {"entries": (0, MOST_ENTRIES, f"0 to {MOST_ENTRIES}")}, first)
    if not row:
        yield from _check_half_k(raw, rules)


def _check_half_k(raw: RawChunk, rules: RuleTable) -> Iterator[Finding]:
    sections = raw.sections
    half = (sections["half_k"] == 1) & (sections["kind"] != FOREIGN)
    if not half.any():
        return
    bad = np.zeros(len(half), bool)
    for system in range(len(System)):
        rated = half & ((sections["systems"] >> system) & 1 == 1)
        bad |= rated & (rules.records["half_k_numerator"][rules.rows(system, sections["start"])] < 0)
    row = first_bad(bad)
    if row is not None:
        yield finding("half-k-not-allowed.in-history", at_section(raw, row, "half_k"))


def _check_order(raw: RawChunk, before: RawChunk | None) -> Iterator[Finding]:
    end, event, number = raw.sections["end"], raw.sections["event"], raw.sections["number"]
    count = len(end)
    later = end[1:] < end[:-1]
    same_day = end[1:] == end[:-1]
    if same_day.any():
        first, second = event.slice(0, count - 1), event.slice(1)
        later |= same_day & np.asarray(pc.less(second, first).combine_chunks().cast("uint8")).astype(bool)
        same_event = np.asarray(pc.equal(second, first).combine_chunks().cast("uint8")).astype(bool)
        later |= same_day & same_event & (number[1:] <= number[:-1])
    row = first_bad(later)
    if row is None and before is not None:
        last = (
            int(before.sections["end"][-1]),
            before.sections["event"][-1].as_py(),
            int(before.sections["number"][-1]),
        )
        if (int(end[0]), event[0].as_py(), int(number[0])) <= last:
            row = -1
    if row is not None:
        yield finding("history-not-sorted.sections", at_section(raw, row + 1))


def _check_matches(raw: RawChunk, first_entry: Array) -> Iterator[Finding]:
    if not (raw.sections["kind"] == MATCH).any():
        return
    section = np.repeat(np.arange(len(raw.sections["kind"])), raw.sections["entries"])
    games, opponent = raw.entries["games"], raw.games["opponent"]
    entry = np.repeat(np.arange(len(games)), games)
    first = opponent[np.repeat(first_places(games)[:-1], games)]
    row = first_bad((raw.sections["kind"][section[entry]] == MATCH) & (opponent != first))
    if row is not None:
        at = int(entry[row])
        number = int(section[at])
        place = at_section(raw, number, f"entry {at - int(first_entry[number])}")
        yield finding("history-game-wrong.several-opponents", place)


def _check_games(
    raw: RawChunk, seen: Array, scan_games: Callable[..., tuple[int, int, int]]
) -> Iterator[Finding]:
    unmirrored = np.zeros(len(raw.sections["end"]), "u1")
    first_entry = first_places(raw.sections["entries"])
    wrong, section, entry = scan_games(
        first_entry,
        first_places(raw.entries["games"]),
        raw.entries["member"],
        raw.games["opponent"],
        raw.games["score"],
        seen,
        raw.first_section,
        raw.after,
        unmirrored,
    )
    place = at_section(raw, section, f"entry {entry - int(first_entry[section])}")
    if wrong == scan.PLAYER_TWICE:
        yield finding("history-player-twice", place)
    elif wrong != scan.GOOD:
        yield finding(WRONG_GAMES[wrong], place)
    else:
        yield from _check_matches(raw, first_entry)
    row = first_bad(unmirrored == 1)
    if row is not None and wrong == scan.GOOD:
        yield finding("history-not-mirrored", at_section(raw, row), unmirrored=int(unmirrored.sum()))
