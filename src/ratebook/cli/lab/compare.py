"""The command that prints the variants of a study and their differences."""

import math
from pathlib import Path
from typing import Any

import click

from ratebook.cli.command import command
from ratebook.cli.lab.results import blocks_option, results_argument, results_in, results_with_baseline
from ratebook.cli.output import TextTable, progress_bar
from ratebook.cli.show import fail_with, json_option, show, table
from ratebook.findings import Place
from ratebook.lab.cells.members.people import people_beside
from ratebook.lab.studies.comparing import Blocks
from ratebook.lab.studies.lock import Lock, LockedVariant
from ratebook.lab.studies.people import MOVERS, TURNOVERS, people_between
from ratebook.lab.studies.summary import summary
from ratebook.lab.studies.tables import notes_on_intervals, tables_of
from ratebook.records.record import plain

MOST = 20
"""Of those who gain, and of those who lose."""


@command("compare", json_option)
@results_argument
@blocks_option
@click.option(
    "--people",
    nargs=2,
    metavar="FIRST SECOND",
    help="Instead, print the members whose ratings change most between two variants, and how many gain or"
    " lose titles and floors; it names persons, for the office alone. The cells must have been run with --people.",
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
