"""The command that asks for a report line by line, keeps what was typed, and writes it."""

import json
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click

from ratebook.bounded_files import MOST_BYTES, bounded_bytes, bounded_text
from ratebook.checks import ReportedFacts
from ratebook.checks.member_ids import pattern_of_form
from ratebook.cli.command import command
from ratebook.cli.options import PATH, flag_option, id_form_option, today
from ratebook.cli.output import all_findings_option, notes_option
from ratebook.cli.output_files import exists_already, unwritable, write_or_fail
from ratebook.cli.show import fail, fail_unreadable, fail_with, json_option, show
from ratebook.findings import Finding, Place, Severity, has_errors
from ratebook.formats.native.read import parse_native_json
from ratebook.formats.native.write import write
from ratebook.model import Report
from ratebook.reports.prompt.answers import Form, FormOptions, Question
from ratebook.reports.prompt.changes import change_form
from ratebook.reports.prompt.form import report_form
from ratebook.reports.rate import RatingOptions, check
from ratebook.rules.rulebook import load_rulebook

BACK = "<"
NOTHING = "-"
DRAFT_FORMAT = "ratebook-entry/1"
DRAFT_SUFFIX = ".draft"


@command("enter", all_findings_option, notes_option, json_option)
@click.argument("out", type=PATH, metavar="OUT")
@flag_option("--no-ratings", "Do not ask for ratings; --players can supply them when the report is rated.")
@id_form_option
@flag_option("--force", "Type a new report in the place of OUT.")
def enter_command(out: Path, id_form: str | None, *, no_ratings: bool, force: bool) -> None:
    """Ask for an event's players and results line by line, and write them to OUT, a native report.

    Each line is checked as it is typed. A line with < goes back to the previous question, and Enter keeps its answer.
    What you have typed is kept beside OUT (OUT.draft) until the report is complete: after an interruption, the same
    command continues from there.
    If OUT is a finished report, the command asks what to correct in it: a seat, a round, or the event.
    The questions go to standard error. A foreign FIDE event needs more than this form asks for: write a native report
    or a CSV file.

    Examples:
      ratebook enter club-night.json
      ratebook enter club-night.json --no-ratings
      ratebook enter club-night.json < answers.txt
    """
    id_pattern = None if id_form is None else pattern_of_form(id_form)
    options = FormOptions(load_rulebook(), today(), ratings=not no_ratings, id_pattern=id_pattern)
    is_finished = out.exists() and not force
    parsed = corrected(out, options) if is_finished else typed(out, options, overwrite=force)
    checked = check(parsed.report, options.rulebook, RatingOptions((), None, ReportedFacts()))
    findings = (*parsed.findings, *checked)
    count = sum(problem.severity is Severity.ERROR for problem in findings)
    sentence = f"Written to {out}; ratebook rate {out} rates it."
    if count:
        errors = "an error" if count == 1 else f"{count} errors"
        sentence = f"Written to {out}, with {errors}; ratebook enter {out} corrects it."
    show("entered", {"report": str(out)}, sentence, findings=findings, failing=False, report=parsed.report)


class ReadReport(NamedTuple):
    """A report as it was read from its file, and what is to be said of that."""

    report: Report
    findings: tuple[Finding, ...]


def typed(out: Path, options: FormOptions, *, overwrite: bool) -> ReadReport:
    """Return the report that was typed from the first question on, and is written."""
    try:
        with tempfile.TemporaryFile(dir=out.parent):
            pass
    except OSError as failure:
        fail([unwritable(out, failure)])
    path = out.with_name(out.name + DRAFT_SUFFIX)
    draft = Answers(path)
    if draft.answers:
        click.echo(f"Continuing from {path}.", err=True)
    try:
        report = filled(lambda: report_form(options), draft)
    except click.Abort:
        if sys.stdin.isatty():
            click.echo(
                f"\nWhat you typed is kept in {path}; the same command continues from there.", err=True
            )
            raise
        click.echo(err=True)
        if not draft.answers:
            fail_with("entry-unfinished.empty", Place(file=str(out)))
        fail_with("entry-unfinished.kept", Place(file=str(out)), draft=path)
    parsed = written(report, out, overwrite=overwrite)
    path.unlink(missing_ok=True)
    return parsed


def corrected(out: Path, options: FormOptions) -> ReadReport:
    """Return the finished report at *out* with what was corrected in it; each correction is written at once."""
    parsed = finished(out)
    while True:
        try:
            changed = filled(partial(change_form, parsed.report, options), Answers())
        except click.Abort:
            click.echo(f"\nThe last correction was not finished: {out} is as it was before it.", err=True)
            if sys.stdin.isatty():
                raise
            return parsed
        if changed is parsed.report:
            return parsed
        parsed = written(changed, out, overwrite=True)


def finished(out: Path) -> ReadReport:
    """Return the report at *out*; end with findings where it is none."""
    try:
        data = bounded_bytes(out, MOST_BYTES)
    except OSError as failure:
        fail_unreadable(out, failure)
    parsed = parse_native_json(data, str(out))
    if parsed.report is None:
        fail([exists_already(out), *parsed.findings])
    return ReadReport(parsed.report, parsed.findings)


def written(report: Report, out: Path, *, overwrite: bool) -> ReadReport:
    """Write a report, and return it as it is read again; end with findings where that cannot be done."""
    (data,) = write(report).files.values()
    parsed = parse_native_json(data, str(out))
    if parsed.report is None or has_errors(parsed.findings):
        fail(parsed.findings)
    write_or_fail({out.name: data}, out, overwrite=overwrite, private=True)
    return ReadReport(parsed.report, parsed.findings)


class Answers:
    """The answers so far, kept in a file, where one is given, so that nothing typed is lost."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.answers: dict[str, str] = {}
        if path is None:
            return
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
        """Write the answers, if there is a file for them; end with a finding where that cannot be done."""
        if self.path is None:
            return
        content = {"format": DRAFT_FORMAT, "answers": self.answers}
        data = json.dumps(content, ensure_ascii=False, indent=1).encode(errors="replace")
        write_or_fail({self.path.name: data}, self.path, overwrite=True, private=True)


def filled(form: Callable[[], Form], draft: Answers) -> Report:
    """Return the report of a form filled with the answers of *draft*, asking for the others; `click.Abort` ends it.

    An answer that the user went back to is offered again.
    """
    earlier: dict[str, str] = {}
    while True:
        running, answered = form(), list[str]()
        question = next(running)
        try:
            while True:
                answer = draft.answers.get(question.key)
                if answer is None or question.wrong(answer) is not None:
                    answer = asked(offering(question, earlier.get(question.key, "")))
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
            earlier[key] = draft.answers.pop(key)
        draft.keep()


def offering(question: Question, earlier: str) -> Question:
    """Return the question with an *earlier* answer in brackets, unless that has become wrong.

    Where an empty line is an answer as well, a minus sign gives it.
    """
    if not earlier or question.wrong(earlier) is not None:
        return question
    if question.default or question.wrong("") is not None:
        return question._replace(default=earlier)
    text = f"{question.text} ({NOTHING} for an empty line)"
    return question._replace(text=text, default=earlier, empties=True)


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
        if question.empties and answer == NOTHING:
            return ""
        wrong = question.wrong(answer)
        if wrong is None:
            return answer
        click.echo(f"  {wrong}", err=True)
