"""What the federation's profile says of its pages: whom to ask, and whether search engines may list players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litestar.testing import TestClient

from ratebook.book.connection import Actor
from ratebook.book.profile import read_federation
from ratebook.office.decisions.revision import Reason
from ratebook.office.decisions.rules import adjust_profile
from support.web.federation import PLAYER
from support.web.routes.public import PAGES
from support.web.served import app_of

if TYPE_CHECKING:
    from ratebook.web.site import Site

CONTACT = "ratings@league.example"
OF_PLAYERS = [path for path in PAGES.values() if path.startswith("/players")] + [
    f"/players/{PLAYER}/feed.atom",
    f"/api/v1/players/{PLAYER}",
]
OTHERS = ["/", "/events", "/about", "/robots.txt"]


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
