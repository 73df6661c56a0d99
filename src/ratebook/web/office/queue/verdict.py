"""What is decided about a report that waits: warnings accepted, another check, another version, a rejection."""

from collections.abc import Callable, Sequence

from litestar import Response
from litestar.params import FromPath

from ratebook.findings import Finding, finding
from ratebook.office.decisions.revision import Reason
from ratebook.office.queue.submit import accept_warnings, fix, recheck, reject
from ratebook.pages.submission import submission_page
from ratebook.player_lists.row import clean_name
from ratebook.web.forms.inputs import Input
from ratebook.web.forms.once import Answer
from ratebook.web.forms.sent import TheForm
from ratebook.web.gate.gate import TheGate
from ratebook.web.gate.visitors import TheVisitor
from ratebook.web.office import links
from ratebook.web.office.deciding import REASON, Desk, RefusedError
from ratebook.web.office.queue.overview import MOST_OF_NAME
from ratebook.web.office.queue.submission import (
    ACCEPT,
    FILE,
    RECHECK,
    REJECT,
    UPLOAD,
    UPLOADED,
    SentBack,
    accept_inputs,
    submission_response,
)
from ratebook.web.routing import Needs, done_by
from ratebook.web.site import TheSite
from ratebook.web.trial.hints import hints_of
from ratebook.web.trial.reading import read_in_child

ADDRESS = f"{links.QUEUE}/{{number:int}}"


@done_by(Needs.OFFICE, f"{ADDRESS}/{ACCEPT}")
def accept(site: TheSite, gate: TheGate, visitor: TheVisitor, form: TheForm, number: FromPath[int]) -> Answer:
    """Accept the warnings of the codes that were chosen."""
    with site.reading() as reader:
        inputs = accept_inputs(submission_page(reader.connection, number))
    # Warnings that were accepted or mended since the page was made have no box any more.
    codes = [name for name in form.texts if form.is_checked(name) and name in {one.name for one in inputs}]

    def work(because: Reason) -> None:
        chosen = [code for code in codes if code != REASON.name]
        if not chosen:
            raise RefusedError([finding("form-none-chosen", ACCEPT, label="Warnings")])
        accept_warnings(site.book, [number], chosen, because.actor, because.reason)

    return _verdict(Desk(site, gate, visitor, form), number, ACCEPT, inputs, work)


@done_by(Needs.OFFICE, f"{ADDRESS}/{REJECT}")
def reject_report(
    site: TheSite, gate: TheGate, visitor: TheVisitor, form: TheForm, number: FromPath[int]
) -> Answer:
    """Reject a report."""

    def work(because: Reason) -> None:
        reject(site.book, number, because.reason, because.actor)

    return _verdict(Desk(site, gate, visitor, form), number, REJECT, (REASON,), work)


@done_by(Needs.OFFICE, f"{ADDRESS}/{RECHECK}")
def recheck_report(
    site: TheSite, gate: TheGate, visitor: TheVisitor, form: TheForm, number: FromPath[int]
) -> Answer:
    """Check a report again."""

    def work(because: Reason) -> None:
        recheck(site.book, number, because.actor)

    return _verdict(Desk(site, gate, visitor, form), number, RECHECK, (), work)


@done_by(Needs.OFFICE, f"{ADDRESS}/{UPLOAD}")
def upload(site: TheSite, gate: TheGate, visitor: TheVisitor, form: TheForm, number: FromPath[int]) -> Answer:
    """Put another version of a report in its place; a file that cannot be read changes nothing."""

    def work(because: Reason) -> int | None:
        file = form.file(FILE.name)
        assert file is not None  # noqa: S101 - it was asked for
        name = clean_name(file.name)[:MOST_OF_NAME] or "report"
        loaded = read_in_child(file.content, name, hints_of(form))
        if loaded.report is None:
            raise RefusedError(loaded.findings)
        fixed = fix(site.book, number, loaded, name, because.actor)
        if fixed.number is None:
            raise RefusedError(fixed.findings)
        return fixed.number

    return _verdict(Desk(site, gate, visitor, form), number, UPLOAD, UPLOADED, work)


def _verdict(
    desk: Desk, number: int, which: str, inputs: Sequence[Input], work: Callable[[Reason], int | None]
) -> Answer:
    """Decide about a report by *work*, which gives the number of what took its place, if anything did."""

    def decided(because: Reason) -> str:
        return links.submission_address(work(because) or number)

    def again(findings: Sequence[Finding], status: int) -> Response[bytes]:
        back = SentBack(which, findings, desk.sent.values(inputs), status)
        return submission_response(desk, number, back)

    return desk.decide(inputs, decided, again)
