"""The command that watches the level of ratings: the monitoring cohort year by year, and the balance of points."""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from ratebook.book.connection import open_book
from ratebook.book.profile import read_federation
from ratebook.cli.book.session import findings_shown
from ratebook.cli.command import command, option
from ratebook.cli.options import PATH, SYSTEM, default_option
from ratebook.cli.output import TextTable, print_findings, progress_bar
from ratebook.cli.settings import BOOK_VARIABLE
from ratebook.cli.show import fail, json_option, show, table
from ratebook.lab.cells.balance import CAUSES
from ratebook.lab.cells.cell import CellOutcome, run_cell
from ratebook.lab.cells.content import AgeGroup, RegionGroup, YearBalance, YearLevel
from ratebook.lab.cells.level import PERCENTILES
from ratebook.lab.cells.measures import Measures
from ratebook.lab.studies.comparing import NORMAL_95
from ratebook.model import System
from ratebook.office.rating.history_columns import export_history
from ratebook.pages.columns import Column, Columns
from ratebook.replay.run import Options
from ratebook.rules.rulebook import Rulebook, load_rulebook


def _interval(error: float | None) -> str:
    return "" if error is None else f"± {NORMAL_95 * error:.1f}"


def _percentile(percent: int) -> Callable[[Mapping[str, float] | None], str]:
    return lambda percentiles: f"{percentiles[str(percent)]:.0f}" if percentiles else ""


def _points(cause: str) -> Column[YearBalance]:
    return Column(cause[0].upper() + cause[1:], lambda year: f"{year.causes[cause]:+,.0f}", "right")


def _group(prefix: str = "") -> Columns[Any]:
    """Return the columns of a group of players, a record within a line or the line itself."""
    return (
        Column("Players", f"{prefix}players", "right", ","),
        Column("Mean", f"{prefix}mean", "right", ".1f"),
        Column("Strength", f"{prefix}strength", "right", ".1f"),
        Column("Change", f"{prefix}change", "right", "+.1f"),
        Column("95 %", f"{prefix}change_error", "left", _interval),
        *(
            Column(f"{percent} %", f"{prefix}percentiles", "right", _percentile(percent))
            for percent in PERCENTILES
        ),
    )


COHORT: Columns[YearLevel] = (Column("Year", "year", "right"), *_group("cohort."))
ACTIVE: Columns[YearLevel] = (
    Column("Year", "year", "right"),
    *_group("active."),
    Column("2200+", "strong", "right", ".2%"),
    Column("At a floor", "at_floor", "right", ".2%"),
)
AGES: Columns[AgeGroup] = (
    Column("Age", lambda group: f"{group.youngest}-{group.oldest}", "right"),
    *_group(),
)
REGIONS: Columns[RegionGroup] = (Column("Region", "region"), *_group())
BALANCE: Columns[YearBalance] = (
    Column("Year", "year", "right"),
    Column("Pool", "pool", "right", ",.0f"),
    *map(_points, CAUSES),
)


@command("monitor", json_option)
@click.argument("history", type=PATH, required=False)
@option("--book PATH_OR_URL", "Watch a book, by the rules it has adopted.", envvar=BOOK_VARIABLE)
@default_option("--system", "The rating system to watch.", SYSTEM, default=System.REGULAR.value)
def monitor_command(history: Path | None, book: str | None, system: System) -> None:
    """Print the level of ratings year by year, and the balance of rating points.

    The monitoring cohort: established, active in the year and in the three before, 35 to 45 years old. After it
    come all active established players, and the age groups and regions of the last year; --json has those of every
    year. The balance shows how points entered the pool of all ratings since the year before. HISTORY is a folder such
    as `ratebook book export --parquet` or `ratebook lab world` writes.

    Examples:
      ratebook lab monitor history
      ratebook lab monitor --book league.book --system quick
    """
    if history is not None:
        cell = _watched(history, load_rulebook(), system)
    elif book:
        cell = _watched_book(book, system)
    else:
        raise click.UsageError("Give a history, or a --book.")
    if cell.content is None:
        fail(cell.findings)
    level, balance = cell.content.level, cell.content.balance
    year, ages, regions = (level[-1].year, level[-1].ages, level[-1].regions) if level else (0, (), ())
    show(
        "lab-monitor",
        {"level": level, "balance": balance},
        table("The monitoring cohort", COHORT, level, none="No rated section."),
        "",
        table("Active established players", ACTIVE, level, none="No rated section."),
        "",
        *_divided(f"By age, {year}", AGES, [group for group in ages if group.players]),
        *_divided(f"By region, {year}", REGIONS, regions),
        table("The balance of rating points", BALANCE, balance, none="No rated section."),
        "Means, shares and the balance count all players and all points, so they are exact and have no interval; the"
        " interval of a change (95 %) is of its mean over the players.",
        findings=None,
    )
    print_findings(finding for finding in cell.findings if finding.severity != "note")


def _divided(title: str, columns: Columns[Any], groups: Sequence[object]) -> list[TextTable | str]:
    return [table(title, columns, groups), ""] if groups else []


def _watched(history: Path, rules: Rulebook, system: System) -> CellOutcome:
    with tempfile.TemporaryDirectory() as place, progress_bar("Rating") as progress:
        return run_cell(
            history, rules, Measures(system), Path(place) / "games.parquet", Options(progress=progress)
        )


def _watched_book(place: str, system: System) -> CellOutcome:
    with (
        findings_shown(),
        closing(open_book(place, read_only=True)) as book,
        tempfile.TemporaryDirectory() as made,
    ):
        history = Path(made) / "history"
        export_history(book, history, with_birth_dates=True)
        with book.reading() as connection:
            rules = read_federation(connection).rulebook
        return _watched(history, rules, system)
