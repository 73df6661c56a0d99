"""The office in Chromium, without script: a result is corrected, rated again with a preview, and the list published."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ratebook.book.ledger.lists import published_months
from ratebook.book.ledger.pending import read_pending
from support.web.accounts import office_in
from support.web.federation import EVENT, LISTS, TODAY
from support.web.served import app_of, served
from support.web.visits import follow, look_at, sign_in

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from ratebook.web.site import Site

pytestmark = pytest.mark.long

RESULT = "See the result"


def result_of_job(page: Page) -> None:
    """Wait for a job, whose page renews itself, and go on to its result."""
    follow(page.get_by_role("link", name=RESULT))


def test_a_corrected_result_reaches_ratings_and_the_list(
    browser: Browser, own_site: Site, tmp_path: Path
) -> None:
    office = office_in(tmp_path / "web")
    site = own_site._replace(gate=office.gate, today=lambda: TODAY.replace(day=20))
    with served(app_of(site)) as address:
        page = browser.new_context(java_script_enabled=False).new_page()
        seen: list[str] = []
        page.goto(f"{address}/office/corrections?event={EVENT}&section=1")
        sign_in(page, "office", office.code())
        page.goto(f"{address}/office/corrections?event={EVENT}&section=1")
        follow(page.get_by_role("link", name="Correct a result"))
        page.get_by_label("Seat").fill("1")
        page.get_by_label("Round").fill("1")
        page.get_by_label("Result", exact=True).select_option("D")
        page.get_by_label("Reason").fill("score sheet of both players")
        follow(page.get_by_role("button", name="Preview"))
        assert page.get_by_text("round 1: win → draw").count() == 1
        follow(page.get_by_role("button", name="Record, and re-rate later"))
        seen.append(page.url)
        follow(page.get_by_role("link", name="see what it would do"))
        follow(page.get_by_role("button", name="Preview the re-rating"))
        result_of_job(page)
        seen.append(page.url)
        with site.reading() as reader:
            assert read_pending(reader.connection)
        follow(page.get_by_role("button", name="Rate again"))
        result_of_job(page)
        seen.append(page.url)
        with site.reading() as reader:
            assert not read_pending(reader.connection)
        page.goto(f"{address}/office/verify")
        follow(page.get_by_role("button", name="Verify everything"))
        result_of_job(page)
        assert page.get_by_text("Nothing differs.").count() == 1
        seen.append(page.url)
        follow(page.get_by_role("link", name="Official lists"))
        follow(page.get_by_role("link", name="Preview March 2021"))
        follow(page.get_by_role("button", name="Publish the list of March 2021"))
        result_of_job(page)
        seen.append(page.url)
        with site.reading() as reader:
            assert published_months(reader.connection) == [*LISTS, "2021-03"]
        follow(page.get_by_role("link", name="Job").last)
        seen.append(page.url)
        # What looks for mistakes in a page is a script.
        other = browser.new_context(storage_state=page.context.storage_state())
        looked_at = other.new_page()
        for place in seen:
            looked_at.goto(place)
            look_at(looked_at)
        other.close()
        page.context.close()
    office.gate.store.close()
