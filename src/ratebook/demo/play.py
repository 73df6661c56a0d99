"""What happens at the boards: results by strength, draws, byes, forfeits and withdrawals."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ratebook.demo.pairing import Seat, pair_round_robin, pair_swiss, with_colours
from ratebook.model import MIRROR, POINTS, Cell, Entry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratebook.demo.chance import Chance

_MOST_APART = 800
_ODDS_OF_A_POINT = 1.0057730630
"""10 to the power 1/400; multiplied out, it is the same everywhere."""


def _expectancies() -> tuple[float, ...]:
    """Return the better player's expected score, by rating points between the two."""
    odds = 1.0
    expected = []
    for _ in range(_MOST_APART + 1):
        expected.append(odds / (1.0 + odds))
        odds *= _ODDS_OF_A_POINT
    return tuple(expected)


_EXPECTED = _expectancies()


class Chances(NamedTuple):
    """How often something other than a game happens, for each player and round.

    Attributes:
        half_bye: a bye for half a point is taken, not in the last round.
        late: the first round is missed.
        forfeit: the opponent does not appear.
        leaves: the player has gone home.
    """

    half_bye: float = 0.02
    late: float = 0.01
    forfeit: float = 0.006
    leaves: float = 0.015


class Entrant(NamedTuple):
    """Who plays: the id and the strength of the day."""

    id: str
    strength: float


def result(chance: Chance, white: float, black: float) -> str:
    """Return White's result letter, drawn from the strengths; strong and equal players draw more often."""
    apart = min(_MOST_APART, round(abs(white - black)))
    expected = _EXPECTED[apart] if white >= black else 1.0 - _EXPECTED[apart]
    peaceful = max(0.03, min(0.45, ((white + black) / 2.0 - 700.0) / 4_000.0))
    draw = peaceful * 4.0 * expected * (1.0 - expected)
    drawn = chance.fraction()
    if drawn < draw:
        return "D"
    return "W" if drawn < expected + draw / 2.0 else "L"


def play_swiss(
    chance: Chance, entrants: Sequence[Entrant], rounds: int, chances: Chances
) -> tuple[Entry, ...]:
    """Return the entries of a Swiss section; seats are numbered by strength."""
    ordered = sorted(entrants, key=lambda one: -one.strength)
    seats = [Seat(number) for number in range(1, len(ordered) + 1)]
    cells: list[list[Cell]] = [[] for _ in ordered]
    gone: set[int] = set()
    for number in range(1, rounds + 1):
        playing = []
        for seat in seats:
            last = number == rounds
            absent = _absent(chance, chances, seat, gone, first=number == 1, last=last)
            if absent:
                cells[seat.number - 1].append(Cell(absent))
                seat.points += POINTS[absent]
            else:
                playing.append(seat)
        pairs, bye = pair_swiss(playing)
        if bye is not None:
            _sit_out(cells, bye, "B")
        if not pairs:
            for seat in playing:
                if seat is not bye:
                    _sit_out(cells, seat, "U")
        for white, black in pairs:
            strengths = ordered[white.number - 1].strength, ordered[black.number - 1].strength
            _play(chance, cells, white, black, strengths, chances.forfeit)
    return _entries(ordered, cells)


def play_round_robin(chance: Chance, entrants: Sequence[Entrant], chances: Chances) -> tuple[Entry, ...]:
    """Return the entries of a round robin; who has no opponent in a round is unpaired."""
    ordered = sorted(entrants, key=lambda one: -one.strength)
    seats = [Seat(number) for number in range(1, len(ordered) + 1)]
    cells: list[list[Cell]] = [[] for _ in ordered]
    for number, pairs in enumerate(pair_round_robin(len(ordered)), start=1):
        for board, (one, other) in enumerate(pairs):
            white, black = with_colours(seats[one - 1], seats[other - 1], board)
            strengths = ordered[white.number - 1].strength, ordered[black.number - 1].strength
            _play(chance, cells, white, black, strengths, chances.forfeit)
        for row in cells:
            if len(row) < number:
                row.append(Cell("U"))
    return _entries(ordered, cells)


def play_match(chance: Chance, one: Entrant, other: Entrant, games: int) -> tuple[Entry, ...]:
    """Return the two entries of a match with alternating colours."""
    seats = [Seat(1), Seat(2)]
    cells: list[list[Cell]] = [[], []]
    for number in range(games):
        pair = seats if number % 2 == 0 else seats[::-1]
        strengths = (one.strength, other.strength) if number % 2 == 0 else (other.strength, one.strength)
        _play(chance, cells, pair[0], pair[1], strengths, 0.0)
    return _entries((one, other), cells)


def _absent(  # noqa: PLR0913 - the player, the round and the chances
    chance: Chance, chances: Chances, seat: Seat, gone: set[int], *, first: bool, last: bool
) -> str:
    """Return the letter of a player who does not play this round, empty for one who does."""
    if seat.number in gone:
        return "U"
    if first:
        return "U" if chance.happens(chances.late) else ""
    if chance.happens(chances.leaves):
        gone.add(seat.number)
        return "U"
    return "H" if not last and chance.happens(chances.half_bye) else ""


def _sit_out(cells: list[list[Cell]], seat: Seat, letter: str) -> None:
    cells[seat.number - 1].append(Cell(letter))
    seat.points += POINTS[letter]
    seat.had_bye |= letter == "B"


def _play(  # noqa: PLR0913, PLR0917 - two players, what they play for, and what may keep them from it
    chance: Chance,
    cells: list[list[Cell]],
    white: Seat,
    black: Seat,
    strengths: tuple[float, float],
    forfeit: float,
) -> None:
    """Add the cells of one pairing: a game with colours, or a win without play."""
    if chance.happens(2.0 * forfeit):
        letters = ("X", "F") if chance.happens(1 / 2) else ("F", "X")
        colours = ("", "")
        white.had_bye |= letters[0] == "X"
        black.had_bye |= letters[1] == "X"
    else:
        letter = result(chance, *strengths)
        letters, colours = (letter, MIRROR[letter]), ("w", "b")
    for seat, other, place in ((white, black, 0), (black, white, 1)):
        cells[seat.number - 1].append(Cell(letters[place], other.number, colours[place]))
        seat.points += POINTS[letters[place]]
        seat.met[other.number] = seat.met.get(other.number, 0) + 1
        seat.colours += colours[place]


def _entries(ordered: Sequence[Entrant], cells: Sequence[list[Cell]]) -> tuple[Entry, ...]:
    return tuple(
        Entry(number, one.id, tuple(row))
        for number, (one, row) in enumerate(zip(ordered, cells, strict=True), start=1)
    )
