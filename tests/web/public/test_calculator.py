"""The calculator in public: the figures of the command, and what cannot be read kept beside its finding."""

from __future__ import annotations

import json
import re
from html import unescape
from itertools import chain
from typing import TYPE_CHECKING

import pytest
from litestar.testing import TestClient

from ratebook.pages.crosstable import rating_text
from ratebook.pages.member import member_page
from support.command_line import invoke
from support.web.federation import OTHER, PLAYER
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


@pytest.mark.parametrize(
    ("typed", "results"),
    [
        ({"rating": "1500P20", "on": "2024-05-01"}, ("W1400", "W1650", "D1700")),
        ({"rating": "1500", "games": "30", "on": "2024-05-01"}, ("W1400", "LUNR", "WUNR@10")),
        ({"rating": "1500", "on": "2016-05-01", "system": "quick"}, ("L1400", "D1650")),
        ({"age": "9.5", "on": "2020-01-01"}, ("W600", "L900")),
        ({"rating": "1720", "peak": "1941", "edition": "2001"}, ("L1500", "L1600")),
        ({"rating": "1720", "edition": "1995"}, ("W1500", "W1900")),
    ],
)
def test_the_calculator_says_what_the_command_says(
    browsing: Client, typed: dict[str, str], results: tuple[str, ...]
) -> None:
    options = chain.from_iterable((f"--{name}", value) for name, value in typed.items())
    said = json.loads(invoke("estimate", *results, *options, "--json").stdout)
    games = {
        "opponent": [one[1:].replace("UNR", "unrated") for one in results],
        "result": [one[:1] for one in results],
    }
    answer = browsing.get("/calculator", params={**typed, **games})
    assert answer.status_code == 200
    figures = {
        name: unescape(value) for name, value in re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", answer.text)
    }
    assert float(figures["Rating after"]) == pytest.approx(said["rating_after"], abs=0.005)
    assert figures["Class"] == said["class"]
    assert float(figures["Performance rating"]) == pytest.approx(said["performance_rating"], abs=0.5)


@pytest.mark.parametrize(
    ("typed", "where"),
    [
        ({"rating": "15x", "opponent": "1400"}, "rating"),
        ({"rating": "9000", "opponent": "1400"}, "rating"),
        ({"rating": "1500", "opponent": "about 1400"}, "opponent-1"),
        ({"rating": "1500", "opponent": "1400", "on": "1980-01-01"}, "on"),
        ({"rating": "1500", "opponent": "1400", "on": "2005-01-01", "system": "blitz"}, "system"),
        ({"rating": "1500", "opponent": "1400", "peak": "1400"}, "peak"),
        ({"rating": "1500"}, "opponent-1"),
        ({"rating": "1500", "opponent": ""}, "opponent-1"),
        ({"opponent": ""}, "opponent-1"),
        ({"rating": "1500", "opponent": "1400", "result": ""}, "opponent-1"),
        ({"rating": "1500", "opponent": "unrated", "edition": "2001"}, "opponent-1"),
        ({"rating": "1500", "opponent": "1400", "floor": "9000"}, "floor"),
        ({"rating": "1500", "opponent": "1400", "games": "-1"}, "games"),
    ],
)
def test_what_cannot_be_read_is_kept_beside_what_is_wrong(
    browsing: Client, typed: dict[str, str], where: str
) -> None:
    answer = browsing.get("/calculator", params={"result": "W", **typed})
    assert answer.status_code == 422
    assert f'<a href="#{where}">' in answer.text
    assert f'id="{where}-wrong"' in answer.text
    for name in ("rating", "opponent", "peak"):
        assert name not in typed or f'name="{name}" value="{typed[name]}"' in answer.text


def test_a_row_without_an_opponent_does_not_move_the_results_of_others(browsing: Client) -> None:
    shown = [
        re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", browsing.get("/calculator", params=typed).text)
        for typed in (
            {"rating": "1500", "opponent": ["", "1600"], "result": ["W", "L"]},
            {"rating": "1500", "opponent": ["1600"], "result": ["L"]},
        )
    ]
    assert shown[0] == shown[1] != []


def test_rows_are_added_without_a_script_and_there_are_thirty_at_most(browsing: Client) -> None:
    assert browsing.get("/calculator").text.count('name="opponent"') == 5
    more = browsing.get(
        "/calculator", params={"rating": "1500", "opponent": ["1400"], "result": ["D"], "rows": 30}
    )
    assert (more.status_code, more.text.count('name="opponent"')) == (200, 30)
    many = browsing.get("/calculator", params={"opponent": ["1400"] * 31, "result": ["D"] * 31})
    assert (many.status_code, many.text.count('name="opponent"')) == (422, 30)


def test_no_result_is_taken_for_granted(browsing: Client) -> None:
    page = browsing.get("/calculator").text
    assert " selected" not in page.partition('class="games"')[2].partition("</ol>")[0]


def test_the_calculator_knows_the_player(browsing: Client, site: Site) -> None:
    with site.reading() as reader:
        who = member_page(reader.connection, reader.federation, PLAYER, site.today())
        other = member_page(reader.connection, reader.federation, OTHER, site.today())
    rating, theirs = who.ratings[0].current, other.ratings[0].current
    assert rating is not None
    assert theirs is not None
    page = browsing.get("/calculator", params={"player": PLAYER}).text
    assert f'name="rating" value="{rating_text(rating)}"' in page
    assert f'name="system" value="{who.ratings[0].system}"' in page
    assert not re.search(r'name="floor" value=""', page)
    surname, given = other.name.split(", ")
    for named in (OTHER, other.name):
        answer = browsing.get("/calculator", params={"player": PLAYER, "result": "W", "opponent": named})
        assert answer.status_code == 200, answer.text
        assert f"{rating.rating} →\N{NO-BREAK SPACE}" in answer.text
        assert f"{given} {surname}, {rating_text(theirs)}" in answer.text
        assert f'<td class="number">{theirs.rating}</td>' in answer.text


def test_the_page_of_a_player_asks_what_a_result_would_give(browsing: Client) -> None:
    page = browsing.get(f"/players/{PLAYER}").text
    assert '<form action="/calculator#answer"' in page
    assert f'name="player" value="{PLAYER}"' in page


def test_an_opponent_who_may_be_several_or_has_a_slip_is_chosen(browsing: Client, site: Site) -> None:
    with site.reading() as reader:
        other = member_page(reader.connection, reader.federation, OTHER, site.today())
    for typed in (other.name[0], f"{other.name.replace(', ', 'x, ')}x"):
        games = {"result": ["L", "W"], "opponent": ["1400", typed]}
        answer = browsing.get("/calculator", params={"rating": "1500", **games})
        assert answer.status_code == 422
        links = re.findall(
            r'href="(/calculator\?[^"]*opponent=1400&amp;result=L&amp;[^"]*)#answer"', answer.text
        )
        assert links, typed
        chosen = browsing.get(unescape(links[0]))
        assert chosen.status_code == 200, chosen.text
        assert re.search(r'value="9000\d{4}"', chosen.text), typed


def test_the_link_to_an_estimate_keeps_what_was_typed(browsing: Client) -> None:
    typed = {"player": PLAYER, "result": ["W", "D"], "opponent": ["1400", "unrated 10"], "floor": "1000"}
    page = browsing.get("/calculator", params=typed).text
    link = unescape(page.partition('">Link to this estimate')[0].rpartition('href="')[2])
    again = browsing.get(link).text
    short = '<p class="short">'
    assert again.partition(short)[2].partition("</p>")[0] == page.partition(short)[2].partition("</p>")[0]
    assert 'value="unrated 10"' in again
