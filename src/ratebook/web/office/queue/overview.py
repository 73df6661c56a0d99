"""The first page of the office, and the queue: reports by state, what holds them back, the oldest first."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, NamedTuple

from litestar import Response
from litestar.params import FromQuery, QueryParameter
from markupsafe import Markup

from ratebook.book import schema
from ratebook.book.connection import Connection
from ratebook.book.facts.near_members import near_words
from ratebook.book.figures.size import size_of
from ratebook.book.ledger.lists import newest_list
from ratebook.book.submissions import (
    WAITING,
    QueuedReport,
    QueueFilter,
    Status,
    count_statuses,
    first_version,
    open_warnings,
    read_submission,
    revisions_of,
    waiting,
)
from ratebook.findings import Finding, Place, Severity, finding
from ratebook.office.queue.actions import ACCEPT
from ratebook.pages.columns import Column, Columns, counted
from ratebook.pages.queue import CodeLine, problem, problem_words, queue_page, queue_summary, queue_totals
from ratebook.records.reports import QueuedSubmission
from ratebook.web.findings import THE_REPORT
from ratebook.web.forms.acceptance import MOST_BOXES, box_of, checked_boxes
from ratebook.web.forms.actions import does
from ratebook.web.forms.context import CONFLICT, REASON, RefusedError, RequestContext, TheContext
from ratebook.web.forms.inputs import Input, InputKind
from ratebook.web.forms.once import Answer
from ratebook.web.forms.sent import Sent
from ratebook.web.layout.tables import HtmlTable, Look, html_table
from ratebook.web.layout.words import in_title_case
from ratebook.web.office import links
from ratebook.web.office.lists import due_list
from ratebook.web.routing import Needs, shown_to
from ratebook.web.signed_in import waiting_for
from ratebook.web.store.reports.notes import holders, unanswered

REPORTS_SHOWN, AT_ONCE, MOST_OF_NAME, MOST_PAGES, MOST_PLACES = 20, 50, 80, 10_000, 5


def status_words(report: QueuedSubmission) -> str:
    """Return the state of a report as its badge says it."""
    if report.status != Status.HELD:
        return report.status
    return counted(report.errors, "error") if report.errors else "needs a look"


COLUMNS: Columns[QueuedSubmission] = (
    Column("Report", lambda report: in_title_case(report.event_name) or report.source[:MOST_OF_NAME]),
    Column("Status", status_words),
    Column("Problems", lambda report: problem_words(report.held_by) or "No problems"),
    Column("Received", "received"),
)
NOTED: Columns[QueuedReport] = (
    Column("Report", lambda report: in_title_case(report.event_name) or report.source_name[:MOST_OF_NAME]),
    Column("Status", lambda report: report.status.value),
    Column("No.", "id", "right"),
)
LEADING: Mapping[str, Callable[[QueuedSubmission], str]] = {
    "Report": lambda report: links.SUBMISSION(report.number)
}
PROBLEMS: Columns[CodeLine] = (
    Column("Problem", lambda line: f"{problem(line.code)[:1].upper()}{problem(line.code)[1:]}"),
    Column("Kind", lambda line: line.severity.value),
    Column("Reports", "reports", "right"),
)
NOBODY: Mapping[int, str] = {}
LOOKS = {
    "errors": Look.BAD,
    "error": Look.BAD,
    "warning": Look.CAUTION,
    "look": Look.CAUTION,
    "ready": Look.GOOD,
}
"""How badges are set, by their last words."""


def status_look(text: str) -> Look:
    """Return how the badge of a state is set."""
    return LOOKS.get(text.rpartition(" ")[2], Look.BADGE)


def reports_table(
    caption: str,
    reports: Sequence[QueuedSubmission],
    desk: Mapping[int, str] = NOBODY,
    *,
    boxes: bool = False,
) -> HtmlTable:
    """Return reports of the queue with their states and problems in words, what the *desk* says of them, and boxes."""
    columns: Columns[QueuedSubmission] = (
        *COLUMNS,
        Column("Desk", lambda report: desk.get(report.number, "")),
    )
    if boxes:
        columns = (Column("Choose", lambda _: ""), *columns)
    return html_table(
        caption,
        columns,
        reports,
        LEADING,
        heads="Report",
        pictures={"Choose": _box_of} if boxes else None,
        under={
            "Report": lambda report: f"Report {report.number} · from {in_title_case(report.submitted_by)}"
        },
        narrow={"Report": lambda report: problem_words(report.held_by)},
        looks={"Status": status_look, "Desk": lambda _: Look.BADGE},
        wide=("Problems", "Received"),
        below=("Status", "Desk"),
    )


def _box_of(report: QueuedSubmission) -> Markup:
    """Return the box by which a report is chosen; the form that sends it is elsewhere on the page."""
    return Markup(
        '<input type="checkbox" form="chosen" name="report" value="{0}" aria-label="Choose report {0}">'
    ).format(report.number)


def desk_words(context: RequestContext, lines: Sequence[QueuedSubmission]) -> dict[int, str]:
    """Return who has which of the reports, and which sender waits for an answer, by their numbers of now."""
    with context.site.reading() as reader:
        first = {
            line.number: line.number
            if line.revises is None
            else first_version(reader.connection, line.number)
            for line in lines
        }
    with context.gate.store.reading() as connection:
        names = holders(connection, set(first.values()))
        wrote = unanswered(connection)
    return {
        number: ", ".join(
            ([f"{names[version]} has it"] if version in names else [])
            + (["its sender wrote"] if version in wrote else [])
        )
        for number, version in first.items()
        if version in names or version in wrote
    }


CODE = Input("code", "Code", InputKind.HIDDEN)


@shown_to(Needs.OFFICE, "/office")
def office_home(context: TheContext) -> Response[bytes]:
    """Show how many reports wait, what is to be rated again, and which list is the newest."""
    with context.gate.store.reading() as connection:
        numbers = unanswered(connection)[:REPORTS_SHOWN]
    with context.site.reading() as reader:
        lines = queue_page(reader.connection, QueueFilter())
        month = newest_list(reader.connection)
        due = due_list(reader)
        has_members = size_of(reader.connection).members > 0
        rows = [read_submission(reader.connection, number) for number in numbers]
        noted = [revisions_of(reader.connection, row)[-1] for row in rows if row is not None]
    waiting = waiting_for(context.site, context.visitor.account.role)
    return context.page(
        "office/home.html",
        totals=queue_totals(lines),
        oldest=reports_table(
            "Waiting reports, oldest first", lines[:REPORTS_SHOWN], desk_words(context, lines[:REPORTS_SHOWN])
        ),
        pending=waiting.get(links.RERATE, 0),
        month=month,
        due=due,
        has_members=has_members,
        publications=waiting.get(links.LISTS, 0),
        noted=html_table(
            "Reports whose directors wrote to the office",
            NOTED,
            noted,
            {"Report": lambda report: f"{links.SUBMISSION(report.id)}#letter"},
            heads="Report",
        ),
    )


@shown_to(Needs.OFFICE, links.QUEUE, costly=True)
def queue_overview(
    context: TheContext,
    of_state: Annotated[Status | None, QueryParameter(name="state")] = None,
    code: FromQuery[str] = "",
    text: FromQuery[str] = "",
    number: Annotated[int, QueryParameter(name="page", ge=1, le=MOST_PAGES)] = 1,
) -> Response[bytes]:
    """Show the reports that wait, or those of a state, of a code, or whose event or file has a name."""
    statuses = WAITING if of_state is None else (of_state.value,)
    asked = QueueFilter(statuses, (code,) if code else (), text=text.strip(), most=AT_ONCE + 1, page=number)
    return _page(context, asked)


@does(ACCEPT, f"{links.QUEUE}/{ACCEPT.word}", costly=True)
def accept_code(context: TheContext) -> Answer:
    """Accept the warnings of a code in the reports that were chosen."""
    code = context.sent.text(CODE.name)
    with context.site.reading() as reader:
        boxes = _boxes(reader.connection, code)

    def work() -> str:
        keys = checked_keys(context.sent, boxes, "accept")
        ACCEPT.done(context.site.book, context.because, {"findings": keys}, context.site.today())
        return links.QUEUE

    question = QueueFilter(codes=(code,) if code else (), most=AT_ONCE + 1)
    return context.decide((CODE, REASON), work, lambda refused: _page(refused, question))


class ReportsBox(NamedTuple):
    """A check box, and the warnings that it accepts, by the numbers of the reports that it is about."""

    asked: Input
    findings: Mapping[int, Sequence[Finding]]


def checked_keys(sent: Sent, boxes: Sequence[ReportsBox], field: str) -> dict[int, set[str]]:
    """Return the reports whose boxes are checked, with the keys of the warnings that these accept.

    Raises:
        RefusedError: no box is checked, or one that the page no longer has.
    """
    checked, place = checked_boxes(sent), Place(input=field)
    if not checked:
        raise RefusedError([finding("form-none-chosen", place, label="Reports")])
    if not checked <= {box.asked.name for box in boxes}:
        raise RefusedError([finding("accepted-in-vain.changed-since", place)], CONFLICT)
    keys: dict[int, set[str]] = {}
    for box in boxes:
        for number, warnings in box.findings.items() if box.asked.name in checked else ():
            keys.setdefault(number, set()).update(warning.key for warning in warnings)
    return keys


def places_words(findings: Sequence[Finding]) -> str:
    """Return where findings are, as the label of a box says it; nothing where they are about all of a report."""
    findings = [each for each in findings if each.place != THE_REPORT]
    more = f" and {len(findings) - MOST_PLACES} more" if len(findings) > MOST_PLACES else ""
    return "; ".join(each.where for each in findings[:MOST_PLACES]) + more


def _boxes(connection: Connection, code: str) -> list[ReportsBox]:
    """Return a box for each report that a code holds back, after one for all of them."""
    waits = open_warnings(connection, [code]) if code else {}
    names = {
        submission.id: submission.event_name or submission.source_name for submission in waiting(connection)
    }
    boxes = []
    if len(waits) > 1:
        everything = [finding for findings in waits.values() for finding in findings]
        label = f"All {len(waits)} reports: {sum(map(len, waits.values()))} findings"
        boxes.append(ReportsBox(box_of(everything, label, *map(str, waits)).asked, waits))
    for number, findings in list(waits.items())[:MOST_BOXES]:
        places = places_words(findings)
        label = f"Report {number}, {in_title_case(names[number])[:MOST_OF_NAME]}{places and f': {places}'}"
        boxes.append(ReportsBox(box_of(findings, label, str(number)).asked, {number: findings}))
    return boxes


def _page(context: RequestContext, question: QueueFilter) -> Response[bytes]:
    with context.site.reading() as reader:
        counts = count_statuses(reader.connection)
        lines = queue_page(
            reader.connection, question._replace(page=1, most=None) if question.codes else question
        )
        meant = ""
        if question.text and not lines:
            meant = near_words(reader.connection, question.text, schema.submissions.c.event_name)
        if meant:
            lines = queue_page(reader.connection, question._replace(text=meant))
        everything = queue_page(reader.connection, QueueFilter())
        boxes = _boxes(reader.connection, next(iter(question.codes), ""))
    waits = queue_summary(everything)
    code = next(iter(question.codes), "")
    held = next((row for row in waits if row.code == code and row.severity is Severity.WARNING), None)
    first = (question.page - 1) * AT_ONCE if question.codes else 0
    has_boxes = set(question.statuses) <= set(WAITING)
    shown = lines[first : first + AT_ONCE]
    accept = None
    if held is not None or context.findings:
        inputs = (CODE, *(box.asked for box in boxes), REASON)
        button = "Accept this warning in the chosen reports"
        accept = context.form(f"{links.QUEUE}/accept", button, inputs, {CODE.name: code})
    return context.page(
        "office/queue/overview.html",
        asked=question,
        meant=meant,
        state=None if question.statuses == WAITING else next(iter(question.statuses)),
        code=code,
        counts={state.value: number for state, number in counts.items()},
        waiting=sum(counts.get(Status(state), 0) for state in WAITING),
        codes=html_table(
            "What holds reports back",
            PROBLEMS,
            waits,
            {"Problem": lambda line: f"{links.QUEUE}?code={line.code}"},
            looks={"Kind": status_look},
        ),
        words=problem(code),
        reports=reports_table("Reports, oldest first", shown, desk_words(context, shown), boxes=has_boxes),
        has_boxes=has_boxes,
        more=len(lines) > first + AT_ONCE,
        accept=accept,
        held=held,
    )
