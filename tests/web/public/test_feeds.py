"""Atom feeds: what RFC 4287 asks for, and that they say what the pages say."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import pytest
from litestar.testing import TestClient

from ratebook.book.facts.members import person_of
from ratebook.book.ledger.history import rating_series
from ratebook.book.ledger.lists import published_months
from ratebook.model import System
from support.web.federation import PLAYER
from support.web.routes.public import FEEDS
from support.web.served import app_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litestar import Litestar

    from ratebook.web.site import Site

pytestmark = pytest.mark.long

ATOM = "{http://www.w3.org/2005/Atom}"
HOSTS = ("ratings.example", "www.ratings.example")


@pytest.fixture(scope="module")
def readers(site: Site) -> Iterator[TestClient[Litestar]]:
    with TestClient(app_of(site, *HOSTS), base_url=f"https://{HOSTS[0]}") as client:
        yield client


def text_of(within: ET.Element, name: str) -> str:
    """Return the text of the one element of a name."""
    (found,) = within.findall(ATOM + name)
    return found.text or ""


def links_of(within: ET.Element) -> dict[str, str]:
    return {one.attrib["rel"]: one.attrib["href"] for one in within.findall(f"{ATOM}link")}


@pytest.mark.parametrize("path", FEEDS.values(), ids=FEEDS.keys())
def test_a_feed_is_valid_and_its_links_lead_to_pages(readers: TestClient[Litestar], path: str) -> None:
    answer = readers.get(path)
    assert answer.headers["content-type"].startswith("application/atom+xml")
    feed = ET.fromstring(answer.content)  # noqa: S314 - made by the program itself
    assert feed.tag == f"{ATOM}feed"
    entries = feed.findall(f"{ATOM}entry")
    moments = []
    for element in (feed, *entries):
        assert text_of(element, "id").startswith("urn:uuid:")
        assert text_of(element, "title")
        moments.append(datetime.fromisoformat(text_of(element, "updated")))
        assert moments[-1].tzinfo is not None
        for address in links_of(element).values():
            assert urlsplit(address).netloc == HOSTS[0]
    for address in {link for one in entries for link in links_of(one).values()}:
        assert readers.get(address).status_code == 200
    (author,) = feed.findall(f"{ATOM}author")
    assert text_of(author, "name") == "Example Federation"
    assert links_of(feed)["self"] == f"https://{HOSTS[0]}{path}"
    assert readers.get(links_of(feed)["alternate"]).text.count(f'href="{path}"') >= 1
    ids = [text_of(one, "id") for one in (feed, *entries)]
    assert len(ids) == len(set(ids)) > 2
    assert moments[0] == max(moments[1:])
    again = readers.get(path, headers={"if-none-match": answer.headers["etag"]})
    assert again.status_code == 304
    elsewhere = ET.fromstring(readers.get(f"https://{HOSTS[1]}{path}").content)  # noqa: S314 - as above
    assert [text_of(one, "id") for one in elsewhere.findall(f"{ATOM}entry")] == ids[1:]
    assert urlsplit(links_of(elsewhere)["self"]).netloc == HOSTS[1]


def test_a_players_feed_has_each_rating_and_each_official_list(
    readers: TestClient[Litestar], site: Site
) -> None:
    feed = ET.fromstring(readers.get(FEEDS["/players/{member:str}/feed.atom"]).content)  # noqa: S314 - as above
    titles = [text_of(one, "title") for one in feed.findall(f"{ATOM}entry")]
    with site.reading() as reader:
        series = rating_series(reader.connection, PLAYER).points[System.REGULAR]
        months = published_months(reader.connection)
        member = person_of(reader.connection, PLAYER).player
    assert sum(one.startswith("OTB Regular ") for one in titles) == len(series)
    assert [one.partition(":")[0] for one in titles if one.startswith("Official")] == [
        f"Official in {datetime.fromisoformat(f'{month}-01'):%B %Y}" for month in reversed(months)
    ]
    surname, given = member.name.split(", ")
    assert text_of(feed, "title") == f"{given} {surname}: ratings"
