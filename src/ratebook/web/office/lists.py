"""Official lists in the browser: what the next one would have, publishing it, and the consent of a second person."""

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from ratebook.book.failures import BookError
from ratebook.book.figures.size import size_of
from ratebook.book.ledger.lists import all_lists, published_months
from ratebook.book.ledger.pending import read_pending
from ratebook.book.profile import read_federation, revision
from ratebook.findings import Place, finding
from ratebook.office.publish.actions import PUBLISH as PUBLISH_LIST
from ratebook.office.publish.lists import (
    ListPreview,
    Publication,
    against_publishing,
    checked_cut_off,
    next_month,
    preview_list,
)
from ratebook.pages.columns import Column, Columns
from ratebook.pages.official.lists import month_words
from ratebook.pages.records import LISTS
from ratebook.records.federation import ListSummary
from ratebook.web.forms.actions import does, shows
from ratebook.web.forms.context import CONFLICT, RefusedError, TheContext
from ratebook.web.forms.inputs import Input, InputKind
from ratebook.web.forms.once import REVISION, Answer
from ratebook.web.gate.gate import Gate
from ratebook.web.jobs.kinds import findings_of, result_of
from ratebook.web.jobs.registry import ACCEPTED, MONTH, PUBLISH, SECOND
from ratebook.web.jobs.worker import TheJobs
from ratebook.web.layout.tables import html_table
from ratebook.web.office.differences import ListDifferences, differences_page
from ratebook.web.office.links import JOB
from ratebook.web.office.links import LISTS as HERE
from ratebook.web.office.verify import book_state
from ratebook.web.routing import Needs, PageNumber, shown_to
from ratebook.web.site import Reader
from ratebook.web.store.jobs import Job, JobState, answer_job, asked_jobs, read_job

PUBLICATIONS = f"{HERE}/publications"
DECLINE = Input("decline", "", InputKind.HIDDEN, needed=False)


LISTED: Columns[ListSummary] = (Column("Month", "month", format=month_words), *LISTS[1:])


def due_list(reader: Reader) -> str:
    """Return the month of the next list if its cut-off is over; empty where none is due."""
    month = next_month(reader.connection, reader.today)
    return month if checked_cut_off(month, reader.federation) <= reader.today else ""


@shown_to(Needs.OFFICE, HERE)
def lists_page(context: TheContext) -> Response[bytes]:
    """Show which list is next, what waits for a second person, and what is published."""
    with context.site.reading() as reader:
        month = next_month(reader.connection, reader.today)
        cut_off = checked_cut_off(month, reader.federation)
        is_over = month == due_list(reader)
        has_members = size_of(reader.connection).members > 0
        published = all_lists(reader.connection)
        pending = len(read_pending(reader.connection))
    with context.gate.store.reading() as connection:
        requests = asked_jobs(connection)
    requested = next((job for job in requests if job.arguments[MONTH] == month), None)
    months = {summary.month for summary in published}
    links = {"Month": lambda one: f"/lists/{one.month}"} if context.site.has_public else {}
    return context.page(
        "office/lists/lists.html",
        month=month,
        cut_off=cut_off,
        is_over=is_over,
        is_due=is_over and has_members,
        pending=pending,
        verified=book_state(context),
        requested=requested,
        asked=[job for job in requests if job.arguments[MONTH] not in months],
        published=html_table("Published lists", LISTED, published, links, wide=("Published (UTC)", "By")),
    )


@shows(PUBLISH_LIST, f"{HERE}/{{month:str}}")
def list_preview(context: TheContext, month: FromPath[str], number: PageNumber = 1) -> Response[bytes]:
    """Show what a list would have, and how it differs from the one before."""
    request = _request_for(context.gate, month)
    with context.site.reading() as reader:
        now = revision(reader.connection)
        second = read_federation(reader.connection).profile.second_person
        try:
            preview = preview_list(reader.connection, month, reader.today)
        except BookError as failure:
            if failure.finding.code == "month-wrong":
                raise NotFoundException from failure
            return context.page("office/lists/refused.html", month=month, finding=failure.finding)
        differences = differences_page(reader, preview, number)
    verified = book_state(context)
    label = PUBLISH_LIST.parameter("accept").label
    boxes = [
        Input(one.code, f"{label}: {one.message}", InputKind.CHECK, needed=False) for one in preview.findings
    ]
    form = None
    if verified.is_verified and request is None:
        button = "Ask for publication" if second else f"Publish the list of {month_words(month)}"
        form = context.form(f"{HERE}/{month}", button, boxes, revision=now)
    return context.page(
        "office/lists/preview.html",
        findings=() if form is not None else context.findings,
        second=second,
        verified=verified,
        form=form,
        request=request,
        mine=request is not None and request.owner == context.visitor.account.id,
        found=preview,
        differences=differences,
    )


