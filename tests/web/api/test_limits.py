"""How often one may ask: everybody who asks once a second is answered, and who is refused hears when to come again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from litestar.testing import TestClient

from ratebook.web.app import create_app
from ratebook.web.gate.limits import DAY, Buckets, Rate, limits_of
from ratebook.web.gate.visitors import COOKIE, digest_of
from ratebook.web.store.accounts import find_account
from ratebook.web.store.tokens import Scope as Allows
from ratebook.web.store.tokens import add_token
from support.web.accounts import ADDRESS, HOST, Office, office_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from litestar import Litestar
    from litestar.types import Receive, Scope, Send

    from ratebook.web.gate.limits import ServerLimits
    from ratebook.web.site import Site

TOKEN = "rbk_limits"  # noqa: S105 - of a store that tests make
API = "/api/v1/book"


class Seconds:
    """Says how late it is; tests move it on."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Seconds:
    return Seconds()


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    made = office_in(tmp_path / "web")
    with made.gate.store.writing() as connection:
        account = find_account(connection, "director")
        assert account is not None
        add_token(connection, digest_of(TOKEN), account.id, "tests", (Allows.PREVIEW,), made.clock.now, 90)
    yield made
    made.gate.store.close()


def served(site: Site, office: Office, limits: ServerLimits) -> Litestar:
    return create_app(site._replace(gate=office.gate), names=(HOST,), limits=limits)


def asking(app: Litestar, host: str = "192.0.2.7") -> TestClient[Any]:
    """Give a client at an address."""

    async def from_host(scope: Scope, receive: Receive, send: Send) -> None:
        scope["client"] = (host, 5000)
        await app(scope, receive, send)

    return TestClient(from_host, base_url=ADDRESS)


def test_a_minute_s_worth_at_once_then_one_a_second(site: Site, office: Office, clock: Seconds) -> None:
    with asking(served(site, office, limits_of(clock))) as client:
        first = client.get(API)
        assert first.headers["ratelimit-policy"] == '"minute";q=60;w=60, "day";q=5000;w=86400'
        assert first.headers["ratelimit"] == '"minute";r=59;t=1'
        # Once it is made, an answer counts a quarter.
        assert [client.get(f"/api/v1/players?q={at}").status_code for at in range(59)] == [200] * 59
        refused = client.get(API)
        assert refused.status_code == 429
        assert refused.headers["content-type"].startswith("application/problem+json")
        assert (refused.json()["status"], refused.headers["retry-after"]) == (429, "1")
        assert refused.headers["ratelimit"] == '"minute";r=0;t=60'
        for _ in range(100):
            clock.now += 1.0
            assert client.get("/api/v1/players?q=an").status_code == 200


def test_who_asks_once_a_second_is_never_refused_and_the_day_only_ends_bursts(clock: Seconds) -> None:
    buckets, rate = Buckets(clock), Rate(60, 5_000)
    for _ in range(int(DAY)):
        clock.now += 1.0
        assert buckets.take("one", rate).allowed
    clock.now += 10.0
    # A new day; until 5,000 are counted, a minute's worth is there at once.
    assert buckets.take("one", rate).requests > 1
    for _ in range(5_000):
        clock.now += 1.0
        buckets.take("one", rate)
    clock.now += 300.0
    assert buckets.take("one", rate).allowed
    assert not buckets.take("one", rate).allowed
    assert buckets.take("another", rate).allowed


def test_a_network_a_token_and_pages_are_counted_apart(site: Site, office: Office, clock: Seconds) -> None:
    app = served(site, office, limits_of(clock, 2))
    bearer = {"authorization": f"Bearer {TOKEN}"}
    with asking(app, "2001:db8:1:2::1") as client:
        assert [client.get(f"/api/v1/players?q={at}").status_code for at in range(3)] == [200, 200, 429]
        answers = [client.get(f"/api/v1/players?q=t{at}", headers=bearer) for at in range(21)]
        assert [one.status_code for one in answers] == [200] * 20 + [429]
        assert answers[0].headers["ratelimit-policy"] == '"minute";q=20;w=60'
        wrong = {"authorization": "Bearer rbk_nothing"}
        assert client.get("/api/v1/players?q=w", headers=wrong).status_code == 429
        pages = [client.get(f"/players?q={at}").status_code for at in range(21)]
        assert pages == [200] * 20 + [429]
        assert "ratelimit" not in client.get("/health").headers
    for host, status in {"2001:db8:1:2::2": 429, "2001:db8:1:3::1": 200}.items():
        with asking(app, host) as client:
            assert client.get("/api/v1/players?q=other").status_code == status


def test_an_account_is_counted_wherever_it_signs_in(site: Site, office: Office, clock: Seconds) -> None:
    """Rooms had no limits, and what they show costs more than public pages."""
    app = served(site, office, limits_of(clock, 1))
    sessions = {name: office.signed_in(name).token for name in ("director", "other")}

    def asks(host: str, name: str, times: int, path: str = "/director/previews/new") -> list[int]:
        with asking(app, host) as client:
            client.follow_redirects = False
            headers = {"cookie": f"{COOKIE}={sessions.get(name, name)}"} if name else {}
            return [client.get(path, headers=headers).status_code for _ in range(times)]

    assert asks("192.0.2.1", "director", 11) == [200] * 10 + [429]
    assert asks("192.0.2.2", "director", 1) == [429]
    assert asks("192.0.2.1", "other", 1) == [200]
    # Who has not signed in is counted by address, whatever the cookie says.
    assert asks("192.0.2.3", "", 6) + asks("192.0.2.3", "nothing", 5) == [303] * 10 + [429]
    clock.now += 6.0
    assert asks("192.0.2.2", "director", 1) == [200]


def test_what_is_not_made_anew_counts_a_quarter(site: Site, office: Office, clock: Seconds) -> None:
    with asking(served(site, office, limits_of(clock, 10))) as client:
        tag = client.get(API).headers["etag"]
        for _ in range(12):
            assert client.get(API, headers={"if-none-match": tag}).status_code == 304
        for _ in range(12):
            assert client.get(API).status_code == 200
        assert client.get("/api/v1/lists").headers["ratelimit"] == '"minute";r=2;t=48'
