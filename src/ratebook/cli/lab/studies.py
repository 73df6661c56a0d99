"""The commands of a study: written, computed, and compared; what is wrong with it or its results ends a command."""

import json
import math
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import polars as pl

from ratebook.cli.command import command, option
from ratebook.cli.options import PATH, WholeRange, WordOf, default_option, flag_option, today
from ratebook.cli.output import TextTable, print_figures, print_findings, progress_bar
from ratebook.cli.output_files import exists_already, unwritable, write_or_fail
from ratebook.cli.show import fail, fail_unreadable, fail_with, json_option, need, show, table
from ratebook.findings import Place
from ratebook.lab.cells.members.people import people_beside
from ratebook.lab.studies.comparing import DEFAULT_BLOCKS, Blocks
from ratebook.lab.studies.draft import READY, RuleQuestion, draft
from ratebook.lab.studies.lock import Lock, LockedVariant, read_lock, write_lock
from ratebook.lab.studies.people import MOVERS, TURNOVERS, people_between
from ratebook.lab.studies.running import Done, Task, missing, run_here, sliced, tasks_of
from ratebook.lab.studies.study import StudyError, read_study, variants_of
from ratebook.lab.studies.summary import summary
from ratebook.lab.studies.tables import notes_on_intervals, tables_of
from ratebook.model import System
from ratebook.records.record import plain
from ratebook.rules.rulebook import load_rulebook

results_argument = click.argument("results", type=PATH, metavar="RESULTS")
results_option = option("--results DIR", "Folder of the results; made if it is missing.", PATH, required=True)
blocks_option = default_option(
    "--blocks",
    "What games share that intervals of a single history take as dependent: by section, intervals are for its"
    " members; by player, for another federation too.",
    WordOf(Blocks),
    default=DEFAULT_BLOCKS.value,
)


@contextmanager
def problems_shown(study: Path, results: Path) -> Iterator[None]:
    """End the command where the file of a study is wrong or cannot be read, or results cannot be written."""
    try:
        yield
    except StudyError as refused:
        fail(refused.findings)
    except OSError as failure:
        if failure.filename is not None and Path(failure.filename) == study:
            fail_unreadable(study, failure)
        fail([unwritable(failure.filename or results, failure)])


def results_with_baseline(results: Path) -> Lock:
    """Return what results are of, or end the command: they must be readable, and the baseline's cell be there."""
    lock = results_in(results)
    if lock.variants[0] in lock.missing:
        fail_with("results-missing.baseline", Place(file=str(results)), count=len(lock.missing))
    return lock


def results_in(results: Path) -> Lock:
    """Return what results are of, or end the command."""
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


FEWEST_VALUES = 2
SLICE = re.compile(r"([1-9]\d{0,4})/([1-9]\d{0,4})")


def part_of(text: str) -> tuple[int, int]:
    """Return a part of the cells, as ``3/40``, or end with a usage error."""
    numbers = SLICE.fullmatch(text)
    if numbers is None or int(numbers[1]) > int(numbers[2]):
        raise click.BadParameter(f"{text!r} is not a part of a whole; write it as 3/40.")
    return int(numbers[1]), int(numbers[2])


