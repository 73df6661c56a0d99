"""What is official is what the newest published list says, on pages and for programs."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

import pytest
from litestar.testing import TestClient

from ratebook.book.ledger.lists import ratings_in_lists
from ratebook.records.record import plain
from ratebook.web.gate.visitors import COOKIE
from support.web.accounts import ADDRESS, HOST
from support.web.federation import LISTS, PLAYER
from support.web.served import app_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litestar import Litestar

    from ratebook.web.site import Site
    from support.web.accounts import Office

NEWEST, DUE = LISTS[-1], date(2021, 5, 3)
MISSING = "The official list of May 2021 is not published yet."
WOULD_SAY = "What the list of May 2021 would say"


@pytest.fixture
def browser_in_may(site: Site, office: Office) -> Iterator[TestClient[Litestar]]:
    """Look at the federation in a month whose list nobody has published."""
    app = app_of(site._replace(today=lambda: DUE, gate=office.gate), HOST)
    with TestClient(app, base_url=ADDRESS) as client:
        yield client


def test_programs_read_the_newest_published_list_and_its_month(
    browser_in_may: TestClient[Litestar], site: Site
) -> None:
    with site.reading() as reader:
        listed = ratings_in_lists(reader.connection, [NEWEST], [PLAYER])[NEWEST, PLAYER]
    expected = {str(system): plain(rating) for system, rating in listed.items()}
    said = browser_in_may.get(f"/api/v1/players/{PLAYER}").json()
    assert (said["official_list"], said["missing_list"]) == (NEWEST, "2021-05")
    assert {one["system"]: one["official"] for one in said["ratings"] if one["official"]} == expected
    on_the_day = browser_in_may.get(f"/api/v1/players/{PLAYER}/official-ratings?on={DUE}").json()["items"]
    assert {one["system"]: one["official"] for one in on_the_day} == expected
    assert {one["month"] for one in on_the_day} == {NEWEST}


def test_pages_say_that_a_list_is_not_published_and_never_what_it_would_say(
    browser_in_may: TestClient[Litestar],
) -> None:
    for address in ("/", "/lists", "/rankings/regular", f"/players/{PLAYER}"):
        page = browser_in_may.get(address).text
        assert MISSING in page, address
        assert "Official, May 2021" not in page, address
        assert WOULD_SAY not in page, address
    # The player's page has the month beside official ratings.
    assert re.search(r'<span title="February 2021">official \d+<', page)


def test_the_office_alone_sees_what_the_list_would_say(
    browser_in_may: TestClient[Litestar], office: Office
) -> None:
    cookies = {"cookie": f"{COOKIE}={office.signed_in('office').token}"}
    text = browser_in_may.get(f"/office/members/{PLAYER}", headers=cookies).text
    assert MISSING in text
    assert WOULD_SAY in text


def test_nothing_is_said_of_lists_that_are_published(site: Site) -> None:
    with TestClient(app_of(site, HOST), base_url=ADDRESS) as client:
        for address in ("/", "/lists", "/rankings/regular", f"/players/{PLAYER}"):
            page = client.get(address)
            assert page.status_code == 200
            assert "not published yet" not in page.text
