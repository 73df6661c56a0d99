"""The native report written: what is read back is what was written, and a person can edit it."""

from __future__ import annotations

import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratebook.findings import Severity, has_errors
from ratebook.formats.archive import SourceFile
from ratebook.formats.contract import Hints, ParsedReport, is_unreadable
from ratebook.formats.native.read import looks_like, parse
from ratebook.formats.native.write import write
from ratebook.formats.source import Source
from ratebook.model import (
    Ceiling,
    Cell,
    EarlierMatch,
    EnteredFloor,
    Entry,
    Event,
    FloorKind,
    FloorRequest,
    ForeignRating,
    InitialRating,
    PlayerFacts,
    Rating,
    Record,
    Report,
    Section,
    SectionType,
    System,
)
from ratebook.reports.rate import check
from ratebook.rules.rulebook import load_rulebook
from support.report_strategies import reports
from support.whole_run import examples

QUAD_DAY = date(2026, 11, 14)


def source_of(files: dict[str, bytes]) -> Source:
    return Source("folder", tuple(SourceFile(name, data) for name, data in files.items()))


def read_back(report: Report) -> ParsedReport:
    return parse(source_of(dict(write(report).files)), Hints())


def section(*entries: Entry, start: date | None = QUAD_DAY) -> Section:
    return Section(
        1, "Quad A", start, QUAD_DAY, "G/90;d5", SectionType.ROUND_ROBIN, False, False, False, entries
    )


TWO_GAMES = (
    Entry(1, "P1", (Cell("W", 2, "w"), Cell("D", 2, "b"))),
    Entry(2, "P2", (Cell("L", 1, "b"), Cell("D", 1, "w"))),
)

EVERYTHING = PlayerFacts(
    id="P1",
    name="ÉLOÏSE EXAMPLE",
    birth_date=date(2012, 5, 1),
    adult=False,
    canadian_resident=True,
    ratings={
        System.REGULAR: Rating(
            612.4, 38.0, 17, 5, 16, Record.MIXED, 9, 640.25, 0, 605, 35.0, date(2026, 10, 3)
        ),
        System.QUICK: Rating(598.0),
    },
    fide=ForeignRating(1480.0, date(2026, 11, 1)),
    cfc=ForeignRating(1200.0),
    floors=(EnteredFloor(System.REGULAR, FloorKind.MONEY, 1800.0),),
    ceilings=(Ceiling(System.REGULAR, 2000.0),),
    us_member=True,
    usa_flag=True,
    fide_opt_in=True,
    matches=(EarlierMatch(System.REGULAR, date(2026, 5, 1), 23.4),),
    initial={System.BLITZ: InitialRating(498.0, 6.0)},
)

WRITTEN = """\
{
  "format": "ratebook-report/1",
  "event": {"id": "202611140001", "name": "Autumn Quad", "end": "2026-11-14", "country": "USA"},
  "players": [
    {"id": "P1", "name": "ÉLOÏSE EXAMPLE", "birth_date": "2012-05-01", "adult": false, "canadian_resident": true, \
"ratings": {"regular": {"rating": 612.4, "games": 38, "wins": 17, "draws": 5, "losses": 16, "record": "mixed", \
"long_events": 9, "peak": 640.25, "life_master_games": 0, "published": 605, "published_games": 35, \
"as_of": "2026-10-03"}, "quick": {"rating": 598, "games": null}}, \
"fide": {"rating": 1480, "as_of": "2026-11-01"}, "cfc": {"rating": 1200}, \
"floors": [{"system": "regular", "kind": "money", "floor": 1800}], \
"ceilings": [{"system": "regular", "ceiling": 2000}], \
"us_member": true, "usa_flag": true, "fide_opt_in": true, \
"matches": [{"system": "regular", "end": "2026-05-01", "change": 23.4}], \
"initial": {"blitz": {"rating": 498, "games": 6}}},
    {"id": "P2"}
  ],
  "sections": [
    {"number": 1, "name": "Quad A", "start": "2026-11-14", "end": "2026-11-14", "time_control": "G/90;d5", \
"type": "round-robin", "online": false,
     "entries": [
       {"seat": 1, "player": "P1", "rounds": ["W2w", "D2b"]},
       {"seat": 2, "player": "P2", "rounds": ["L1b", "D1w"]}
     ]}
  ]
}
"""


def test_every_fact_is_written_one_player_and_one_entry_a_line() -> None:
    event = Event("202611140001", "Autumn Quad", end=QUAD_DAY, country="USA")
    report = Report(event, {"P1": EVERYTHING, "P2": PlayerFacts("P2")}, (section(*TWO_GAMES),))
    written = write(report)
    assert {name: data.decode() for name, data in written.files.items()} == {"report.json": WRITTEN}
    assert written.findings == ()
    assert read_back(report) == ParsedReport(report, ())


