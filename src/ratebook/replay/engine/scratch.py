"""Columns of one section, cut from memory that each thread has once: as long as the section, side by side.

The buffers fit the largest section; the columns of a small one are close together in them, so that they stay in the
nearest cache.
"""

from collections import Counter
from collections.abc import Callable, MutableSequence
from typing import Any, NamedTuple, get_args, get_type_hints

import numpy as np

from ratebook.rating.settlement import SettlementColumns
from ratebook.rating.step1 import SOURCES, SourceColumns
from ratebook.rating.steps import SectionColumns
from ratebook.replay.engine.registration import part_of_kernel
from ratebook.replay.memory import LINE, SYSTEMS, Array

NUMBERS = 8
"""Numbers in a cache line."""

OF_EACH_SYSTEM = {"floats": ("rating", "games", "age"), "ints": ("newcomer", "record", "source")}
"""Columns that each system has for itself, by their buffers; one system after the other uses all others."""

OF_GAMES = {"score", "expectancy3", "expectancy4", "expectancy5", "ramps"}
"""Columns of a section that have a value for each game and side."""


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
        won, drawn: one a player; all systems of a section share them.
        source: one a player: codes of ``results.SOURCE_NAMES``; of one system.
    """

    won: MutableSequence[int]
    drawn: MutableSequence[int]
    source: MutableSequence[int]


class RatedSeat(NamedTuple):
    """One player of one section in one system; *at* is the player's row in the columns of the section."""

    at: int
    member: int
    system: int
    section: int


@part_of_kernel
def stride_of(length: int) -> int:
    """Return the distance between rows of *length* values and one value more: whole cache lines."""
    return (length + NUMBERS) & ~(NUMBERS - 1)


_ROWS = Counter({buffer: len(fields) * SYSTEMS for buffer, fields in OF_EACH_SYSTEM.items()})
"""How many rows of each buffer are given to columns."""


def _slice(field: str, buffer: str, stride: str, length: str) -> str:
    """Return the row that a column has in its buffer, as a slice in words of the language."""
    own = OF_EACH_SYSTEM.get(buffer, ())
    if field in own:
        start = f"({len(own)} * system + {own.index(field)}) * {stride}"
    else:
        start = f"{_ROWS[buffer]} * {stride}"
        _ROWS[buffer] += 1
    return f"{buffer}[{start} : {start} + {length}]"


def _player_column(field: str, *, whole: bool) -> str:
    if field == "opponent":
        return "opponent"
    if field in OF_GAMES:
        return _slice(field, "games", "stride_of(len(opponent))", "len(opponent)")
    length = "players + 1" if field == "first_game" else "players"
    return _slice(field, "ints" if whole else "floats", "stride_of(players)", length)


def _source_column(field: str, *, whole: bool) -> str:
    return _slice(field, "facts" if whole else "sources", str(2 * NUMBERS), str(SOURCES))


def _cutting(columns: type, parameters: str, column: Callable[..., str]) -> Callable[..., Any]:
    """Return a function that cuts *columns* from the buffers of a thread, field by field.

    Its text is made from the fields, since the compiler takes no loop over fields of several types, and no function
    that returns a part of an array.
    """
    fields = get_type_hints(columns).items()
    slices = ", ".join(column(field, whole=get_args(values) == (int,)) for field, values in fields)
    names: dict[str, Any] = {"Columns": columns, "stride_of": stride_of}
    text = f"def cut({parameters}):\n    return Columns({slices})\n"
    exec(compile(text, __file__, "exec"), names)  # noqa: S102 - made of names of fields
    cut: Callable[..., Any] = names["cut"]
    return part_of_kernel(cut)


source_columns: Callable[[Array, Array], SourceColumns] = _cutting(
    SourceColumns, "sources, facts", _source_column
)
"""Cuts the columns of Step 1 for one player."""

five_step_columns: Callable[[Array, Array, Array, Array, int, int], SectionColumns] = _cutting(
    SectionColumns, "floats, ints, games, opponent, system, players", _player_column
)
"""Cuts the columns of a section of so many players in one system; its games are as many as *opponent* has."""

result_columns: Callable[[Array, int, int], Results] = _cutting(
    Results, "ints, system, players", _player_column
)
"""Cuts the columns for what came of the games, and for the sources of one system."""

settling_columns: Callable[[Array, Array, int], SettlementColumns] = _cutting(
    SettlementColumns, "floats, ints, players", _player_column
)
"""Cuts the columns that lead from Step 5 to the stored rating."""


def allocate(threads: int, entries: int, games: int) -> Scratch:
    """Return buffers for *threads* and sections of at most *entries* entries and *games* games (both sides counted).

    A foreign event needs two rows for an entry who is updated and an opponent too.
    """

    def rows(buffer: str, length: int, kind: str) -> Any:  # noqa: ANN401 - an array
        return np.zeros((threads, _ROWS[buffer] * (length + 2 * NUMBERS) + LINE), kind)

    return Scratch(
        floats=rows("floats", 2 * entries, "f8"),
        ints=rows("ints", 2 * entries, "i8"),
        games=rows("games", games, "f8"),
        opponent=np.zeros((threads, games), "u2"),
        sources=rows("sources", SOURCES, "f8"),
        source_facts=rows("facts", SOURCES, "i8"),
    )
