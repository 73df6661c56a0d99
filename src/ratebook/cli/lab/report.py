"""The command that writes the report of a study."""

from pathlib import Path

import click

from ratebook.cli.command import command, option
from ratebook.cli.lab.studies import blocks_option, results_argument, results_with_baseline
from ratebook.cli.options import PATH, flag_option
from ratebook.cli.output import progress_bar
from ratebook.cli.output_files import write_or_fail
from ratebook.lab.report.page import report_of
from ratebook.lab.studies.comparing import Blocks


@command("report")
@results_argument
@option("--out FILE.html", "The page to write.", PATH, required=True)
@option("--pictures DIR", "Also write each picture, as PNG, SVG and CSV.", PATH)
@blocks_option
@flag_option("--interactive", "Show the numbers of pictures under the pointer, with a script in the page.")
@flag_option("--force", "Replace files that exist.")
def report_command(
    results: Path, out: Path, pictures: Path | None, blocks: Blocks, *, interactive: bool, force: bool
) -> None:
    """Write the report of the study in the folder RESULTS: one HTML file that loads nothing from elsewhere.

    Examples:
      ratebook lab report results --out report.html
      ratebook lab report results --out report.html --pictures pictures --force
    """
    lock = results_with_baseline(results)
    with progress_bar("Cells") as progress:
        report = report_of(lock, blocks, progress, interactive=interactive)
    write_or_fail({out.name: report.page.encode()}, out, overwrite=force)
    if pictures is not None:
        pictures.mkdir(exist_ok=True)
        write_or_fail(report.files, pictures, overwrite=force)
    click.echo(f"Wrote {out}.")
