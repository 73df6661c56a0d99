"""The CSV report: a minimal hand-made file, the full table, spreadsheets' ways, and what is written and read back."""

from __future__ import annotations

import csv
import io
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratebook.model import (
    Cell,
    Entry,
    Event,
    FloorRequest,
    PlayerFacts,
    Rating,
    Report,
    Section,
    SectionType,
    System,
)
from ratebook.problems import Severity, has_errors
from ratebook.reports.csv_report import looks_like, parse, write
from ratebook.reports.parsed import Hints, ParsedReport
from ratebook.reports.source import Source, SourceFile
from report_strategies import reports

DAY = date(2026, 11, 14)
HINTS = Hints(DAY, DAY, "G/90;d5")

MINIMAL = """\
seat,name,rating,round1,round2
1,ADAMS EXAMPLE,1794,W2w,B
2,BAKER EXAMPLE,0,L1b,H
"""

FULL = """\
event_id,event_name,start,end,section,section_name,section_start,section_end,time_control,type,online,half_k,youth,\
seat,player,name,round1,round2,update,floor_request,regular,regular_games,online_blitz,online_blitz_games
202611140001,Autumn Open,2026-11-13,2026-11-15,1,Open,2026-11-13,2026-11-14,G/60;d5,swiss,,,,\
1,90000001,ADAMS EXAMPLE,W2w,D2b,,,1794.25,,,
,,,,1,,,,,,,,,2,90000002,BAKER EXAMPLE,L1b,D1w,,,,,900,12.5
,,,,2,Match,,2026-11-15,G/90,match,yes,x,TRUE,7,90000002,,W8,,no,pending,,,,
,,,,,,,,,,,,,8,90000001,ADAMS EXAMPLE,L7,,yes,,1794.25,,,
"""


def source_of(*files: str | bytes) -> Source:
    named = tuple(
        SourceFile(f"{number}.csv", file if isinstance(file, bytes) else file.encode())
        for number, file in enumerate(files, start=1)
    )
    return Source(named[0].name if len(named) == 1 else "folder", named)


def read(text: str | bytes, hints: Hints = HINTS) -> ParsedReport:
    return parse(source_of(text), hints)


def report_of(text: str | bytes, hints: Hints = HINTS) -> Report:
    result = read(text, hints)
    assert result.report is not None, result.problems
    return result.report


def places(text: str | bytes, hints: Hints = HINTS) -> list[tuple[str, str]]:
    return [(problem.code, problem.where) for problem in read(text, hints).problems]


def test_seats_names_ratings_and_rounds_are_enough_with_the_options() -> None:
    result = read(MINIMAL)
    assert result.problems == ()
    assert result.report is not None
    (section,) = result.report.sections
    assert section == Section(
        number=1,
        name="",
        start=DAY,
        end=DAY,
        time_control="G/90;d5",
        type=SectionType.OTHER,
        online=False,
        half_k=False,
        youth=False,
        entries=(
            Entry(1, "seat-1", (Cell("W", 2, "w"), Cell("B"))),
            Entry(2, "seat-2", (Cell("L", 1, "b"), Cell("H"))),
        ),
    )
    assert result.report.players == {
        "seat-1": PlayerFacts("seat-1", "ADAMS EXAMPLE"),
        "seat-2": PlayerFacts("seat-2", "BAKER EXAMPLE"),
    }
    # A rating of 0 stands for none, as in the upload files.
    assert result.pairing == {"seat-1": 1794}
    assert result.report.event == Event()


def test_every_column_is_read() -> None:
    result = read(FULL, Hints())
    assert result.problems == ()
    assert result.report is not None
    assert result.report.event == Event("202611140001", "Autumn Open", date(2026, 11, 13), date(2026, 11, 15))
    assert dict(result.report.players) == {
        "90000001": PlayerFacts("90000001", "ADAMS EXAMPLE", ratings={System.REGULAR: Rating(1794.25)}),
        "90000002": PlayerFacts(
            "90000002", "BAKER EXAMPLE", ratings={System.ONLINE_BLITZ: Rating(900.0, 12.5)}
        ),
    }
    first, second = result.report.sections
    assert first[:9] == (
        1,
        "Open",
        date(2026, 11, 13),
        DAY,
        "G/60;d5",
        SectionType.SWISS,
        False,
        False,
        False,
    )
    # The section's first day is empty: it is the event's.
    assert second[:9] == (
        2,
        "Match",
        date(2026, 11, 13),
        date(2026, 11, 15),
        "G/90",
        SectionType.MATCH,
        True,
        True,
        True,
    )
    # The second round is no round of this section.
    assert second.entries == (
        Entry(7, "90000002", (Cell("W", 8),), floor_request=FloorRequest.PENDING),
        Entry(8, "90000001", (Cell("L", 7),), update=True),
    )


