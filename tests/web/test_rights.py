"""Who may do what: one request of each kind of visitor to each route, against a table that is written here."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from litestar.testing import TestClient

from ratebook.web.app import create_app
from ratebook.web.gate.visitors import COOKIE, digest_of, sign_in_as
from ratebook.web.routing import NEEDS, Needs
from ratebook.web.store.accounts import add_link, disable_account, find_account
from support.web.accounts import ADDRESS, FROM_THIS_SITE, HOST, Office, office_in
from support.web.routes import ROUTES
from support.web.routes.programs import sample_of
from support.web.routes.rows import AGAIN, BEFORE_SECOND_FACTOR, COLUMNS, LET_IN, REFUSED, ROLES, SIGN_IN, Row
from support.web.served import app_of
from support.web.tried import keep_all

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from litestar import Litestar

    from ratebook.web.gate.visitors import Visitor
    from ratebook.web.site import Site

PROGRAMS = "/api"


@pytest.fixture(scope="module", autouse=True)
def no_way_out() -> Iterator[None]:
    """Refuse every connection that a route would open: a web server that asks others could be made to ask anyone."""

    def refused(*_: object) -> None:
        raise AssertionError("a connection was opened")

    with pytest.MonkeyPatch.context() as patch:
        for name in ("connect", "connect_ex"):
            patch.setattr(f"socket.socket.{name}", refused)
        yield


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """Give accounts of each role."""
    made = office_in(tmp_path_factory.mktemp("rights") / "web")
    yield made
    made.gate.store.close()


@pytest.fixture(scope="module")
def app(written_site: Site, office: Office) -> Litestar:
    """Give the application with all rooms."""
    return app_of(written_site._replace(gate=office.gate), HOST)


@pytest.fixture(scope="module")
def browser_of_anyone(app: Litestar) -> Iterator[TestClient[Litestar]]:
    """Give a client that follows nothing by itself."""
    with TestClient(app, base_url=ADDRESS) as client:
        client.follow_redirects = False
        yield client


def ask(  # noqa: PLR0913 - who asks for what, and how
    client: TestClient[Litestar],
    method: str,
    route: str,
    visitor: Visitor | None,
    *,
    csrf: str | None = "right",
    headers: dict[str, str] = FROM_THIS_SITE,
    session: int | None = None,
) -> int | str:
    """Send a request and return where it leads, or its status."""
    row = ROUTES[method, route]
    number = session or (visitor.session.id if visitor is not None else 1)
    address = (row.address or route).replace("{number:int}", str(number))
    form = dict(row.form)
    if csrf is not None and visitor is not None:
        form["csrf"] = visitor.csrf if csrf == "right" else csrf
    # What a browser was told before is not sent: each request is one of its own.
    client.cookies.clear()
    cookies = {} if visitor is None else {"cookie": f"{COOKIE}={visitor.token}"}
    answer = client.request(method, address, data=form, headers={**headers, **cookies})
    return answer.headers["location"].partition("?")[0] if answer.is_redirect else answer.status_code


def wanted(row: Row, outcome: object) -> object:
    return row.answer if outcome is LET_IN else outcome


def routes(app: Litestar) -> set[tuple[str, str]]:
    """Return the methods and paths that are answered; HEAD is what GET is, without a body."""
    return {
        (method, route.path)
        for route in app.routes
        for handler in getattr(route, "route_handlers", ())
        for method in handler.http_methods - {"OPTIONS", "HEAD"}
    }


def with_tokens(app: Litestar) -> set[tuple[str, str]]:
    """Return what programs do with a token, which tests/web/api/test_tokens.py walks through."""
    return {
        (method, route.path)
        for route in app.routes
        for handler in getattr(route, "route_handlers", ())
        if handler.opt.get(NEEDS) is Needs.PROGRAM
        for method in handler.http_methods - {"OPTIONS", "HEAD"}
    }


def test_every_route_has_a_row_and_says_whom_it_is_for(app: Litestar) -> None:
    for_programs = {one for one in routes(app) if one[1].startswith(PROGRAMS)}
    assert {method for method, _ in for_programs - with_tokens(app)} == {"GET"}
    assert routes(app) - for_programs == set(ROUTES)
    for route in app.routes:
        for handler in getattr(route, "route_handlers", ()):
            assert NEEDS in handler.opt or handler.http_methods == {"OPTIONS"}, route.path


def test_programs_read_without_being_anyone(
    app: Litestar, browser_of_anyone: TestClient[Litestar], office: Office
) -> None:
    cookies = {"cookie": f"{COOKIE}={office.signed_in('office').token}"}
    for _, route in sorted(
        one for one in routes(app) - with_tokens(app) if one[1].startswith(f"{PROGRAMS}/v1/")
    ):
        address = sample_of(route)
        alone, signed_in = (browser_of_anyone.get(address, headers=sent) for sent in ({}, cookies))
        assert alone.status_code == signed_in.status_code, route
        assert alone.content == signed_in.content, route
        assert alone.status_code not in {303, 401, REFUSED}, route


@pytest.fixture(autouse=True)
def link(office: Office) -> None:
    """Let one account have a link, and another one previews, which no request of the table uses up."""
    with office.gate.store.writing() as connection:
        other = find_account(connection, "other")
        assert other is not None
        add_link(connection, digest_of("link"), other.id, office.clock.now)
        keep_all(connection, office.clock.now)


@pytest.mark.parametrize("name", COLUMNS)
def test_each_role_gets_what_the_table_says(
    browser_of_anyone: TestClient[Litestar], office: Office, name: str
) -> None:
    for (method, route), row in ROUTES.items():
        visitor = None if name == "nobody" else office.signed_in(name)
        outcome = ROLES[row.who][COLUMNS.index(name)]
        assert ask(browser_of_anyone, method, route, visitor) == wanted(row, outcome), (method, route)


def test_what_is_over_is_as_nothing(browser_of_anyone: TestClient[Litestar], office: Office) -> None:
    """A session that expired, one of an account that was disabled, and a cookie that was made up."""
    expired = office.signed_in("office")
    office.clock.goes_on(minutes=31)
    dismissed = office.signed_in("new")
    with office.gate.store.writing() as connection:
        disable_account(connection, dismissed.account.id, office.clock.now)
        # Its session is gone with that; one that was there would open nothing.
        left = sign_in_as(connection, office.gate, dismissed.account.id, "a browser")
    invented = expired._replace(token="f" * 43)
    for (method, route), row in ROUTES.items():
        for visitor in (expired, dismissed, dismissed._replace(token=left), invented):
            assert ask(browser_of_anyone, method, route, visitor) == wanted(row, ROLES[row.who][0])


def test_before_the_second_factor_only_the_account_is_open(tmp_path: Path, written_site: Site) -> None:
    office = office_in(tmp_path / "web")
    app = create_app(written_site._replace(gate=office.gate), names=(HOST,))
    with TestClient(app, base_url=ADDRESS) as client:
        client.follow_redirects = False
        for (method, route), row in ROUTES.items():
            outcome = ROLES[row.who][COLUMNS.index("office")]
            may = outcome is LET_IN or row.who == "own"
            if row.who != "everyone" and may and BEFORE_SECOND_FACTOR not in row.marks:
                outcome = "/account/second-factor"
            if route.startswith("/first-password"):
                continue
            assert ask(client, method, route, office.signed_in("new")) == wanted(row, outcome), (
                method,
                route,
            )
    office.gate.store.close()


def test_the_password_is_asked_for_again_after_a_while(
    browser_of_anyone: TestClient[Litestar], office: Office
) -> None:
    for (method, route), row in ROUTES.items():
        name = row.who if row.who in COLUMNS else "administrator"
        visitor = office.signed_in(name)
        office.clock.goes_on(minutes=11)
        outcome = ROLES[row.who][COLUMNS.index(name)]
        expected = "/account/again" if AGAIN in row.marks else wanted(row, outcome)
        assert ask(browser_of_anyone, method, route, visitor) == expected, (method, route)


FOREIGN = {
    "no token": ("director", None, FROM_THIS_SITE),
    "another token": ("director", "0" * 64, FROM_THIS_SITE),
    "another site": ("director", "right", {"sec-fetch-site": "cross-site"}),
    "a sibling": ("director", "right", {"sec-fetch-site": "same-site"}),
    "another origin": ("director", "right", {"origin": "https://elsewhere.example"}),
    "no origin": ("director", "right", {}),
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_what_changes_something_comes_from_a_form_of_this_site(
    browser_of_anyone: TestClient[Litestar], office: Office, kind: str
) -> None:
    name, csrf, headers = FOREIGN[kind]
    for (method, route), row in ROUTES.items():
        # What only reads comes from anywhere: a link on another site, or typed.
        if method == "GET" and kind not in {"another site", "no origin"}:
            continue
        visitor = office.signed_in(name)
        outcome = ROLES[row.who][COLUMNS.index(name)]
        if method == "POST" and (row.who != "everyone" or csrf == "right"):
            outcome = REFUSED
        got = ask(browser_of_anyone, method, route, visitor, csrf=csrf, headers=headers)
        assert got == wanted(row, outcome), (method, route)


def test_an_older_browser_says_by_the_origin_where_a_form_is_from(
    browser_of_anyone: TestClient[Litestar], office: Office
) -> None:
    visitor = office.signed_in("director")
    assert ask(browser_of_anyone, "POST", "/sign-out", visitor, headers={"origin": ADDRESS}) == "/sign-in"
    visitor = office.signed_in("director")
    origin = {"origin": ADDRESS, "host": HOST.upper()}
    assert ask(browser_of_anyone, "POST", "/sign-out", visitor, headers=origin) == "/sign-in"


def test_what_belongs_to_someone_else_is_not_there(
    browser_of_anyone: TestClient[Litestar], office: Office
) -> None:
    mine, others = office.signed_in("director"), office.signed_in("other")
    end = "/account/sessions/{number:int}/end"
    assert ask(browser_of_anyone, "POST", end, mine, session=others.session.id) == 404
    assert ask(browser_of_anyone, "GET", "/account", others) == 200
    for (method, route), row in ROUTES.items():
        if row.who == "own":
            assert ask(browser_of_anyone, method, route, others) == 404, (method, route)


def test_a_number_that_no_store_takes_is_not_there(
    browser_of_anyone: TestClient[Litestar], office: Office
) -> None:
    for (method, route), row in ROUTES.items():
        name = row.who if row.who in COLUMNS else "director"
        if method == "GET" and ":int}" in route:
            address = re.sub(r"{\w+:(\w+)}", lambda one: "9" * 30 if one[1] == "int" else "x", route)
            cookies = {"cookie": f"{COOKIE}={office.signed_in(name).token}"}
            assert browser_of_anyone.get(address, headers=cookies).status_code == 404, route


def test_a_token_for_programs_opens_no_room(browser_of_anyone: TestClient[Litestar]) -> None:
    headers = {"authorization": "Bearer rbk_anything"}
    assert ask(browser_of_anyone, "GET", "/office", None, headers=headers) == SIGN_IN


def test_what_is_shown_to_someone_signed_in_is_kept_nowhere(
    browser_of_anyone: TestClient[Litestar], office: Office
) -> None:
    client = browser_of_anyone
    client.cookies.set(COOKIE, office.signed_in("office").token, domain=HOST)
    assert "set-cookie" not in client.get("/").headers
    for path in ("/", "/sign-in", "/account", "/office", "/nothing-here", "/first-password/unknown"):
        assert client.get(path).headers["cache-control"] == "no-store", path
    client.cookies.clear()


@pytest.mark.parametrize("path", ["/", "/office", "/sign-in", "/nothing-here"])
def test_every_answer_has_the_policy(browser_of_anyone: TestClient[Litestar], path: str) -> None:
    answer = browser_of_anyone.get(path)
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_server_answers_under_its_own_names_alone(app: Litestar) -> None:
    with TestClient(app, base_url="https://elsewhere.example") as client:
        assert client.get("/").status_code == 400
        assert client.get("/sign-in").status_code == 400
        assert client.get("/sign-in", headers={"host": f"{HOST}:8443"}).status_code == 200
