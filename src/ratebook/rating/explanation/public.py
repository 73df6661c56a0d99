"""What anyone may read of an explanation: what is published, and what follows from it, whatever the ages of newcomers.

The figures of the steps are those of the section rated from published ratings, at both ends of what ages allow
(`ages.rate_at_ends`): one figure where the ends agree, else a range. The rating after is the published one.

Source: RULINGS R23; docs/rules/readings.md#initial-ratings-and-ages.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from ratebook.model import PlayerFacts, System
from ratebook.rating.explanation import passes, result, short
from ratebook.rating.explanation.ages import rate_at_ends
from ratebook.rating.explanation.explain import explained_steps
from ratebook.rating.explanation.initial import explained_start
from ratebook.rating.explanation.notes import depends_on_age
from ratebook.rating.explanation.parts import Subject, added_up, yes_or_no
from ratebook.rating.floors import ENTERED, NO_FLOOR
from ratebook.rating.formulas import expected_score, provisional_expected_score, rounded
from ratebook.rating.results import RatedSection
from ratebook.rating.settlement import NO_CEILING, limited_change
from ratebook.rating.step1 import RATED
from ratebook.rating.steps import STANDARD
from ratebook.records.explanations import ExplainedStep, Explanation, Figure, GameFigure, PublicGame, Span
from ratebook.rules.in_force import FLOAT
from ratebook.rules.rulebook import Rulebook

AGES = (
    "A player in this section was unrated and starts from a rating based on age, which is not public:"
    " a figure that depends on it is shown as a range over all ages."
)
UNKNOWN_START = "Unrated before; the starting rating is based on an age, which is not public."
DEPENDS = "depends on an age that is not public"
EXACT_RESULTS = ("rating after", "rating after match limits", "rating as stored")
"""Figures of the result that are shown once, as displayed."""
NOT_BOUNDED = {passes.EARLIER, passes.WITH_EARLIER, passes.CHANGE, passes.BONUS}
"""Figures of a pass that are left out if the player's own start counts and depends on age: they add nothing."""
COUNTS, CHANGES = "games", "earlier match changes"
"""How the names of figures begin that are shown as they are, and of those whose decimals are ratings' decimals."""
STARTS = 2
"""Figures of a start that are public: R0 and N."""
UNLIMITED = 1e6
"""Points beyond every limit of matches."""
LEAST_RATING = 10.0
"""Figures from here on are shown in whole points; expected scores and bonuses of few points are smaller."""


def explain_in_public(rated: RatedSection, seat: int, rulebook: Rulebook) -> Explanation | None:
    """Return what anyone may read of how the rating at *seat* came about; None where no such seat was rated.

    It is the same for any two choices of birth dates, and of the decimals of ratings, that publish the same ratings,
    games and floors.
    """
    subject = Subject.at_seat(rated, seat, rulebook)
    if subject is None:
        return None
    ends = [end for rated_end in rate_at_ends(rated) if (end := Subject.at_seat(rated_end, seat, rulebook))]
    begin = _start_in_public(subject, ends)
    if subject.entry.workings is None:
        steps = (begin, *explained_steps(subject)[1:])
        sentences: Iterable[str] = (short.NOTHING_CHANGES,)
    else:
        steps = (begin, *_steps_in_public(subject, ends))
        sentences = _short_in_public(subject, ends, steps)
    explanation = subject.explanation(sentences, steps)
    return replace(explanation, games=tuple(played_games(ends[0])), exact=False)


def played_games(subject: Subject) -> Iterator[PublicGame]:
    """Yield the rated games of the player, as a crosstable shows them."""
    section, seats = subject.rated.section, subject.rated.games.seats
    own = [other for other in section.entries if other.player == subject.entry.player]
    keys = subject.opponents()
    for game in subject.games:
        number, seat = subject.rated.games.rounds[game], seats[game]
        cells = (other.rounds[number - 1] for other in own if len(other.rounds) >= number)
        yield PublicGame(
            round=number,
            colour=next((cell.colour for cell in cells if cell.opponent == seat), ""),
            opponent_seat=seat,
            opponent=subject.name_of(seat),
            score=subject.columns.score[game],
            rating_before=published_before(subject.rated.facts[keys[seat]], subject.rated.system),
        )


def published_before(facts: PlayerFacts, system: System) -> int | None:
    """Return a player's published rating before the section; None for "unrated"."""
    rating = facts.ratings.get(system)
    return None if rating is None else int(rounded(rating.rating))


# Figures between the ends


def between(values: Sequence[Figure], name: str) -> Figure:
    """Return the figure *name* from its values at the ends: one where they agree, else a range or a word."""
    numbers = [value for value in values if isinstance(value, float)]
    if len(numbers) < len(values) or name.startswith(COUNTS):
        return values[0] if all(value == values[0] for value in values) else DEPENDS
    return _span(numbers, 2 if "score" in name else 0 if name.startswith(CHANGES) else 1)


