"""The thread of the office's process that runs jobs."""

import hashlib
import logging
import traceback
from collections.abc import Mapping
from threading import Event, Lock, Thread
from typing import TypeAlias

import msgspec
from litestar.di import NamedDependency

from ratebook.book.connection import Actor
from ratebook.book.failures import BookError
from ratebook.findings import Place, finding
from ratebook.web.gate.gate import Gate
from ratebook.web.gate.visitors import Visitor
from ratebook.web.jobs.kinds import JobKind, KeptWork, Work
from ratebook.web.site import Site
from ratebook.web.store.jobs import (
    Job,
    JobState,
    add_job,
    begin_next,
    break_off_running,
    end_job,
    note_progress,
)
from ratebook.web.store.schema import moment

logger = logging.getLogger("ratebook.web")


class _Stopped(Exception):  # noqa: N818 - it ends a job, and is no mistake
    """The server ends: whatever the job did is taken back."""


class Jobs:
    """Runs jobs one at a time, in the order in which they were asked for.

    Attributes:
        idle: set while no job waits or runs.
    """

    def __init__(self, site: Site, gate: Gate, kinds: Mapping[str, JobKind]) -> None:
        self.site, self.gate, self.kinds = site, gate, kinds
        self.idle = Event()
        self._asked = Event()
        self._telling = Lock()
        self._ends = False
        self._tried = KeptWork()
        self._thread = Thread(target=self._run, name="jobs", daemon=True)

    def start(self) -> None:
        """Break off what a server that was killed had begun, and go on with what waits."""
        with self.gate.store.writing() as connection:
            break_off_running(connection, self.gate.now())
        self._asked.set()
        self._thread.start()

    def stop(self) -> None:
        """End: a job that runs is broken off at its next step, and leaves the book as it was."""
        self._ends = True
        self._asked.set()
        self._thread.join()
        self._tried.keep(None)

    def ask(
        self,
        kind: str,
        arguments: Mapping[str, str],
        visitor: Visitor,
        revision: int,
        state: JobState = JobState.WAITING,
    ) -> int:
        """Ask for a job, and return its number."""
        with self.gate.store.writing() as connection:
            number = add_job(
                connection, kind, arguments, visitor.account.id, revision, self.gate.now(), state
            )
        self.wake()
        return number

    def wake(self) -> None:
        """Say that a job waits now."""
        with self._telling:
            self.idle.clear()
            self._asked.set()

    def _run(self) -> None:
        while not self._ends:
            self._asked.wait()
            self._asked.clear()
            try:
                self._run_waiting()
            except BookError:
                # The store is away; what waits goes on with the next job that is asked for.
                logger.exception("jobs")
            with self._telling:
                if not self._asked.is_set():
                    self.idle.set()

    def _run_waiting(self) -> None:
        while not self._ends:
            with self.gate.store.writing() as connection:
                job = begin_next(connection)
            if job is None:
                return
            state, result = self._outcome(job)
            with self.gate.store.writing() as connection:
                end_job(connection, job.number, state, result, self.gate.now())

    def _outcome(self, job: Job) -> tuple[JobState, str | None]:
        """Run a job, and return how it ended and what is kept of it."""
        actor = Actor(job.by, moment(self.gate.now()))
        progress = self._progress_of(job.number)
        work = Work(
            site=self.site,
            actor=actor,
            arguments=job.arguments,
            revision=job.revision,
            progress=progress,
            tried=self._tried,
        )
        try:
            result = self.kinds[job.kind].run(work)
        except _Stopped:
            return JobState.BROKEN_OFF, None
        except BookError as failure:
            return JobState.FAILED, _json((failure.finding,))
        except Exception as failure:
            # Whatever goes wrong in a job must not end those after it.
            number = hashlib.sha256("".join(traceback.format_exception(failure)).encode()).hexdigest()[:8]
            logger.exception("failure %s of job %s", number, job.number)
            return JobState.FAILED, _json((finding("job-failed", Place(job=job.number), number=number),))
        return JobState.DONE, _json(result)

    def _progress_of(self, number: int) -> "_Noted":
        return _Noted(self, number)

    @property
    def ends(self) -> bool:
        """Whether the server ends."""
        return self._ends


class _Noted:
    """Notes the progress of a job, at most a hundred times, since each time is a transaction of the store."""

    def __init__(self, jobs: Jobs, number: int) -> None:
        self.jobs, self.number, self.noted = jobs, number, -1

    def __call__(self, done: int, total: int) -> None:
        if self.jobs.ends:
            raise _Stopped
        part = 100 * done // max(1, total)
        if part != self.noted:
            self.noted = part
            with self.jobs.gate.store.writing() as connection:
                note_progress(connection, self.number, done, total)


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


TheJobs: TypeAlias = NamedDependency[Jobs]
"""How a handler asks for the worker."""
