"""Publishing a list in the browser: verified first, once, and with a second person where that is asked for."""

from __future__ import annotations

import csv
import io
import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from litestar.testing import TestClient

from ratebook.book.audit import RecordFilter, newest_entries
from ratebook.book.connection import Actor
from ratebook.book.ledger.lists import published_months
from ratebook.book.profile import read_federation
from ratebook.office.decisions.revision import Reason
from ratebook.office.profile import adjust_profile
from ratebook.office.publish.lists import preview_list, publish
from ratebook.office.rating.verify import keep_verified
from ratebook.office.rating.verify import verify as verify_book
from ratebook.web.office.differences import CHANGES_SHOWN
from ratebook.web.store.accounts import Role
from ratebook.web.store.jobs import JobState, asked_jobs, read_job
from support.book_federation import ACTOR
from support.web.accounts import add, office_in
from support.web.federation import LISTS, TODAY
from support.web.persons import Person
from support.web.served import asked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from litestar import Litestar

    from ratebook.web.site import Site
    from support.web.accounts import Office

NEXT = "2021-03"
HERE, PAGE = "/office/lists", f"/office/lists/{NEXT}"
AFTER = TODAY.replace(day=20)
"""After the cut-off of the next list, the third Wednesday of February 2021."""
LONG = 60


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    """Give accounts of each role, and a second one of the office."""
    made = office_in(tmp_path / "web")
    add(made.gate.store, "second", Role.OFFICE, with_second_factor=True)
    yield made
    made.gate.store.close()


@pytest.fixture
def client(own_site: Site, office: Office) -> Iterator[TestClient[Litestar]]:
    """Give a browser of the office's site, after the next cut-off."""
    site = own_site._replace(gate=office.gate, today=lambda: AFTER)
    with asked(site) as client:
        yield client


def settle(client: TestClient[Litestar]) -> None:
    """Wait until no job waits or runs."""
    assert client.app.state.jobs.idle.wait(LONG)


def months(site: Site) -> list[str]:
    with site.reading() as reader:
        return published_months(reader.connection)


def verify(person: Person) -> None:
    assert person.fill_in("/office/verify", "/office/verify").status_code == 303
    settle(person.client)


def test_a_list_is_published_of_a_verified_book_once(
    client: TestClient[Litestar], office: Office, own_site: Site
) -> None:
    person = Person(client, office, "office")
    assert all(PAGE in person.get(page).text for page in (HERE, "/office"))
    assert "verify it now" in person.get(PAGE).text
    verify(person)
    form = person.filled(PAGE, PAGE)
    answers = [person.send(PAGE, form) for _ in range(2)]
    assert {one.status_code for one in answers} == {303}
    assert len({one.headers["location"] for one in answers}) == 1
    settle(client)
    assert months(own_site) == [*LISTS, NEXT]
    job = person.get(answers[0].headers["location"])
    assert "/office/lists/publications/" in job.text
    assert "already published" in person.get(PAGE).text
    assert "April 2021" in person.get(HERE).text
    assert "Official list due" not in person.get("/office").text
    # The next one has its cut-off in the future.
    assert "Publish the list after its cut-off" in person.get(f"{HERE}/2021-04").text
    assert person.get(f"{HERE}/sometime").status_code == 404


def test_what_is_new_is_enough_as_long_as_everything_was_verified_recently(
    client: TestClient[Litestar], office: Office, own_site: Site
) -> None:
    person = Person(client, office, "office")
    assert "Verify what is new" not in person.get("/office/verify").text
    leads_on = '<a class="button" href="/office/lists">Publish a list</a>'
    assert leads_on not in person.get("/office/verify").text
    book = own_site.book
    assert (
        keep_verified(book, Actor("office", f"{AFTER - timedelta(days=31)}T12:00:00Z"), verify_book(book))
        == []
    )
    assert "everything on 20 January 2021: nothing differs" not in person.get(PAGE).text
    with own_site.reading() as reader:
        profile = read_federation(reader.connection).profile
    adjust_profile(book, profile._replace(contact="office@example.org"), Reason(ACTOR, "moved", ["all"]))
    assert "verify it now" in person.get(PAGE).text
    form = person.filled("/office/verify", "/office/verify")
    assert person.send("/office/verify", {**form, "new": "yes"}).status_code == 303
    settle(client)
    verified = person.get("/office/verify").text
    assert "of what came after the verification of" in verified
    assert leads_on in verified
    shown = person.get(PAGE).text
    assert "What is new has been verified, and everything on 20 January 2021: nothing differs." in shown
    assert "Publish the list of" in shown
    adjust_profile(
        book, profile._replace(days_between_verifications=30), Reason(ACTOR, "more often", ["all"])
    )
    assert person.send("/office/verify", {**person.filled("/office/verify", "/office/verify"), "new": "yes"})
    settle(client)
    for page in (HERE, PAGE, "/office/verify"):
        assert "Everything was last verified on 20 January 2021, 31 days ago" in person.get(page).text
    assert "verify it now" in person.get(PAGE).text


def test_what_is_published_is_what_was_seen(
    client: TestClient[Litestar], office: Office, own_site: Site
) -> None:
    person = Person(client, office, "office")
    verify(person)
    form = person.filled(PAGE, PAGE)
    with own_site.reading() as reader:
        profile = read_federation(reader.connection).profile
    adjust_profile(
        own_site.book, profile._replace(contact="office@example.org"), Reason(ACTOR, "moved", ["all"])
    )
    moved = person.send(PAGE, form)
    assert moved.status_code == 409
    assert "has changed since" in moved.text
    assert months(own_site) == list(LISTS)


