"""Columns of one section, cut from memory that each thread has once: as long as the section, side by side.

The buffers fit the largest section; the columns of a small one are close together in them, so that they stay in the
nearest cache.
"""

from typing import Any, NamedTuple

import numpy as np

from ratebook.rating.settlement import SettlementColumns
from ratebook.rating.step1 import SOURCES, SourceColumns
from ratebook.rating.steps import SectionColumns
from ratebook.replay.engine.registration import part_of_kernel
from ratebook.replay.memory import LINE, SYSTEMS, Array

NUMBERS = 8
"""Numbers in a cache line."""

SOURCE_STRIDE = 2 * NUMBERS
"""The distance between the rows of Step 1."""

OWN_FLOATS = 2
OWN_INTS = 3
"""Rows that each system has for itself: rating and games; newcomer, record and source."""

SHARED_FLOATS = OWN_FLOATS * SYSTEMS
SHARED_INTS = OWN_INTS * SYSTEMS
"""Where the rows begin that one system after the other uses."""

PLAYER_FLOATS = SHARED_FLOATS + 31
PLAYER_INTS = SHARED_INTS + 15
GAME_FLOATS = 5
SOURCE_FLOATS = 11


class Scratch(NamedTuple):
    """The buffers of all threads.

    Attributes:
        floats, ints: float64, int64: one row a thread, for values of players.
        games: float64: one row a thread, for values of games.
        opponent: uint16: one row a thread, for the opponents in the games.
        sources, source_facts: float64, int64: one row a thread, for Step 1 of one player.
    """

    floats: Array
    ints: Array
    games: Array
    opponent: Array
    sources: Array
    source_facts: Array


class Results(NamedTuple):
    """What came of the games, and where the ratings before them come from.

    Attributes:
        won, drawn: int64, one a player; all systems of a section share them.
        source: int64, one a player: codes of ``results.SOURCE_NAMES``; of one system.
    """

    won: Array
    drawn: Array
    source: Array


class RatedSeat(NamedTuple):
    """One player of one section in one system; *at* is the player's row in the columns of the section."""

    at: int
    member: int
    system: int
    section: int


def allocate(threads: int, entries: int, games: int) -> Scratch:
    """Return buffers for *threads* and sections of at most *entries* entries and *games* games (both sides counted).

    A foreign event needs two rows for an entry who is updated and an opponent too.
    """

    def rows(count: int, length: int, kind: str) -> Any:  # noqa: ANN401 - an array
        return np.zeros((threads, count * (length + 2 * NUMBERS) + LINE), kind)

    return Scratch(
        floats=rows(PLAYER_FLOATS, 2 * entries, "f8"),
        ints=rows(PLAYER_INTS, 2 * entries, "i8"),
        games=rows(GAME_FLOATS, games, "f8"),
        opponent=np.zeros((threads, games), "u2"),
        sources=rows(SOURCE_FLOATS, SOURCES, "f8"),
        source_facts=rows(2, 1, "i8"),
    )


@part_of_kernel
def stride_of(length: int) -> int:
    """Return the distance between rows of *length* values and one value more: whole cache lines."""
    return (length + NUMBERS) & ~(NUMBERS - 1)


@part_of_kernel
def source_columns(floats: Array, facts: Array) -> SourceColumns:
    """Return the columns of Step 1 for one player."""
    return SourceColumns(
        floats[:SOURCES],
        floats[SOURCE_STRIDE : SOURCE_STRIDE + SOURCES],
        floats[2 * SOURCE_STRIDE : 2 * SOURCE_STRIDE + SOURCES],
        floats[3 * SOURCE_STRIDE : 3 * SOURCE_STRIDE + SOURCES],
        facts[:1],
        facts[NUMBERS : NUMBERS + 1],
        floats[4 * SOURCE_STRIDE : 4 * SOURCE_STRIDE + SOURCES],
        floats[5 * SOURCE_STRIDE : 5 * SOURCE_STRIDE + SOURCES],
        floats[6 * SOURCE_STRIDE : 6 * SOURCE_STRIDE + SOURCES],
        floats[7 * SOURCE_STRIDE : 7 * SOURCE_STRIDE + SOURCES],
        floats[8 * SOURCE_STRIDE : 8 * SOURCE_STRIDE + SOURCES],
        floats[9 * SOURCE_STRIDE : 9 * SOURCE_STRIDE + SOURCES],
        floats[10 * SOURCE_STRIDE : 10 * SOURCE_STRIDE + SOURCES],
    )


