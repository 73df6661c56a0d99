"""An explanation of one player's rating, rendered from the workings of the section and the sources of its rules."""

from collections.abc import Callable
from typing import TypeAlias

from ratebook.rating.explanation.initial import explained_start
from ratebook.rating.explanation.parts import Subject
from ratebook.rating.explanation.passes import explained_passes
from ratebook.rating.explanation.result import explained_result
from ratebook.rating.explanation.short import NOTHING_CHANGES, in_short
from ratebook.rating.foreign import not_eligible_because
from ratebook.rating.results import RatedSection
from ratebook.records.explanations import ExplainedStep, Explanation
from ratebook.rules.rulebook import Rulebook

Explainer: TypeAlias = Callable[[RatedSection, int, Rulebook], Explanation | None]
"""Explains the rating of a seat of a rated section, by the rulebook that rated it."""


def explain(rated: RatedSection, seat: int, rulebook: Rulebook) -> Explanation | None:
    """Return how the rating of the player at *seat* came about; None where no such seat was rated.

    Source: the workings in *rated*; the sources of the rules in *rulebook* (the one that rated the section).
    """
    subject = Subject.at_seat(rated, seat, rulebook)
    return None if subject is None else subject.explanation(in_short(subject), explained_steps(subject))


def explanation_of(rated: RatedSection, seat: int, rulebook: Rulebook) -> Explanation:
    """Return how the rating of the player at *seat* came about, as `explain` does.

    Raises:
        LookupError: no such seat was rated.
    """
    explanation = explain(rated, seat, rulebook)
    if explanation is None:
        raise LookupError(f"seat {seat} of {rated.section!r} was not rated")
    return explanation


def explained_steps(subject: Subject) -> tuple[ExplainedStep, ...]:
    """Return all steps that concern the player."""
    start = explained_start(subject)
    if subject.entry.workings is not None:
        return (start, *explained_passes(subject), explained_result(subject))
    text = [NOTHING_CHANGES]
    if subject.foreign:
        reason = not_eligible_because(subject.facts, subject.rated.system, subject.rules)
        if reason:
            text.append(f"The rating is not updated for this foreign FIDE event: {reason}.")
    return (start, ExplainedStep(title="Result", text=tuple(text)))
