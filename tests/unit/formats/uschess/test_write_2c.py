"""The current upload files as they are written: bytes, two other libraries, losses, and reading them back."""

from __future__ import annotations

import math
import unicodedata
from datetime import date
from typing import TYPE_CHECKING

import dbf
import dbfread
import pytest
from hypothesis import given

from ratebook.findings import Severity
from ratebook.formats.uschess.write_2c import write
from ratebook.model import Cell, Entry, Event, PlayerFacts, Rating, Report, Section, SectionType, System
from ratebook.rating.results import After
from support.builders import paired_by, unpaired
from support.report_strategies import reports
from support.whole_run import examples
from unit.formats.uschess.upload_2c import (
    HEADER,
    QUAD,
    SECTION,
    cells,
    codes,
    parse_written,
    parsed,
    report_of,
    rounds_by_seat,
)
from unit.formats.uschess.upload_bytes import HEADER_2C, PLAYER_2C, SECTION_2C, round_columns

if TYPE_CHECKING:
    from pathlib import Path


def everything() -> Report:
    """A report with a loss of every kind."""
    start, end = date(2026, 11, 14), date(2026, 11, 15)
    players = {
        "90000001": PlayerFacts(
            "90000001",
            "Müller-Łukasiewicz, Example Bartholomew",
            birth_date=date(2010, 1, 1),
            ratings={System.REGULAR: Rating(1650.5, 20.0), System.BLITZ: Rating(1500.0, 3.0)},
            us_member=True,
        ),
        "P2": PlayerFacts("P2", "BAKER EXAMPLE"),
        "a player without a member id": PlayerFacts("a player without a member id", "CLARK EXAMPLE"),
        "90000009": PlayerFacts("90000009", "DAVIS EXAMPLE"),
    }
    entries = (
        Entry(1, "90000001", (*cells("W2w X"), Cell())),
        Entry(2, "P2", cells("L1b F B")),
        Entry(3, "a player without a member id", cells("H")),
    )
    section = Section(1, "Open", start, end, "G/60;d5", SectionType.OTHER, True, False, False, entries)
    event = Event(
        "202611140001", "Fête", start, end, "Exampleville", "New York", "USA", "A9000001", "90000099"
    )
    return Report(event, players, (section,))


