"""What anyone may read of an explanation: nothing from which the age of a newcomer could be computed.

Source: docs/rules/readings.md#initial-ratings-and-ages.
"""

from collections.abc import Iterator
from typing import TypeVar

from ratebook.rating.explanation.explain import explain
from ratebook.rating.explanation.initial import explained_start
from ratebook.rating.explanation.parts import ExplainedStep, Explanation, Figure, Subject, yes_or_no
from ratebook.rating.explanation.passes import eligibility_text, formula_reason, k_rules, k_text
from ratebook.rating.explanation.result import explained_result
from ratebook.rating.explanation.short import result_in_short, scored, settlement
from ratebook.rating.formulas import rounded
from ratebook.rating.results import RatedSection
from ratebook.rating.step1 import RATED
from ratebook.rating.steps import STANDARD
from ratebook.rules.rulebook import Rulebook

WITHHELD = (
    "Somebody in this calculation had no rating before the section:"
    " expected scores and the figures of Steps 3 to 5 are not shown, since they would tell that player's age."
)
EXACT_RESULTS = ("rating after", "rating after match limits", "rating as stored")
"""Figures of the result that are shown once, as displayed."""
LEAST_RATING = 10.0
"""Figures from here on are shown in whole points; expected scores and bonuses of few points are smaller."""

Shown = TypeVar("Shown", float, float | int | str | None)


def explain_in_public(rated: RatedSection, seat: int, rulebook: Rulebook) -> Explanation | None:
    """Return what anyone may read of how the rating at *seat* came about; None where no such seat was rated.

    The figures rest on the player, the opponents and, since Step 5 uses the Step 4 results of opponents, on whom these
    met. Where one of them was unrated, only what is published of the player remains. Figures are never more precise
    than published ratings: decimals, those of established players too, could be traced back to an initial rating.
    """
    explanation = explain(rated, seat, rulebook)
    entry = next((one for one in rated.entries if one.seat == seat), None)
    if explanation is None or entry is None:
        return None
    subject = Subject(rated, entry, rulebook)
    if entry.workings is None:
        explanation = explanation._replace(steps=(start_in_public(subject), *explanation.steps[1:]))
    elif any(rated.sources[one] != RATED for one in players_involved(subject)):
        explanation = explanation._replace(
            short=tuple(short_in_public(subject)), steps=tuple(steps_in_public(subject))
        )
    return explanation._replace(steps=tuple(map(as_displayed, explanation.steps)), exact=False)


def players_involved(subject: Subject) -> set[int]:
    """Return whose ratings before the section the figures rest on: the player, the opponents, and theirs."""
    if subject.foreign:
        return {subject.at}
    columns = subject.columns
    opponents = {columns.opponent[game] for game in subject.games}
    theirs = {
        columns.opponent[game]
        for one in opponents
        for game in range(columns.first_game[one], columns.first_game[one + 1])
    }
    return {subject.at} | opponents | theirs


def as_displayed(step: ExplainedStep) -> ExplainedStep:
    """Return a step with ratings in whole points, scores in hundredths, and other small figures in tenths."""
    figures = tuple(
        one._replace(value=displayed(one.value, 2 if "score" in one.name else 1)) for one in step.figures
    )
    games = tuple(
        one._replace(opponent_rating=displayed(one.opponent_rating, 1), expected=displayed(one.expected, 2))
        for one in step.games
    )
    return step._replace(figures=figures, games=games)


def displayed(value: Shown, digits: int) -> Shown:
    """Return a figure as precisely as ratings are published, one below ten with so many *digits*.

    A hundredth of a point in K (S - E) would tell a rating to a third of a point.

    >>> displayed(745.349383, 1), displayed(2.544189, 2), displayed("none", 1)
    (745.0, 2.54, 'none')
    """
    if not isinstance(value, float):
        return value
    return rounded(value) if abs(value) >= LEAST_RATING else round(value, digits)


def short_in_public(subject: Subject) -> Iterator[str]:
    """Yield the sentences of the short form that rest on published figures alone."""
    yield f"{scored(subject)}{', with a bonus' if has_bonus(subject) else ''}."
    yield from settlement(subject)
    yield from result_in_short(subject)
    yield WITHHELD


def has_bonus(subject: Subject) -> bool:
    """Return whether a bonus is part of the new rating."""
    return subject.columns.formula[subject.at] == STANDARD and subject.columns.bonus[subject.at] > 0.0


def start_in_public(subject: Subject) -> ExplainedStep:
    """Explain the rating before the section where a list shows it; of an initial one only that there was none."""
    if subject.rated.sources[subject.at] == RATED:
        return explained_start(subject)
    return ExplainedStep("Step 1: initial rating", ("Unrated in this system.",))


def steps_in_public(subject: Subject) -> Iterator[ExplainedStep]:
    """Yield the start where a list shows it, the formula with K and whether a bonus was earned, and the result."""
    columns, at = subject.columns, subject.at
    yield start_in_public(subject)
    figures = [Figure("rated games (m)", len(subject.games))]
    text = ["Special formula: the rating before rests on few games, or there was none."]
    rules = subject.cite("special_most_games")
    if columns.formula[at] == STANDARD:
        text = [formula_reason(subject), k_text(subject), eligibility_text(subject)]
        figures += [
            Figure("K", columns.k[at]),
            Figure("most games against one opponent", columns.most_meetings[at]),
            Figure("bonus", yes_or_no(has_bonus(subject))),
        ]
        rules += k_rules(subject) + subject.cite("bonus_multiplier")
    yield ExplainedStep("The formula", tuple(text), tuple(figures), (), rules)
    result = explained_result(subject)
    shown = tuple(one for one in result.figures if one.name not in EXACT_RESULTS)
    yield result._replace(figures=shown)
