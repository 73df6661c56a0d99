"""What a kind of job is.

A kind is an entry of `ratebook.web.jobs.registry.KINDS`: the word by which the store names it, and a `JobKind`. Its
*run* is a function that does the work, calls ``work.progress``, and returns what is to be kept of it: a value that
msgspec can write as JSON, which the kind's own page reads with `result_of`. A refusal (BookError) ends the job with its
finding. Whatever it changes, it changes in one transaction, or in several that go on when it is asked for again, so
that a job that is broken off leaves nothing half done.

    KINDS["verify"] = JobKind("Verify the book", run_verify, "/office/verify?job={number}")

A page asks for a job with ``jobs.ask("verify", {}, visitor, revision)`` and leads to the address of its number.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeVar

import msgspec

from ratebook.book.connection import Actor
from ratebook.findings import Finding
from ratebook.office import Progress
from ratebook.office.rating.rerate import KeptRerating
from ratebook.web.site import Site
from ratebook.web.store.jobs import Job, JobState

Result = TypeVar("Result")


class KeptWork:
    """What jobs have tried and kept, for those that do it as it was seen; it ends with the process.

    Attributes:
        rerating: the re-rating that was previewed last.
    """

    def __init__(self) -> None:
        self.rerating: KeptRerating | None = None

    def keep(self, rerating: KeptRerating | None) -> None:
        """Keep another one, or none."""
        if self.rerating is not None:
            self.rerating.close()
        self.rerating = rerating


class Work(NamedTuple):
    """What a job works with.

    Attributes:
        actor: who asked for it, at the moment when it begins.
        arguments: what was asked for.
        revision: of the book that was seen then; ``site.book.sibling(expecting=revision)`` refuses another one.
        tried: what was tried before.
    """

    site: Site
    actor: Actor
    arguments: Mapping[str, str]
    revision: int
    progress: Progress
    tried: KeptWork


class JobKind(NamedTuple):
    """A kind of job.

    Attributes:
        title: what it does, as an instruction.
        run: does it, and returns what is kept as its result.
        page: the address that shows the result, with ``{number}`` for the number of the job.
        goes_on: whether what was finished is kept where it is broken off, and goes on when it is asked for again.
    """

    title: str
    run: Callable[[Work], object]
    page: str
    goes_on: bool = False


def result_of(job: Job | None, kind: str, result_type: type[Result]) -> Result | None:
    """Return the result of a job of a *kind*; None where there is no such job, or it is not done."""
    if job is None or job.kind != kind or job.state is not JobState.DONE or job.result is None:
        return None
    return msgspec.json.decode(job.result, type=result_type)


def findings_of(job: Job) -> tuple[Finding, ...]:
    """Return why a job failed."""
    if job.state is not JobState.FAILED or job.result is None:
        return ()
    return msgspec.json.decode(job.result, type=tuple[Finding, ...])
