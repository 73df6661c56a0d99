"""The answer to why a rating moved, read from an explanation: the sentence, the games, the sums."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ratebook.pages.columns import points_words
from ratebook.rating.explanation.initial import BEFORE, RATED_BEFORE
from ratebook.rating.explanation.passes import BONUS, CHANGE, EARLIER, EXPECTED, PRIOR, TARGET, THRESHOLD
from ratebook.rating.explanation.result import DISPLAYED
from ratebook.rating.explanation.short import NOTHING_CHANGES, says_score
from ratebook.rating.formulas import expected_within, rounded
from ratebook.records.explanations import (
    ExplainedStep,
    Explanation,
    Figure,
    Figures,
    GameFigure,
    PublicGame,
    Span,
)

FACTOR, PLAYED = "K", "rated games (m)"
FLOOR, PEAK = "highest floor in force", "highest established rating before"


class ExplainedGame(NamedTuple):
    """A game with what was expected of it, if a figure says so, and the points that it gave by K."""

    game: PublicGame
    expected: float | Span | None
    points: float | None


class RatingAnswer(NamedTuple):
    """Why a rating moved.

    Attributes:
        before: None for who was unrated.
        after: None for who still is.
        expected: the score that the rating before let expect, where public figures give one.
        said: the short form without what the heading says of the score.
        sums: the formula with the player's figures put in.
        notes: what no sum says of the result.
    """

    before: int | None
    after: int | None
    score: float
    expected: float | Span | None
    games: tuple[ExplainedGame, ...]
    said: tuple[str, ...]
    sums: tuple[str, ...]
    notes: tuple[str, ...]
    floor: Figure
    peak: Figure

    @property
    def change(self) -> int | None:
        """Return the difference of the published ratings."""
        return None if self.before is None or self.after is None else self.after - self.before


def answer_of(explanation: Explanation) -> RatingAnswer:
    """Return the answer in an explanation; in one for the office, games show the ratings that the last pass used."""
    start, result = explanation.steps[0].figures, explanation.steps[-1].figures
    is_rated = explanation.steps[0].title == RATED_BEFORE
    before, after = start.get(BEFORE) if is_rated else None, result.get(DISPLAYED)
    used = next((step.games for step in reversed(explanation.steps) if step.games), ())
    games = explanation.games or tuple(map(_as_used, used))
    last = explanation.steps[-2] if games else None
    common: dict[str, Figure] = {}
    for step in explanation.steps[1:]:
        common |= {
            name: step.figures[name] for name in (FACTOR, PRIOR, PLAYED, THRESHOLD) if name in step.figures
        }
    rules = {rule.rule: rule.value for step in explanation.steps for rule in step.rules}
    standard = last is not None and CHANGE in last.figures
    expected = _number(last.figures.get(EXPECTED)) if last is not None and standard else None
    if last is not None and TARGET in last.figures and isinstance(before, float):
        last = _expecting(last, before, float(rules["special_reach"]))
        expected = _added([game.expected for game in last.games])
    answer = RatingAnswer(
        before=int(rounded(before)) if isinstance(before, float) else None,
        after=int(after) if isinstance(after, int | float) else None,
        score=sum(game.score for game in games),
        expected=expected,
        games=tuple(_games(games, last, common.get(FACTOR) if standard else None)),
        said=(),
        sums=(),
        # The first line of a pass says at which step's results opponents count: that is for the steps in full.
        notes=() if standard else (*(() if last is None else last.text[1:]), *explanation.steps[-1].text),
        floor=result.get(FLOOR),
        peak=result.get(PEAK),
    )
    answer = answer._replace(said=tuple(_said(explanation.short, answer)))
    if last is None:
        return answer
    if not standard:
        return answer._replace(sums=tuple(_balance(answer.score, last.figures)))
    k = _k_sum(before if isinstance(before, float) else 0.0, common, rules)
    sums = [k, _change_sum(answer, last, common.get(FACTOR)), _bonus_sum(last.figures, common)]
    return answer._replace(sums=tuple(filter(None, sums)))


def _said(short: Iterable[str], answer: RatingAnswer) -> Iterator[str]:
    """Yield the sentences of a short form; that of the score only where the heading has less."""
    is_in_heading = answer.expected is None or answer.before is not None
    for sentence in short:
        if sentence != NOTHING_CHANGES and not (is_in_heading and says_score(sentence)):
            yield sentence


def _expecting(last: ExplainedStep, own: float, reach: float) -> ExplainedStep:
    """Return a pass by the special formula with what the rating before, not the one after, let expect of each game.

    Source: D25 section 4.1 (PWe).
    """
    games = []
    for game in last.games:
        faced = game.opponent_rating
        ends = (faced.most, faced.least) if isinstance(faced, Span) else (faced, faced)
        least, most = (expected_within(reach, own, rating) for rating in ends)
        games.append(replace(game, expected=least if least == most else Span(least=least, most=most)))
    return replace(last, games=tuple(games))


def _added(expected: Sequence[float | Span]) -> float | Span:
    least, most = (
        sum(getattr(each, end) if isinstance(each, Span) else each for each in expected)
        for end in ("least", "most")
    )
    return least if least == most else Span(least=least, most=most)


def _number(figure: Figure) -> float | Span | None:
    return figure if isinstance(figure, float | Span) else None


def _as_used(figure: GameFigure) -> PublicGame:
    used = figure.opponent_rating
    return PublicGame(
        round=figure.round,
        colour="",
        opponent_seat=figure.opponent_seat,
        opponent=figure.opponent,
        score=figure.score,
        rating_before=int(rounded(used)) if isinstance(used, float) else None,
    )


def _games(
    played: Sequence[PublicGame], last: ExplainedStep | None, factor: Figure
) -> Iterator[ExplainedGame]:
    figures: dict[tuple[int, int], GameFigure] = {}
    if last is not None:
        figures = {(game.round, game.opponent_seat): game for game in last.games}
    for game in played:
        figure = figures.get((game.round, game.opponent_seat))
        expected = None if figure is None else figure.expected
        counts = isinstance(expected, float) and isinstance(factor, float)
        yield ExplainedGame(game, expected, factor * (game.score - expected) if counts else None)  # type: ignore[operator]


def _k_sum(before: float, common: Figures, rules: Mapping[str, float | str]) -> str:
    """Return how K follows from the games before and those of the section.

    Source: D25 section 4.2; half K: A01.
    """
    if FACTOR not in common or PRIOR not in common:
        return f"K = {_text(common[FACTOR])}" if FACTOR in common else ""
    factor, prior, played = (_text(common.get(name)) for name in (FACTOR, PRIOR, PLAYED))
    numbers = {name: f"{value:g}" for name, value in rules.items() if isinstance(value, int | float)}
    divisor = f"{prior} + {played}"
    if "half_k_numerator" in rules:
        numerator = numbers["half_k_numerator"]
        divisor = f"{prior} + {numbers['half_k_game_weight']} \u00d7 {played}"
    elif before <= float(rules.get("reduced_k_above", math.inf)):
        numerator = numbers["k_numerator"]
    elif before >= float(rules["reduced_k_least_from"]):
        numerator = numbers["reduced_k_least_numerator"]
    else:
        of_rating = f"{numbers['reduced_k_slope']} \u00d7 {rounded(before):.0f}"
        numerator = f"{numbers['k_numerator']} \u00d7 ({numbers['reduced_k_intercept']} \u2212 {of_rating})"
    return f"K = {numerator} / ({divisor}) \u2248 {factor}, from {prior} effective games before and {played} here"


def _change_sum(answer: RatingAnswer, last: ExplainedStep, factor: Figure) -> str:
    if answer.before is None or answer.expected is None or factor is None:
        return ""
    bonus = last.figures.get(BONUS)
    extra = f" + {_text(bonus)} bonus" if bonus else ""
    above = f"({points_words(answer.score)} \u2212 {_text(answer.expected)})"
    return f"{answer.before} + {_text(factor)} \u00d7 {above}{extra} → {answer.after}"


def _bonus_sum(figures: Figures, common: Figures) -> str:
    if not figures.get(BONUS):
        return ""
    return f"Bonus: the part of the gain of {_text(figures[CHANGE])} that is above {_text(common[THRESHOLD])}"


def _balance(score: float, figures: Figures) -> Iterator[str]:
    """Yield both sides of the special formula: the score, and what the rating that it gives lets expect."""
    target, expected, earlier = (figures.get(name) for name in (TARGET, EXPECTED, EARLIER))
    *_, result = figures.values()
    if not (
        isinstance(target, float)
        and isinstance(expected, float)
        and isinstance(earlier, float)
        and isinstance(result, float)
    ):
        return
    has_earlier = figures[PRIOR] != 0.0
    yield f"Scored: {points_words(score)} here" + (
        f" + {target - score:.4g} in games before" if has_earlier else ""
    )
    of_result = f"Expected of a rating of {rounded(result):.0f}: {expected:.2f} here"
    yield of_result + (f" + {earlier:.2f} in games before" if has_earlier else "")


def _text(figure: Figure) -> str:
    """Return a figure of a sum, where two decimals are enough: the steps have all of them."""
    if isinstance(figure, Span):
        return f"{_text(figure.least)} to {_text(figure.most)}"
    return f"{round(figure, 2):g}" if isinstance(figure, int | float) else str(figure)
