"""What the signs of crosstables mean: one line below them, about the signs that occur."""

from collections.abc import Iterable

from ratebook.model import InitialRating, Shown
from ratebook.official_lists.contents import shown_rating
from ratebook.pages.crosstable import initial_text
from ratebook.rating.formulas import rounded
from ratebook.records.events import CrosstableLine

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


def legend_of(rows: Iterable[CrosstableLine]) -> str:
    """Return the legend of crosstables with these *rows*, empty where no sign needs one."""
    provisional, initial = "", ""
    used: set[str] = set()
    for row in rows:
        for rating in (row.before, row.after):
            provisional = provisional or _provisional_words(rating)
        initial = initial or _initial_words(row.initial)
        used.update(cell[:1] for cell in row.rounds)
    parts = [part for part in (provisional, initial) if part]
    parts += [f"{letter}: {meaning}" for letter, meaning in _LETTERS.items() if letter in used]
    return f"Legend: {'; '.join(parts)}." if parts else ""


def _provisional_words(rating: Shown | None) -> str:
    if rating is None or rating.provisional_games is None:
        return ""
    return f"{shown_rating(rating)}: provisional, based on {counted_games(rating.provisional_games)}"


def _initial_words(rating: InitialRating | None) -> str:
    if rating is None:
        return ""
    starts = f"starts at {rounded(rating.rating):.0f} as if after {counted_games(rating.games)}"
    return f"{initial_text(rating)}: new in this system, {starts}"


def counted_games(games: float) -> str:
    """Return a number of games in words.

    >>> counted_games(1), counted_games(4.5)
    ('1 game', '4.5 games')
    """
    return f"{games:g} game{'' if games == 1 else 's'}"
