"""Every public page in Chromium: wide, narrow, dark, without script."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ratebook.web.app import create_app
from ratebook.web.routing import KEPT
from support.web.visits import NARROW, overflows, violations, visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from ratebook.web.site import Site

pytestmark = pytest.mark.long

PLAYER, OTHER, EVENT = "90000014", "90000006", "202005260001"

PAGES = {
    "/sign-in": "/sign-in",
    "/": "/",
    "/players": "/players?q=an",
    "/players/{member:str}": f"/players/{PLAYER}",
    "/players/{member:str}/history": f"/players/{PLAYER}/history",
    "/players/{member:str}/opponents": f"/players/{PLAYER}/opponents",
    "/players/{member:str}/against/{other:str}": f"/players/{PLAYER}/against/{OTHER}",
    "/players/{member:str}/why/{event:str}/{number:int}": f"/players/{PLAYER}/why/{EVENT}/1",
    "/events": "/events?name=open",
    "/events/{event_id:str}": f"/events/{EVENT}",
    "/events/{event_id:str}/{number:int}": f"/events/{EVENT}/1",
    "/rankings/{system:str}": "/rankings/regular",
    "/api": "/api",
    "/rules": "/rules?on=2020-06-01",
    "/rules/{day:date}": "/rules/2021-02-01",
    "/rules/{first:date}/against/{second:date}": "/rules/2014-01-01/against/2021-01-01",
}
"""An address of each page, by its route."""


def test_every_public_page_is_looked_at(site: Site) -> None:
    app = create_app(site)
    kept = {
        path
        for route in app.routes
        for handler in getattr(route, "route_handlers", ())
        if handler.opt.get(KEPT) is not None
        for path in handler.paths
        if not path.startswith("/api/")
    }
    assert kept == set(PAGES)


@pytest.mark.parametrize("path", PAGES.values(), ids=PAGES.keys())
def test_a_page_is_right_for_everyone(browser: Browser, address: str, path: str) -> None:
    with visit(browser, address + path) as page:
        assert violations(page) == []
        assert page.locator("h1").count() == 1
        whole = page.locator("main").inner_text()
    with visit(browser, address + path, width=NARROW, scheme="dark") as page:
        assert violations(page) == []
        assert not overflows(page)
    with visit(browser, address + path, script=False) as page:
        assert page.locator("main").inner_text() == whole
