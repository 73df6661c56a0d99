"""Looking at a page in a browser: whatever it complains about fails the test."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from weakref import WeakKeyDictionary

import pytest
from axe_playwright_python.sync_playwright import Axe

from support.web.accounts import PASSWORD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from playwright.sync_api import Browser, BrowserContext, Locator, Page

LOOKS: tuple[tuple[int, Literal["light", "dark"]], ...] = (
    (1280, "light"),
    (360, "dark"),
    (1280, "dark"),
    (390, "light"),
)
"""Widths in pixels and colour schemes in which pages are looked at: the first two in each run, all by `make looks`."""
HEIGHT = 900

BAD_REQUEST = 400

WITH_AND_WITHOUT = [True, pytest.param(False, marks=pytest.mark.soak)]
"""Whether a browser has script; what it sends without is what the other tests of a form send in each run."""


_tabs: WeakKeyDictionary[Browser, dict[bool, Page]] = WeakKeyDictionary()
"""A tab with and one without script for each browser: a new one costs more than most pages."""


def tab_of(browser: Browser, *, script: bool) -> Page:
    """Return the tab of the browser that all visits share, as if it were new."""
    tabs = _tabs.setdefault(browser, {})
    if script not in tabs:
        context = browser.new_context(java_script_enabled=script)
        if script:
            let_look(context)
        tabs[script] = context.new_page()
    page = tabs[script]
    page.set_viewport_size({"width": LOOKS[0][0], "height": HEIGHT})
    page.emulate_media(color_scheme=LOOKS[0][1])
    return page


@contextmanager
def visit(browser: Browser, url: str, *, script: bool = True, status: int = 200) -> Iterator[Page]:
    """Give a page in the browser; complaints of the console, the policy or the network fail in the end."""
    page = tab_of(browser, script=script)
    complaints: list[str] = []
    listeners: dict[Any, Callable[[Any], None]] = {
        "console": lambda line: complaints.append(line.text) if line.type in {"error", "warning"} else None,
        "pageerror": lambda error: complaints.append(str(error)),
        # What a page still loads when it is left is aborted by the browser.
        "requestfailed": lambda request: (
            complaints.append(f"{request.url} failed: {request.failure}")
            if request.failure != "net::ERR_ABORTED"
            else None
        ),
        "response": lambda answer: (
            complaints.append(f"{answer.url}: {answer.status}")
            if answer.status >= BAD_REQUEST and answer.status != status
            else None
        ),
    }
    for event, listener in listeners.items():
        page.on(event, listener)
    try:
        answer = page.goto(url)
        assert answer is not None
        assert answer.status == status
        yield page
        if status < BAD_REQUEST:
            assert complaints == [], complaints
    except BaseException:
        # A page that failed may be left in any state.
        _tabs[browser].pop(script).context.close()
        raise
    for event, listener in listeners.items():
        page.remove_listener(event, listener)


def follow(target: Locator) -> None:
    """Click what leads to another page, and wait until that page is loaded.

    A click may return while the old page is still there, or only a part of the new one.
    """
    target.wait_for()
    with target.page.expect_navigation():
        target.click()


def sign_in(page: Page, name: str, code: str = "", password: str = PASSWORD) -> None:
    """Fill in the form of the page and sign in."""
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_label("Code").fill(code)
    follow(page.get_by_role("button", name="Sign in"))


COUNTING = """
const add = name => { try { sessionStorage[name] = 1 + Number(sessionStorage[name] ?? 0); } catch {} };
if (location.protocol.startsWith("http")) add("loads");
addEventListener("click", event => { if (event.isTrusted && event.detail) add("clicks"); }, true);
addEventListener("change", event => { if (event.target.matches("select, [type=file]")) add("clicks"); }, true);
"""
"""Counts what a hand does: clicks, and choices from lists and of files, one each; Enter is no click."""


class Counted(NamedTuple):
    """What a task took: clicks, and pages that were loaded, the first one included."""

    clicks: int
    loads: int


def counting(context: BrowserContext) -> None:
    """Let all pages of a context count clicks and loads, each tab its own."""
    context.add_init_script(COUNTING)


def counted(page: Page) -> Counted:
    """Return what was counted in a tab, and begin again at nothing, on the page that is there."""
    found = page.evaluate("['clicks', 'loads'].map(name => Number(sessionStorage[name] ?? 0))")
    page.evaluate("sessionStorage.clicks = 0, sessionStorage.loads = 1")
    return Counted(*found)


CONTRAST = "color-contrast"
"""The rule of axe-core that takes most of the time."""
OF_WIDE = (CONTRAST, "link-in-text-block", "scrollable-region-focusable", "target-size")
"""The rules whose answer another width or scheme may change; all others read the page's text."""
OF_LOOKS = (OF_WIDE, (), OF_WIDE, OF_WIDE)
"""The rules of each look; none named: all."""
EVERYWHERE = "RATEBOOK_LOOKS" in os.environ
"""Whether every page is looked at closely (make looks), not only where a test asks for it."""


def let_look(context: BrowserContext) -> None:
    """Give axe-core to all pages of a context: sending it to each that is looked at costs half as much as the look."""
    context.add_init_script(Axe().axe_script)


def violations(page: Page, rules: Sequence[str] = (), *, contrast: bool = True) -> list[str]:
    """Return what axe-core finds wrong with a page, by all its rules or by some."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    options: dict[str, object] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = list(rules)
    elif not contrast:
        options["rules"] = {CONTRAST: {"enabled": False}}
    # What is right need not be counted and sent back, and the rows of a table are alike from the fourth on.
    run = "options => axe.run({exclude: ['tbody tr:nth-child(n+4)']}, options).then(results => results.violations)"
    complaints = page.evaluate(run, options)
    return [f"{complaint['id']}: {complaint['nodes'][0]['html']}" for complaint in complaints]


WIDER = """
[...document.querySelectorAll(innerWidth < 400 ? ":root, .top nav, .scrolls:not(:has(input))" : ":root")]
    .filter(each => each.scrollWidth > each.clientWidth).map(each => each.innerText.slice(0, 100))
"""
"""What of a page is wider than its place: a table may be, but on a phone it may only where it is filled in."""


def look_at(page: Page, *, closely: bool = False) -> None:
    """Look at a page, wide and narrow: nothing is wrong, and it is no wider than its window.

    *Closely* is with its contrast, and with what only a wide window shows.
    """
    closely |= EVERYWHERE
    assert page.locator("h1").count() == 1, page.url
    looks = list(zip(LOOKS, OF_LOOKS, strict=True))
    for (width, scheme), rules in looks if EVERYWHERE else looks[:2]:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        if closely or not rules:
            page.emulate_media(color_scheme=scheme)
            # Buttons that stay at the lower edge cover nothing where the page ends.
            page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
            wrong = violations(page, rules, contrast=closely)
            assert wrong == [], (page.url, width, scheme, wrong)
        wider = page.evaluate(WIDER)
        assert wider == [], (page.url, wider)