class TestWriting:
    def test_files_columns_and_widths_are_those_of_the_format(self, tmp_path: Path) -> None:
        written = write(report_of(parsed()))
        expected = {
            "THEXPORT.DBF": HEADER_2C,
            "TSEXPORT.DBF": SECTION_2C,
            "TDEXPORT.DBF": [*PLAYER_2C, *round_columns(3)],
        }
        assert list(written.files) == list(expected)
        for name, columns in expected.items():
            path = tmp_path / name
            path.write_bytes(written.files[name])
            read = dbfread.DBF(str(path), encoding="ascii")
            assert [(field.name, field.type, field.length) for field in read.fields] == [
                tuple(one) for one in columns
            ]
        # docs/formats/uschess.md: record lengths 414, 131 and 63 + 7 for each round; here with the mark of
        # deletion.
        lengths = [int.from_bytes(data[10:12], "little") for data in written.files.values()]
        assert lengths == [415 - 1, 131, 63 + 7 * 3]

    def test_two_other_libraries_read_the_records(self, tmp_path: Path) -> None:
        header = {**HEADER, "H_ATD_ID": "90000098", "H_OTHER_TD": "90000097, 90000096"}
        section = {
            **SECTION,
            "S_CTD_ID": "90000095",
            "S_ATD_ID": "90000094",
            "S_SCH_LVL": "J",
            "S_GR_PRIX": "Y",
            "S_GP_PTS": "30",
            "S_FIDE": "Y",
        }
        players = [{**one, "D_STATE": "NY"} for one in QUAD]
        report = report_of(parsed(header=header, sections=[section], players=players))
        for name, data in write(report).files.items():
            (tmp_path / name).write_bytes(data)
        header |= {"H_PROGRAM": "RATEBOOK", "H_EVENT_ID": ""}
        # G/45;d5 is T = 50: dual.
        section |= {"S_EVENT_ID": "", "S_R_SYSTEM": "D"}
        section |= {"S_BEG_DATE": "20261114", "S_END_DATE": "20261115"}
        players = [{**one, "D_EVENT_ID": ""} for one in players]
        # The opponents of the forfeits are known by now.
        players[1]["D_RND03"], players[2]["D_RND03"] = "X3", "F2"
        for name, expected in (("THEXPORT", [header]), ("TSEXPORT", [section]), ("TDEXPORT", players)):
            path = str(tmp_path / f"{name}.DBF")
            assert [dict(one) for one in dbfread.DBF(path, encoding="ascii")] == expected
            with dbf.Table(path) as opened:
                found = [{column: one[column].strip() for column in opened.field_names} for one in opened]
            assert found == expected

    def test_shorter_sections_are_padded_with_unpaired_rounds(self) -> None:
        report = report_of(parsed())
        short = report.sections[0]._replace(
            number=2, entries=(Entry(1, "90000001", cells("W2w")), Entry(2, "90000002", cells("L1b")))
        )
        written = write(report._replace(sections=(*report.sections, short)))
        data = written.files["TDEXPORT.DBF"]
        assert b"W2W    U0     U0     " in data
        back = report_of(parse_written(written.files))
        assert rounds_by_seat(back.sections[1]) == {1: cells("W2w"), 2: cells("L1b")}

    @pytest.mark.parametrize(
        ("control", "online", "letter", "rating"),
        [
            ("G/90;d5", False, "R", "1501"),
            ("G/60;d5", False, "D", "1501"),
            ("G/15;d3", False, "Q", "1400"),
            ("G/5;d0", False, "D", "1300"),
            ("G/60;d5", True, "R", "1250"),
            ("by arrangement", False, "R", "1501"),
        ],
    )
    def test_system_and_pairing_rating_follow_from_the_time_control(
        self, control: str, *, online: bool, letter: str, rating: str
    ) -> None:
        report = report_of(parsed())
        ratings = {
            System.REGULAR: Rating(1500.5),
            System.QUICK: Rating(1400.4),
            System.BLITZ: Rating(1300.0),
            System.ONLINE_REGULAR: Rating(1249.5),
        }
        players = {**report.players, "90000001": report.players["90000001"]._replace(ratings=ratings)}
        section = report.sections[0]._replace(time_control=control, online=online)
        written = write(Report(report.event, players, (section,)))
        section_record = read_records(written.files["TSEXPORT.DBF"])[0]
        assert (section_record["S_R_SYSTEM"], section_record["S_TIMECTL"]) == (letter, control)
        assert read_records(written.files["TDEXPORT.DBF"])[0]["D_RATING"] == rating

    def test_every_loss_is_a_note(self) -> None:
        after = {(1, 1, System.ONLINE_REGULAR): After(1660.0, 21.0, 1660, established=False)}
        written = write(everything(), after)
        assert set(codes(written.findings)) == {"lost-in-conversion"}
        assert all(finding.severity is Severity.NOTE for finding in written.findings)
        text = "\n".join(finding.message for finding in written.findings)
        for loss in (
            "forfeit without an opponent",
            "event name: accents and characters beyond ASCII (H_NAME) (1 time)",
            "state that does not fit into 2 plain characters",
            "section type other",
            "name: accents and characters beyond ASCII (D_NAME) (1 time)",
            "name: what is longer than 30 characters (D_NAME) (1 time)",
            "player id that is not a member id",
            "empty round: written as unpaired (3 times)",
            "mark of an online section",
            "birth date",
            "mark of a member",
            "rating in a system other than that of the pairing ratings (2 times)",
            "player who sits in no section (1 time)",
            "rating after the event (1 time)",
        ):
            assert loss in text, loss
        names = [one["D_NAME"] for one in read_records(written.files["TDEXPORT.DBF"])]
        assert names == ["Muller-Lukasiewicz, Example Ba", "BAKER EXAMPLE", "CLARK EXAMPLE"]
        members = [one["D_MEM_ID"] for one in read_records(written.files["TDEXPORT.DBF"])]
        assert members == ["90000001", "P2", "00000000"]

    def test_a_time_control_is_never_cut(self) -> None:
        report = report_of(parsed())
        spaced = "40 / 90 ,  SD / 30 ;                     d 10"
        fits, lost = (
            write(report._replace(sections=(report.sections[0]._replace(time_control=text),)))
            for text in (spaced, "the one agreed upon by the players in person")
        )
        assert read_records(fits.files["TSEXPORT.DBF"])[0]["S_TIMECTL"] == "40/90,SD/30;d10"
        assert read_records(lost.files["TSEXPORT.DBF"])[0]["S_TIMECTL"] == ""
        assert "time control that does not fit" in lost.findings[0].message

    def test_a_schedule_by_round_is_written_where_it_fits(self) -> None:
        report = report_of(parsed())
        rounds = "Round 1: G/90;d5, Rounds 2-4: G/120;d5"
        fits, lost = (
            write(report._replace(sections=(report.sections[0]._replace(time_control=text),)))
            for text in (rounds.replace(" ", "   "), f"{rounds}, Round 5: G/75;+30")
        )
        assert read_records(fits.files["TSEXPORT.DBF"])[0]["S_TIMECTL"] == "Round1:G/90;d5,Rounds2-4:G/120;d5"
        assert read_records(lost.files["TSEXPORT.DBF"])[0]["S_TIMECTL"] == ""
        assert read_records(lost.files["TSEXPORT.DBF"])[0]["S_R_SYSTEM"] == "R"
        assert "time control that does not fit" in lost.findings[0].message

    def test_an_unknown_first_day_beside_an_events_is_written_as_the_last(self) -> None:
        report = report_of(parsed())
        section = report.sections[0]._replace(start=None)
        written = write(report._replace(sections=(section,)))
        (back,) = report_of(parse_written(written.files)).sections
        assert back.start == section.end
        assert back.rules_date == section.rules_date
        assert any("first day" in finding.message for finding in written.findings)

    def test_days_of_the_event_are_filled_in_from_its_sections(self) -> None:
        report = report_of(parsed())
        written = write(report._replace(event=report.event._replace(start=None, end=None)))
        assert report_of(parse_written(written.files)).event == report.event
        assert "event-days-filled-in" in codes(written.findings)

    def test_section_numbers_of_three_digits_are_replaced(self) -> None:
        report = report_of(parsed())
        written = write(report._replace(sections=(report.sections[0]._replace(number=100),)))
        assert report_of(parse_written(written.files)).sections[0].number == 1
        assert "section numbers above 99" in written.findings[0].message

    def test_what_has_too_many_sections_is_not_written(self) -> None:
        report = report_of(parsed())
        sections = tuple(report.sections[0]._replace(number=number) for number in range(1, 101))
        written = write(report._replace(sections=sections))
        assert not written.files
        assert [(finding.code, finding.severity) for finding in written.findings] == [
            ("too-large-for-2c", Severity.ERROR)
        ]


