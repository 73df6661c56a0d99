"""A book is founded in the browser: a zip archive is sent, what it holds is shown, a job founds, the summary stays."""

from __future__ import annotations

import io
import zipfile
from contextlib import closing
from datetime import date
from typing import TYPE_CHECKING

import pytest
from scripts.pages.places import ROOT

from ratebook.book.connection import Actor
from ratebook.book.figures.size import BookSize, size_of
from ratebook.book.profile import Profile
from ratebook.office.creation import create_book
from ratebook.web.jobs.registry import IMPORT
from ratebook.web.site import Served, Site
from ratebook.web.store.jobs import JobState, add_job, end_job, note_progress
from support.web.persons import Forms, Person
from support.web.served import asked

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from httpx import Response
    from litestar import Litestar
    from litestar.testing import TestClient

    from support.web.accounts import Office

FOUND, JOBS = "/office/imports/found", "/office/imports/jobs"
LEAGUE = ROOT / "examples" / "league"
LONG = 60
"""Seconds after which a job that was to end is missing; no test waits for them."""


@pytest.fixture
def site(tmp_path: Path, office: Office) -> Iterator[Site]:
    """Give a site of the league, whose book is empty."""
    profile = Profile(name="Northern League", member_id_pattern="NL-[0-9]{4}")
    made = create_book(str(tmp_path / "league.book"), profile, Actor("office", "2026-11-20T12:00:00Z"))
    with closing(made) as book:
        yield Site(book, Served.ALL, lambda: date(2026, 11, 20), office.gate)


@pytest.fixture
def client(site: Site) -> Iterator[TestClient[Litestar]]:
    """Give a client of the site."""
    with asked(site) as client:
        yield client


@pytest.fixture
def person(client: TestClient[Litestar], office: Office) -> Person:
    """Give someone of the office."""
    return Person(client, office, "office")


def league(replaced: Mapping[str, str] | None = None) -> bytes:
    """Return the files of the league as a zip archive, some of them *replaced*."""
    files = {path.relative_to(LEAGUE).as_posix(): path.read_text() for path in LEAGUE.rglob("*.*")}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in (files | dict(replaced or {})).items():
            archive.writestr(f"league/{name}", text)
    return out.getvalue()


def result(person: Person, answer: Response) -> str:
    """Wait for the job to which an answer leads, and return the address of its result."""
    assert person.client.app.state.jobs.idle.wait(LONG)
    return answer.headers["location"].replace("/office/jobs/", f"{JOBS}/")


def tried(person: Person, archive: bytes) -> str:
    form = person.filled(FOUND, FOUND) | {"second": "quick"}
    return result(person, person.send(FOUND, form, {"file": ("league.zip", archive)}))


def book_of(site: Site) -> BookSize:
    with site.reading() as reader:
        return size_of(reader.connection)


def test_an_archive_is_understood_tried_and_founded_by_jobs(person: Person, site: Site) -> None:
    for start in ("/office", "/office/imports"):
        assert f'href="{FOUND}"' in person.get(start).text
    preview = tried(person, league())
    page = person.get(preview).text
    assert "What the book would contain" in page
    for words in (
        "opening balances",
        "members&#39; numbers in other lists",
        "6 added, 0 changed, 0 unchanged",
    ):
        assert words in page
    assert "section without a last day" in page
    assert book_of(site)[:2] == (0, 0)
    (waits,) = [address for address in Forms(page).found if address.startswith(f"{FOUND}/")]
    done = person.get(result(person, person.fill_in(preview, waits))).text
    assert "The book is set up" in done
    assert "by office" in done
    assert f'action="{FOUND}/' not in done
    assert book_of(site)[:2] == (6, 2)
    again = person.get(tried(person, league())).text
    assert "Nothing would change: the book has all of this already." in again
    assert not [address for address in Forms(again).found if address.startswith(f"{FOUND}/")]
    assert "Nothing would change" not in page + done


def test_a_mistake_in_a_list_is_named_with_its_row_and_nothing_can_be_done(
    person: Person, site: Site
) -> None:
    bad = {"memberships.csv": "member_id,starts,expires\nNL-0001,2026-01-01,soon\n"}
    page = person.get(tried(person, league(bad))).text
    assert "The book was not set up" in page
    assert "memberships.csv, line 2, expires" in page
    assert not [address for address in Forms(page).found if address.startswith(f"{FOUND}/")]
    assert book_of(site)[:2] == (0, 0)


def test_what_has_changed_meanwhile_is_not_founded_unseen(person: Person, site: Site) -> None:
    preview = tried(person, league())
    (waits,) = [address for address in Forms(person.get(preview).text).found if address.startswith(FOUND)]
    form = person.filled(preview, waits)
    person.fill_in(
        "/office/members/new", "/office/members/new", id="NL-0099", name="Meanwhile, Mia", adult=""
    )
    failed = person.send(waits, form).headers["location"]
    assert person.client.app.state.jobs.idle.wait(LONG)
    assert "The book has changed since" in person.get(failed).text
    assert book_of(site)[:2] == (1, 0)


def test_an_archive_that_is_none_or_too_heavy_is_a_finding(person: Person) -> None:
    assert "zip-unreadable" in person.get(tried(person, b"PK\3\4 broken")).text
    page = person.get(tried(person, b"id,name\nNL-0001,Adams\n")).text
    assert "1 added, 0 changed, 0 unchanged" in page


def test_only_the_office_founds(person: Person, client: TestClient[Litestar], office: Office) -> None:
    preview = tried(person, league())
    (waits,) = [address for address in Forms(person.get(preview).text).found if address.startswith(FOUND)]
    refused = {403, 404}
    for name in ("director", "administrator"):
        other = Person(client, office, name)
        assert other.get(FOUND).status_code in refused
        assert other.get(preview).status_code in refused
        form = {"csrf": other.visitor.csrf}
        assert other.send(FOUND, form, {"file": ("league.zip", league())}).status_code in refused
        assert other.send(waits, form).status_code in refused


def test_a_founding_that_is_broken_off_says_that_it_goes_on(person: Person, office: Office) -> None:
    with office.gate.store.writing() as connection:
        number = add_job(connection, IMPORT, {}, person.visitor.account.id, 1, office.gate.now())
        end_job(connection, number, JobState.BROKEN_OFF, None, office.gate.now())
    page = person.get(f"/office/jobs/{number}").text
    assert "What was finished before is kept; send the file again to continue." in page


def test_a_job_that_runs_says_how_far_it_is_and_about_how_long_the_rest_takes(
    person: Person, office: Office
) -> None:
    with office.gate.store.writing() as connection:
        asked_at, account = office.gate.now(), person.visitor.account.id
        number = add_job(connection, IMPORT, {}, account, 1, asked_at, JobState.RUNNING)
        note_progress(connection, number, 25, 100)
    office.clock.goes_on(minutes=2)
    assert "Running: 25 of 100, about 6 minutes left." in person.get(f"/office/jobs/{number}").text
