"""How many clicks the tasks take that people come for, counted in Chromium from the first page of each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from ratebook.book.ledger.pending import read_pending
from ratebook.book.submissions import Status, read_submission
from support.web.accounts import Office, office_in
from support.web.federation import EVENT, PLAYER, READY, WRONG
from support.web.served import app_of, served
from support.web.tried import match_of_two
from support.web.visits import Counted, counted, counting, follow, sign_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from ratebook.web.site import Site

pytestmark = pytest.mark.long
# The tests share a book, in this order: what they send is ready, too, and corrections are rated before it.


@pytest.fixture(scope="module")
def gate_keeper(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """Give accounts of each role for all tasks."""
    made = office_in(tmp_path_factory.mktemp("clicks") / "web")
    yield made
    made.gate.store.close()


@pytest.fixture(scope="module")
def address(written_site: Site, gate_keeper: Office) -> Iterator[str]:
    """Give the address of the first page."""
    with served(app_of(written_site._replace(gate=gate_keeper.gate))) as address:
        yield address


@pytest.fixture(scope="module")
def visitor(browser: Browser) -> Iterator[Page]:
    """Give a page in a browser that counts."""
    context = browser.new_context()
    counting(context)
    yield context.new_page()
    context.close()


@pytest.fixture
def home(visitor: Page, address: str) -> Page:
    """Give the first page of the site, with nobody signed in."""
    visitor.context.clear_cookies()
    visitor.goto(address)
    counted(visitor)
    return visitor


@pytest.fixture(scope="module")
def office_page(browser: Browser, address: str, gate_keeper: Office) -> Iterator[Page]:
    """Give a page of someone of the office, who signed in from the first page in two clicks."""
    context = browser.new_context()
    counting(context)
    page = context.new_page()
    page.goto(address)
    follow(page.get_by_role("link", name="Sign in"))
    sign_in(page, "office", gate_keeper.code())
    assert counted(page) == Counted(clicks=2, loads=3)
    yield page
    context.close()


@pytest.fixture
def desk(office_page: Page, address: str) -> Page:
    """Give the first page of someone of the office."""
    office_page.goto(f"{address}/office")
    counted(office_page)
    return office_page


def test_the_last_change_of_a_player_is_explained_in_two_clicks(home: Page) -> None:
    home.get_by_role("searchbox").first.fill("aspen")
    with home.expect_navigation():
        home.keyboard.press("Enter")
    follow(home.locator("tbody a", has_text="Aspen").first)
    follow(home.locator("td a[href*='/why/']").first)
    assert re.match(r"[+-]\d+: you scored", home.locator("h1, h2.answer").first.inner_text())
    assert counted(home) == Counted(clicks=2, loads=4)


def test_ready_reports_are_rated_in_two_clicks(desk: Page, written_site: Site) -> None:
    follow(desk.get_by_role("link", name="Rate 1 ready report"))
    follow(desk.get_by_role("button", name="Rate 1 report"))
    with written_site.reading() as reader:
        rated = read_submission(reader.connection, READY)
    assert rated is not None
    assert rated.status is Status.RATED
    assert counted(desk) == Counted(clicks=2, loads=3)


def test_a_report_is_sent_in_five_clicks_sign_in_included(home: Page, tmp_path: Path) -> None:
    file = tmp_path / "evening.json"
    file.write_bytes(match_of_two("2021-02-05"))
    follow(home.get_by_role("link", name="Sign in"))
    sign_in(home, "director")
    home.get_by_label("Send another report").set_input_files(file)
    follow(home.get_by_role("button", name="See its ratings"))
    follow(home.get_by_role("button", name="Send to the office"))
    assert home.get_by_role("status").get_by_text("Sent as report").count() == 1
    assert counted(home) == Counted(clicks=5, loads=5)


def test_a_report_that_came_by_mail_is_added_in_four_clicks(desk: Page, tmp_path: Path) -> None:
    file = tmp_path / "evening.json"
    file.write_bytes(match_of_two("2021-02-04"))
    follow(desk.get_by_role("navigation").get_by_role("link", name="Add a report"))
    desk.get_by_label("File").set_input_files(file)
    follow(desk.get_by_role("button", name="Preview"))
    follow(desk.get_by_role("button", name="Send to the office"))
    assert desk.get_by_role("status").get_by_text("Sent as report").count() == 1
    assert counted(desk) == Counted(clicks=4, loads=4)


def test_a_member_is_found_in_two_clicks(desk: Page) -> None:
    follow(desk.get_by_role("navigation").get_by_role("link", name="Members"))
    assert desk.locator(":focus").get_attribute("name") == "q"
    desk.keyboard.type("hornbeam")
    with desk.expect_navigation():
        desk.keyboard.press("Enter")
    follow(desk.get_by_role("link", name=re.compile("Martha Hornbeam")))
    assert desk.url.endswith(PLAYER)
    assert counted(desk) == Counted(clicks=2, loads=4)


def test_a_result_is_corrected_and_rated_again_in_seven_clicks(desk: Page, written_site: Site) -> None:
    follow(desk.get_by_role("navigation").get_by_role("link", name="Events"))
    follow(desk.locator(f"a[href='/office/events/{EVENT}']"))
    follow(desk.get_by_role("link", name="W10", exact=True).first)
    desk.get_by_label(re.compile("Result of")).first.select_option("D")
    desk.get_by_label("Reason").fill("score sheet of both players")
    follow(desk.get_by_role("button", name="Preview"))
    follow(desk.get_by_role("button", name="Record and re-rate", exact=True))
    follow(desk.get_by_role("link", name="See the result"))
    assert desk.get_by_role("heading", level=1).inner_text() == "What the re-rating changed"
    with written_site.reading() as reader:
        assert not read_pending(reader.connection)
    assert counted(desk).clicks <= 7


def test_a_wrong_id_in_a_report_is_mended_in_three_clicks(desk: Page, written_site: Site) -> None:
    follow(desk.get_by_role("link", name="Example Wrong Open"))
    follow(desk.get_by_role("link", name=re.compile("^Manuel Aspen, ")))
    desk.get_by_label("Reason").fill("the director gave the right id")
    follow(desk.get_by_role("button", name="Assign this member"))
    with written_site.reading() as reader:
        mended = read_submission(reader.connection, WRONG)
    assert mended is not None
    assert mended.status is Status.REPLACED
    assert counted(desk) == Counted(clicks=3, loads=4)
