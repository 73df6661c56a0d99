"""Ids of events and members as federations make them: every link of every page about them leads somewhere."""

from __future__ import annotations

import re
from contextlib import closing
from datetime import date
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

import pytest
from litestar.testing import TestClient

from ratebook.book.connection import Actor
from ratebook.book.facts.members import MemberFacts, write_members
from ratebook.book.profile import Profile
from ratebook.checks import ReportedFacts
from ratebook.model import Event, PlayerFacts, Report, Section, SectionType
from ratebook.office.creation import create_book
from ratebook.office.queue.submit import Incoming, Submitted, submit
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.reports.load import LoadedReport
from ratebook.web.gate.visitors import COOKIE
from ratebook.web.site import Served, Site
from support.builders import entry
from support.web.accounts import ADDRESS, HOST, office_in
from support.web.served import app_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ratebook.book.connection import Book

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
EVENTS = ("2026/3", "%2e", "%2F", "a?b", "A B", "#1", "100%", "é;x=1&y", "x.csv")
MEMBERS = ("7 1", "a/b", "%2e%2e", "#7")
LINK = re.compile(r'(?:href|src)="([^"#][^"]*)"')
OK, GONE = 200, 404


def send(book: Book, event: str, day: date, players: tuple[str, ...]) -> Submitted:
    """Submit a game of two players."""
    entries = tuple(
        entry(at, rounds, player)
        for at, (rounds, player) in enumerate(zip(("W2", "L1"), players, strict=True), 1)
    )
    section = Section(1, "OPEN", day, day, "G/90;d5", SectionType.SWISS, entries=entries)
    known = {one: PlayerFacts(one, f"EXAMPLE, {at}") for at, one in enumerate(players)}
    loaded = LoadedReport(Report(Event(event, "", day, day), known, (section,)), (), {}, ReportedFacts())
    return submit(book, Incoming(loaded, "r.json", day, accepted=("all",)), ACTOR)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Book]:
    """Give a book with one rated event of each id, by members with ids as odd."""
    place = str(tmp_path_factory.mktemp("ids") / "ids.book")
    with closing(create_book(place, Profile(name="Example League"), ACTOR)) as book:
        with book.writing() as connection:
            write_members(
                connection, [MemberFacts(one, f"EXAMPLE, {one}", date(1980, 1, 1)) for one in MEMBERS]
            )
        for at, event in enumerate(EVENTS):
            players = (MEMBERS[at % 2], MEMBERS[2 + at % 2])
            assert send(book, event, date(2026, 1, 10 + at), players).status == "ready"
        assert len(rate_ready(book, ACTOR).posted) == len(EVENTS)
        yield book


def test_every_link_leads_somewhere(book: Book) -> None:
    site = Site(book, Served.PUBLIC, lambda: date(2026, 11, 20), None)
    waiting = [f"/events/{quote(one, safe='')}" for one in EVENTS]
    waiting += [f"/players/{quote(one, safe='')}" for one in MEMBERS]
    answered: dict[str, int] = {}
    with TestClient(app_of(site, HOST), base_url=ADDRESS) as client:
        client.follow_redirects = False
        while waiting:
            asked = waiting.pop()
            if asked in answered:
                continue
            answer = client.get(asked)
            answered[asked] = answer.status_code
            if "html" in answer.headers["content-type"] and asked.split("/")[1] in {"events", "players"}:
                said = {unescape(one) for one in LINK.findall(answer.text)}
                here = {one for one in said if one.startswith(("/", "?"))}
                waiting += sorted({urlsplit(one).path for one in here} - {""})
    assert {address: status for address, status in answered.items() if status != OK} == {"/rules": 303}
    whys = [one for one in answered if "/why/" in one and one.startswith("/players")]
    assert len(whys) == 2 * len(EVENTS)
    assert sum(one.startswith("/api/v1/") for one in answered) > len(EVENTS) + len(MEMBERS)


def test_an_id_in_an_address_is_that_one_and_no_other(book: Book) -> None:
    site = Site(book, Served.PUBLIC, lambda: date(2026, 11, 20), None)
    with TestClient(app_of(site, HOST), base_url=ADDRESS) as client:
        for event in EVENTS:
            assert client.get(f"/api/v1/events/{quote(event, safe='')}").json()["id"] == event
        for member in MEMBERS:
            assert client.get(f"/api/v1/players/{quote(member, safe='')}").json()["id"] == member
        # An address that is not encoded, or is once too often, names another event.
        assert client.get("/api/v1/events/2026/3").status_code == GONE
        assert client.get("/api/v1/events/2026%252F3").status_code == GONE
        feed = client.get(f"/players/{quote('a/b', safe='')}/feed.atom").text
        assert f"{ADDRESS}/players/a%2Fb/feed.atom" in feed


def test_pages_of_the_office_have_members_of_any_id(book: Book, tmp_path: Path) -> None:
    office = office_in(tmp_path / "web")
    site = Site(book, Served.ALL, lambda: date(2026, 11, 20), office.gate)
    with TestClient(app_of(site, HOST), base_url=ADDRESS) as client:
        session = {"cookie": f"{COOKIE}={office.signed_in('office').token}"}
        for member in MEMBERS:
            page = client.get(f"/office/members/{quote(member, safe='')}", headers=session)
            assert page.status_code == OK
            links = {unescape(one) for one in LINK.findall(page.text) if "/members/" in one or "/why/" in one}
            assert links
            for link in links:
                client.cookies.clear()
                assert client.get(link, headers=session).status_code == OK, link
    office.gate.store.close()


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (".", "id-unaddressable"),
        ("..", "id-unaddressable"),
        (" x", "id-unaddressable"),
        ("x\n", "text-unreadable"),
        ("a\x01b", "text-unreadable"),
    ],
)
def test_an_id_that_no_address_can_have_is_refused_on_arrival(book: Book, event: str, code: str) -> None:
    book = book.sibling(dry_run=True)
    found = send(book, event, date(2026, 2, 1), (MEMBERS[0], MEMBERS[1])).findings
    assert code in {one.code for one in found if one.severity == "error"}
