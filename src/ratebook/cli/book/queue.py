"""Commands about reports before they are rated: submit, queue, show, fix, recheck, accept, reject."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import click

from ratebook.book import submissions
from ratebook.book.failures import refused
from ratebook.book.reports import stored_report
from ratebook.cli.book.session import BookSession, accept_option, open_session, reading
from ratebook.cli.command import command, option
from ratebook.cli.hints import STANDARD_INPUT, hint_options, load_given
from ratebook.cli.options import PATH_TEXT, WholeRange, WordOf, day_option, flag_option, today
from ratebook.cli.output import TextTable, all_findings_option, print_findings, progress_bar, title_of
from ratebook.cli.show import fail, fail_with, json_asked, json_option, show, table
from ratebook.findings import ALL, Finding, Place, Severity, finding, has_errors
from ratebook.formats.contract import Hints
from ratebook.model import Report, Section
from ratebook.pages import queue
from ratebook.pages.columns import counted
from ratebook.pages.crosstable import reported_columns
from ratebook.records.record import plain
from ratebook.reports.load import LoadedReport

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from ratebook.office.queue.submit import Submitted

number_argument = click.argument("number", type=WholeRange(min=1), metavar="N")


def is_readable(path: str, loaded: LoadedReport) -> bool:
    """Return whether there was anything to read at *path*; if not, there is nothing to be stored."""
    return loaded.report is not None or path == STANDARD_INPUT or os.access(path, os.R_OK)


@command("submit", all_findings_option, json_option)
@click.argument("reports", nargs=-1, type=PATH_TEXT, required=True, metavar="REPORT...")
@hint_options
@option("--event-id ID", "The event's id (default: the report's, or a new one).", default="")
@day_option("--received", "The day the report came in (default: today).")
@accept_option
def submit_command(
    reports: tuple[str, ...], event_id: str, received: date | None, accepted: tuple[str, ...], hints: Hints
) -> None:
    """Submit REPORTs in any format to the queue: files, folders or zip archives; "-" reads standard input.

    Each report is read, checked against the book and stored with all its findings. A report that the book already has
    is refused. A report with an error, or with a warning that has not been accepted, is held back. The exit status is 1
    if there is an error.

    Examples:
      ratebook book submit reports/*.json
      ratebook book submit crosstable.txt --end 2026-08-30 --time-control "G/25;d5"
      ratebook book submit report.json --accept report-late
    """
    if len(reports) > 1 and (event_id or hints.event):
        raise click.UsageError("--event-id and --event are about one report; submit it alone.")
    from ratebook.office.queue.submit import Incoming, Submitted, submit  # noqa: PLC0415 - what checks a report takes long to load

    day = received or today()
    submitted: list[tuple[str, Submitted]] = []
    with open_session() as session, progress_bar("Submitting") as progress:
        for done, path in enumerate(reports):
            progress(done, len(reports))
            loaded = load_given(path, hints, day)
            if is_readable(path, loaded):
                submission = submit(
                    session.book, Incoming(loaded, path, day, event_id, accepted), session.actor
                )
                submission = submission._replace(
                    findings=(*submission.findings, *_accepted_in_vain(submission.findings, accepted))
                )
            else:
                submission = Submitted(None, "", None, loaded.findings)
            submitted.append((path, submission))
            if not json_asked():
                # At once, so that it is seen too where a later one is interrupted.
                _print_submitted(path, submission, loaded.report)
    _end_submitting(submitted)


def _accepted_in_vain(findings: Sequence[Finding], accepted: Sequence[str]) -> Iterator[Finding]:
    known = {finding.code for finding in findings}
    for code in sorted(set(accepted) - known - {ALL}):
        yield finding("accepted-in-vain.report-without-it", Place(code=code))


def _print_submitted(path: str, submission: Submitted, report: Report | None) -> None:
    """Print what became of one report, and its findings."""
    if submission.number is None:
        click.echo(f"{path}: refused.")
    elif submission.event_id:
        click.echo(
            f"{path}: report {submission.number}, event {submission.event_id}, {_status_words(submission)}."
        )
    else:
        click.echo(f"{path}: report {submission.number}, held back: it cannot be read.")
    print_findings(submission.open_findings, report)


def _end_submitting(submitted: Sequence[tuple[str, Submitted]]) -> None:
    """End with the exit status that the findings ask for, after the JSON where that was asked for."""
    everything = [finding for _, submission in submitted for finding in submission.findings]
    if json_asked():
        answers = [
            {
                "source": path,
                "submission": submission.number,
                "event": submission.event_id,
                "status": "refused" if submission.number is None else submission.status,
                "accepted": sorted({finding.code for finding in submission.accepted}),
            }
            for path, submission in submitted
        ]
        show("book-submit", {"submissions": answers}, findings=everything)
    if has_errors(everything):
        raise SystemExit(1)


def _status_words(submission: Submitted) -> str:
    accepted = f" (accepted: {submission.accepted_text})" if submission.accepted else ""
    if submission.status is submissions.Status.READY:
        return f"ready to be rated{accepted}"
    severity = Severity.ERROR if has_errors(submission.findings) else Severity.WARNING
    holding = [finding.code for finding in submission.open_findings if finding.severity is severity]
    word = counted(len(holding), severity.value)
    return f"held back by {word} ({', '.join(sorted(set(holding)))}){accepted}"


@command("queue", json_option)
@option("--code CODE", "Only reports that this code holds back; repeatable.", name="codes", multiple=True)
@option(
    "--state",
    "Only reports in this state; repeatable.",
    WordOf(submissions.Status),
    name="states",
    multiple=True,
)
@flag_option("--all", "Include rated, rejected and replaced reports.", name="everything")
@option("--source TEXT", "Only reports whose file name contains this.", default="")
@option("--by NAME", "Only reports that NAME submitted.", name="submitted_by", default="")
@day_option("--since", "Only reports received on this day or later.")
@day_option("--until", "Only reports received on this day or earlier.")
@flag_option("--summary", "Count reports and findings by code instead of listing the reports.")
def queue_command(
    codes: tuple[str, ...],
    states: tuple[submissions.Status, ...],
    *,
    everything: bool,
    summary: bool,
    **filters: Any,  # noqa: ANN401 - what the options give
) -> None:
    """List the waiting reports in order of arrival: who sent them, and which codes hold them back.

    Examples:
      ratebook book queue
      ratebook book queue --summary
      ratebook book queue --code report-late --since 2026-11-01
      ratebook book queue --all --json
    """
    if everything and states:
        raise click.UsageError("--all and --state cannot be used together.")
    statuses = states or (tuple(submissions.Status) if everything else submissions.WAITING)
    with reading() as connection:
        lines = queue.queue_page(connection, submissions.QueueFilter(statuses, codes, **filters))
    totals, by_code = queue.queue_totals(lines), queue.queue_summary(lines)
    none = "No report has been submitted." if everything else "No report is waiting."
    if codes or states or any(filters.values()):
        none = "No report matches."
    content = {"totals": totals, "summary": by_code, **({} if summary else {"submissions": lines})}
    title = _totals_text(totals)
    shown = table(title, queue.QUEUE, lines, none=none)
    if summary and lines:
        shown = table(title, queue.SUMMARY, by_code, none=f"{title}. Nothing holds them back.")
    show("book-queue", content, shown)


def _totals_text(totals: queue.QueueTotals) -> str:
    """Return how many reports there are, of which states, and how many findings hold them back."""
    states = ", ".join(f"{number:,} {status}" for status, number in totals.statuses.items())
    counts = (counted(totals.errors, "error"), counted(totals.warnings, "open warning"))
    findings = " and ".join(words for words in counts if not words.startswith("0 "))
    return f"{counted(totals.reports, 'report')}: {states}" + (f"; {findings}" if findings else "")


@command("show", number_argument, all_findings_option, json_option)
@flag_option("--native", "Print the report as native JSON, which you can edit and give to fix.")
def show_command(number: int, *, native: bool) -> None:
    """Show report N: its sections with all results, without ratings, and its findings.

    Examples:
      ratebook book show 12
      ratebook book show 12 --native > report-12.json
    """
    with reading() as connection:
        row = submissions.read_submission(connection, number)
        if row is None:
            raise refused("submission-unknown.at-all", Place(submission=number))
        acceptances = submissions.read_findings(connection, number)
        about = queue.queue_line(row, submissions.holding_codes(connection, [row.status]).get(number, ()))
        rated = row.status == submissions.Status.RATED
        updates: list[Finding] = []
        if rated and row.event_id:
            from ratebook.office.rating.standings import updates_of_event  # noqa: PLC0415 - it rates, which others do not

            updates = updates_of_event(connection, row.event_id)
    if native:
        if not row.report:
            fail_with("submission-unread", Place(submission=number))
        click.echo(row.report.rstrip("\n"))
        return
    report, _ = stored_report(row)
    event = f", event {row.event_id}" if row.event_id else ""
    shown: list[TextTable | str] = [
        f"Report {row.id}{event}: {row.status}. Received {row.received} from {row.source_name}.\n"
    ]
    shown += [_section_table(report, section) for section in report.sections]
    accepted = [(warning, by) for warning, by in acceptances if by]
    shown += [f"Accepted by {by}: {warning.code} ({warning.where})." for warning, by in accepted]
    content = {
        **plain(about, office=True),
        "accepted": sorted({warning.code for warning, _ in accepted}),
        "report": json.loads(row.report) if row.report else None,
    }
    open_findings = (problem for problem, by in acceptances if json_asked() or not by)
    findings = [*open_findings, *updates]
    show("book-submission", content, *shown, findings=findings, failing=False, report=report)


def _section_table(report: Report, section: Section) -> TextTable | str:
    """Return a section as it was reported, in the order of the seats."""
    control = section.time_control or "no time control"
    online = "online" if section.online else ""
    of_the_section = (
        f"Section {section.number}",
        section.name,
        str(section.end),
        control,
        section.type,
        online,
    )
    title = title_of(report.event.name, *of_the_section)
    return table(title, reported_columns(report, section), section.entries)


@command("fix", all_findings_option, json_option)
@number_argument
@click.argument("report", type=PATH_TEXT, metavar="REPORT")
@hint_options
def fix_command(number: int, report: str, hints: Hints) -> None:
    """Replace report N, which is still waiting, with REPORT; it keeps its event id and the day it was received.

    Examples:
      ratebook book show 12 --native > report-12.json
      ratebook book fix 12 report-12.json
    """
    from ratebook.office.queue.submit import fix  # noqa: PLC0415 - as above

    with open_session() as session:
        loaded = load_given(report, hints, today())
        if not is_readable(report, loaded):
            fail(loaded.findings)
        submission = fix(session.book, number, loaded, report, session.actor)
    if not json_asked():
        _print_submitted(report, submission, loaded.report)
    _end_submitting([(report, submission)])


@command("recheck", all_findings_option, json_option)
@click.argument("numbers", nargs=-1, type=WholeRange(min=1), metavar="[N]...")
def recheck_command(numbers: tuple[int, ...]) -> None:
    """Check submissions again after the book has changed: those given as N..., or all that are held back.

    Examples:
      ratebook book recheck 12
      ratebook book recheck
    """
    from ratebook.office.queue.submit import recheck  # noqa: PLC0415 - as above

    with open_session() as session, progress_bar("Checking") as progress:
        chosen = list(numbers) or _held(session)
        checked: list[tuple[str, Submitted]] = []
        for done, number in enumerate(chosen):
            progress(done, len(chosen))
            submission = recheck(session.book, number, session.actor)
            checked.append((f"report {number}", submission))
            if not json_asked():
                with session.book.reading() as connection:
                    row = submissions.read_submission(connection, number)
                _print_checked(number, submission, None if row is None else stored_report(row)[0])
    if not checked and not json_asked():
        click.echo("No report is held back.")
    _end_submitting(checked)


def _print_checked(number: int, submission: Submitted, report: Report | None) -> None:
    with_event = (
        f"Report {number}, event {submission.event_id}" if submission.event_id else f"Report {number}"
    )
    click.echo(f"{with_event}: {_status_words(submission)}.")
    print_findings(submission.open_findings, report)


def _held(session: BookSession) -> list[int]:
    with session.book.reading() as connection:
        return [row.id for row in submissions.waiting(connection, [submissions.Status.HELD.value])]