@pytest.mark.parametrize(
    "data",
    [
        MINIMAL.replace(",", ";").encode(),
        MINIMAL.replace(",", "\t").encode(),
        b"\xef\xbb\xbf" + MINIMAL.encode(),
        MINIMAL.encode("utf-16"),
        MINIMAL.replace(",", "\t").encode("utf-16-le"),
        MINIMAL.encode("utf-16-be"),
        MINIMAL.replace("\n", "\r\n").encode(),
        MINIMAL.replace("\n", "\r").encode(),
        b"sep=;\n" + MINIMAL.replace(",", ";").encode(),
        b"\n\n" + MINIMAL.encode() + b",,,,\n\n",
        MINIMAL.replace("ADAMS EXAMPLE", '"ADAMS EXAMPLE"').replace("seat", '"seat"').encode(),
        MINIMAL.replace("round1", "Rd 1").replace("round2", " Round_2 ").replace("seat", "SEAT").encode(),
        MINIMAL.replace(",rating,", ",rating,,").replace(",1794,", ",1794,,").replace(",0,", ",0,,").encode(),
    ],
    ids=[
        "semicolons",
        "tabs",
        "byte order mark",
        "UTF-16",
        "UTF-16, no mark",
        "UTF-16, big end first",
        "DOS",
        "old Mac",
        "separator line",
        "blank lines",
        "quotes",
        "spellings",
        "column without a name",
    ],
)
def test_the_way_a_spreadsheet_saved_it_changes_nothing(data: bytes) -> None:
    assert looks_like(source_of(data))
    assert read(data) == read(MINIMAL)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "latin-1", "cp1252"])
def test_names_with_accents_survive_every_encoding(encoding: str) -> None:
    report = report_of(MINIMAL.replace("ADAMS", "MUÑOZ ÉÖ").encode(encoding))
    assert report.players["seat-1"].name == "MUÑOZ ÉÖ EXAMPLE"


def test_the_quotes_of_windows_letters_are_no_control_characters() -> None:
    report = report_of(MINIMAL.replace("ADAMS", "O\u2019ADAMS").encode("cp1252"))
    assert report.players["seat-1"].name == "O\u2019ADAMS EXAMPLE"
    # 0x81 is no letter of that set: the bytes are then Latin-1, in which it is a control character.
    assert places(MINIMAL.encode().replace(b"ADAMS", b"\x81\xd1")) == [("text-unreadable", "row 2, name")]


@pytest.mark.parametrize(
    ("text", "rating"),
    [
        ("1794.5", Rating(1794.5)),
        ("1641P17", Rating(1641, 17)),
        ("1641/17", Rating(1641, 17)),
        ("Unrated", None),
        ("unr.", None),
        ("0", None),
        (" ", None),
    ],
)
def test_a_simple_file_may_have_a_column_of_ratings_in_a_system(text: str, rating: Rating | None) -> None:
    result = read(f"seat,name,Regular,round1\n1,ADAMS EXAMPLE,{text},B\n")
    assert result.report is not None
    assert result.report.players["seat-1"].ratings.get(System.REGULAR) == rating
    assert [problem.code for problem in result.problems] == (["games-missing"] if text == "1794.5" else [])


def test_a_column_of_ratings_without_games_is_noted() -> None:
    (only,) = read("seat,regular,round1\n1,1500,B\n2,1600,B\n3,,B\n").problems
    assert (only.code, only.severity, only.where) == ("games-missing", Severity.NOTE, "1.csv")
    assert "2 regular ratings" in only.message
    assert "'regular_games'" in only.remedy


def test_a_decimal_comma_is_read_where_commas_do_not_separate() -> None:
    report = report_of("seat;regular;regular_games;round1\n1;1794,5;12,5;B\n")
    assert report.players["seat-1"].ratings == {System.REGULAR: Rating(1794.5, 12.5)}


