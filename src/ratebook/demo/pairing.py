"""Pairings: a Swiss system by score groups, and round robins.

It is no published pairing system, but looks like one: the upper half of a score group meets the lower half, nobody
meets anybody twice where that can be avoided, and colours are evened out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MOST_STEPS = 400
"""Steps of the search for pairings without a second meeting; small sections run out of opponents."""
_GAMES_OF_A_COLOUR = 3


@dataclass
class Seat:
    """What the pairing of the next round looks at.

    Attributes:
        number: pairing number; the strongest player has 1.
        points: score so far, byes included.
        met: how often each seat was met.
        colours: ``w`` and ``b`` of the games so far.
        had_bye: whether there was a full bye or a win without play.
    """

    number: int
    points: float = 0.0
    met: dict[int, int] = field(default_factory=dict)
    colours: str = ""
    had_bye: bool = False


Pair = tuple[Seat, Seat]
"""White and Black."""


def pair_swiss(seats: Sequence[Seat]) -> tuple[list[Pair], Seat | None]:
    """Return the pairs of a round, White first, and who has the bye where their number is odd.

    >>> pairs, bye = pair_swiss([Seat(number) for number in range(1, 6)])
    >>> [(white.number, black.number) for white, black in pairs], bye.number
    ([(1, 3), (4, 2)], 5)
    """
    ordered = sorted(seats, key=lambda seat: (-seat.points, seat.number))
    bye = None
    if len(ordered) % 2:
        bye = next((seat for seat in reversed(ordered) if not seat.had_bye), ordered[-1])
        ordered.remove(bye)
    pairs = _Search(meetings=0).pairs(ordered)
    if pairs is None:
        pairs = _Search(meetings=1).pairs(ordered)
    if pairs is None:
        return [], bye
    return [with_colours(one, other, board) for board, (one, other) in enumerate(pairs)], bye


def pair_round_robin(count: int) -> Iterator[list[tuple[int, int]]]:
    """Yield the rounds of a round robin of *count* players as pairs of numbers (the circle method).

    >>> [len(pairs) for pairs in pair_round_robin(5)]
    [2, 2, 2, 2, 2]
    """
    even = count + count % 2
    circle = list(range(1, even + 1))
    for _ in range(even - 1):
        pairs = [(circle[at], circle[even - 1 - at]) for at in range(even // 2)]
        yield [pair for pair in pairs if max(pair) <= count]
        circle = [circle[0], circle[-1], *circle[1:-1]]


class _Search:
    """Looks for pairs among whom nobody has met more than *meetings* times, with a bound on its steps."""

    def __init__(self, meetings: int) -> None:
        self._meetings = meetings
        self._steps = 0

    def pairs(self, left: list[Seat]) -> list[Pair] | None:
        """Return pairs of all of *left*, best first; None where none were found."""
        if not left:
            return []
        top, rest = left[0], left[1:]
        for other in _candidates(top, rest):
            self._steps += 1
            if self._steps > _MOST_STEPS:
                return None
            if top.met.get(other.number, 0) > self._meetings or not _colours_possible(top, other):
                continue
            others = self.pairs([seat for seat in rest if seat is not other])
            if others is not None:
                return [(top, other), *others]
        return None


def _candidates(top: Seat, rest: list[Seat]) -> list[Seat]:
    """Return the opponents of *top* from the best on: the lower half of the score group, its upper half, the others."""
    group = [seat for seat in rest if seat.points == top.points]
    half = max(0, (len(group) + 1) // 2 - 1) if len(group) % 2 else len(group) // 2
    return [*group[half:], *reversed(group[:half]), *(seat for seat in rest if seat.points != top.points)]


def _in_a_row(seat: Seat, colour: str) -> bool:
    return seat.colours.endswith(colour * _GAMES_OF_A_COLOUR)


def _colours_possible(one: Seat, other: Seat) -> bool:
    """Return whether neither of the two gets a fourth game in a row with one colour."""
    return any(
        not _in_a_row(white, "w") and not _in_a_row(black, "b")
        for white, black in ((one, other), (other, one))
    )


def with_colours(one: Seat, other: Seat, board: int) -> Pair:
    """Return the two as White and Black: who had White less often has it, else who had it longer ago."""

    def wants_white(seat: Seat) -> int:
        return seat.colours.count("b") - seat.colours.count("w")

    first_white = wants_white(one) > wants_white(other)
    if wants_white(one) == wants_white(other):
        first_white = one.colours[-1:] == "b" if one.colours[-1:] != other.colours[-1:] else board % 2 == 0
    white, black = (one, other) if first_white else (other, one)
    if _in_a_row(white, "w") or _in_a_row(black, "b"):
        return black, white
    return white, black
