"""What a book says, as programs read it."""

from collections.abc import Iterable
from typing import TypeVar, overload

from ratebook.book.ledger.careers import EarnedTitle
from ratebook.model import Shown, System
from ratebook.rating.explanation.parts import Explanation, Span
from ratebook.titles.title_rules import title_rules
from ratebook.wire import (
    ExplainedGame,
    ExplainedRule,
    FigureRange,
    OwnGame,
    PublishedRating,
    RatingExplanation,
    RatingStep,
    Title,
)

Figure = TypeVar("Figure", bound=float | str | None)


@overload
def published(rating: Shown) -> PublishedRating: ...


@overload
def published(rating: Shown | None) -> PublishedRating | None: ...


def published(rating: Shown | None) -> PublishedRating | None:
    """Return a rating as programs read it."""
    return None if rating is None else PublishedRating(*rating)


def titles_named(earned: Iterable[EarnedTitle]) -> list[Title]:
    """Return titles with their names."""
    names = {kind.code: kind.name for kind in title_rules().titles}
    return [Title(one.title, names.get(one.title, one.title), one.earned) for one in earned]


def explained(one: Explanation) -> RatingExplanation:
    """Return why a rating moved, as programs read it."""
    return RatingExplanation(
        System(one.system),
        one.rules_date,
        list(one.short),
        [
            RatingStep(
                step.title,
                list(step.text),
                {figure.name: figure_of(figure.value) for figure in step.figures},
                [
                    ExplainedGame(
                        game.round,
                        game.opponent,
                        game.score,
                        figure_of(game.opponent_rating),
                        figure_of(game.expected),
                    )
                    for game in step.games
                ],
                [
                    ExplainedRule(rule.rule, rule.value, rule.document, rule.where, rule.status)
                    for rule in step.rules
                ],
            )
            for step in one.steps
        ],
        one.exact,
        [OwnGame(**game._asdict()) for game in one.games],
    )


def figure_of(value: Figure | Span) -> Figure | FigureRange:
    """Return a figure as programs read it."""
    return FigureRange(value.least, value.most) if isinstance(value, Span) else value
