"""Rankings in public: by state and age group, which count on 1 January."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest
from litestar.testing import TestClient

from ratebook.book.ledger import history
from ratebook.book.profile import read_federation
from ratebook.model import System
from ratebook.pages.official.ranking import AGE_BANDS, ranking
from ratebook.web.public import rankings
from support.web.federation import PLAYER, TODAY
from support.web.served import app_of

if TYPE_CHECKING:
    from ratebook.book.connection import Book
    from ratebook.records.federation import RankingPlace
    from ratebook.web.site import Site


def ranked(book: Book, band: str, today: date = TODAY, state: str = "OR") -> list[RankingPlace]:
    """Return a ranking of an age group."""
    with book.reading() as connection:
        federation = read_federation(connection)
        return ranking(connection, federation, System.REGULAR, today=today, most=100, band=band, state=state)


@pytest.mark.parametrize("band", ["", *AGE_BANDS])
def test_a_ranking_of_few_is_that_of_all_who_are_meant(
    federation: Book, monkeypatch: pytest.MonkeyPatch, band: str
) -> None:
    looked_up = ranked(federation, band)
    monkeypatch.setattr(history, "FEW_MEMBERS", 0)
    assert looked_up == ranked(federation, band)
    assert looked_up or band
    assert ranked(federation, band, state="NOWHERE") == []


def test_no_day_within_a_year_tells_a_birthday(federation: Book) -> None:
    for band in ("u12", "u16", "u20"):
        first = [one.player for one in ranked(federation, band, date(2021, 1, 1))]
        for days in range(0, 365, 13):
            day = date(2021, 1, 1) + timedelta(days)
            assert [one.player for one in ranked(federation, band, day)] == first


def test_who_is_looked_for_is_led_to_and_marked(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rankings, "PLACES_SHOWN", 3)
    places = ranked(site.book, "", site.today(), state="")
    at = next(at for at, place in enumerate(places) if place.player == PLAYER)
    assert at >= 3, "the player is on a later page"
    with TestClient(app_of(site), base_url="http://127.0.0.1") as client:
        answer = client.get(f"/rankings/regular?q={PLAYER}", follow_redirects=False)
        where = answer.headers["location"]
        assert where == f"/rankings/regular?q={PLAYER}&page={at // 3 + 1}#player-{PLAYER}"
        page = client.get(where).text
        assert page.count('class="sought"') == 1
        assert f'<tr id="player-{PLAYER}" class="sought">' in page
        assert [place.player for place in places[at // 3 * 3 :][:3]] == re.findall(r'id="player-(\w+)"', page)
        assert "is not among the" in client.get("/rankings/regular?q=zzzzz").text
        near = client.get("/rankings/regular?q=Hornbem").text
        assert f'Did you mean <a href="?q={PLAYER}">Martha Hornbeam</a>' in near


def test_a_state_is_one_of_those_that_occur_and_stays_chosen(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rankings, "PLACES_SHOWN", 2)
    with TestClient(app_of(site), base_url="http://127.0.0.1") as client:
        page = client.get("/rankings/regular?state=oregon").text
        choice = page.partition('<select id="state"')[2].partition("</select>")[0]
        offered = re.findall(r'value="(\w+)"( selected)?>([\w ]+)<', choice)
        occurring = {place.state for place in ranked(site.book, "", site.today(), state="")}
        assert {code for code, _, _ in offered} >= occurring - {""}
        assert [name for _, chosen, name in offered if chosen] == ["Oregon"]
        assert "<h1>Ranking: OTB Regular, Oregon</h1>" in page
        assert all(f'href="/rankings/{system}?state=OR"' in page for system in System)
        assert 'href="?state=OR&amp;page=2"' in page


def test_places_further_down_are_those_of_the_whole_ranking(federation: Book) -> None:
    with federation.reading() as connection:
        profile = read_federation(connection)
        whole = ranking(connection, profile, System.REGULAR, today=TODAY, most=100)
        part = ranking(connection, profile, System.REGULAR, today=TODAY, most=100, skip=5)
    assert part == whole[5:]
    assert part


def test_an_age_group_has_one_page(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rankings, "PLACES_SHOWN", 2)
    with TestClient(app_of(site), base_url="http://127.0.0.1") as client:
        first, second = (client.get(f"/rankings/regular?age=u20&page={number}").text for number in (1, 2))
        assert re.findall(r'id="player-(\w+)"', first) == re.findall(r'id="player-(\w+)"', second)
        assert re.findall(r'id="player-(\w+)"', client.get("/rankings/regular?page=2").text) == [
            place.player for place in ranked(site.book, "", site.today(), state="")[2:4]
        ]
        assert 'rel="next"' not in first


def test_the_trend_is_that_of_the_official_lists(site: Site) -> None:
    with TestClient(app_of(site), base_url="http://127.0.0.1") as client:
        page = client.get("/rankings/regular").text
        months = client.get(f"/api/v1/players/{PLAYER}/official-ratings").json()["items"]
    official = [
        line["official"]["rating"]
        for line in sorted(months, key=lambda line: str(line["month"]))
        if line["system"] == "regular"
    ]
    row = next(row for row in page.split("<tr") if f'id="player-{PLAYER}"' in row)
    assert f'aria-label="from {official[0]} to {official[-1]}"' in row
