"""Verifying in the browser: a job that computes the whole ledger again, and what it found."""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import QueryParameter

from ratebook.book.chain.verifications import EVERYTHING, Verification, is_still_at, last_verification
from ratebook.book.profile import revision
from ratebook.findings import Finding, has_errors
from ratebook.office.rating.verify import verification_due
from ratebook.web.forms.context import RequestContext, TheContext
from ratebook.web.forms.inputs import Button
from ratebook.web.forms.once import Answer
from ratebook.web.gate.gate import Gate
from ratebook.web.jobs.kinds import result_of
from ratebook.web.jobs.registry import ONLY_NEW, VERIFY, VerifiedBook
from ratebook.web.jobs.worker import TheJobs
from ratebook.web.layout.words import day_words
from ratebook.web.office.links import JOB
from ratebook.web.office.links import VERIFY as HERE
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.signed_in import onward
from ratebook.web.store.jobs import Job, newest_jobs

LOOKED_BACK = 20
FINDINGS_SHOWN = 100


class BookState(NamedTuple):
    """How far the book was verified.

    Attributes:
        is_verified: whether all that it has now is known to be right, and everything was verified recently enough.
        last: the newest verification that found no error.
        whole: the newest one of everything.
        due: a warning where one of everything is due.
    """

    is_verified: bool
    last: Verification | None
    whole: Verification | None
    due: Sequence[Finding]

    @property
    def words(self) -> str:
        """Return what is known to be right, as a sentence."""
        if self.last is None or self.whole is None or self.last == self.whole:
            return "The book has been verified in its current state: nothing differs."
        day = day_words(self.whole.at)
        return f"What is new has been verified, and everything on {day}: nothing differs."


def book_state(context: RequestContext) -> BookState:
    """Return how far the book, as it is now, was verified."""
    with context.site.reading() as reader:
        now = revision(reader.connection)
        last = last_verification(reader.connection)
        whole = last_verification(reader.connection, EVERYTHING)
        due = verification_due(reader.connection, reader.today)
        as_verified = last is not None and is_still_at(reader.connection, last.head)
    newest = result_of(last_verified(context.gate), VERIFY, VerifiedBook)
    wrong = newest is not None and newest.revision == now and has_errors(newest.verified.findings)
    return BookState(as_verified and not due and not wrong, last, whole, due)


@shown_to(Needs.OFFICE, HERE)
def verify_page(
    context: TheContext, number: Annotated[int | None, QueryParameter(name="job")] = None
) -> Response[bytes]:
    """Show what verifying found last, or in one job."""
    job = last_verified(context.gate) if number is None else context.job(number)
    verified = result_of(job, VERIFY, VerifiedBook)
    if number is not None and verified is None:
        raise NotFoundException
    state = book_state(context)
    form = context.form(HERE, "Verify everything")
    return context.page(
        "office/verify.html",
        job=job,
        found=verified,
        errors=0 if verified is None else sum(one.severity == "error" for one in verified.verified.findings),
        findings=() if verified is None else verified.verified.findings[:FINDINGS_SHOWN],
        now=context.site.revision(),
        state=state,
        form=form if state.whole is None else form._replace(more=Button(ONLY_NEW, "Verify what is new")),
    )


@done_by(Needs.OFFICE, HERE)
def verify_now(context: TheContext, jobs: TheJobs) -> Answer:
    """Ask for a verification."""

    def work() -> str:
        arguments = {ONLY_NEW: "yes"} if context.sent.is_checked(ONLY_NEW) else {}
        return JOB(jobs.ask(VERIFY, arguments, context.visitor, context.site.revision()))

    return context.decide((), work, lambda _: onward(HERE))


def last_verified(gate: Gate) -> Job | None:
    """Return the newest job that verified the book to its end."""
    with gate.store.reading() as connection:
        found = newest_jobs(connection, LOOKED_BACK, VERIFY)
    return next((one for one in found if one.state.value == "done"), None)
