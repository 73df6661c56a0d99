"""The results of a section as pips: of another height as well as another colour."""

from functools import lru_cache

from markupsafe import Markup

HEIGHTS = {"W": (14, "won"), "D": (9, "drawn"), "L": (5, "lost")}
MOST_PIPS = 12


@lru_cache(maxsize=4_096)
def pips(results: str) -> Markup:
    """Return a pip for each game, a letter (W, D or L) of *results*: high for a win, low for a loss.

    >>> 'aria-label="won, drawn"' in pips("WD"), pips("")
    (True, Markup(''))
    """
    if not results:
        return Markup()
    games = [HEIGHTS[letter] for letter in results]
    drawn = Markup().join(
        Markup('<rect class="{}" x="{}" y="{}" width="6" height="{}" rx="1.5"/>').format(
            result, at * 8, 14 - height, height
        )
        for at, (height, result) in enumerate(games[:MOST_PIPS])
    )
    return Markup('<svg class="pips" width="{}" height="14" role="img" aria-label="{}">{}</svg>').format(
        len(games[:MOST_PIPS]) * 8 - 2, ", ".join(result for _, result in games), drawn
    )
