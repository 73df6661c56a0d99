"""The upload files of 1991 (docs/formats/uschess.md#the-layout-of-1991), packed by hand."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratebook.findings import Severity
from ratebook.formats.contract import Hints, ParsedReport, is_unreadable
from ratebook.formats.uschess.read import EDITION_1991, looks_like, parse
from ratebook.model import Cell, Entry, Event, PlayerFacts, Report, Section, SectionType
from support.builders import cell
from support.whole_run import examples
from unit.formats.uschess.upload_bytes import HEADER_2C, HEADER_1991, PLAYER_1991, SECTION_1991, rows, source

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ratebook.findings import Finding

    Values = Mapping[str, str | bytes]

ID = "911102345"
HEADER: Values = {
    "H_EVENT_ID": ID,
    "H_NAME": "Autumn Swiss",
    "H_TOT_SECT": "1",
    "H_BEG_DATE": "20031101",
    "H_END_DATE": "20031102",
    "H_AFF_ID": "A9000001",
    "H_CITY": "Exampleville",
    "H_STATE": "NY",
    "H_COUNTRY": "USA",
    "H_SENDCROS": "N",
    "H_SCHOLAST": "N",
    "H_SECREC01": "1",
}
SECTION: Values = {
    "S_EVENT_ID": ID,
    "S_SEC_NUM": " 1",
    "S_SEC_NAME": "Open",
    "S_K_FACTOR": "F",
    "S_R_SYSTEM": "R",
    "S_TRN_TYPE": "S",
    "S_TOT_RNDS": "3",
    "S_LST_PAIR": "3",
    "S_DTLREC01": "1",
}
HINTS = Hints(time_control="G/90")


def seat(number: int, rounds: str, sequence: str = "1", **changes: str | bytes) -> Values:
    """One record of a seat: cells of letter and number, the rest of the ten columns without a round."""
    cells = [one[0] + one[1:].rjust(4) for one in rounds.split()]
    cells += ["    0"] * (10 - len(cells))
    return {
        "D_EVENT_ID": ID,
        "D_SEC_NUM": " 1",
        "D_PAIR_NUM": str(number).rjust(4),
        "D_REC_SEQ": sequence,
        "D_MEM_ID": str(90_000_000 + number),
        **{f"D_RND{place:02}": text for place, text in enumerate(cells, start=1)},
        **changes,
    }


SEATS = [seat(1, "W2 D3 B0"), seat(2, "L1 H0 W3"), seat(3, "U0 D1 L2")]


def files_of(
    header: Values | list[Values] = HEADER,
    sections: list[Values] | None = None,
    players: list[Values] | None = None,
) -> list[bytes]:
    return [
        rows(HEADER_1991, header if isinstance(header, list) else [header]),
        rows(SECTION_1991, [SECTION] if sections is None else sections),
        rows(PLAYER_1991, SEATS if players is None else players),
    ]


def parse_files(files: list[bytes], hints: Hints = HINTS) -> ParsedReport:
    return parse(source(*files), hints)


def report_of(found: ParsedReport) -> Report:
    assert found.report is not None, found.findings
    return found.report


def codes(findings: tuple[Finding, ...], severity: Severity | None = None) -> list[str]:
    return [finding.code for finding in findings if severity in (None, finding.severity)]


def cells(text: str) -> tuple[Cell, ...]:
    return tuple(cell(one) for one in text.split())


def rounds_by_seat(section: Section) -> dict[int, tuple[Cell, ...]]:
    return {entry.seat: entry.rounds for entry in section.entries}


def test_an_event_is_read_as_it_was_typed() -> None:
    found = parse_files(files_of())
    start, end = date(2003, 11, 1), date(2003, 11, 2)
    assert report_of(found) == Report(
        Event(
            id=ID,
            name="Autumn Swiss",
            start=start,
            end=end,
            city="Exampleville",
            state="NY",
            country="USA",
            affiliate="A9000001",
        ),
        {str(90_000_000 + number): PlayerFacts(str(90_000_000 + number)) for number in (1, 2, 3)},
        (
            Section(
                number=1,
                name="Open",
                start=start,
                end=end,
                time_control="G/90",
                type=SectionType.SWISS,
                entries=(
                    Entry(1, "90000001", cells("W2 D3 B")),
                    Entry(2, "90000002", cells("L1 H W3")),
                    Entry(3, "90000003", cells("U D1 L2")),
                ),
            ),
        ),
    )
    assert found.findings == ()
    assert (found.stated_rounds, found.stated_systems) == ({1: 3}, {1: "R"})


def test_the_two_layouts_are_told_apart_by_their_columns() -> None:
    old = source(*files_of())
    assert looks_like(old, EDITION_1991)
    assert not looks_like(old)
    current = source(rows(HEADER_2C, [{"H_FORMAT": "2C"}]))
    assert looks_like(current)
    assert not looks_like(current, EDITION_1991)


@pytest.mark.parametrize("part", [0, 1, 2])
def test_each_file_alone_shows_its_layout(part: int) -> None:
    alone = source(files_of()[part])
    assert looks_like(alone, EDITION_1991)
    assert codes(parse(alone, HINTS).findings) == ["upload-file-missing"]


def test_a_player_with_more_than_ten_rounds_has_a_second_record() -> None:
    first = [seat(1, "W2 " * 10), seat(2, "L1 " * 10)]
    second = [seat(2, "D1 U0", "2", D_MEM_ID=""), seat(1, "D2 U0", "2", D_MEM_ID="")]
    found = parse_files(
        files_of(sections=[{**SECTION, "S_TOT_RNDS": "12", "S_LST_PAIR": "2"}], players=[*first, *second])
    )
    assert rounds_by_seat(report_of(found).sections[0]) == {
        1: cells("W2 " * 10 + "D2 U"),
        2: cells("L1 " * 10 + "D1 U"),
    }
    assert found.findings == ()


def test_whoever_left_before_the_second_record_has_empty_rounds_there() -> None:
    players = [
        seat(1, "W2 " * 10),
        seat(1, "W3", "2"),
        seat(2, "L1 " * 10),
        seat(3, "U0 " * 10),
        seat(3, "L1", "2"),
    ]
    found = parse_files(files_of(sections=[{**SECTION, "S_TOT_RNDS": "11"}], players=players))
    assert rounds_by_seat(report_of(found).sections[0])[2] == (*cells("L1 " * 10), Cell())


def test_a_record_that_is_missing_between_others_is_an_error() -> None:
    players = [seat(1, "W2", "2"), seat(2, "L1"), seat(2, "L1", "2"), seat(3, "U0")]
    found = parse_files(files_of(players=players))
    assert codes(found.findings, Severity.ERROR) == ["record-sequence-incomplete"]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"D_REC_SEQ": "1"}, "seat-twice"),
        ({"D_REC_SEQ": "x"}, "record-sequence-unreadable"),
        ({"D_REC_SEQ": "0"}, "record-sequence-unreadable"),
        ({"D_PAIR_NUM": "A"}, "seat-unreadable"),
        ({"D_SEC_NUM": "7"}, "section-record-missing"),
        ({"D_REC_SEQ": "2", "D_RND03": "Q   1"}, "cell-unreadable"),
    ],
)
def test_mistakes_in_a_record_are_errors_with_its_place(changes: Values, code: str) -> None:
    found = parse_files(files_of(players=[*SEATS, {**SEATS[0], **changes}]))
    (error,) = [finding for finding in found.findings if finding.severity is Severity.ERROR]
    assert error.code == code
    assert error.place.field.startswith("D_")


def test_of_several_events_the_option_picks_one() -> None:
    other = "911102346"
    header = [HEADER, {**HEADER, "H_EVENT_ID": other, "H_NAME": "Winter Swiss"}]
    sections = [SECTION, {**SECTION, "S_EVENT_ID": other}]
    players = [*SEATS, *({**one, "D_EVENT_ID": other} for one in SEATS)]
    files = files_of(header, sections, players)
    found = parse_files(files)
    assert codes(found.findings) == ["several-events"]
    assert ID in found.findings[0].message
    assert other in found.findings[0].message
    assert "--event" in found.findings[0].remedy
    found = parse_files(files, HINTS._replace(event=other))
    assert report_of(found).event.name == "Winter Swiss"
    assert len(report_of(found).sections[0].entries) == 3
    assert set(codes(found.findings)) == {"records-of-other-events"}
    assert codes(parse_files(files, HINTS._replace(event="1")).findings) == ["event-unknown"]


@pytest.mark.parametrize("letter", ["D", "Q"])
def test_the_letter_of_the_system_cannot_replace_the_time_control(letter: str) -> None:
    found = parse_files(files_of(sections=[{**SECTION, "S_R_SYSTEM": letter}]), Hints())
    (error,) = [finding for finding in found.findings if finding.severity is Severity.ERROR]
    assert error.code == "time-control-missing"
    assert f"({letter!r}) cannot replace it" in error.message
    assert "--time-control" in error.remedy


@pytest.mark.parametrize(("letter", "half_k"), [("H", True), ("F", False), ("Q", False), ("", False)])
def test_half_k_is_a_letter_of_the_section(letter: str, half_k: bool) -> None:  # noqa: FBT001 - a parameter of the table
    found = parse_files(files_of(sections=[{**SECTION, "S_K_FACTOR": letter}]))
    assert report_of(found).sections[0].half_k is half_k


def test_columns_of_a_round_robin_may_be_opponents_and_their_number_the_players() -> None:
    players = [seat(1, "U0 W2 D3"), seat(2, "L1 U0 W3"), seat(3, "D1 L2 U0")]
    found = parse_files(files_of(sections=[{**SECTION, "S_TRN_TYPE": "R"}], players=players))
    (section,) = report_of(found).sections
    assert section.type is SectionType.ROUND_ROBIN
    assert rounds_by_seat(section) == {1: cells("U W2 D3"), 2: cells("W3 L1 U"), 3: cells("L2 U D1")}
    assert codes(found.findings) == ["columns-are-opponents"]


def test_forfeits_and_missing_ids_are_treated_as_in_the_current_files() -> None:
    players = [seat(1, "X0 W2 U0"), seat(2, "F0 L1 U0", D_MEM_ID="00000000"), seat(3, "U0 U0 U0")]
    found = parse_files(files_of(players=players))
    assert rounds_by_seat(report_of(found).sections[0])[2] == cells("F1 L1 U")
    assert report_of(found).sections[0].entries[1].player == "seat-2"
    assert codes(found.findings) == ["member-id-missing", "forfeits-paired"]


def test_ninety_nine_rounds_are_the_most() -> None:
    columns = [*PLAYER_1991, *((f"D_RND{number}", "C", 5) for number in range(11, 31))]
    players = [seat(1, "W2"), *(seat(2, "L1", str(number)) for number in range(1, 5))]
    files = [*files_of()[:2], rows(columns, players)]
    assert codes(parse_files(files).findings, Severity.ERROR) == ["too-many-rounds"]


def test_player_records_without_their_numbers_are_refused() -> None:
    columns = [column for column in PLAYER_1991 if column[0] != "D_REC_SEQ"]
    players = [{name: value for name, value in one.items() if name != "D_REC_SEQ"} for one in SEATS]
    found = parse_files([*files_of()[:2], rows(columns, players)])
    assert codes(found.findings) == ["column-missing"]


@examples(200)
@given(st.data())
def test_mutated_files_give_findings_and_never_an_exception(data: st.DataObject) -> None:
    files = files_of(players=[*SEATS, seat(1, "W2", "2")])
    for _ in range(data.draw(st.integers(1, 3))):
        which = data.draw(st.integers(0, 2))
        mutated = bytearray(files[which])
        at = data.draw(st.integers(0, len(mutated)) | st.integers(max(0, len(mutated) - 300), len(mutated)))
        match data.draw(st.sampled_from(("cut", "set", "letter", "insert", "double"))):
            case "cut":
                del mutated[at : at + data.draw(st.integers(1, 80))]
            case "set":
                mutated[at : at + 1] = bytes([data.draw(st.integers(0, 255))])
            case "letter":
                mutated[at : at + 1] = bytes([data.draw(st.sampled_from(b"WLDXFZBHUNSRI$#%0123456789 *"))])
            case "insert":
                mutated[at:at] = data.draw(st.binary(max_size=8))
            case _:
                mutated[at:at] = mutated[at : at + 75]
        files[which] = bytes(mutated)
    mutant = source(*files)
    looks_like(mutant)
    found = parse(mutant, HINTS)
    assert (found.report is None) is is_unreadable(found.findings)