@part_of_kernel
def five_step_columns(  # noqa: PLR0913, PLR0917 - the buffers of a thread
    floats: Array, ints: Array, games: Array, opponent: Array, system: int, players: int
) -> SectionColumns:
    """Return the columns of a section with *players* players in one system; its games are as many as *opponent* has."""
    sides = len(opponent)
    own = OWN_FLOATS * system
    own_int = OWN_INTS * system
    stride = stride_of(players)
    game_stride = stride_of(sides)
    return SectionColumns(
        floats[own * stride : own * stride + players],
        floats[(own + 1) * stride : (own + 1) * stride + players],
        ints[own_int * stride : own_int * stride + players],
        ints[(own_int + 1) * stride : (own_int + 1) * stride + players],
        ints[SHARED_INTS * stride : SHARED_INTS * stride + players],
        ints[(SHARED_INTS + 1) * stride : (SHARED_INTS + 1) * stride + players + 1],
        opponent,
        games[:sides],
        floats[SHARED_FLOATS * stride : SHARED_FLOATS * stride + players],
        floats[(SHARED_FLOATS + 1) * stride : (SHARED_FLOATS + 1) * stride + players],
        floats[(SHARED_FLOATS + 2) * stride : (SHARED_FLOATS + 2) * stride + players],
        ints[(SHARED_INTS + 2) * stride : (SHARED_INTS + 2) * stride + players],
        ints[(SHARED_INTS + 3) * stride : (SHARED_INTS + 3) * stride + players],
        ints[(SHARED_INTS + 4) * stride : (SHARED_INTS + 4) * stride + players],
        floats[(SHARED_FLOATS + 3) * stride : (SHARED_FLOATS + 3) * stride + players],
        floats[(SHARED_FLOATS + 4) * stride : (SHARED_FLOATS + 4) * stride + players],
        floats[(SHARED_FLOATS + 5) * stride : (SHARED_FLOATS + 5) * stride + players],
        floats[(SHARED_FLOATS + 6) * stride : (SHARED_FLOATS + 6) * stride + players],
        floats[(SHARED_FLOATS + 7) * stride : (SHARED_FLOATS + 7) * stride + players],
        floats[(SHARED_FLOATS + 8) * stride : (SHARED_FLOATS + 8) * stride + players],
        floats[(SHARED_FLOATS + 9) * stride : (SHARED_FLOATS + 9) * stride + players],
        floats[(SHARED_FLOATS + 10) * stride : (SHARED_FLOATS + 10) * stride + players],
        games[game_stride : game_stride + sides],
        games[2 * game_stride : 2 * game_stride + sides],
        games[3 * game_stride : 3 * game_stride + sides],
        floats[(SHARED_FLOATS + 11) * stride : (SHARED_FLOATS + 11) * stride + players],
        floats[(SHARED_FLOATS + 12) * stride : (SHARED_FLOATS + 12) * stride + players],
        ints[(SHARED_INTS + 5) * stride : (SHARED_INTS + 5) * stride + players],
        games[4 * game_stride : 4 * game_stride + sides],
    )


@part_of_kernel
def result_columns(ints: Array, system: int, players: int) -> Results:
    """Return the columns for what came of the games, and for the sources of one system."""
    at = SHARED_INTS + 13
    own = OWN_INTS * system + 2
    stride = stride_of(players)
    return Results(
        ints[at * stride : at * stride + players],
        ints[(at + 1) * stride : (at + 1) * stride + players],
        ints[own * stride : own * stride + players],
    )


@part_of_kernel
def settling_columns(floats: Array, ints: Array, players: int) -> SettlementColumns:
    """Return the columns that lead from Step 5 to the stored rating."""
    at = SHARED_FLOATS + 13
    at_int = SHARED_INTS + 6
    stride = stride_of(players)
    return SettlementColumns(
        floats[at * stride : at * stride + players],
        floats[(at + 1) * stride : (at + 1) * stride + players],
        floats[(at + 2) * stride : (at + 2) * stride + players],
        floats[(at + 3) * stride : (at + 3) * stride + players],
        floats[(at + 4) * stride : (at + 4) * stride + players],
        ints[(at_int + 5) * stride : (at_int + 5) * stride + players],
        ints[(at_int + 6) * stride : (at_int + 6) * stride + players],
        floats[(at + 5) * stride : (at + 5) * stride + players],
        floats[(at + 6) * stride : (at + 6) * stride + players],
        floats[(at + 7) * stride : (at + 7) * stride + players],
        floats[(at + 8) * stride : (at + 8) * stride + players],
        floats[(at + 9) * stride : (at + 9) * stride + players],
        ints[at_int * stride : at_int * stride + players],
        floats[(at + 10) * stride : (at + 10) * stride + players],
        floats[(at + 11) * stride : (at + 11) * stride + players],
        floats[(at + 12) * stride : (at + 12) * stride + players],
        floats[(at + 13) * stride : (at + 13) * stride + players],
        floats[(at + 14) * stride : (at + 14) * stride + players],
        floats[(at + 15) * stride : (at + 15) * stride + players],
        ints[(at_int + 1) * stride : (at_int + 1) * stride + players],
        ints[(at_int + 2) * stride : (at_int + 2) * stride + players],
        ints[(at_int + 3) * stride : (at_int + 3) * stride + players],
        floats[(at + 16) * stride : (at + 16) * stride + players],
        ints[(at_int + 4) * stride : (at_int + 4) * stride + players],
        floats[(at + 17) * stride : (at + 17) * stride + players],
    )