def _span(values: Sequence[float], digits: int) -> float | Span:
    """Return numbers at the ends as one, as displayed, or as the range that they span."""
    least, most = displayed(min(values), digits), displayed(max(values), digits)
    return least if least == most else Span(least=least, most=most)


def displayed(value: float, digits: int) -> float:
    """Return a figure as precisely as ratings are published, one below ten with so many *digits*.

    >>> displayed(745.349383, 1), displayed(2.544189, 2)
    (745.0, 2.54)
    """
    return rounded(value) if abs(value) >= LEAST_RATING else round(value, digits)


def _merged(steps: Sequence[ExplainedStep]) -> ExplainedStep:
    """Return a step from what it is at the ends: the sentences of all, and each figure between its values."""
    first = steps[0]
    return replace(
        first,
        text=tuple(line for line in first.text if all(line in step.text for step in steps)),
        figures={
            name: between([step.figures[name] for step in steps], name)
            for name in first.figures
            if all(name in step.figures for step in steps)
        },
    )


def _merged_pass(ends: Sequence[Subject], of_ends: Sequence[passes.Pass]) -> ExplainedStep:
    """Return a pass between the ends: an expected score rises with the own rating, and falls with the opponent's."""
    step = _merged(
        [passes.explained_pass(end, rating_pass) for end, rating_pass in zip(ends, of_ends, strict=True)]
    )
    subject, rules, first = ends[0], ends[0].rules, of_ends[0]
    starts = [end.columns.rating[end.at] for end in ends]
    own = [rating_pass.result for rating_pass in of_ends] if first.special else starts
    expected_of = provisional_expected_score if first.special else expected_score
    games: list[GameFigure] = []
    sums: tuple[list[float], list[float]] = [], []
    shown_games = subject.games_shown(first.faced, first.expectancy)
    for at, game in zip(subject.games, shown_games, strict=True):
        faced = [rating_pass.faced[subject.columns.opponent[at]] for rating_pass in of_ends]
        expected = (expected_of(rules, min(own), max(faced)), expected_of(rules, max(own), min(faced)))
        for bounds, value in zip(sums, expected, strict=True):
            bounds.append(value)
        games.append(replace(game, opponent_rating=_span(faced, 1), expected=_span(expected, 2)))
    text, figures = step.text, step.figures
    if min(starts) < max(starts) and first.prior_games > 0.0:
        # What the games before weigh moves with the own start: only sums of what is shown are bounds.
        expected_sum = between([added_up(bounds) for bounds in sums], passes.EXPECTED)
        known = {name: value for name, value in figures.items() if name not in NOT_BOUNDED}
        figures = known | {passes.EXPECTED: expected_sum}
    if any(isinstance(value, Span) for value in figures.values()):
        # It may hold at both ends and not between them.
        text = tuple(line for line in text if line != passes.NEAREST_TAKEN)
    return replace(step, text=text, figures=figures, games=tuple(games))


# The steps


def _start_in_public(subject: Subject, ends: Sequence[Subject]) -> ExplainedStep:
    """Explain the rating before the section where a list shows it; of an initial one what follows from no age."""
    begin = _merged([explained_start(end) for end in ends])
    if subject.rated.sources[subject.at] == RATED:
        return begin
    text = "Unrated in this system."
    if depends_on_age(subject.rated, subject.at):
        text += " The player's starting rating is based on age, which is not public."
    figures = dict(islice(begin.figures.items(), STARTS))
    return replace(begin, title="Step 1: initial rating", text=(text,), figures=figures, rules=())


def _steps_in_public(subject: Subject, ends: Sequence[Subject]) -> Iterator[ExplainedStep]:
    before, after = zip(*(passes.passes_of(end) for end in ends), strict=True)
    if subject.foreign:
        yield _merged([passes.eligibility(end) for end in ends])
    for steps in zip(*(passes.effective_games(end) for end in ends), strict=True):
        yield _merged(steps)
    for of_ends in zip(*before, strict=True):
        yield _merged_pass(ends, of_ends)
    common = _merged([passes.formula(end) for end in ends])
    if ends[0].columns.formula[ends[0].at] == STANDARD:
        bonus = between([yes_or_no(_has_bonus(end)) for end in ends], passes.BONUS)
        common = replace(common, figures={**common.figures, passes.BONUS: bonus})
    yield common
    for of_ends in zip(*after, strict=True):
        yield _merged_pass(ends, of_ends)
    yield _result_in_public(subject, ends)


