"""Jobs: one at a time, in order, kept when the browser is closed; what a killed server had begun leaves nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, NamedTuple

import pytest

from ratebook.book.connection import open_book
from ratebook.book.ledger.pending import read_pending
from ratebook.book.profile import revision
from ratebook.model import System
from ratebook.office.decisions.adjustments import Adjustment, adjust
from ratebook.office.decisions.revision import Reason
from ratebook.office.trials import Rerated
from ratebook.pages.member import member_page
from ratebook.web.jobs.kinds import JobKind, findings_of, result_of
from ratebook.web.jobs.registry import KINDS, RERATE, RERATE_PREVIEW, VERIFY, VerifiedBook
from ratebook.web.jobs.worker import Jobs
from ratebook.web.store.jobs import JobState, add_job, read_job
from support.book_federation import ACTOR
from support.web.accounts import AT, Office
from support.web.federation import PLAYER, TODAY
from support.web.halting_server import HALF

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ratebook.book.connection import Book
    from ratebook.web.jobs.kinds import Work
    from ratebook.web.site import Site
    from ratebook.web.store.jobs import Job

LONG = 60
"""Seconds after which something that was to happen is missing; no test waits for them."""


class Count(NamedTuple):
    """What the jobs of these tests return."""

    steps: int


def running(site: Site, office: Office, kinds: Mapping[str, JobKind] = KINDS) -> Jobs:
    jobs = Jobs(site, office.gate, kinds)
    jobs.start()
    return jobs


def found(office: Office, number: int) -> Job:
    with office.gate.store.reading() as connection:
        job = read_job(connection, number)
    assert job is not None
    return job


def decide(book: Book) -> None:
    """Decide something after which many sections wait for a re-rating."""
    result = adjust(
        book,
        "rating",
        Adjustment(PLAYER, System.REGULAR, 1999, TODAY.replace(2020, 1, 2)),
        Reason(ACTOR, "x", ["all"]),
    )
    assert result.waits


def at(book: Book) -> int:
    with book.reading() as connection:
        return revision(connection)


def test_jobs_run_one_at_a_time_in_the_order_in_which_they_were_asked_for(site: Site, office: Office) -> None:
    began, may_end, order = Event(), Event(), list[str]()

    def waits(work: Work) -> Count:
        order.append(f"{work.arguments['name']} begins")
        began.set()
        assert may_end.wait(LONG)
        work.progress(3, 12)
        order.append(f"{work.arguments['name']} ends")
        return Count(3)

    jobs = running(site, office, {"wait": JobKind("Wait", waits, "/office/wait/{number}")})
    visitor = office.signed_in("office")
    first, second = (jobs.ask("wait", {"name": name}, visitor, 7) for name in ("first", "second"))
    assert began.wait(LONG)
    assert [found(office, one).state for one in (first, second)] == [JobState.RUNNING, JobState.WAITING]
    may_end.set()
    assert jobs.idle.wait(LONG)
    jobs.stop()
    assert order == ["first begins", "first ends", "second begins", "second ends"]
    done = found(office, second)
    assert (done.state, done.done, done.total, done.by, done.revision) == (JobState.DONE, 3, 12, "office", 7)
    assert result_of(done, "wait", Count) == Count(3)
    assert result_of(done, "verify", Count) is None


def test_a_job_that_fails_says_why_and_the_next_one_runs(own_site: Site, office: Office) -> None:
    def mistaken(_: Work) -> None:
        raise ZeroDivisionError

    jobs = running(own_site, office, {**KINDS, "mistake": JobKind("Fail", mistaken, "/")})
    visitor, seen = office.signed_in("office"), at(own_site.book)
    decide(own_site.book)
    numbers = [
        jobs.ask("mistake", {}, visitor, seen),
        jobs.ask(RERATE, {}, visitor, seen),
        jobs.ask(VERIFY, {}, visitor, seen),
    ]
    assert jobs.idle.wait(LONG)
    jobs.stop()
    wrong, moved, verified = (found(office, one) for one in numbers)
    assert [one.code for one in findings_of(wrong)] == ["job-failed"]
    assert [one.code for one in findings_of(moved)] == ["book-moved"]
    result = result_of(verified, VERIFY, VerifiedBook)
    assert result is not None
    assert result.revision == at(own_site.book)
    assert not any(one.severity == "error" for one in result.verified.findings)


def test_a_server_that_ends_breaks_a_job_off_and_goes_on_with_the_others_later(
    site: Site, office: Office
) -> None:
    began = Event()

    def endless(work: Work) -> None:
        while True:
            work.progress(1, 2)
            began.set()

    kinds = {"endless": JobKind("Go on", endless, "/"), "count": JobKind("Count", lambda _: Count(1), "/")}
    jobs, visitor = running(site, office, kinds), office.signed_in("office")
    numbers = [jobs.ask(kind, {}, visitor, 1) for kind in kinds]
    assert began.wait(LONG)
    jobs.stop()
    assert [found(office, one).state for one in numbers] == [JobState.BROKEN_OFF, JobState.WAITING]
    later = running(site, office, kinds)
    assert later.idle.wait(LONG)
    later.stop()
    assert [found(office, one).state for one in numbers] == [JobState.BROKEN_OFF, JobState.DONE]


def test_a_preview_says_what_the_re_rating_then_does(own_site: Site, office: Office) -> None:
    decide(own_site.book)
    seen, visitor = at(own_site.book), office.signed_in("office")
    with own_site.reading() as reader:
        before = member_page(reader.connection, reader.federation, PLAYER, TODAY).ratings
    jobs = running(own_site, office)
    preview = jobs.ask(RERATE_PREVIEW, {}, visitor, seen)
    assert jobs.idle.wait(LONG)
    assert at(own_site.book) == seen
    would = result_of(found(office, preview), RERATE_PREVIEW, Rerated)
    done = jobs.ask(RERATE, {}, visitor, seen)
    assert jobs.idle.wait(LONG)
    jobs.stop()
    did = result_of(found(office, done), RERATE, Rerated)
    assert would is not None
    assert did is not None
    assert would.difference[1:] == did.difference[1:]
    with own_site.reading() as reader:
        assert not read_pending(reader.connection)
        after = member_page(reader.connection, reader.federation, PLAYER, TODAY).ratings
    moved = next(one for one in did.difference.changes if one.member == PLAYER)
    assert moved.before == pytest.approx(before[0].rating)
    assert moved.after == pytest.approx(after[0].rating)
    assert did.ratings == sum(did.difference.histogram)
    # Whoever is rated 200 points higher may have a higher floor, but the rating alone gives no one a title less.
    assert all(one.before != one.after for one in would.floors)


@pytest.mark.long
def test_a_killed_server_leaves_the_book_as_it_was_and_the_next_one_goes_on(
    own_site: Site, office: Office
) -> None:
    decide(own_site.book)
    seen = at(own_site.book)
    number = office.signed_in("office").account.id
    with office.gate.store.writing() as connection:
        broken, waiting = (
            add_job(connection, kind, {}, number, seen, AT) for kind in (RERATE, RERATE_PREVIEW)
        )
    places = [own_site.book.url, office.gate.store.url]
    server = Path(__file__).parents[2] / "support/web/halting_server.py"
    with subprocess.Popen(
        [sys.executable, str(server), *places],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(server.parents[2])},
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == f"{HALF}\n"
        job = found(office, broken)
        assert job.state is JobState.RUNNING
        assert 2 * job.done >= job.total > 0
        process.kill()
        process.wait()
    with closing(open_book(own_site.book.url)) as book, book.reading() as connection:
        assert revision(connection) == seen
        assert read_pending(connection)
    jobs = running(own_site, office)
    assert jobs.idle.wait(LONG)
    jobs.stop()
    assert found(office, broken).state is JobState.BROKEN_OFF
    assert result_of(found(office, waiting), RERATE_PREVIEW, Rerated) is not None
