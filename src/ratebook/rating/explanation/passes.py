"""Steps 2 to 5 of an explanation, and the one pass of a foreign FIDE event."""

import math
from collections.abc import MutableSequence
from typing import NamedTuple

from ratebook.model import System
from ratebook.rating import formulas
from ratebook.rating.explanation.parts import Subject, games_text, shown_games, yes_or_no
from ratebook.rating.special import (
    ALL_LOSSES,
    ALL_WINS,
    MIXED,
    expected_of_earlier_games,
    ramp_of_earlier_games,
)
from ratebook.rating.steps import SPECIAL, STANDARD, SectionColumns, rate_all, rate_by_special
from ratebook.records.explanations import ExplainedStep, Figure, Figures, RuleUsed
from ratebook.rules.in_force import BEFORE, FIDE_TABLE, LINEAR, LOGISTIC, NORMAL, OFF, UNLIMITED
from ratebook.rules.timeline import fields_of_rule

PRIOR = "effective games (N')"
TARGET = "score with earlier games (S')"
EXPECTED = "expected score (E)"
EARLIER = "expected of earlier games (N' PWe(R, R0'))"
WITH_EARLIER = "expected with earlier games"
CHANGE = "K (S - E)"
BONUS, THRESHOLD = "bonus", "bonus threshold (B sqrt(m'))"

SPECIAL_RULES = ("special_reach", "special_ceiling", "absolute_floor")


EXPECTANCY_TEXT = {
    LOGISTIC: "The expected score follows from the difference of the ratings by the logistic curve",
    LINEAR: "The expected score rises in a straight line with the difference of the ratings",
    NORMAL: "The expected score follows from the difference of the ratings by the normal curve",
    FIDE_TABLE: "The expected score comes from FIDE's table of differences",
}
EXPECTANCY_RULES = {LINEAR: "special_reach", FIDE_TABLE: "expectancy"}
"""The rule that has the scale of a winning expectancy; of the others it is that of US Chess."""

BALANCED = 1e-6
"""Games by which the sides of the special formula may differ and still count as equal, for words alone."""
NEAREST_TAKEN = (
    "Both sides are equal at other ratings too; the one nearest to the rating at the start is taken."
)


class Pass(NamedTuple):
    """One pass over the section: what the player's opponents are rated, and what comes of it.

    Attributes:
        title: of the step.
        result_name: of the figure of the result.
        text: how the opponents are rated, in words.
        special: whether the special formula rates the player in it.
        columns: the columns as this pass left them.
        prior_games: N' of this pass.
        faced: the ratings that opponents face.
        expectancy: the expected score of each game.
        result: the player's rating after it.
    """

    title: str
    result_name: str
    text: tuple[str, ...]
    special: bool
    columns: SectionColumns
    prior_games: float
    faced: MutableSequence[float]
    expectancy: MutableSequence[float]
    result: float


def explained_passes(subject: Subject) -> tuple[ExplainedStep, ...]:
    """Explain how many games the rating counts as, the formula, and each pass over the section."""
    before, after = passes_of(subject)
    return (
        *((eligibility(subject),) if subject.foreign else ()),
        *effective_games(subject),
        *(explained_pass(subject, rating_pass) for rating_pass in before),
        formula(subject),
        *(explained_pass(subject, rating_pass) for rating_pass in after),
    )


def passes_of(subject: Subject) -> tuple[tuple[Pass, ...], tuple[Pass, ...]]:
    """Return the passes before the formula that all others have in common, and these."""
    if subject.foreign:
        return (), (_last_pass(subject),)
    if subject.rules.opponent_ratings == BEFORE:
        return _third_steps(subject), (_last_pass(subject),)
    return _third_steps(subject), (_fourth_step(subject), _last_pass(subject))