@does(PUBLISH_LIST, f"{HERE}/{{month:str}}")
def publish_list(context: TheContext, jobs: TheJobs, month: FromPath[str]) -> Answer:
    """Ask for a list to be published; where the profile wants two persons, another one must consent."""

    def work() -> str:
        with context.site.reading() as reader:
            now = revision(reader.connection)
            against = against_publishing(reader.connection, month, reader.today)
            needs_second = read_federation(reader.connection).profile.second_person
        context.check_seen(context.sent.whole(REVISION), now)
        if request := _request_for(context.gate, month):
            raise RefusedError([finding("list-asked-for", Place(month=month), by=request.by)], CONFLICT)
        if not (state := book_state(context)).is_verified:
            raise RefusedError([*state.due, finding("list-not-verified", Place(month=month))])
        if left := [one for one in against if not context.sent.is_checked(one.code)]:
            raise RefusedError(left)
        said = {MONTH: month, ACCEPTED: " ".join(one.code for one in against)}
        number = jobs.ask(
            PUBLISH, said, context.visitor, now, JobState.ASKED if needs_second else JobState.WAITING
        )
        return f"{PUBLICATIONS}/{number}" if needs_second else JOB(number)

    return context.decide((), work, lambda refused: list_preview(refused, month))


@shows(PUBLISH_LIST, f"{PUBLICATIONS}/{{number:int}}")
def publication(context: TheContext, number: FromPath[int], differences: PageNumber = 1) -> Response[bytes]:
    """Show a list that was asked for, and let a second person consent."""
    job = _asked(context.gate, number)
    preview: ListPreview | None = None
    shown: ListDifferences | None = None
    consent = decline = None
    mine = job.owner == context.visitor.account.id
    with context.site.reading() as reader:
        is_now = revision(reader.connection) == job.revision
        is_out = job.arguments[MONTH] in published_months(reader.connection)
        if job.state is JobState.ASKED and is_now:
            preview = preview_list(reader.connection, job.arguments[MONTH], reader.today)
            shown = differences_page(reader, preview, differences)
    if job.state is JobState.ASKED and not is_out:
        address = f"{PUBLICATIONS}/{number}"
        decline = context.form(address, "Withdraw" if mine else "Decline", (DECLINE,))
        decline = decline._replace(values={DECLINE.name: "yes"})
        if is_now and not mine:
            consent = context.form(address, "Consent and publish")._replace(findings=())
    return context.page(
        "office/lists/publication.html",
        job=job,
        mine=mine,
        month=job.arguments[MONTH],
        second=job.arguments.get(SECOND, ""),
        is_now=is_now,
        published=result_of(job, PUBLISH, Publication),
        findings=(*context.findings, *findings_of(job)),
        consent=consent,
        decline=decline,
        is_out=is_out,
        found=preview,
        differences=shown,
    )


@does(PUBLISH_LIST, f"{PUBLICATIONS}/{{number:int}}")
def answer_publication(context: TheContext, jobs: TheJobs, number: FromPath[int]) -> Answer:
    """Consent to a list, or decline it."""
    job = _asked(context.gate, number)

    def work() -> str:
        declines = context.sent.is_checked(DECLINE.name)
        if job.owner == context.visitor.account.id and not declines:
            raise RefusedError([finding("second-person-needed", Place(job=number))])
        if not declines:
            context.check_seen(job.revision, context.site.revision())
        state = JobState.DECLINED if declines else JobState.WAITING
        with context.gate.store.writing() as connection:
            counts = answer_job(
                connection, number, state, job.arguments | {SECOND: context.visitor.account.name}
            )
        # Whoever comes after another person's answer sees that one.
        if declines or not counts:
            return f"{PUBLICATIONS}/{number}"
        jobs.wake()
        return JOB(number)

    return context.decide((), work, lambda refused: publication(refused, number))


def _asked(gate: Gate, number: int) -> Job:
    """Return a job that publishes a list."""
    with gate.store.reading() as connection:
        job = read_job(connection, number)
    if job is None or job.kind != PUBLISH:
        raise NotFoundException
    return job


def _request_for(gate: Gate, month: str) -> Job | None:
    """Return the request for the list of a month that waits for a second person."""
    with gate.store.reading() as connection:
        return next((job for job in asked_jobs(connection) if job.arguments[MONTH] == month), None)
