"""A re-rating is done on the book that its preview showed, and what was decided can be found."""

from __future__ import annotations

import re
from html import escape, unescape
from typing import TYPE_CHECKING

import pytest

from ratebook.book.audit import BOOK, RecordFilter, note_audit
from ratebook.book.decisions import count_decisions
from ratebook.book.ledger.pending import read_pending
from ratebook.model import System
from ratebook.office.decisions.adjustments import Adjustment, adjust
from ratebook.office.decisions.revision import Reason
from ratebook.office.rating import rerate
from support.book_federation import ACTOR
from support.web.accounts import office_in
from support.web.federation import CORRECTED, OTHER, PLAYER, TODAY
from support.web.persons import Person
from support.web.served import asked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ratebook.web.site import Site

HERE = "/office/rerate"
LONG = 60


@pytest.fixture
def person(own_site: Site, tmp_path: Path) -> Iterator[Person]:
    """Give someone of the office at a site whose book may be written to."""
    office = office_in(tmp_path / "web")
    site = own_site._replace(gate=office.gate)
    with asked(site) as client:
        yield Person(client, office, "office")
    office.gate.store.close()


def set_rating(site: Site, member: str, month: int = 1) -> None:
    adjustment = Adjustment(member, System.REGULAR, 1999, TODAY.replace(2020, month, 2))
    assert adjust(site.book, "rating", adjustment, Reason(ACTOR, "a review", ["all"])).decision


def test_what_moved_since_the_preview_asks_for_another_one(person: Person, own_site: Site) -> None:
    assert "Nothing is waiting for a re-rating" in person.get(HERE).text
    set_rating(own_site, PLAYER)
    assert f'<span class="sub">{PLAYER}</span>' in person.get(HERE).text
    job = person.fill_in(HERE, f"{HERE}/preview").headers["location"]
    assert person.client.app.state.jobs.idle.wait(LONG)
    result = job.replace("/office/jobs", HERE)
    assert result in person.get(job).text
    assert "refresh" not in person.get(job).headers
    assert "would change" in person.get(result).text
    assert result in person.get(HERE).text
    form = person.filled(result, HERE)
    set_rating(own_site, OTHER, 12)
    moved = person.send(HERE, form)
    assert moved.status_code == 409
    assert "The book has changed since" in moved.text
    later = person.get(result).text
    assert "Ask for a new preview" in later
    assert ">Rate again<" not in later
    assert "There is a preview" not in person.get(HERE).text
    with own_site.reading() as reader:
        assert read_pending(reader.connection)


def test_what_the_preview_showed_is_done_and_computed_no_more(
    person: Person, own_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_rating(own_site, PLAYER)
    job = person.fill_in(HERE, f"{HERE}/preview").headers["location"]
    assert person.client.app.state.jobs.idle.wait(LONG)
    form = person.filled(job.replace("/office/jobs", HERE), HERE)
    monkeypatch.setattr(rerate, "rate_from", lambda *_: pytest.fail("this was computed before"))
    again = person.send(HERE, form).headers["location"]
    assert person.client.app.state.jobs.idle.wait(LONG)
    assert "changed" in person.get(again.replace("/office/jobs", HERE)).text
    with own_site.reading() as reader:
        assert not read_pending(reader.connection)


def test_no_file_is_taken_for_a_decision(person: Person, own_site: Site) -> None:
    with own_site.book.writing() as connection:
        note_audit(connection, ACTOR, "backup-book", BOOK, "decision day.book")
    assert "Nothing matches" in person.get("/office/decisions?subject=book").text


@pytest.mark.parametrize(
    ("asked", "there", "missing"),
    [
        ("", ">Facts corrected</a>", ">Warning accepted</a>"),
        ("kind=correct-result", CORRECTED, ">Facts corrected</a>"),
        ("kind=correct-result", "Seat 1 (Jacob Kingfisher), round 3: win.", ">Facts corrected</a>"),
        ("by=CLERK+EXAMPLE", ">Clerk Example, ", "Deputy Example"),
        (f"subject=event+{CORRECTED}", CORRECTED, ">Facts corrected</a>"),
        (f"subject=event+{CORRECTED}", ">June Blitz, Holly Mills</a>", "Esther Severn"),
        ("kind=correct-facts", ">Esther Severn</a>", CORRECTED),
        ("to=2020-01-01", "Nothing matches", CORRECTED),
        ("from=yesterday", ">Facts corrected</a>", ">Warning accepted</a>"),
    ],
)
def test_decisions_are_found_by_kind_person_day_and_subject(
    person: Person, asked: str, there: str, missing: str
) -> None:
    text = person.get(f"/office/decisions?{asked}").text
    assert there in text
    assert missing not in text


@pytest.mark.parametrize("here", ["/office/decisions", "/office/audit"])
def test_records_are_read_page_by_page(person: Person, own_site: Site, here: str) -> None:
    newest = address = f"{here}?kind=opening-balance&from=2000-01-01"
    numbers: list[str] = []
    with own_site.book.reading() as connection:
        count = count_decisions(connection, RecordFilter(kinds=["opening-balance"]))["opening-balance"]
    assert count > 30
    while address:
        page = person.get(address).text
        numbers += re.findall(r'href="/office/decisions/(\d+)"', page)
        earlier = re.search(r'href="([^"]*)" rel="next">Earlier<', page)
        address = unescape(earlier[1]) if earlier else ""
        assert len(numbers) % 30 == 0 or not address
    assert len(numbers) == len(set(numbers)) == count
    assert f'<a class="button" href="{escape(newest)}">Newest</a>' in page
    shown = re.findall(r'href="/office/decisions/(\d+)"', page)
    while later := re.search(r'href="([^"]*)" rel="prev">Later<', page):
        page = person.get(unescape(later[1])).text
        shown = [*re.findall(r'href="/office/decisions/(\d+)"', page), *shown]
        assert 'rel="next">Earlier<' in page
    assert shown == numbers
    assert page.count(">Newest<") == 0


def test_the_log_names_what_its_entries_are_about(person: Person) -> None:
    text = person.get(f"/office/audit?subject=event+{CORRECTED}").text
    assert ">June Blitz, Holly Mills</a>" in text
    assert f"{CORRECTED}\N{NO-BREAK SPACE}· section 1</span>" in text
    assert ">Esther Severn</a>" in person.get("/office/audit?kind=correct-facts").text
    assert ">Report 1</a>" in person.get("/office/audit?subject=report+1").text
    assert re.search(r">[a-z][a-z-]*\.csv<", person.get("/office/audit?kind=import-members").text)
    assert re.search(r"\.csv: [0-9]+ rows, [0-9]+ added, 0 changed<", person.get("/office/imports").text)
