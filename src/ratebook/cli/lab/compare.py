"""The command that prints the variants of a study and their differences."""

import json
from collections.abc import Sequence
from pathlib import Path

import click

from ratebook.cli.command import command
from ratebook.cli.lab.people import show_people
from ratebook.cli.options import PATH, WordOf, default_option
from ratebook.cli.show import fail_with, json_option, show, table
from ratebook.findings import Place
from ratebook.lab.cells.gathering import MEASURES
from ratebook.lab.cells.measures import Measure
from ratebook.lab.studies.comparing import NORMAL_95, Blocks, LossDifference
from ratebook.lab.studies.lock import Lock, read_lock
from ratebook.lab.studies.summary import Effect, VariantLine, effects, summary
from ratebook.pages.columns import Column, Columns

MILLI = 1000.0


def _signed(value: float | None, digits: int = 1) -> str:
    return "" if value is None or value != value else f"{value:+.{digits}f}"  # noqa: PLR0124 - NaN


def _plain(value: float | None, digits: int, times: float = 1.0) -> str:
    return "" if value is None or value != value else f"{value * times:.{digits}f}"  # noqa: PLR0124 - NaN


def _of(loss: str, line: VariantLine) -> LossDifference:
    return next(one for one in line.differences if one.loss == loss)


def _with_interval(loss: LossDifference) -> str:
    if not loss.error > 0.0:
        return ""
    return f"{loss.difference * MILLI:+.2f} ± {NORMAL_95 * loss.error * MILLI:.2f}"


VARIANTS: Columns[VariantLine] = (
    Column("Variant", "name"),
    Column("Games", "games", "right", ","),
    Column("Log loss", "log_loss", "right", ".5f"),
    Column("less base x1000", lambda one: _with_interval(_of("log_loss", one)), "right"),
    Column("Brier", "brier", "right", ".5f"),
    Column("Scale", "scale", "right", ".3f"),
    Column("Excess x1000", lambda one: _plain(one.excess, 2, MILLI), "right"),
    Column("less base x1000", lambda one: _with_interval(_of("excess", one)), "right"),
    Column("Bias", "bias", "right", "+.1f"),
    Column("Drift", "drift", "right", "+.1f"),
    Column("2200+ %", lambda one: _plain(one.strong, 2, 100.0), "right"),
)


def _measured(measure: Measure) -> Column[VariantLine]:
    return Column(measure.title, lambda line: measure.text(line.more.get(measure.name)), "right")


MORE: Columns[VariantLine] = (
    Column("Variant", "name"),
    Column("Accuracy %", lambda line: _plain(line.accuracy, 2, 100.0), "right"),
    *(_measured(measure) for measure in MEASURES if not measure.against_truth),
)
AGAINST_TRUTH: Columns[VariantLine] = (
    Column("Variant", "name"),
    Column("Spread", "spread", "right", ".3f"),
    *(_measured(measure) for measure in MEASURES if measure.against_truth),
)


def _used(columns: Columns[VariantLine], lines: Sequence[VariantLine]) -> Columns[VariantLine]:
    """Return the columns that show something."""
    return tuple(one for one in columns if any(one.text(line) for line in lines))


EFFECTS: Columns[Effect] = (
    Column("Factor", "factor"),
    Column("Level", "level"),
    Column("Drift", lambda one: _signed(one.drift, 2), "right"),
    Column("Log loss x1000", lambda one: _signed(one.loss * MILLI, 3), "right"),
)


@command("compare", json_option)
@click.argument("results", type=PATH, metavar="RESULTS")
@default_option(
    "--blocks",
    type=WordOf(Blocks),
    default=Blocks.PLAYER.value,
    help="What holds games together: intervals are made of its blocks.",
)
@click.option(
    "--people",
    nargs=2,
    metavar="FIRST SECOND",
    help="Print instead who moves most from one variant to another, and who gains or loses titles and floors; it names"
    " persons, for the office alone. The cells must have been run with --people.",
)
def compare_command(results: Path, blocks: Blocks, people: tuple[str, str] | None) -> None:
    """Print the variants in the folder RESULTS and how each differs from the first one, with intervals of 95 %.

    Log loss and excess are in thousandths of a nat a game, drift is what the monitoring cohort (established, active
    for four years, 35 to 45 years old) gains a year, beyond its strength where that is known. docs/laboratory.md says
    what the other columns are.

    Examples:
      ratebook lab compare results
      ratebook lab compare results --blocks event --json
      ratebook lab compare results --people "bonus 6" "bonus 8"
    """
    lock = opened(results)
    if people is not None:
        show_people(lock, *people)
        return
    missing = lock.missing
    if len(missing) == len(lock.variants) or lock.variants[0] in missing:
        fail_with("results-missing.baseline", Place(file=str(results)), count=len(missing))
    lines = summary(lock, blocks)
    main = effects(lock, lines)
    content = {
        "title": lock.contents["title"],
        "blocks": blocks.value,
        "variants": [
            {
                **one._asdict(),
                "differences": [each._asdict() for each in one.differences],
                "more": dict(one.more),
            }
            for one in lines
        ],
        "effects": [one._asdict() for one in main],
        "missing": [one.name for one in missing],
    }
    shown = [table(lock.contents["title"], VARIANTS, lines)]
    shown += ["", table("More about forecasts and changes", _used(MORE, lines), lines)]
    if any(one.excess is not None for one in lines):
        shown += ["", table("Against the truth", _used(AGAINST_TRUTH, lines), lines)]
    if main:
        shown += ["", table("Main effects, against the first level of each factor", EFFECTS, main)]
    shown += [f"{one.name}: {one.fitted}." for one in lines if one.fitted]
    if missing:
        shown.append(f"Not computed yet: {len(missing)} of {len(lock.variants)}.")
    show("lab-compare", content, *shown, findings=None)


def opened(results: Path) -> Lock:
    """Return what results are of, or end with a finding."""
    reason = ""
    try:
        lock = read_lock(results)
    except json.JSONDecodeError:
        reason = "study.lock is not JSON"
    except (OSError, ValueError) as failure:
        reason = getattr(failure, "strerror", None) or str(failure)
    if reason:
        fail_with("results-unreadable", Place(file=str(results)), reason=reason)
    return lock
