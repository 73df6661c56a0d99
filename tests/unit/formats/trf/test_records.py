"""Reading FIDE tournament report files: types, counts, other records, several files, damaged files."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratebook.findings import FINDINGS_SHOWN, Severity
from ratebook.formats.archive import SourceFile
from ratebook.formats.contract import Hints
from ratebook.formats.source import Source, source_of_bytes
from ratebook.formats.trf import read
from ratebook.formats.trf.write import write
from ratebook.model import Cell, SectionType
from support.whole_run import examples
from unit.formats.trf.files import (
    NO_HINTS,
    PLAYERS,
    QUAD,
    TOURNAMENT,
    cells_of,
    codes,
    in_columns,
    national,
    parse,
    player,
    with_rounds,
    without,
)

# Types, counts and other records


@pytest.mark.parametrize(
    ("record", "kind"),
    [
        ("092 Individual: Swiss-System", SectionType.SWISS),
        ("092 Round Robin", SectionType.ROUND_ROBIN),
        ("092 Match", SectionType.MATCH),
        ("092 Team match", SectionType.OTHER),
        ("092 Scheveningen", SectionType.OTHER),
        ("192 FIDE_DUTCH_2026_BAKU", SectionType.SWISS),
        ("192 FIDE_DOUBLEROUNDROBIN", SectionType.ROUND_ROBIN),
        ("192 BERGER_ROUNDROBIN_G2", SectionType.ROUND_ROBIN),
    ],
)
def test_the_type_is_read_from_the_code_or_the_words(record: str, kind: SectionType) -> None:
    report = parse(*without("092"), record).report
    assert report is not None
    assert report.sections[0].type is kind


def test_hints_say_what_the_file_cannot() -> None:
    report = parse(
        *without("122"), hints=Hints(online=True, type=SectionType.OTHER, time_control="G/10")
    ).report
    assert report is not None
    assert report.sections[0][4:7] == ("G/10", SectionType.OTHER, True)


def test_in_a_foreign_event_the_entries_of_the_usa_are_updated_and_no_time_control_is_needed() -> None:
    report = parse(*without("122"), hints=Hints(type=SectionType.FIDE)).report
    assert report is not None
    assert [entry.update for entry in report.sections[0].entries] == [True, False, False, True]
    assert report.sections[0].time_control is None


@pytest.mark.parametrize(("tag", "text"), [("062", "5"), ("072", "3"), ("082", "2"), ("062", "many")])
def test_a_count_that_is_not_what_is_there_is_a_warning(tag: str, text: str) -> None:
    result = parse(*without(tag), f"{tag} {text}")
    assert [finding.code for finding in result.findings if finding.severity is Severity.WARNING] == [
        "count-differs"
    ]


@pytest.mark.parametrize("record", ["142 many", "142 100", "XXR 1000000000"])
def test_a_number_of_rounds_that_cannot_be_is_a_warning(record: str) -> None:
    result = parse(*QUAD, record)
    assert "count-differs" in codes(result)
    assert len(cells_of(result)) == 3
    assert result.stated_rounds == {}


@pytest.mark.parametrize(("record", "rounds"), [("142 2", 3), ("XXR 3", 3), ("142 5", 5)])
def test_the_stated_rounds_are_kept_for_the_checks_and_rounds_not_played_are_empty(
    record: str, rounds: int
) -> None:
    result = parse(*QUAD, record)
    assert codes(result) == ["birth-year-only"]
    assert result.stated_rounds == {1: int(record[4:])}
    assert cells_of(result)[3:] == (Cell(),) * (rounds - 3)
    assert {len(cells_of(result, seat)) for seat in (1, 2, 3, 4)} == {rounds}


def test_team_records_are_named_in_one_note() -> None:
    more = ("013 EXAMPLE TEAM                       1    2", "310   1 EXAMPLE TEAM", "801   1 ABC", "082 2")
    result = parse(*without("082"), *more)
    (found,) = [finding for finding in result.findings if finding.code == "team-records-ignored"]
    assert "013, 310, 801" in found.message
    assert "count-differs" not in codes(result)


def test_abnormal_points_and_forfeited_matches_are_notes() -> None:
    result = parse(*QUAD, "299 W       0.0          1", "330 +- 001 001 002")
    assert {"abnormal-points", "forfeited-match"} <= set(codes(result))


def test_records_of_pairing_programs_and_of_the_new_edition_are_known() -> None:
    more = (
        *("152 W", "162 W 1.0", "172 USA FIDE", "182 EXAMPLE", "202 BH", "212 PTS,BH", "XXZ 1", "XXS W=1"),
        *(
            "XXC rank white1",
            "XXA    1 1.0",
            "XXP 1 2",
            "250      02.0 001 001 0001 0002",
            "260 001 002    1    2",
        ),
    )
    assert codes(parse(*QUAD, *more)) == ["birth-year-only"]


@pytest.mark.parametrize(
    "line", ["999 what", "XX", "0012 Autumn", "Hello", "é12", "01", "The end", "USA x", "usa    1"]
)
def test_an_unknown_record_is_a_warning_with_its_line(line: str) -> None:
    result = parse(line, *QUAD)
    assert (result.findings[0].code, result.findings[0].where) == ("trf-record-unknown", "quad.trf, line 1")


def test_unknown_records_are_one_warning_and_rulers_one_note() -> None:
    rulers = (
        "DDD SSSS sTTT NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN RRRR FFF",
        "         1         2         3",
        "123456789012345678901234567890",
    )
    (note, warning, *_) = parse(*rulers, "Hello", *QUAD, "The end", "999 what").findings
    assert (note.code, note.severity) == ("rulers-ignored", Severity.NOTE)
    assert note.message.endswith(": 3.")
    assert (warning.code, warning.where) == ("trf-record-unknown", "quad.trf, line 4")
    assert "3; the first is 'Hel'" in warning.message


@pytest.mark.parametrize("rest", ["     8 w =", "   2 w 1     3 b 0", "w 1"])
def test_the_rest_of_a_line_that_was_wrapped_says_that_the_line_above_is_cut_off(rest: str) -> None:
    result = parse(*QUAD, rest)
    (error,) = [one for one in result.findings if one.severity is Severity.ERROR]
    assert (error.code, error.where) == ("trf-line-wrapped", f"quad.trf, line {len(QUAD) + 1}")
    assert "line above is cut off" in error.message


def test_years_of_birth_are_left_out_and_the_note_says_so() -> None:
    note, _ = parse(*TOURNAMENT, *PLAYERS[:3], player(4, "Davis, Example", born="1982/00/00")).findings
    assert note.code == "birth-year-only"
    assert "left out" in note.message


def test_deputies_without_a_name_are_not_written() -> None:
    report = parse(*without("112"), "112 ", "112 ").report
    assert report is not None
    for edition in (16, 26):
        (written,) = write(report, edition=edition).files.values()
        assert b"\n112" not in written


def test_a_draw_against_no_one_is_a_half_point_bye() -> None:
    result = with_rounds("   2 w 1", "0000 - =")
    assert cells_of(result) == (Cell("W", 2, "w"), Cell("H"))
    (note,) = [one for one in result.findings if one.code == "half-bye-assumed"]
    assert note.severity is Severity.NOTE
    refused = with_rounds("   2 w 1", "0000 - *")
    assert [one.code for one in refused.findings if one.severity is Severity.ERROR] == ["cell-unreadable"]


@pytest.mark.parametrize(
    ("rounds", "points", "code"),
    [
        ("   2 w 1|0000 - H", " 1.5", ""),
        ("   2 w 1|0000 - H", " 1,5", ""),
        ("   2 w 1|0000 - H", "    ", ""),
        ("   2 w 1|0000 - H", " 2.5", "points-differ"),
        ("   2 w 1|0000 - H", " 1.0", "points-differ"),
        ("   2 w 1|        |   2 b 0", " 1.5", "points-of-blank-rounds"),
        ("   2 w 1|        |   2 b 0", " 2.0", "points-differ"),
    ],
)
def test_the_printed_points_are_compared_with_the_results(rounds: str, points: str, code: str) -> None:
    lines = (player(1, "ADAMS EXAMPLE", rounds, points=points), player(2, "BAKER EXAMPLE"))
    kept = [line for line in TOURNAMENT if line[:3] not in {"062", "072", "082"}]
    found = [one for one in parse(*kept, *lines).findings if one.code.startswith("points")]
    assert [one.code for one in found] == ([code] if code else [])
    assert all("ADAMS EXAMPLE" in one.message for one in found)
    assert not any(one.code.startswith("points") for one in parse(*kept, *lines, "XXS W=3").findings)


def test_a_record_that_says_two_things_is_a_warning_and_the_first_holds() -> None:
    result = parse(*QUAD, "022 Elsewhere", "032 USA")
    assert [code for code in codes(result) if code == "record-twice"] == ["record-twice"]
    assert result.report is not None
    assert result.report.event.city == "Exampleville"


def test_several_tournaments_in_one_file_are_an_error_at_the_second() -> None:
    result = parse(*QUAD, *QUAD)
    (found,) = [finding for finding in result.findings if finding.severity is Severity.ERROR]
    assert (found.code, found.where) == ("several-tournaments", f"quad.trf, line {len(QUAD) + 1}")


@pytest.mark.parametrize("seat", ["    ", "   0", "  x1", " 1 2", "\u0661   "])
def test_a_starting_rank_that_cannot_be_read_is_an_error(seat: str) -> None:
    line = in_columns((1, "001"), (5, seat), (15, "ADAMS EXAMPLE"))
    assert "seat-unreadable" in codes(parse(*TOURNAMENT, line))


def test_a_starting_rank_twice_is_an_error() -> None:
    assert "seat-twice" in codes(parse(*QUAD, player(4, "EVANS EXAMPLE")))


def test_names_and_texts_with_control_characters_are_errors() -> None:
    assert "text-unreadable" in codes(parse(*QUAD, player(5, "EVANS\x1bEXAMPLE")))
    assert "text-unreadable" in codes(parse(*without("022"), "022 A\x07"))
    assert "text-unreadable" in codes(parse(*QUAD, national(1, number="9\x07")))


def test_a_line_separator_of_unicode_ends_no_line() -> None:
    report = parse(*without("022"), "022 A\u2028B").report
    assert report is not None
    assert report.event.city == "A\u2028B"


def test_more_rounds_than_any_event_are_an_error() -> None:
    assert "too-many-rounds" in codes(with_rounds(*["0000 - H"] * 100))
    assert "too-many-rounds" not in codes(with_rounds(*["0000 - H"] * 99))


# Files


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "file-empty"),
        (b"\r\n  \n", "file-empty"),
        (b"001\0", "file-binary"),
        (b"012 Autumn Quad\n", "players-missing"),
        (b"x\n" * 100_001, "too-many-lines"),
    ],
)
def test_what_is_no_tournament_is_an_error(data: bytes, code: str) -> None:
    result = read.parse(source_of_bytes(data, "quad.trf"), NO_HINTS)
    assert result.report is None
    assert code in codes(result)


def test_no_more_findings_are_shown_than_anybody_reads() -> None:
    lines = [player(seat, "A", "   1 w ?") for seat in range(1, 3000)]
    assert len(parse(*TOURNAMENT, *lines).findings) == FINDINGS_SHOWN + 1


def files(**contents: str) -> Source:
    return Source(
        "folder",
        tuple(SourceFile(name.replace("_", "-") + ".trf", text.encode()) for name, text in contents.items()),
    )


def test_several_files_are_the_sections_of_one_event() -> None:
    quad = "\n".join(QUAD).replace("Autumn Quad", "Autumn Open - Open")
    two = (
        "\n".join(QUAD).replace("Autumn Quad", "Autumn Open - Under 1800").replace("2026/11/15", "2026/11/16")
    )
    result = read.parse(files(section_10=two, section_2=quad), NO_HINTS)
    assert result.report is not None
    assert result.report.event.name == "Autumn Open"
    assert result.report.event.end == date(2026, 11, 16)
    assert [(section.number, section.name) for section in result.report.sections] == [
        (2, "Open"),
        (10, "Under 1800"),
    ]
    assert set(result.report.players) == {
        *("section-2-seat-1", "section-2-seat-2"),
        *(f"section-{section}-seat-{seat}" for section in (2, 10) for seat in (3, 4)),
    }


def test_files_of_other_names_are_numbered_in_their_order() -> None:
    one, two = "\n".join(QUAD).replace("Autumn Quad", "A"), "\n".join(QUAD).replace("Autumn Quad", "B")
    result = read.parse(
        files(open=one, u1800=two.replace("Exampleville", "Elsewhere"), notes="hello"), NO_HINTS
    )
    assert codes(result) == ["file-not-read", "birth-year-only", "birth-year-only", "tournaments-differ"]
    assert result.report is not None
    assert result.report.event.name == ""
    assert [(section.number, section.name) for section in result.report.sections] == [(1, "A"), (2, "B")]


def test_a_folder_without_a_tournament_is_an_error() -> None:
    assert codes(read.parse(files(a="hello", b="world"), NO_HINTS)) == ["file-missing"]
    assert codes(read.parse(Source("folder", ()), NO_HINTS)) == ["file-missing"]


@pytest.mark.parametrize(
    ("lines", "edition"),
    [
        (QUAD, 16),
        (PLAYERS, 16),
        (TOURNAMENT, 16),
        ((*QUAD, "XXR 3", "XXC white1", "DAT    1 ID:USCF 90000001"), 16),
        ((*QUAD, "142 3"), 26),
        ((*QUAD, "222 5400+30"), 26),
        ((*QUAD, "240 H   1    1"), 26),
        ((*QUAD, "USA    1"), 16),
        ((*QUAD, national(1, rating="1500")), 26),
        (("hello", "world"), 0),
        (("012 Autumn", ""), 0),
        (('{"format": "ratebook-report/1"}',), 0),
        (("001,ADAMS EXAMPLE",), 0),
        (("001    1\0",), 0),
    ],
)
@pytest.mark.parametrize("end_of_line", ["\r", "\n", "\r\n"])
def test_the_content_tells_the_edition(lines: tuple[str, ...], edition: int, end_of_line: str) -> None:
    source = source_of_bytes(end_of_line.join((*lines, "")).encode(), "anything")
    assert (read.looks_like(source, 16), read.looks_like(source, 26)) == (edition == 16, edition == 26)


# Robustness

WHOLE = "\r\n".join(
    (
        *QUAD,
        national(2, rating="1650", number="90000002"),
        *(
            "142 4",
            "222 5400+30",
            "240 H   4    1    2",
            "XXR 4",
            "DAT    3 ID:USCF 90000003",
            "192 CUSTOM_SWISS",
            "",
        ),
    )
).encode()


def test_the_file_that_is_mutated_is_whole() -> None:
    assert codes(read.parse(source_of_bytes(WHOLE, "quad.trf"), NO_HINTS)) == [
        "time-control-differs",
        "birth-year-only",
    ]


@pytest.mark.long
@examples(240)
@given(st.data())
def test_no_mutation_of_a_file_raises(data: st.DataObject) -> None:
    content = bytearray(WHOLE)
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, max(0, len(content) - 1)))
        length = data.draw(st.integers(1, 200))
        match data.draw(st.sampled_from(("flip", "cut", "insert", "repeat", "end"))):
            case "flip" if content:
                content[at] = data.draw(st.integers(0, 255))
            case "cut":
                del content[at : at + length]
            case "insert":
                content[at:at] = data.draw(
                    st.binary(max_size=8) | st.sampled_from((b"\n", b"001 ", b"9" * 20))
                )
            case "repeat":
                content[at:at] = content[at : at + length]
            case _:
                del content[at:]
    source = source_of_bytes(bytes(content), "quad.trf") if content[:2] != b"PK" else Source("x", ())
    result = read.parse(source, NO_HINTS)
    assert (result.report is None) == any(finding.severity is Severity.ERROR for finding in result.findings)
    assert all(finding.where and finding.message and finding.remedy for finding in result.findings)
    assert read.looks_like(source, 16) in {True, False}


@examples(160)
@given(st.text(alphabet="0123456789+-=WDLHFUZwb/:. \n\tUSAXRé\u0663", max_size=300), st.sampled_from(QUAD))
def test_no_text_raises(text: str, line: str) -> None:
    for content in (text, line + text, f"{line}\n001 {text}", f"222 {text}\n122 {text}\n{line}"):
        read.parse(source_of_bytes(content.encode(), "x.trf"), Hints(end=date(2026, 11, 15)))
