"""Jobs in the browser: what waits, how far one is, and where its result is."""

from datetime import datetime

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from ratebook.pages.columns import Column, Columns, counted
from ratebook.pages.official.lists import month_words
from ratebook.web.forms.context import TheContext
from ratebook.web.jobs.kinds import findings_of
from ratebook.web.jobs.registry import KINDS, MONTH, PUBLISH
from ratebook.web.layout.tables import Look, html_table
from ratebook.web.layout.words import moment_words
from ratebook.web.office.links import JOB, JOBS
from ratebook.web.routing import Needs, shown_to
from ratebook.web.store.jobs import Job, JobState, newest_jobs

JOBS_SHOWN = 50
SECONDS = 2
"""After so long, the page of a job that is under way is asked for again by the browser."""


def title_of(job: Job) -> str:
    """Return what a job does; one of another version of the program has only its word."""
    if job.kind == PUBLISH:
        return f"Publish the list of {month_words(job.arguments[MONTH])}"
    kind = KINDS.get(job.kind)
    return kind.title if kind is not None else job.kind


def state_of(job: Job) -> str:
    """Return how far a job is, in words.

    >>> from ratebook.web.store.jobs import JobState
    >>> job = Job(1, "verify", {}, 1, "Ann", JobState.RUNNING, "", None, None, 3, 12, 7)
    >>> (
    ...     state_of(job),
    ...     state_of(job._replace(state=JobState.BROKEN_OFF)),
    ...     state_of(job._replace(state=JobState.ASKED)),
    ... )
    ('running, 25 percent', 'broken off', 'awaiting consent')
    """
    if job.state.value == "running" and job.total:
        return f"running, {100 * job.done // job.total} percent"
    return "awaiting consent" if job.state is JobState.ASKED else job.state.value


LEAST_TOLD = 0.05
"""Of a job; before so much is done, nothing can be said of the rest."""
MINUTE = 60


def left_of(job: Job, now: datetime) -> str:
    """Return about how long a job that runs will still take, if it goes on as it did since it was asked for.

    >>> from ratebook.web.store.jobs import JobState
    >>> job = Job(1, "import", {}, 1, "Ann", JobState.RUNNING, "2026-11-20T12:00:00Z", None, None, 3, 12, 7)
    >>> left_of(job, datetime.fromisoformat("2026-11-20T12:02:00Z"))
    'about 6 minutes left'
    """
    part = job.done / job.total if job.total else 0.0
    if job.state is not JobState.RUNNING or part < LEAST_TOLD:
        return ""
    seconds = (now - datetime.fromisoformat(job.made_at)).total_seconds() * (1 - part) / part
    if seconds < MINUTE:
        return "less than a minute left"
    return f"about {counted(round(seconds / MINUTE), 'minute')} left"


COLUMNS: Columns[Job] = (
    Column("No.", "number", "right"),
    Column("Job", title_of),
    Column("State", state_of),
    Column("Asked (UTC)", "made_at"),
    Column("Ended (UTC)", "ended_at"),
)


def state_look(text: str) -> Look:
    """Return how the badge of a state is set."""
    if text == "done":
        return Look.GOOD
    return Look.BAD if text in {"failed", "broken off", "declined"} else Look.CAUTION


@shown_to(Needs.STAFF, JOBS)
def jobs_page(context: TheContext) -> Response[bytes]:
    """Show the newest jobs."""
    with context.gate.store.reading() as connection:
        jobs = newest_jobs(connection, JOBS_SHOWN)
    answer = context.page(
        "office/jobs/jobs.html",
        jobs=html_table(
            "Jobs, newest first",
            COLUMNS,
            jobs,
            {"Job": lambda job: JOB(job.number)},
            "Job",
            under={"Job": lambda job: f"asked by {job.by}"},
            looks={"State": state_look},
            narrow={"Job": lambda job: moment_words(job.made_at, short=True)},
            wide=("No.", "Asked (UTC)", "Ended (UTC)"),
        ),
    )
    return refreshed(answer, any(job.is_under_way for job in jobs))


@shown_to(Needs.STAFF, JOB)
def job_page(context: TheContext, number: FromPath[int]) -> Response[bytes]:
    """Show how far a job is, and lead to its result."""
    job = context.job(number)
    if job is None:
        raise NotFoundException
    kind = KINDS.get(job.kind)
    answer = context.page(
        "office/jobs/job.html",
        job=job,
        title=title_of(job),
        state=state_of(job),
        left=left_of(job, context.gate.now()),
        findings=findings_of(job),
        goes_on=kind is not None and kind.goes_on,
        result=kind.page.format(number=number) if kind is not None else "",
    )
    return refreshed(answer, job.is_under_way)


def refreshed(answer: Response[bytes], is_under_way: bool) -> Response[bytes]:  # noqa: FBT001 - says whether
    """Return a page that the browser asks for again by itself while something is under way."""
    if is_under_way:
        answer.headers["refresh"] = str(SECONDS)
    return answer
