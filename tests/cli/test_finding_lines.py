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


def lines(findings: list[Finding], *, folded: bool = True) -> list[str]:
    return list(finding_lines(findings, lambda one: one.code, folded=folded))


MANY = [late(Place(seats=(seat,))) for seat in range(1, 122)]
WRONG = Finding("account-own", "", Place(account="ann"))


def test_of_many_findings_of_one_kind_three_are_shown_and_the_rest_is_counted() -> None:
    assert lines([*MANY, WRONG]) == [
        f"account-own account ann: {WRONG.message}",
        f"    {WRONG.remedy}",
        f"rating-line-missing seat 1: {MANY[0].message}",
        f"rating-line-missing seat 2: {MANY[0].message}",
        f"rating-line-missing seat 3: {MANY[0].message}",
        f"    {MANY[0].remedy}",
        "    And 118 more of this kind; --all shows them.",
        "1 error, 121 warnings.",
    ]


def test_all_of_them_are_shown_on_request_and_equal_ones_once() -> None:
    assert len(lines([*MANY, MANY[0]], folded=False)) == len(MANY) + 2


def test_one_more_than_is_shown_is_shown_too() -> None:
    assert [line for line in lines(MANY[:4]) if "more" in line] == []


def test_a_single_finding_needs_no_count() -> None:
    assert lines(MANY[:1]) == [f"rating-line-missing seat 1: {MANY[0].message}", f"    {MANY[0].remedy}"]


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
            online=False,
            half_k=False,
            youth=False,
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
    ],
)
def test_a_place_names_the_people(place: Place, shown: str) -> None:
    assert place_text(late(place), REPORT) == shown


def test_a_long_place_is_cut_between_two_people() -> None:
    long = late(Place(players=tuple(str(number) for number in range(12340000, 12340012)), field="birth_date"))
    (line, _) = lines([long])
    assert line.startswith("rating-line-missing players 12340000, 12340001,")
    assert line.endswith(f"12340010, …: {long.message}")


def test_the_name_of_a_file_is_no_place() -> None:
    """A player's name stood inside the name of the file."""
    name = "section 1, seat 2.csv"
    data = Path("examples/club-night/wall-chart.csv").read_bytes()
    loaded = load_bytes(data, name, Hints(end=date(2026, 8, 30), time_control="G/25;d5"))
    assert loaded.report is not None
    of_file = [one for one in loaded.findings if one.where.startswith(name)]
    assert {one.code for one in of_file} >= {"rows-above-header", "columns-renamed"}
    for one in of_file:
        assert place_text(one, loaded.report) == f"{name}, line 3"
    seat = late(Place(file=name, section=1, seats=(2,)))
    assert place_text(seat, REPORT) == f"{name}, section 1, seat 2 (BAKER)"
