"""``--json`` and the interface say the same of a book of everything that is rare, but for what is the office's."""

from __future__ import annotations

import itertools
import json
from contextlib import closing
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from litestar.testing import TestClient

from cli.book.office_commands import OfficeCommands
from ratebook.book.submissions import Status
from ratebook.model import System
from ratebook.web.site import Served, Site
from support.book_reports import member_id
from support.odd.books import LISTS, NAMES, TODAY, odd_book
from support.web.accounts import ADDRESS, HOST, bearing, office_in, token_of
from support.web.served import app_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Asking = Callable[[str], Any]

MEMBERS = [member_id(at) for at, _ in enumerate(NAMES, start=1)]
OF_THE_OFFICE = {
    *("change", "fide_id", "initial", "published_by", "rating", "rating_class"),
    *("reasons", "run", "run_at"),
}
ORDER = ("end", "event", "section", "system", "moved", "until", "was")
MOST = "200"


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[OfficeCommands, Asking]]:
    """Give the commands over the book, and what asks a server of it with a token of the office."""
    folder = tmp_path_factory.mktemp("dialect")
    office = office_in(folder / "web")
    with closing(odd_book(str(folder / "odd.book"), folder)) as book:
        app = app_of(Site(book, Served.ALL, lambda: TODAY, office.gate), HOST)
        headers = bearing(token_of(office, "office")[0])

        def asked(path: str) -> Any:  # noqa: ANN401 - JSON
            answer = client.get(f"/api/v1{path}", headers=headers if "private" in path else {})
            assert answer.status_code == 200, (path, answer.text)
            return answer.json()

        with TestClient(app, base_url=ADDRESS) as client:
            yield OfficeCommands(str(folder / "odd.book")), asked
    office.gate.store.close()


def in_public(value: Any, public: Any) -> Any:  # noqa: ANN401 - JSON
    """Return JSON of a command without the fields of the office that the interface does not have there."""
    if isinstance(value, dict) and isinstance(public, dict):
        hidden = OF_THE_OFFICE - public.keys()
        return {
            name: in_public(inner, public.get(name)) for name, inner in value.items() if name not in hidden
        }
    if isinstance(value, list) and isinstance(public, list) and len(value) == len(public):
        return [in_public(one, other) for one, other in zip(value, public, strict=True)]
    return value


def compare(value: Any, public: Any) -> None:  # noqa: ANN401 - JSON
    assert in_public(value, public) == public


def in_history(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(str(row[name]) for name in ORDER if name in row)


def test_members_say_the_same(both: tuple[OfficeCommands, Asking]) -> None:
    office, asked = both
    compare(office.asked("members", "--most", MOST)["members"], asked(f"/players?limit={MOST}")["items"])
    rated = changed = 0
    for member in MEMBERS:
        page = asked(f"/players/{member}")
        compare(office.asked("member", member, "--on", str(TODAY))["member"], page)
        rows = asked(f"/players/{member}/history?limit={MOST}")["items"]
        sections = office.asked("history", member)["sections"]
        compare(sorted(sections, key=in_history), sorted(rows, key=in_history))
        changes = office.asked("history", member, "--changes")["changes"]
        shown = [change for change in changes if change["was"] != change["then"]]
        public = asked(f"/players/{member}/changes?limit={MOST}")["items"]
        compare(sorted(shown, key=in_history), sorted(public, key=in_history))
        changed += len(public)
        for what in ("norms", "titles"):
            compare(office.asked(what, member)[what], asked(f"/players/{member}/{what}")["items"])
        rated += len(rows)
    assert rated > len(MEMBERS)
    assert changed


def test_two_members_beside_each_other_say_the_same(both: tuple[OfficeCommands, Asking]) -> None:
    office, asked = both
    met = common = 0
    for first, second in itertools.combinations(MEMBERS[:6], 2):
        scores = asked(f"/players/{first}/against/{second}")["items"]
        answer = office.asked("head-to-head", first, second)
        compare(answer["scores"], scores)
        for system in System:
            games = asked(f"/players/{first}/games?system={system}&opponent={second}")["items"]
            compare([game for game in answer["games"] if game["system"] == system], games)
        beside = office.asked("compare", first, second)
        compare(beside["scores"], scores)
        compare(beside["members"], [asked(f"/players/{member}") for member in (first, second)])
        opponents = [
            {row["opponent"]: row["score"] for row in asked(f"/players/{member}/opponents")["items"]}
            for member in (first, second)
        ]
        assert {row["opponent"]: (row["first"], row["second"]) for row in beside["common_opponents"]} == {
            member: (opponents[0][member], opponents[1][member])
            for member in opponents[0].keys() & opponents[1].keys()
        }
        met += len(scores)
        common += len(beside["common_opponents"])
    assert met
    assert common


def test_events_say_the_same(both: tuple[OfficeCommands, Asking]) -> None:
    office, asked = both
    events = office.asked("events", "--not-withdrawn", "--most", MOST)["events"]
    compare(events, asked(f"/events?limit={MOST}")["items"])
    lines = 0
    for event in (row["id"] for row in events):
        address = f"/events/{quote(event, safe='')}"
        compare(office.asked("event", event)["event"], asked(address))
        for table in office.asked("crosstable", event)["sections"]:
            path = f"{address}/sections/{table['section']}/standings?system={table['system']}"
            compare(table["lines"], asked(path)["items"])
            lines += len(table["lines"])
    assert lines > len(events)


def test_a_public_explanation_says_the_same(both: tuple[OfficeCommands, Asking]) -> None:
    office, asked = both
    event, compared = "HALF 2005-01-08", 0
    for member in MEMBERS[:4]:
        read = asked(f"/players/{member}/explanations/{quote(event)}/1")["items"]
        compare(office.asked("explain", member, event, "--public")["explanations"], read)
        compared += len(read)
    assert compared


def test_lists_rankings_and_rules_say_the_same(both: tuple[OfficeCommands, Asking]) -> None:
    office, asked = both
    compare(office.asked("lists")["lists"], asked("/lists")["items"])
    for month in LISTS:
        members = json.loads(office.done("list", month, "--format", "json"))["members"]
        rows = asked(f"/lists/{month}/ratings")["items"]
        assert {row["player"]: row["state"] for row in rows} == {one["id"]: one["state"] for one in members}
        assert {(row["player"], row["system"]): row["official"] for row in rows} == {
            (one["id"], system): rating for one in members for system, rating in one["ratings"].items()
        }
    for system in System:
        places = office.asked("top", "--system", system.value, "--most", MOST)["places"]
        compare(places, asked(f"/rankings/{system}?limit={MOST}")["items"])


def test_the_queue_and_decisions_say_the_same_to_programs_of_the_office(
    both: tuple[OfficeCommands, Asking],
) -> None:
    office, asked = both
    numbers = []
    for status in Status:
        lines = office.asked("queue", "--state", status.value)["submissions"]
        assert lines == asked(f"/private/queue?status={status}")["items"]
        numbers += [line["number"] for line in lines]
    assert len(numbers) == len(set(numbers)) > len(Status)
    decisions = office.asked("decisions", "--all", "--most", MOST)["decisions"]
    assert decisions == asked("/private/decisions")["items"] != []
    subject = next(f"event {decision['event_id']}" for decision in decisions if decision["event_id"])
    assert (
        office.asked("decisions", "--subject", subject)["decisions"]
        == (asked(f"/private/decisions?subject={quote(subject)}")["items"])
    )
