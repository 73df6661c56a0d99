"""Whatever senders make expensive, everybody else is answered: the work is held here until they were."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import date
from threading import Event, Semaphore
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx
import pytest

from ratebook.book.connection import Actor
from ratebook.book.profile import Profile
from ratebook.book.submissions import waiting
from ratebook.office.creation import create_book
from ratebook.web.app import MOST_THREADS
from ratebook.web.gate import bodies
from ratebook.web.gate.turns import AT_ONCE
from ratebook.web.gate.visitors import COOKIE
from ratebook.web.office.queue import submission as of_submission
from ratebook.web.site import Served, Site
from ratebook.web.trial import previews as of_previews
from support.book_reports import add_members, member_id
from support.hang_guard import HANG_GUARD
from support.postgresql import drop_database, new_database
from support.web.accounts import FROM_THIS_SITE, office_in
from support.web.persons import Forms
from support.web.served import NO_TLS, app_of, served

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import ModuleType

    from support.web.accounts import Office

CLIENTS, SECTIONS, SEATS = 8, 4, 20
"""The report of the attack had 9,999 seats in each section; fewer are enough, as the work is held anyway."""
ATTACKERS = ("director", "other")
TODAY = date(2026, 11, 22)


class Attacked(NamedTuple):
    """A server that is attacked."""

    address: str
    site: Site
    office: Office

    def client(self, name: str = "") -> httpx.Client:
        """Return a client, perhaps of an account."""
        cookie = {"cookie": f"{COOKIE}={self.office.signed_in(name).token}"} if name else {}
        headers = {**FROM_THIS_SITE, **cookie}
        return httpx.Client(base_url=self.address, headers=headers, timeout=HANG_GUARD, verify=NO_TLS)

    def preview_of(self, name: str, first: int) -> str:
        """Send a report of unknown players as an account, and return the address of its preview."""
        with self.client(name) as client:
            form = Forms(client.get("/director/previews/new").text).found["/director/previews"]
            sent = client.post(
                "/director/previews",
                data={"csrf": form["csrf"]},
                files={"file": ("report.json", unknown_players(first))},
            )
            assert sent.status_code == 303
            return sent.headers["location"]

    def others_are_answered(self) -> None:
        """Ask more often than there are threads, signed in and not."""
        with self.client() as client, self.client("administrator") as administrator:
            for at in range(MOST_THREADS + 1):
                assert client.get("/health").text == "ok\n"
                assert client.get(f"/players/{member_id(1 + at % 3)}?system=regular").status_code == 200
                assert client.get("/sign-in").status_code == 200
                assert administrator.get("/admin").status_code == 200


def unknown_players(first: int) -> bytes:
    """Return a native report whose players no book knows."""
    ids = [str(70_000_000 + first + number) for number in range(SECTIONS * SEATS)]
    sections = [
        {
            "number": number + 1,
            "end": "2026-11-14",
            "time_control": "G/60;d5",
            "entries": [
                {"seat": seat + 1, "player": one, "rounds": ["U"]}
                for seat, one in enumerate(ids[number * SEATS : (number + 1) * SEATS])
            ],
        }
        for number in range(SECTIONS)
    ]
    event = {"name": f"EXAMPLE {first}", "start": "2026-11-14", "end": "2026-11-14"}
    players = [{"id": one, "name": f"Example, Player {one}"} for one in ids]
    report = {"format": "ratebook-report/1", "event": event, "players": players, "sections": sections}
    return json.dumps(report).encode()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def attacked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    """Give a server of a book in each store."""
    folder: Path = tmp_path_factory.mktemp("attacked")
    on_server = request.param == "postgresql"
    server = request.getfixturevalue("server") if on_server else ""
    places = [new_database(server) if on_server else str(folder / name) for name in ("book", "web")]
    actor = Actor("office", "2026-11-20T12:00:00Z")
    office = office_in(places[1])
    with closing(create_book(places[0], Profile(name="Example Federation"), actor)) as book:
        add_members(book, 5)
        site = Site(book, Served.ALL, lambda: TODAY, office.gate)
        with served(app_of(site)) as address:
            yield Attacked(address, site, office)
    office.gate.store.close()
    if on_server:
        for place in places:
            drop_database(server, place)


class Held:
    """Work that begins and waits until it may go on; it counts how often it began."""

    def __init__(self, work: Any) -> None:  # noqa: ANN401 - any function
        self._work = work
        self.begun = Semaphore(0)
        self.goes_on = Event()
        self.times = 0

    def __call__(self, *given: object, **named: object) -> object:
        self.times += 1
        self.begun.release()
        assert self.goes_on.wait(HANG_GUARD)
        return self._work(*given, **named)

    def wait_for(self, times: int) -> None:
        for _ in range(times):
            assert self.begun.acquire(timeout=HANG_GUARD)


@contextmanager
def held(monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str) -> Iterator[Held]:
    """Hold what a module does by a function."""
    work = Held(getattr(module, name))
    monkeypatch.setattr(module, name, work)
    try:
        yield work
    finally:
        work.goes_on.set()


def test_others_are_answered_while_previews_are_computed(
    attacked: Attacked, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One director and eight clients stopped the whole server for minutes; here are two."""
    addresses = {name: attacked.preview_of(name, 1_000 * at) for at, name in enumerate(ATTACKERS)}

    def asks(name: str) -> tuple[int, bool]:
        with attacked.client(name) as client:
            answer = client.get(addresses[name])
            return answer.status_code, "is not a member" in answer.text or "member-unknown" in answer.text

    with (
        ThreadPoolExecutor(CLIENTS * len(ATTACKERS)) as clients,
        held(monkeypatch, of_previews, "preview") as work,
    ):
        asked = [clients.submit(asks, name) for name in ATTACKERS for _ in range(CLIENTS)]
        work.wait_for(AT_ONCE)
        attacked.others_are_answered()
        assert not any(one.done() for one in asked)
        work.goes_on.set()
        assert {one.result() for one in asked} == {(200, True)}
    # Each report was computed once; the others of its clients had what was kept.
    assert work.times == len(ATTACKERS)


def test_others_are_answered_while_the_office_looks_at_a_large_report(
    attacked: Attacked, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = attacked.preview_of("director", 5_000)
    with attacked.client("director") as client:
        form = Forms(client.get(address).text).found[f"{address}/send"]
        assert client.post(f"{address}/send", data=form).status_code == 303
    with attacked.site.reading() as reader:
        number = waiting(reader.connection)[-1].id

    def asks(name: str) -> int:
        with attacked.client(name) as client:
            return client.get(f"/office/queue/{number}").status_code

    with ThreadPoolExecutor(CLIENTS) as clients, held(monkeypatch, of_submission, "submission_page") as work:
        asked = [clients.submit(asks, "office") for _ in range(CLIENTS)]
        work.wait_for(1)
        attacked.others_are_answered()
        assert not any(one.done() for one in asked)
        work.goes_on.set()
        assert {one.result() for one in asked} == {200}


# No store is asked before the form is decoded.
@pytest.mark.parametrize("attacked", ["sqlite"], indirect=True)
def test_a_form_is_decoded_beside_the_loop(attacked: Attacked, monkeypatch: pytest.MonkeyPatch) -> None:
    """A field of 7.8 MB kept the loop for two seconds, in which no one was served."""
    with attacked.client("director") as client, ThreadPoolExecutor(1) as clients:
        with held(monkeypatch, bodies, "_decoded") as work:
            asked = clients.submit(client.post, "/director/type", data={"name": "EXAMPLE"})
            work.wait_for(1)
            attacked.others_are_answered()
            assert not asked.done()
        assert asked.result().status_code == 403
