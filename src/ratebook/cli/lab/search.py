"""The commands that look for values of rules."""

import math
from pathlib import Path

import click

from ratebook.cli.command import command
from ratebook.cli.options import PATH, FiniteRange, WholeRange, WordOf, default_option, flag_option
from ratebook.cli.output_files import unwritable
from ratebook.cli.show import fail, fail_with, json_option, show, table
from ratebook.findings import Place
from ratebook.lab.studies.search import (
    Evaluation,
    Evaluator,
    Objective,
    SearchResult,
    drift,
    score_of,
    search,
    solve,
    unknown_rule,
)
from ratebook.lab.studies.study import Range, Study, StudyError, read_study
from ratebook.pages.columns import Column, Columns


class FreeType(click.ParamType[Range]):
    """A rule and its range, as ``bonus_multiplier:6..20``."""

    name = "RULE:LOW..HIGH"

    def convert(  # noqa: D102 - click's
        self, value: str | Range, param: click.Parameter | None, ctx: click.Context | None
    ) -> Range:
        if isinstance(value, Range):
            return value
        rule, _, bounds = value.partition(":")
        low, _, high = bounds.partition("..")
        try:
            found = Range(rule, float(low), float(high))
        except ValueError:
            self.fail(f"{value!r} is no rule with a range; write one as bonus_multiplier:6..20.", param, ctx)
        if not (math.isfinite(found.low) and math.isfinite(found.high) and found.low < found.high):
            self.fail(f"{value!r} has no range; the lower number comes first.", param, ctx)
        return found


results_option = click.option(
    "--results",
    type=PATH,
    required=True,
    metavar="DIR",
    help="Folder in which cells are kept; made if need be.",
)


@command("solve", json_option)
@click.argument("study", type=PATH, metavar="STUDY.toml")
@results_option
@click.option("--free", type=FreeType(), required=True, help="The rule that is varied, and its range.")
@default_option(
    "--target", type=FiniteRange(-1000, 1000), default=0.0, help="Drift of the cohort, points a year."
)
@default_option(
    "--within", type=FiniteRange(1e-6, 1000), default=0.05, help="How near to the value, in its unit."
)
def solve_command(study: Path, results: Path, free: Range, target: float, within: float) -> None:
    """Find the value of a rule with which the monitoring cohort of STUDY.toml drifts by --target points a year.

    All other rules are those of the study's baseline. Each replay is a cell, kept in the folder of results.

    Examples:
      ratebook lab solve study.toml --results results --free bonus_multiplier:4..40
    """
    evaluator, _ = _evaluator(study, results, (free,), drift)
    found = solve(evaluator, free, target, within)
    _show("solve", "Drift", (free,), found)


@command("search", json_option)
@click.argument("study", type=PATH, metavar="STUDY.toml")
@results_option
@click.option(
    "--free", type=FreeType(), multiple=True, required=True, help="A rule that is varied; repeatable."
)
@default_option(
    "--score", type=WordOf(Objective), default=Objective.LOG_LOSS.value, help="What is made small."
)
@default_option("--most", type=WholeRange(4, 10_000), default=60, help="Replays, roughly.")
@flag_option(
    "--everywhere", help="Look in the whole ranges, by differential evolution, not downhill from the middle."
)
def search_command(
    study: Path, results: Path, free: tuple[Range, ...], score: Objective, most: int, *, everywhere: bool
) -> None:
    """Find values of rules with which the history of STUDY.toml is forecast best.

    A value on the edge of its range is no optimum, and neither is one of a rule without effect: both are said.

    Examples:
      ratebook lab search study.toml --results results --free bonus_multiplier:4..20 --score excess
    """
    evaluator, asked = _evaluator(study, results, free, score_of(score))
    found = search(evaluator, free, everywhere=everywhere, most=most, seed=asked.seed)
    _show("search", score.value.replace("_", " "), free, found)


def _evaluator(
    study: Path, results: Path, free: tuple[Range, ...], measure: object
) -> tuple[Evaluator, Study]:
    def told(one: Evaluation) -> None:
        values = ", ".join(f"{each.rule} {value:.6g}" for each, value in zip(free, one.values, strict=True))
        result = "rates nothing" if one.result is None else f"{one.result:.6g}"
        click.echo(f"{values}: {result}", err=True)

    try:
        asked = read_study(study)
        wrong = unknown_rule(free, asked)
        if wrong:
            fail(wrong)
        return Evaluator(asked, results, free, measure, told), asked  # type: ignore[arg-type]
    except StudyError as refused:
        fail(refused.findings)
    except OSError as failure:
        if failure.filename is not None and Path(failure.filename) == study:
            fail_with(
                "file-unreadable.report", Place(file=str(study)), reason=failure.strerror or str(failure)
            )
        fail([unwritable(failure.filename or results, failure)])


def _show(name: str, what: str, free: tuple[Range, ...], found: SearchResult) -> None:
    columns: Columns[tuple[Range, str, str]] = (
        Column("Rule", lambda one: one[0].rule),
        Column("Value", lambda one: one[1], "right"),
        Column("Verdict", lambda one: one[2]),
    )
    values = ("",) * len(free) if found.values is None else tuple(f"{one:.6g}" for one in found.values)
    lines = [
        (one, value, verdict.value) for one, value, verdict in zip(free, values, found.verdicts, strict=True)
    ]
    title = f"{what}: {found.result:.6g}" if found.result is not None else f"{what}: no value was found"
    shown = [table(title, columns, lines), f"{len(found.tried)} replays."]
    content = {"rules": [one.rule for one in free], **found._asdict()}
    show(f"lab-{name}", content, *shown, findings=None)
