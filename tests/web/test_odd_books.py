"""A book of everything that is rare, in the browser and for programs: nothing fails, and both say the same ratings."""

from __future__ import annotations

import re
from contextlib import closing
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from litestar.testing import TestClient

from ratebook.model import System
from ratebook.records.system_titles import SYSTEM_TITLES
from ratebook.web.gate.visitors import COOKIE
from ratebook.web.rendering import static_files
from ratebook.web.site import Served, Site
from support.book_reports import member_id
from support.odd.books import NAMES, TODAY, odd_book
from support.odd.tables import Tables
from support.web.accounts import ADDRESS, HOST, Office, office_in
from support.web.addresses import addresses, all_paths, public_paths
from support.web.routes.public import values_in
from support.web.routes.rows import COLUMNS
from support.web.served import app_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from httpx import Response
    from litestar import Litestar

    from ratebook.book.connection import Book

MEMBERS = [member_id(at) for at, _ in enumerate(NAMES, start=1)]
WAITS = 503, "A re-rating will rate it again"
"""The answer to who asks for the reasons of a rating that is to be computed again."""
OK, FAILED = 200, 500
LEAST_EVENTS = 12
"""Events that have ratings, of which pages and programs must say the same."""


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Book]:
    """Give the book; the commands are walked in both stores (tests/cli/book/test_odd_books.py)."""
    folder = tmp_path_factory.mktemp("odd")
    with closing(odd_book(str(folder / "odd.book"), folder)) as book:
        yield book


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """Give accounts of each role."""
    made = office_in(tmp_path_factory.mktemp("odd-web") / "web")
    yield made
    made.gate.store.close()


@pytest.fixture(scope="module")
def app(book: Book, office: Office) -> Litestar:
    """Give one application with all rooms."""
    return app_of(Site(book, Served.ALL, lambda: TODAY, office.gate), HOST)


@pytest.fixture(scope="module")
def client(app: Litestar) -> Iterator[TestClient[Litestar]]:
    """Give a client that follows nothing by itself, and to which failures are answers."""
    with TestClient(app, base_url=ADDRESS, raise_server_exceptions=False) as client:
        client.follow_redirects = False
        yield client


@pytest.fixture(scope="module")
def events(book: Book) -> list[str]:
    """Give the ids of all events."""
    with book.reading() as connection:
        return sorted(connection.exec_driver_sql("SELECT id FROM events").scalars())


@pytest.fixture(scope="module")
def values(book: Book) -> dict[str, list[str]]:
    """Give what the parameters of addresses can be."""
    return {
        **values_in(book),
        "member": MEMBERS,
        "other": MEMBERS[:2],
        "name": [static_files()["style.css"].name],
        "link": ["link"],
    }


def in_rooms(values: dict[str, list[str]], book: Book) -> dict[str, list[str]]:
    """Return the values for addresses of rooms, in which numbers are those of submissions and decisions."""
    with book.reading() as connection:
        numbers = list(map(str, connection.exec_driver_sql("SELECT id FROM submissions").scalars()))
    return values | {
        "number": numbers,
        "section": ["1"],
        "seat": ["1", "2"],
        "in_round": ["1"],
        "played": ["1"],
        "word": ["result", "floor", "rating", "prize", "facts"],
        "rule": ["bonus_multiplier", "no rule"],
        "kind": ["members", "opening-balances", "reports"],
        "name": ["tried", "typed"],
        "link": ["link"],
    }


def test_no_public_address_fails(
    client: TestClient[Litestar], app: Litestar, values: dict[str, list[str]]
) -> None:
    asked = list(addresses(public_paths(app, endings=True), values))
    assert [one for one in asked if failed(client.get(one))] == []
    assert len(asked) > len(MEMBERS) * len(values["event"])


