"""The current upload files: read from bytes packed by hand, and damaged."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from ratebook.findings import Severity
from ratebook.formats.uschess.read import looks_like, parse
from ratebook.model import Entry, Event, PlayerFacts, Report, Section, SectionType
from support.builders import paired_by
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
    seat,
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
    from unit.formats.uschess.upload_bytes import Columns


class TestReading:
    def test_the_quad_is_read_as_it_was_typed(self) -> None:
        found = parsed()
        start, end = date(2026, 11, 14), date(2026, 11, 15)
        assert report_of(found) == Report(
            Event(
                id="",
                name="Autumn Quad",
                start=start,
                end=end,
                city="Exampleville",
                state="NY",
                country="USA",
                affiliate="A9000001",
                chief_td="90000099",
                postal_code="00000",
            ),
            {
                str(90_000_000 + n): PlayerFacts(
                    str(90_000_000 + n), f"EXAMPLE, PLAYER{n}", pairing_rating=None if n == 4 else 1_500.0 + n
                )
                for n in range(1, 5)
            },
            (
                Section(
                    number=1,
                    name="Quad A",
                    start=start,
                    end=end,
                    time_control="G/45; d5",
                    type=SectionType.SWISS,
                    entries=(
                        Entry(1, "90000001", cells("W4w D2b H")),
                        Entry(2, "90000002", cells("W3b D1w X3")),
                        Entry(3, "90000003", cells("L2w L4b F2")),
                        Entry(4, "90000004", cells("L1b W3w U")),
                    ),
                ),
            ),
        )
        assert codes(found.findings) == ["forfeits-paired"]

    def test_content_decides_and_not_the_names_or_the_order_of_the_files(self) -> None:
        header, sections, players = files_of()
        shuffled = source(players, b"not a table", header, sections, names=("A.TXT", "b", "c.dbf", "d"))
        assert looks_like(shuffled)
        found = parse(shuffled, NO_HINTS)
        assert report_of(found) == report_of(parsed())
        assert codes(found.findings) == ["file-not-read", "forfeits-paired"]

    def test_a_list_of_members_is_no_report(self) -> None:
        columns: Columns = [("MEM_ID", "C", 8), ("MEM_NAME", "C", 30)]
        assert not looks_like(source(rows(columns, [{"MEM_ID": "90000001"}])))

    def test_numbers_dates_memos_and_a_header_of_255_are_read_alike(self) -> None:
        def as_published(columns: Columns) -> Columns:
            kinds = {
                "H_BEG_DATE": "D",
                "H_END_DATE": "D",
                "H_TOT_SECT": "N",
                "S_TOT_RNDS": "N",
                "D_PAIR_NUM": "N",
            }
            widths = {"H_OTHER_TD": 255}
            return [(name, kinds.get(name, kind), widths.get(name, width)) for name, kind, width in columns]

        def memo(columns: Columns) -> Columns:
            return [
                (name, "M", 10) if name == "H_OTHER_TD" else (name, kind, width)
                for name, kind, width in columns
            ]

        players = as_published([*PLAYER_2C, *round_columns(3)])
        expected = report_of(parsed())
        for header in (as_published(HEADER_2C), memo(HEADER_2C)):
            files = [rows(header, [HEADER]), rows(as_published(SECTION_2C), [SECTION]), rows(players, QUAD)]
            assert report_of(parse_files(files)) == expected

    def test_right_justified_numbers_and_unknown_columns_do_not_matter(self) -> None:
        players: Columns = [("D_MY_OWN", "C", 9), *PLAYER_2C, *round_columns(3)]
        files = [
            *files_of(sections=[{**SECTION, "S_SEC_NUM": " 1", "S_LST_PAIR": "   4"}])[:2],
            rows(players, [{**one, "D_SEC_NUM": " 1", "D_MY_OWN": "anything"} for one in QUAD]),
        ]
        assert report_of(parse_files(files)) == report_of(parsed())

    def test_wintd_and_old_layouts_of_a_cell_mean_the_same(self) -> None:
        players = [seat(1, "W    2W|D   2"), seat(2, "L    1B|D   1")]
        sections = [{**SECTION, "S_TOT_RNDS": "2", "S_LST_PAIR": "2"}]
        found = parsed(players=players, sections=sections, rounds=2)
        assert rounds_by_seat(report_of(found).sections[0]) == {1: cells("W2w D2"), 2: cells("L1b D1")}

    def test_a_tab_in_a_name_becomes_a_blank(self) -> None:
        found = parsed(players=[{**QUAD[0], "D_NAME": "EXAMPLE,\tADAMS"}, *QUAD[1:]])
        assert report_of(found).players["90000001"].name == "EXAMPLE, ADAMS"
        assert codes(found.findings) == ["forfeits-paired"]

    def test_what_cannot_be_printed_in_a_name_is_replaced_with_a_warning(self) -> None:
        found = parsed(players=[{**QUAD[0], "D_NAME": b"EXAMPLE, JOS\x90"}, *QUAD[1:]])
        assert report_of(found).players["90000001"].name == "EXAMPLE, JOS?"
        (warning,) = [finding for finding in found.findings if finding.code == "text-replaced"]
        assert warning.where == "TDEXPORT.DBF, record 1, D_NAME"

    @pytest.mark.parametrize("raw", ["MUÑOZ, JOSÉ".encode(), "MUÑOZ, JOSÉ".encode("latin-1")])
    def test_accents_are_read(self, raw: bytes) -> None:
        found = parsed(players=[{**QUAD[0], "D_NAME": raw}, *QUAD[1:]])
        assert report_of(found).players["90000001"].name == "MUÑOZ, JOSÉ"

    def test_deleted_records_are_not_read_and_still_counted_in_places(self) -> None:
        columns = [*PLAYER_2C, *round_columns(3)]
        gone = record(columns, seat(5, "U0|U0|U0"), mark=b"*")
        players = [gone, *(record(columns, one) for one in [*QUAD[:3], {**QUAD[3], "D_RND01": "Q1B"}])]
        found = parse_files([*files_of()[:2], table(columns, players)])
        (error,) = [finding for finding in found.findings if finding.severity is Severity.ERROR]
        assert error.where == "TDEXPORT.DBF, record 5, section 1, seat 4, D_RND01"

    @pytest.mark.parametrize(
        ("letter", "kind"),
        [
            ("S", SectionType.SWISS),
            ("C", SectionType.SWISS),
            ("R", SectionType.ROUND_ROBIN),
            ("M", SectionType.MATCH),
            ("", SectionType.OTHER),
        ],
    )
    def test_the_type_follows_from_its_letter(self, letter: str, kind: SectionType) -> None:
        assert report_of(parsed(sections=[{**SECTION, "S_TRN_TYPE": letter}])).sections[0].type is kind

    def test_days_of_a_section_come_before_those_of_the_event(self) -> None:
        first = {**SECTION, "S_BEG_DATE": "20261115", "S_END_DATE": "20261115"}
        second = {**SECTION, "S_SEC_NUM": "2"}
        players = [*QUAD, *({**one, "D_SEC_NUM": "2"} for one in QUAD)]
        found = parsed(header={**HEADER, "H_TOT_SECT": "2"}, sections=[first, second], players=players)
        days = [(section.start, section.end) for section in report_of(found).sections]
        assert days == [(date(2026, 11, 15),) * 2, (date(2026, 11, 14), date(2026, 11, 15))]

    @pytest.mark.parametrize(
        ("text", "expected"),
        [("1500", 1500.0), ("900", 900.0), ("800P", 800.0), ("0", None), ("", None), ("UNR", None)],
    )
    def test_the_pairing_rating_is_a_number_or_unrated(self, text: str, expected: float | None) -> None:
        found = parsed(players=[{**QUAD[0], "D_RATING": text}, *QUAD[1:]])
        assert paired_by(found.report).get("90000001") == expected
        assert codes(found.findings, Severity.WARNING) == []


class TestPlayers:
    def test_a_member_in_two_sections_is_one_player(self) -> None:
        players = [*QUAD, seat(1, "W2W", "2"), seat(2, "L1B", "2", D_MEM_ID="90000007", D_RATING="1600")]
        second = {**SECTION, "S_SEC_NUM": "2", "S_SEC_NAME": "Extra", "S_TOT_RNDS": "1", "S_LST_PAIR": "2"}
        padded = [{**one, **dict.fromkeys(("D_RND02", "D_RND03"), "U0")} for one in players[4:]]
        found = parsed(
            header={**HEADER, "H_TOT_SECT": "2"}, sections=[SECTION, second], players=[*players[:4], *padded]
        )
        report = report_of(found)
        assert sorted(report.players) == ["90000001", "90000002", "90000003", "90000004", "90000007"]
        assert [entry.player for entry in report.sections[1].entries] == ["90000001", "90000007"]
        # Two of the three columns are padding.
        assert rounds_by_seat(report.sections[1]) == {1: cells("W2w"), 2: cells("L1b")}
        # Another name under the same id would be a warning; seats 2 of both sections have one name and two ids.
        assert codes(found.findings) == ["forfeits-paired"]

    def test_a_member_under_two_seats_of_a_section_keeps_both(self) -> None:
        found = parsed(players=[*QUAD[:3], {**QUAD[3], "D_MEM_ID": "90000001", "D_NAME": "Player1 Example"}])
        assert [entry.player for entry in report_of(found).sections[0].entries] == [
            "90000001",
            "90000002",
            "90000003",
            "90000001",
        ]
        assert codes(found.findings) == ["forfeits-paired"]

    def test_one_member_id_with_two_names_in_a_section_is_an_error(self) -> None:
        found = parsed(players=[*QUAD[:3], {**QUAD[3], "D_MEM_ID": "90000001"}])
        (error,) = [finding for finding in found.findings if finding.severity is Severity.ERROR]
        assert (error.code, error.where) == (
            "member-names-differ",
            "TDEXPORT.DBF, record 4, section 1, seat 4, D_NAME",
        )

    def test_one_member_id_with_two_names_in_two_sections_is_a_warning(self) -> None:
        second = {**SECTION, "S_SEC_NUM": "2"}
        others = [{**row, "D_SEC_NUM": "2", "D_NAME": f"Other {at}"} for at, row in enumerate(QUAD)]
        found = parsed(sections=[SECTION, second], players=[*QUAD, *others])
        warnings = [finding for finding in found.findings if finding.severity is Severity.WARNING]
        assert "member-names-differ" in {warning.code for warning in warnings}
        assert report_of(found).players["90000001"].name == "EXAMPLE, PLAYER1"

    @pytest.mark.parametrize("member", ["", "00000000", "0", "NEW", "unknown"])
    def test_a_missing_member_id_is_a_warning_and_the_seat_becomes_the_id(self, member: str) -> None:
        second = {**SECTION, "S_SEC_NUM": "2"}
        players = [{**QUAD[0], "D_MEM_ID": member}, *QUAD[1:]]
        both = [*players, *({**one, "D_SEC_NUM": "2"} for one in players)]
        found = parsed(header={**HEADER, "H_TOT_SECT": "2"}, sections=[SECTION, second], players=both)
        entries = [section.entries[0].player for section in report_of(found).sections]
        assert entries == ["seat-1", "section-2-seat-1"]
        warnings = [finding for finding in found.findings if finding.severity is Severity.WARNING]
        assert [(finding.code, finding.where) for finding in warnings] == [
            ("member-id-missing", "TDEXPORT.DBF, record 1, section 1, seat 1, D_MEM_ID"),
            ("member-id-missing", "TDEXPORT.DBF, record 5, section 2, seat 1, D_MEM_ID"),
        ]


class TestRounds:
    def test_an_extra_games_section_keeps_the_rounds_that_it_says(self) -> None:
        # With S_TOT_RNDS 4 and one game each: docs/formats/uschess.md#real-packages.
        players = [seat(1, "W2W|U0|U0|U0|U0"), seat(2, "L1B|U0|U0|U0|U0")]
        sections = [{**SECTION, "S_TOT_RNDS": "4", "S_LST_PAIR": "2"}]
        found = parsed(players=players, sections=sections, rounds=5)
        assert rounds_by_seat(report_of(found).sections[0]) == {1: cells("W2w U U U"), 2: cells("L1b U U U")}
        assert codes(found.findings) == []

    @pytest.mark.parametrize(
        ("total", "stated", "found_codes"),
        [
            ("2", {1: 2}, []),
            ("1", {1: 1}, []),
            ("9", {1: 9}, []),
            ("", {}, ["rounds-not-stated"]),
            ("x", {}, ["rounds-not-stated"]),
        ],
    )
    def test_a_wrong_number_of_rounds_loses_no_result_and_is_passed_on_to_the_checks(
        self, total: str, stated: dict[int, int], found_codes: list[str]
    ) -> None:
        players = [seat(1, "W2W|L2B"), seat(2, "L1B|W1W")]
        sections = [{**SECTION, "S_TOT_RNDS": total, "S_LST_PAIR": "2"}]
        found = parsed(players=players, sections=sections, rounds=2)
        assert rounds_by_seat(report_of(found).sections[0]) == {1: cells("W2w L2b"), 2: cells("L1b W1w")}
        assert found.stated_rounds == stated
        assert codes(found.findings) == found_codes

    def test_the_letter_of_the_system_is_passed_on_to_the_checks(self) -> None:
        assert parsed().stated_systems == {1: "R"}
        assert parsed(sections=[{**SECTION, "S_R_SYSTEM": ""}]).stated_systems == {}

    def test_double_games_become_two_rounds_each(self) -> None:
        players = [seat(1, "$2W|%3W|B0"), seat(2, "L1B|H0|#3W"), seat(3, "U0|%1B|D2B"), seat(4, "U0|U0|U0")]
        found = parsed(players=players, sections=[{**SECTION, "S_TRN_TYPE": "2"}])
        assert rounds_by_seat(report_of(found).sections[0]) == {
            1: cells("W2w W2b D3w D3b B B"),
            2: cells("L1b L1w H H W3w D3b"),
            3: cells("U U D1b D1w L2b D2w"),
            4: cells("U U U U U U"),
        }
        assert codes(found.findings) == ["double-games-split"]
        assert found.stated_rounds == {1: 6}
        assert "which game was played first" in found.findings[0].message

    def test_the_odd_codes_alone_make_a_section_of_double_games(self) -> None:
        players = [seat(1, "%2W|W2B"), seat(2, "%1B|W1W")]
        sections = [{**SECTION, "S_TOT_RNDS": "2", "S_LST_PAIR": "2"}]
        found = parsed(players=players, sections=sections, rounds=2)
        assert rounds_by_seat(report_of(found).sections[0]) == {
            1: cells("D2w D2b W2b L2w"),
            2: cells("D1b D1w L1w W1b"),
        }

    def test_an_asymmetric_result_among_double_games_is_an_error(self) -> None:
        players = [seat(1, "%2W|N2B"), seat(2, "%1B|S1W")]
        sections = [{**SECTION, "S_TOT_RNDS": "2", "S_LST_PAIR": "2", "S_TRN_TYPE": "2"}]
        found = parsed(players=players, sections=sections, rounds=2)
        assert codes(found.findings, Severity.ERROR) == ["double-game-unreadable"] * 2

    def test_more_than_99_rounds_are_an_error(self) -> None:
        cells_of = "|".join(["%2W"] * 50), "|".join(["%1B"] * 50)
        sections = [{**SECTION, "S_TOT_RNDS": "50", "S_LST_PAIR": "2", "S_TRN_TYPE": "2"}]
        found = parsed(players=[seat(1, cells_of[0]), seat(2, cells_of[1])], sections=sections, rounds=50)
        assert codes(found.findings, Severity.ERROR) == ["too-many-rounds"]
        found = parsed(players=[seat(1, "W2W"), seat(2, "L1B")], rounds=100)
        assert codes(found.findings, Severity.ERROR) == ["too-many-rounds"]

    def test_a_round_robin_in_order_of_play_stays_as_it_is(self) -> None:
        players = [
            seat(1, "W4W|D3B|W2W"),
            seat(2, "W3B|D4W|L1B"),
            seat(3, "L2W|D1W|L4B"),
            seat(4, "L1B|D2B|W3W"),
        ]
        found = parsed(players=players, sections=[{**SECTION, "S_TRN_TYPE": "R"}])
        assert rounds_by_seat(report_of(found).sections[0])[1] == cells("W4w D3b W2w")
        assert codes(found.findings) == []

    def test_a_round_robin_with_columns_of_opponents_is_put_into_rounds(self) -> None:
        players = [seat(1, "U0|W2W|D3B"), seat(2, "L1B|U0|W3W"), seat(3, "D1W|L2B|U0")]
        sections = [{**SECTION, "S_TRN_TYPE": "R", "S_LST_PAIR": "3"}]
        found = parsed(players=players, sections=sections)
        assert rounds_by_seat(report_of(found).sections[0]) == {
            1: cells("U W2w D3b"),
            2: cells("W3w L1b U"),
            3: cells("L2b U D1w"),
        }
        assert codes(found.findings) == ["columns-are-opponents"]