def eligibility(subject: Subject) -> ExplainedStep:
    """Explain why the rating is updated for a foreign FIDE event."""
    facts = subject.facts
    return ExplainedStep(
        title="Update for a foreign FIDE event",
        text=("The rating is updated: the player meets the conditions of these rules.",),
        figures={
            "games (N)": shown_games(subject.columns.games[subject.at]),
            "FIDE rating": None if facts.fide is None else facts.fide.rating,
            "under the US flag": yes_or_no(facts.usa_flag),
            "member": yes_or_no(facts.us_member),
            "opted in": yes_or_no(facts.fide_opt_in),
        },
        rules=subject.cite(
            "foreign_eligibility",
            "foreign_automatic_rating",
            "foreign_games_above",
            "established_above_games",
        ),
    )


def effective_games(subject: Subject) -> tuple[ExplainedStep, ...]:
    """Explain the effective number of games; nothing where it decides nothing."""
    columns, at, rules = subject.columns, subject.at, subject.rules
    if columns.formula[at] != SPECIAL and (formulas.has_plain_k(rules) or rules.effective_games_most < 0.0):
        return ()
    second = ExplainedStep(
        title="Step 2: effective number of games",
        text=(
            "N' is the smaller of N and N*, which depends on the rating:",
            "N* = most / sqrt(constant + slope (centre - R0)^2) up to the knee, most above it.",
        ),
        figures={
            "games (N)": shown_games(columns.games[at]),
            "most that the rating allows (N*)": columns.most_games[at],
            PRIOR: columns.effective_games[at],
        },
        rules=subject.cite(*fields_of_rule("effective_games")),
    )
    return (second,)


def formula(subject: Subject) -> ExplainedStep:
    """Explain which formula rates the player, and what of it is the same in every pass."""
    once = subject.foreign or subject.rules.opponent_ratings == BEFORE
    title = "The formula" if once else "Steps 4 and 5: the formula"
    columns, at = subject.columns, subject.at
    figures: dict[str, Figure] = {"rated games (m)": len(subject.games)}
    text = [_formula_reason(subject)]
    rules = subject.cite("special_most_games")
    if columns.formula[at] == SPECIAL:
        if columns.record[at] != MIXED:
            rules += subject.cite("special_unbroken_shift")
        text.append("R is the rating at which the expected score, N' PWe(R, R0') + sum of PWe(R, Ri), is S'.")
        rules += subject.cite(*SPECIAL_RULES)
        return ExplainedStep(title=title, text=tuple(text), figures=figures, rules=rules)
    text.append(_k_text(subject))
    figures["K"] = columns.k[at]
    rules += _k_rules(subject) + _expectancy_rules(subject)
    if not formulas.compares_strengths(subject.rules):
        text.append(_expectancy_text(subject))
    if subject.rules.bonus_multiplier < 0.0:
        rules += subject.cite("bonus_multiplier")
    elif not subject.match:
        counted = formulas.games_counted_for_bonus(subject.rules, float(len(subject.games)))
        figures |= {
            "most games against one opponent": columns.most_meetings[at],
            "games counted for the bonus (m')": counted,
            THRESHOLD: columns.bonus_threshold[at],
        }
        rules += subject.cite(
            "bonus_multiplier", "bonus_least_counted_games", *fields_of_rule("bonus_eligibility")
        )
    text.append(_eligibility_text(subject))
    rules += subject.cite("absolute_floor")
    return ExplainedStep(title=title, text=tuple(text), figures=figures, rules=rules)


def _formula_reason(subject: Subject) -> str:
    columns, rules = subject.columns, subject.rules
    games = f"N = {games_text(columns.games[subject.at])}"
    if math.isinf(columns.games[subject.at]):
        games = "N of an established rating"
    if subject.foreign:
        return "Standard formula, applied once against converted FIDE ratings."
    if rules.special_most_games < 0.0:
        return "Standard formula: these rules have no other."
    if columns.formula[subject.at] == STANDARD:
        return f"Standard formula: {games} is more than {rules.special_most_games:g}."
    shift = f"{rules.special_unbroken_shift:g}"
    if columns.record[subject.at] == ALL_WINS:
        return f"Special formula: all games so far were wins, so R0' = R0 - {shift} and S' = S + N'."
    if columns.record[subject.at] == ALL_LOSSES:
        return f"Special formula: all games so far were losses, so R0' = R0 + {shift} and S' = S."
    return (
        f"Special formula: {games} is not more than {rules.special_most_games:g};"
        " R0' = R0 and S' = S + N' / 2."
    )


