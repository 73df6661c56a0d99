"""Reading the 2C upload files: hints, and what is wrong with them."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratebook.findings import Severity
from ratebook.formats.contract import Hints, is_unreadable
from ratebook.formats.uschess.read import looks_like, parse
from ratebook.formats.uschess.write_2c import write
from ratebook.model import Cell, SectionType
from support.whole_run import examples
from unit.formats.uschess.upload_2c import (
    HEADER,
    NO_HINTS,
    QUAD,
    SECTION,
    cells,
    codes,
    files_of,
    parse_files,
    parsed,
    report_of,
    rounds_by_seat,
)
from unit.formats.uschess.upload_bytes import (
    HEADER_2C,
    PLAYER_2C,
    SECTION_2C,
    record,
    round_columns,
    rows,
    source,
    table,
)

if TYPE_CHECKING:
    from unit.formats.uschess.upload_2c import Values
    from unit.formats.uschess.upload_bytes import Columns


class TestHints:
    def test_hints_complete_what_the_files_leave_blank(self) -> None:
        hints = Hints(date(2026, 1, 3), date(2026, 1, 4), "G/90;d5", online=True, type=SectionType.MATCH)
        found = parsed(
            hints,
            header={**HEADER, "H_BEG_DATE": "", "H_END_DATE": "00000000"},
            sections=[{**SECTION, "S_TIMECTL": "", "S_TRN_TYPE": ""}],
        )
        (section,) = report_of(found).sections
        assert (section.start, section.end, section.time_control) == (hints.start, hints.end, "G/90;d5")
        assert section.online
        assert section.type is SectionType.MATCH
        assert codes(found.findings) == ["forfeits-paired"]

    def test_what_the_files_say_holds_and_a_note_names_the_options(self) -> None:
        hints = Hints(date(2026, 1, 3), date(2026, 1, 4), "G/90;d5", type=SectionType.MATCH)
        found = parsed(hints)
        assert report_of(found) == report_of(parsed())
        (note,) = [finding for finding in found.findings if finding.code == "option-unused"]
        for option in ("--start", "--end", "--time-control", "--type"):
            assert option in note.message

    def test_a_foreign_event_can_only_be_said_by_the_option(self) -> None:
        found = parsed(Hints(type=SectionType.FIDE))
        assert report_of(found).sections[0].type is SectionType.FIDE
        assert codes(found.findings) == ["forfeits-paired"]

    def test_a_section_without_a_time_control_is_left_to_the_office(self) -> None:
        found = parsed(sections=[{**SECTION, "S_TIMECTL": ""}])
        assert report_of(found).sections[0].time_control is None

    def test_an_unknown_first_day_is_a_note(self) -> None:
        found = parsed(header={**HEADER, "H_BEG_DATE": ""})
        assert report_of(found).sections[0].start is None
        assert "start-missing" in codes(found.findings, Severity.NOTE)

    def test_of_several_events_the_option_picks_one(self) -> None:
        ids = ("202611140001", "202611140002")
        header = rows(HEADER_2C, [{**HEADER, "H_EVENT_ID": one, "H_NAME": f"Event {one[-1]}"} for one in ids])
        sections = rows(SECTION_2C, [{**SECTION, "S_EVENT_ID": one} for one in ids])
        columns = [*PLAYER_2C, *round_columns(3)]
        players = rows(columns, [{**seat_, "D_EVENT_ID": one} for one in ids for seat_ in QUAD])
        files = [header, sections, players]
        assert codes(parse_files(files).findings) == ["several-events"]
        assert ids[1] in parse_files(files).findings[0].message
        found = parse_files(files, Hints(event=ids[1]))
        assert report_of(found).event.name == "Event 2"
        assert len(report_of(found).sections[0].entries) == 4
        assert codes(parse_files(files, Hints(event="9")).findings) == ["event-unknown"]

    def test_a_single_event_without_an_id_is_the_one_that_is_asked_for(self) -> None:
        assert report_of(parsed(Hints(event="202611140001"))) == report_of(parsed())
        found = parsed(Hints(event="202611140001"), header={**HEADER, "H_EVENT_ID": "202611140002"})
        assert codes(found.findings) == ["event-unknown"]


class TestFindings:
    @pytest.mark.parametrize(
        ("changes", "code", "where"),
        [
            ({"H_BEG_DATE": "20260231"}, "date-unreadable", "THEXPORT.DBF, record 1, H_BEG_DATE"),
            ({"H_BEG_DATE": "11/14/26"}, "date-unreadable", "THEXPORT.DBF, record 1, H_BEG_DATE"),
            ({"H_END_DATE": "02261115"}, "date-out-of-range", "THEXPORT.DBF, record 1, H_END_DATE"),
            ({"H_END_DATE": "20261113"}, "dates-reversed", "THEXPORT.DBF, record 1, H_END_DATE"),
            ({"H_BEG_DATE": "", "H_END_DATE": ""}, "end-missing", "TSEXPORT.DBF, record 1"),
        ],
    )
    def test_mistakes_in_the_event_record_are_errors(self, changes: Values, code: str, where: str) -> None:
        found = parsed(header={**HEADER, **changes})
        assert found.report is None
        errors = [finding for finding in found.findings if finding.severity is Severity.ERROR]
        assert [(finding.code, finding.where) for finding in errors] == [(code, where)]

    @pytest.mark.parametrize(
        ("changes", "code", "column"),
        [
            ({"S_SEC_NUM": "A"}, "section-number-unreadable", "S_SEC_NUM"),
            ({"S_SEC_NUM": "0"}, "section-number-unreadable", "S_SEC_NUM"),
            ({"S_SEC_NUM": ""}, "section-number-unreadable", "S_SEC_NUM"),
            ({"S_END_DATE": "20261315"}, "date-unreadable", "S_END_DATE"),
            ({"S_END_DATE": "20261113"}, "dates-reversed", "S_END_DATE"),
        ],
    )
    def test_mistakes_in_a_section_record_are_errors(self, changes: Values, code: str, column: str) -> None:
        found = parsed(sections=[{**SECTION, **changes}])
        assert found.report is None
        assert (code, f"TSEXPORT.DBF, record 1, {column}") in {
            (finding.code, finding.where) for finding in found.findings
        }

    @pytest.mark.parametrize(
        ("changes", "code", "where"),
        [
            ({"D_SEC_NUM": "2"}, "section-record-missing", "TDEXPORT.DBF, record 4, D_SEC_NUM"),
            ({"D_SEC_NUM": ""}, "section-record-missing", "TDEXPORT.DBF, record 4, D_SEC_NUM"),
            ({"D_PAIR_NUM": "4a"}, "seat-unreadable", "TDEXPORT.DBF, record 4, D_PAIR_NUM"),
            ({"D_PAIR_NUM": "0"}, "seat-unreadable", "TDEXPORT.DBF, record 4, D_PAIR_NUM"),
            ({"D_PAIR_NUM": "3"}, "seat-twice", "TDEXPORT.DBF, record 4, D_PAIR_NUM"),
            (
                {"D_MEM_ID": b"9\x019"},
                "text-unreadable",
                "TDEXPORT.DBF, record 4, section 1, seat 4, D_MEM_ID",
            ),
            ({"D_RND02": "Q3W"}, "cell-unreadable", "TDEXPORT.DBF, record 4, section 1, seat 4, D_RND02"),
            ({"D_RND02": "I3W"}, "game-in-progress", "TDEXPORT.DBF, record 4, section 1, seat 4, D_RND02"),
        ],
    )
    def test_mistakes_in_a_player_record_are_errors(self, changes: Values, code: str, where: str) -> None:
        found = parsed(players=[*QUAD[:3], {**QUAD[3], **changes}])
        assert found.report is None
        errors = [finding for finding in found.findings if finding.severity is Severity.ERROR]
        assert [(finding.code, finding.where) for finding in errors] == [(code, where)]

    @pytest.mark.parametrize(
        ("given", "code"),
        [
            ({"header": {**HEADER, "H_TOT_SECT": "2"}}, "section-count-differs"),
            ({"header": {**HEADER, "H_FORMAT": "3A"}}, "upload-format-unknown"),
            ({"sections": [{**SECTION, "S_LST_PAIR": "5"}]}, "last-pairing-differs"),
            ({"sections": [{**SECTION, "S_TRN_TYPE": "?"}]}, "section-type-unknown"),
            ({"players": [*QUAD[:3], {**QUAD[3], "D_RATING": "15x0"}]}, "pairing-rating-unreadable"),
            ({"players": [*QUAD[:3], {**QUAD[3], "D_RATING": "9999"}]}, "pairing-rating-unreadable"),
        ],
    )
    def test_contradictions_that_stop_nothing_are_warnings(self, given: dict[str, Any], code: str) -> None:
        found = parsed(**given)
        report_of(found)
        assert codes(found.findings, Severity.WARNING) == [code]

    def test_a_section_number_that_repeats_is_an_error(self) -> None:
        found = parsed(header={**HEADER, "H_TOT_SECT": "1"}, sections=[SECTION, SECTION])
        assert codes(found.findings, Severity.ERROR) == ["section-number-twice"]

    def test_a_section_without_players_is_an_error(self) -> None:
        found = parsed(
            header={**HEADER, "H_TOT_SECT": "2"}, sections=[SECTION, {**SECTION, "S_SEC_NUM": "2"}]
        )
        assert codes(found.findings, Severity.ERROR) == ["entries-empty"]

    def test_each_missing_file_is_named(self) -> None:
        files = files_of()
        for at, word in enumerate(("THEXPORT", "TSEXPORT", "TDEXPORT")):
            found = parse(source(*files[:at], *files[at + 1 :]), NO_HINTS)
            assert codes(found.findings) == ["upload-file-missing"]
            assert word in found.findings[0].message
            assert found.findings[0].message.count("EXPORT") == 1

    def test_a_damaged_file_says_why_it_could_not_be_read(self) -> None:
        files = files_of()
        found = parse(source(files[0], files[1], files[2][:40]), NO_HINTS)
        assert codes(found.findings) == ["dbf-unreadable", "upload-file-missing"]
        assert found.findings[0].where == "TDEXPORT.DBF"

    def test_two_files_of_one_kind_are_an_error(self) -> None:
        header, sections, players = files_of()
        names = ("h.dbf", "s.dbf", "d.dbf", "d2.dbf")
        found = parse(source(header, sections, players, players, names=names), NO_HINTS)
        assert codes(found.findings) == ["upload-file-twice"]

    def test_missing_columns_are_named(self) -> None:
        without_member: Columns = [column for column in PLAYER_2C if column[0] != "D_MEM_ID"]
        gap: Columns = [*without_member, *round_columns(1), ("D_RND03", "C", 7)]
        players = [
            {name: value for name, value in one.items() if name not in {"D_MEM_ID", "D_RND02"}}
            for one in QUAD
        ]
        found = parse_files([*files_of()[:2], rows(gap, players)])
        assert codes(found.findings) == ["column-missing"]
        assert "D_MEM_ID, D_RND02" in found.findings[0].message

    def test_empty_tables_are_errors(self) -> None:
        header, sections, players = files_of()
        assert codes(parse_files([rows(HEADER_2C, []), sections, players]).findings) == [
            "event-record-missing"
        ]
        found = parse_files([header, rows(SECTION_2C, []), players])
        assert "sections-empty" in codes(found.findings, Severity.ERROR)

    def test_a_file_that_is_cut_short_is_a_warning_and_loses_no_more_than_is_missing(self) -> None:
        header, sections, players = files_of()
        found = parse_files([header, sections, players[:-5]])
        assert "dbf-cut-short" in codes(found.findings, Severity.WARNING)
        assert rounds_by_seat(report_of(found).sections[0])[4] == (*cells("L1b W3w"), Cell())

    def test_records_beyond_the_count_are_a_warning(self) -> None:
        columns = [*PLAYER_2C, *round_columns(3)]
        players = table(columns, [record(columns, one) for one in QUAD], declared=3)
        found = parse_files([*files_of()[:2], players])
        assert "dbf-records-uncounted" in codes(found.findings, Severity.WARNING)

    def test_a_thousand_findings_are_enough(self) -> None:
        columns = [*PLAYER_2C, *round_columns(3)]
        bad = record(columns, {**QUAD[0], "D_RND01": "?"})
        found = parse_files([*files_of()[:2], table(columns, [bad] * 5_000)])
        assert len(found.findings) == 1_001
        assert found.findings[-1].code == "too-many-findings"
        assert codes(found.findings[:2]) == ["cell-unreadable", "seat-twice"]

    @pytest.mark.long
    @examples(400)
    @given(st.data())
    def test_mutated_files_give_findings_and_never_an_exception(self, data: st.DataObject) -> None:
        files = files_of()
        for _ in range(data.draw(st.integers(1, 3))):
            which = data.draw(st.integers(0, 2))
            mutated = bytearray(files[which])
            # Headers and records alike: most of the header file is blank.
            at = data.draw(
                st.integers(0, len(mutated)) | st.integers(max(0, len(mutated) - 260), len(mutated))
            )
            match data.draw(st.sampled_from(("cut", "set", "letter", "insert", "double"))):
                case "cut":
                    del mutated[at : at + data.draw(st.integers(1, 80))]
                case "set":
                    mutated[at : at + 1] = bytes([data.draw(st.integers(0, 255))])
                case "letter":
                    letters = st.sampled_from(b"WLDXFZBHUNSRI$#%0123456789 *")
                    mutated[at : at + 1] = bytes([data.draw(letters)])
                case "insert":
                    mutated[at:at] = data.draw(st.binary(max_size=8))
                case _:
                    mutated[at:at] = mutated[at : at + 84]
            files[which] = bytes(mutated)
        mutant = source(*files)
        looks_like(mutant)
        found = parse(mutant, NO_HINTS)
        assert (found.report is None) is is_unreadable(found.findings)
        if found.report is not None:
            write(found.report)
