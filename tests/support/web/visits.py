"""Looking at a page in a browser: whatever it complains about fails the test."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

from axe_playwright_python.sync_playwright import Axe

from support.web.accounts import PASSWORD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Locator, Page

WIDE, NARROW = 1280, 390
BAD_REQUEST = 400


@contextmanager
def visit(  # noqa: PLR0913 - each look is another
    browser: Browser,
    url: str,
    *,
    width: int = WIDE,
    scheme: Literal["light", "dark"] = "light",
    script: bool = True,
    status: int = 200,
) -> Iterator[Page]:
    """Give a page in the browser; complaints of the console, the policy or the network fail in the end."""
    context = browser.new_context(
        color_scheme=scheme, java_script_enabled=script, viewport={"width": width, "height": 900}
    )
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda one: complaints.append(one.text) if one.type in {"error", "warning"} else None)
    page.on("pageerror", lambda one: complaints.append(str(one)))
    page.on("requestfailed", lambda one: complaints.append(f"{one.url} failed"))
    page.on(
        "response",
        lambda one: (
            complaints.append(f"{one.url}: {one.status}")
            if one.status >= BAD_REQUEST and one.status != status
            else None
        ),
    )
    try:
        answer = page.goto(url)
        assert answer is not None
        assert answer.status == status
        yield page
        if status < BAD_REQUEST:
            assert complaints == []
    finally:
        context.close()


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


def violations(page: Page) -> list[str]:
    """Return what axe-core finds wrong with a page."""
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {one['nodes'][0]['html']}" for one in found]


def overflows(page: Page) -> bool:
    """Return whether the page is wider than its window."""
    return bool(page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))
