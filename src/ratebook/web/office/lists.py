"""Official lists in the browser: what the next one would have, publishing it, and the consent of a second person."""

from typing import Any

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from ratebook.book.failures import BookError, refused
from ratebook.book.ledger.lists import all_lists
from ratebook.book.ledger.pending import read_pending
from ratebook.book.profile import read_federation, revision
from ratebook.findings import Place, finding, has_errors
from ratebook.office.publish.actions import PUBLISH as PUBLISH_LIST
from ratebook.office.publish.lists import (
    ListPreview,
    Publication,
    against_publishing,
    checked_cut_off,
    list_change_columns,
    next_month,
    preview_list,
)
from ratebook.pages.records import LISTS
from ratebook.web.forms.actions import does, shows
from ratebook.web.forms.context import CONFLICT, RefusedError, RequestContext, TheContext
from ratebook.web.forms.inputs import Input, InputKind
from ratebook.web.forms.once import REVISION, Answer
from ratebook.web.gate.gate import Gate
from ratebook.web.jobs.kinds import findings_of, result_of
from ratebook.web.jobs.registry import ACCEPTED, MONTH, PUBLISH, SECOND, VERIFY, VerifiedBook
from ratebook.web.jobs.worker import TheJobs
from ratebook.web.layout.tables import html_table
from ratebook.web.office.links import JOB, MEMBER
from ratebook.web.office.links import LISTS as HERE
from ratebook.web.office.verify import last_verified
from ratebook.web.routing import Needs, shown_to
from ratebook.web.store.jobs import Job, JobState, answer_job, newest_jobs, read_job

CHANGES_SHOWN = 50
LOOKED_BACK = 20
PUBLICATIONS = f"{HERE}/publications"
DECLINE = Input("decline", "", InputKind.HIDDEN, needed=False)


@shown_to(Needs.OFFICE, HERE)
def lists_page(context: TheContext) -> Response[bytes]:
    """Show which list is next, what waits for a second person, and what is published."""
    with context.site.reading() as reader:
        federation = read_federation(reader.connection)
        month = next_month(reader.connection, reader.today)
        published = all_lists(reader.connection)
        pending = len(read_pending(reader.connection))
        today = reader.today
    with context.gate.store.reading() as connection:
        publications = [
            one for one in newest_jobs(connection, LOOKED_BACK, PUBLISH) if one.state is JobState.ASKED
        ]
    cut_off = checked_cut_off(month, federation)
    links = {"Month": lambda one: f"/lists/{one.month}"} if context.site.has_public else {}
    return context.page(
        "office/lists/lists.html",
        month=month,
        cut_off=cut_off,
        is_over=today >= cut_off,
        pending=pending,
        verified=_is_verified(context),
        asked=publications,
        published=html_table("Published lists", LISTS, published, links),
    )


@shows(PUBLISH_LIST, f"{HERE}/{{month:str}}")
def list_preview(context: TheContext, month: FromPath[str]) -> Response[bytes]:
    """Show what a list would have, and how it differs from the one before."""
    return _preview(context, month)


@does(PUBLISH_LIST, f"{HERE}/{{month:str}}")
def publish_list(context: TheContext, jobs: TheJobs, month: FromPath[str]) -> Answer:
    """Ask for a list to be published; where the profile wants two persons, another one must consent."""

    def work() -> str:
        with context.site.reading() as reader:
            now = revision(reader.connection)
            against = against_publishing(reader.connection, month, reader.today)
            needs_second = read_federation(reader.connection).profile.second_person
        seen = context.sent.whole(REVISION)
        if seen != now:
            raise refused("book-moved", Place(file=context.site.book.url), seen=seen or 0, now=now)
        if not _is_verified(context):
            raise RefusedError([finding("list-not-verified", Place(month=month))])
        if left := [one for one in against if not context.sent.is_checked(one.code)]:
            raise RefusedError(left)
        said = {MONTH: month, ACCEPTED: " ".join(one.code for one in against)}
        number = jobs.ask(
            PUBLISH, said, context.visitor, now, JobState.ASKED if needs_second else JobState.WAITING
        )
        return f"{PUBLICATIONS}/{number}" if needs_second else JOB(number)

    return context.decide((), work, lambda refused: _preview(refused, month))


@shows(PUBLISH_LIST, f"{PUBLICATIONS}/{{number:int}}")
def publication(context: TheContext, number: FromPath[int]) -> Response[bytes]:
    """Show a list that was asked for, and let a second person consent."""
    return _publication(context, number)


