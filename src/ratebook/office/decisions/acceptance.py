"""What must be accepted: warnings that a decision raises, as those of a report, and members who may be another one."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from types import MappingProxyType

from ratebook.book.audit import AuditSubject, note_audit
from ratebook.book.connection import Book, Connection
from ratebook.book.facts.members import MemberFacts, duplicates_of
from ratebook.findings import Finding, Place, Severity, finding
from ratebook.office.decisions.revision import DecisionResult, Reason

NOT_ACCEPTED = "warnings-not-accepted"
NO_PLACES: Mapping[str, Place] = MappingProxyType({})


class _NotAcceptedError(Exception):
    """Takes back what a decision has written that raised *warnings*."""

    def __init__(self, warnings: tuple[Finding, ...]) -> None:
        super().__init__(warnings)
        self.warnings = warnings


def decided(book: Book, because: Reason, work: Callable[[Connection], DecisionResult]) -> DecisionResult:
    """Return what *work* decides, in one transaction; nothing is kept of it where a warning is not accepted.

    The audit log names the warnings that were accepted with it. A report that waits is replaced whatever its warnings:
    they hold it back.
    """
    try:
        with book.writing() as connection:
            result = work(connection)
            if result.decision is None or result.waiting is not None:
                return result
            warnings = tuple(warning for warning in result.findings if warning.severity is Severity.WARNING)
            accepted = tuple(warning for warning in warnings if warning.is_accepted_by(because.accepted))
            if accepted != warnings:
                # What was written is taken back.
                raise _NotAcceptedError(warnings)  # noqa: TRY301 - the transaction ends by it
            if accepted:
                warned = "; ".join(f"{warning.code} at {warning.where}" for warning in accepted)
                number, details = result.decision, f"{warned}: {because.reason}"
                subject = AuditSubject("decision", str(number))
                note_audit(connection, because.actor, "accept-warning", subject, details, number)
            others = tuple(warning for warning in result.findings if warning not in accepted)
            return result._replace(findings=others, accepted=accepted)
    except _NotAcceptedError as failure:
        return DecisionResult(None, (*failure.warnings, _not_accepted(failure.warnings, because)))


def _not_accepted(warnings: tuple[Finding, ...], because: Reason) -> Finding:
    codes = dict.fromkeys(
        warning.code for warning in warnings if not warning.is_accepted_by(because.accepted)
    )
    return finding(
        "warnings-not-accepted.decision",
        Place(subject="this decision"),
        codes=", ".join(codes),
        options=" ".join(f"--accept {code}" for code in codes),
    )


def possible_duplicates(
    connection: Connection,
    facts: Iterable[MemberFacts],
    accepted: Collection[str],
    where: Mapping[str, Place] = NO_PLACES,
) -> Iterator[Finding]:
    """Yield those of *facts* who may be another member, as errors unless the code (or ``all``) is *accepted*.

    *where* they are said, by id.
    """
    is_open = {"possible-duplicate", "all"}.isdisjoint(accepted)
    text = "possible-duplicate.to-be-accepted" if is_open else "possible-duplicate.accepted"
    for member, other in duplicates_of(connection, facts):
        place = where.get(member.id, Place(members=(member.id,)))
        yield finding(text, place, member=member.id, other=other.id, name=other.name)
