"""What a study found, in sentences with intervals, and what limits them."""

import math
from collections.abc import Iterator, Sequence

from ratebook.lab.studies.comparing import NORMAL_95, LossDifference
from ratebook.lab.studies.lock import Lock
from ratebook.lab.studies.summary import Effect, VariantLine

STILL = 1.0
"""Points a year; a drift below it is called none."""


def findings_in_words(lines: Sequence[VariantLine], main: Sequence[Effect]) -> Iterator[str]:
    """Yield what the scores say, the most important first."""
    if not lines or not lines[0].games:
        yield "No game between established players was scored."
        return
    base, *everything = lines
    others = [line for line in everything if not line.is_competitor]
    surely = [line for line in others if line.log_loss_difference.z < -NORMAL_95]
    if surely:
        best = min(surely, key=lambda line: line.log_loss_difference.difference)
        verb = "forecasts" if len(surely) == 1 else "forecast"
        yield (
            f"Of {len(others) + 1} variants, {len(surely)} {verb} better than the baseline beyond doubt."
            f" The best is {best.name}: {_interval(best.log_loss_difference)}."
        )
    elif others:
        yield f"No variant forecasts better than the baseline ({base.name}) beyond doubt."
    worse = [line for line in others if line.log_loss_difference.z > NORMAL_95]
    if worse:
        worst = max(worse, key=lambda line: line.log_loss_difference.difference)
        verb = "is" if len(worse) == 1 else "are"
        yield f"{len(worse)} {verb} worse, {worst.name} most of all: {_interval(worst.log_loss_difference)}."
    yield from _competition(base, [line for line in everything if line.is_competitor])
    with_drift = [line for line in (base, *others) if line.drift is not None]
    if len(with_drift) > 1:
        least = min(with_drift, key=lambda line: abs(line.drift or 0.0))
        most = max(with_drift, key=lambda line: abs(line.drift or 0.0))
        yield (
            f"The level of the monitoring cohort changes least with {least.name} ({_points(least.drift)} a year)"
            f" and most with {most.name} ({_points(most.drift)} a year)."
        )
    for effect in main:
        if not math.isnan(effect.drift) and abs(effect.drift) >= STILL:
            word = "inflates" if effect.drift > 0.0 else "deflates"
            yield (
                f"Over all combinations, {effect.factor} {effect.level} {word} by {abs(effect.drift):.1f} points a year"
                f" against the first level, and changes the log loss by {effect.loss * 1000.0:+.2f} thousandths."
            )


def _competition(base: VariantLine, competitors: Sequence[VariantLine]) -> Iterator[str]:
    """Yield how the best of other systems forecasts."""
    if not competitors:
        return
    best = min(competitors, key=lambda line: line.log_loss_difference.difference)
    loss = best.log_loss_difference
    verdict = (
        "better than"
        if loss.z < -NORMAL_95
        else "worse than"
        if loss.z > NORMAL_95
        else "no better or worse than"
    )
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
    yield "Intervals show what chance can do in a history of this size, not what another history would show."
    missing = lock.missing
    if missing:
        yield f"{len(missing)} of {len(lock.variants)} cells have not been computed yet."


def _interval(loss: LossDifference) -> str:
    low, high = loss.interval
    return (
        f"its log loss is {loss.difference * 1000.0:+.2f} thousandths of a nat a game"
        f" ({low * 1000.0:+.2f} to {high * 1000.0:+.2f})"
    )


def _points(drift: float | None) -> str:
    return f"{drift:+.1f} points" if drift is not None else "not known"
