"""What the compiled loop reads and writes: one chunk of history, the tables beside it, and the standings.

Days are proleptic Gregorian day numbers (``date.toordinal``). A *key* is ``member * 6 + system``, in the order of
`ratebook.model.System`. All arrays are NumPy's; records are aligned, so that a standing fills one cache line.
"""

from typing import Any, NamedTuple

import numpy as np

from ratebook.model import System
from ratebook.rating.carry import Carry
from ratebook.rating.decisions import NOTHING_ENTERED
from ratebook.rules.in_force import RulesInForce

Array = Any
"""A NumPy array; the docstring of the field says of what kind."""

SYSTEMS = len(System)
LINE = 64
"""Bytes of a cache line."""

NOBODY = -1
"""The member of an entry that is no member: an opponent in a foreign FIDE event."""

NO_DAY = -1
NO_EXTRA = -1
NO_MATCH = -1
NO_DECISION = -1

# Kinds of sections.
ORDINARY = 0
MATCH = 1
FOREIGN = 2

# Marks of an entry.
SEVERAL_SEATS = 1
UPDATE = 2
US_MEMBER = 4
REQUEST_GRANTED = 8
REQUEST_DENIED = 16

# Marks of a member.
ADULT = 1
CANADIAN = 2
UNDER_USA_FLAG = 4
FIDE_OPT_IN = 8

# Systems that rules name, in the order of `System`.
REGULAR = 0
QUICK = 1

_FIELDS = {
    **dict.fromkeys(("rating", "games", "peak"), "f8"),
    **dict.fromkeys(("wins", "draws", "losses", "long_sections", "olm_games", "day", "extra"), "i4"),
    **dict.fromkeys(("record", "known", "at_least"), "i1"),
}
STANDING = np.dtype({"names": list(_FIELDS), "formats": list(_FIELDS.values()), "itemsize": LINE}, align=True)
"""The standing of a member in a system: what `carry.Carry` has, and ``day``, the end of the last section."""

EXTRA = np.dtype(
    [
        ("entered", "f8", len(NOTHING_ENTERED)),
        ("first_decision", "i4"),
        ("next_decision", "i4"),
        ("last_decision", "i4"),
        ("raises", "i4"),
        ("first_match", "i4"),
        ("last_match", "i4"),
    ],
    align=True,
)
"""What few have: floors and a ceiling that the office entered, decisions that come, earlier matches.

``raises`` is a decision about a floor whose day is not over yet.
"""

RULES = np.dtype(
    [(name, "i8" if RulesInForce.__annotations__[name] is int else "f8") for name in RulesInForce._fields],
    align=True,
)
"""Rules in force as a record: integers as integers (ARCHITECTURE invariant 1)."""


class Chunk(NamedTuple):
    """Consecutive sections of history, in the order in which they are rated.

    Attributes:
        begin_day, end_day: int32, one a section.
        kind: int8: ``ORDINARY``, ``MATCH`` or ``FOREIGN``.
        half_k, youth, systems: uint8; ``systems`` has bit *s* set where system *s* rates the section.
        rules: int32, six a section: row of the table of rules.
        match: int32: number of the match in the chunk, or ``NO_MATCH``.
        windows: float64, twelve a match: the days before the short and the long window, by system.
        slots: int64, one a match: where its results go in the pool of matches.
        first_entry: int64, one a section and one more.
        first_row: int64, six a section and one more: first ledger row of the section in the system.
        member: int32, one an entry; ``NOBODY`` only in foreign events.
        marks: uint8, one an entry.
        fide: float64, one an entry: the FIDE rating that the report brought; 0 for none.
        after: int32, one an entry: the section of the chunk in which the member played before; negative for none.
        first_game: int64, one an entry and one more.
        opponent: uint16, one a game and side: the opponent's entry, counted within the section.
        score: uint8, one a game and side: half points.
    """

    begin_day: Array
    end_day: Array
    kind: Array
    half_k: Array
    youth: Array
    systems: Array
    rules: Array
    match: Array
    windows: Array
    slots: Array
    first_entry: Array
    first_row: Array
    member: Array
    marks: Array
    fide: Array
    after: Array
    first_game: Array
    opponent: Array
    score: Array


