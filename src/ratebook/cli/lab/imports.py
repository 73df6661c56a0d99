"""The command that makes a history of games that a user has."""

import re
from datetime import date
from pathlib import Path

import click

from ratebook.cli.command import command
from ratebook.cli.options import PATH
from ratebook.cli.output import print_figures, print_findings
from ratebook.cli.output_files import unwritable
from ratebook.cli.show import fail, fail_with
from ratebook.lab.imports.histories import import_history
from ratebook.lab.imports.sources import GameSource

MONTH = re.compile(r"(\d{4})-(0[1-9]|1[0-2])")


class Month(click.ParamType[date]):
    """A month as ``2001-01``, by its first day."""

    name = "YYYY-MM"

    def convert(self, value: str | date, param: click.Parameter | None, ctx: click.Context | None) -> date:  # noqa: D102 - click's
        if isinstance(value, date):
            return value
        found = MONTH.fullmatch(value)
        if found is None or not date.min.year < int(found[1]) < date.max.year - 100:
            self.fail(f"{value!r} is no month; write one as 2001-01.", param, ctx)
        return date(int(found[1]), int(found[2]), 1)


@command("import")
@click.argument("source", type=click.Choice([one.value for one in GameSource]))
@click.argument("path", type=PATH)
@click.option("--out", type=PATH, required=True, metavar="DIR", help="Folder to write, which must not exist.")
@click.option(
    "--first-month",
    type=Month(),
    default="2001-01",
    show_default=True,
    help="What month 1 of Kaggle's files is taken for; they give no dates.",
)
def import_command(source: str, path: Path, out: Path, first_month: date) -> None:
    """Make a history of games in a file, or in a folder of files.

    SOURCE says whose columns PATH has. tennis: matches as in J. Sackmann's tennis_atp, a tournament as a section, with
    birth dates from atp_players.csv in the same folder. kaggle: the games of the chess ratings competitions of 2010 and
    2011, a month as a section. csv: date, event, white, black and result; section, round, white-rating, black-rating,
    white-birth-year and black-birth-year may be there too.

    Examples:
      ratebook lab import csv games.csv --out history
      ratebook lab import tennis tennis_atp --out tennis
      ratebook lab import kaggle primary_training_part1.csv --first-month 2001-01 --out chess
    """
    if out.exists() or out.is_symlink():
        fail_with("output-exists.demo-history-command", str(out))
    try:
        counts, findings = import_history(GameSource(source), path, out, first_month)
    except OSError as failure:
        if failure.filename is not None and Path(failure.filename).is_relative_to(path):
            fail_with("file-unreadable.source", str(path), reason=failure.strerror or str(failure))
        fail([unwritable(out, failure)])
    if counts is None:
        fail(findings)
    figures = [(name.replace("_", " "), count) for name, count in counts._asdict().items()]
    print_figures(f"A history in {out}", figures)
    print_findings(findings)
