"""What is public does not tell the age of a newcomer, and an erased player is gone at once: all routes, by themselves.

WEB section 5: two books that differ in the birth date of an unrated player differ nowhere in public, unless ratings
that are published differ.
"""

from __future__ import annotations

import re
import shutil
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from litestar.testing import TestClient
from sqlalchemy import select

from ratebook.book import schema
from ratebook.book.connection import Actor, open_book
from ratebook.book.facts.members import MemberFacts, write_members
from ratebook.book.profile import Profile
from ratebook.model import System
from ratebook.office.creation import create_book
from ratebook.office.decisions.events import GameResult, correct_result
from ratebook.office.decisions.revision import Reason, SectionRef
from ratebook.office.erasure.erase import erase
from ratebook.office.publish.data_files import write_data
from ratebook.office.publish.lists import publish
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from ratebook.rating.formulas import rounded
from ratebook.web.site import Served, Site
from support.book_reports import member_id, open_at, report, send
from support.web.addresses import public_addresses
from support.web.routes.public import values_in
from support.web.served import app_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratebook.book.connection import Book

pytestmark = pytest.mark.long

ACTOR = Actor("office", "2026-04-20T12:00:00Z")
WHY = Reason(ACTOR, "as the players say", ["all"])
TODAY = date(2026, 4, 20)
MONTH = "2026-04"
HOSTS = ("testserver", "testserver.local")
EVENTS = ("202601100001", "202602100001")
RATED, NEWCOMER, BORN = 4, 5, date(2014, 6, 1)
SHIFTS = (500, 120, 30, 7)
"""Days by which a newcomer may be older; the largest that leaves the published ratings as they are is taken."""


class Played(NamedTuple):
    """Opening ratings of four players, and the results of six rounds: each of the first five meets the newcomer."""

    ratings: tuple[int, ...]
    results: str


SEAL = re.compile(r"\b\d+:[0-9a-f]{64}\b")
"""On official lists: no two books have the same, whatever they hold, since every link has a salt."""


def rounds_of(results: str) -> list[str]:
    """Return the cells of five seats who all meet, each pair once; *results* are those of the lower seat."""
    other = {"W": "L", "L": "W", "D": "D"}
    cells: list[list[str]] = [[] for _ in range(NEWCOMER)]
    pairs = [(one, two) for one in range(1, NEWCOMER) for two in range(one + 1, NEWCOMER + 1)]
    for (one, two), result in zip(pairs, results, strict=True):
        for seat in range(1, NEWCOMER + 1):
            mine = f"{result}{two}" if seat == one else f"{other[result]}{one}" if seat == two else "U"
            cells[seat - 1].append(mine)
    return [" ".join(each) for each in cells]


GAMES = NEWCOMER * (NEWCOMER - 1) // 2
PLAYED = st.builds(
    Played,
    st.tuples(*(st.integers(400, 2300) for _ in range(RATED))),
    st.text("WLD", min_size=GAMES, max_size=GAMES),
)


def rated_book(place: Path, empty: Path, played: Played, born: date) -> Book:
    """Make a book in which a newcomer *born* on a day met four rated players; there is a list, and a re-rating."""
    shutil.copy(empty, place)
    book = open_book(str(place))
    with book.writing() as connection:
        write_members(
            connection,
            [
                MemberFacts(
                    member_id(number),
                    f"EXAMPLE, PLAYER {number}",
                    born if number == NEWCOMER else date(1980, 1, 1),
                    state="NY",
                )
                for number in range(1, NEWCOMER + 1)
            ],
        )
    for number, rating in enumerate(played.ratings, start=1):
        open_at(book, number, float(rating), ACTOR, peak=float(rating))
    everyone = list(range(1, NEWCOMER + 1))
    first = report(
        "2026-01-10", everyone, rounds_of(played.results), event_id=EVENTS[0], time_control="G/60;d5"
    )
    second = report("2026-02-10", [1, 2, NEWCOMER], ["W2 D3 U", "L1 U W3", "U D1 L2"], event_id=EVENTS[1])
    for one in (first, second):
        assert send(book, one, ACTOR).status == "ready"
    assert rate_ready(book, ACTOR).held == ()
    publish(book, MONTH, TODAY, ACTOR)
    # The fourth player meets the newcomer in the last round.
    corrected = "W" if played.results[-1] != "W" else "L"
    correct_result(book, SectionRef(EVENTS[0], 1), GameResult(RATED, GAMES, corrected), WHY)
    rerate(book, ACTOR)
    return book