def test_no_address_of_a_room_fails(
    client: TestClient[Litestar], app: Litestar, office: Office, values: dict[str, list[str]], book: Book
) -> None:
    """The office asks for each address, the others for one of each path."""
    paths = all_paths(app) - public_paths(app, endings=True)
    of_events = {path for path in paths if "{event:" in path}
    by_path = {path: list(addresses([path], values)) for path in of_events}
    by_path |= {path: list(addresses([path], in_rooms(values, book))) for path in paths - of_events}
    by_path["filters"] = [f"/office/{records}?subject=book" for records in ("decisions", "audit")]
    for name in COLUMNS:
        cookies = {} if name == "nobody" else {"cookie": f"{COOKIE}={office.signed_in(name).token}"}
        client.cookies.clear()
        asked = [one for those in by_path.values() for one in (those if name == "office" else those[:1])]
        answers = {one: client.get(one, headers=cookies) for one in asked}
        assert [one for one, answer in answers.items() if failed(answer)] == []
        let_in = answers[f"/office/members/{MEMBERS[0]}"].status_code == OK
        assert let_in == (name == "office")


def failed(answer: Response) -> bool:
    """Return whether an answer is a failure of the server."""
    status, words = WAITS
    return answer.status_code >= FAILED and not (answer.status_code == status and words in answer.text)


def shown(rating: dict[str, Any] | None) -> str:
    """Return a rating that programs read as a page must show it."""
    if rating is None:
        return "unrated"
    games = rating["provisional_games"]
    return str(rating["rating"]) if games is None else f"{rating['rating']}P{games:g}"


RATING_CARD = re.compile(
    r'<span class="label"><span class="dot [^>]*></span>([^<]+)</span>\s*<span class="row">'
    r'<span class="big">([^<]+)</span>'
    r".*?(?:official (\d+)|no official rating)</span>"
    r'(?:<span class="badge gold">provisional, ([\d.]+) games)?',
    re.DOTALL,
)


def in_card(rating: dict[str, Any]) -> tuple[str, str, str]:
    """Return what the card of a rating shows: the rating, the official one, the games of a provisional one."""
    current, official = rating["current"], rating["official"]
    games = None if current is None else current["provisional_games"]
    return (
        "–" if current is None else str(current["rating"]),  # noqa: RUF001 - as on the page
        "" if official is None else str(official["rating"]),
        "" if games is None else f"{games:g}",
    )


@pytest.mark.parametrize("member", MEMBERS)
def test_the_page_of_a_player_and_programs_say_the_same_ratings(
    client: TestClient[Litestar], member: str
) -> None:
    address = f"/players/{member}"
    if client.get(address).is_redirect:
        address = client.get(address).headers["location"]
    cards = RATING_CARD.findall(client.get(address).text)
    said = client.get(f"/api/v1/{address}".replace("//", "/")).json()["ratings"]
    assert cards == [(SYSTEM_TITLES[one["system"]], *in_card(one)) for one in said]
    history = Tables(client.get(f"{address}/history").text).by_caption
    items = client.get(f"/api/v1/{address}/history?limit=200".replace("//", "/")).json()["items"]
    lines = history.get("Rated sections, newest first", [])
    assert [(one["Before"], one["After"]) for one in lines] == [
        (shown(one["before"]), shown(one["after"])) for one in items
    ]


def test_a_crosstable_and_programs_say_the_same_ratings(
    client: TestClient[Litestar], events: list[str]
) -> None:
    compared, half_games = set(), 0
    for event in events:
        address = f"/events/{quote(event, safe='')}"
        for system in System:
            page = client.get(f"{address}/1?system={system}")
            assert page.status_code == OK, event
            asked = f"/api/v1{address}/sections/1/standings?system={system}"
            items = client.get(asked).json()["items"]
            rows = Tables(page.text).by_caption.get(f"Crosstable, {SYSTEM_TITLES[system]}", [])
            assert [(one["No."], one["Before"], one["After"]) for one in rows] == [
                (str(one["seat"]), shown(one["before"]), shown(one["after"])) for one in items
            ]
            compared |= {event} if items else set()
            half_games += sum("." in shown(one["after"]) for one in items)
    assert len(compared) >= LEAST_EVENTS
    assert half_games
