"""The administrator in the browser: accounts, tokens, sessions, the log."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest
from litestar.testing import TestClient
from sqlalchemy import delete, update
from sqlalchemy.exc import DatabaseError

from ratebook.book.failures import BookError
from ratebook.web.gate.bodies import MOST_BODY_BYTES
from ratebook.web.gate.visitors import digest_of
from ratebook.web.store import schema
from ratebook.web.store.accounts import find_account
from ratebook.web.store.log import LogKind, newest_entries
from ratebook.web.store.tokens import PREFIX, find_token
from support.web.accounts import ADDRESS, Office
from support.web.persons import Person
from support.web.served import app_of, asked, served
from support.web.visits import follow, sign_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litestar import Litestar
    from playwright.sync_api import Browser

    from ratebook.web.site import Site

ACCOUNTS, TOKENS = "/admin/accounts", "/admin/tokens"
NEW = f"{ACCOUNTS}/new"
LINK = re.compile(r"https?://[^<\s]+/first-password/[\w-]+")


@pytest.fixture
def client(site: Site, office: Office) -> Iterator[TestClient[Litestar]]:
    """Give a client."""
    with asked(site._replace(gate=office.gate)) as client:
        yield client


@pytest.fixture
def keeper(client: TestClient[Litestar], office: Office) -> Person:
    """Give the administrator."""
    return Person(client, office, "administrator")


def number_of(office: Office, name: str) -> int:
    with office.gate.store.reading() as connection:
        found = find_account(connection, name)
    assert found is not None
    return found.id


def logged(office: Office) -> list[tuple[str, str, str]]:
    with office.gate.store.reading() as connection:
        entries = newest_entries(connection, 20)
    return [(one.kind, one.account, one.details) for one in entries]


def test_an_account_is_added_once_and_its_link_is_shown_once(keeper: Person, office: Office) -> None:
    form = keeper.filled(NEW, NEW) | {"name": "Ann  Lee", "role": "office"}
    page = keeper.send(NEW, form)
    found = LINK.search(page.text)
    assert found is not None
    assert found[0].startswith(ADDRESS)
    again = keeper.send(NEW, form)
    assert again.headers["location"] == ACCOUNTS
    taken = keeper.fill_in(NEW, NEW, name="ann lee", role="director")
    assert taken.status_code == 422
    assert "An account with this name already exists." in taken.text
    assert "Ann Lee" in keeper.get(ACCOUNTS).text
    assert keeper.client.get(found[0]).status_code == 200
    assert logged(office) == [(LogKind.ACCOUNT_ADDED, "Ann Lee", "by administrator: office")]


@pytest.mark.parametrize("what", ["change", "reset", "disable"])
def test_no_one_changes_the_rights_of_their_own_account(keeper: Person, office: Office, what: str) -> None:
    here = f"{ACCOUNTS}/{number_of(office, 'administrator')}"
    assert f"{here}/{what}" not in keeper.get(here).text
    other = f"{ACCOUNTS}/{number_of(office, 'office')}"
    form = keeper.filled(other, f"{other}/{what}") | {"role": "office", "sure": "yes"}
    refused = keeper.send(f"{here}/{what}", form)
    assert refused.status_code == 422
    assert "This is your own account" in refused.text
    assert keeper.get("/admin").status_code == 200
    assert logged(office) == []


def test_a_disabled_account_is_out_at_once_and_for_its_programs_for_good(
    client: TestClient[Litestar], keeper: Person, office: Office
) -> None:
    whose = number_of(office, "director")
    page = keeper.fill_in(
        f"{TOKENS}/new", f"{TOKENS}/new", account="director", purpose="club", days="30", preview="yes"
    )
    found = re.search(PREFIX + r"[\w-]+", page.text)
    assert found is not None
    director, here = Person(client, office, "director"), f"{ACCOUNTS}/{whose}"
    assert director.get("/director").status_code == 200
    done = keeper.fill_in(here, f"{here}/disable", sure="yes")
    assert done.headers["location"] == here
    day = office.clock.now.strftime("%-d %B %Y")
    assert f"disabled on {day}" in keeper.get(here).text
    assert re.search('class="badge[^"]*">disabled</span>', keeper.get(ACCOUNTS).text)
    assert director.get("/director").headers["location"].startswith("/sign-in")
    back = keeper.fill_in(here, f"{here}/reset", sure="yes")
    assert LINK.search(back.text)
    with office.gate.store.reading() as connection:
        assert find_token(connection, digest_of(found[0]), office.clock.now) is None
    kinds = [kind for kind, _, _ in logged(office)]
    assert kinds == [LogKind.ACCOUNT_RESET, LogKind.ACCOUNT_DISABLED, LogKind.TOKEN_ADDED]


@pytest.mark.parametrize("void", [False, True])
def test_a_reset_says_how_many_tokens_hold_on_and_makes_them_void_where_that_is_asked(
    keeper: Person,
    office: Office,
    void: bool,  # noqa: FBT001 - of the table
) -> None:
    whose = number_of(office, "other")
    assert 'name="void_tokens"' not in keeper.get(f"{ACCOUNTS}/{whose}").text
    page = keeper.fill_in(
        f"{TOKENS}/new", f"{TOKENS}/new", account="other", purpose="club", days="30", submit="yes"
    )
    token = re.search(PREFIX + r"[\w-]+", page.text)
    assert token is not None
    here = f"{ACCOUNTS}/{whose}"
    assert "1 token of its programs stays valid unless you revoke it" in keeper.get(here).text
    done = keeper.fill_in(here, f"{here}/reset", sure="yes", **({"void_tokens": "yes"} if void else {}))
    assert ("1 token of its programs stays valid" in done.text) is not void
    with office.gate.store.reading() as connection:
        assert (find_token(connection, digest_of(token[0]), office.clock.now) is None) is void


def test_a_changed_role_holds_from_the_next_sign_in(
    client: TestClient[Litestar], keeper: Person, office: Office
) -> None:
    person, here = Person(client, office, "other"), f"{ACCOUNTS}/{number_of(office, 'other')}"
    keeper.fill_in(
        here, f"{here}/change", role="director", member="12345678", affiliates="A6000001  A6000002"
    )
    assert person.get("/director").headers["location"].startswith("/sign-in")
    page = keeper.get(ACCOUNTS).text
    assert "12345678" in page
    assert "A6000001, A6000002" in page


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ({"days": "366", "preview": "yes"}, "366"),
        ({"days": "0", "preview": "yes"}, "0"),
        ({"days": "30"}, "What it may do"),
        ({"days": "30", "preview": "yes", "purpose": " "}, "Purpose"),
    ],
)
def test_a_token_has_a_purpose_a_scope_and_an_end_within_a_year(
    keeper: Person, office: Office, typed: dict[str, str], message: str
) -> None:
    wanted = {"account": "director", "purpose": "club"} | typed
    page = keeper.fill_in(f"{TOKENS}/new", f"{TOKENS}/new", **wanted)
    assert page.status_code == 422
    assert message in page.text
    assert PREFIX not in page.text
    assert logged(office) == []


def test_tokens_are_offered_for_accounts_whose_programs_may_do_something(keeper: Person) -> None:
    offered = re.findall(r'<option value="([^"]+)"', keeper.get(f"{TOKENS}/new").text)
    assert {"director", "office"} <= set(offered)
    assert "administrator" not in offered


def test_a_token_is_shown_once_and_revoked(keeper: Person, office: Office) -> None:
    here = f"{TOKENS}/new"
    form = keeper.filled(here, here) | {"account": "director", "purpose": "club", "submit": "yes"}
    found = re.search(PREFIX + r"[\w-]+", keeper.send(here, form).text)
    assert found is not None
    assert keeper.send(here, form).headers["location"] == TOKENS
    with office.gate.store.reading() as connection:
        assert find_token(connection, digest_of(found[0]), office.clock.now) is not None
    page = keeper.get(TOKENS).text
    assert found[0] not in page
    csrf = {"csrf": keeper.visitor.csrf}
    assert keeper.send(f"{TOKENS}/1/revoke", csrf).headers["location"] == TOKENS
    assert keeper.send(f"{TOKENS}/1/revoke", csrf).status_code == 404
    with office.gate.store.reading() as connection:
        assert find_token(connection, digest_of(found[0]), office.clock.now) is None


def test_an_administrator_signs_someone_out(
    client: TestClient[Litestar], keeper: Person, office: Office
) -> None:
    director = Person(client, office, "director")
    page = keeper.get("/admin/sessions").text
    end = f"/admin/sessions/{director.visitor.session.id}/end"
    assert end in page
    keeper.send(end, {"csrf": keeper.visitor.csrf})
    assert director.get("/director").headers["location"].startswith("/sign-in")
    assert logged(office) == [(LogKind.SESSION_ENDED, "director", "by administrator")]


def test_the_log_is_read_by_account_by_kind_and_page_by_page(
    client: TestClient[Litestar], office: Office
) -> None:
    for hour in range(4):
        office.clock.goes_on(hours=1 if hour else 0)
        director, keeper = Person(client, office, "director"), Person(client, office, "administrator")
        for number in range(30 if hour < 3 else 11):
            assert director.get(f"/admin/accounts/{number}").status_code == 404
    first = keeper.get("/admin/log?account=director&kind=refused").text
    assert first.count('<th scope="row"') == 30
    assert ">Newest<" not in first
    older = re.search(r'href="(/admin/log[^"]*before=[^"]*)"', first)
    assert older is not None
    earlier = keeper.get(older[1].replace("&amp;", "&")).text
    assert earlier.count('<th scope="row"') == 30
    later = re.search(r'href="(/admin/log[^"]*after=[^"]*)" rel="prev">Later<', earlier)
    assert later is not None
    refused = re.findall("/admin/accounts/[0-9]+", first)
    assert refused
    assert re.findall("/admin/accounts/[0-9]+", keeper.get(unescape(later[1])).text) == refused
    assert '<a class="button" href="/admin/log?account=director&amp;kind=refused">Newest</a>' in earlier
    assert "No entry matches." in keeper.get("/admin/log?account=office").text
    assert keeper.get("/admin/log?before=99999999999999999999").status_code == 400


def test_the_log_can_only_grow(keeper: Person, office: Office) -> None:
    keeper.fill_in(NEW, NEW, name="Ann Lee", role="office")
    for change in (delete(schema.log), update(schema.log).values(account="no one")):
        with pytest.raises((BookError, DatabaseError)), office.gate.store.writing() as connection:
            connection.execute(change)
    assert [account for _, account, _ in logged(office)] == ["Ann Lee"]


def test_a_body_that_is_too_large_and_a_method_that_is_not_there_are_refused(
    client: TestClient[Litestar], keeper: Person
) -> None:
    large = client.post(NEW, data={"name": "x" * MOST_BODY_BYTES}, headers=keeper.headers)
    assert large.status_code == 413
    wrong = client.put("/admin", headers=keeper.headers)
    assert (wrong.status_code, "GET" in wrong.headers["allow"]) == (405, True)


@pytest.mark.long
def test_a_new_account_chooses_a_password_and_signs_in(browser: Browser, site: Site, office: Office) -> None:
    with served(app_of(site._replace(gate=office.gate))) as address:
        page = browser.new_context().new_page()
        page.goto(f"{address}{ACCOUNTS}")
        sign_in(page, "administrator", office.code())
        follow(page.get_by_role("link", name="Add an account"))
        page.get_by_label("Name").fill("Ann Lee")
        page.get_by_label("Role").select_option("director")
        follow(page.get_by_role("button", name="Add the account"))
        link = page.locator("code").inner_text()
        follow(page.get_by_role("button", name="Sign out"))
        page.goto(link)
        words = "seven ducks on a grey pond"
        page.get_by_label("Password").fill(words)
        follow(page.get_by_role("button").last)
        sign_in(page, "Ann Lee", password=words)
        assert page.url == f"{address}/director"
        page.context.close()