def _may_reduce_k(subject: Subject) -> bool:
    """Return whether a high rating would have its K reduced in this section and system."""
    return (
        subject.rated.dual_rated
        and subject.rated.system is System.REGULAR
        and subject.rules.reduced_k_above >= 0.0
        and not formulas.has_plain_k(subject.rules)
        and not (subject.half_k or subject.foreign)
    )


def has_reduced_k(subject: Subject) -> bool:
    """Return whether the player's K is reduced."""
    return _may_reduce_k(subject) and subject.columns.rating[subject.at] > subject.rules.reduced_k_above


def _k_text(subject: Subject) -> str:
    rules, rating = subject.rules, subject.columns.rating[subject.at]
    if formulas.has_plain_k(rules):
        return _plain_k_text(subject)
    if subject.half_k:
        weight = f"{rules.half_k_game_weight:g}"
        return f"Half K: K = {rules.half_k_numerator:g} / (N' + {weight} m)."
    full = f"K = {rules.k_numerator:g} / " + ("m" if rules.effective_games_most < 0.0 else "(N' + m)")
    if not _may_reduce_k(subject):
        return full + "."
    if not has_reduced_k(subject):
        return f"{full}: dual-rated, but R0 is not above {rules.reduced_k_above:g}."
    if rating >= rules.reduced_k_least_from:
        return (
            f"Reduced K, since the section is dual-rated and R0 is {rules.reduced_k_least_from:g} or more:"
            f" K = {rules.reduced_k_least_numerator:g} / (N' + m)."
        )
    return (
        f"Reduced K, since the section is dual-rated and R0 is above {rules.reduced_k_above:g}:"
        f" K = {rules.k_numerator:g} ({rules.reduced_k_intercept:g} - {rules.reduced_k_slope:g} R0) / (N' + m)."
    )


def _step_of_k(subject: Subject) -> int:
    """Return the step of the table of K that fits the player."""
    columns, at = subject.columns, subject.at
    return formulas.plain_k_step(subject.rules, columns.rating[at], columns.games[at], columns.age[at])


def _plain_k_text(subject: Subject) -> str:
    step = _step_of_k(subject)
    k, games, rating, age = formulas.plain_k_part(subject.rules, step)
    conditions = (
        f"fewer than {games:g} games before" if games != OFF else "",
        f"R0 below {rating:g}" if rating != OFF else "",
        f"younger than {age:g}" if age != OFF else "",
    )
    reason = " and ".join(filter(None, conditions)) or ("for all others" if step > 1 else "for everyone")
    text = f"K = {k:g}, step {step} of the table of K: {reason}."
    if subject.columns.k[subject.at] != k:
        text += f" It is cut, so that K m is at most {subject.rules.k_times_games_most:g}."
    return text


def _expectancy_text(subject: Subject) -> str:
    rules = subject.rules
    text = EXPECTANCY_TEXT[rules.expectancy]
    if rules.expectancy_most_difference != UNLIMITED:
        text += f"; a difference counts as at most {rules.expectancy_most_difference:g} points"
    return text + "."


def _expectancy_rules(subject: Subject) -> tuple[RuleUsed, ...]:
    rules = subject.rules
    cited = [EXPECTANCY_RULES.get(rules.expectancy, "logistic_scale")]
    if rules.expectancy != LOGISTIC:
        cited.insert(0, "expectancy")
    if rules.expectancy_most_difference != UNLIMITED:
        cited.append("expectancy_most_difference")
    return subject.cite(*dict.fromkeys(cited))


