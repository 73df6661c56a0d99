"""The first page, whose figures are those of the whole ledger; what the profile says of pages of players."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from litestar.testing import TestClient
from sqlalchemy import select

from ratebook.book import schema
from ratebook.book.connection import Actor
from ratebook.book.events import read_sections
from ratebook.book.figures.federation import activity_since, biggest_changes, distribution, last_day
from ratebook.book.profile import read_federation
from ratebook.model import System
from ratebook.office.decisions.revision import Reason
from ratebook.office.profile import adjust_profile
from ratebook.records.federation import RatingBand
from ratebook.web.pictures.histogram import HistogramBar, histogram, quantile
from support.web.federation import LISTS, PLAYER
from support.web.routes.public import PAGES
from support.web.served import app_of

if TYPE_CHECKING:
    from ratebook.book.connection import Book
    from ratebook.web.site import Site

SINCE = date(2020, 10, 1)
CONTACT = "ratings@league.example"
OF_PLAYERS = [path for path in PAGES.values() if path.startswith("/players")] + [
    f"/players/{PLAYER}/feed.atom",
    f"/api/v1/players/{PLAYER}",
]
OTHERS = ["/", "/events", "/about", "/robots.txt"]


def test_activity_is_that_of_the_stored_sections(federation: Book) -> None:
    with federation.reading() as connection:
        everything = [each.section for each in read_sections(connection)]
        assert last_day(connection) == max(section.end for section in everything)
        sections = [section for section in everything if section.end >= SINCE]
        games = sum(
            cell.letter in "WDL" and cell.opponent is not None and cell.opponent > entry.seat
            for section in sections
            for entry in section.entries
            for cell in entry.rounds
        )
        activity = activity_since(connection, SINCE)
        assert (activity.games, activity.sections) == (games, len(sections))
        assert games > 0
        nothing = activity_since(connection, date(2030, 1, 1))
    assert (nothing.games, nothing.sections) == (0, 0)


def test_a_list_that_is_published_before_its_month_says_from_when_it_is_official(site: Site) -> None:
    before = site._replace(today=lambda: date(2021, 1, 31))
    with TestClient(app_of(before), base_url="http://127.0.0.1") as client:
        pages = {
            path: client.get(path).text for path in ("/", "/lists", f"/players/{PLAYER}", "/rankings/regular")
        }
        assert all("are official from 1 February 2021 on." in page for page in pages.values())
        assert "Official from 1 February 2021" in client.get(f"/lists/{LISTS[-1]}").text
        assert "official from" not in client.get(f"/lists/{LISTS[1]}").text


def test_the_biggest_changes_are_those_of_all_rows(federation: Book) -> None:
    ledger = schema.ledger
    with federation.reading() as connection:
        rows = connection.execute(select(ledger)).all()
        established = [
            row
            for row in rows
            if row.superseded_by is None
            and row.section_id is not None
            and row.source == "rated"
            and row.place >= SINCE.isoformat()
            and (row.games_before is None or row.games_before > 25)
        ]
        established.sort(key=lambda row: -abs(row.rating - row.rating_before))
        rose = [row for row in established if row.rating > row.rating_before]
        fell = [row for row in established if row.rating < row.rating_before]
        changes = biggest_changes(connection, SINCE, 3)
    assert min(len(rose), len(fell)) > 3
    assert [(each.player, each.system.value) for each in changes] == [
        (row.member_id, row.system) for row in (*rose[:3], *fell[:3])
    ]


def test_the_distribution_is_that_of_the_list(federation: Book) -> None:
    published = schema.published_ratings
    with federation.reading() as connection:
        ratings = [
            row.rating
            for row in connection.execute(select(published))
            if row.list_id == LISTS[-1] and row.system == "regular"
        ]
        bands = distribution(connection, LISTS[-1], System.REGULAR)
    assert bands == tuple(
        RatingBand(least=least, players=sum(least <= rating < least + 100 for rating in ratings))
        for least in range(min(ratings) // 100 * 100, max(ratings) + 1, 100)
    )


def test_bars_are_as_high_as_they_have_players() -> None:
    bands = (RatingBand(least=1000, players=1), RatingBand(least=1100, players=4))
    drawn = histogram(bands, 1150.0)
    assert drawn is not None
    assert drawn.bars == (
        HistogramBar(30, 440, 250, "1 from 1000 to 1099", is_here=False),
        HistogramBar(530, 440, 1000, "4 from 1100 to 1199", is_here=True),
    )
    assert drawn.here is not None
    assert (drawn.here.at, drawn.here.text) == (750, "1150 is here")
    # One of the first hundred and half of the four of the second: three of five.
    assert drawn.words.endswith(" 1150 is higher than 60 in 100.")
    # Five players: half of them are 2.5, of whom 1.5 of the 4 in the second hundred.
    assert quantile(bands, 0.5) == 1140
    assert histogram(()) is None


def test_the_first_page_shows_figures_events_and_the_list(site: Site) -> None:
    with TestClient(app_of(site), base_url="http://127.0.0.1") as client:
        page = client.get("/").text
    assert "Look up any rating" in page
    assert "Games, 30 days" in page
    assert "Feb 2021" in page
    assert page.count('<time class="date"') > 0


def test_a_book_without_events_has_a_first_page(site: Site) -> None:
    """Its figures are noughts, and nothing is divided by them."""
    with site.book.reading() as connection:
        assert biggest_changes(connection, date.max - timedelta(days=1), 5) == ()
        assert distribution(connection, "1999-01", System.REGULAR) == ()


def test_the_profile_says_who_is_asked_and_what_may_be_listed(written_site: Site) -> None:
    with TestClient(app_of(written_site), base_url="http://127.0.0.1") as client:

        def listed(path: str) -> bool:
            answer = client.get(path)
            assert answer.status_code == 200
            return "noindex" not in answer.headers.get("x-robots-tag", "") and "noindex" not in answer.text

        assert not any(map(listed, OF_PLAYERS))
        assert all(map(listed, OTHERS))
        assert CONTACT not in client.get("/about").text
        with written_site.reading() as reader:
            profile = read_federation(reader.connection).profile
        changed = profile._replace(contact=CONTACT, search_engines=True)
        why = Reason(Actor("office", "2026-11-20T12:00:00Z"), "the board", ["all"])
        adjust_profile(written_site.book, changed, why)
        assert all(map(listed, OF_PLAYERS))
        for path in ("/about", "/privacy", "/accessibility"):
            assert CONTACT in client.get(path).text