def test_a_second_person_consents_where_the_profile_asks_for_it(
    client: TestClient[Litestar], office: Office, own_site: Site
) -> None:
    with own_site.reading() as reader:
        profile = read_federation(reader.connection).profile
    adjust_profile(
        own_site.book, profile._replace(second_person=True), Reason(ACTOR, "the board's vote", ["all"])
    )
    first, second = (Person(client, office, name) for name in ("office", "second"))
    verify(first)
    asked = first.fill_in(PAGE, PAGE).headers["location"]
    settle(client)
    assert months(own_site) == list(LISTS)
    # Whoever asked cannot consent, whatever is sent; only take it back.
    own = first.filled(asked, asked) | {"decline": ""}
    alone = first.send(asked, own)
    assert alone.status_code == 422
    assert "Someone other than the person who requested it must consent" in alone.text
    assert first.send(asked, first.filled(asked, asked)).status_code == 303
    with office.gate.store.reading() as connection:
        job = read_job(connection, int(asked.rpartition("/")[2]))
    assert job is not None
    assert job.state is JobState.DECLINED
    again = first.fill_in(PAGE, PAGE).headers["location"]
    assert again in first.get(HERE).text
    assert "One list waits for the consent of a second person." in second.get("/office").text
    page = second.get(again)
    assert "Consent and publish" in page.text
    form = second.filled(again, again) | {"decline": ""}
    assert second.send(again, form).status_code == 303
    settle(client)
    assert months(own_site) == [*LISTS, NEXT]
    assert "with the consent of second" in second.get(again).text
    log = second.get("/office/audit").text
    assert ">List of March 2021<" in log
    # The hash of a link is as wide as a page, and no one reads it there.
    assert re.search(r">Chain up to link [0-9]+<", log)
    assert re.search(r"[0-9a-f]{40}", log.partition("<main")[2]) is None
    with own_site.reading() as reader:
        (entry,) = newest_entries(reader.connection, 1, RecordFilter(kinds=("publish",)))
    assert entry.by == "office"
    assert entry.details.endswith("with the consent of second")


def test_a_list_is_asked_for_once_and_its_request_ends_with_it(
    client: TestClient[Litestar], office: Office, own_site: Site
) -> None:
    with own_site.reading() as reader:
        profile = read_federation(reader.connection).profile
    adjust_profile(own_site.book, profile._replace(second_person=True), Reason(ACTOR, "vote", ["all"]))
    first, second = (Person(client, office, name) for name in ("office", "second"))
    verify(first)
    form = second.filled(PAGE, PAGE)
    asked = first.fill_in(PAGE, PAGE).headers["location"]
    page = second.get(PAGE).text
    assert "office asks for this list to be published" in page
    assert f'href="{asked}">Consent or decline' in page
    assert "You asked" in first.get(PAGE).text
    # A page that was opened before the request cannot make another one.
    again = second.send(PAGE, form)
    assert again.status_code == 409
    assert f'href="{asked}">Consent or decline' in second.get(HERE).text
    assert f'href="{asked}">Your request' in first.get(HERE).text
    job = asked.replace("lists/publications", "jobs")
    assert "Publish the list of March 2021" in first.get(job).text
    # Of two who open the request, the one who answers later sees what the other one answered.
    late = second.filled(asked, asked) | {"decline": ""}
    withdrawn = first.send(asked, first.filled(asked, asked))
    assert (withdrawn.status_code, withdrawn.headers["location"]) == (303, asked)
    assert second.send(asked, late).headers["location"] == asked
    assert "office withdrew the request. Nothing was published." in second.get(asked).text
    assert "declined or withdrawn" in second.get(job).text
    settle(client)
    assert months(own_site) == list(LISTS)
    asked = first.fill_in(PAGE, PAGE).headers["location"]
    with office.gate.store.reading() as connection:
        assert [one.by for one in asked_jobs(connection)] == ["office"]
    waiting = r'Official lists <span class="count">1<'
    assert re.search(waiting, second.get(HERE).text)
    # Published by another way, the list leaves nothing to consent to.
    publish(own_site.book, NEXT, AFTER, ACTOR)
    assert "this request has ended" in second.get(asked).text
    assert "Consent and publish" not in second.get(asked).text
    assert asked not in second.get(HERE).text
    assert not re.search(waiting, second.get(HERE).text)


def test_all_differences_are_shown_the_largest_first_with_their_cause(
    client: TestClient[Litestar], office: Office, own_site: Site
) -> None:
    person = Person(client, office, "office")
    with own_site.reading() as reader:
        preview = preview_list(reader.connection, NEXT, AFTER)
    pages = -(-len(preview.changes) // CHANGES_SHOWN)
    shown: list[str] = []
    for number in range(1, pages + 1):
        page = person.get(f"{PAGE}?page={number}").text
        shown += re.findall(r'<th scope="row"[^>]*><a href="/office/members/([^"]+)"', page)
    assert sorted(shown) == sorted(change.member for change in preview.changes)
    assert person.get(f"{PAGE}?page=999").status_code == 200
    file = person.get(f"{PAGE}/differences.csv")
    rows = list(csv.DictReader(io.StringIO(file.text)))
    assert [row["ID"] for row in rows] == shown
    moved = [int(row["Change"]) for row in rows if row["Change"][:1] in "+-" and row["Change"]]
    assert moved == sorted(moved, key=abs, reverse=True)
    assert {row["Change"] for row in rows}.isdisjoint({"+0", "-0"})
    assert {row["Why"] for row in rows} <= {
        "games since",
        "a first rating",
        "a correction of what was played before",
        "a decision of the office",
        "an opening balance",
        "no longer listed",
    }
    assert person.get(f"{HERE}/sometime/differences.csv").status_code == 404
