"""Publishing a list in the browser: verified first, once, and with a second person where that is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from litestar.testing import TestClient

from ratebook.book.audit import RecordFilter, newest_entries
from ratebook.book.ledger.lists import published_months
from ratebook.book.profile import read_federation
from ratebook.office.decisions.revision import Reason
from ratebook.office.decisions.rules import adjust_profile
from ratebook.web.store.accounts import Role
from ratebook.web.store.jobs import JobState, read_job
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
    assert PAGE in person.get(HERE).text
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
    assert "2021-04" in person.get(HERE).text
    # The next one has its cut-off in the future.
    assert "Publish the list after its cut-off" in person.get(f"{HERE}/2021-04").text
    assert person.get(f"{HERE}/sometime").status_code == 404


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
    assert "A person other than the one who asked must consent" in alone.text
    assert first.send(asked, first.filled(asked, asked)).status_code == 303
    with office.gate.store.reading() as connection:
        job = read_job(connection, int(asked.rpartition("/")[2]))
    assert job is not None
    assert job.state is JobState.DECLINED
    again = first.fill_in(PAGE, PAGE).headers["location"]
    assert again in first.get(HERE).text
    page = second.get(again)
    assert "Consent and publish" in page.text
    form = second.filled(again, again) | {"decline": ""}
    assert second.send(again, form).status_code == 303
    settle(client)
    assert months(own_site) == [*LISTS, NEXT]
    assert "with the consent of second" in second.get(again).text
    with own_site.reading() as reader:
        (entry,) = newest_entries(reader.connection, 1, RecordFilter(kinds=("publish",)))
    assert entry.by == "office"
    assert entry.details.endswith("with the consent of second")
