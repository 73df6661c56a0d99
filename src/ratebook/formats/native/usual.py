"""Players and entries of a native report that are as most are, read column by column.

Nothing is reported here: a list with anything unusual is not read, and the careful readers look at its members.
"""

from __future__ import annotations

from functools import partial
from itertools import chain, islice, repeat
from math import isnan
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar, cast

from ratebook.formats.contract import ROUNDS_AT_MOST, SEATS_AT_MOST
from ratebook.formats.reading.cells import CELL_OF_TEXT
from ratebook.formats.reading.fields import HIGHEST_RATING, LOWEST_RATING, MOST_GAMES
from ratebook.model import Entry, PlayerFacts, Rating, System

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from ratebook.model import Cell

Read = TypeVar("Read")

_FEW = 8

_PLAYER_KEYS = 3
_RATING_KEYS = 2
_ENTRY_KEYS = 3
_NUMBERS = frozenset({int, float})
_NUMBERS_OR_NULL = _NUMBERS | {type(None)}
_SYSTEM_OF_WORD = {system.value: system for system in System}

_NO_RATINGS: Mapping[System, Rating] = MappingProxyType({})

# Thousands of named tuples of which all fields are at hand are made without a call in Python for each.
_RATING_OF = cast("Callable[[tuple[object, ...]], Rating]", partial(tuple.__new__, Rating))
_FACTS_OF = cast("Callable[[tuple[object, ...]], PlayerFacts]", partial(tuple.__new__, PlayerFacts))
_ENTRY_OF = cast("Callable[[tuple[object, ...]], Entry]", partial(tuple.__new__, Entry))
_RATING = Rating(LOWEST_RATING)
_FACTS = PlayerFacts("")
_ENTRY = Entry(1, "", ())


def in_blocks(
    values: list[object], read_usual: Callable[[list[object]], Read | None]
) -> Iterator[tuple[int, list[object], Read | None]]:
    """Yield blocks of *values*, in order: the position of the first, the values, and what *read_usual* made of them.

    A block that it does not read is halved, and comes without a reading where it is small.

    >>> list(in_blocks([1] * 20 + ["one"], lambda block: None if "one" in block else sum(block)))
    [(1, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1], 10), (11, [1, 1, 1, 1, 1], 5), (16, [1, 1, 1, 1, 1, 'one'], None)]
    """
    blocks = [(1, values)]
    while blocks:
        first, block = blocks.pop()
        read = read_usual(block)
        if read is None and len(block) > _FEW:
            half = len(block) // 2
            blocks += [(first + half, block[half:]), (first, block[:half])]
        else:
            yield first, block, read


def usual_players(values: list[object], known: Collection[str]) -> dict[str, PlayerFacts] | None:
    """Return the players in *values* by id where all are as most are, without anything to report; else None.

    Each has an id that is not *known* and ratings of which the points and the games are given, and all or none have
    a name; `native_players.read_player` reads the others, and would read these alike.
    """
    rows = _objects(values)
    if rows is None:
        return None
    keys = set(map(len, rows))
    try:
        ids = _texts([row["id"] for row in rows])
        systems = _objects([row["ratings"] for row in rows])
        if keys == {_PLAYER_KEYS}:
            names = _texts([row["name"] for row in rows])
        elif keys == {_PLAYER_KEYS - 1}:
            names = [""] * len(rows)
        else:
            return None
    except KeyError:
        return None
    if ids is None or names is None or systems is None or not all(ids):
        return None
    ratings = _usual_ratings(systems)
    if ratings is None:
        return None
    facts = zip(ids, names, *map(repeat, _FACTS[2:5]), ratings, *map(repeat, _FACTS[6:]), strict=False)
    players = dict(zip(ids, map(_FACTS_OF, facts), strict=True))
    return players if len(players) == len(rows) and players.keys().isdisjoint(known) else None


def _usual_ratings(systems: list[dict[str, object]]) -> list[Mapping[System, Rating]] | None:
    """Return the ratings of each player where each is a number of points and one of games, else None."""
    if not any(systems):
        return [_NO_RATINGS] * len(systems)
    rows = _objects(list(chain.from_iterable(map(dict.values, systems))))
    if rows is None or set(map(len, rows)) != {_RATING_KEYS}:
        return None
    try:
        words = list(map(_SYSTEM_OF_WORD.__getitem__, chain.from_iterable(systems)))
        points = _numbers([row["rating"] for row in rows], LOWEST_RATING, HIGHEST_RATING)
        games = _numbers_or_null([row["games"] for row in rows])
    except KeyError:
        return None
    if points is None or games is None:
        return None
    ratings = map(_RATING_OF, zip(points, games, *map(repeat, _RATING[2:]), strict=False))
    found = zip(words, ratings, strict=True)
    if len(words) == len(systems) and all(systems):
        return [{system: rating} for system, rating in found]
    return [_in_order(dict(islice(found, len(one)))) for one in systems]


