"""What the signs of crosstables mean: one line below them, about the signs that occur."""

import re
from collections.abc import Iterable, Iterator

from ratebook.pages.crosstable import CrosstableFigures

_PROVISIONAL = re.compile(r"[0-9]+P([0-9.]+)")
_INITIAL = re.compile(r"unrated \(([0-9-]+)/([0-9.]+)\)")
_LETTERS = {
    "B": "full-point bye",
    "H": "half-point bye",
    "U": "not paired",
    "X": "won by forfeit",
    "F": "lost by forfeit",
    "Z": "drawn, not rated",
    "N": "won, the opponent did not lose",
    "R": "drawn for this player alone",
    "S": "lost, the opponent did not win",
}


def legend_of(rows: Iterable[CrosstableFigures]) -> str:
    """Return the legend of crosstables with these *rows*, empty where no sign needs one."""
    rows = list(rows)
    parts = "; ".join([*_ratings(rows), *_letters(rows)])
    return f"Legend: {parts}." if parts else ""


def _ratings(rows: Iterable[CrosstableFigures]) -> Iterator[str]:
    ratings = [text for row in rows for text in (row.before, row.after)]
    if found := next(filter(None, map(_PROVISIONAL.fullmatch, ratings)), None):
        yield f"{found[0]}: provisional, based on {counted_text(found[1])}"
    if found := next(filter(None, map(_INITIAL.fullmatch, ratings)), None):
        yield f"{found[0]}: new in this system, starts at {found[1]} as if after {counted_text(found[2])}"


def counted_text(games: str) -> str:
    """Return a number of games in words.

    >>> counted_text("1"), counted_text("4.5")
    ('1 game', '4.5 games')
    """
    return f"{games} game{'' if games == '1' else 's'}"


def _letters(rows: Iterable[CrosstableFigures]) -> Iterator[str]:
    used = {cell[:1] for row in rows for cell in row.rounds}
    yield from (f"{letter}: {meaning}" for letter, meaning in _LETTERS.items() if letter in used)