def published_of(book: Book) -> list[tuple[object, ...]]:
    """Return all that is published as ratings: of every row, those that gave way too."""
    ledger = schema.ledger
    order = (ledger.c.member_id, ledger.c.system, ledger.c.place, ledger.c.id)
    with book.reading() as connection:
        rows = connection.execute(
            select(*order[:3], ledger.c.rating, ledger.c.games, ledger.c.superseded_by).order_by(*order)
        )
        return [(*row[:3], rounded(row[3]), *row[4:]) for row in rows]


def answers_of(book: Book, members: Sequence[str]) -> dict[str, str]:
    """Return what every public address answers, the manifest of complete tables with their hashes among them."""
    data = Path(book.url).with_suffix(".data")
    shutil.rmtree(data, ignore_errors=True)
    write_data(book, data, ["ndjson"])
    app = app_of(Site(book, Served.PUBLIC, lambda: TODAY, data=data), *HOSTS)
    values = {
        **values_in(book),
        "member": members,
        "other": members[-1:],
        "system": [System.REGULAR.value, System.QUICK.value],
        "day": ["2026-01-10"],
    }
    found = {}
    with TestClient(app) as client:
        estimates = [f"/calculator?player={member}&opponent={members[-1]}&result=W" for member in members]
        for address in (*public_addresses(app, values), *estimates):
            answer = client.get(address)
            assert answer.status_code in {200, 404, 422}, address
            found[address] = f"{answer.status_code} {SEAL.sub('', answer.text)}"
    return found


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("empty") / "empty.book"
    create_book(str(place), Profile(name="Example Federation"), ACTOR).close()
    return place


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("federations")


@given(played=PLAYED)
@settings(
    max_examples=3,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
def test_no_public_answer_tells_the_age_of_a_newcomer(empty: Path, place: Path, played: Played) -> None:
    members = [member_id(number) for number in (1, RATED, NEWCOMER)]
    with closing(rated_book(place / "one.book", empty, played, BORN)) as book:
        published = published_of(book)
        for shift in SHIFTS:
            with closing(rated_book(place / "two.book", empty, played, BORN - timedelta(shift))) as two:
                if published_of(two) != published:
                    continue
                mine, theirs = answers_of(book, members), answers_of(two, members)
                assert mine.keys() == theirs.keys()
                assert [address for address, text in mine.items() if text != theirs[address]] == []
                return


def test_an_erased_player_is_gone_from_every_answer_at_once(empty: Path, place: Path) -> None:
    played = Played((1500, 1600, 1700, 1800), "WDLWDLWDLW")
    members = [member_id(number) for number in range(1, NEWCOMER + 1)]
    with closing(rated_book(place / "erased.book", empty, played, BORN)) as book:
        data = place / "erased.data"
        files = [file.name for file in write_data(book, data, ["ndjson"]).manifest.files]
        app = app_of(Site(book, Served.PUBLIC, lambda: TODAY, data=data), *HOSTS)
        addresses = list(public_addresses(app, {**values_in(book), "other": members}))
        with TestClient(app) as client:

            def naming() -> set[str]:
                return {one for one in addresses if f"player {NEWCOMER}" in client.get(one).text.lower()}

            before = naming()
            assert {client.get(f"/api/v1/data/{name}").status_code for name in files} == {200}
            assert {path.split("/")[1] for path in before} >= {"players", "events", "api"}
            erase(book, member_id(NEWCOMER), WHY)
            assert naming() == set()
            assert {client.get(f"/api/v1/data/{name}").status_code for name in files} == {404}
            assert client.get(f"/players/{member_id(NEWCOMER)}").status_code == 200
            found = client.get("/players?q=example").text.partition("<main")[2].lower()
            assert f"player {NEWCOMER}" not in found
            assert f"PLAYER {NEWCOMER}" not in client.get(f"/players?q=exampel+player+{NEWCOMER}").text
