"""Every public page in Chromium: wide, narrow, dark, without script where it has one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ratebook.web.routing import KEPT
from support.web.federation import PLAYER
from support.web.routes.public import FEEDS, FILES, PAGES
from support.web.served import app_of
from support.web.visits import look_at, visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from ratebook.web.site import Site

pytestmark = pytest.mark.long

MEASURED = {"/design", "/", f"/players/{PLAYER}"}
"""The pages that are looked at closely in each run: of all parts, and of what is nowhere else."""


def test_every_public_page_is_looked_at(site: Site) -> None:
    app = app_of(site)
    kept = {
        path
        for route in app.routes
        for handler in getattr(route, "route_handlers", ())
        if handler.opt.get(KEPT) is not None
        for path in handler.paths
        if not path.startswith("/api/")
    }
    assert kept == set(PAGES) | set(FEEDS) | set(FILES)


@pytest.mark.parametrize("path", PAGES.values(), ids=PAGES.keys())
def test_a_page_is_right_for_everyone(browser: Browser, address: str, path: str) -> None:
    with visit(browser, address + path) as page:
        whole = page.locator("main").inner_text()
        has_script = page.locator("script, noscript").count() > 0
        look_at(page, closely=path in MEASURED)
    if has_script:
        with visit(browser, address + path, script=False) as page:
            assert page.locator("main").inner_text() == whole
