"""The command that converts a report from any format to any other."""

from pathlib import Path
from typing import Any

import click

from ratebook.cli.command import command, option
from ratebook.cli.options import PATH, flag_option
from ratebook.cli.output_files import ZIP_SUFFIX, write_files
from ratebook.cli.report.reports import GivenReport, no_section_option, report_options
from ratebook.cli.show import fail, json_asked, show
from ratebook.findings import Finding, Place, finding, has_errors
from ratebook.formats.built_in import BUILT_IN
from ratebook.formats.contract import AfterRatings, Written
from ratebook.formats.registry import all_formats, format_for_output, format_named, write_report
from ratebook.reports.rate import after_ratings


class FormatName(click.Choice[str]):
    """The name of a format that is written; installed packages are asked where it is none of this program's."""

    def __init__(self) -> None:
        super().__init__([known.name for known in BUILT_IN if known.writer])

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401 - click's signature
        """Return the name, or end with a usage error."""
        if value not in self.choices:
            self.choices = tuple(known.name for known in all_formats() if known.writer)
        return super().convert(value, param, ctx)


TO = FormatName()


@command("convert", no_section_option)
@report_options
@click.argument("out", type=PATH, metavar="OUT")
@option("--to", "Format of OUT (default: by the ending of its name).", TO, name="wanted")
@flag_option("--force", "Replace OUT if it exists.")
def convert_command(report: GivenReport, out: Path, wanted: str | None, *, force: bool) -> None:
    """Convert REPORT to another format, in OUT; notes name what the new format has no place for.

    OUT is a file (.json, .csv, .txt, .trf), or a folder or .zip for the three files of US Chess 2C. A text
    crosstable shows the ratings after the event if the report can be rated.

    Examples:
      ratebook convert examples/quad.json quad.trf
      ratebook convert examples/quad.json upload.zip --to uschess-2c
      ratebook convert crosstable.txt report.json --end 2026-08-30 --time-control "G/25;d5"
      ratebook convert report.json members.csv --to members-csv
    """
    target = format_for_output(out) if wanted is None else format_named(wanted)
    if target is None:
        raise click.UsageError(
            f"The ending of {out} does not tell the format; give --to {' | '.join(TO.choices)}."
        )
    loaded = report.load()
    findings = loaded.findings
    if loaded.report is None or has_errors(findings):
        fail(findings, loaded.report)
    after: AfterRatings | None = None
    if target.shows_after:
        rated = report.rated(loaded, report.rulebook())
        after = after_ratings(rated.sections) if rated.sections else None
        findings = rated.findings
    written = write_report(loaded.report, target, after)
    losses = [with_name_of(out, written, problem) for problem in written.findings]
    if loaded.published and not target.shows_after:
        count = len(loaded.published)
        losses.append(finding("lost-in-conversion.ratings-after", Place(file=str(out)), count=count))
    findings = (*findings, *losses)
    losses += [problem for problem in loaded.findings if problem.code == "birth-year-only"]
    if not written.files and not has_errors(written.findings):
        findings = (*findings, finding("nothing-to-write", Place(file=str(out)), title=target.title))
    elif refused := write_files(written.files, out, overwrite=force, private=target.private):
        findings = (*findings, refused)
    elif not json_asked():
        click.echo(f"Written to {out}: {target.title}.", err=True)  # standard output may be OUT
    show("convert", {"to": target.name}, findings=findings, report=loaded.report, answering=losses)


def with_name_of(out: Path, written: Written, problem: Finding) -> Finding:
    """Return a finding about the one file that was *written* with the name that it was given."""
    name = next(iter(written.files), "")
    if len(written.files) != 1 or out.is_dir() or out.suffix.lower() == ZIP_SUFFIX:
        return problem
    return problem.at(file=out.name) if problem.place.file == name else problem
