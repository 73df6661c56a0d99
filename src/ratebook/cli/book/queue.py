"""Commands about reports before they are rated: submit, queue, show, fix, recheck, accept, reject."""

from __future__ import annotations

import math
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from ratebook.book.failures import BookError, refused
from ratebook.book.submissions import Status, open_findings, read_findings, read_submission, waiting
from ratebook.cli.book.session import (
    open_session,
    print_answer,
    progress_shown,
    reason_option,
    refuse,
    today,
)
from ratebook.cli.options import DAY, json_option
from ratebook.cli.output import Table, print_findings, print_table
from ratebook.findings import Finding, Severity, finding, has_errors
from ratebook.formats.contract import Hints
from ratebook.model import SectionType
from ratebook.office.queue.check import stored_report
from ratebook.office.queue.submit import Submitted, accept_warning, fix, recheck, reject, submit
from ratebook.pages.crosstable import cell_text
from ratebook.reports.load import Intake, take_in_bytes, take_in_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import date

    from sqlalchemy import Connection, Row

    from ratebook.cli.book.session import Session
    from ratebook.model import Report, Section

STANDARD_INPUT = "-"

number_argument = click.argument("number", type=click.IntRange(min=1), metavar="N")


def hint_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add what the user says in the place of a file that cannot."""
    options = (
        click.option("--start", type=DAY, metavar="DATE", help="First day, where the file does not say it."),
        click.option("--end", type=DAY, metavar="DATE", help="Last day, where the file does not say it."),
        click.option(
            "--time-control", metavar="TEXT", help='For example "G/60;d5", where the file does not say it.'
        ),
        click.option(
            "--type",
            "section_type",
            type=click.Choice([kind.value for kind in SectionType]),
            help="How it was played, where the file does not say it.",
        ),
        click.option("--online", is_flag=True, help="The event was online, where the file does not say it."),
        click.option("--event", metavar="ID", help="The event to read, where the file holds several."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def hints_of(said: dict[str, Any]) -> Hints:
    """Return what the options of `hint_options` say."""
    kind = said["section_type"]
    return Hints(
        said["start"],
        said["end"],
        said["time_control"],
        said["online"],
        None if kind is None else SectionType(kind),
        said["event"],
    )


def taken_in(path: str, hints: Hints, received: date) -> Intake:
    """Return the report at *path*; a dash is standard input."""
    if path == STANDARD_INPUT:
        return take_in_bytes(sys.stdin.buffer.read(), path, hints, received=received)
    return take_in_path(path, hints, received=received)


def came_in(path: str, intake: Intake) -> bool:
    """Return whether there was anything to read at *path*; if not, there is nothing to be stored."""
    return intake.report is not None or path == STANDARD_INPUT or os.access(path, os.R_OK)


@click.command("submit")
@click.argument("reports", nargs=-1, required=True, metavar="REPORT...")
@hint_options
@click.option(
    "--event-id", default="", metavar="ID", help="The event's id (default: the report's, or a new one)."
)
@click.option("--received", type=DAY, metavar="DATE", help="The day the report came in (default: today).")
@click.option(
    "--accept", "accepted", multiple=True, metavar="CODE", help='Accept a warning, or "all"; repeatable.'
)
@json_option
def submit_command(
    reports: tuple[str, ...],
    event_id: str,
    received: date | None,
    accepted: tuple[str, ...],
    *,
    as_json: bool,
    **said: Any,  # noqa: ANN401 - the options of `hint_options`
) -> None:
    """Submit REPORTs of any format (a file, a folder, a zip archive; "-" reads standard input) to the queue.

    Each is parsed, checked against the book and stored with its findings, whatever these are. A report that the book
    has already is refused. A report with an error, or with a warning that nobody has accepted, is held back. The exit
    status is 1 where an error stands.

    \b
    Examples:
      ratebook book submit reports/*.json
      ratebook book submit crosstable.txt --end 2026-08-30 --time-control "G/25;d5"
      ratebook book submit report.json --accept report-late
    """
    if len(reports) > 1 and (event_id or said["event"]):
        raise click.UsageError("--event-id and --event are about one report; submit it alone.")
    day = received or today()
    submitted: list[tuple[str, Submitted]] = []
    with open_session() as session, progress_shown("Submitting") as progress:
        for done, path in enumerate(reports):
            progress(done, len(reports))
            intake = taken_in(path, hints_of(said), day)
            if came_in(path, intake):
                one = submit(
                    session.book, intake, path, day, session.actor, event_id=event_id, accepted=accepted
                )
                one = one._replace(findings=(*one.findings, *_accepted_in_vain(one.findings, accepted)))
            else:
                one = Submitted(None, "", None, intake.findings)
            submitted.append((path, one))
            if not as_json:
                # At once, so that it is seen too where a later one is interrupted.
                _print_submitted(path, one, accepted)
    _end_submitting(submitted, as_json=as_json)


def _accepted_in_vain(findings: Sequence[Finding], accepted: Sequence[str]) -> Iterator[Finding]:
    warned = {finding.code for finding in findings if finding.severity is Severity.WARNING}
    for code in sorted(set(accepted) - warned - {"all"}):
        yield finding("accepted-in-vain.accepted-in-vain", f"accepted code {code}")


def _print_submitted(path: str, one: Submitted, accepted: Sequence[str] = ()) -> None:
    """Print what became of one report, and its findings."""
    if one.number is None:
        click.echo(f"{path}: refused.")
    elif one.event_id:
        click.echo(f"{path}: submission {one.number}, event {one.event_id}, {_status_words(one, accepted)}.")
    else:
        click.echo(f"{path}: submission {one.number}, held back: it cannot be read.")
    print_findings(one.findings)


def _end_submitting(submitted: Sequence[tuple[str, Submitted]], *, as_json: bool) -> None:
    """End with the exit status that the findings ask for, after the JSON where that was asked for."""
    everything = [finding for _, one in submitted for finding in one.findings]
    if as_json:
        answers = [
            {
                "source": path,
                "submission": one.number,
                "event": one.event_id,
                "status": "refused" if one.number is None else one.status,
            }
            for path, one in submitted
        ]
        print_answer("submit", {"submissions": answers}, everything)
    if has_errors(everything):
        raise SystemExit(1)


def _status_words(one: Submitted, accepted: Sequence[str]) -> str:
    if one.status is Status.READY:
        return "ready to be rated"
    if has_errors(one.findings):
        return "held back by errors"
    codes = sorted(
        {finding.code for finding in one.findings if finding.severity is Severity.WARNING} - set(accepted)
    )
    return f"held back by warnings ({', '.join(codes)})"


@click.command("queue")
@click.option("--all", "everything", is_flag=True, help="Also those that are rated, rejected or replaced.")
@json_option
def queue_command(*, everything: bool, as_json: bool) -> None:
    """List the reports that wait, in the order in which they came: who sent them, and what holds them back.

    \b
    Examples:
      ratebook book queue
      ratebook book queue --all --json
    """
    with open_session() as session, session.book.reading() as connection:
        rows = waiting(connection, [status.value for status in Status]) if everything else waiting(connection)
        found = [(row, *open_findings(connection, row.id)) for row in rows]
    if as_json:
        print_answer(
            "queue",
            {
                "submissions": [
                    {**_about(row), "errors": errors, "warnings": warnings} for row, errors, warnings in found
                ]
            },
        )
        return
    if not found:
        click.echo("No report waits." if not everything else "No report has been submitted.")
        return
    print_table(
        Table(
            f"{len(found)} {'report' if len(found) == 1 else 'reports'}",
            ("No.", "Status", "Event", "Name", "Received", "From", "By", "Errors", "Warnings"),
            [
                (
                    str(row.id),
                    row.status,
                    row.event_id,
                    row.event_name,
                    str(row.received),
                    row.source_name,
                    row.submitted_by,
                    str(errors),
                    str(warnings),
                )
                for row, errors, warnings in found
            ],
            frozenset({1, 2, 3, 4, 5, 6}),
        )
    )


def _about(row: Row[Any]) -> dict[str, object]:
    return {
        "submission": row.id,
        "status": row.status,
        "event": row.event_id,
        "name": row.event_name,
        "received": row.received,
        "source": row.source_name,
        "submitted_by": row.submitted_by,
        "submitted_at": row.submitted_at,
        "revises": row.revises,
    }


@click.command("show")
@number_argument
@click.option("--native", is_flag=True, help="Print the report as native JSON, to be edited for fix.")
@json_option
def show_command(number: int, *, native: bool, as_json: bool) -> None:
    """Show submission N: its sections with all results, without ratings, and its findings.

    \b
    Examples:
      ratebook book show 12
      ratebook book show 12 --native > report-12.json
    """
    with open_session() as session, session.book.reading() as connection:
        row = read_submission(connection, number)
        if row is None:
            raise _no_submission(number)
        acceptances = _findings(connection, number)
    if native:
        if not row.report:
            refuse([_unread(number).finding])
        click.echo(row.report.rstrip("\n"))
        return
    report, _ = stored_report(row)
    findings = [finding for finding, _ in acceptances]
    if as_json:
        from json import loads  # noqa: PLC0415 - only for this answer

        content = loads(row.report) if row.report else None
        accepted = sorted({finding.code for finding, by in acceptances if by})
        print_answer("submission", {**_about(row), "accepted": accepted, "report": content}, findings)
        return
    event = f", event {row.event_id}" if row.event_id else ""
    click.echo(f"Submission {row.id}{event}: {row.status}. Received {row.received} from {row.source_name}.")
    click.echo()
    for section in report.sections:
        print_table(_section_table(report, section))
    for one, by in acceptances:
        if by:
            click.echo(f"Accepted by {by}: {one.code} ({one.where}).")
    print_findings(one for one, by in acceptances if not by)


def _no_submission(number: int) -> BookError:
    return refused("submission-unknown.no-submission", f"submission {number}")


def _unread(number: int) -> BookError:
    return refused("submission-unread", f"submission {number}")


def _findings(connection: Connection, number: int) -> list[tuple[Finding, str | None]]:
    """Return the findings of a submission, each with the person who accepted it."""
    return [
        (
            Finding._make((row.code, Severity(row.severity), row.place, row.message, row.remedy)),
            row.accepted_by,
        )
        for row in read_findings(connection, number)
    ]


def _section_table(report: Report, section: Section) -> Table:
    """Return a section as it was reported, in the order of the seats."""
    rounds = max((len(entry.rounds) for entry in section.entries), default=0)
    words = [
        report.event.name,
        f"Section {section.number}",
        section.name,
        str(section.end),
        section.time_control or "no time control",
        section.type.value,
        "online" if section.online else "",
    ]
    rows = [
        (
            str(entry.seat),
            entry.player,
            report.players[entry.player].name,
            f"{math.fsum(cell.points for cell in entry.rounds):g}",
            *(cell_text(cell) for cell in entry.rounds),
            *[""] * (rounds - len(entry.rounds)),
        )
        for entry in section.entries
    ]
    headings = ("Seat", "ID", "Name", "Pts", *(f"R{number}" for number in range(1, rounds + 1)))
    return Table(
        " - ".join(word for word in words if word), headings, rows, frozenset({1, 2, *range(4, 4 + rounds)})
    )


@click.command("fix")
@number_argument
@click.argument("report", metavar="REPORT")
@hint_options
@json_option
def fix_command(number: int, report: str, *, as_json: bool, **said: Any) -> None:  # noqa: ANN401 - the options of `hint_options`
    """Put REPORT in the place of submission N, which still waits; it keeps the event id and the day it was received.

    \b
    Examples:
      ratebook book show 12 --native > report-12.json
      ratebook book fix 12 report-12.json
    """
    with open_session() as session:
        intake = taken_in(report, hints_of(said), today())
        if not came_in(report, intake):
            refuse(intake.findings)
        one = fix(session.book, number, intake, report, session.actor)
    if not as_json:
        _print_submitted(report, one)
    _end_submitting([(report, one)], as_json=as_json)


@click.command("recheck")
@click.argument("numbers", nargs=-1, type=click.IntRange(min=1), metavar="[N]...")
@json_option
def recheck_command(numbers: tuple[int, ...], *, as_json: bool) -> None:
    """Check submissions again, since what the book knows has changed: N..., or all that are held back.

    \b
    Examples:
      ratebook book recheck 12
      ratebook book recheck
    """
    with open_session() as session, progress_shown("Checking") as progress:
        chosen = list(numbers) or _held(session)
        checked: list[tuple[str, Submitted]] = []
        for done, number in enumerate(chosen):
            progress(done, len(chosen))
            one = recheck(session.book, number, session.actor)
            checked.append((f"submission {number}", one))
            if not as_json:
                _print_checked(number, one)
    if not checked and not as_json:
        click.echo("No report is held back.")
    _end_submitting(checked, as_json=as_json)


def _print_checked(number: int, one: Submitted) -> None:
    with_event = f"Submission {number}, event {one.event_id}" if one.event_id else f"Submission {number}"
    click.echo(f"{with_event}: {_status_words(one, ())}.")
    print_findings(one.findings)


def _held(session: Session) -> list[int]:
    with session.book.reading() as connection:
        return [row.id for row in waiting(connection, [Status.HELD.value])]


@click.command("accept")
@number_argument
@click.argument("codes", nargs=-1, required=True, metavar="CODE...")
@json_option
def accept_command(number: int, codes: tuple[str, ...], *, as_json: bool) -> None:
    """Accept the warnings of these CODEs of submission N, or "all": somebody looked, and the report is right.

    An error cannot be accepted, only mended.

    \b
    Examples:
      ratebook book accept 12 report-late
      ratebook book accept 12 all
    """
    with open_session() as session:
        status = Status.HELD
        for code in codes:
            status = accept_warning(session.book, number, code, session.actor)
        with session.book.reading() as connection:
            errors, warnings = open_findings(connection, number)
    if as_json:
        print_answer(
            "accept", {"submission": number, "status": status, "errors": errors, "warnings": warnings}
        )
        return
    held = f"held back by {errors} errors and {warnings} warnings"
    click.echo(f"Submission {number}: {'ready to be rated' if status is Status.READY else held}.")


@click.command("reject")
@number_argument
@reason_option
@json_option
def reject_command(number: int, reason: str, *, as_json: bool) -> None:
    """Take submission N out of the queue for good.

    \b
    Examples:
      ratebook book reject 12 --reason "sent twice, see submission 9"
    """
    with open_session() as session:
        reject(session.book, number, reason, session.actor)
    if as_json:
        print_answer("reject", {"submission": number, "status": Status.REJECTED})
        return
    click.echo(f"Submission {number} is rejected.")
