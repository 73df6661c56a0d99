"""From the rating before a section to the one after it, part by part: the score, the bonus, a floor or a limit."""

from collections.abc import Iterator
from typing import NamedTuple

from ratebook.rating.explanation.initial import BEFORE, RATED_BEFORE
from ratebook.rating.explanation.passes import BONUS, CHANGE
from ratebook.rating.explanation.result import DISPLAYED, LIMITED
from ratebook.rating.formulas import rounded
from ratebook.records.explanations import Explanation, Figure
from ratebook.web.pictures.scale import SIDE

MARGIN = 0.4
"""So much of the distance between the lowest and the highest is shown below the lowest, and a quarter above."""

OF_DECIMALS = 2.5
"""So many points published ratings may miss by which have decimals."""


class ClimbPart(NamedTuple):
    """A line of the picture: what it is, how much, and its bar from the left edge or from where the last one ended."""

    title: str
    text: str
    kind: str
    left: int
    width: int


def climb(explanation: Explanation) -> tuple[ClimbPart, ...]:
    """Return how a rating came from before to after; nothing where one of them depends on an age or is not there."""
    figures: dict[str, Figure] = {}
    for step in explanation.steps:
        figures |= step.figures
    before, change, bonus, after = (figures.get(name) for name in (BEFORE, CHANGE, BONUS, DISPLAYED))
    if not isinstance(before, float | int) or not isinstance(after, float | int):
        return ()
    is_rated = explanation.steps[0].title == RATED_BEFORE
    heights = [("Before" if is_rated else "Start", rounded(before))]
    if isinstance(change, float | int):
        gain = bonus if isinstance(bonus, float | int) else 0.0
        score = "Score above expectation" if change >= 0 else "Score below expectation"
        heights.append((score, rounded(before + change)))
        if gain:
            heights.append(("Bonus", rounded(before + change + gain)))
        computed = before + change + gain
        if abs(after - computed) < (1.0 if explanation.exact else OF_DECIMALS):
            heights[-1] = (heights[-1][0], after)
            if gain:
                # The bonus is rounded as the sentence above the picture rounds it.
                heights[-2] = (score, after - rounded(gain))
        else:
            heights.append((_limit(figures, computed, after), after))
    elif change is None:
        heights.append(("By the special formula", after))
    else:
        # What depends on an age is a range: its parts are not told apart.
        heights.append(("Score and bonus" if bonus else "Score against expectation", after))
    return tuple(_drawn(heights))


def _limit(figures: dict[str, Figure], computed: float, after: float) -> str:
    limited = figures.get(LIMITED)
    if isinstance(limited, float | int) and abs(limited - computed) >= 1.0:
        return "Limit of the match"
    return "Floor" if after > computed else "Ceiling"


def _drawn(heights: list[tuple[str, float]]) -> Iterator[ClimbPart]:
    ratings = [rating for _, rating in heights]
    span = max(ratings) - min(ratings) or 1.0
    least, shown = min(ratings) - MARGIN * span, (1.25 + MARGIN) * span

    def across(rating: float) -> int:
        return round(SIDE * (rating - least) / shown)

    title, before = heights[0]
    yield ClimbPart(title, f"{before:.0f}", "whole", 0, across(before))
    last = before
    for title, rating in heights[1:]:
        points, left = rating - last, across(min(rating, last))
        kind = "up" if points > 0 else "down"
        yield ClimbPart(
            title, f"{points:+.0f}" if points else "0", kind, left, across(max(rating, last)) - left
        )
        last = rating
    yield ClimbPart("After", f"{last:.0f}", "whole", 0, across(last))
