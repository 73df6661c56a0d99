"""Events of SwissSys 11: their results, and what of them is never read."""

from __future__ import annotations

import json
from copy import deepcopy
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from ratebook.findings import Severity
from ratebook.formats.contract import DayOrder, Hints
from ratebook.formats.registry import parse_source
from ratebook.formats.source import source_of_bytes
from ratebook.model import Cell, SectionType, Sex

if TYPE_CHECKING:
    from ratebook.formats.contract import ParsedReport

OVERVIEW = {
    "Program": "SwissSys",
    "Version": 11.34,
    "Tournament title": "Maple Open",
    "Starting date": "2026-10-03",
    "Ending date": "2026-10-04",
    "Tournament time controls": "G/90; d5",
    "NACH passcode": "heron-7",
    "Delegations": [{"Player Name": "Ann Alder", "Email": "alder@chess.example", "Phone": "555-0101"}],
}


def player(number: int, *results: str, **more: object) -> dict[str, object]:
    return {
        "Pair number": number,
        "Name": f"EXAMPLE, PLAYER {number}",
        "ID": f"9000000{number}",
        "Rating": 1500 + number,
        "Email": "player@chess.example",
        "Phone": "555-0100",
        "Results": list(results),
    } | more


OPEN = {
    "Section name": "Open",
    "Section title": "Open section",
    "Type": 0,
    "Rounds paired": 3,
    "Rounds played": 3,
    "Players": [
        player(1, "+;2;W;1;2;0;0", "=;3;B;1;1;2;0", "H;10001;-;0;0;0;0", Sex="F", State="NY"),
        player(2, "-;1;B;1;1;0;0", "B;10000;-;0;0;0;0", "X;3;*;1;0;0;0", Rating=0),
        player(3, "U;0;-;0;0;0;0", "=;1;W;1;1;0;0", "F;2;-;1;0;0;0", ID="NEW"),
    ],
}


def read(*sections: object, hints: Hints | None = None, **overview: object) -> ParsedReport:
    event = {"Overview": OVERVIEW | overview, "Sections": list(sections)}
    return parse_source(source_of_bytes(json.dumps(event).encode(), "maple.sjson"), hints or Hints())


def changed(section: dict[str, Any], **values: object) -> dict[str, Any]:
    return deepcopy(section) | values


def codes(parsed: ParsedReport) -> list[str]:
    return [f"{finding.code}.{finding.case}".rstrip(".") for finding in parsed.findings]


def test_results_byes_and_forfeits_are_read_with_opponents_and_colours() -> None:
    parsed = read(OPEN)
    assert parsed.report is not None
    assert (parsed.report.event.name, parsed.report.event.end) == ("Maple Open", date(2026, 10, 4))
    (section,) = parsed.report.sections
    assert (section.name, section.time_control, section.type) == (
        "Open section",
        "G/90; d5",
        SectionType.SWISS,
    )
    assert [entry.rounds for entry in section.entries] == [
        (Cell("W", 2, "w"), Cell("D", 3, "b"), Cell("H")),
        (Cell("L", 1, "b"), Cell("B"), Cell("X", 3)),
        (Cell("U"), Cell("D", 1, "w"), Cell("F", 2)),
    ]
    first, second, third = parsed.report.players.values()
    assert (first.id, first.pairing_rating, first.sex, first.state) == ("90000001", 1501.0, Sex.FEMALE, "NY")
    assert (second.pairing_rating, third.id) == (None, "seat-3")
    assert codes(parsed) == ["id-placeholder.file"]


def test_nothing_private_is_read() -> None:
    """E-mail addresses, telephone numbers and the passcode stay in the file, also where something is wrong."""
    broken = changed(OPEN, Players=[player(1, "?;2;W"), player(1, "~;2;W", Rating="player@chess.example")])
    for parsed in (read(OPEN), read(broken)):
        words = repr((parsed.report and (parsed.report.event, dict(parsed.report.players)), parsed.published))
        words += "".join(
            f"{finding.message} {finding.remedy}"
            for finding in parsed.findings
            if finding.code != "type-wrong"
        )
        assert not [secret for secret in ("chess.example", "555-01", "heron-7", "Alder") if secret in words]


def test_sections_that_were_not_played_or_are_not_rated_are_left_out_with_a_note() -> None:
    waiting = changed(OPEN, **{"Section name": "Waiting_List", "Rounds played": 0})
    blitz = changed(OPEN, **{"Section name": "Blitz", "Exclude from ratings": True})
    parsed = read(waiting, OPEN, blitz)
    assert parsed.report is not None
    assert [(section.number, section.name) for section in parsed.report.sections] == [(1, "Open section")]
    left_out = [finding for finding in parsed.findings if finding.code == "section-left-out"]
    assert [finding.case for finding in left_out] == ["not-played", "not-rated"]
    assert {finding.severity for finding in left_out} == {Severity.NOTE}
    assert codes(read(waiting))[-1] == "entries-empty.swisssys"


def test_a_round_that_is_only_paired_does_not_count() -> None:
    running = changed(OPEN, **{"Rounds played": 2})
    parsed = read(running)
    assert parsed.report is not None
    assert {len(entry.rounds) for entry in parsed.report.sections[0].entries} == {2}
    open_game = changed(OPEN, Players=[player(1, "~;2;W;1"), player(2, "~;1;B;1")])
    parsed = read(open_game)
    assert codes(parsed) == ["result-missing.swisssys"] * 2


@pytest.mark.parametrize("result", ["?;2;W;1", "", ";2;W", "W;2;W"])
def test_a_result_that_cannot_be_read_is_named_with_seat_and_round(result: str) -> None:
    parsed = read(changed(OPEN, Players=[player(1, "+;2;W;1", result), player(2, "-;1;B;1")]))
    assert parsed.report is None
    (finding,) = parsed.findings
    assert (finding.code, finding.place.seats, finding.place.round) == ("cell-unreadable", (1,), 2)


def test_the_time_control_of_a_section_goes_before_that_of_the_event_and_a_round_robin_is_one() -> None:
    parsed = read(changed(OPEN, Type=3, **{"Section time control": "G/25;+5"}))
    assert parsed.report is not None
    (section,) = parsed.report.sections
    assert (section.time_control, section.type) == ("G/25;+5", SectionType.ROUND_ROBIN)


@pytest.mark.parametrize(
    ("text", "hints", "day"),
    [
        ("10/13/2026", Hints(), date(2026, 10, 13)),
        ("4-Oct-2026", Hints(), date(2026, 10, 4)),
        ("10/4/2026", Hints(day_order=DayOrder.MONTH_FIRST), date(2026, 10, 4)),
        ("10/4/2026", Hints(), None),
    ],
)
def test_days_are_read_as_directors_write_them(text: str, hints: Hints, day: date | None) -> None:
    parsed = read(OPEN, hints=hints, **{"Ending date": text})
    assert (parsed.report and parsed.report.event.end) == day
    assert day or codes(parsed)[0] == "date-order-unclear"


def test_damaged_files_are_findings() -> None:
    assert codes(read({"Rounds played": 1, "Players": [{"Name": "X"}]})) == ["key-missing.field"]
    assert codes(read()) == ["entries-empty.swisssys"]
    assert codes(read("Open", 7, None)) == ["entries-empty.swisssys"]
