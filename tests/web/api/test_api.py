"""The interface for programs: its description holds, and its answers are those of the book."""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import schemathesis
from hypothesis import Phase, given, settings
from litestar.testing import TestClient
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

from ratebook.book.events import read_sections
from ratebook.book.facts.members import canonical_ids
from ratebook.book.ledger.history import rating_series
from ratebook.formats.archive import SourceFile
from ratebook.formats.contract import Hints
from ratebook.formats.ratings_api.read import parse
from ratebook.formats.source import Source
from ratebook.model import System
from ratebook.office.publish.lists import official_list
from ratebook.official_lists.contents import in_public
from ratebook.official_lists.write import write_list
from ratebook.pages.changes import changes_page
from ratebook.pages.event import section_tables
from ratebook.web.gate.visitors import digest_of
from ratebook.web.store.accounts import find_account
from ratebook.web.store.tokens import Scope, add_token
from support.web.accounts import Office, office_in
from support.web.federation import EVENT, LISTS, OTHER, PLAYER
from support.web.served import app_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litestar import Litestar

    from ratebook.web.site import Site

pytestmark = pytest.mark.long

EXAMPLES, EXAMPLES_OF_POST = 8, 3
TOKEN = "rbk_described"  # noqa: S105 - of a store that tests make
BEARING = {"authorization": f"Bearer {TOKEN}"}
SNAPSHOT = Path(__file__).parent / "openapi.json"
NAMES = ("testserver", "testserver.local")


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    made = office_in(tmp_path_factory.mktemp("programs") / "web")
    with made.gate.store.writing() as connection:
        account = find_account(connection, "office")
        assert account is not None
        add_token(connection, digest_of(TOKEN), account.id, "tests", tuple(Scope), made.clock.now, 90)
    yield made
    made.gate.store.close()


@pytest.fixture(scope="module")
def app(written_site: Site, office: Office) -> Litestar:
    return app_of(written_site._replace(gate=office.gate), *NAMES)


@pytest.fixture
def programs(app: Litestar) -> Iterator[TestClient[Litestar]]:
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def test_every_operation_answers_any_question_as_it_is_described(app: Litestar) -> None:
    schema = schemathesis.openapi.from_asgi("/api/openapi.json", app)
    tried = 0
    for found in schema.get_all_operations():
        operation = found.ok() if isinstance(found, Ok) else pytest.fail(str(found))

        @given(case=operation.as_strategy())
        @settings(
            max_examples=EXAMPLES if operation.method == "get" else EXAMPLES_OF_POST, phases=[Phase.generate]
        )
        def answers(case: schemathesis.Case[Any]) -> None:
            # That each needs a token is seen in test_tokens.py; a body that is no report is rightly refused.
            no_report = [positive_data_acceptance] if case.method == "POST" else []
            case.call_and_validate(headers=BEARING, excluded_checks=[ignored_auth, *no_report])

        answers()
        tried += 1
    described = json.loads(SNAPSHOT.read_text(encoding="utf-8"))["paths"]
    assert tried == sum(len(methods) for methods in described.values())


def test_the_description_changes_only_on_purpose(programs: TestClient[Litestar]) -> None:
    """Within v1 there are only additions: `RATEBOOK_DESCRIPTION=write` takes what is there as what was meant."""
    now = json.dumps(programs.get("/api/openapi.json").json(), indent=1, sort_keys=True) + "\n"
    if os.environ.get("RATEBOOK_DESCRIPTION") == "write":
        SNAPSHOT.write_text(now, encoding="utf-8")
    assert now == SNAPSHOT.read_text(encoding="utf-8")


def test_a_history_read_part_by_part_is_the_whole_history(programs: TestClient[Litestar], site: Site) -> None:
    address: str | None = f"/api/v1/players/{PLAYER}/history?limit=2"
    ends = []
    while address is not None:
        answer = programs.get(address)
        ends += [item["end"] for item in answer.json()["items"] if item["system"] == "regular"]
        address = answer.links["next"]["url"] if answer.json()["next"] else None
    with site.reading() as reader:
        series = rating_series(reader.connection, PLAYER).points[System.REGULAR]
    assert ends == [str(point.end) for point in reversed(series)]
    assert len(ends) > 2


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("/api/v1/players?limit={limit}", "id"),
        ("/api/v1/players?q=asp&limit={limit}", "id"),
        ("/api/v1/events?limit={limit}", "id"),
        ("/api/v1/events?name=holly&limit={limit}", "id"),
        (f"/api/v1/lists/{LISTS[0]}/ratings?limit={{limit}}", "player"),
    ],
)
def test_parts_make_up_the_whole_in_its_order(programs: TestClient[Litestar], address: str, key: str) -> None:
    whole = programs.get(address.format(limit=200)).json()["items"]
    items, onward = [], address.format(limit=1)
    while onward:
        answer = programs.get(onward)
        part = answer.json()["items"]
        assert len({one[key] for one in part}) == 1
        items += part
        onward = answer.links["next"]["url"] if "next" in answer.links else ""
    assert items == whole
    assert len(whole) > 1


