"""A server whose pages are below a path of its name: no link, redirect, cookie, feed or file leads out of it."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from litestar.testing import TestClient

from ratebook.web.gate.visitors import COOKIE, digest_of
from ratebook.web.store.accounts import add_link, find_account
from support.web.accounts import ADDRESS, FROM_THIS_SITE, HOST, PASSWORD, Office
from support.web.federation import PLAYER
from support.web.routes import ROUTES
from support.web.routes.rows import COLUMNS, LET_IN, ROLES
from support.web.served import app_of, served
from support.web.visits import follow, sign_in, visit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litestar import Litestar
    from playwright.sync_api import Browser

    from ratebook.web.site import Site

ROOT = "/ratings"
BELOW = f"{COOKIE}-ratings"


class Links(HTMLParser):
    """Collects every attribute that is an address of this server."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.addresses += [
            value
            for name, value in attrs
            # What is typed or sent in a form is for the server, which knows nothing of the path.
            if value and value.startswith("/") and (tag, name) != ("input", "value")
        ]


@pytest.fixture
def client(written_site: Site, office: Office) -> Iterator[TestClient[Litestar]]:
    """Give a client of a server below a path, which follows no redirects."""
    app = app_of(written_site._replace(gate=office.gate), HOST, root=ROOT)
    with TestClient(app, base_url=ADDRESS) as client:
        client.follow_redirects = False
        yield client


def test_every_page_leads_only_below_the_path(client: TestClient[Litestar], office: Office) -> None:
    with office.gate.store.writing() as connection:
        other = find_account(connection, "other")
        assert other is not None
        add_link(connection, digest_of("link"), other.id, office.clock.now)
    pages = 0
    for (method, route), row in ROUTES.items():
        if method != "GET":
            continue
        who = COLUMNS[ROLES[row.who].index(LET_IN)]
        headers, address = dict(FROM_THIS_SITE), row.address or route
        if who != "nobody":
            visitor = office.signed_in(who)
            headers["cookie"] = f"{BELOW}={visitor.token}"
            address = address.replace("{number:int}", str(visitor.session.id))
        answer = client.get(ROOT + address, headers=headers)
        if answer.is_redirect:
            assert answer.headers["location"].startswith(f"{ROOT}/"), address
        elif answer.headers.get("content-type", "").startswith("text/html"):
            links = Links()
            links.feed(answer.text)
            assert links.addresses, address
            assert {link for link in links.addresses if not link.startswith(f"{ROOT}/")} == set(), address
            pages += 1
    assert pages > 80


def test_files_of_pages_are_there(client: TestClient[Litestar]) -> None:
    for file in re.findall(r'(?:href|src)="(/ratings/static/[^"]+)"', client.get(f"{ROOT}/").text):
        assert client.get(file).status_code == 200
    assert client.get("/static/x").status_code == 404


def test_feeds_and_programs_are_given_whole_addresses(client: TestClient[Litestar]) -> None:
    feed = client.get(f"{ROOT}/players/{PLAYER}/feed.atom").text
    links = re.findall(r'href="([^"]+)"', feed)
    assert f"{ADDRESS}{ROOT}/players/{PLAYER}/feed.atom" in links
    assert all(link.startswith(f"{ADDRESS}{ROOT}/") for link in links)
    answer = client.get(f"{ROOT}/api/v1/events?limit=1")
    following = re.search(r"<([^>]+)>", answer.headers["link"])
    assert following is not None
    assert following[1].startswith(f"{ADDRESS}{ROOT}/api/v1/events?limit=1&cursor=")
    assert client.get(following[1]).status_code == 200
    assert json.loads(client.get(f"{ROOT}/api/openapi.json").text)["servers"] == [{"url": ROOT}]


ELSEWHERE = (
    ("/", 303, "/ratings/"),
    ("/ratings", 303, "/ratings/"),
    ("/players", 404, None),
    ("/ratingsplayers", 404, None),
    ("/r%61tings/players", 404, None),
    ("/health", 200, None),
    ("/ready", 200, None),
    ("/ratings/ready", 200, None),
    ("/ratings/rules", 303, "/ratings/rules/2021-02-10"),
    ("/ratings/office", 303, "/ratings/sign-in?to=/office"),
    ("/ratings/players?nonsense=1", 303, "/ratings/players"),
)
"""Paths, the statuses of their answers, and where these lead."""


def test_what_is_elsewhere_is_said(client: TestClient[Litestar]) -> None:
    for path, status, leads in ELSEWHERE:
        answer = client.get(path)
        assert answer.status_code == status, path
        location = answer.headers.get("location")
        assert (
            location == leads if path != "/ratings/rules" else str(location).startswith("/ratings/rules/")
        ), path


def test_the_cookie_is_of_this_path_and_still_bound_to_the_host(client: TestClient[Litestar]) -> None:
    """Browsers take the prefix only with the path "/" (RFC 6265bis, section 4.1.3.2)."""
    form = {"name": "director", "password": PASSWORD}
    answer = client.post(f"{ROOT}/sign-in", data=form, headers=FROM_THIS_SITE)
    assert answer.headers["location"] == f"{ROOT}/director"
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"{BELOW}=")
    assert "Path=/;" in cookie


@pytest.mark.long
def test_a_browser_finds_its_way(browser: Browser, written_site: Site, office: Office) -> None:
    """From the first page to a player and along the graph; then signed in, a report is typed and kept by script."""
    app = app_of(written_site._replace(gate=office.gate), root=ROOT)
    with served(app) as address:
        with visit(browser, f"{address}/") as page:
            assert urlsplit(page.url).path == f"{ROOT}/"
            page.get_by_role("searchbox").first.fill(PLAYER)
            page.get_by_role("searchbox").first.press("Enter")
            page.wait_for_url(f"**{ROOT}/players/{PLAYER}")
            page.locator("svg[data-graph]").press("End")
            page.locator("svg[data-graph]").press("Enter")
            page.wait_for_url(f"**{ROOT}/players/{PLAYER}/why/**")
        with visit(browser, f"{address}{ROOT}/director/type") as page:
            assert urlsplit(page.url).path == f"{ROOT}/sign-in"
            sign_in(page, "director")
            assert urlsplit(page.url).path == f"{ROOT}/director/type"
            with page.expect_response(lambda answer: answer.request.method == "POST") as kept:
                page.get_by_label("Name of the event").fill("EXAMPLE NIGHT")
                page.get_by_label("Name of the event").press("Tab")
            assert urlsplit(kept.value.url).path.startswith(f"{ROOT}/director/type")
            page.wait_for_url(f"**{ROOT}/director/type/*")
            page.reload()
            assert page.get_by_label("Name of the event").input_value() == "EXAMPLE NIGHT"
            follow(page.get_by_role("button", name="Sign out"))
            assert urlsplit(page.url).path == f"{ROOT}/sign-in"
