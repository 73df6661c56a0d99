"""Correcting a report that waits in the queue: a new submission takes its place, checked as the first was."""

from collections.abc import Callable

from ratebook.book.connection import Connection
from ratebook.book.decisions import Decision, decide
from ratebook.book.failures import refused
from ratebook.book.reports import found_in_reading, stored_report
from ratebook.book.submissions import (
    WAITING,
    StoredReport,
    accept_findings,
    rated_submission,
    read_findings,
    read_submission,
    waiting_of_event,
)
from ratebook.findings import Place
from ratebook.model import Report
from ratebook.office.decisions.changes import changes_of_report
from ratebook.office.decisions.revision import DecisionResult, Reason, nothing_changes, with_book_names
from ratebook.office.queue.submit import Incoming, fix_within, settle_status
from ratebook.reports.load import LoadedReport


def waiting_report(connection: Connection, name: str) -> StoredReport | None:
    """Return the report in the queue that *name* means, an event id or a submission's number; None where none does.

    The id of a rated event means that event.
    """
    if rated_submission(connection, name) is not None:
        return None
    submission = waiting_of_event(connection, name)
    if submission is None and name.isascii() and name.isdecimal() and len(name) <= _MOST_DIGITS:
        submission = read_submission(connection, int(name))
    return submission if submission is not None and submission.status in WAITING else None


_MOST_DIGITS = 9
"""Of a submission's number."""


def amend(
    connection: Connection,
    row: StoredReport,
    change: Callable[[Report], Report],
    decision: Decision,
    because: Reason,
) -> DecisionResult:
    """Replace a waiting report by what *change* makes of it; warnings that were accepted stay accepted.

    Of the others, those that the change raises can be accepted with it; the queue decides about those that were there.
    Nothing is changed where that is no report any more, such as one that ends before it starts.

    Raises:
        BookError: the file could not be read, *change* refuses, or nothing would change.
    """
    old, reported = stored_report(row)
    if not old.sections:
        raise refused("submission-unread", Place(submission=row.id))
    new = change(old)
    if new == old:
        raise nothing_changes(Place(submission=row.id))
    others = {
        before.player: after.player
        for sections in zip(old.sections, new.sections, strict=True)
        for before, after in zip(sections[0].entries, sections[1].entries, strict=True)
    }
    stated = {others.get(player, player): ratings for player, ratings in reported.stated_ratings.items()}
    found = tuple(found_in_reading(connection, row))
    loaded = LoadedReport(new, found, {}, reported._replace(stated_ratings=stated))
    before = {problem.finding.key for problem in read_findings(connection, row.id)}
    incoming = Incoming(loaded, row.source_name, row.received, storable=True)
    fixed = fix_within(connection, row, incoming, because.actor)
    if fixed.number is None or fixed.status is None:
        return DecisionResult(None, fixed.findings)
    raised = [problem for problem in fixed.open_findings if problem.key not in before]
    wanted = [problem.key for problem in raised if problem.is_accepted_by(because.accepted)]
    accepted = tuple(accept_findings(connection, fixed.number, wanted, because.actor))
    status = settle_status(connection, fixed.number)
    number = decide(
        connection, because.actor, decision._replace(details={**decision.details, "submission": fixed.number})
    )
    became = f"submission {row.id} -> submission {fixed.number}, {status.value}"
    changes = changes_of_report(with_book_names(connection, old), with_book_names(connection, new))
    findings = tuple(problem for problem in fixed.open_findings if problem.key not in set(wanted))
    return DecisionResult(number, findings, changes=(*changes, became), waiting=status, accepted=accepted)