def test_a_collection_is_there_as_csv_and_as_lines(programs: TestClient[Litestar]) -> None:
    address = f"/api/v1/players/{PLAYER}/official-ratings"
    items = programs.get(address).json()["items"]
    rows = list(csv.DictReader(io.StringIO(programs.get(f"{address}.csv").text)))
    lines = programs.get(address, headers={"accept": "application/x-ndjson"}).text
    assert [json.loads(line) for line in lines.splitlines()] == items
    assert [row["official_rating"] for row in rows] == [str(item["official"]["rating"]) for item in items]
    assert programs.get("/api/v1/lists", headers={"accept": "image/png"}).status_code == 406


def test_what_has_not_changed_is_not_sent_again(programs: TestClient[Litestar]) -> None:
    address = f"/api/v1/events/{EVENT}"
    tag = programs.get(address).headers["etag"]
    again = programs.get(address, headers={"if-none-match": tag})
    assert (again.status_code, again.content) == (304, b"")
    assert programs.head(address).headers["etag"] == tag


@pytest.mark.parametrize(
    ("address", "status", "code"),
    [("/api/v1/players/1", 404, "member-unknown"), ("/api/v1/events/1", 404, "event-unknown")],
)
def test_what_the_book_does_not_have_is_a_problem_with_the_code_of_the_finding(
    programs: TestClient[Litestar], address: str, status: int, code: str
) -> None:
    answer = programs.get(address)
    assert answer.status_code == status
    assert answer.headers["content-type"].startswith("application/problem+json")
    said = answer.json()
    assert said["status"] == status
    assert said["code"] == code
    assert said["remedy"]


def test_any_page_of_the_web_may_read_it(programs: TestClient[Litestar]) -> None:
    asked = programs.options("/api/v1/players", headers={"access-control-request-method": "GET"})
    assert asked.status_code == 204
    for answer in (asked, programs.get("/api/v1/players")):
        assert answer.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-origin" not in programs.get("/players").headers


def test_our_reader_of_the_ratings_api_reads_events_at_its_addresses(
    programs: TestClient[Litestar], site: Site
) -> None:
    address = f"/api/v1/rated-events/{EVENT}"
    event = programs.get(address).json()
    whole = programs.get(f"{address}/sections/1/standings").json()
    pieces = {"event": event, "section": event["sections"][0], "standings": whole}
    parsed = parse(Source("api", (SourceFile("event.json", json.dumps(pieces).encode()),)), Hints())
    assert [one for one in parsed.findings if one.severity == "error"] == []
    assert parsed.report is not None
    with site.reading() as reader:
        stored = next(one for one in read_sections(reader.connection, event_id=EVENT))
        tables = section_tables(reader.connection, reader.federation, EVENT, 1)
    read = {entry.seat: entry for entry in parsed.report.sections[0].entries}
    assert {seat: (one.player, one.rounds) for seat, one in read.items()} == {
        one.seat: (one.player, one.rounds) for one in stored.section.entries
    }
    assert (parsed.report.sections[0].type, parsed.report.sections[0].end) == (
        stored.section.type,
        stored.section.end,
    )
    assert {(system, seat, int(after)) for (_, seat, system), after in parsed.published.items()} == {
        (table.system, line.seat, line.after.rating)
        for table in tables
        for line in table.lines
        if line.after is not None
    }
    part = programs.get(f"{address}/sections/1/standings?Offset=1&Size=1").json()
    assert part["items"] == whole["items"][1:2]
    assert (part["hasPreviousPage"], part["hasNextPage"]) == (True, True)


def test_a_list_is_there_as_the_file_that_the_office_writes(
    programs: TestClient[Litestar], site: Site
) -> None:
    answer = programs.get(f"/api/v1/lists/{LISTS[0]}/files/golden")
    with site.reading() as reader:
        written = write_list(in_public(official_list(reader.connection, LISTS[0])), "golden").files
    assert {"TARATSUP.DBF": answer.content} == written
    assert "TARATSUP.DBF" in answer.headers["content-disposition"]
    assert programs.get(f"/api/v1/lists/{LISTS[0]}/files/pdf").status_code == 400


def test_what_was_changed_says_what_the_pages_say(programs: TestClient[Litestar], site: Site) -> None:
    with site.reading() as reader:
        changed = [
            (one, page.lines)
            for one in canonical_ids(reader.connection)
            if (page := changes_page(reader.connection, reader.federation, one, most=200)).lines
        ]
    assert changed
    for player, lines in changed[:5]:
        items = programs.get(f"/api/v1/players/{player}/changes?limit=200").json()["items"]
        assert [(item["event"], item["until"]) for item in items] == [(one.event, one.until) for one in lines]


def test_the_score_of_two_players_is_that_of_their_games(programs: TestClient[Litestar]) -> None:
    games = programs.get(f"/api/v1/players/{PLAYER}/games?opponent={OTHER}").json()["items"]
    rows = programs.get(f"/api/v1/players/{PLAYER}/against/{OTHER}").json()["items"]
    of_regular = next(one for one in rows if (one["system"], one["colour"]) == ("regular", None))
    assert of_regular["score"]["games"] == len(games) > 0
    assert of_regular["score"]["wins"] + of_regular["score"]["draws"] / 2 == sum(
        one["score"] for one in games
    )
    reverse = programs.get(f"/api/v1/players/{OTHER}/against/{PLAYER}").json()["items"]
    assert [one["score"]["losses"] for one in reverse if one["colour"] is None] == [
        one["score"]["wins"] for one in rows if one["colour"] is None
    ]
