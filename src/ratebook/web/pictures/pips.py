"""The results of a section as pips: of another height as well as another colour, hollow where no game was played."""

from functools import lru_cache

from markupsafe import Markup

from ratebook.records.players import Score

HEIGHTS = {"won": 14, "drawn": 9, "lost": 5}
RESULTS = {
    "W": ("won", "won"),
    "D": ("drawn", "drawn"),
    "L": ("lost", "lost"),
    "X": ("won", "won by forfeit"),
    "Z": ("drawn", "drawn by forfeit"),
    "F": ("lost", "lost by forfeit"),
    "B": ("won", "bye of one point"),
    "H": ("drawn", "bye of half a point"),
    "U": ("lost", "bye without a point"),
}
"""How each letter of results is drawn, and what it says."""
MOST_PIPS = 12


@lru_cache(maxsize=4_096)
def pips(results: str) -> Markup:
    """Return a pip for each round, a letter of *results*: high for a win, low for a loss, hollow without a game.

    >>> 'aria-label="won, bye of half a point"' in pips("WH"), pips("")
    (True, Markup(''))
    """
    if not results:
        return Markup()
    rounds = [RESULTS.get(letter, ("lost", "unknown")) for letter in results]
    drawn = "".join(
        _hollow(kind, at * 8) if words != kind else _full(kind, at * 8)
        for at, (kind, words) in enumerate(rounds[:MOST_PIPS])
    )
    width, label = len(rounds[:MOST_PIPS]) * 8 - 2, ", ".join(words for _, words in rounds)
    return Markup(  # noqa: S704 - numbers and the words above
        f'<svg class="pips" width="{width}" height="14" role="img" aria-label="{label}">{drawn}</svg>'
    )


def _full(kind: str, x: int) -> str:
    height = HEIGHTS[kind]
    return f'<rect class="{kind}" x="{x}" y="{14 - height}" width="6" height="{height}" rx="1.5"/>'


def _hollow(kind: str, x: int) -> str:
    """Return the outline of a pip, whose line is drawn within its bounds."""
    height = HEIGHTS[kind]
    return f'<rect class="hollow" x="{x + 0.75}" y="{14.75 - height}" width="4.5" height="{height - 1.5}" rx="1"/>'


def score_bar(score: Score) -> Markup:
    """Return won, drawn and lost games as parts of a bar, of less height as well as of another colour."""
    won, drawn = 100 * score.wins / score.games, 100 * score.draws / score.games
    return Markup(  # noqa: S704 - numbers
        f'<svg class="results" aria-hidden="true"><rect class="won" width="{won:.1f}%" height="100%"/>'
        f'<rect class="drawn" x="{won:.1f}%" y="35%" width="{drawn:.1f}%" height="65%"/>'
        f'<rect class="lost" x="{won + drawn:.1f}%" y="65%" width="{100 - won - drawn:.1f}%" height="35%"/></svg>'
    )
