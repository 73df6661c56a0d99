"""Two players beside each other: led to from a player's page, by a name or an id."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from litestar.testing import TestClient

from ratebook.model import System
from ratebook.pages.crosstable import rating_text
from ratebook.pages.member import member_page
from ratebook.pages.players.comparison import NextGame
from ratebook.records.system_titles import SYSTEM_TITLES
from ratebook.web.layout.words import person_name
from support.web.federation import OTHER, PLAYER
from support.web.served import app_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litestar import Litestar

    from ratebook.records.players import Player
    from ratebook.web.site import Site

    Client = TestClient[Litestar]


@pytest.fixture(scope="module")
def browsing(site: Site) -> Iterator[Client]:
    """Give someone who asks for pages."""
    with TestClient(app_of(site), base_url="http://127.0.0.1") as client:
        yield client


@pytest.fixture(scope="module")
def both(site: Site) -> tuple[Player, ...]:
    """Give two players as their pages have them."""
    with site.reading() as reader:
        return tuple(
            member_page(reader.connection, reader.federation, member, site.today())
            for member in (PLAYER, OTHER)
        )


def test_the_page_of_a_player_leads_to_a_comparison(browsing: Client, both: tuple[Player, ...]) -> None:
    assert f'href="/players/{PLAYER}/compare"' in browsing.get(f"/players/{PLAYER}").text
    for named in (OTHER, both[1].name):
        answer = browsing.get(f"/players/{PLAYER}/compare", params={"with": named}, follow_redirects=False)
        assert answer.headers["location"] == f"/players/{PLAYER}/against/{OTHER}"


def test_who_may_be_meant_is_listed(browsing: Client, both: tuple[Player, ...]) -> None:
    for named in (both[1].name[0], f"{both[1].name}x"):
        page = browsing.get(f"/players/{PLAYER}/compare", params={"with": named}).text
        assert f'href="/players/{PLAYER}/against/{OTHER}"' in page
        own = browsing.get(f"/players/{OTHER}/compare", params={"with": named}).text
        assert f"/players/{OTHER}/against/{OTHER}" not in own
    assert "No player was found" in browsing.get(f"/players/{PLAYER}/compare?with=zzzzzzz").text


def test_ratings_records_and_common_opponents_are_shown(browsing: Client, both: tuple[Player, ...]) -> None:
    page = browsing.get(f"/players/{PLAYER}/against/{OTHER}?system=regular").text
    for player in both:
        for rating in player.ratings:
            assert f">{rating_text(rating.current)}</td>" in page
    assert "common opponent" in page
    records = page.partition("All games, OTB Regular")[2].partition("</table>")[0]
    for player in both:
        games = browsing.get(f"/api/v1/players/{player.id}/games").json()["items"]
        won = sum(game["score"] == 1 for game in games)
        row = records.partition(person_name(player.name))[2].partition("</tr>")[0]
        assert f" of {len(games)}</td>" in row
        assert f">{won}</td>" in row


@pytest.mark.parametrize("asked", ["", "?system=quick"])
def test_the_ratings_of_both_are_lines_of_one_graph(browsing: Client, asked: str) -> None:
    page = browsing.get(f"/players/{PLAYER}/against/{OTHER}{asked}").text
    lines = re.findall(r'<path class="curve (\S+)" d="[^"]+" data-why="([^"]+)" data-system="(\S+)"', page)
    assert len({system for _, _, system in lines}) == 1
    assert f"Next game, {SYSTEM_TITLES[System(lines[0][2])]}" in page
    assert lines[1][0] == "second"
    assert [why for _, why, _ in lines] == [f"/players/{member}/why/" for member in (PLAYER, OTHER)]


def test_each_player_has_a_card_that_leads_to_the_own_page(
    browsing: Client, both: tuple[Player, ...]
) -> None:
    page = browsing.get(f"/players/{PLAYER}/against/{OTHER}").text
    cards = page.partition('<div class="cards">')[2].partition("Score</span>")[0]
    for player in both:
        card = cards.partition(f'href="/players/{player.id}?system=')[2].partition("</a>")[0]
        assert person_name(player.name) in card
        shown = [rating.current.rating for rating in player.ratings if rating.current]
        assert any(f'<span class="big">{rating}</span>' in card for rating in shown)


def test_nobody_is_certain_of_a_game() -> None:
    # By the formula of chess, 1 / (1 + 10 ** (-gap / 400)).
    words = {
        gap: NextGame(System.REGULAR, gap, 1 / (1 + 10 ** (-gap / 400))) for gap in (0, 200, 1, -900, 1500)
    }
    assert [(game.figure, game.gap_words) for game in words.values()] == [
        ("0.50", "rated the same"),
        ("0.76", "rated 200 points higher"),
        ("0.50", "rated 1 point higher"),
        ("under 0.01", "rated 900 points lower"),
        ("over 0.99", "rated 1,500 points higher"),
    ]
