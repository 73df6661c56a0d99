"""Accepting warnings of reports that wait: each finding by itself, or as many as were chosen and counted."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from ratebook.book.audit import AuditSubject, note_audit
from ratebook.book.connection import Actor, Book
from ratebook.book.decisions import Decision, decide
from ratebook.book.failures import refused
from ratebook.book.submissions import Status, accept_findings
from ratebook.findings import ALL, Finding, Place
from ratebook.office.queue.submit import settle_status, waiting_submission


class Acceptance(NamedTuple):
    """A decision to accept warnings, with these and what became of the reports, by the submissions' numbers."""

    decision: int
    statuses: dict[int, Status]
    findings: dict[int, list[Finding]]


def accept_warnings(
    book: Book, chosen: Mapping[int, Collection[str]], actor: Actor, reason: str
) -> Acceptance:
    """Accept warnings of submissions, all that are *chosen* or none.

    Args:
        book: what has them.
        chosen: the keys of warnings (`Finding.key`), or codes or ``all``, by the submission's number.
        actor: who accepts them.
        reason: why.

    Raises:
        BookError: a submission does not wait, or has no open warning of one of the keys or codes.
    """
    accepted: dict[int, list[Finding]] = {}
    with book.writing() as connection:
        event_ids = set()
        for number, wanted in chosen.items():
            event_ids.add(waiting_submission(connection, number).event_id)
            accepted[number] = accept_findings(connection, number, wanted, actor)
            for one in wanted:
                if not any(one in {ALL, found.code, found.key} for found in accepted[number]):
                    raise refused(
                        "accepted-in-vain.no-open-warning", Place(submission=number, code=one), number=number
                    )
        first, *others = accepted
        found = [(number, one) for number, them in accepted.items() for one in them]
        decision = Decision(
            "accept-warning",
            AuditSubject("submission", str(first)),
            reason,
            event_id=event_ids.pop() or None if len(event_ids) == 1 else None,
            details={
                "submission": list(accepted),
                "codes": sorted({one.code for _, one in found}),
                "findings": [
                    {"submission": number, "code": one.code, "place": one.place.known}
                    for number, one in found
                ],
            },
        )
        recorded = decide(connection, actor, decision)
        for number in others:
            said = f"decision {recorded}: {reason}"
            subject = AuditSubject("submission", str(number))
            note_audit(connection, actor, decision.kind, subject, said, recorded)
        statuses = {number: settle_status(connection, number) for number in accepted}
        return Acceptance(recorded, statuses, accepted)