def _in_order(ratings: dict[System, Rating]) -> Mapping[System, Rating]:
    """Return *ratings* in the order of the systems, whatever that of the file."""
    if len(ratings) > 1:
        return {system: ratings[system] for system in _SYSTEM_OF_WORD.values() if system in ratings}
    return ratings or _NO_RATINGS


def usual_entries(
    values: list[object], players: Mapping[str, PlayerFacts], taken: set[int]
) -> list[Entry] | None:
    """Return the entries in *values* where all are as most are, without anything to report; else None.

    Each has a seat that is not *taken* (it is afterwards), one of the *players* and rounds, and nothing else; the
    careful reader reads the others, and would read these alike.
    """
    rows = _objects(values)
    if rows is None or set(map(len, rows)) != {_ENTRY_KEYS}:
        return None
    try:
        seats = _seats([row["seat"] for row in rows])
        ids = _texts([row["player"] for row in rows])
        rounds = _usual_rounds([row["rounds"] for row in rows])
    except (KeyError, TypeError):
        # Another key, or a round that cannot be read.
        return None
    if seats is None or ids is None or rounds is None:
        return None
    if not taken.isdisjoint(seats) or not players.keys() >= set(ids):
        return None
    taken.update(seats)
    return list(map(_ENTRY_OF, zip(seats, ids, rounds, *map(repeat, _ENTRY[3:]), strict=False)))


def _usual_rounds(values: list[object]) -> list[tuple[Cell, ...]] | None:
    """Return the cells of each of *values* where all are lists of texts; KeyError or TypeError where one is not."""
    if set(map(type, values)) != {list}:
        return None
    rows = cast("list[list[object]]", values)
    rounds = set(map(len, rows))
    if max(rounds) > ROUNDS_AT_MOST:
        return None
    if len(rounds) == 1 and 0 not in rounds:
        cells = map(CELL_OF_TEXT, chain.from_iterable(rows))
        return list(zip(*[cells] * rounds.pop(), strict=False))
    return [tuple(map(CELL_OF_TEXT, row)) for row in rows]


def _objects(values: Sequence[object]) -> list[dict[str, object]] | None:
    """Return *values* where there are some and all are objects without repeated keys, else None."""
    return cast("list[dict[str, object]]", values) if set(map(type, values)) == {dict} else None


def _texts(values: list[object]) -> list[str] | None:
    """Return *values* where all are texts that can be printed, else None."""
    if set(map(type, values)) != {str}:
        return None
    texts = cast("list[str]", values)
    return texts if "".join(texts).isprintable() else None


def _seats(values: list[object]) -> list[int] | None:
    """Return *values* where all are seats and no two are the same, else None."""
    if set(map(type, values)) != {int}:
        return None
    seats = cast("list[int]", values)
    if min(seats) < 1 or max(seats) > SEATS_AT_MOST or len(set(seats)) < len(seats):
        return None
    return seats


def _numbers(values: list[object], low: float, high: float) -> list[float] | None:
    """Return *values* as floats where all are numbers from *low* to *high*, else None."""
    if not _NUMBERS.issuperset(map(type, values)):
        return None
    numbers = cast("list[float]", values)
    # A NaN may hide from the least and the greatest, but not in the sum.
    if min(numbers) < low or max(numbers) > high or isnan(sum(numbers)):
        return None
    return list(map(float, numbers))


def _numbers_or_null(values: list[object]) -> Iterable[float | None] | None:
    """Return *values* as numbers of games or None where all are one or the other, else None."""
    if None not in values:
        return _numbers(values, 0, MOST_GAMES)
    if not _NUMBERS_OR_NULL.issuperset(map(type, values)):
        return None
    games = cast("list[float | None]", values)
    if _numbers([number for number in games if number is not None] or [0], 0, MOST_GAMES) is None:
        return None
    return [None if number is None else float(number) for number in games]
