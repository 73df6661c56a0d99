"""The graph of a player: whole without script, with it a cursor by pointer and by keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ratebook.book.columns import section_at
from ratebook.book.ledger.history import rating_series
from ratebook.model import System
from ratebook.rating.formulas import rounded
from ratebook.web.layout.words import day_words
from ratebook.web.rendering import static_files
from support.web.federation import PLAYER
from support.web.visits import violations, visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from ratebook.web.site import Site

pytestmark = pytest.mark.long

MOST_BYTES = 3500


def said(page: Page) -> str:
    return page.locator("[data-spoken]").inner_text()


def test_keys_go_along_the_sections_and_open_one(browser: Browser, address: str, site: Site) -> None:
    with site.reading() as reader:
        series = rating_series(reader.connection, PLAYER).points[System.REGULAR]
    words = [f"OTB Regular {rounded(one.rating):.0f}, {day_words(one.end)}" for one in series]
    with visit(browser, f"{address}/players/{PLAYER}?system=regular") as page:
        page.locator(".choice a").last.focus()
        page.keyboard.press("Tab")
        assert said(page) == words[-1]
        for key, place in (
            ("ArrowLeft", -2),
            ("ArrowRight", -1),
            ("ArrowRight", -1),
            ("Home", 0),
            ("ArrowRight", 1),
            ("PageUp", 0),
            ("End", -1),
        ):
            page.keyboard.press(key)
            assert said(page) == words[place], key
        assert page.locator(".cursor text").text_content() == words[-1]
        assert violations(page) == []
        page.keyboard.press("Enter")
        event, number = section_at(series[-1].place)
        page.wait_for_url(f"**/why/{event}/{number}?system=regular")


def test_arrows_up_and_down_change_the_system(browser: Browser, address: str) -> None:
    with visit(browser, f"{address}/players/{PLAYER}") as page:
        page.locator("svg[data-graph]").press("ArrowLeft")
        first = said(page).split()[:2]
        page.keyboard.press("ArrowDown")
        assert said(page).split()[:2] != first
        page.keyboard.press("ArrowUp")
        assert said(page).split()[:2] == first


def test_the_pointer_shows_the_nearest_rating_and_says_nothing(browser: Browser, address: str) -> None:
    with visit(browser, f"{address}/players/{PLAYER}?system=regular") as page:
        marks = page.locator("svg[data-graph] circle[class=regular]")
        marks.first.hover()
        label = page.locator(".cursor text")
        assert label.text_content() == marks.first.locator("title").text_content()
        assert said(page) == ""
        page.locator("h1").hover()
        assert not label.is_visible()


def test_the_script_is_small_and_loaded_only_with_a_graph(browser: Browser, address: str) -> None:
    assert len(static_files()["graph.js"].content) <= MOST_BYTES
    for path, scripts in (
        (f"/players/{PLAYER}", 1),
        (f"/players/{PLAYER}?from=2099-01-01", 0),
        ("/players", 0),
    ):
        with visit(browser, address + path) as page:
            assert page.locator("script").count() == scripts