def test_rows_may_be_sorted_in_any_way_where_they_name_their_section() -> None:
    header, *rows = FULL.splitlines()
    rows[-1] = rows[-1].replace(",,,,,,,,,,,,,8", ",,,,2,,,,,,,,,8")
    by_seat = report_of("\n".join([header, *reversed(rows)]), Hints())
    ordered = report_of(FULL, Hints())
    assert by_seat.event == ordered.event
    assert by_seat.players == ordered.players
    assert {section.number: set(section.entries) for section in by_seat.sections} == {
        section.number: set(section.entries) for section in ordered.sections
    }


def test_the_options_complete_what_the_file_does_not_say_and_the_others_are_named() -> None:
    found = {problem.code: problem for problem in read(MINIMAL, Hints()).problems}
    assert set(found) == {"end-missing", "time-control-missing"}
    assert found["end-missing"].where == "section 1"
    result = read(FULL, Hints(time_control="G/5", type=SectionType.SWISS, online=True))
    (only,) = result.problems
    assert (only.code, only.severity) == ("option-unused", Severity.NOTE)
    assert "--time-control, --type." in only.message
    assert result.report is not None
    assert [section.online for section in result.report.sections] == [True, True]
    fide = report_of("seat,type,round1,update\n1,fide,W2,yes\n2,,L1,\n", Hints(DAY, DAY))
    assert (fide.sections[0].type, fide.sections[0].time_control) == (SectionType.FIDE, None)


def test_one_of_several_events_is_chosen_by_its_id() -> None:
    text = "event_id,seat,round1\n202611140001,1,W2\n,2,L1\n202611140002,1,D2\n,2,D1\n,3,B\n"
    assert places(text) == [("several-events", "1.csv")]
    assert places(text, HINTS._replace(event="3")) == [("event-unknown", "1.csv")]
    result = read(text, HINTS._replace(event="202611140002"))
    assert result.report is not None
    assert result.report.event.id == "202611140002"
    assert [entry.rounds for entry in result.report.sections[0].entries] == [
        (Cell("D", 2),),
        (Cell("D", 1),),
        (Cell("B"),),
    ]
    assert [problem.code for problem in result.problems] == ["records-of-other-events"]


@pytest.mark.parametrize(
    ("header", "column", "remedy"),
    [
        ("seet,name,round1", "'seat'", "Rename 'seet' to 'seat'."),
        ("name,round1", "'seat'", "Add the column 'seat'."),
        ("seat,name,ruond1", "'round1'", "Rename 'ruond1' to 'round1'."),
        ("seat,round1,round3", "'round2'", "Add the column 'round2'."),
        ("seat,name", "'round1'", "Add the column 'round1'."),
    ],
)
def test_a_missing_column_is_named_with_the_one_that_looks_like_it(
    header: str, column: str, remedy: str
) -> None:
    (found,) = [one for one in read(f"{header}\n1,A,B\n").problems if one.code == "column-missing"]
    assert column in found.message
    assert found.remedy == remedy


def test_an_unknown_column_is_a_warning_with_the_one_that_it_looks_like() -> None:
    result = read("seat,regular_gamez,club,round1\n1,5,EXAMPLE CLUB,B\n")
    assert result.report is not None
    assert [(problem.code, problem.severity) for problem in result.problems] == [
        ("column-unknown", Severity.WARNING)
    ] * 2
    assert result.problems[0].remedy.startswith("Did you mean 'regular_games'?")


@pytest.mark.parametrize(
    ("rows", "code", "where"),
    [
        ("1,90000001,A,Q2", "cell-unreadable", "row 2, round1"),
        ("x,90000001,A,B", "seat-unreadable", "row 2, seat"),
        ("0,90000001,A,B", "seat-unreadable", "row 2, seat"),
        ("10000,90000001,A,B", "seat-unreadable", "row 2, seat"),
        ("٣,90000001,A,B", "seat-unreadable", "row 2, seat"),
        (",90000001,A,B", "seat-unreadable", "row 2, seat"),
        ("1,90000001,A,B\n1,90000002,B,B", "seat-twice", "row 3, seat"),
        ("1,90000001,A,B,C", "row-too-long", "row 2"),
        ("1,90000001,A\x07,B", "text-unreadable", "row 2, name"),
        ('1,90000001,"A\nB",B', "text-unreadable", "row 2, name"),
        ("1,9000\x7f0001,A,B", "text-unreadable", "row 2, player"),
    ],
)
def test_a_wrong_cell_is_an_error_with_its_row_and_column(rows: str, code: str, where: str) -> None:
    text = f"seat,player,name,round1\n{rows}\n"
    assert (code, where) in places(text)
    assert read(text).report is None


