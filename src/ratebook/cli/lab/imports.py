"""The command that makes a history of games that a user has."""

from pathlib import Path

import click

from ratebook.cli.command import command
from ratebook.cli.options import PATH
from ratebook.cli.output import print_figures, print_findings
from ratebook.cli.output_files import unwritable
from ratebook.cli.show import fail, fail_unreadable, fail_with
from ratebook.findings import Place
from ratebook.lab.imports.histories import import_history


@command("import")
@click.argument("source", type=click.Choice(["csv"]))
@click.argument("path", type=PATH)
@click.option("--out", type=PATH, required=True, metavar="DIR", help="Folder to write, which must not exist.")
def import_command(source: str, path: Path, out: Path) -> None:  # noqa: ARG001 - one kind of file so far
    """Make a history from the games in a file.

    The columns are date, event, white, black (or player1, player2) and result; optional columns are section,
    round, colour, white-rating, black-rating, white-birth-date and black-birth-date. Scripts in examples/lab make such
    files from public data.

    Examples:
      ratebook lab import csv games.csv --out history
    """
    if out.exists() or out.is_symlink():
        fail_with("output-exists.folder-used", Place(file=str(out)))
    try:
        counts, findings = import_history(path, out)
    except OSError as failure:
        if failure.filename is not None and Path(failure.filename).is_relative_to(path):
            fail_unreadable(path, failure)
        fail([unwritable(out, failure)])
    if counts is None:
        fail(findings)
    figures = [(name.replace("_", " "), count) for name, count in counts._asdict().items()]
    print_figures(f"A history in {out}", figures)
    print_findings(findings)