class Tables(NamedTuple):
    """What is known beside the sections for the whole of history.

    Attributes:
        rules: records of ``RULES``.
        birth_day: int32, one a member; ``NO_DAY`` where unknown.
        marks: uint8, one a member.
        first_foreign: int64, two a member (FIDE, CFC) and one more.
        foreign_day: int32, sorted within a member and source.
        foreign_rating: float64.
        decision_day, decision_kind, decision_floor: int32, int8, int8, sorted by key and day.
        decision_value, decision_games: float64.
        decision_rules: int32: row of the table of rules, those of its day.
    """

    rules: Array
    birth_day: Array
    marks: Array
    first_foreign: Array
    foreign_day: Array
    foreign_rating: Array
    decision_day: Array
    decision_kind: Array
    decision_floor: Array
    decision_value: Array
    decision_games: Array
    decision_rules: Array


class State(NamedTuple):
    """The standings of all members.

    Attributes:
        standings: records of ``STANDING``, one a key.
        rated_in: uint8, one a member: bit *s* is set where the standing in system *s* is known, so that who is unrated
            in one system costs no look at six.
        extras: records of ``EXTRA``.
        match_day, match_change, match_next: int32, float64, int32: the pool of matches, linked by member and system.
    """

    standings: Array
    rated_in: Array
    extras: Array
    match_day: Array
    match_change: Array
    match_next: Array


class Ledger(NamedTuple):
    """What a chunk adds to the ledger, one value a row; ``member`` is ``NOBODY`` in a row that was not used.

    Attributes:
        member, section, system: int32, int32, int8.
        source, formula: int8: codes of ``rated.SOURCE_NAMES`` and ``rated.FORMULA_NAMES``.
        played: int32.
        others: float64: see ``tables.LEDGER``. Columns whose arrays are empty are not written, workings all or none;
            member, section, rating and expected always are.
    """

    member: Array
    section: Array
    system: Array
    source: Array
    formula: Array
    played: Array
    rating_before: Array
    games_before: Array
    rating: Array
    games: Array
    k: Array
    score: Array
    expected: Array
    bonus: Array
    floor_applied: Array
    wins: Array
    draws: Array
    losses: Array
    record: Array
    long_events: Array
    peak: Array
    life_master_games: Array
    at_least: Array
    lowered: Array
    match_change: Array
    effective_games: Array
    step3: Array
    step4: Array
    step5: Array


def aligned(count: int, dtype: np.dtype[Any]) -> Array:
    """Return zeros that begin on a cache line."""
    size = count * dtype.itemsize
    raw = np.zeros(size + LINE, np.uint8)
    start = -raw.ctypes.data % LINE
    return raw[start : start + size].view(dtype)


def unrated(members: int) -> Array:
    """Return standings of *members* who are unrated in all systems."""
    standing = np.zeros(1, STANDING)
    standing["extra"] = NO_EXTRA
    standing["day"] = NO_DAY
    nothing = Carry(None)
    for name in Carry.__slots__:
        standing[name] = getattr(nothing, name)
    standings = aligned(members * SYSTEMS, STANDING)
    lines_of(standings)[:] = lines_of(standing)
    return standings


def lines_of(standings: Array) -> Array:
    """Return a view of standings as lines of plain numbers: NumPy copies records field by field, lines at once."""
    return standings.view(np.uint64).reshape(-1, LINE // 8)


def standings_at(standings: Array, keys: Array) -> Array:
    """Return a copy of the standings of some keys."""
    return lines_of(standings).take(keys, axis=0).view(STANDING)[:, 0]


def empty_extras(count: int) -> Array:
    """Return extras in which there is nothing."""
    extras = aligned(count, EXTRA)
    extras["entered"] = NOTHING_ENTERED
    extras["raises"] = NO_DECISION
    extras["first_match"] = NO_MATCH
    extras["last_match"] = NO_MATCH
    return extras
