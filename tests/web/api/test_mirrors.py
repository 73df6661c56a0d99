"""A copy that follows what the interface says has changed is the book, whatever the office does."""

from __future__ import annotations

from contextlib import closing
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from litestar.testing import TestClient

from ratebook.book.connection import Actor, open_book
from ratebook.book.events import list_sections
from ratebook.book.facts.members import canonical_ids
from ratebook.book.ledger.lists import published_months
from ratebook.book.profile import Profile, raise_revision
from ratebook.model import System
from ratebook.office.copies.backup import backup, restore
from ratebook.office.creation import create_book
from ratebook.office.decisions.adjustments import Adjustment, adjust
from ratebook.office.decisions.events import GameResult, correct_result, undo, withdraw
from ratebook.office.decisions.members import ChangedFacts, correct_facts
from ratebook.office.decisions.persons import merge
from ratebook.office.decisions.revision import Reason, SectionRef
from ratebook.office.erasure.erase import erase
from ratebook.office.imports.opening_balances import import_opening_balances
from ratebook.office.profile import adopt_rules
from ratebook.office.publish.lists import publish
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from ratebook.pages.member import member_page
from ratebook.records.record import plain
from ratebook.web.site import Served, Site
from support.book_reports import add_members, member_id, report, send
from support.web.served import app_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ratebook.book.connection import Book
    from ratebook.model import Report

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
WHY = Reason(ACTOR, "a test", ("all",))
TODAY = date(2026, 11, 22)
FIRST, LATE, NEXT = "202601030001", "202601020001", "202601100001"
PART = 3


class Mirror:
    """What a program keeps: players by id, merged ids, sections with their systems, lists, and a revision."""

    def __init__(self) -> None:
        self.revision = 0
        self.players: dict[str, Any] = {}
        self.merged: dict[str, str] = {}
        self.sections: dict[tuple[str, int], Any] = {}
        self.lists: set[str] = set()

    def follow(self, client: TestClient[Any]) -> list[str]:
        """Take everything that changed, a small part at a time; return what kinds of changes there were."""
        address = f"/api/v1/changes?since_revision={self.revision}&limit={PART}"
        kinds: list[str] = []
        while address:
            answer = client.get(address)
            assert answer.status_code == 200, answer.text
            for item in answer.json()["items"]:
                assert item["revision"] > self.revision or kinds
                kinds.append(item["kind"])
                self._take(item)
                self.revision = item["revision"]
            address = answer.links["next"]["url"] if "next" in answer.links else ""
        return kinds

    def _take(self, item: dict[str, Any]) -> None:
        member = item["address"].rpartition("/")[2]
        match item["kind"]:
            case "player" | "erasure":
                self.merged.pop(member, None)
                self.players[member] = item["player"]
            case "merge":
                self.players.pop(member, None)
                self.merged[member] = item["into"]
            case "section":
                said = item["section"]
                self.sections[said["event"], said["number"]] = (
                    said["name"],
                    said["systems"],
                    said["withdrawn"],
                )
            case "list":
                self.lists.add(member)


def sent(one: Callable[[], Report]) -> Callable[[Book], object]:
    def work(book: Book) -> None:
        send(book, one(), ACTOR)
        rate_ready(book, ACTOR)

    return work


def first() -> Report:
    rounds = ["W2 D3", "L1 W4", "W4 D1", "L3 L2"]
    return report("2026-01-03", [1, 2, 3, 4], rounds, event_id=FIRST)


def dual() -> Report:
    rounds = ["W2", "L1", "W4", "L3"]
    return report("2026-01-10", [1, 2, 3, 5], rounds, event_id=NEXT, time_control="G/45;d5")


def late() -> Report:
    return report("2026-01-02", [2, 6], ["W2 W2 D2", "L1 L1 D1"], event_id=LATE)


def joined(book: Book) -> None:
    add_members(book, 7)
    with book.writing() as connection:
        raise_revision(connection)


def decision(book: Book) -> int:
    with book.reading() as connection:
        return int(connection.exec_driver_sql("SELECT max(id) FROM decisions").scalar_one())


def balances(place: Path) -> Callable[[Book], object]:
    table = place / "balances.csv"
    table.write_text("id,system,as_of,rating,games\n90000006,quick,2025-12-31,1650,40\n", encoding="utf-8")
    return lambda book: import_opening_balances(book, table, ACTOR)


def rules(book: Book) -> object:
    """Adopt another limit of provisional games, from which it follows how a rating is shown."""
    return adopt_rules(book, OTHER_LIMIT, WHY)


OTHER_LIMIT = """
[established_above_games]
values = [{ from = 2013-06-01, is = 3, document = "vote", where = "May 3", status = "documented" }]
"""


