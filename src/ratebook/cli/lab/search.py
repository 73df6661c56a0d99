"""The commands that look for values of rules."""

import math
from functools import partial
from pathlib import Path

import click

from ratebook.cli.command import command, option
from ratebook.cli.lab.studies import problems_shown, results_option
from ratebook.cli.options import PATH, FiniteRange, WholeRange, WordOf, default_option, flag_option
from ratebook.cli.show import fail, json_option, show, table
from ratebook.lab.studies.search import (
    CellMeasure,
    Evaluation,
    Evaluator,
    Objective,
    SearchResult,
    Verdict,
    drift,
    score_of,
    search,
    solution,
    unknown_rule,
)
from ratebook.lab.studies.study import Range, Study, of_world, read_study
from ratebook.lab.studies.summary import mean_of
from ratebook.lab.studies.tables import figure_text, with_interval
from ratebook.pages.columns import Column, Columns


def range_of(text: str) -> Range:
    """Return a rule and its range, as ``bonus_multiplier:6..20``, or end with a usage error."""
    rule, _, bounds = text.partition(":")
    low, _, high = bounds.partition("..")
    try:
        free = Range(rule, float(low), float(high))
    except ValueError:
        raise click.BadParameter(
            f"{text!r} is not a rule with a range; write it as bonus_multiplier:6..20."
        ) from None
    if not -math.inf < free.low < free.high < math.inf:
        raise click.BadParameter(f"{text!r} has no range; the lower number comes first.")
    return free


free_option = partial(option, "--free RULE:LOW..HIGH", type_=range_of, required=True)


@command("solve", json_option)
@click.argument("study", type=PATH, metavar="STUDY.toml")
@results_option
@free_option(about="The rule that is varied, and its range.")
@default_option(
    "--target", "Drift of the cohort to reach, points a year.", FiniteRange(-1000, 1000), default=0.0
)
@default_option("--within", "Tolerance of the value, in its unit.", FiniteRange(1e-6, 1000), default=0.05)
def solve_command(study: Path, results: Path, free: Range, target: float, within: float) -> None:
    """Find the value of a rule at which the monitoring cohort of STUDY.toml drifts by --target points a year.

    The command searches for the value in the earlier half of the years that have a cohort (tune-until in the
    study sets another day), and reports the drift with it for the later ones. All other rules are those of
    the study's baseline. With seeds in the study, each federation is solved, and value and drift have
    intervals. Each replay is a cell, kept in the folder of results.

    Examples:
      ratebook lab solve study.toml --results results --free bonus_multiplier:4..40
    """
    with problems_shown(study, results):
        contents = read_study(study)
        solved = [
            solution(_evaluator(of_world(contents, world), results, (free,), drift()), free, target, within)
            for world in range(contents.seeds)
        ]
    first, worlds = solved[0], len(solved)
    values = [found.values[0] for found, _, _ in solved if found.values is not None]
    mean, margin = mean_of(values) if len(values) == worlds else (None, math.nan)
    interval = None
    notes = [
        "One history gives these figures no interval: seeds = 8 in a study of a simulated federation does."
    ]
    if worlds > 1:
        interval = {"mean": mean, "margin": None if math.isnan(margin) else margin, "values": values}
        notes = [
            f"Over {worlds} federations, the value is {figure_text(mean, margin, '.4g')} (95 %, Student's t);"
            " the table shows the first one."
            if mean is not None
            else f"In {worlds - len(values)} of {worlds} federations no value was found: no interval."
        ]
    later = figure_text(*mean_of([each.later for each in solved]), "+.1f")
    notes.append(
        "All years were used: the cohort has too few to report on later ones."
        if first.day is None
        else f"Looked for in the years before {first.day}."
    )
    if later:
        notes.append(f"From {first.day} on, the cohort drifts by {later} points a year.")
    more: dict[str, object] = {
        "worlds": interval,
        "until": first.day,
        "later": [each.later for each in solved],
    }
    _show("solve", "Drift", (free,), first.found, notes, more)


@command("search", json_option)
@click.argument("study", type=PATH, metavar="STUDY.toml")
@results_option
@free_option(multiple=True, about="A rule that is varied, and its range; repeatable.")
@default_option("--score", "What to minimize.", WordOf(Objective), default=Objective.LOG_LOSS.value)
@default_option("--most", "Approximate number of replays.", WholeRange(4, 10_000), default=60)
@flag_option(
    "--everywhere", "Search the whole ranges by differential evolution, not downhill from the middle."
)
def search_command(
    study: Path, results: Path, free: tuple[Range, ...], score: Objective, most: int, *, everywhere: bool
) -> None:
    """Find the values of rules that forecast the history of STUDY.toml best.

    The command searches for values in the earlier half of the scored years (tune-until in the study sets
    another day), and compares them with the baseline in the later ones. The command says if a value is on the
    edge of its range or its rule has no effect: neither is an optimum. With seeds in the study, scores are
    means over its federations, and the comparison has an interval over them.

    Examples:
      ratebook lab search study.toml --results results --free bonus_multiplier:4..20 --score excess
    """
    with problems_shown(study, results):
        contents = read_study(study)
        evaluator = _evaluator(contents, results, free, score_of(score))
        day = evaluator.tuning_ends()
        tuned = evaluator if day is None else evaluator.until(day)
        result = search(tuned, free, everywhere=everywhere, most=most, seed=contents.seed)
        later = () if day is None or result.values is None else evaluator.reported(result.values, day)
    notes = [
        "All games were searched: there is no later year to report on, so that the score flatters the values."
    ]
    if day is not None:
        of_worlds = (
            f" of {contents.seeds} federations: scores are means over them" if contents.seeds > 1 else ""
        )
        notes = [f"Searched in the games before {day}{of_worlds}."]
        notes += [
            f"From {day} on, {loss.loss.replace('_', ' ')} less that of the baseline x1000: {with_interval(loss)}."
            for loss in later
            if loss.loss == score.value
        ]
    _show("search", score.value.replace("_", " "), free, result, notes, {"until": day, "later": later})


def _evaluator(study: Study, results: Path, free: tuple[Range, ...], measure: CellMeasure) -> Evaluator:
    def show_trial(trial: Evaluation) -> None:
        values = ", ".join(f"{axis.rule} {value:.6g}" for axis, value in zip(free, trial.values, strict=True))
        result = "rates nothing" if trial.result is None else f"{trial.result:.6g}"
        click.echo(f"{values}: {result}", err=True)

    wrong = unknown_rule(free, study)
    if wrong:
        fail(wrong)
    return Evaluator(study, results, free, measure, show_trial)


def _show(
    name: str,
    what: str,
    free: tuple[Range, ...],
    result: SearchResult,
    notes: list[str],
    more: dict[str, object],
) -> None:
    columns: Columns[tuple[str, str, Verdict]] = (
        Column("Rule", lambda line: line[0]),
        Column("Value", lambda line: line[1], "right"),
        Column("Verdict", lambda line: line[2]),
    )
    rules = [axis.rule for axis in free]
    values = ("",) * len(free) if result.values is None else tuple(f"{value:.6g}" for value in result.values)
    lines = list(zip(rules, values, result.verdicts, strict=True))
    title = f"{what}: {result.result:.6g}" if result.result is not None else f"{what}: no value was found"
    content = {"rules": rules, **result._asdict(), **more}
    replays = f"{len(result.tried)} replays."
    show(f"lab-{name}", content, table(title, columns, lines), *notes, replays, findings=None)
