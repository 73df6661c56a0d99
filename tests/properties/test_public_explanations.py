"""What anyone may read of an explanation does not tell the age of a newcomer."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ratebook.rating.explanation.public import explain_in_public
from ratebook.reports.rate import rate_report
from ratebook.rules.rulebook import load_rulebook
from support.report_strategies import reports

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ratebook.model import Report
    from ratebook.rating.explanation.parts import ExplainedStep, Explanation
    from ratebook.reports.rate import RatedReport

RULEBOOK = load_rulebook()


@given(report=reports(), days=st.integers(1, 2000))
@settings(max_examples=20)
def test_other_birth_dates_change_a_public_explanation_by_no_more_than_rounding(
    report: Report, days: int
) -> None:
    players = {
        key: facts._replace(birth_date=facts.birth_date and facts.birth_date - timedelta(days))
        for key, facts in report.players.items()
    }
    one, other = (rate_report(each, RULEBOOK) for each in (report, report._replace(players=players)))
    assume(published(one) == published(other))
    for mine, theirs in zip(explanations(one), explanations(other), strict=True):
        assert mine.short == theirs.short
        for step, its in zip(mine.steps, theirs.steps, strict=True):
            assert words_of(step) == words_of(its)
            for figure, another in zip(numbers_of(step), numbers_of(its), strict=True):
                assert abs(figure - another) <= (1.0 if abs(figure) >= 9.0 else 0.011)


@given(report=reports())
@settings(max_examples=20)
def test_no_figure_of_a_public_explanation_is_more_precise_than_a_published_rating(report: Report) -> None:
    for explanation in explanations(rate_report(report, RULEBOOK)):
        for step in explanation.steps:
            assert [
                number
                for number in numbers_of(step)
                if number != round(number, 0 if abs(number) >= 10.0 else 2)
            ] == []


def published(rated: RatedReport) -> list[int | None]:
    """Return all ratings after, as they are published."""
    return [
        None if entry.after is None else entry.after.published
        for section in rated.sections
        for entry in section.entries
    ]


def explanations(rated: RatedReport) -> Iterator[Explanation]:
    for section in rated.sections:
        for entry in section.entries:
            explained = explain_in_public(section, entry.seat, RULEBOOK)
            assert explained is not None
            yield explained


def words_of(step: ExplainedStep) -> object:
    """Return what a step says beside numbers that may be rounded."""
    figures = [(one.name, None if isinstance(one.value, float) else one.value) for one in step.figures]
    games = [(one.round, one.opponent, one.score) for one in step.games]
    return step.title, step.text, figures, games, step.rules


def numbers_of(step: ExplainedStep) -> list[float]:
    figures = [one.value for one in step.figures if isinstance(one.value, float)]
    return figures + [number for one in step.games for number in (one.opponent_rating, one.expected)]