STEPS: dict[str, Callable[[Book], object]] = {
    "nothing": lambda book: book,
    "members": joined,
    "a report": sent(first),
    "a dual-rated one": sent(dual),
    "a late one": sent(late),
    "a re-rating": lambda book: rerate(book, ACTOR),
    "a name": lambda book: correct_facts(book, member_id(3), ChangedFacts(name="SAMPLE, PLAYER"), WHY),
    "a correction": lambda book: correct_result(book, SectionRef(FIRST, 1), GameResult(1, 1, "D"), WHY),
    "its re-rating": lambda book: rerate(book, ACTOR),
    "a merge": lambda book: merge(book, member_id(6), member_id(4), WHY),
    "a re-rating of the merged": lambda book: rerate(book, ACTOR),
    "the merge undone": lambda book: undo(book, decision(book), WHY),
    "and rated again": lambda book: rerate(book, ACTOR),
    "an adjusted rating": lambda book: adjust(
        book,
        "rating",
        Adjustment(member_id(1), System.REGULAR, 1777.0, date(2026, 2, 1), approved_by="the board"),
        WHY,
    ),
    "a list": lambda book: publish(book, "2026-02", TODAY, ACTOR, accepted=["rerate-waits"]),
    "a section withdrawn": lambda book: withdraw(book, SectionRef(NEXT, 1), WHY),
    "a re-rating without it": lambda book: rerate(book, ACTOR),
    "an erasure": lambda book: erase(book, member_id(2), WHY),
    "a re-rating after it": lambda book: rerate(book, ACTOR),
    "other rules": rules,
    "a re-rating by them": lambda book: rerate(book, ACTOR),
}
QUIET = {"nothing"}
"""Steps after which nothing is to be told."""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    create_book(str(tmp_path / "federation.book"), Profile(name="Example Federation"), ACTOR).close()
    return tmp_path / "federation.book"


def asking(book: Book) -> TestClient[Any]:
    return TestClient(app_of(Site(book, Served.PUBLIC, lambda: TODAY), "testserver", "testserver.local"))


def told(book: Book) -> tuple[dict[str, Any], dict[tuple[str, int], Any], set[str]]:
    """Return what the pages of the book show: every player, every section, every list."""
    site = Site(book, Served.PUBLIC, lambda: TODAY)
    with site.reading() as reader:
        connection = reader.connection
        pages = [member_page(connection, reader.federation, one, TODAY) for one in canonical_ids(connection)]
        events = list(connection.exec_driver_sql("SELECT id FROM events").scalars())
        sections = {
            (event, one.number): (one.name, [str(each) for each in one.systems], one.withdrawn)
            for event in events
            for one in list_sections(connection, event)
        }
        lists = set(published_months(connection))
    players: dict[str, Any] = {}
    for page in pages:
        ratings = []
        for rating in page.ratings:
            # Where the sections were withdrawn, the newest list alone has a rating, and a copy has none.
            if rating.current is None:
                continue
            ratings.append(
                {
                    "system": str(rating.system),
                    "current": plain(rating.current),
                    "rating_class": rating.rating_class,
                    "as_of": str(rating.as_of),
                }
            )
        players[page.id] = (page.name, page.state, ratings, [one.code for one in page.titles])
    return players, sections, lists


def test_a_copy_is_the_book_after_every_step(place: Path) -> None:
    mirror, kinds = Mirror(), set()
    with closing(open_book(str(place))) as book, asking(book) as client:
        for name, step in {**STEPS, "balances": balances(place.parent)}.items():
            step(book)
            heard = mirror.follow(client)
            assert bool(heard) == (name not in QUIET), name
            players, sections, lists = told(book)
            kept = {
                member: (
                    said["name"],
                    said["state"],
                    said["ratings"],
                    [title["code"] for title in said["titles"]],
                )
                for member, said in mirror.players.items()
            }
            assert kept == players, name
            assert mirror.sections == sections, name
            assert mirror.lists == lists, name
            kinds.update(heard)
            assert mirror.follow(client) == [], name
        assert kinds == {"player", "section", "list", "merge", "erasure"}
        # Who starts now learns the same.
        late_comer = Mirror()
        late_comer.follow(client)
        assert (late_comer.players, late_comer.sections) == (mirror.players, mirror.sections)


def test_after_a_restoration_everything_is_told_again(place: Path, tmp_path: Path) -> None:
    mirror = Mirror()
    with closing(open_book(str(place))) as book, asking(book) as client:
        add_members(book, 4)
        sent(first)(book)
        backup(book, str(tmp_path / "copy"), ACTOR)
        correct_result(book, SectionRef(FIRST, 1), GameResult(1, 1, "D"), WHY)
        rerate(book, ACTOR)
        mirror.follow(client)
    restore(str(tmp_path / "copy"), str(place), ACTOR)
    with closing(open_book(str(place))) as book, asking(book) as client:
        mirror.follow(client)
        players, _, _ = told(book)
        assert {one: said["ratings"] for one, said in mirror.players.items()} == {
            one: said[2] for one, said in players.items()
        }


def test_a_cursor_that_was_never_given_is_refused(place: Path) -> None:
    with closing(open_book(str(place))) as book, asking(book) as client:
        assert client.get("/api/v1/changes?cursor=anything").status_code == 400
