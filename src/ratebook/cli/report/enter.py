"""The command that asks for a report line by line, keeps what was typed, and writes it."""

import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import click

from ratebook.bounded_files import MOST_BYTES, bounded_text
from ratebook.checks import ReportedFacts
from ratebook.cli.command import command
from ratebook.cli.options import PATH, flag_option, today
from ratebook.cli.output_files import exists_already, unwritable, write_files
from ratebook.cli.show import fail, fail_with, json_option, show
from ratebook.findings import Finding, Place, has_errors
from ratebook.formats.native.read import parse_native_json
from ratebook.formats.native.write import write
from ratebook.model import Report
from ratebook.reports.form import Form, Question, report_form
from ratebook.reports.rate import RatingOptions, check
from ratebook.rules.rulebook import load_rulebook

BACK = "<"
DRAFT_FORMAT = "ratebook-entry/1"
DRAFT_SUFFIX = ".draft"


@command("enter", json_option)
@click.argument("out", type=PATH, metavar="OUT")
@flag_option(
    "--no-ratings", help="Do not ask for ratings; --players can supply them when the report is rated."
)
@flag_option("--force", help="Replace OUT if it exists.")
def enter_command(out: Path, *, no_ratings: bool, force: bool) -> None:
    """Ask for an event's players and results line by line, and write them to OUT, a native report.

    Each line is checked as it is typed. A line with < goes back to the previous question. What you have typed is kept
    beside OUT (OUT.draft) until the report is complete: after an interruption, the same command continues from there.
    The questions go to standard error. A foreign FIDE event needs more than this form asks for: write a native report
    or a CSV file.

    Examples:
      ratebook enter club-night.json
      ratebook enter club-night.json --no-ratings
      ratebook enter club-night.json < answers.txt
    """
    if not force and out.exists():
        fail([exists_already(out)])
    try:
        with tempfile.TemporaryFile(dir=out.parent):
            pass
    except OSError as failure:
        fail([unwritable(out, failure)])
    draft = KeptAnswers(out.with_name(out.name + DRAFT_SUFFIX))
    rulebook = load_rulebook()
    if draft.answers:
        click.echo(f"Continuing from {draft.path}.", err=True)
    try:
        report = filled(lambda: report_form(rulebook, today(), ratings=not no_ratings), draft)
    except click.Abort:
        if sys.stdin.isatty():
            click.echo(
                f"\nWhat you typed is kept in {draft.path}; the same command continues from there.", err=True
            )
            raise
        click.echo(err=True)
        if not draft.answers:
            fail_with("entry-unfinished.empty", Place(file=str(out)))
        fail_with("entry-unfinished.kept", Place(file=str(out)), draft=draft.path)
    written = write(report)
    (data,) = written.files.values()
    parsed = parse_native_json(data, str(out))
    findings: tuple[Finding, ...] = parsed.findings
    if parsed.report is None or has_errors(findings):
        fail(findings)
    refused = write_files({out.name: data}, out, overwrite=force, private=True)
    if refused is not None:
        fail([refused])
    draft.path.unlink(missing_ok=True)
    findings = (*findings, *check(parsed.report, rulebook, RatingOptions((), None, ReportedFacts())))
    told = f"Written to {out}; ratebook rate {out} rates it."
    show("entered", {"report": str(out)}, told, findings=findings, failing=False)


class KeptAnswers:
    """The answers so far, kept in a file so that nothing typed is lost."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.answers: dict[str, str] = {}
        try:
            text = bounded_text(path, MOST_BYTES)
        except FileNotFoundError:
            return
        except (OSError, UnicodeDecodeError):
            text = ""
        try:
            content = json.loads(text)
            answers = content["answers"]
            known = content["format"] == DRAFT_FORMAT and all(
                isinstance(answer, str) for answer in answers.values()
            )
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            known = False
        if not known:
            fail_with("entry-draft-unreadable", Place(file=str(path)))
        self.answers = dict(answers)

    def keep(self) -> None:
        """Write the answers; end with a finding where that cannot be done."""
        content = {"format": DRAFT_FORMAT, "answers": self.answers}
        data = json.dumps(content, ensure_ascii=False, indent=1).encode(errors="replace")
        refused = write_files({self.path.name: data}, self.path, overwrite=True, private=True)
        if refused is not None:
            fail([refused])


def filled(form: Callable[[], Form], draft: KeptAnswers) -> Report:
    """Return the report of a form that is filled with the answers of *draft*, and asks for the others.

    Raises:
        click.Abort: the input ended, or was interrupted.
    """
    while True:
        running, answered = form(), list[str]()
        question = next(running)
        try:
            while True:
                answer = draft.answers.get(question.key)
                if answer is None or question.wrong(answer) is not None:
                    answer = asked(question)
                    if answer == BACK:
                        break
                    draft.answers[question.key] = answer
                    draft.keep()
                answered.append(question.key)
                question = running.send(answer)
        except StopIteration as done:
            report: Report = done.value
            return report
        # The form starts again without its last answer, and finds the others in the draft.
        for key in answered[-1:]:
            del draft.answers[key]
        draft.keep()


def asked(question: Question) -> str:
    """Return an answer without mistakes, or the wish to go back; what is wrong is said, and asked again."""
    if question.heading:
        click.echo(f"\n{question.heading}", err=True)
    while True:
        typed: str = click.prompt(
            question.text, default=question.default, show_default=bool(question.default), err=True
        )
        if not sys.stdin.isatty():
            click.echo(typed, err=True)  # a terminal shows what is typed
        answer = " ".join(typed.split())
        if answer == BACK:
            return answer
        wrong = question.wrong(answer)
        if wrong is None:
            return answer
        click.echo(f"  {wrong}", err=True)
