"""The rooms of those who sign in, in Chromium: signed in by the form, wide and narrow, light and dark."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

import pytest
from pyotp import TOTP

from ratebook.web.gate.second_factor import RECOVERY_CODES
from ratebook.web.gate.visitors import digest_of
from ratebook.web.store.accounts import add_link, find_account
from support.web.accounts import Office
from support.web.persons import Person
from support.web.routes import account, admin, director, office_decisions
from support.web.routes import office as office_room
from support.web.routes.rows import FILE
from support.web.served import app_of, asked, served
from support.web.visits import follow, let_look, look_at, sign_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from playwright.sync_api import Browser, ConsoleMessage

    from ratebook.web.site import Site
    from support.web.routes.rows import Row

pytestmark = pytest.mark.long

ROOMS = {
    "director": director.ROUTES,
    "office": office_room.ROUTES | office_decisions.ROUTES,
    "administrator": admin.ROUTES,
    "new": {key: one for key, one in account.ROUTES.items() if one.who == "any account"},
}
"""The pages of each room are those of its rows in the matrix of rights."""
NOT_READ = re.compile(r"<(script|style|code|textarea|option)\b.*?</\1>|<wbr>", re.DOTALL)
AS_IT_CAME = {
    "a name with the surname first": re.compile(r"\|[^\W\d_][\w'-]+, [^\W\d_][\w'-]+\|"),
    "such a name in a sentence": re.compile(r"\([^\W\d_][\w'-]+, [^\W\d_][\w'-]+\)"),
    "a moment": re.compile(r".{,20}\b[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9].{,9}"),
    "the number of a seat as an id": re.compile(r"\|seat-[0-9]+\|"),
}
"""How texts look that should be in words, where a bar stands between the elements of a page."""


def pages_of(routes: Mapping[tuple[str, str], Row]) -> list[str]:
    """Return the addresses of the pages that a room shows."""
    return [
        row.address or path
        for (method, path), row in routes.items()
        if method == "GET" and row.answer == 200 and FILE not in row.marks
    ]


@pytest.fixture
def address(written_site: Site, office: Office) -> Iterator[str]:
    """Give the address at which rooms are served."""
    with served(app_of(written_site._replace(gate=office.gate))) as address:
        yield address


def note(complaints: list[str], message: ConsoleMessage) -> None:
    """Keep what a browser complains about."""
    if message.type in {"error", "warning"}:
        complaints.append(message.text)


def test_every_room_is_right_for_those_who_may_enter(browser: Browser, address: str, office: Office) -> None:
    with office.gate.store.writing() as connection:
        other = find_account(connection, "other")
        assert other is not None
        add_link(connection, digest_of("link"), other.id, office.clock.now)
    for name, routes in ROOMS.items():
        paths = pages_of(routes)
        context = browser.new_context(java_script_enabled=True)
        let_look(context)
        page = context.new_page()
        complaints: list[str] = []
        page.on("console", partial(note, complaints))
        page.goto(f"{address}{paths[0]}")
        if name == "director":
            look_at(page)
            page.goto(f"{address}/first-password/link")
            look_at(page)
            page.goto(f"{address}{paths[0]}")
        sign_in(page, name, office.code())
        assert page.url == address + paths[0]
        for path in paths:
            page.goto(address + path)
            look_at(page, closely=path == paths[0])
        if name == "new":
            secret = page.locator("li > code").inner_text().replace(" ", "")
            page.get_by_role("textbox", name="Code").fill(TOTP(secret).at(office.clock.now))
            follow(page.get_by_role("button", name="Use this app"))
            assert page.locator("li > code").count() == RECOVERY_CODES
            look_at(page)
            page.goto(f"{address}/account/second-factor")
            look_at(page)
        follow(page.get_by_role("button", name="Sign out"))
        assert page.get_by_role("status").inner_text() == "You are signed out."
        assert complaints == []
        context.close()
        office.clock.goes_on(seconds=30)


def test_rooms_say_names_and_days_in_words(written_site: Site, office: Office) -> None:
    with asked(written_site._replace(gate=office.gate)) as client:
        for name in ROOMS.keys() - {"new"}:
            person = Person(client, office, name)
            for path in pages_of(ROOMS[name]):
                page = person.get(path).text
                text = re.sub(r"\s*<[^>]*>\s*", "|", NOT_READ.sub("", page[page.index("<main") :]))
                for what, pattern in AS_IT_CAME.items():
                    assert pattern.findall(text) == [], (path, what)


def test_an_address_without_a_page_knows_who_is_signed_in(written_site: Site, office: Office) -> None:
    with asked(written_site._replace(gate=office.gate)) as client:
        lost = "/no-such-page"
        anyone = client.get(lost)
        assert anyone.status_code == 404
        assert ">Sign in</a>" in anyone.text
        person = Person(client, office, "director")
        page = person.get(lost)
        assert page.status_code == 404
        assert ">Sign in</a>" not in page.text
        assert 'href="/director">To your reports</a>' in page.text
