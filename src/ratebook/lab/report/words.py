"""What a study found, in sentences with intervals, and what limits them."""

import math
from collections.abc import Iterable, Iterator, Sequence

from ratebook.lab.studies.comparing import LossDifference
from ratebook.lab.studies.lock import Lock
from ratebook.lab.studies.summary import Effect, VariantLine
from ratebook.lab.studies.tables import figure_text, other_lines, with_interval

STILL = 1.0
"""Points a year; a drift below it is called none."""


ALPHA = 0.05
"""Adjusted chances below it are called a difference."""
OF_NEWCOMERS = (
    "initial_", "age_rating_", "fide_", "cfc_", "blend_", "special_", "newcomer_", "foreign_", "match_established",
    "ceiling_cuts_first_ratings", "national_rating_", "established_above_games",
)  # fmt: skip
"""How rules begin that change ratings of players who are not established yet."""


def findings_in_words(
    lines: Sequence[VariantLine], main: Sequence[Effect], varied: Iterable[str] = ()
) -> Iterator[str]:
    """Yield what the scores say, the most important first.

    Args:
        lines: the baseline first.
        main: effects of the factors.
        varied: names of the rules that the variants change.
    """
    if not lines or not lines[0].games:
        yield "No game between established players was scored."
        return
    base, *everything = lines
    others = [line for line in everything if not line.is_competitor]
    first = sorted({rule.replace("_", " ") for rule in varied if f"{rule}_".startswith(OF_NEWCOMERS)})
    if first:
        yield (
            f"This study changes {', '.join(first)}, which new and provisional players feel first. The findings on"
            " games between established players say little about that: see the tables of provisional players and of"
            " newcomers."
        )
    yield from _forecasts(base, others, everything)
    for population, who in (("one provisional", "a provisional player"), ("newcomers", "a newcomer")):
        of_rules = [line for line in other_lines(others, population) if line.adjusted < ALPHA]
        if of_rules:
            most = max(of_rules, key=lambda line: abs(line.loss.difference))
            yield f"In games with {who}, {most.name} differs most from the baseline: {_interval(most.loss)}."
    yield from _competition(base, [line for line in everything if line.is_competitor])
    yield from _drifts([line for line in (base, *others) if line.drift is not None])
    for effect in main:
        if not math.isnan(effect.drift) and abs(effect.drift) >= STILL:
            word = "inflates" if effect.drift > 0.0 else "deflates"
            by = figure_text(abs(effect.drift), effect.drift_margin, ".1f")
            yield (
                f"Over all combinations, {effect.factor} {effect.level} {word} by {by}"
                f" points a year against the first level, and changes the log loss by"
                f" {with_interval(effect.loss)} thousandths."
            )


def _forecasts(
    base: VariantLine, others: Sequence[VariantLine], everything: Sequence[VariantLine]
) -> Iterator[str]:
    """Yield which variants forecast better or worse than the baseline."""
    adjusted = (
        f"at 5 %, adjusted by Holm for {len(everything)} comparisons" if len(everything) > 1 else "at 5 %"
    )
    differ = [line for line in others if line.adjusted < ALPHA]
    better = [line for line in differ if line.log_loss_difference.difference < 0.0]
    worse = [line for line in differ if line.log_loss_difference.difference > 0.0]
    if better:
        best = min(better, key=lambda line: line.log_loss_difference.difference)
        verb = "forecasts" if len(better) == 1 else "forecast"
        yield (
            f"Of {len(others) + 1} variants, {len(better)} {verb} better than the baseline ({adjusted})."
            f" The best is {best.name}: {_interval(best.log_loss_difference)}."
        )
    elif others:
        yield f"No variant forecasts better than the baseline, {base.name} ({adjusted})."
    if worse:
        worst = max(worse, key=lambda line: line.log_loss_difference.difference)
        which = (
            f"{worst.name} is worse"
            if len(worse) == 1
            else f"{len(worse)} are worse, {worst.name} most of all"
        )
        yield f"{which}: {_interval(worst.log_loss_difference)}."


def _drifts(lines: Sequence[VariantLine]) -> Iterator[str]:
    if len(lines) < 2:  # noqa: PLR2004 - nothing to compare
        return
    least = min(lines, key=lambda line: abs(line.drift or 0.0))
    most = max(lines, key=lambda line: abs(line.drift or 0.0))
    sure = (
        " These are figures of a single history, without an interval: in another, another variant may come out first."
        if least.worlds == 1
        else ""
    )
    yield (
        f"The level of the monitoring cohort changes least with {least.name} ({_points(least)} a year)"
        f" and most with {most.name} ({_points(most)} a year).{sure}"
    )


def _competition(base: VariantLine, competitors: Sequence[VariantLine]) -> Iterator[str]:
    """Yield how the best of other systems forecasts."""
    if not competitors:
        return
    best = min(competitors, key=lambda line: line.log_loss_difference.difference)
    loss = best.log_loss_difference
    verdict = "no better or worse than"
    if best.adjusted < ALPHA:
        verdict = "better than" if loss.difference < 0.0 else "worse than"
    yield (
        f"Of {len(competitors)} other {'system' if len(competitors) == 1 else 'systems'}, {best.name} forecasts best,"
        f" {verdict} the baseline ({base.name}): {_interval(loss)}."
    )


def limits(lock: Lock) -> Iterator[str]:
    """Yield what the findings do not say."""
    if lock.contents["world"] is not None:
        yield (
            "The federation is simulated: its members, their strengths and how they meet follow from the settings"
            " below. Where a real federation differs, the findings may differ too. No real person is in it."
        )
    else:
        yield "The true strengths behind this history are unknown, and so are bias and excess loss."
    yield (
        "Players meet as they did under the rules of their time:"
        " a variant changes ratings, not who plays whom or how often."
    )
    if len(lock.worlds) > 1:
        yield f"Intervals hold for federations drawn with the same settings, of which {len(lock.worlds)} were made."
    else:
        yield (
            "Intervals of differences are for the members of this history, or for others who play as these do if the"
            " report was made with --blocks player; for a federation that is made otherwise they do not hold."
        )
    missing = lock.missing
    if missing:
        yield f"{len(missing)} of {len(lock.variants) * len(lock.worlds)} cells have not been computed yet."


def _interval(loss: LossDifference) -> str:
    low, high = loss.interval
    return (
        f"its log loss differs by {loss.difference * 1000.0:+.2f} thousandths of a nat a game"
        f" ({low * 1000.0:+.2f} to {high * 1000.0:+.2f})"
    )


def _points(line: VariantLine) -> str:
    return f"{figure_text(line.drift, line.margins.get('drift', math.nan), '+.1f')} points"
