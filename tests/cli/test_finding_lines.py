"""How findings are shown: those of one kind together, the rest of many counted, with the names of the people."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from types import MappingProxyType

import pytest

from ratebook.cli.finding_lines import finding_lines, place_with_names
from ratebook.findings import Finding, Severity
from ratebook.formats.contract import Hints
from ratebook.model import Entry, Event, PlayerFacts, Report, Section, SectionType
from ratebook.reports.load import load_bytes


def found(code: str, where: str, severity: Severity = Severity.WARNING) -> Finding:
    return Finding(code, severity, where, "It is so.", "Change it.")


def lines(findings: list[Finding], *, folded: bool = True) -> list[str]:
    return list(finding_lines(findings, lambda one: one.code, folded=folded))


MANY = [found("late", f"seat {seat}") for seat in range(1, 122)]


def test_of_many_findings_of_one_kind_three_are_shown_and_the_rest_is_counted() -> None:
    assert lines([*MANY, found("wrong", "file", Severity.ERROR)]) == [
        "wrong file: It is so.",
        "    Change it.",
        "late seat 1: It is so.",
        "late seat 2: It is so.",
        "late seat 3: It is so.",
        "    Change it.",
        "    And 118 more of this kind; --all shows them.",
        "1 error, 121 warnings.",
    ]


def test_all_of_them_are_shown_on_request_and_equal_ones_once() -> None:
    assert len(lines([*MANY, MANY[0]], folded=False)) == len(MANY) + 2


def test_one_more_than_is_shown_is_shown_too() -> None:
    assert [line for line in lines(MANY[:4]) if "more" in line] == []


def test_a_single_finding_needs_no_count() -> None:
    assert lines(MANY[:1]) == ["late seat 1: It is so.", "    Change it."]


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
    ("where", "shown"),
    [
        ("section 1, seat 2, round 3", "section 1, seat 2 (BAKER), round 3"),
        ("section 12, quick, seat 1", "section 12, quick, seat 1 (BAKER)"),
        ("section 1, seat 1, 2, 3 and 2 more", "section 1, seat 1 (ADAMS), 2 (BAKER), 3 and 2 more"),
        ("players 90000001, 90000009", "players 90000001 (ADAMS), 90000009"),
        ("player 90000002, birth_date", "player 90000002 (BAKER), birth_date"),
        ("file.trf, line 3, seat 1", "file.trf, line 3, seat 1"),
        ("section 7, seat 1", "section 7, seat 1"),
    ],
)
def test_a_place_names_the_people(where: str, shown: str) -> None:
    assert place_with_names(found("late", where), REPORT) == shown


def test_a_long_place_is_cut_between_two_people() -> None:
    long = ", ".join(str(number) for number in range(12340000, 12340020))
    (line, _) = lines([found("rated", f"players {long}")])
    assert line.startswith("rated players 12340000, 12340001,")
    assert line.endswith("12340010, …: It is so.")


def test_the_name_of_a_file_is_no_place() -> None:
    """A player's name stood inside the name of the file."""
    name = "section 1, seat 2.csv"
    data = Path("examples/club-night/wall-chart.csv").read_bytes()
    loaded = load_bytes(data, name, Hints(end=date(2026, 8, 30), time_control="G/25;d5"))
    assert loaded.report is not None
    of_file = [one for one in loaded.findings if one.where.startswith(name)]
    assert {one.code for one in of_file} >= {"rows-above-header", "columns-renamed"}
    for one in of_file:
        assert place_with_names(one, loaded.report) == f"{name}, line 3"
    seat = found("late", f"{name}, section 1, seat 2").of_file(name)
    assert place_with_names(seat, REPORT) == f"{name}, section 1, seat 2 (BAKER)"