@pytest.mark.parametrize(
    ("column", "first", "second", "code", "where"),
    [
        ("section", "open", "", "section-unreadable", "row 2, section"),
        ("section", "0", "", "section-unreadable", "row 2, section"),
        ("section_name", "Open", "Reserve", "value-differs", "row 3, section_name"),
        ("section_name", "Op\x07en", "", "text-unreadable", "row 2, section_name"),
        ("event_name", "A", "B", "value-differs", "row 3, event_name"),
        ("section_end", "11/14/2026", "", "date-unreadable", "row 2, section_end"),
        ("start", "", "2026-02-30", "date-unreadable", "row 3, start"),
        ("end", "1066-10-14", "", "date-out-of-range", "row 2, end"),
        ("type", "swizz", "", "section-type-unknown", "row 2, type"),
        ("online", "perhaps", "", "flag-unreadable", "row 2, online"),
        ("update", "", "perhaps", "flag-unreadable", "row 3, update"),
        ("floor_request", "", "granded", "floor-request-unknown", "row 3, floor_request"),
        ("regular", "about 1600", "", "rating-unreadable", "row 2, regular"),
        ("regular", "99", "", "rating-out-of-range", "row 2, regular"),
        ("rating", "9999", "", "rating-out-of-range", "row 2, rating"),
        ("rating", "strong", "", "rating-unreadable", "row 2, rating"),
    ],
)
def test_a_wrong_fact_is_an_error_with_its_row_and_column(
    column: str, first: str, second: str, code: str, where: str
) -> None:
    text = f"seat,{column},round1\n1,{first},B\n2,{second},B\n"
    assert (code, where) in places(text)
    assert read(text).report is None


def test_what_is_said_twice_of_a_player_must_agree() -> None:
    text = (
        "section,seat,player,name,regular,regular_games,round1\n1,1,90000001,{},{},B\n2,1,90000001,{},{},B\n"
    )
    assert read(text.format("A", "1500,5", "A", "1500,5")).problems == ()
    assert read(text.format("A", "1500,5", "", ",")).problems == ()
    late = report_of(text.format("", ",", "A", "1500,5")).players["90000001"]
    assert (late.name, late.ratings) == ("A", {System.REGULAR: Rating(1500, 5)})
    assert places(text.format("A", "1500,5", "A", "1500,6")) == [("value-differs", "row 3")]
    renamed = read(text.format("A", "1500,5", "B", ","))
    assert [(one.code, one.where) for one in renamed.problems] == [("name-differs", "row 3, name")]
    assert renamed.report is not None
    assert renamed.report.players["90000001"].name == "A"
    wrong = "seat,regular,regular_games,round1\n1,1500,many,B\n"
    assert places(wrong) == [("games-out-of-range", "row 2, regular_games")]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"seat,round1\n", "entries-empty"),
        (b"seat,round1,seat\n1,B,1\n", "column-twice"),
        (b"seat,round1,r1\n1,B,1\n", "column-twice"),
        (b"seat,round1,round100\n1,B,1\n", "too-many-rounds"),
        (b"seat,round1\n1,\0B\n", "file-binary"),
        (b"\xff\xfes\0e\0a\0t\0,", "encoding-unreadable"),
        (b'seat,round1\n1,"' + b"x" * 200_000 + b"\n", "csv-unreadable"),
        (b"seat,round1\n" + b"1," * 100_000, "file-too-large"),
        (b"seat,round1\n" + b"\n" * 300_000, "file-too-large"),
        (b"seat,round1," + b'"c\n",' * 1_000, "file-too-large"),
    ],
)
def test_a_file_that_is_no_report_is_an_error(data: bytes, code: str) -> None:
    result = read(data)
    assert result.report is None
    assert [problem.code for problem in result.problems if problem.severity is Severity.ERROR] == [code]


def test_a_csv_report_is_known_by_its_header_line() -> None:
    assert looks_like(source_of(FULL))
    assert looks_like(source_of("Seat;Regular;Round1\n"))
    assert looks_like(source_of("name,round1\n"))
    assert not looks_like(source_of("id,name,birth_date,regular,regular_games\n"))
    assert not looks_like(source_of("CFC#,Expiry,Last,First,Prov,City,Rating,High\n"))
    assert not looks_like(source_of("seat\n1\n"))
    assert not looks_like(source_of(b"{}", b"\x03\x7e\x01\0\0\0\0"))


