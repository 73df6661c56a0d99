"""Verifying in the browser: a job that computes the whole ledger again, and what it found."""

from typing import Annotated

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import QueryParameter

from ratebook.web.forms.context import TheContext
from ratebook.web.forms.once import Answer
from ratebook.web.gate.gate import Gate
from ratebook.web.jobs.kinds import result_of
from ratebook.web.jobs.registry import VERIFY, VerifiedBook
from ratebook.web.jobs.worker import TheJobs
from ratebook.web.office.links import JOB
from ratebook.web.office.links import VERIFY as HERE
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.signed_in import onward
from ratebook.web.store.jobs import Job, newest_jobs

LOOKED_BACK = 20
FINDINGS_SHOWN = 100


@shown_to(Needs.OFFICE, HERE)
def verify_page(
    context: TheContext, number: Annotated[int | None, QueryParameter(name="job")] = None
) -> Response[bytes]:
    """Show what verifying found last, or in one job."""
    job = last_verified(context.gate) if number is None else context.job(number)
    verified = result_of(job, VERIFY, VerifiedBook)
    if number is not None and verified is None:
        raise NotFoundException
    now = context.site.revision()
    return context.page(
        "office/verify.html",
        job=job,
        found=verified,
        errors=0 if verified is None else sum(one.severity == "error" for one in verified.verified.findings),
        findings=() if verified is None else verified.verified.findings[:FINDINGS_SHOWN],
        now=now,
        form=context.form(HERE, "Verify the book"),
    )


@done_by(Needs.OFFICE, HERE)
def verify_now(context: TheContext, jobs: TheJobs) -> Answer:
    """Ask for a verification."""

    def work() -> str:
        return JOB(jobs.ask(VERIFY, {}, context.visitor, context.site.revision()))

    return context.decide((), work, lambda _: onward(HERE))


def last_verified(gate: Gate) -> Job | None:
    """Return the newest job that verified the book to its end."""
    with gate.store.reading() as connection:
        found = newest_jobs(connection, LOOKED_BACK, VERIFY)
    return next((one for one in found if one.state.value == "done"), None)