def test_cells_of_every_letter_are_written() -> None:
    cells = (
        *(Cell(letter, 2, "w") for letter in "WLDNSRXFZ"),
        *(Cell(letter) for letter in "XFZBHU"),
        Cell(),
    )
    entry = Entry(1, "P1", cells, update=True, floor_request=FloorRequest.PENDING)
    report = Report(Event(), {"P1": PlayerFacts("P1")}, (section(entry)._replace(half_k=True, youth=True),))
    (written,) = json.loads(write(report).files["report.json"])["sections"]
    assert (written["half_k"], written["youth"]) == (True, True)
    assert written["entries"] == [
        {
            "seat": 1,
            "player": "P1",
            "rounds": [
                *("W2w", "L2w", "D2w", "N2w", "S2w", "R2w", "X2w", "F2w", "Z2w"),
                *("X", "F", "Z", "B", "H", "U", ""),
            ],
            "update": True,
            "floor_request": "pending",
        }
    ]


def test_a_section_whose_first_day_is_unknown_in_an_event_whose_first_day_is_known_is_reported() -> None:
    report = Report(
        Event(start=QUAD_DAY), {"P1": PlayerFacts("P1")}, (section(Entry(1, "P1", ()), start=None),)
    )
    (only,) = write(report).findings
    assert (only.code, only.severity, only.where) == ("lost-in-conversion", Severity.NOTE, "report.json")
    assert "unknown first day of a section" in only.message
    back = read_back(report).report
    assert back is not None
    assert back.sections[0].start == QUAD_DAY


@pytest.mark.long
@examples(60)
@given(reports(unseated=True))
def test_every_report_is_read_back_as_it_was(report: Report) -> None:
    written = write(report)
    assert written.findings == ()
    back = read_back(report)
    assert back.report == report
    assert not has_errors(back.findings)
    assert write(back.report) == written


@pytest.mark.long
@examples(20)
@given(reports())
def test_the_random_reports_of_all_format_tests_are_valid(report: Report) -> None:
    """Whatever a format test finds is the format's own fault."""
    assert not has_errors(check(report, load_rulebook()))


def test_the_one_native_file_of_a_folder_is_read_and_the_others_are_named() -> None:
    files = {"notes.txt": b"Bring clocks.", "report.json": WRITTEN.encode()}
    result = parse(source_of(files), Hints())
    assert result.report is not None
    assert [(one.code, one.severity) for one in result.findings] == [("file-not-read", Severity.NOTE)]
    assert "'notes.txt'" in result.findings[0].message


def test_two_native_files_are_too_many() -> None:
    result = parse(source_of({"a.json": WRITTEN.encode(), "b.json": WRITTEN.encode()}), Hints())
    assert result.report is None
    assert [one.code for one in result.findings] == ["several-files"]


def test_a_source_without_a_native_file_is_an_error() -> None:
    result = parse(source_of({"a.txt": b"", "b.txt": b""}), Hints())
    assert [one.code for one in result.findings] == ["file-missing"]


def test_options_that_the_file_answers_itself_are_named() -> None:
    hints = Hints(end=QUAD_DAY, time_control="G/5", type=SectionType.MATCH, event="202611140001")
    (only,) = parse(source_of({"report.json": WRITTEN.encode()}), hints).findings
    assert (only.code, only.severity) == ("option-unused", Severity.NOTE)
    assert "--end, --time-control, --type." in only.message


def test_another_event_than_the_files_is_an_error() -> None:
    result = parse(source_of({"report.json": WRITTEN.encode()}), Hints(event="202601010001"))
    assert result.report is None
    assert [one.code for one in result.findings] == ["event-unknown"]


def test_a_native_report_is_known_by_its_brace() -> None:
    assert looks_like(source_of({"a": b"\xef\xbb\xbf\n" + WRITTEN.encode()}))
    assert looks_like(source_of({"a": b"", "b": b'{"players": [], "sections": []}'}))
    assert looks_like(source_of({"a": b'{"format": "x", broken'}))
    assert not looks_like(source_of({"a": b'{"formt": 1, "event": {"players": [], "sections": []}}'}))
    assert not looks_like(source_of({"a": b'{"items": [{"roundOutcomes": []}]}'}))
    assert not looks_like(source_of({"a": b"[1]", "b": b""}))
    assert not looks_like(source_of({}))


def test_a_file_of_millions_of_tiny_values_is_refused_before_it_fills_the_memory() -> None:
    data = b'{"players": [' + b"{}," * 500_000 + b"{}]}"
    result = parse(source_of({"report.json": data}), Hints())
    assert [one.code for one in result.findings] == ["file-too-dense"]


@examples(120)
@given(
    cuts=st.lists(st.tuples(st.integers(0, 2_000), st.integers(0, 40), st.binary(max_size=3)), max_size=4),
    end=st.integers(0, 2_500),
)
def test_damaged_reports_yield_findings_and_never_an_exception(
    cuts: list[tuple[int, int, bytes]], end: int
) -> None:
    data = bytearray(WRITTEN.encode())
    for position, length, replacement in cuts:
        data[position : position + length] = replacement
    result = parse(source_of({"report.json": bytes(data[:end])}), Hints())
    assert (result.report is None) == is_unreadable(result.findings)
