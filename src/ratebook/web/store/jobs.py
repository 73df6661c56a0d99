"""Long work of the office: asked for, run one after another, and kept with its result."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Row, Select, func, insert, select, update

from ratebook.book.connection import Connection
from ratebook.web.store.schema import accounts, jobs, moment


class JobState(StrEnum):
    """How far a job is; *asked* is one that waits for another person's consent."""

    ASKED = "asked"
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    BROKEN_OFF = "broken off"
    DECLINED = "declined"


UNDER_WAY = frozenset({JobState.WAITING, JobState.RUNNING})


class Job(NamedTuple):
    """A job as the store has it.

    Attributes:
        owner: number of the account that asked for it; *by* is its name.
        result: what its kind makes of it, or the findings of one that failed, as JSON.
        done: of *total*, in whatever its kind counts.
        revision: of the book that was seen when it was asked for.
    """

    number: int
    kind: str
    arguments: dict[str, str]
    owner: int
    by: str
    state: JobState
    made_at: str
    ended_at: str | None
    result: str | None
    done: int
    total: int
    revision: int

    @property
    def is_under_way(self) -> bool:
        """Whether it waits for its turn or runs."""
        return self.state in UNDER_WAY


def add_job(
    connection: Connection,
    kind: str,
    arguments: Mapping[str, str],
    account: int,
    revision: int,
    at: datetime,
    state: JobState = JobState.WAITING,
) -> int:
    """Add a job and return its number."""
    row = connection.execute(
        insert(jobs)
        .values(
            account_id=account,
            kind=kind,
            arguments=json.dumps(dict(arguments)),
            state=state.value,
            made_at=moment(at),
            done=0,
            total=0,
            revision=revision,
        )
        .returning(jobs.c.id)
    )
    return int(row.scalar_one())


def read_job(connection: Connection, number: int) -> Job | None:
    """Return a job."""
    row = connection.execute(_jobs(jobs.c.id == number)).first()
    return None if row is None else _job(row)


def newest_jobs(connection: Connection, most: int, kind: str = "") -> list[Job]:
    """Return jobs, perhaps of a kind, the newest first."""
    wanted = (jobs.c.kind == kind,) if kind else ()
    rows = connection.execute(_jobs(*wanted).order_by(jobs.c.id.desc()).limit(most))
    return [_job(row) for row in rows]


def count_jobs(connection: Connection) -> dict[JobState, int]:
    """Return how many jobs there are in each state."""
    rows = connection.execute(select(jobs.c.state, func.count()).group_by(jobs.c.state))
    return {JobState(state): count for state, count in rows}


def asked_jobs(connection: Connection) -> list[Job]:
    """Return the jobs that wait for another person's consent, the newest first."""
    return list(
        map(_job, connection.execute(_jobs(jobs.c.state == JobState.ASKED.value).order_by(jobs.c.id.desc())))
    )


def begin_next(connection: Connection) -> Job | None:
    """Take the job that has waited longest, which runs from now on; None where none waits."""
    row = connection.execute(
        _jobs(jobs.c.state == JobState.WAITING.value).order_by(jobs.c.id).limit(1)
    ).first()
    if row is None:
        return None
    connection.execute(update(jobs).where(jobs.c.id == row.id).values(state=JobState.RUNNING.value))
    return _job(row)._replace(state=JobState.RUNNING)


def note_progress(connection: Connection, number: int, done: int, total: int) -> None:
    """Note how far a job is."""
    connection.execute(update(jobs).where(jobs.c.id == number).values(done=done, total=total))


def end_job(connection: Connection, number: int, state: JobState, result: str | None, at: datetime) -> None:
    """Note how a job ended."""
    connection.execute(
        update(jobs).where(jobs.c.id == number).values(state=state.value, result=result, ended_at=moment(at))
    )


def answer_job(connection: Connection, number: int, state: JobState, arguments: Mapping[str, str]) -> bool:
    """Let a job that waits for consent wait for its turn, or decline it; False where it does not wait for consent."""
    answered = connection.execute(
        update(jobs)
        .where(jobs.c.id == number, jobs.c.state == JobState.ASKED.value)
        .values(state=state.value, arguments=json.dumps(dict(arguments)))
    )
    return answered.rowcount == 1


def forget_results(connection: Connection, is_about: Callable[[str], bool]) -> int:
    """Forget the results of jobs, and the findings of those that failed, that are about a person; return how many."""
    kept = select(jobs.c.id, jobs.c.result).where(jobs.c.result.is_not(None))
    numbers = [
        row.id for row in connection.execute(kept.execution_options(yield_per=10)) if is_about(row.result)
    ]
    connection.execute(update(jobs).where(jobs.c.id.in_(numbers)).values(result=None))
    return len(numbers)


def break_off_running(connection: Connection, at: datetime) -> None:
    """Note that the jobs of a server which ended will not go on: nothing of them was kept."""
    connection.execute(
        update(jobs)
        .where(jobs.c.state == JobState.RUNNING.value)
        .values(state=JobState.BROKEN_OFF.value, ended_at=moment(at))
    )


def _jobs(*wanted: ColumnElement[bool]) -> Select[Any]:
    return select(jobs, accounts.c.name.label("by")).join_from(jobs, accounts).where(*wanted)


def _job(row: Row[Any]) -> Job:
    return Job(
        number=row.id,
        kind=row.kind,
        arguments=json.loads(row.arguments),
        owner=row.account_id,
        by=row.by,
        state=JobState(row.state),
        made_at=row.made_at,
        ended_at=row.ended_at,
        result=row.result,
        done=row.done,
        total=row.total,
        revision=row.revision,
    )
