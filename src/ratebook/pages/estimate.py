"""An estimate in words and figures."""

from collections.abc import Mapping
from typing import Any

from ratebook.pages.columns import number_text
from ratebook.rating.formulas import rounded
from ratebook.records.system_titles import SYSTEM_TITLES


def short_answer(figures: dict[str, Any], games: int, *, rated: bool) -> str:
    """Return the estimate in one sentence.

    >>> figures = {"displayed": 1503, "score": 1.5, "expected score": 1.4285, "rating before": 1500.0}
    >>> short_answer(figures, 3, rated=True)
    '1500 -> 1503 (+3): 1.5 of 3 against 1.43 expected.'
    """
    after, score, expected = figures["displayed"], figures["score"], figures["expected score"]
    if not rated:
        return f"unrated -> {after:.0f}: {score:g} of {games}."
    before = rounded(figures["rating before"])
    return f"{before:.0f} -> {after:.0f} ({after - before:+.0f}): {score:g} of {games} against {expected:.2f} expected."


def figure_text(name: str, value: Any) -> str:  # noqa: ANN401 - any value of that kind
    """Return the figure *name* of an estimate for people."""
    if name == "last game":
        return ", ".join(f"{rounded(rating):.0f} after a {result}" for result, rating in value.items())
    if name == "games after" and value is None:
        return "established"
    return value_text(value)


FIGURE_LABELS = {
    "rules of": "Rules of",
    "edition": "Rules",
    "effective games": "Effective games (N')",
    "opponents faced at": "Opponents' ratings that count",
    "k": "K",
    "k factor": "K",
    "normal k": "K of the rating before",
    "bonus multiplier": "Bonus multiplier (B)",
    "bonus threshold": "Points above which there is a bonus",
    "bonus eligible": "Could earn a bonus",
    "peak floor": "Floor from the highest rating",
    "highest less 200": "Highest rating less 200",
    "displayed": "Shown as",
    "last game": "What the last game decides",
    "change without bonus": "Change without bonus",
    "average opponent": "Average of the opponents' ratings",
    "unrounded": "Before it is rounded",
}
"""What figures of estimates are called, where their names say it too shortly."""
NEWCOMER_WORDS = (
    "An opponent without a rating counts at the rating of Step 3, from the games here alone. A section rates such an"
    " opponent once more, from all games (Step 4), before the player's own rating (Step 5), so it can differ by more:"
    " rate a report of these players to see by how much."
)
LISTED_ELSEWHERE = frozenset({"expectancies", "games", "stretches", "opponents faced at"})
"""Figures of single games, which a table has."""


def figure_lines(figures: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the figures of an estimate for people: what each is called, and its value without needless digits.

    >>> figure_lines(
    ...     {"k": 33.047714, "performance rating": 2120.666667, "displayed": 1503, "games after": None}
    ... )
    [('K', '33.05'), ('Performance rating', '2121'), ('Shown as', '1503'), ('Games after', 'established')]
    """
    lines = []
    for key, value in figures.items():
        name = key.replace("_", " ")
        if name not in LISTED_ELSEWHERE:
            label = FIGURE_LABELS.get(name, name[:1].upper() + name[1:])
            lines.append((label, _short_figure(name, value)))
    return lines


def _short_figure(name: str, value: Any) -> str:  # noqa: ANN401 - any value of that kind
    if name == "system":
        return SYSTEM_TITLES[value]
    if name == "performance rating":
        return f"{rounded(value):.0f}"
    return figure_text(name, _with_two_digits(value))


def _with_two_digits(value: Any) -> Any:  # noqa: ANN401 - any value of that kind
    if isinstance(value, float):
        return round(value, 2)
    return (
        {name: _with_two_digits(part) for name, part in value.items()} if isinstance(value, dict) else value
    )


def value_text(value: Any) -> str:  # noqa: ANN401 - any value of that kind
    """Return a figure of an estimate for people."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {value_text(entry)}" for name, entry in value.items())
    if isinstance(value, list | tuple):
        return " ".join(value_text(entry) for entry in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number_text(value)


def estimate_words(figures: dict[str, Any], *, rated: bool) -> list[str]:
    """Return in words how an estimate by the rules of a day came about."""
    return [_formula_words(figures, rated=rated), *_bonus_words(figures), *_rest_words(figures)]


def _formula_words(figures: dict[str, Any], *, rated: bool) -> str:
    score, expected = figures["score"], figures["expected score"]
    if figures["k"] is None:
        start = (
            ""
            if rated
            else " A player without a rating starts from an initial one that counts as zero games."
        )
        return (
            "With so few games, or only wins or losses so far, the special formula counts: it looks for the rating"
            f" that would be expected to make all points so far, those of earlier games included.{start}"
        )
    gain = figures["k"] * (score - expected)
    return (
        f"Against these opponents, {expected:.2f} points were expected, and {score:g} scored. The difference times"
        f" K = {figures['k']:.1f} gives {gain:+.1f}."
    )


def _bonus_words(figures: dict[str, Any]) -> list[str]:
    bonus, threshold = figures["bonus"], figures["bonus threshold"]
    if bonus is None or threshold is None:
        return []
    if bonus > 0:
        return [
            f"That is more than {threshold:.1f}: what is above it is added once more as bonus, {bonus:+.1f}."
        ]
    if not figures["bonus eligible"]:
        return [
            "There is no bonus: it needs at least three games, and no more than two against one opponent."
        ]
    return [f"There is no bonus: it begins where the gain is more than {threshold:.1f}."]


def _rest_words(figures: dict[str, Any]) -> list[str]:
    words = []
    if "opponents faced at" in figures:
        words.append(NEWCOMER_WORDS)
    words.append(f"The last game decides: {figure_text('last game', figures['last game'])}.")
    floor = max(figures.get("peak floor") or 0.0, figures.get("floor") or 0.0)
    if floor and rounded(floor) == figures["displayed"]:
        words.append(f"The floor of {floor:.0f} holds the rating.")
    games = figure_text("games after", figures["games after"])
    words.append(
        "Afterwards the rating is established."
        if games == "established"
        else f"Afterwards the rating is based on {games} games."
    )
    return words