@does(PUBLISH_LIST, f"{PUBLICATIONS}/{{number:int}}")
def answer_publication(context: TheContext, jobs: TheJobs, number: FromPath[int]) -> Answer:
    """Consent to a list, or decline it."""
    job = _asked(context.gate, number)

    def work() -> str:
        declines = context.sent.is_checked(DECLINE.name)
        if job.owner == context.visitor.account.id and not declines:
            raise RefusedError([finding("second-person-needed", Place(job=number))])
        now = context.site.revision()
        if now != job.revision and not declines:
            raise refused("book-moved", Place(file=context.site.book.url), seen=job.revision, now=now)
        state = JobState.DECLINED if declines else JobState.WAITING
        with context.gate.store.writing() as connection:
            if not answer_job(
                connection, number, state, job.arguments | {SECOND: context.visitor.account.name}
            ):
                raise RefusedError([finding("form-being-sent", Place(job=number))], CONFLICT)
        jobs.wake()
        return JOB(number)

    return context.decide((), work, lambda refused: _publication(refused, number))


def _asked(gate: Gate, number: int) -> Job:
    """Return a job that publishes a list.

    Raises:
        NotFoundException: there is none of this number.
    """
    with gate.store.reading() as connection:
        job = read_job(connection, number)
    if job is None or job.kind != PUBLISH:
        raise NotFoundException
    return job


def _is_verified(context: RequestContext) -> bool:
    """Return whether the book was verified as it is now, and nothing differed."""
    found = result_of(last_verified(context.gate), VERIFY, VerifiedBook)
    now = context.site.revision()
    return found is not None and found.revision == now and not has_errors(found.verified.findings)


def _shown(preview: ListPreview) -> dict[str, Any]:
    """Return what pages show of a list that is not published."""
    return {
        "found": preview,
        "changes": html_table(
            f"What differs from the list of {preview.newest}" if preview.newest else "What it has",
            list_change_columns(preview.newest or "before", preview.month),
            preview.changes[:CHANGES_SHOWN],
            {"Name": lambda one: MEMBER(one.member)},
            heads="Name",
        ),
        "more": len(preview.changes) - CHANGES_SHOWN,
    }


def _preview(context: RequestContext, month: str) -> Response[bytes]:
    with context.site.reading() as reader:
        now = revision(reader.connection)
        second = read_federation(reader.connection).profile.second_person
        try:
            preview = preview_list(reader.connection, month, reader.today)
        except BookError as failure:
            if failure.finding.code == "month-wrong":
                raise NotFoundException from failure
            return context.page("office/lists/refused.html", month=month, finding=failure.finding)
    verified = _is_verified(context)
    label = PUBLISH_LIST.parameter("accept").label
    boxes = [
        Input(one.code, f"{label}: {one.message}", InputKind.CHECK, needed=False) for one in preview.findings
    ]
    form = None
    if verified:
        button = "Ask for publication" if second else f"Publish the list of {month}"
        form = context.form(f"{HERE}/{month}", button, boxes, revision=now)
    return context.page(
        "office/lists/preview.html",
        findings=() if form is not None else context.findings,
        second=second,
        form=form,
        **_shown(preview),
    )


def _publication(context: RequestContext, number: int) -> Response[bytes]:
    job = _asked(context.gate, number)
    contents: dict[str, Any] = {"found": None}
    consent = decline = None
    with context.site.reading() as reader:
        is_now = revision(reader.connection) == job.revision
        if job.state is JobState.ASKED and is_now:
            contents = _shown(preview_list(reader.connection, job.arguments[MONTH], reader.today))
    if job.state is JobState.ASKED:
        here, mine = f"{PUBLICATIONS}/{number}", job.owner == context.visitor.account.id
        decline = context.form(here, "Withdraw it" if mine else "Decline", (DECLINE,))
        decline = decline._replace(values={DECLINE.name: "yes"}, findings=())
        if is_now and not mine:
            consent = context.form(here, "Consent and publish")._replace(findings=())
    return context.page(
        "office/lists/publication.html",
        job=job,
        month=job.arguments[MONTH],
        second=job.arguments.get(SECOND, ""),
        is_now=is_now,
        published=result_of(job, PUBLISH, Publication),
        findings=(*context.findings, *findings_of(job)),
        consent=consent,
        decline=decline,
        **contents,
    )