@command("run")
@click.argument("study", type=PATH, metavar="STUDY.toml")
@results_option
@default_option("--jobs", "Number of cells computed at the same time.", WholeRange(1, 256), default=1)
@option("--slice I/N", "Compute only part I of N, as 3/40.", part_of, name="part")
@option(
    "--cluster ADDRESS", "Have the workers of this Dask scheduler compute the cells, as tcp://10.0.0.5:8786."
)
@flag_option("--people", "Also keep the standings of members, which name people: for the office only.")
def run_command(
    study: Path, results: Path, jobs: int, part: tuple[int, int] | None, cluster: str | None, *, people: bool
) -> None:
    """Compute the cells of STUDY.toml that are missing: each is a replay of the history under one set of rules.

    Existing cells are not computed again, so an interrupted run continues where it stopped. If several
    machines share the folder, each takes a --slice, or they are the workers of a --cluster. With --people,
    cells are computed again and keep the ratings of members.

    Examples:
      ratebook lab run examples/lab/committee-2012/study.toml --results results --jobs 2
      ratebook lab run study.toml --results /shared/results --slice 3/40
      ratebook lab run study.toml --results /shared/results --cluster tcp://10.0.0.5:8786
    """
    if cluster is not None:
        need("lab-cluster")
    with problems_shown(study, results):
        contents = read_study(study)
        contents = contents._replace(measures=contents.measures._replace(people=people))
        tasks = tasks_of(contents, results)
        write_lock(contents, tasks, results)
        mine = tasks if part is None else sliced(tasks, *part)
        before = len(mine) - len(missing(mine))
        failed = _computed(mine, jobs, cluster)
    figures = [
        ("cells of the study", len(tasks)),
        ("computed", len(mine) - before - len(failed)),
        ("there before", before),
    ]
    print_figures(f"The results of {study.name} in {results}", figures)
    click.echo(
        f"See them: ratebook lab compare {results}, or ratebook lab report {results} --out report.html"
    )
    if failed:
        for cell in failed:
            click.echo(f"{cell.task.name}:", err=True)
            print_findings(cell.findings)
        raise SystemExit(1)


@command("new")
@click.argument("study", type=PATH, metavar="STUDY.toml")
@option("--about", "Start from a question that committees ask first.", click.Choice(list(READY)))
@option("--rule RULE", "The rule that varies; `ratebook rules show` lists rules.")
@option("--values VALUES", "Its values, with commas; the first one is the baseline.")
@option("--history DIR", "A history; without it, a federation is simulated.", PATH)
def new_command(
    study: Path, about: str | None, rule: str | None, values: str | None, history: Path | None
) -> None:
    """Write a small study: one rule, two or more of its values, and what to try them on.

    At a terminal, the command asks for what is not given. The file can be run as it is, or edited.

    Examples:
      ratebook lab new bonus.toml --about bonus
      ratebook lab new k.toml --rule k_numerator --values 800,600,1000 --history history
    """
    if study.exists():
        fail([exists_already(study)])
    question = READY[about] if about else _question(rule, values)
    rules = load_rulebook()
    try:
        text = draft(question, rules, history and history.absolute())
    except (OSError, pl.exceptions.PolarsError):
        fail_with("history-unreadable", Place(file=str(history)))
    with tempfile.TemporaryDirectory() as place, problems_shown(study, study):
        written = Path(place) / study.name
        written.write_text(text, encoding="utf-8")
        variants_of(read_study(written))
    write_or_fail({study.name: text.encode()}, study)
    click.echo(f"Wrote {study}. Run it: ratebook lab run {study} --results results")


def _question(rule: str | None, values: str | None) -> RuleQuestion:
    """Return what a study asks, of which a terminal is asked for what is missing."""
    asks = sys.stdin.isatty() and sys.stderr.isatty()
    if not asks and (rule is None or values is None):
        raise click.UsageError("Give --about, or --rule and --values.")
    if rule is None:
        click.echo(f"Ready: {', '.join(READY)}. `ratebook rules show` names all rules.", err=True)
        rule = click.prompt("Which rule is to vary?", err=True)
        if rule in READY:
            return READY[rule]
    now = load_rulebook().in_force(System.REGULAR, today())._asdict().get(rule)
    known = "" if now is None else f" It is {now:g} now."
    if values is None:
        values = click.prompt(f"Which values, with commas? The first is the baseline.{known}", err=True)
    compared = tuple(value.strip() for value in values.split(",") if value.strip())
    if len(compared) < FEWEST_VALUES:
        raise click.UsageError("Give two values or more, with commas: the first is compared with the others.")
    return RuleQuestion(rule, compared)


