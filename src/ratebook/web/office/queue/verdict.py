"""What is decided about a report that waits: warnings accepted, another check, another version, a rejection."""

from collections.abc import Callable, Sequence

from litestar import Response
from litestar.params import FromPath

from ratebook.findings import Finding, Place, finding
from ratebook.office.queue.acceptance import accept_warnings
from ratebook.office.queue.submit import fix, recheck, reject
from ratebook.pages.submission import submission_page
from ratebook.player_lists.row import clean_name
from ratebook.web.forms.acceptance import accepted_keys, boxes_of
from ratebook.web.forms.context import REASON, RefusedError, RequestContext, TheContext
from ratebook.web.forms.inputs import Input
from ratebook.web.forms.once import Answer
from ratebook.web.office import links
from ratebook.web.office.queue.overview import MOST_OF_NAME
from ratebook.web.office.queue.submission import (
    ACCEPT,
    FILE,
    RECHECK,
    REJECT,
    UPLOAD,
    UPLOADED,
    SentBack,
    submission_response,
)
from ratebook.web.routing import Needs, done_by
from ratebook.web.trial.hints import hints_of
from ratebook.web.trial.reading import read_in_child

ADDRESS = links.SUBMISSION


@done_by(Needs.OFFICE, f"{ADDRESS}/{ACCEPT}", costly=True)
def accept(context: TheContext, number: FromPath[int]) -> Answer:
    """Accept the warnings that were chosen."""
    with context.site.reading() as reader:
        # Warnings that were accepted or mended since the page was made have no box any more.
        boxes = boxes_of(submission_page(reader.connection, number).open_warnings)
    inputs = (*(one.asked for one in boxes), REASON)

    def work() -> None:
        chosen = accepted_keys(context.sent, boxes)
        if not chosen:
            raise RefusedError([finding("form-none-chosen", Place(input=ACCEPT), label="Warnings")])
        accept_warnings(context.site.book, {number: chosen}, context.because.actor, context.because.reason)

    return _verdict(context, number, ACCEPT, inputs, work)


@done_by(Needs.OFFICE, f"{ADDRESS}/{REJECT}", costly=True)
def reject_report(context: TheContext, number: FromPath[int]) -> Answer:
    """Reject a report."""

    def work() -> None:
        reject(context.site.book, number, context.because.reason, context.because.actor)

    return _verdict(context, number, REJECT, (REASON,), work)


@done_by(Needs.OFFICE, f"{ADDRESS}/{RECHECK}", costly=True)
def recheck_report(context: TheContext, number: FromPath[int]) -> Answer:
    """Check a report again."""

    def work() -> None:
        recheck(context.site.book, number, context.because.actor)

    return _verdict(context, number, RECHECK, (), work)


@done_by(Needs.OFFICE, f"{ADDRESS}/{UPLOAD}", costly=True)
def upload(context: TheContext, number: FromPath[int]) -> Answer:
    """Put another version of a report in its place; a file that cannot be read changes nothing."""

    def work() -> int | None:
        file = context.sent.file(FILE.name)
        assert file is not None  # noqa: S101 - it was asked for
        name = clean_name(file.name)[:MOST_OF_NAME] or "report"
        loaded = read_in_child(file.content, name, hints_of(context.sent))
        if loaded.report is None:
            raise RefusedError(loaded.findings)
        fixed = fix(context.site.book, number, loaded, name, context.because.actor)
        if fixed.number is None:
            raise RefusedError(fixed.findings)
        return fixed.number

    return _verdict(context, number, UPLOAD, UPLOADED, work)


def _verdict(
    context: RequestContext, number: int, which: str, inputs: Sequence[Input], work: Callable[[], int | None]
) -> Answer:
    """Decide about a report by *work*, which gives the number of what took its place, if anything did."""

    def decided() -> str:
        return links.SUBMISSION(work() or number)

    def again(findings: Sequence[Finding], status: int) -> Response[bytes]:
        back = SentBack(which, findings, context.sent.values(inputs), status)
        return submission_response(context, number, back)

    return context.decide(inputs, decided, again)
