"""The administrator's first page says whether all is well, and what to do where it is not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec
import pytest
from sqlalchemy import func, select

from ratebook.book import schema
from ratebook.book.connection import VERSION
from ratebook.book.figures.size import size_of
from ratebook.findings import Place, finding
from ratebook.office.rating.verify import Verified
from ratebook.web.admin.health import OLD
from ratebook.web.jobs.registry import VERIFY, VerifiedBook
from ratebook.web.layout.words import day_words
from ratebook.web.running.copies import note_backup
from ratebook.web.store.jobs import JobState, add_job, end_job
from support.web.persons import Person
from support.web.served import asked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ratebook.web.site import Site
    from support.web.accounts import Office


@pytest.fixture
def keeper(own_site: Site, office: Office) -> Iterator[Person]:
    """Give the administrator of a book of the test's own."""
    with asked(own_site._replace(gate=office.gate)) as client:
        yield Person(client, office, "administrator")


def cards_of(page: str) -> dict[str, tuple[str, str]]:
    """Return the figures of a page and what is below them, by their labels."""
    card = re.compile(
        r'<span class="label">(.*?)</span><span class="big">(.*?)</span><span class="under">(.*?)</span>'
    )
    return {label: (value, under) for label, value, under in card.findall(page)}


def test_a_copy_that_is_missing_or_old_is_asked_for(keeper: Person, office: Office) -> None:
    page = keeper.get("/admin").text
    assert "No backup has been made here yet" in page
    assert cards_of(page)["Last backup"] == ("none", "recorded here")
    assert keeper.fill_in("/admin/copies", "/admin/copies/backup").status_code == 200
    page = keeper.get("/admin").text
    assert "backup was made" not in page
    assert cards_of(page)["Last backup"][0] == "today"
    office.clock.goes_on(days=OLD + 1)
    keeper.sign_in()
    page = keeper.get("/admin").text
    assert "is older than a week" in page
    assert cards_of(page)["Last backup"][0] == f"{OLD + 1} days ago"


def test_the_size_of_the_book_is_what_it_holds(keeper: Person, own_site: Site) -> None:
    with own_site.book.reading() as connection:
        size = size_of(connection)
        members = connection.execute(select(func.count()).select_from(schema.members)).scalar_one()
        with_pages = connection.exec_driver_sql(
            "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
        )
        assert size.stored_bytes == with_pages.scalar_one() > 0
    assert (size.members, size.version) == (members, VERSION)
    value, under = cards_of(keeper.get("/admin").text)["Book"]
    assert value.endswith(("KB", "MB"))
    assert under.startswith(f"{members} members")


def test_a_verification_is_shown_with_its_day(keeper: Person, office: Office) -> None:
    assert cards_of(keeper.get("/admin").text)["Verified"] == ("never", "the office verifies the book")
    broken = finding("verify-stopped", Place(subject="ledger"), failure="a row")
    ends = (
        (JobState.DONE, VerifiedBook(1, Verified(2, 9, ()))),
        (JobState.DONE, VerifiedBook(1, Verified(2, 9, (broken,)))),
        (JobState.FAILED, ()),
    )
    pages = []
    for state, result in ends:
        with office.gate.store.writing() as connection:
            number = add_job(connection, VERIFY, {}, keeper.visitor.account.id, 1, office.clock.now)
            end_job(connection, number, state, msgspec.json.encode(result).decode(), office.clock.now)
        pages.append(keeper.get("/admin").text)
    day = day_words(office.clock.now.date())
    known = [("today", f"no error, {day}"), ("today", f"1 error, {day}"), ("today", f"1 error, {day}")]
    assert [cards_of(page)["Verified"] for page in pages] == known
    assert ["Verifying the book found 1 error." in page for page in pages] == [False, True, True]
    assert ["The newest job failed: Verify the book." in page for page in pages] == [False, False, True]


def test_a_failure_says_what_to_do_next(keeper: Person) -> None:
    keeper.client.cookies.clear()
    nothing = keeper.client.get("/nothing")
    assert nothing.status_code == 404
    assert "or the page no longer exists.<" in nothing.text
    assert 'action="/players" class="search"' in nothing.text
    inside = keeper.get("/admin/nothing")
    assert inside.status_code == 404
    assert 'href="/admin">To the overview' in inside.text


def test_what_the_machine_does_at_night_is_shown_too(keeper: Person, office: Office) -> None:
    """A backup that was restored and computed again, as `ratebook web backup` notes it."""
    with office.gate.store.writing() as connection:
        note_backup(connection, "ratebook", office.clock.now, "2026-11-22T02-30-00Z")
    office.clock.goes_on(days=1)
    keeper.sign_in()
    cards = cards_of(keeper.get("/admin").text)
    assert cards["Last backup"][0] == "yesterday"
    assert cards["Verified"] == ("yesterday", f"no error, {day_words('2026-11-22')}")
