"""An explanation as lines of text: in short first, then step by step."""

from collections.abc import Iterator

from ratebook.pages.columns import number_text
from ratebook.rating.explanation.explain import Explainer, explain
from ratebook.rating.explanation.parts import ExplainedStep, Explanation
from ratebook.rating.explanation.public import explain_in_public

INFERRED_MARK = "  [inferred]"
EXACT_DIGITS = (4, 6)
PUBLISHED_DIGITS = (0, 2)
"""Decimals of the rating used and of the expected score of a game."""


def explainer_for(*, public: bool) -> Explainer:
    """Return what explains a rating to the *public*, or to the office."""
    return explain_in_public if public else explain


def explanation_lines(explanation: Explanation) -> Iterator[str]:
    """Yield the lines of *explanation*: title, the short form, then each step with figures, games and rules."""
    name = explanation.name or explanation.player
    yield (
        f"Section {explanation.section}, seat {explanation.seat}, {name}: {explanation.system} rating"
        f" by the rules of {explanation.rules_date}"
    )
    yield from (f"  {sentence}" for sentence in explanation.short)
    for step in explanation.steps:
        yield ""
        yield step.title
        yield from (f"  {text}" for text in step.text)
        yield from figure_lines(step)
        yield from game_lines(step, exact=explanation.exact)
        yield from rule_lines(step)
    yield ""


def figure_lines(step: ExplainedStep) -> Iterator[str]:
    """Yield one line for each figure, names aligned."""
    width = max((len(figure.name) for figure in step.figures), default=0)
    for figure in step.figures:
        yield f"    {figure.name.ljust(width)}  {number_text(figure.value)}"


def game_lines(step: ExplainedStep, *, exact: bool) -> Iterator[str]:
    """Yield one line for each game: the opponent's rating used, the expected score, and the opponent."""
    if not step.games:
        return
    whole, small = EXACT_DIGITS if exact else PUBLISHED_DIGITS
    yield "    round  score  rating used  expected  opponent"
    for game in step.games:
        yield (
            f"    {game.round:>5}  {game.score:>5g}  {game.opponent_rating:>11.{whole}f}  {game.expected:>8.{small}f}"
            f"  {game.opponent} (seat {game.opponent_seat})"
        )


def rule_lines(step: ExplainedStep) -> Iterator[str]:
    """Yield one line for each rule with its source, inferred ones marked, and the notes of this project's readings."""
    for rule in step.rules:
        mark = INFERRED_MARK if rule.status == "inferred" else ""
        yield f"    rule {rule.rule} = {number_text(rule.value)} ({rule.document}, {rule.where}){mark}"
    yield from (f"  {note}" for note in step.readings)