def _computed(tasks: Sequence[Task], jobs: int, cluster: str | None) -> list[Done]:
    with progress_bar("Cells") as progress:

        def show_progress(done: int, count: int, _last: Done | None) -> None:
            if progress is not None and count:
                progress(done, count)

        if cluster is None:
            return [cell for cell in run_here(tasks, show_progress, jobs=jobs) if cell.failed]
        from ratebook.lab.studies.cluster import ClusterError, run_on_cluster  # noqa: PLC0415 - the extra "lab-cluster"

        try:
            return [cell for cell in run_on_cluster(tasks, show_progress, cluster) if cell.failed]
        except ClusterError as lost:
            fail([lost.finding])


MOST = 20
"""Of those who gain, and of those who lose."""


@command("compare", json_option)
@results_argument
@blocks_option
@option(
    "--people FIRST SECOND",
    "Instead, print the members whose ratings change most between two variants, and how many gain or"
    " lose titles and floors; it names people, for the office only. The cells must have been run with --people.",
    nargs=2,
)
def compare_command(results: Path, blocks: Blocks, people: tuple[str, str] | None) -> None:
    """Print the variants in the folder RESULTS and how each differs from the first one, with intervals of 95 %.

    Log loss and excess are in thousandths of a nat a game, drift is what the monitoring cohort (established, active
    for four years, 35 to 45 years old) gains a year, minus its gain in strength if that is known.
    docs/laboratory-measures.md explains the other columns.

    Examples:
      ratebook lab compare results
      ratebook lab compare results --blocks event --json
      ratebook lab compare results --people "bonus 6" "bonus 8"
    """
    if people is not None:
        _show_people(results_in(results), *people)
        return
    lock = results_with_baseline(results)
    with progress_bar("Cells") as progress:
        lines, main = summary(lock, blocks, progress)
    content = {
        "title": lock.contents["title"],
        "blocks": blocks.value,
        "variants": _known(plain(lines)),
        "effects": _known(plain(main)),
        "missing": [variant.name for variant in lock.missing],
    }
    tables: list[TextTable | str] = []
    for part in tables_of(lock.contents["title"], lines, main):
        tables += [table(part.title, part.columns, part.lines), ""]
    notes = list(notes_on_intervals(lock, lines, blocks))
    notes += [f"{line.name}: {line.fitted}." for line in lines if line.fitted]
    if lock.missing:
        notes.append(f"Not computed yet: {len(lock.missing)} of {len(lock.variants)}.")
    show("lab-compare", content, *tables[:-1], *notes, findings=None)


def _known(value: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
    """Return what is to be JSON, which has no word for a figure that is not known but null."""
    if isinstance(value, dict):
        return {name: _known(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_known(inner) for inner in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def _show_people(lock: Lock, first: str, second: str) -> None:
    before, after = (_variant(lock, name).place for name in (first, second))
    for place in (before, after):
        if not place.is_there or not people_beside(place.games).exists():
            fail_with("results-missing.people", Place(file=str(people_beside(place.games))))
    people = people_between(before, after, lock.history, MOST)
    content = {"title": lock.contents["title"], "first": first, "second": second, **people._asdict()}
    spread = ", ".join(f"{percent} %: {value:+.1f}" for percent, value in people.percentiles.items())
    show(
        "lab-people",
        content,
        table(
            f"Who moves most from “{first}” to “{second}”", MOVERS, people.movers, none="No rating differs."
        ),
        "",
        table("Titles that follow from ratings, floors and classes", TURNOVERS, people.turnovers),
        f"{people.members:,} members are established in both; percentiles of the difference: {spread}.",
        findings=None,
    )


def _variant(lock: Lock, name: str) -> LockedVariant:
    variants = {variant.name: variant for variant in lock.variants}
    if name in variants:
        return variants[name]
    names = "; ".join(variants)
    raise click.UsageError(f"There is no variant “{name}”. The variants are: {names}.")
