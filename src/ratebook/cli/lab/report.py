"""The command that writes the report of a study."""

from pathlib import Path

import click

from ratebook.cli.command import command
from ratebook.cli.lab.compare import opened
from ratebook.cli.options import PATH, WordOf, default_option, flag_option
from ratebook.cli.output_files import write_files
from ratebook.cli.show import fail, fail_with
from ratebook.findings import Place
from ratebook.lab.report.page import report_of
from ratebook.lab.studies.comparing import Blocks


@command("report")
@click.argument("results", type=PATH, metavar="RESULTS")
@click.option("--out", type=PATH, required=True, metavar="FILE.html", help="The page to write.")
@click.option("--pictures", type=PATH, metavar="DIR", help="Write each picture too, as PNG, SVG and CSV.")
@default_option(
    "--blocks",
    type=WordOf(Blocks),
    default=Blocks.PLAYER.value,
    help="What holds games together in intervals.",
)
@flag_option(
    "--interactive", help="Let pictures show their numbers under the pointer, by a script in the page."
)
@flag_option("--force", help="Replace files that exist.")
def report_command(
    results: Path, out: Path, pictures: Path | None, blocks: Blocks, *, interactive: bool, force: bool
) -> None:
    """Write the report of the study in the folder RESULTS: one HTML file that loads nothing from elsewhere.

    Examples:
      ratebook lab report results --out report.html
      ratebook lab report results --out report.html --pictures pictures --force
    """
    lock = opened(results)
    if lock.variants[0] in lock.missing:
        fail_with("results-missing.baseline", Place(file=str(results)), count=len(lock.missing))
    made = report_of(lock, blocks, interactive=interactive)
    refused = write_files({out.name: made.page.encode()}, out, overwrite=force)
    if refused is None and pictures is not None:
        pictures.mkdir(exist_ok=True)
        refused = write_files(made.files, pictures, overwrite=force)
    if refused is not None:
        fail([refused])
    click.echo(f"Wrote {out}.")
