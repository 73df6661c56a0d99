"""A line of results that is typed at the prompt: a word for each round, checked against the lines of earlier seats."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ratebook.formats.reading.cells import OTHER_SIDE, cell_text
from ratebook.model import SCORES, Cell
from ratebook.reports.draft import other_side, read_cell

IMPLIED = "."
"""What is typed for a result that an earlier seat gives."""

_ALONE = frozenset("BHU")
"""Results without an opponent."""
_GO_BACK = "If that is wrong, type < to go back and change it."


class ResultsLine(NamedTuple):
    """The line of results that is asked for.

    Attributes:
        seat: whose it is.
        seats: how many there are.
        rounds: how many words the line has.
        rows: the lines of earlier seats.
    """

    seat: int
    seats: int
    rounds: int
    rows: Mapping[int, Sequence[Cell]]

    def implied(self) -> list[Cell | None]:
        """Return what the earlier seats say of this one, round by round; None where they say nothing.

        >>> ResultsLine(2, 3, 2, {1: (Cell("W", 2), Cell("D", 3))}).implied()
        [Cell(letter='L', opponent=1, colour=''), None]
        """
        implied: list[Cell | None] = [None] * self.rounds
        for other, cells in self.rows.items():
            for at, cell in enumerate(cells):
                opposite = other_side(other, cell)
                if opposite is not None and opposite[0] == self.seat:
                    implied[at] = opposite[1]
        return implied

    def wrong(self, text: str) -> str | None:
        """Return what is wrong with a line; None where nothing is."""
        words = text.split()
        if len(words) != self.rounds:
            written = "1 round" if len(words) == 1 else f"{len(words)} rounds"
            return f"These are results of {written}; write {self.rounds}, one word for each."
        implied = self.implied()
        for at, word in enumerate(words):
            reason = self._wrong_word(word, at, implied[at])
            if reason is not None:
                return f"Round {at + 1}: {reason}"
        return None

    def _wrong_word(self, word: str, at: int, reported: Cell | None) -> str | None:
        if word == IMPLIED:
            return None if reported else "no earlier seat gives this result; type it."
        cell = read_cell(word)
        if cell is None or not cell.letter:
            return (
                f"{word!r} is not a result; type W, L, D, X or F and the opponent's seat, or B, H or U."
                " If a player is missing, type < to go back to the list of players."
            )
        if reported is not None and (cell.letter, cell.opponent) != (reported.letter, reported.opponent):
            return f"seat {reported.opponent} says {cell_text(reported)}, not {word}. {_GO_BACK}"
        if reported is not None:
            return None
        return self._wrong_opponent(cell, at)

    def _wrong_opponent(self, cell: Cell, at: int) -> str | None:
        opponent = cell.opponent
        if opponent is None:
            return "the opponent's seat is missing." if cell.letter in SCORES else None
        if cell.letter in _ALONE:
            return f"{cell.letter} has no opponent."
        if opponent == self.seat:
            return f"seat {opponent} is the player's own seat."
        if opponent > self.seats:
            return f"there is no opponent at seat {opponent}; the seats are 1 to {self.seats}."
        if opponent in self.rows and cell.letter in OTHER_SIDE:
            other = cell_text(self.rows[opponent][at])
            return f"seat {opponent} has {other} in this round. {_GO_BACK}"
        rival = next((seat for seat, cells in self.rows.items() if cells[at].opponent == opponent), None)
        return None if rival is None else f"seat {opponent} plays seat {rival} in this round. {_GO_BACK}"

    def cells(self, text: str) -> tuple[Cell, ...]:
        """Return the cells of a line without mistakes."""
        cells = []
        for word, implied in zip(text.split(), self.implied(), strict=True):
            cell = implied if word == IMPLIED else read_cell(word)
            assert cell is not None  # noqa: S101 - the line was checked
            cells.append(cell)
        return tuple(cells)
