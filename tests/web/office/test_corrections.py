"""Corrections: every kind that the command line has, tried first, and decided on the book that was seen."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from ratebook.book.audit import RecordFilter, newest_entries
from ratebook.book.decisions import read_decision
from ratebook.book.facts.members import load_members
from ratebook.book.ledger.pending import read_pending
from ratebook.book.profile import revision
from ratebook.book.reports import stored_report
from ratebook.office.decisions.revision import rated_event
from support.web.accounts import office_in
from support.web.federation import EVENT, OTHER, PLAYER
from support.web.persons import Forms, Person, boxes_on
from support.web.served import asked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ratebook.web.site import Site

HERE = "/office/corrections"
STRANGERS = ("90000001", "90000002")
GAME = {"event": EVENT, "section": "1", "seat": "1", "number": "1", "result": "D"}
FLOOR = {"system": "regular", "floor_kind": "money", "rating": "1500"}


@pytest.fixture
def person(own_site: Site, tmp_path: Path) -> Iterator[Person]:
    """Give someone of the office at a site whose book may be written to."""
    office = office_in(tmp_path / "web")
    with asked(own_site._replace(gate=office.gate)) as client:
        yield Person(client, office, "office")
    office.gate.store.close()


@pytest.mark.parametrize(
    ("page", "name", "typed"),
    [
        ("result", "event", GAME | {"event": "19990101999"}),
        ("result", "section", GAME | {"section": "99"}),
        ("result", "seat", GAME | {"seat": "99"}),
        ("result", "number", GAME | {"number": "99"}),
        ("time-control", "time_control", {"event": EVENT, "section": "1", "time_control": "soon"}),
        ("dates", "end", {"event": EVENT, "end": "2031-05-31"}),
        ("floor", "member", {"member": "99999999", **FLOOR}),
        ("undo", "decision", {"decision": "99999"}),
    ],
)
def test_what_the_book_refuses_stands_beside_the_input_that_is_wrong(
    person: Person, page: str, name: str, typed: dict[str, str]
) -> None:
    here = f"{HERE}/{page}"
    refused = person.fill_in(here, here, **typed, reason="typed in haste")
    assert refused.status_code == 422
    assert re.findall(r'class="mistake" id="([^"]+)"', refused.text) == [f"{name}-wrong"]
    assert f'<a href="#{name}">' in refused.text
    assert re.search(rf'id="{name}" name="{name}" [^>]*value="{typed[name]}"', refused.text)


def test_bounds_are_numbers_as_people_write_them(person: Person) -> None:
    page = f"{HERE}/prize"
    typed = {
        "member": PLAYER,
        "amount": "99999999999",
        "limit": "4000",
        "system": "regular",
        "reason": "a cheque",
    }
    refused = person.fill_in(page, page, **typed).text
    assert "Dollars won: the number is not between 1 and 10,000,000." in refused
    assert "the number is not between 100 and 3000." in refused


def test_a_correction_is_tried_and_then_decided_with_its_reason(person: Person, own_site: Site) -> None:
    page = f"{HERE}/result"
    tried = person.fill_in(page, page, **GAME, reason="score sheet")
    assert tried.status_code == 200
    assert "→ draw" in tried.text
    assert "What would have to be rated again" in tried.text
    with own_site.reading() as reader:
        assert not read_pending(reader.connection)
        seen = revision(reader.connection)
    decided = person.send_shown(tried, f"{page}/decide")
    assert decided.status_code == 303
    number = int(decided.headers["location"].rpartition("/")[2])
    with own_site.reading() as reader:
        found = read_decision(reader.connection, number)
        assert found is not None
        assert (found.kind, found.event_id, found.reason, found.decided_by) == (
            "correct-result",
            EVENT,
            "score sheet",
            "office",
        )
        assert read_pending(reader.connection)
        assert revision(reader.connection) > seen
    # What was shown before something else was decided is shown anew, and decided then.
    undo = person.fill_in(f"{HERE}/undo?decision={number}", f"{HERE}/undo", reason="it was right")
    # The page says what it takes back.
    assert re.search(
        rf"<span>Decision {number}: .+<span>office, [0-9]+ [A-Z][a-z]+ [0-9]{{4}}: score sheet</span>",
        undo.text,
    )
    ceiling = {"member": PLAYER, "system": "regular", "rating": "2500", "reason": "ethics"}
    other = person.fill_in(f"{HERE}/ceiling", f"{HERE}/ceiling", **ceiling)
    assert person.send_shown(other, f"{HERE}/ceiling/decide").status_code == 303
    moved = person.send_shown(undo, f"{HERE}/undo/decide")
    assert moved.status_code == 409
    assert "has changed since" in moved.text
    undone = person.send_shown(moved, f"{HERE}/undo/decide")
    assert undone.status_code == 303
    assert "It was undone by" in person.get(decided.headers["location"]).text


def test_a_correction_that_raises_a_warning_has_a_box_for_it(person: Person, own_site: Site) -> None:
    page = f"{HERE}/member"
    with own_site.reading() as reader:
        stored = rated_event(reader.connection, EVENT)
        report, _ = stored_report(stored)
    seats = {entry.player for entry in report.sections[0].entries}
    stranger = next(member for member in (PLAYER, OTHER, *STRANGERS) if member not in seats)
    typed = {"event": EVENT, "section": "1", "seat": "1", "member": stranger, "reason": "digits swapped"}
    tried = person.fill_in(page, page, **typed)
    assert tried.status_code == 200
    assert "It raises a warning." in tried.text
    ((label, box),) = boxes_on(tried).items()
    assert label.startswith(f"Section 1, seat 1: The report calls {stranger} ")
    refused = person.send_shown(tried, f"{page}/decide")
    assert refused.status_code == 422
    assert "raises warnings that are not accepted." in refused.text
    with own_site.reading() as reader:
        assert rated_event(reader.connection, EVENT).id == stored.id
    form = Forms(refused.text).found[f"{page}/decide"] | {box: "yes"}
    assert person.send(f"{page}/decide", form).status_code == 303
    with own_site.reading() as reader:
        said = newest_entries(reader.connection, 1, RecordFilter(kinds=["accept-warning"]))
    assert said[0].details == "member-name-differs at section 1, seat 1: digits swapped"
    log = person.get("/office/audit?kind=accept-warning").text
    assert "name that differs from the book at section 1, seat 1: digits swapped" in log


@pytest.mark.parametrize(
    ("word", "typed", "code"),
    [
        ("result", {"event": EVENT, "section": "1", "seat": "99", "number": "1", "result": "W"}, "seat"),
        ("floor", {"system": "regular", "floor_kind": "money"}, "not both"),
        ("floor", {"system": "regular", "floor_kind": "money", "rating": "9000"}, "between 100 and 3000"),
        ("facts", {}, "is empty"),
        ("opt-in", {"lift": "yes"}, "Approved by is empty"),
        ("foreign-rating", {"source": "fide", "list_date": "2020-06-01"}, "not both"),
        ("undo", {"decision": "9999999"}, "9999999"),
        ("undo", {"decision": "9" * 30}, "the number is"),
        ("ceiling", {"system": "regular", "rating": "2000", "reason": " "}, "Reason is empty"),
    ],
)
def test_what_cannot_be_decided_says_why_and_keeps_what_was_typed(
    person: Person, own_site: Site, word: str, typed: dict[str, str], code: str
) -> None:
    page = f"{HERE}/{word}?member={PLAYER}"
    with own_site.reading() as reader:
        seen = revision(reader.connection)
    answer = person.fill_in(page, f"{HERE}/{word}", **({"reason": "a slip"} | typed))
    assert answer.status_code == 422
    assert code in answer.text
    assert "/decide" not in answer.text
    with own_site.reading() as reader:
        assert revision(reader.connection) == seen


@pytest.mark.parametrize(
    ("word", "typed"),
    [
        ("rating", {"system": "regular", "rating": "1900", "effective": "2020-12-01"}),
        ("ceiling", {"system": "regular", "rating": "1950", "effective": "2020-12-01"}),
        ("floor", {"system": "regular", "rating": "1200", "floor_kind": "office", "effective": "2020-12-01"}),
        ("facts", {"club": "Lincoln School", "adult": "yes"}),
        ("foreign-rating", {"source": "fide", "rating": "1800", "list_date": "2020-06-01"}),
        ("usa-flag", {"lift": "yes"}),
        ("prize", {"system": "regular", "amount": "4000", "limit": "1800", "won": "2020-12-01"}),
    ],
)
def test_adjustments_are_decided_as_by_the_commands(person: Person, word: str, typed: dict[str, str]) -> None:
    page = f"{HERE}/{word}?member={PLAYER}"
    tried = person.fill_in(page, f"{HERE}/{word}", **({"reason": "decided"} | typed))
    assert tried.status_code == 200, tried.text
    decided = person.send_shown(tried, f"{HERE}/{word}/decide")
    assert decided.status_code == 303, decided.text
    shown = person.get(decided.headers["location"])
    assert PLAYER in shown.text
    assert "decided" in shown.text


def test_a_form_of_facts_says_those_that_the_book_has_but_no_birth_date(
    person: Person, own_site: Site
) -> None:
    with own_site.reading() as reader:
        facts = load_members(reader.connection, [PLAYER])[PLAYER].facts
    page = person.get(f"{HERE}/facts?member={PLAYER}").text
    assert facts.birth_date
    assert [
        text in page for text in (f"Now: {facts.name}.", f"Now: {facts.state}.", facts.birth_date.isoformat())
    ] == [*[True] * 2, False]
    assert "Now:" not in person.get(f"{HERE}/facts").text
