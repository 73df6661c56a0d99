"""The command that watches the level of ratings: the monitoring cohort year by year, and the balance of points."""

import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from ratebook.book.connection import open_book
from ratebook.book.profile import read_federation
from ratebook.cli.book.group import VARIABLE
from ratebook.cli.book.session import findings_shown
from ratebook.cli.command import command
from ratebook.cli.options import PATH, SYSTEM, default_option
from ratebook.cli.output import TextTable, print_findings, progress_bar
from ratebook.cli.show import fail, json_option, show, table
from ratebook.lab.cells.balance import CAUSES
from ratebook.lab.cells.cell import CellOutcome, run_cell
from ratebook.lab.cells.measures import Measures
from ratebook.lab.studies.comparing import NORMAL_95
from ratebook.model import System
from ratebook.office.rating.history_columns import export_history
from ratebook.pages.columns import Column, Columns
from ratebook.replay.run import Options
from ratebook.rules.rulebook import Rulebook, load_rulebook

Year = dict[str, Any]


def _number(name: str, form: str, title: str = "") -> Column[Year]:
    short = name.removeprefix("cohort ").removeprefix("active ")
    shown = title or short[0].upper() + short[1:]
    return Column(shown, lambda one: format(one[name], form) if name in one else "", "right")


def _group(prefix: str) -> Columns[Year]:
    """Return the columns of a group of players: how many, their mean, its change, and percentiles."""
    change = f"{prefix}change"
    return (
        _number(f"{prefix}players", ","),
        _number(f"{prefix}mean", ".1f"),
        _number(f"{prefix}strength", ".1f"),
        _number(change, "+.1f"),
        Column(
            "95 %",
            lambda one: f"± {NORMAL_95 * one[f'{change} error']:.1f}" if f"{change} error" in one else "",
        ),
        *(
            Column(f"{percent} %", lambda one, at=percent: _percentile(one, prefix, at), "right")  # type: ignore[misc]
            for percent in ("5", "25", "50", "75", "95")
        ),
    )


def _percentile(one: Year, prefix: str, percent: str) -> str:
    found = one.get(f"{prefix}percentiles")
    return f"{found[percent]:.0f}" if found else ""


YEAR = Column[Year]("Year", lambda one: str(one["year"]), "right")
COHORT: Columns[Year] = (YEAR, *_group("cohort "))
ACTIVE: Columns[Year] = (
    YEAR,
    *_group("active "),
    _number("strong", ".2%", "2200+"),
    _number("at floor", ".2%", "At a floor"),
)
AGES: Columns[Year] = (Column("Age", lambda one: f"{one['from']}-{one['to']}", "right"), *_group(""))
REGIONS: Columns[Year] = (Column("Region", lambda one: one["from"]), *_group(""))
BALANCE: Columns[Year] = (
    Column("Year", lambda one: str(one["year"]), "right"),
    _number("pool", ",.0f"),
    *(_number(cause, "+,.0f") for cause in CAUSES),
)


@command("monitor", json_option)
@click.argument("history", type=PATH, required=False)
@click.option(
    "--book", envvar=VARIABLE, metavar="PATH_OR_URL", help="Watch a book, by the rules it has adopted."
)
@default_option("--system", type=SYSTEM, default=System.REGULAR.value, help="Whose ratings are watched.")
def monitor_command(history: Path | None, book: str | None, system: System) -> None:
    """Print the level of ratings year by year, and the balance of rating points.

    The monitoring cohort: established, active in the year and in the three before, 35 to 45 years old. Beside it all
    active established players, and the age groups and regions of the last year; --json has those of every year. The
    balance says by which way points entered the pool of all ratings since the year before. HISTORY is a folder such as
    `ratebook book export --parquet` or `ratebook lab world` writes.

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
    content = {"level": cell.content["level"], "balance": cell.content["balance"]}
    show(
        "lab-monitor",
        content,
        table("The monitoring cohort", COHORT, content["level"], none="No rated section."),
        "",
        table("Active established players", ACTIVE, content["level"], none="No rated section."),
        "",
        *_divided("By age", AGES, content["level"], "ages"),
        *_divided("By region", REGIONS, content["level"], "regions"),
        table("The balance of rating points", BALANCE, content["balance"], none="No rated section."),
        findings=None,
    )
    print_findings(one for one in cell.findings if one.severity != "note")


def _divided(title: str, columns: Columns[Year], level: list[Year], by: str) -> list[TextTable | str]:
    known = [one for one in level[-1][by] if one["players"]] if level else []
    return [table(f"{title}, {level[-1]['year']}", columns, known), ""] if known else []


def _watched(history: Path, rules: Rulebook, system: System) -> CellOutcome:
    with tempfile.TemporaryDirectory() as place, progress_bar("Rating") as progress:
        return run_cell(
            history, rules, Measures(system), Path(place) / "blocks.parquet", Options(progress=progress)
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
