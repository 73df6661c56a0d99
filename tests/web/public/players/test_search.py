"""The search for players: ratings beside the names, and a slip forgiven."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from litestar.testing import TestClient

from ratebook.book.facts.members import names_of
from ratebook.pages.crosstable import rating_text
from ratebook.pages.member import member_page
from support.web.federation import LISTS, PLAYER
from support.web.served import app_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litestar import Litestar

    from ratebook.web.site import Site

    Client = TestClient[Litestar]


@pytest.fixture(scope="module")
def browsing(site: Site) -> Iterator[Client]:
    """Give someone who asks for pages."""
    with TestClient(app_of(site), base_url="http://127.0.0.1") as client:
        yield client


@pytest.fixture(scope="module")
def name(site: Site) -> str:
    """Give the name of a player, as the book has it."""
    with site.reading() as reader:
        return names_of(reader.connection, [PLAYER])[PLAYER]


def test_the_page_of_players_has_the_search(browsing: Client) -> None:
    page = browsing.get("/players").text
    assert page.count('name="q"') == 1
    assert 'name="club"' in page


def test_who_has_typed_nothing_sees_the_highest_rated(browsing: Client) -> None:
    link = re.compile(r'href="(/players/\d+)"')
    ranked = link.findall(browsing.get("/rankings/regular").text)
    assert link.findall(browsing.get("/players").text) == ranked[:10]
    assert "Highest rated" not in browsing.get("/players?q=zzzz").text


def test_a_search_shows_the_ratings_of_those_whom_it_finds(browsing: Client, site: Site) -> None:
    page = browsing.get("/players?q=900000").text
    assert "OTB Regular" in page
    with site.reading() as reader:
        who = member_page(reader.connection, reader.federation, PLAYER, site.today())
    row = page.partition(f'href="/players/{PLAYER}"')[2].partition("</tr>")[0]
    for rating in who.ratings:
        assert f">{rating_text(rating.current)}</td>" in row


def test_part_of_an_id_that_is_one_players_leads_to_the_page(browsing: Client) -> None:
    answer = browsing.get(f"/players?q={PLAYER[2:]}", follow_redirects=False)
    assert answer.headers["location"] == f"/players/{PLAYER}"


def test_a_wrong_letter_is_forgiven(browsing: Client, name: str) -> None:
    last, _, first = name.partition(", ")
    for mistaken in (f"{last[:-1]}q {first}", f"q{last[1:]}", f"{last}x {first}x"):
        page = browsing.get("/players", params={"q": mistaken}).text
        assert "Did you mean" in page, mistaken
        assert f'href="/players/{PLAYER}"' in page, mistaken


def test_a_wrong_letter_is_forgiven_in_a_list(browsing: Client, name: str) -> None:
    last, _, first = name.partition(", ")
    address = f"/lists/{LISTS[-1]}"
    page = browsing.get(address, params={"q": f"{last[:-1]}q {first}"}).text
    assert "No one in this list has that id or name." in page
    assert f'<a href="{address}?sort=name&amp;at={PLAYER}">' in page.partition("Did you mean")[2]
    assert "Did you mean" not in browsing.get(address, params={"q": last}).text


def test_who_is_nowhere_near_is_not_offered(browsing: Client) -> None:
    page = browsing.get("/players?q=zzzzzzzz").text
    assert "Did you mean" not in page
    assert "Try a shorter part of the name" in page
