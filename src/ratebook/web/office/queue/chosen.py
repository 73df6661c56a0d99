"""What is done with several reports that were chosen in the queue: shown in words first, then done for one reason."""

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import Annotated

from litestar import Response
from litestar.params import QueryParameter

from ratebook.book.submissions import QueueFilter, open_warnings
from ratebook.findings import Finding
from ratebook.office.queue.actions import ACCEPT
from ratebook.office.queue.submit import recheck, reject
from ratebook.pages.columns import counted
from ratebook.pages.queue import brief, queue_page
from ratebook.records.reports import QueuedSubmission
from ratebook.web.forms.acceptance import box_of
from ratebook.web.forms.context import REASON, RequestContext, TheContext
from ratebook.web.forms.inputs import Input, InputKind
from ratebook.web.forms.once import Answer
from ratebook.web.layout.words import in_title_case
from ratebook.web.office import links
from ratebook.web.office.queue.overview import (
    MOST_OF_NAME,
    ReportsBox,
    checked_keys,
    places_words,
    reports_table,
)
from ratebook.web.office.queue.rating import numbers_in
from ratebook.web.routing import NO_NUMBER, Needs, done_by, shown_to

MOST_CHOSEN = 50
CHOSEN = f"{links.QUEUE}/chosen"


class BulkWork(StrEnum):
    """What can be done with several reports at once."""

    ACCEPT = "accept"
    RECHECK = "recheck"
    REJECT = "reject"


TITLES = {
    BulkWork.ACCEPT: "Accept warnings of {}",
    BulkWork.RECHECK: "Check {} again",
    BulkWork.REJECT: "Reject {}",
}
BUTTONS = {
    BulkWork.ACCEPT: "Accept these warnings",
    BulkWork.RECHECK: "Check them again",
    BulkWork.REJECT: "Reject the checked reports",
}
WORK = Input("work", "Action", InputKind.HIDDEN)
NUMBERS = Input("numbers", "Reports", InputKind.HIDDEN, most=1000)


@shown_to(Needs.OFFICE, CHOSEN, costly=True)
def show_chosen(
    context: TheContext,
    work: Annotated[BulkWork, QueryParameter(name="work")] = BulkWork.ACCEPT,
    reports: Annotated[list[int] | None, QueryParameter(name="report", max_items=MOST_CHOSEN)] = None,
) -> Response[bytes]:
    """Show what would be done with the reports that were chosen."""
    return _page(context, work, [number for number in reports or () if 0 < number < NO_NUMBER])


@done_by(Needs.OFFICE, CHOSEN, costly=True)
def do_with_chosen(context: TheContext) -> Answer:
    """Do it with those whose boxes are checked, all of them or none."""
    word, text = context.sent.text(WORK.name), context.sent.text(NUMBERS.name)
    work = BulkWork(word) if word in set(BulkWork) else BulkWork.RECHECK
    numbers = numbers_in(text)
    inputs = (WORK, NUMBERS, *([] if work is BulkWork.RECHECK else [REASON]))
    boxes = _boxes(work, *_waiting(context, numbers))

    def done() -> str:
        _do(context, work, checked_keys(context.sent, boxes, WORK.name))
        return links.QUEUE

    return context.decide(inputs, done, lambda refused: _page(refused, work, numbers))


def _do(context: RequestContext, work: BulkWork, keys: Mapping[int, Collection[str]]) -> None:
    """Do it with reports by their numbers, each with the *keys* of the warnings that are accepted."""
    book, because = context.site.book, context.because
    if work is BulkWork.ACCEPT:
        ACCEPT.done(book, because, {"findings": keys}, context.site.today())
    elif work is BulkWork.REJECT:
        reject(book, list(keys), because.reason, because.actor)
    else:
        for number in keys:
            recheck(book, number, because.actor)


def _waiting(
    context: RequestContext, numbers: Collection[int]
) -> tuple[list[QueuedSubmission], Mapping[int, list[Finding]]]:
    """Return those of the reports that wait, and the warnings that hold them back."""
    with context.site.reading() as reader:
        lines = queue_page(reader.connection, QueueFilter())
        warnings = open_warnings(reader.connection)
    return [line for line in lines if line.number in numbers], warnings


def _boxes(
    work: BulkWork, lines: Sequence[QueuedSubmission], warnings: Mapping[int, list[Finding]]
) -> list[ReportsBox]:
    """Return a box for each report, or for its warnings of each code."""
    boxes = []
    for line in lines:
        name = f"Report {line.number}, {in_title_case(line.event_name) or line.source[:MOST_OF_NAME]}"
        if work is not BulkWork.ACCEPT:
            boxes.append(ReportsBox(box_of((), name, work, str(line.number)).asked, {line.number: ()}))
            continue
        of_code: dict[str, list[Finding]] = {}
        for warning in warnings.get(line.number, ()):
            of_code.setdefault(warning.code, []).append(warning)
        for code, alike in of_code.items():
            places = places_words(alike)
            label = f"{name}: {brief(code, len(alike))}" + (f" ({places})" if places else "")
            boxes.append(ReportsBox(box_of(alike, label, str(line.number)).asked, {line.number: alike}))
    return boxes


def _page(context: RequestContext, work: BulkWork, numbers: Collection[int]) -> Response[bytes]:
    lines, warnings = _waiting(context, numbers)
    boxes = _boxes(work, lines, warnings)
    inputs = (WORK, NUMBERS, *(box.asked for box in boxes), *([] if work is BulkWork.RECHECK else [REASON]))
    values = {WORK.name: work.value, NUMBERS.name: ",".join(map(str, numbers))}
    values |= {box.asked.name: "yes" for box in boxes}
    left = [line for line in lines if line.errors]
    return context.page(
        "office/queue/chosen.html",
        title=TITLES[work].format(counted(len(lines), "report") if lines else "reports"),
        work=work.value,
        reports=reports_table("The chosen reports", lines),
        form=context.form(CHOSEN, BUTTONS[work], inputs, values)._replace(is_grave=work is BulkWork.REJECT)
        if boxes
        else None,
        errors=len(left),
    )