def test_the_one_csv_file_of_a_folder_is_read() -> None:
    result = parse(source_of(MINIMAL, b"Bring clocks."), HINTS)
    assert result.report is not None
    assert [problem.code for problem in result.problems] == ["file-not-read"]
    assert [one.code for one in parse(source_of(MINIMAL, MINIMAL), HINTS).problems] == ["several-files"]


# Writing


def section(*entries: Entry) -> Section:
    return Section(1, "Open", DAY, DAY, "G/60;d5", SectionType.SWISS, True, False, False, entries)


def test_a_report_is_written_with_its_facts_where_they_first_occur() -> None:
    players = {
        "90000001": PlayerFacts("90000001", "ADAMS EXAMPLE", ratings={System.REGULAR: Rating(1794.25)}),
        "90000002": PlayerFacts("90000002", "=BAKER", ratings={System.REGULAR: Rating(1500, 12)}),
    }
    one = section(
        Entry(1, "90000001", (Cell("W", 2, "w"), Cell())), Entry(2, "90000002", (Cell("L", 1, "b"),))
    )
    other = one._replace(
        number=2,
        name="",
        start=None,
        type=SectionType.MATCH,
        online=False,
        half_k=True,
        entries=(Entry(3, "90000001", (Cell("H"),), update=True, floor_request=FloorRequest.DENIED),),
    )
    written = write(Report(Event("1", "Quad", None, DAY, country="USA"), players, (one, other)))
    assert written.files["report.csv"].decode() == (
        "event_id,event_name,start,end,section,section_name,section_start,section_end,time_control,type,online,"
        "half_k,youth,seat,player,name,round1,round2,update,floor_request,regular,regular_games\n"
        "1,Quad,,2026-11-14,1,Open,2026-11-14,2026-11-14,G/60;d5,swiss,yes,,,"
        "1,90000001,ADAMS EXAMPLE,W2w,,,,1794.25,\n"
        ",,,,1,,,,,,,,,2,90000002,'=BAKER,L1b,,,,1500,12\n"
        ",,,,2,,,2026-11-14,G/60;d5,match,,yes,,3,90000001,ADAMS EXAMPLE,H,,yes,denied,,\n"
    )
    assert [problem.message for problem in written.problems] == [
        "The format has no place for: country (1 time)."
    ]


def test_a_file_with_accents_begins_with_the_mark_that_spreadsheets_need() -> None:
    plain = Report(Event(), {"1": PlayerFacts("1", "ADAMS")}, (section(Entry(1, "1", (Cell("B"),))),))
    assert not write(plain).files["report.csv"].startswith(b"\xef\xbb\xbf")
    accents = plain._replace(players={"1": PlayerFacts("1", "ÉLOÏSE")})
    assert write(accents).files["report.csv"].startswith(b"\xef\xbb\xbf")


@pytest.mark.parametrize(
    "name", ["=1+1", "+A", "-A", "@A", "'=A", "''-A", "'TIS", "O'HARA", "'", "A=B", '"Q", R']
)
def test_no_text_is_a_formula_in_a_spreadsheet_and_every_text_comes_back(name: str) -> None:
    report = Report(
        Event("", name),
        {name: PlayerFacts(name, name)},
        (section(Entry(1, name, (Cell("B"),)))._replace(name=name),),
    )
    data = write(report).files["report.csv"]
    for row in csv.reader(io.StringIO(data.decode())):
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in row)
    back = report_of(data, Hints())
    assert (back.event.name, back.sections[0].name, list(back.players)) == (name, name, [name])
    assert back.players[name].name == name


def test_blanks_around_texts_are_a_loss() -> None:
    report = Report(Event(), {"1": PlayerFacts("1", " ADAMS ")}, (section(Entry(1, "1", (Cell("B"),))),))
    assert [problem.message for problem in write(report).problems] == [
        "The format has no place for: blanks around a text (1 time)."
    ]


def reduced(report: Report) -> Report:
    """Return what the CSV holds of *report*."""
    sections = []
    for one in report.sections:
        rounds = max(
            (
                number
                for entry in one.entries
                for number, cell in enumerate(entry.rounds, start=1)
                if cell != Cell()
            ),
            default=0,
        )
        sections.append(
            one._replace(
                start=one.start or report.event.start,
                entries=tuple(entry._replace(rounds=entry.rounds[:rounds]) for entry in one.entries),
            )
        )
    seated = [entry.player for one in sections for entry in one.entries]
    return Report(
        Event(*report.event[:4]),
        {
            key: PlayerFacts(
                key,
                report.players[key].name,
                ratings={
                    system: Rating(one.rating, one.games)
                    for system, one in report.players[key].ratings.items()
                },
            )
            for key in seated
        },
        tuple(sections),
    )