def read_records(data: bytes) -> list[dict[str, str]]:
    """The records of a written file, cut by the widths of its header (docs/formats/uschess.md#the-container)."""
    length, size = (int.from_bytes(data[at : at + 2], "little") for at in (8, 10))
    starts = range(32, length - 1, 32)
    columns = [(data[at : at + 11].rstrip(b"\0").decode("ascii"), data[at + 16]) for at in starts]
    found = []
    for start in range(length, len(data) - 1, size):
        place = start + 1
        values = {}
        for name, width in columns:
            values[name] = data[place : place + width].decode("ascii").rstrip()
            place += width
        found.append(values)
    return found


# The system of the pairing ratings for the controls of the random reports, from docs/formats/time-controls.md#classes.
NATURAL = {"G/15;d3": "quick", "G/29": "quick", "G/5;d0": "blitz"}


def natural_system(section: Section) -> System:
    word = NATURAL.get(section.time_control or "", "regular")
    if section.type is SectionType.FIDE:
        word = "regular"
    return System(f"online-{word}" if section.online and section.type is not SectionType.FIDE else word)


def plain(text: str, width: int) -> str:
    decomposed = unicodedata.normalize("NFKD", text.replace("Ł", "L").replace("ł", "l"))
    return "".join(sign for sign in decomposed if not unicodedata.combining(sign)).strip()[:width].strip()


