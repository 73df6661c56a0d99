"""Public pages are kept for everyone; whoever has signed in gets pages of their own, of which nothing is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ratebook.web.gate.visitors import COOKIE
from support.web.persons import Person
from support.web.routes.public import PAGES
from support.web.served import asked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from httpx import Response
    from litestar import Litestar
    from litestar.testing import TestClient

    from ratebook.web.site import Site
    from support.web.accounts import Office

SECTION, PLAYER = PAGES["/events/{event_id:str}/{number:int}"], PAGES["/players/{member:str}"]
SIGN_IN, CORRECT = 'href="/sign-in"', "Correct</a>"
CORRECTED_AT = {
    SECTION: SECTION.replace("/events", "/office/events"),
    PAGES["/events/{event_id:str}"]: PAGES["/events/{event_id:str}"].replace("/events", "/office/events"),
    PLAYER: PLAYER.replace("/players", "/office/members"),
}


@pytest.fixture
def client(site: Site, office: Office) -> Iterator[TestClient[Litestar]]:
    """Give a client of a site with accounts."""
    with asked(site._replace(gate=office.gate)) as client:
        yield client


def as_anyone(client: TestClient[Litestar], path: str, **headers: str) -> Response:
    """Ask for a page without a session."""
    client.cookies.clear()
    return client.get(path, headers=headers)


def test_the_office_is_named_at_the_top_of_public_pages_and_led_to_where_they_are_corrected(
    client: TestClient[Litestar], office: Office
) -> None:
    person = Person(client, office, "office")
    for path, corrected_at in CORRECTED_AT.items():
        page = person.get(path)
        assert SIGN_IN not in page.text
        assert 'href="/office"' in page.text
        assert f'<a class="button" href="{corrected_at}' in page.text
        assert person.get(corrected_at).status_code == 200


@pytest.mark.parametrize(("name", "home"), [("director", "/director"), ("administrator", "/admin")])
def test_other_roles_are_named_and_correct_nothing(
    client: TestClient[Litestar], office: Office, name: str, home: str
) -> None:
    page = Person(client, office, name).get(SECTION).text
    assert SIGN_IN not in page
    assert f'href="{home}"' in page
    assert CORRECT not in page


def test_a_page_of_someone_signed_in_is_kept_by_no_one(client: TestClient[Litestar], office: Office) -> None:
    person = Person(client, office, "office")
    first = person.get(SECTION)
    assert (first.headers["cache-control"], "etag" in first.headers) == ("no-store", False)
    before = as_anyone(client, SECTION)
    assert SIGN_IN in before.text
    assert CORRECT not in before.text
    assert person.get(SECTION).text == first.text
    assert as_anyone(client, SECTION).text == before.text


def test_a_page_from_before_signing_in_is_not_taken_for_the_one_of_now(
    client: TestClient[Litestar], office: Office
) -> None:
    kept = as_anyone(client, PLAYER)
    assert "cookie" in kept.headers["vary"].lower()
    unchanged = {"if-none-match": kept.headers["etag"]}
    assert as_anyone(client, PLAYER, **unchanged).status_code == 304
    headers = Person(client, office, "office").headers
    client.cookies.clear()
    answer = client.get(PLAYER, headers=headers | unchanged)
    assert (answer.status_code, CORRECT in answer.text) == (200, True)


def test_a_session_that_is_none_reads_what_is_kept(client: TestClient[Litestar]) -> None:
    kept = as_anyone(client, PLAYER)
    answer = as_anyone(client, PLAYER, cookie=f"{COOKIE}=of-nobody")
    assert (answer.text, answer.headers["etag"]) == (kept.text, kept.headers["etag"])
