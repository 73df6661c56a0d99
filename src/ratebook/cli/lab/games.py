"""The command that writes the games of a history as rows."""

from pathlib import Path

import click

from ratebook.cli.command import command
from ratebook.cli.options import PATH
from ratebook.cli.output import print_figures, print_findings
from ratebook.cli.output_files import write_files
from ratebook.cli.show import fail
from ratebook.findings import has_errors
from ratebook.lab.games import games_of_history
from ratebook.replay.run import check_history


@command("games")
@click.argument("history", type=PATH)
@click.option("--out", type=PATH, required=True, metavar="FILE", help="CSV file to write.")
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
