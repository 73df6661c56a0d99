"""Each request has an id, is told to who watches, and counts by the kind of page; none of its secrets is told."""

from __future__ import annotations

import json
import logging
import re
from datetime import datetime
from itertools import count
from typing import TYPE_CHECKING

import pytest
from litestar.testing import TestClient
from prometheus_client import CollectorRegistry, generate_latest

from ratebook.office.rating.verify import keep_verified, verify
from ratebook.web.running.log import LinesForPeople, LinesOfJson, log_request
from ratebook.web.running.metrics import BookFigures, RequestFigures
from ratebook.web.running.requests import AnsweredRequest, WatchedRequests
from support.book_federation import ACTOR
from support.web.accounts import ADDRESS, HOST
from support.web.federation import PLAYER
from support.web.served import app_of, asked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litestar import Litestar

    from ratebook.web.site import Site
    from support.web.accounts import Office

NEW = re.compile(r"id-\d+")


@pytest.fixture
def answered() -> list[AnsweredRequest]:
    """Give what was told of requests."""
    return []


@pytest.fixture
def figures() -> CollectorRegistry:
    """Give what counts requests."""
    return CollectorRegistry()


@pytest.fixture
def client(
    site: Site, answered: list[AnsweredRequest], figures: CollectorRegistry, monkeypatch: pytest.MonkeyPatch
) -> Iterator[TestClient[Litestar]]:
    """Give a client of a server that is watched, and whose clock goes a second on each time."""
    app = app_of(site, HOST, root="/ratings")
    ids, seconds = count(1), count(0)
    watchers = (answered.append, log_request, RequestFigures(figures))
    watched = WatchedRequests(
        app.asgi_handler, lambda: f"id-{next(ids)}", lambda: float(next(seconds)), watchers
    )
    monkeypatch.setattr(app, "asgi_handler", watched)
    with TestClient(app, base_url=ADDRESS) as client:
        yield client


@pytest.mark.parametrize(
    ("given", "kept"), [("abc-1.2_3", True), ("", False), ("a b", False), ("x" * 65, False), ('a"b', False)]
)
def test_an_id_that_a_proxy_gives_is_kept_if_it_is_one(
    client: TestClient[Litestar], answered: list[AnsweredRequest], given: str, *, kept: bool
) -> None:
    own = client.get("/ratings/health", headers={"x-request-id": given}).headers["x-request-id"]
    assert own == given if kept else NEW.fullmatch(own)
    assert answered[-1].id == own


def test_whatever_is_answered_has_an_id(client: TestClient[Litestar]) -> None:
    for path, status in (
        ("/elsewhere", 404),
        ("/ratings/none", 404),
        ("/ratings/rules", 303),
        ("/health", 200),
    ):
        answer = client.get(path, follow_redirects=False)
        assert answer.status_code == status
        assert NEW.fullmatch(answer.headers["x-request-id"])
    answer = client.get("/ratings/", headers={"host": "other.example"})
    assert answer.status_code == 400
    assert NEW.fullmatch(answer.headers["x-request-id"])


def test_a_request_is_told_without_what_was_searched_or_lets_in(
    client: TestClient[Litestar], answered: list[AnsweredRequest]
) -> None:
    client.get("/ratings/players?q=Heron", follow_redirects=False)
    client.get(f"/ratings/players/{PLAYER}")
    client.get("/ratings/first-password/the-secret")
    assert [(one.path, one.route, one.status, one.seconds) for one in answered] == [
        ("/ratings/players", "/players", 303, 1.0),
        (f"/ratings/players/{PLAYER}", "/players/{member}", 200, 1.0),
        ("/ratings/first-password/...", "", 404, 1.0),
    ]
    assert not re.search("Heron|the-secret", repr(answered))


def test_lines_of_the_log_have_the_id_once(
    client: TestClient[Litestar], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "ratebook.access")
    client.get("/ratings/players", headers={"x-request-id": "mine"})
    (record,) = (record for record in caplog.records if record.name == "ratebook.access")
    line = json.loads(LinesOfJson().format(record))
    assert (
        line.items()
        >= {
            "level": "info",
            "request_id": "mine",
            "method": "GET",
            "path": "/ratings/players",
            "status": 200,
            "milliseconds": 1000.0,
        }.items()
    )
    assert re.fullmatch(
        r"\d{4}-\d\d-\d\dT\S+Z mine testclient GET /ratings/players 200 1000\.0 ms",
        LinesForPeople().format(record),
    )


def test_a_path_cannot_break_a_line_of_the_log(
    client: TestClient[Litestar], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "ratebook.access")
    client.get("/ratings/%0a%1b[31mforged")
    for formatter in (LinesForPeople(), LinesOfJson()):
        line = formatter.format(caplog.records[-1])
        assert line.isprintable()


def test_requests_are_counted_by_page_and_inventions_as_one(
    client: TestClient[Litestar], figures: CollectorRegistry
) -> None:
    for member in (PLAYER, PLAYER, "99999999"):
        client.get(f"/ratings/players/{member}")
    for path in ("/ratings/a", "/ratings/b", "/c"):
        client.request("INVENTED", path)
    said = generate_latest(figures).decode()
    page = 'ratebook_requests_total{method="GET",page="/players/{member}",status='
    assert f'{page}"200"}} 2.0' in said
    assert f'{page}"404"}} 1.0' in said
    assert 'ratebook_requests_total{method="other",page="none",status="404"} 3.0' in said
    assert said.count("ratebook_requests_total{") == 3
    assert 'ratebook_request_seconds_sum{kind="public"} 3.0' in said


def test_figures_of_the_book_follow_it(own_site: Site, office: Office) -> None:
    site = own_site._replace(gate=office.gate)
    registry = CollectorRegistry()
    registry.register(BookFigures(site))
    with asked(site):
        said = generate_latest(registry).decode()
    assert f"ratebook_book_revision {float(site.revision())}\n" in said
    assert "ratebook_ready 1.0\n" in said
    for name in ('queue_reports{status="held"}', 'jobs{state="waiting"}', "info{version="):
        assert f"ratebook_{name}" in said
    own_site.book.close()
    office.gate.store.close()
    site.book.engine = office.gate.store.engine
    said = generate_latest(registry).decode()
    assert "ratebook_ready 0.0\n" in said
    assert "ratebook_book_revision" not in said


def test_a_verification_of_the_whole_book_is_among_the_figures(own_site: Site) -> None:
    """The book itself notes it, so that the server of the public pages knows it too."""
    registry = CollectorRegistry()
    registry.register(BookFigures(own_site))
    assert "last_verified" not in generate_latest(registry).decode()
    assert keep_verified(own_site.book, ACTOR, verify(own_site.book)) == []
    at = datetime.fromisoformat(ACTOR.at).timestamp()
    assert registry.get_sample_value("ratebook_last_verified_timestamp_seconds") == at
