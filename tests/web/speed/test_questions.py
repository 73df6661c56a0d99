"""What a page asks of the store: few statements, however long the history is, and no large table as a whole."""

from __future__ import annotations

from contextlib import closing
from datetime import date
from typing import TYPE_CHECKING

from benchmarks.book_contents import Crowd, fill_large_book
from litestar.testing import TestClient

from ratebook.book.profile import Profile
from ratebook.office.creation import create_book
from ratebook.web.routing import KEPT
from ratebook.web.site import Served, Site
from support.office_round import ACTOR
from support.web.federation import EVENT, OTHER, PLAYER
from support.web.query_plans import scanned, statements
from support.web.routes.programs import sample_of
from support.web.routes.public import FEEDS, PAGES
from support.web.served import app_of

if TYPE_CHECKING:
    from pathlib import Path

    from litestar import Litestar

MOST = 14
"""Statements of a page: two for its tag, two for the state that it reads and the federation."""
MORE = {
    # Current and official ratings, graph, sections, titles, norms, what waits.
    "/players/{member:str}": 15,
    # When each section was rated and rated again, what waits, and what changed later.
    "/events/{event_id:str}": 17,
    "/events/{event_id:str}/{number:int}": 17,
    # A ranking of each system: current ratings, opening balances, official ratings.
    "/rankings": 21,
    # The pages of both players, their games, and the opponents of each.
    "/players/{member:str}/against/{other:str}": 26,
    # The section is rated once more.
    "/players/{member:str}/why/{event:str}/{number:int}": 34,
    "/api/v1/players/{member:str}/explanations/{event:str}/{number:int}": 24,
}
WHOLE = {
    # Who is of a state or an age group is found by reading the members once; their ratings are looked up.
    "/rankings/{system:str}": "members",
    # A part with which no word begins may stand anywhere; members are read once, along an index of names.
    "/players": "members",
    "/players/{member:str}/compare": "members",
    "/api/v1/players": "members",
}
"""Why a page may read a large table as a whole, and which."""
SIZES = (420, 2_520)
TODAY = date(2010, 3, 1)


def questions(app: Litestar) -> dict[str, str]:
    """Return an address of each page, feed and question of programs that anyone may ask, by its route."""
    asked = {
        path: sample_of(path)
        for route in app.routes
        for handler in getattr(route, "route_handlers", ())
        if handler.opt.get(KEPT) is not None
        for path in handler.paths
        if path.startswith("/api/v1/") and not path.endswith((".json", ".csv", ".ndjson"))
    }
    return asked | PAGES | FEEDS


def test_pages_ask_few_questions_that_indexes_answer(site: Site) -> None:
    app = app_of(site)
    too_many: dict[str, int] = {}
    whole: dict[str, set[str]] = {}
    with TestClient(app, base_url="http://127.0.0.1") as client:
        for route, address in questions(app).items():
            with statements(site.book) as asked:
                answer = client.get(address, follow_redirects=False)
            assert answer.status_code in {200, 303}, (address, answer.text[:300])
            said = [one for one in asked if one[0].lstrip().startswith(("SELECT", "WITH"))]
            if len(said) > MORE.get(route, MOST):
                too_many[route] = len(said)
            with site.book.reading() as connection:
                found = {part for one in said for part in scanned(connection, *one)}
            whole |= {route: found} if {one for one in found if WHOLE.get(route, "-") not in one} else {}
    assert too_many == {}
    assert whole == {}


def test_a_longer_history_asks_no_more_questions(tmp_path: Path) -> None:
    crowd = Crowd(40)
    member, other, event = crowd.id(0), crowd.id(1), "201001020001"
    counted: list[dict[str, int]] = []
    for rows in SIZES:
        place = str(tmp_path / f"{rows}.book")
        with closing(create_book(place, Profile(), ACTOR)) as book:
            fill_large_book(book, ACTOR, ledger_rows=rows, crowd=crowd)
            app = app_of(Site(book, Served.PUBLIC, lambda: TODAY))
            counted.append({})
            with TestClient(app, base_url="http://127.0.0.1") as client:
                for route, address in questions(app).items():
                    if any(part in route for part in ("/why/", "/explanations/", "/files/")):
                        # Nothing of this book was ever rated.
                        continue
                    path = address.replace(PLAYER, member).replace(OTHER, other).replace(EVENT, event)
                    with statements(book) as asked:
                        client.get(path.replace("2021-01", "2010-02"))
                    counted[-1][route] = len(asked)
    short, long = counted
    assert {route: (short[route], long[route]) for route in short if long[route] > short[route]} == {}
    assert max(short.values()) > MOST
