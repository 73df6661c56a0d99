"""Take a screenshot of each page of the invented federation into docs/web, and write the page that shows them.

Run it as ``make screenshots``; the pages are those that the tests look at.
"""

import re
import shutil
import sys
import tempfile
from contextlib import closing
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Page, sync_playwright

from ratebook.book.connection import open_book
from ratebook.office.publish.data_files import write_data
from ratebook.records.data_files import ENDINGS
from ratebook.web.app import create_app
from ratebook.web.site import Served, Site
from support.web.accounts import PASSWORD, Office, office_in
from support.web.chromium import NAMES
from support.web.federation import TODAY, federation_book
from support.web.routes import account, admin, director, office, office_decisions, public
from support.web.routes.rows import Row
from support.web.served import served

DOCS = Path(__file__).parents[1] / "docs"
FOLDER, TOUR = DOCS / "web", DOCS / "web-tour.md"
WIDTH, NARROW, HEIGHT, QUALITY = 1180, 390, 760, 30
WORDS = "An invented federation; no one in it is real. [Serving a book](web.md) says how to serve your own."
MADE = "<!-- Made by scripts/screenshots.py; do not edit. -->"
NO_PAGE = re.compile(r"\.\w+$|/files/|/static|/health|/ready|feed|/sign-in$|/first-password")
"""Files, and what is shown to those who are not signed in."""
ALSO_NARROW = ("/", "/players/{member:str}", "/events/{event_id:str}/{number:int}", "/director", "/office")


class Shot(NamedTuple):
    """A page: its route, an address of it, and the file of its picture."""

    route: str
    address: str
    name: str


def shots(rows: dict[tuple[str, str], Row]) -> list[Shot]:
    """Return the pages of a room, those that show something."""
    return [
        Shot(route, row.address or route, _name(route))
        for (method, route), row in rows.items()
        if method == "GET" and row.answer == HTTPStatus.OK and not NO_PAGE.search(route)
    ]


def _name(route: str) -> str:
    return re.sub(r"[^a-z]+", "-", re.sub(r":\w+", "", route)).strip("-") or "home"


ROOMS = {
    "Everyone": ("", public.ROUTES),
    "Accounts": ("director", account.ROUTES),
    "Directors": ("director", director.ROUTES),
    "The office": ("office", office.ROUTES | office_decisions.ROUTES),
    "The administrator": ("administrator", admin.ROUTES),
}


def main() -> int:
    """Take them all; status 1 where a page could not be had."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    lines = [MADE, "", "# A tour of the pages", "", WORDS, ""]
    with tempfile.TemporaryDirectory() as place:
        copied = Path(place) / "served.book"
        shutil.copy(federation_book(Path(place)), copied)
        office = office_in(Path(place) / "web")
        with closing(open_book(str(copied))) as book:
            write_data(book, Path(place) / "data", tuple(ENDINGS))
            site = Site(book, Served.ALL, lambda: TODAY, office.gate, data=Path(place) / "data")
            with served(create_app(site)) as address, sync_playwright() as driver:
                path = next(filter(None, map(shutil.which, NAMES)))
                browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
                for title, (name, rows) in ROOMS.items():
                    page = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}).new_page()
                    if name:
                        _sign_in(page, address, name, office)
                    lines += [f"## {title}", ""]
                    for shot in shots(rows):
                        lines += _taken(page, address, shot)
        office.gate.store.close()
    TOUR.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")
    return 0


def _sign_in(page: Page, address: str, name: str, office: Office) -> None:
    page.goto(f"{address}/sign-in")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("Code").fill(office.code())
    page.get_by_role("button", name="Sign in").click()
    office.clock.goes_on(seconds=30)


def _taken(page: Page, address: str, shot: Shot) -> list[str]:
    answer = page.goto(address + shot.address)
    if answer is None or not answer.ok or "text/html" not in answer.headers.get("content-type", ""):
        return []
    heading = page.locator("h1").inner_text()
    lines = [f"### {heading}", "", f"`{shot.route}`", ""]
    for width, ending in ((WIDTH, ""), (NARROW, "-narrow")):
        if width == NARROW and shot.route not in ALSO_NARROW:
            continue
        page.set_viewport_size({"width": width, "height": HEIGHT})
        page.emulate_media(color_scheme="dark" if width == NARROW else "light")
        page.screenshot(path=FOLDER / f"{shot.name}{ending}.jpg", type="jpeg", quality=QUALITY)
        lines += [f"![{heading}](web/{shot.name}{ending}.jpg)", ""]
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.emulate_media(color_scheme="light")
    return lines


if __name__ == "__main__":
    sys.exit(main())