def _k_rules(subject: Subject) -> tuple[RuleUsed, ...]:
    if formulas.has_plain_k(subject.rules):
        step = _step_of_k(subject)
        k = formulas.plain_k_part(subject.rules, step)[0]
        fields = [
            field for field in fields_of_rule(f"plain_k_{step}") if getattr(subject.rules, field) != OFF
        ]
        cut = ["k_times_games_most"] if subject.columns.k[subject.at] != k else []
        return subject.cite(*fields, *cut)
    if subject.half_k:
        return subject.cite("half_k_numerator", "half_k_game_weight")
    rules = subject.cite("k_numerator")
    return rules + subject.cite(*fields_of_rule("reduced_k")) if _may_reduce_k(subject) else rules


def _eligibility_text(subject: Subject) -> str:
    if subject.rules.bonus_multiplier < 0.0:
        return "These rules have no bonus."
    if subject.match:
        return "No bonus: matches earn none."
    columns, at, played = subject.columns, subject.at, len(subject.games)
    if columns.bonus_eligible[at]:
        return "Bonus: the part of K (S - E) above the threshold."
    least = subject.rules.bonus_eligibility_least_games
    if played < least:
        return f"No bonus: {played} rated games are fewer than {least:g}."
    return f"No bonus: one opponent was met {columns.most_meetings[at]} times in {played} games."


def _copied(columns: SectionColumns) -> SectionColumns:
    """Return *columns* as lists of their own, for a step that is done once more."""
    return SectionColumns(*map(list, columns))  # type: ignore[arg-type]  # each list has what its column had


def _third_steps(subject: Subject) -> tuple[Pass, ...]:
    """Return Step 3 of a newcomer, where the special formula is in force."""
    if not subject.columns.newcomer[subject.at] or subject.rules.special_most_games < 0.0:
        return ()
    rules, columns = subject.rules, _copied(subject.columns)
    prior = rules.newcomer_effective_games
    result = rate_by_special(rules, columns, subject.at, prior, columns.rating, columns.expectancy3)
    third = Pass(
        title="Step 3: first estimate of a newcomer",
        result_name="rating after Step 3",
        text=(
            "Special formula with N' = 1, for this step alone; R0' = R0 and S' = S + N' / 2.",
            "Opponents at their ratings before the section, unrated ones at their Step 1 ratings.",
        ),
        special=True,
        columns=columns,
        prior_games=prior,
        faced=columns.rating,
        expectancy=columns.expectancy3,
        result=result,
    )
    return (third,)


def _fourth_step(subject: Subject) -> Pass:
    columns = _copied(subject.columns)
    rate_all(subject.rules, columns, columns.step3, columns.step4, columns.expectancy4)
    return Pass(
        title="Step 4: intermediate rating",
        result_name="rating after Step 4",
        text=(
            "Rated opponents count at their ratings before the section,",
            "unrated ones at their Step 3 results (N = 0) or their Step 1 ratings (N above 0).",
        ),
        special=columns.formula[subject.at] == SPECIAL,
        columns=columns,
        prior_games=columns.effective_games[subject.at],
        faced=columns.step3,
        expectancy=columns.expectancy4,
        result=subject.columns.step4[subject.at],
    )


def _last_pass(subject: Subject) -> Pass:
    """Return Step 5, or the one pass of a foreign FIDE event."""
    columns, at = subject.columns, subject.at
    step5 = Pass(
        title="Step 5: final pass",
        result_name="rating after Step 5",
        text=("Opponents count at their Step 4 results.",),
        special=columns.formula[at] == SPECIAL,
        columns=columns,
        prior_games=columns.effective_games[at],
        faced=columns.step4,
        expectancy=columns.expectancy5,
        result=columns.step5[at],
    )
    if not subject.foreign and subject.rules.opponent_ratings == BEFORE:
        unrated = "their Step 3 results" if subject.rules.special_most_games >= 0.0 else "their first ratings"
        return step5._replace(
            title="The rating",
            result_name="rating by the formula",
            text=(f"Opponents count at their ratings before the section, unrated ones at {unrated}.",),
        )
    if not subject.foreign:
        return step5
    kind = "youth conversion" if subject.rated.section.youth else "conversion"
    text = (
        f"Opponents count at their FIDE ratings, converted to the US scale by the {kind}; others are left out.",
    )
    return step5._replace(
        title="One pass against converted FIDE ratings",
        result_name="rating after the one pass",
        text=text,
        faced=columns.rating,
    )


