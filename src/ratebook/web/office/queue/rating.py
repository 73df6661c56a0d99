"""Rating what is ready: a preview of the ratings first, then on the very book that the preview was made from."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from litestar import Response
from litestar.params import FromPath, FromQuery

from ratebook.book.columns import END_OF_HISTORY
from ratebook.book.ledger.pending import read_pending
from ratebook.book.submissions import Status, count_statuses, read_submission, waiting
from ratebook.findings import Place, finding
from ratebook.office.rating.rate_queue import PostedSection, first_ready, rate_ready
from ratebook.office.trials import RatingTrial, try_rating
from ratebook.pages.columns import Column, Columns, counted, event_title, id_last
from ratebook.pages.crosstable import change_text
from ratebook.pages.event import result_columns
from ratebook.pages.submission import submission_page
from ratebook.records.events import Crosstable
from ratebook.records.system_titles import SYSTEM_TITLES
from ratebook.web.forms.context import CONFLICT, RefusedError, RequestContext, TheContext
from ratebook.web.forms.inputs import Form, Input, InputKind
from ratebook.web.forms.once import Answer
from ratebook.web.layout.tables import HtmlTable, Look, crosstable_looks, html_table, spelled_out
from ratebook.web.layout.words import day_words, in_title_case, person_name
from ratebook.web.office import links
from ratebook.web.routing import Needs, done_by, shown_to

RATE = "/office/rate"
NUMBERS = Input("numbers", "Submissions", InputKind.HIDDEN, most=1000)
BEFORE = Input("before", "Place in history", InputKind.HIDDEN, needed=False, most=1000)
MOST_AT_ONCE = 25
"""Reports whose ratings a page previews, the first in history; the others follow when these are rated."""


class JustRated(NamedTuple):
    """A report that was rated just now."""

    number: int
    event: str
    name: str
    status: str


RATED: Columns[JustRated] = (
    Column("Event", lambda report: in_title_case(report.name) or report.event),
    Column("Status", "status"),
)


@shown_to(Needs.OFFICE, RATE, costly=True)
def rate_page(context: TheContext, done: FromQuery[str] = "") -> Response[bytes]:
    """Show what rating the reports that are ready would do, and those that were rated just now."""
    with context.site.reading() as reader:
        ready = count_statuses(reader.connection).get(Status.READY, 0)
        part = first_ready(reader.connection, MOST_AT_ONCE)
        rows = [
            row
            for number in numbers_in(done)
            if (row := read_submission(reader.connection, number)) is not None
        ]
        pending = len(read_pending(reader.connection))
    chosen = part.numbers
    trial = try_rating(context.site.book, chosen, context.because.actor, part.before) if chosen else None
    posts = trial is not None and bool(trial.rated.posted)
    rated = [JustRated(row.id, row.event_id, row.event_name, row.status) for row in rows]
    return context.page(
        "office/queue/rate.html",
        findings=context.findings,
        ready=ready,
        chosen=len(chosen),
        pending=pending,
        rated=html_table(
            "Rated just now",
            RATED,
            rated,
            {"Event": lambda report: links.SUBMISSION(report.number)},
            under={"Event": lambda report: f"Report {report.number}"},
            looks={"Status": lambda text: Look.GOOD if text == Status.RATED else Look.BAD},
        ),
        form=_form(context, trial, chosen, f"Rate {counted(len(chosen), 'report')}", part.before)
        if trial is not None and posts
        else None,
        **(_shown(trial) if trial is not None else {}),
    )


@done_by(Needs.OFFICE, RATE, costly=True)
def rate(context: TheContext) -> Answer:
    """Rate the reports whose ratings were previewed."""
    numbers = numbers_in(context.sent.text(NUMBERS.name))

    def work() -> str:
        with context.site.reading() as reader:
            ready = {one.id for one in waiting(reader.connection, [Status.READY.value])}
        if gone := [one for one in numbers if one not in ready]:
            raise RefusedError([finding("preview-out-of-date", Place(submission=gone[0]))], CONFLICT)
        before = context.sent.text(BEFORE.name) or END_OF_HISTORY
        rate_ready(context.book, context.because.actor, only=numbers, before=before)
        return f"{RATE}?done={','.join(map(str, numbers))}"

    return context.decide((NUMBERS, BEFORE), work, rate_page)


@shown_to(Needs.OFFICE, f"{links.QUEUE}/{{number:int}}/preview", costly=True)
def preview(context: TheContext, number: FromPath[int]) -> Response[bytes]:
    """Show what rating one report would do, whether it is ready or held back by warnings."""
    with context.site.reading() as reader:
        submission = submission_page(reader.connection, number)
    trial = try_rating(context.site.book, [number], context.because.actor)
    is_ready = submission.line.status == Status.READY
    return context.page(
        "office/queue/preview.html",
        one=submission,
        number=number,
        form=_form(context, trial, [number], "Rate this report") if is_ready and trial.rated.posted else None,
        **_shown(trial, names_event=False),
    )


def _form(
    context: RequestContext,
    trial: RatingTrial,
    numbers: Sequence[int],
    button: str,
    before: str = END_OF_HISTORY,
) -> Form:
    values = {
        NUMBERS.name: ",".join(map(str, numbers)),
        BEFORE.name: "" if before == END_OF_HISTORY else before,
    }
    form = context.form(RATE, button, (NUMBERS, BEFORE), revision=trial.revision)
    return form._replace(values=values, findings=())


def _shown(trial: RatingTrial, *, names_event: bool = True) -> dict[str, Any]:
    """Return what pages show of a trial; that of one report names its event in the heading alone."""
    late = {member for one in trial.rated.posted for member in one.late}
    notes = [one for posted in trial.rated.posted for one in posted.findings]
    return {
        "trial": trial,
        "late": len(late),
        "notes": notes,
        "posted": _posted_table(trial),
        "tables": _tables(trial, names_event=names_event),
    }


def _posted_table(trial: RatingTrial) -> HtmlTable:
    """Return the sections in the order of rating; one alone needs no table."""
    events = {table.event: event_title(table.event_name, table.end) for table in trial.tables}
    columns: Columns[PostedSection] = (
        Column("Event", lambda posted: in_title_case(events.get(posted.event_id, posted.event_id))),
        Column("Section", lambda posted: in_title_case(posted.name) or str(posted.number)),
        Column("Systems", lambda posted: ", ".join(SYSTEM_TITLES[system] for system in posted.systems)),
        Column("Players", "members", "right"),
        Column("Rated later already", lambda posted: str(len(posted.late) or ""), "right"),
    )
    return html_table(
        "Sections, in the order of rating",
        columns,
        trial.rated.posted if len(trial.rated.posted) > 1 else (),
        {"Event": lambda posted: links.SUBMISSION(posted.submission)},
        under={"Event": lambda posted: f"Report {posted.submission}"},
        wide=("Systems",),
    )


def _tables(trial: RatingTrial, *, names_event: bool) -> list[HtmlTable]:
    def caption(table: Crosstable) -> str:
        event = f"{in_title_case(event_title(table.event_name, table.end))}, {day_words(table.end)}, section"
        return f"{event if names_event else 'Section'} {table.section}, {SYSTEM_TITLES[table.system]}"

    return [
        html_table(
            caption(table),
            (columns := spelled_out(id_last(result_columns(table.lines)), "Name", words=person_name)),
            table.lines,
            {"Name": lambda line: links.MEMBER(line.player)},
            heads="Name",
            narrow={"After": change_text},
            looks=crosstable_looks(columns),
            wide=("Before", "Change"),
        )
        for table in trial.tables
    ]


def numbers_in(text: str) -> list[int]:
    """Return the numbers of submissions in a text.

    >>> numbers_in("12,14,x"), numbers_in("")
    ([12, 14], [])
    """
    return [
        int(one) for one in text.split(",") if one.isascii() and one.isdecimal() and len(one) <= MOST_DIGITS
    ]


MOST_DIGITS = 9
