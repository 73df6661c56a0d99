"""What happens at the boards: pairings, results by strength, draws, byes, forfeits and withdrawals.

The pairing of a Swiss is no published system, but looks like one: the upper half of a score group meets the lower half,
no one meets anyone twice where that can be avoided, and colours are evened out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ratebook.demo.chance import Chance
from ratebook.model import MIRROR, POINTS, Cell, Entry

_MOST_STEPS = 400
"""Steps of the search for pairings without a second meeting; small sections run out of opponents."""
_GAMES_OF_A_COLOUR = 3


@dataclass
class Seat:
    """What the pairing of the next round looks at: byes are among the points, and the strongest player has number 1."""

    number: int
    points: float = 0.0
    met: dict[int, int] = field(default_factory=dict)
    colours: str = ""
    had_bye: bool = False


Pair = tuple[Seat, Seat]
"""White and Black."""


def pair_swiss(seats: Sequence[Seat]) -> tuple[list[Pair], Seat | None]:
    """Return the pairs of a round, White first, and the seat with the bye if their number is odd.

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
    return [with_colours(first, second, board) for board, (first, second) in enumerate(pairs)], bye


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
    """Searches for pairs that have met at most *meetings* times, with a bound on its steps."""

    def __init__(self, meetings: int) -> None:
        self._meetings = meetings
        self._steps = 0

    def pairs(self, seats: list[Seat]) -> list[Pair] | None:
        """Return pairs of all of *seats*, best first; None where none were found."""
        if not seats:
            return []
        top, rest = seats[0], seats[1:]
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


def _colours_possible(seat: Seat, other: Seat) -> bool:
    """Return whether neither of the two gets a fourth game in a row with one colour."""
    return any(
        not _in_a_row(white, "w") and not _in_a_row(black, "b")
        for white, black in ((seat, other), (other, seat))
    )


def with_colours(first: Seat, second: Seat, board: int) -> Pair:
    """Return the two as White and Black: White goes to the one who had it less often, or longer ago."""

    def wants_white(seat: Seat) -> int:
        return seat.colours.count("b") - seat.colours.count("w")

    first_white = wants_white(first) > wants_white(second)
    if wants_white(first) == wants_white(second):
        first_white = (
            first.colours[-1:] == "b" if first.colours[-1:] != second.colours[-1:] else board % 2 == 0
        )
    white, black = (first, second) if first_white else (second, first)
    if _in_a_row(white, "w") or _in_a_row(black, "b"):
        return black, white
    return white, black


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
    """How often, for each player and round, a half-point bye is taken, or a player is *late*, absent or *leaves*."""

    half_bye: float = 0.02
    late: float = 0.01
    forfeit: float = 0.006
    leaves: float = 0.015


ALL_PLAYED = Chances(half_bye=0.0, late=0.0, forfeit=0.0, leaves=0.0)


class Entrant(NamedTuple):
    """A player: the id and the strength of the day."""

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


class _Boards:
    """The seats of a section, numbered as their *players* are, and what they have played."""

    def __init__(self, chance: Chance, players: Sequence[Entrant], forfeit: float) -> None:
        self._chance = chance
        self._players = players
        self._forfeit = forfeit
        self.seats = [Seat(number) for number in range(1, len(players) + 1)]
        self._cells: list[list[Cell]] = [[] for _ in players]

    def play(self, white: Seat, black: Seat) -> None:
        """Add the cells of one pairing: a game with colours, or a win without play."""
        if self._chance.happens(2.0 * self._forfeit):
            letters = ("X", "F") if self._chance.happens(1 / 2) else ("F", "X")
            colours = ("", "")
            white.had_bye |= letters[0] == "X"
            black.had_bye |= letters[1] == "X"
        else:
            strengths = (self._players[seat.number - 1].strength for seat in (white, black))
            letter = result(self._chance, *strengths)
            letters, colours = (letter, MIRROR[letter]), ("w", "b")
        for seat, other, letter, colour in zip((white, black), (black, white), letters, colours, strict=True):
            self._cells[seat.number - 1].append(Cell(letter, other.number, colour))
            seat.points += POINTS[letter]
            seat.met[other.number] = seat.met.get(other.number, 0) + 1
            seat.colours += colour

    def sit_out(self, seat: Seat, letter: str) -> None:
        """Add the cell of a seat that has no game in a round."""
        self._cells[seat.number - 1].append(Cell(letter))
        seat.points += POINTS[letter]
        seat.had_bye |= letter == "B"

    def entries(self) -> tuple[Entry, ...]:
        """Return the entries of the section."""
        rows = zip(self.seats, self._players, self._cells, strict=True)
        return tuple(Entry(seat.number, player.id, tuple(cells)) for seat, player, cells in rows)


def _by_strength(entrants: Sequence[Entrant]) -> list[Entrant]:
    return sorted(entrants, key=lambda entrant: -entrant.strength)


def play_swiss(
    chance: Chance, entrants: Sequence[Entrant], rounds: int, chances: Chances
) -> tuple[Entry, ...]:
    """Return the entries of a Swiss section; seats are numbered by strength."""
    boards = _Boards(chance, _by_strength(entrants), chances.forfeit)
    leavers: set[int] = set()
    for number in range(1, rounds + 1):
        playing = []
        for seat in boards.seats:
            absent = _absent(chance, chances, seat, leavers, first=number == 1, last=number == rounds)
            if absent:
                boards.sit_out(seat, absent)
            else:
                playing.append(seat)
        pairs, bye = pair_swiss(playing)
        if bye is not None:
            boards.sit_out(bye, "B")
        if not pairs:
            for seat in playing:
                if seat is not bye:
                    boards.sit_out(seat, "U")
        for white, black in pairs:
            boards.play(white, black)
    return boards.entries()


def play_round_robin(chance: Chance, entrants: Sequence[Entrant], chances: Chances) -> tuple[Entry, ...]:
    """Return the entries of a round robin; a seat without an opponent in a round is unpaired."""
    boards = _Boards(chance, _by_strength(entrants), chances.forfeit)
    for pairs in pair_round_robin(len(entrants)):
        unpaired = list(boards.seats)
        for board, pair in enumerate(pairs):
            first, second = (boards.seats[number - 1] for number in pair)
            boards.play(*with_colours(first, second, board))
            unpaired.remove(first)
            unpaired.remove(second)
        for seat in unpaired:
            boards.sit_out(seat, "U")
    return boards.entries()


def play_match(chance: Chance, first: Entrant, second: Entrant, games: int) -> tuple[Entry, ...]:
    """Return the two entries of a match with alternating colours."""
    boards = _Boards(chance, (first, second), forfeit=0.0)
    for number in range(games):
        boards.play(boards.seats[number % 2], boards.seats[1 - number % 2])
    return boards.entries()


def _absent(  # noqa: PLR0913 - the player, the round and the chances
    chance: Chance, chances: Chances, seat: Seat, leavers: set[int], *, first: bool, last: bool
) -> str:
    """Return the letter of a player who does not play this round, empty for one who does."""
    if seat.number in leavers:
        return "U"
    if first:
        return "U" if chance.happens(chances.late) else ""
    if chance.happens(chances.leaves):
        leavers.add(seat.number)
        return "U"
    return "H" if not last and chance.happens(chances.half_bye) else ""
