"""The invented federation served, and a browser that looks at it."""

from __future__ import annotations

import shutil
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from ratebook.book.connection import open_book
from ratebook.office.publish.data_files import write_data
from ratebook.records.data_files import ENDINGS
from ratebook.web.app import create_app
from ratebook.web.site import Served, Site
from support.web.accounts import Office, office_in
from support.web.chromium import chromium
from support.web.federation import TODAY, federation_book
from support.web.served import served
from support.whole_run import folder_of_run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext

    from ratebook.book.connection import Book

PATIENCE = 600_000
"""Milliseconds that a page may take before a test gives up: machines are slow and busy."""

NOT_NEEDED = [
    # A frame and a process for each page that is loaded, and one ready for the next, cost as much as the pages.
    *("RenderDocument", "SpareRendererForSitePerProcess"),
    # Chromium takes the last list alone, and these are what Playwright needs of its own.
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "HttpsUpgrades", "PaintHolding"),
]
SWITCHES = [
    *("--no-sandbox", "--disable-gpu", "--renderer-process-limit=1"),
    f"--disable-features={','.join(NOT_NEEDED)}",
]


@pytest.fixture(scope="session")
def federation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Book]:
    """Give the book of the invented federation."""
    folder = folder_of_run(tmp_path_factory) / "web"
    folder.mkdir(exist_ok=True)
    with closing(open_book(str(federation_book(folder)))) as book:
        yield book


@pytest.fixture(scope="module")
def written_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Give a site whose book is a copy, for tests that write to it."""
    with copied_site(tmp_path_factory) as site:
        yield site


@pytest.fixture
def own_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Give a site whose book is a copy for one test."""
    with copied_site(tmp_path_factory) as site:
        yield site


@contextmanager
def copied_site(factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Give a site whose book is a copy."""
    folder = folder_of_run(factory) / "web"
    folder.mkdir(exist_ok=True)
    copied = factory.mktemp("written") / "federation.book"
    shutil.copy(federation_book(folder), copied)
    with closing(open_book(str(copied))) as book:
        yield Site(book, Served.ALL, lambda: TODAY)


@pytest.fixture(scope="session")
def site(federation: Book, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Give the site of the invented federation, with complete tables."""
    data = tmp_path_factory.mktemp("data")
    write_data(federation, data, tuple(ENDINGS))
    return Site(federation, Served.ALL, lambda: TODAY, data=data)


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    """Give accounts of each role."""
    made = office_in(tmp_path / "web")
    yield made
    made.gate.store.close()


@pytest.fixture(scope="session")
def address(site: Site) -> Iterator[str]:
    """Give the address at which the site is served."""
    with served(create_app(site)) as address:
        yield address


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Give a real Chromium."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only tests with a browser pay for it

    path = chromium(tmp_path_factory)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=SWITCHES, timeout=PATIENCE)
        as_it_was = browser.new_context

        def patient(**given: Any) -> BrowserContext:  # noqa: ANN401 - the browser's own
            context = as_it_was(**given)
            context.set_default_timeout(PATIENCE)
            return context

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(browser, "new_context", patient)
            yield browser
        browser.close()
