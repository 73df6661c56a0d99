"""What the signs of crosstables mean: one line below them, about the signs that occur."""

import re
from collections.abc import Iterable

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
    provisional = initial = None
    used: set[str] = set()
    for row in rows:
        for text in (row.before, row.after):
            provisional = provisional or _PROVISIONAL.fullmatch(text)
            initial = initial or _INITIAL.fullmatch(text)
        used.update(cell[:1] for cell in row.rounds)
    parts = (
        []
        if provisional is None
        else [f"{provisional[0]}: provisional, based on {counted_text(provisional[1])}"]
    )
    if initial is not None:
        starts = f"starts at {initial[1]} as if after {counted_text(initial[2])}"
        parts.append(f"{initial[0]}: new in this system, {starts}")
    parts += [f"{letter}: {meaning}" for letter, meaning in _LETTERS.items() if letter in used]
    return f"Legend: {'; '.join(parts)}." if parts else ""


def counted_text(games: str) -> str:
    """Return a number of games in words.

    >>> counted_text("1"), counted_text("4.5")
    ('1 game', '4.5 games')
    """
    return f"{games} game{'' if games == '1' else 's'}"
