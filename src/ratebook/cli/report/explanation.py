"""An explanation as lines of text."""

from collections.abc import Iterator

from ratebook.cli.output import number_text
from ratebook.rating.explanation.explain import ExplainedStep, Explanation

INFERRED_MARK = "  [inferred]"


def explanation_lines(explanation: Explanation) -> Iterator[str]:
    """Yield the lines of *explanation*: title, then each step with figures, games and rules."""
    name = explanation.name or explanation.player
    yield (
        f"Section {explanation.section}, seat {explanation.seat}, {name}: {explanation.system} rating"
        f" by the rules of {explanation.rules_date}"
    )
    for step in explanation.steps:
        yield ""
        yield step.title
        yield from (f"  {text}" for text in step.text)
        yield from figure_lines(step)
        yield from game_lines(step)
        yield from rule_lines(step)
    yield ""


def figure_lines(step: ExplainedStep) -> Iterator[str]:
    """Yield one line for each figure, names aligned."""
    width = max((len(figure.name) for figure in step.figures), default=0)
    for figure in step.figures:
        yield f"    {figure.name.ljust(width)}  {number_text(figure.value)}"


def game_lines(step: ExplainedStep) -> Iterator[str]:
    """Yield one line for each game: the opponent's rating used and the expected score."""
    if not step.games:
        return
    yield "    round  score  opponent (seat)   rating used   expected"
    for game in step.games:
        yield (
            f"    {game.round:>5}  {game.score:>5g}  {game.opponent_seat:>15}"
            f"  {game.opponent_rating:>12.4f}  {game.expected:>9.6f}"
        )


def rule_lines(step: ExplainedStep) -> Iterator[str]:
    """Yield one line for each rule with its source; inferred rules are marked."""
    for rule in step.rules:
        mark = INFERRED_MARK if rule.status == "inferred" else ""
        yield f"    rule {rule.rule} = {number_text(rule.value)} ({rule.document}, {rule.where}){mark}"
