"""A form that decides or sends something, sent after its session has ended: it is shown again, and done once."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from ratebook.book.submissions import Status, read_submission
from support.web.accounts import ADDRESS, SENT
from support.web.federation import LATE, READY
from support.web.persons import Forms, Person
from support.web.served import app_of, asked, served
from support.web.tried import TRIED
from support.web.visits import follow, look_at, sign_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Locator, Page

    from ratebook.web.site import Site
    from support.web.accounts import Office

AGAIN = "Nothing was done: you had to sign in first."
REASON = "the director was ill"


def out_and_in(page: Page, office: Office, name: str, button: Locator) -> None:
    """Press a button after the session has ended, and sign in again."""
    page.context.clear_cookies()
    follow(button)
    assert "before this was sent, and nothing was done" in page.locator("main").inner_text()
    office.clock.goes_on(seconds=30)
    sign_in(page, name, "" if name == "director" else office.code())
    assert AGAIN in page.get_by_role("status").inner_text()


def test_a_browser_comes_back_to_what_it_would_have_sent(
    browser: Browser, own_site: Site, office: Office
) -> None:
    with served(app_of(own_site._replace(gate=office.gate))) as address:
        page = browser.new_context().new_page()
        page.goto(f"{address}/director/previews/{TRIED}")
        sign_in(page, "director")
        out_and_in(page, office, "director", page.get_by_role("button", name="Send to the office"))
        look_at(page)
        follow(page.get_by_role("button", name="Send to the office"))
        assert SENT in page.url
        assert "Sent as report" in page.locator("main").inner_text()
        page.context.close()

        page = browser.new_context().new_page()
        page.goto(f"{address}/office/queue/{LATE}")
        sign_in(page, "office", office.code())
        page.get_by_label("The report was received on").check()
        page.locator("form[action$='/accept'] [name=reason]").fill(REASON)
        out_and_in(page, office, "office", page.locator("form[action$='/accept'] button").first)
        assert page.get_by_label("The report was received on").is_checked()
        assert page.locator("form[action$='/accept'] [name=reason]").input_value() == REASON
        assert page.locator("form[action$='/reject'] [name=reason]").input_value() == ""
        follow(page.locator("form[action$='/accept'] button"))
        assert "accepted by office" in page.content()
        page.goto(f"{address}/office/rate")
        out_and_in(page, office, "office", page.locator("form[action$='/rate'] button").first)
        follow(page.get_by_role("button", name="Rate 1 report"))
        assert "Rated just now" in page.locator("main").inner_text()
        page.context.close()
    with own_site.reading() as reader:
        row = read_submission(reader.connection, READY)
    assert row is not None
    assert row.status is Status.RATED


@pytest.fixture
def person(written_site: Site, office: Office) -> Iterator[Person]:
    """Give someone of the office."""
    with asked(written_site._replace(gate=office.gate)) as client:
        yield Person(client, office, "office")


def test_a_form_of_an_older_session_is_shown_again_at_once_and_to_its_account_alone(
    person: Person, office: Office
) -> None:
    page, action = f"/office/queue/{LATE}", f"/office/queue/{LATE}/reject"
    form = person.filled(page, action) | {"reason": REASON}
    person.sign_in()
    address = person.send(action, form).headers["location"]
    assert address.startswith(f"{page}?returned=")
    shown = person.get(address).text
    assert AGAIN in shown
    assert Forms(shown).found[action]["reason"] == REASON
    assert Forms(shown).found[action]["key"] != form["key"]
    assert Forms(shown).found[f"/office/queue/{LATE}/accept"]["reason"] == ""
    other = Person(person.client, office, "director")
    assert f"&to={quote(page)}" in other.send(action, form).headers["location"]
    assert REASON not in Person(person.client, office, "new").get(address).text
    assert (
        person.get(f"{page}?returned=999").status_code == person.get(f"{page}?returned=x").status_code == 200
    )


def test_what_a_page_was_asked_is_asked_again_and_a_file_must_be_chosen_again(
    person: Person, office: Office
) -> None:
    asked_for, action = "/office/queue/chosen?work=reject", "/office/queue/chosen"
    form = person.filled("/office/members/new", "/office/members/new") | {"id": "x", "reason": REASON}
    upload = f"/office/queue/{LATE}/upload"
    with_file = person.filled(f"/office/queue/{LATE}", upload)
    office.clock.goes_on(minutes=31)
    sent_from = {"referer": f"{ADDRESS}{asked_for}", **person.headers}
    led = person.client.post(action, data=form, headers=sent_from).headers["location"]
    assert led.startswith(f"/sign-in?ended=returned&to={quote(asked_for)}")
    answer = person.send(upload, with_file, {"report": ("a.csv", b"1,2")})
    assert answer.headers["location"].startswith("/sign-in?ended=file&to=/office/queue/")


def test_passwords_are_never_kept(person: Person, office: Office) -> None:
    form = person.filled("/account", "/account/password")
    office.clock.goes_on(minutes=31)
    assert person.send("/account/password", form).headers["location"] == "/sign-in?ended=idle"