def pair(rounds: dict[int, list[Cell]]) -> None:
    """Pair the only win and the only loss without opponents of each round."""
    for number in range(max(map(len, rounds.values()))):
        sides = [[at for at in sorted(rounds) if rounds[at][number] == Cell(letter)] for letter in ("X", "F")]
        if list(map(len, sides)) == [1, 1]:
            (winner,), (loser,) = sides
            rounds[winner][number] = Cell("X", loser)
            rounds[loser][number] = Cell("F", winner)


def reduced(report: Report) -> Report:
    """What the three files can hold of *report*, by the words of docs/formats/uschess.md."""
    starts = [section.start for section in report.sections if section.start]
    event = report.event._replace(
        name=plain(report.event.name, 35),
        start=report.event.start or min(starts, default=None),
        end=report.event.end or max(section.end for section in report.sections),
    )
    sections = []
    for section in report.sections:
        longest = max(len(entry.rounds) for entry in section.entries)
        rounds = {
            entry.seat: [one if one.letter else Cell("U") for one in entry.rounds]
            + [Cell("U")] * (longest - len(entry.rounds))
            for entry in section.entries
        }
        pair(rounds)
        known = section.type in {SectionType.SWISS, SectionType.ROUND_ROBIN, SectionType.MATCH}
        sections.append(
            section._replace(
                name=plain(section.name, 30),
                type=section.type if known else SectionType.SWISS,
                online=False,
                half_k=False,
                youth=False,
                entries=tuple(
                    Entry(one.seat, one.player, tuple(rounds[one.seat])) for one in section.entries
                ),
            )
        )
    used = {entry.player for section in report.sections for entry in section.entries}
    players = {key: PlayerFacts(key, plain(report.players[key].name, 30)) for key in used}
    return Report(event, players, tuple(sections))


@pytest.mark.long
@examples(60)
@given(reports(unseated=True))
def test_reading_what_was_written_gives_what_the_files_can_hold_and_the_rest_was_reported(
    report: Report,
) -> None:
    written = write(report)
    found = parse_written(written.files)
    expected = reduced(report)
    assert unpaired(report_of(found)) == expected
    pairing: dict[str, float] = {}
    for section in report.sections:
        for entry in section.entries:
            rating = report.players[entry.player].ratings.get(natural_system(section))
            if rating is not None:
                pairing.setdefault(entry.player, math.floor(rating.rating + 0.5))
    assert paired_by(found.report) == pairing
    assert codes(found.findings, Severity.WARNING) == []
    messages = "\n".join(finding.message for finding in written.findings)
    lost = {
        "(D_NAME)": any(expected.players[key].name != report.players[key].name for key in expected.players),
        "(H_NAME)": expected.event.name != report.event.name,
        "taken from its sections": expected.event != report.event._replace(name=expected.event.name),
        "in no section": expected.players.keys() != report.players.keys(),
        "section type": any(
            one.type is not other.type for one, other in zip(report.sections, expected.sections, strict=True)
        ),
        "online": any(section.online for section in report.sections),
        "half-K": any(section.half_k for section in report.sections),
        "birth date": any(player.birth_date for player in report.players.values()),
        "games": any(report.players[key].ratings for key in pairing),
        "empty round": any(
            not one.letter for section in report.sections for e in section.entries for one in e.rounds
        ),
    }
    for words, is_lost in lost.items():
        assert (words in messages) >= is_lost, words
