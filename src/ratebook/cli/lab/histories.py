"""The commands that make a history of games that a user has, and that write the games of one as rows."""

from functools import partial
from pathlib import Path

import click

from ratebook.cli.command import command, option
from ratebook.cli.options import PATH, FiniteRange
from ratebook.cli.output import print_figures, print_findings
from ratebook.cli.output_files import unwritable, write_files
from ratebook.cli.show import fail, fail_unreadable, fail_with
from ratebook.findings import Place, has_errors
from ratebook.lab.games import games_of_history
from ratebook.lab.imports.games import read_games
from ratebook.lab.imports.histories import import_history
from ratebook.lab.imports.pgn import read_pgn
from ratebook.lab.imports.reports import read_reports
from ratebook.replay.run import check_history

READERS = {"csv": read_games, "pgn": read_pgn, "reports": read_reports}


@command("import")
@click.argument("source", type=click.Choice(list(READERS)))
@click.argument("path", type=PATH)
@option("--out DIR", "Folder to write, which must not exist.", PATH, required=True)
@option(
    "--minutes LEAST MOST",
    "Only the games of a PGN file with so many minutes for each player, seconds of increment added.",
    FiniteRange(0, 10_000),
    nargs=2,
)
def import_command(source: str, path: Path, out: Path, minutes: tuple[float, float] | None) -> None:
    """Make a history from games.

    csv: a file with the columns date, event, white, black (or player1, player2) and result; optional columns are
    section, round, colour, white-rating, black-rating, white-birth-date and black-birth-date. Scripts in examples/lab
    make such files from public data.
    pgn: a PGN file, plain or compressed (.pgn.zst), or a folder of them.
    reports: a report in any format that ratebook reads, such as a FIDE tournament report, or a folder of reports.

    Examples:
      ratebook lab import csv games.csv --out history
      ratebook lab import pgn lichess.pgn --minutes 3 10 --out history
    """
    if minutes is not None and source != "pgn":
        raise click.UsageError("--minutes is for PGN files.")
    if out.exists() or out.is_symlink():
        fail_with("output-exists.folder-used", Place(file=str(out)))
    read = READERS[source] if minutes is None else partial(read_pgn, minutes=minutes)
    try:
        counts, findings = import_history(path, out, read)
    except OSError as failure:
        if failure.filename is not None and Path(failure.filename).is_relative_to(path):
            fail_unreadable(path, failure)
        fail([unwritable(out, failure)])
    if counts is None:
        fail(findings)
    print_figures(
        f"A history in {out}", [(name.replace("_", " "), n) for name, n in counts._asdict().items()]
    )
    print_findings(findings)


@command("games")
@click.argument("history", type=PATH)
@option("--out FILE", "CSV file to write.", PATH, required=True)
def games_command(history: Path, out: Path) -> None:
    """Write the games of a history as CSV, for a program that forecasts them.

    Each game is a line: its number, the last day of its section, event, section, round, the two players, the colour of
    the first one (1 white, -1 black, 0 unknown) and what that one scored. A study can then score that program's
    forecasts, a CSV file with the columns game and probability, beside the variants of the rules.

    Examples:
      ratebook lab games history --out games.csv
    """
    findings = check_history(history)
    if has_errors(findings):
        fail(findings)
    games = games_of_history(history)
    refused = write_files({out.name: games.write_csv().encode()}, out)
    if refused is not None:
        fail([refused])
    print_figures(f"The games of {history} in {out}", [("games", len(games))])
    print_findings(findings)