def explained_pass(subject: Subject, rating_pass: Pass) -> ExplainedStep:
    """Explain one pass over the section, by the special or the standard formula."""
    text, figures = (
        _special_workings(subject, rating_pass)
        if rating_pass.special
        else _standard_workings(subject, rating_pass)
    )
    rules: tuple[RuleUsed, ...] = ()
    if subject.foreign:
        figures = {**figures, **_foreign_ratings(subject)}
        youth = subject.rated.section.youth
        rules = subject.cite(*fields_of_rule("fide_youth_conversion" if youth else "fide_conversion"))
    return ExplainedStep(
        title=rating_pass.title,
        text=(*rating_pass.text, *text),
        figures={**figures, rating_pass.result_name: rating_pass.result},
        games=subject.games_shown(rating_pass.faced, rating_pass.expectancy),
        rules=rules,
    )


def _special_workings(subject: Subject, rating_pass: Pass) -> tuple[tuple[str, ...], Figures]:
    """Return text and figures of a pass by the special formula: both sides of its equation."""
    rules, columns, at = subject.rules, rating_pass.columns, subject.at
    rating, record, score = columns.rating[at], columns.record[at], columns.total_score[at]
    centre, target = ramp_of_earlier_games(rules, rating, rating_pass.prior_games, record, score)
    earlier = expected_of_earlier_games(rules, rating_pass.result, centre, rating_pass.prior_games)
    expected = columns.expected[at] + earlier
    ramps = [(rating_pass.expectancy[game], 1.0) for game in subject.games] + [
        (earlier, rating_pass.prior_games)
    ]
    text: tuple[str, ...] = ()
    if expected > target + BALANCED and rating_pass.result <= rules.absolute_floor:
        text = (f"Both sides would be equal below {rules.absolute_floor:g}, where the result is held.",)
    elif expected < target - BALANCED and rating_pass.result >= rules.special_ceiling:
        text = (f"Both sides would be equal above {rules.special_ceiling:g}, to which the result is cut.",)
    elif all(risen in (0.0, most) for risen, most in ramps):
        text = (NEAREST_TAKEN,)
    return text, {
        PRIOR: rating_pass.prior_games,
        "centre of earlier games (R0')": centre,
        "score (S)": score,
        TARGET: target,
        EXPECTED: columns.expected[at],
        EARLIER: earlier,
        WITH_EARLIER: expected,
    }


def _standard_workings(subject: Subject, rating_pass: Pass) -> tuple[tuple[str, ...], Figures]:
    columns, at = rating_pass.columns, subject.at
    figures = {
        "score (S)": columns.total_score[at],
        EXPECTED: columns.expected[at],
        CHANGE: columns.change[at],
    }
    text: tuple[str, ...] = ()
    if columns.bonus_eligible[at]:
        figures[BONUS] = columns.bonus[at]
    if columns.rating[at] + columns.change[at] + columns.bonus[at] < rating_pass.result:
        text = (f"The sum is below {subject.rules.absolute_floor:g}, where the result is held.",)
    return text, figures


def _foreign_ratings(subject: Subject) -> Figures:
    """Return the FIDE rating of each opponent, before its conversion."""
    return {
        f"FIDE rating of {subject.name_of(seat)} (seat {seat})": fide.rating
        for seat, key in subject.opponents().items()
        if (fide := subject.rated.facts[key].fide) is not None
    }
