"""How findings are shown: those of one kind together, the rest of many counted, with the names of the people."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from types import MappingProxyType

import pytest

from ratebook.cli.finding_lines import finding_lines, place_text
from ratebook.findings import Finding, Place
from ratebook.formats.contract import Hints
from ratebook.model import Entry, Event, PlayerFacts, Report, Section, SectionType
from ratebook.reports.load import load_bytes


def late(place: Place) -> Finding:
    return Finding("rating-line-missing", "", place)


def lines(findings: list[Finding], *, folded: bool = True, notes: bool = True) -> list[str]:
    return list(finding_lines(findings, str, folded=folded, is_note_shown=lambda _: notes))


MANY = [
    Finding("seat-twice", "row", Place(section=1, seats=(seat,)), (("seat", seat),)) for seat in range(1, 122)
]
WRONG = Finding("account-own", "", Place(account="ann"))


def test_words_come_first_and_the_code_last() -> None:
    assert lines([WRONG]) == [f"error: account ann: {WRONG.message} [account-own]", f"    {WRONG.remedy}"]


def test_of_many_findings_of_one_kind_three_are_shown_and_the_rest_is_counted() -> None:
    assert [line for line in lines([*MANY, WRONG]) if "error: section" in line or "more" in line] == [
        *(f"error: section 1, seat {at}: {MANY[at - 1].message} [seat-twice]" for at in (1, 2, 3)),
        "    And 118 more of this kind; --all shows them.",
    ]
    assert lines([*MANY, WRONG])[-1] == "122 errors."


def test_all_of_them_are_shown_on_request_and_equal_ones_once() -> None:
    assert len([line for line in lines([*MANY, MANY[0]], folded=False) if line[0] != " "]) == len(MANY) + 1


def test_one_more_than_is_shown_is_shown_too() -> None:
    assert [line for line in lines(MANY[:4]) if "more" in line] == []


def test_a_single_finding_needs_no_count() -> None:
    assert lines(MANY[:1])[-1] == f"    {MANY[0].remedy}"


@pytest.mark.parametrize(
    ("places", "shown"),
    [
        ([Place(rows=(row,), field="seat") for row in (5, 6, 9)], "rows 5, 6, 9, column seat"),
        ([Place(section=1, seats=(seat,)) for seat in (4, 2)], "section 1, seats 4, 2"),
        ([Place(players=(key,)) for key in ("A", "B")], "players A, B"),
        ([Place(section=1, seats=(3,)), Place(section=1, seats=(3,))], "section 1, seat 3"),
    ],
)
def test_findings_that_say_the_same_of_several_are_one_line(places: list[Place], shown: str) -> None:
    told = lines([late(place) for place in places])
    assert told[0].startswith(f"warning: {shown}: ")
    assert len([line for line in told if line.startswith("warning")]) == 1


def test_findings_at_different_places_stay_apart() -> None:
    places = [
        Place(section=1, seats=(3,)),
        Place(section=2, seats=(3,)),
        Place(section=1, seats=(3,), round=1),
        Place(rows=(4,), seats=(3,)),
        Place(rows=(5,), seats=(3,)),
    ]
    assert (
        len([line for line in lines([late(place) for place in places], folded=False) if line[0] != " "]) == 6
    )


NOTE = Finding("start-missing", "native", Place(section=1))


def test_notes_are_counted_where_they_are_not_asked_for() -> None:
    assert lines([NOTE], notes=False) == ["1 note: --notes shows it."]
    assert lines([NOTE, WRONG, NOTE.at(section=2)], notes=False)[-1] == "2 notes: --notes shows them."
    assert lines([MANY[0], MANY[1], NOTE], notes=False)[-1] == "2 errors. 1 note: --notes shows it."
    assert [line for line in lines([NOTE, WRONG]) if line.startswith("note: ")]


def test_notes_that_answer_a_question_are_shown_and_the_others_are_more() -> None:
    findings = [NOTE, NOTE.at(section=2), NOTE.at(section=3)]
    shown = list(finding_lines(findings, str, folded=True, is_note_shown=lambda note: note is NOTE))
    assert shown[0].startswith("note: section 1: ")
    assert shown[-1] == "2 more notes: --notes shows them."


NAMES = {"90000001": "ADAMS", "90000002": "BAKER", "seat-3": ""}
REPORT = Report(
    Event(),
    MappingProxyType({key: PlayerFacts(key, name) for key, name in NAMES.items()}),
    tuple(
        Section(
            number=number,
            name="",
            start=None,
            end=date(2026, 8, 30),
            time_control="G/60",
            type=SectionType.OTHER,
            entries=tuple(Entry(seat, key, ()) for seat, key in enumerate(keys, start=1)),
        )
        for number, keys in ((1, list(NAMES)), (12, ["90000002"]))
    ),
)


@pytest.mark.parametrize(
    ("place", "shown"),
    [
        (Place(section=1, seats=(2,), round=3), "section 1, seat 2 (BAKER), round 3"),
        (Place(section=12, seats=(1,), system="quick"), "section 12, seat 1 (BAKER), quick"),
        (Place(section=1, seats=(1, 2, 3)), "section 1, seats 1 (ADAMS), 2 (BAKER), 3"),
        (Place(players=("90000001", "90000009")), "players 90000001 (ADAMS), 90000009"),
        (Place(players=("90000002",), field="birth_date"), "player 90000002 (BAKER), birth_date"),
        (Place(file="file.trf", line=3, seats=(1,)), "file.trf, line 3, seat 1"),
        (Place(section=7, seats=(1,)), "section 7, seat 1"),
        (Place(players=("seat-3",)), "section 1, seat 3"),
        (Place(players=("seat-3", "90000001")), "players seat-3, 90000001 (ADAMS)"),
    ],
)
def test_a_place_names_the_people(place: Place, shown: str) -> None:
    assert place_text(late(place), REPORT) == shown


def test_a_long_place_names_as_many_people_as_fit() -> None:
    long = late(Place(players=tuple(str(number) for number in range(12340000, 12340012)), field="birth_date"))
    players = ", ".join(str(number) for number in range(12340000, 12340009))
    assert place_text(long, None) == f"players {players} and 3 more, birth_date"


def test_the_name_of_a_file_is_no_place() -> None:
    """A player's name stood inside the name of the file."""
    name = "section 1, seat 2.csv"
    data = Path("examples/club-night/wall-chart.csv").read_bytes()
    loaded = load_bytes(data, name, Hints(end=date(2026, 8, 30), time_control="G/25;d5"))
    assert loaded.report is not None
    of_file = [one for one in loaded.findings if one.where.startswith(name)]
    assert {one.code for one in of_file} >= {"titles-read", "columns-renamed"}
    for finding in of_file:
        # The provisional rating of the chart is a note about its player.
        within = "player 9000003 (Clark, Example)" if finding.code == "rating-provisional" else "line 3"
        assert place_text(finding, loaded.report) == f"{name}, {within}"
    seat = late(Place(file=name, section=1, seats=(2,)))
    assert place_text(seat, REPORT) == f"{name}, section 1, seat 2 (BAKER)"