def _has_bonus(subject: Subject) -> bool:
    return subject.columns.formula[subject.at] == STANDARD and subject.columns.bonus[subject.at] > 0.0


def _result_in_public(subject: Subject, ends: Sequence[Subject]) -> ExplainedStep:
    """Explain the published rating: at which floor or limit it is, not how decimals came to it."""
    step = _merged([result.explained_result(subject)])
    text = [
        line
        for line in step.text
        if line in {result.STORED_AS_INTEGER, result.STORED_AS_NEAREST, result.GAMES_BY_WEIGHT}
    ]
    decided = tuple(_settled_in_public(subject))
    text += decided or ("No floor, ceiling or match limit is reached.",)
    if not decided and subject.rules.stored_precision == FLOAT:
        computed = [rounded(end.columns.step5[end.at]) for end in ends]
        after = subject.entry.after
        if after is not None and not min(computed) <= after.published <= max(computed):
            text.append(
                f"Computed from published ratings, it comes to {short.spanned(map(short.shown, computed))};"
                " the rating itself is computed with decimals, which are not public."
            )
    figures = {name: value for name, value in step.figures.items() if name not in EXACT_RESULTS}
    return replace(step, text=tuple(text), figures=figures)


def _settled_in_public(subject: Subject) -> Iterator[str]:
    """Yield at which floor, ceiling or limit of matches the published rating is."""
    settled, at, after = subject.settled, subject.at, subject.entry.after
    if after is None:
        return
    before = rounded(subject.columns.rating[at])
    change = after.published - before
    if subject.match and change:
        # Whatever the change were: the limits alone decide what a match may add or take.
        unlimited = math.copysign(UNLIMITED, change)
        allowed = limited_change(subject.rules, unlimited, settled.net_short[at], settled.net_long[at])
        if rounded(allowed) == change:
            yield f"The limits of match play allow {change:+.0f}."
    if settled.lowered_to[at] != NO_FLOOR:
        yield f"The office granted the floor request, and the floor is now {short.shown(settled.lowered_to[at])}."
    elif after.published == rounded(settled.floor[at]):
        entered = "the floor that the office has entered"
        floor = (
            entered
            if settled.floor_kind[at] == ENTERED
            else f"the {result.FLOOR_WORDS[settled.floor_kind[at]]}"
        )
        yield f"The rating is at {floor}, {after.published}."
    if settled.request_open[at]:
        yield "The office has not yet answered the floor request."
    if settled.ceiling[at] != NO_CEILING and after.published >= rounded(settled.ceiling[at]):
        yield f"The office has set a ceiling of {short.shown(settled.ceiling[at])}."


# In short


def _short_in_public(
    subject: Subject, ends: Sequence[Subject], steps: Sequence[ExplainedStep]
) -> Iterator[str]:
    """Yield the sentences of the short form: what was scored against whom, and the published ratings."""
    aged = depends_on_age(subject.rated, subject.at)
    if aged:
        yield UNKNOWN_START
    elif subject.rated.sources[subject.at] != RATED:
        yield short.start(ends[0])
    decided = tuple(_settled_in_public(subject))
    if subject.columns.formula[subject.at] == STANDARD:
        expected = steps[-2].figures[passes.EXPECTED]
        text = f"{short.scored(subject)} against {_in_words(expected)} expected"
        after = subject.entry.after
        bonus = _bonus_in_words(ends)
        if aged or decided or after is None:
            bonus = bonus and f", with a bonus of {bonus}"
        else:
            change = after.published - rounded(subject.columns.rating[subject.at])
            bonus = f": {change:+.0f}" + (bonus and f", of which {bonus} are bonus")
        yield f"{text}{bonus}."
        yield from short.kind(ends[0])
    else:
        yield f"{short.scored(subject)}."
    yield short.opponents(*ends)
    if subject.columns.formula[subject.at] != STANDARD and not aged:
        yield from short.earlier_games(ends[0])
    yield from decided
    yield from short.result_in_short(subject)
    if any(isinstance(value, Span) or value == DEPENDS for value in _values_of(steps)):
        yield AGES


def _in_words(value: Figure) -> str:
    if isinstance(value, Span):
        return short.spanned((f"{value.least:.2f}", f"{value.most:.2f}"))
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def _bonus_in_words(ends: Sequence[Subject]) -> str:
    """Return what of the change is bonus, at least and at most; nothing where none shows."""
    least, most = (end.columns.bonus[end.at] for end in (ends[0], ends[-1]))
    return short.spanned((short.shown(least), short.shown(most))) if most >= short.SHOWN else ""


def _values_of(steps: Iterable[ExplainedStep]) -> Iterator[Figure]:
    for step in steps:
        yield from step.figures.values()
        for game in step.games:
            yield from (game.opponent_rating, game.expected)