@settings(max_examples=150, deadline=None)
@given(reports(unseated=True))
def test_a_file_reads_back_as_the_report_without_what_was_reported_as_lost(report: Report) -> None:
    written = write(report)
    result = read(written.files["report.csv"], Hints())
    assert result.report == reduced(report)
    assert {problem.code for problem in result.problems} <= {"start-missing"}
    again = write(result.report)
    assert again.files == written.files
    assert again.problems == ()


@settings(max_examples=60, deadline=None)
@given(reports(unseated=True))
def test_every_fact_that_does_not_come_back_is_named(report: Report) -> None:
    kinds = {
        problem.message.removeprefix("The format has no place for: ").rpartition(" (")[0]
        for problem in write(report).problems
    }
    players = report.players.values()
    every_rating = [rating for player in players for rating in player.ratings.values()]
    expected = {
        "city": bool(report.event.city),
        "state": bool(report.event.state),
        "country": bool(report.event.country),
        "affiliate": bool(report.event.affiliate),
        "chief tournament director": bool(report.event.chief_td),
        "birth date": any(player.birth_date for player in players),
        "adult mark": any(player.adult is not None for player in players),
        "mark of a Canadian resident": any(player.canadian_resident for player in players),
        "FIDE rating": any(player.fide for player in players),
        "CFC rating": any(player.cfc for player in players),
        "player's entered floors": any(player.floors for player in players),
        "player's ceilings": any(player.ceilings for player in players),
        "mark of a member": any(player.us_member for player in players),
        "mark of the US flag": any(player.usa_flag for player in players),
        "FIDE opt-in": any(player.fide_opt_in for player in players),
        "player's earlier matches": any(player.matches for player in players),
        "player's initial ratings by the office": any(player.initial for player in players),
        "number of wins": any(rating.wins is not None for rating in every_rating),
        "number of draws": any(rating.draws is not None for rating in every_rating),
        "number of losses": any(rating.losses is not None for rating in every_rating),
        "record of a rating": any(rating.record is not None for rating in every_rating),
        "number of long events": any(rating.long_events is not None for rating in every_rating),
        "peak rating": any(rating.peak is not None for rating in every_rating),
        "number of Life Master games": any(one.life_master_games is not None for one in every_rating),
        "official rating": any(rating.published is not None for rating in every_rating),
        "number of games of an official rating": any(one.published_games is not None for one in every_rating),
        "date of a rating": any(rating.as_of is not None for rating in every_rating),
        "player who sits in no section": len(players)
        > len({entry.player for one in report.sections for entry in one.entries}),
    }
    assert kinds == {kind for kind, is_lost in expected.items() if is_lost}


@settings(max_examples=600, deadline=None)
@given(
    text=st.sampled_from([MINIMAL, FULL]),
    cuts=st.lists(st.tuples(st.integers(0, 800), st.integers(0, 40), st.binary(max_size=3)), max_size=4),
    end=st.integers(0, 1_000),
)
def test_damaged_files_yield_findings_and_never_an_exception(
    text: str, cuts: list[tuple[int, int, bytes]], end: int
) -> None:
    data = bytearray(text.encode())
    for position, length, replacement in cuts:
        data[position : position + length] = replacement
    looks_like(source_of(bytes(data[:end])))
    result = read(bytes(data[:end]))
    assert (result.report is None) == has_errors(result.problems)


@settings(max_examples=500, deadline=None)
@given(
    columns=st.lists(
        st.sampled_from(
            [
                "section",
                "type",
                "online",
                "start",
                "regular",
                "regular_games",
                "rating",
                "name",
                "player",
                "event_id",
            ]
        ),
        unique=True,
        max_size=5,
    ),
    rows=st.lists(
        st.lists(
            st.sampled_from(["", "1", "2", "W2", "x", "1500", "2026-11-14", "'=", "\x07", "é"]), max_size=9
        ),
        max_size=5,
    ),
)
def test_any_cells_in_any_columns_yield_findings_and_never_an_exception(
    columns: list[str], rows: list[list[str]]
) -> None:
    out = io.StringIO()
    csv.writer(out).writerows([["seat", *columns, "round1", "round2"], *rows])
    result = read(out.getvalue())
    assert (result.report is None) == has_errors(result.problems)
