"""The CSV report: a minimal hand-made file, the full table, spreadsheets' ways, and what is written and read back."""

from __future__ import annotations

from datetime import date

import pytest

from ratebook.findings import Severity
from ratebook.formats.contract import Hints
from ratebook.formats.csv_report.read import looks_like, parse
from ratebook.formats.registry import parse_source
from ratebook.formats.source import source_of_bytes
from ratebook.model import Cell, Entry, Event, FloorRequest, PlayerFacts, Rating, Section, SectionType, System
from unit.formats.csv_report.reports import DAY, FULL, HINTS, MINIMAL, read, report_of, source_of


def places(text: str | bytes, hints: Hints = HINTS) -> list[tuple[str, str]]:
    return [(finding.code, finding.where) for finding in read(text, hints).findings]


def test_seats_names_ratings_and_rounds_are_enough_with_the_options() -> None:
    result = read(MINIMAL)
    assert result.findings == ()
    assert result.report is not None
    (section,) = result.report.sections
    assert section == Section(
        number=1,
        name="",
        start=DAY,
        end=DAY,
        time_control="G/90;d5",
        type=SectionType.OTHER,
        entries=(
            Entry(1, "seat-1", (Cell("W", 2, "w"), Cell("B"))),
            Entry(2, "seat-2", (Cell("L", 1, "b"), Cell("H"))),
        ),
    )
    assert result.report.players == {
        "seat-1": PlayerFacts("seat-1", "ADAMS EXAMPLE", pairing_rating=1794.0),
        "seat-2": PlayerFacts("seat-2", "BAKER EXAMPLE"),
    }
    # A rating of 0 stands for none, as in the upload files.
    assert result.report.event == Event()


def test_every_column_is_read() -> None:
    result = read(FULL, Hints())
    assert result.findings == ()
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
    assert places(MINIMAL.encode().replace(b"ADAMS", b"\x81\xd1")) == [
        ("text-unreadable", "row 2, column name")
    ]


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
    assert [finding.code for finding in result.findings] == (["games-missing"] if text == "1794.5" else [])


def test_a_column_of_ratings_without_games_is_noted() -> None:
    (only,) = read("seat,regular,round1\n1,1500,B\n2,1600,B\n3,,B\n").findings
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
    found = {finding.code: finding for finding in read(MINIMAL, Hints()).findings}
    assert set(found) == {"end-missing", "time-control-missing"}
    assert found["end-missing"].where == "section 1"
    result = read(FULL, Hints(time_control="G/5", type=SectionType.SWISS, online=True))
    (only,) = result.findings
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
    assert [finding.code for finding in result.findings] == ["records-of-other-events"]


@pytest.mark.parametrize(
    ("header", "column", "remedy"),
    [
        ("seet,name,round1", "'seat'", "Rename 'seet' to 'seat'."),
        ("club,round1", "'seat'", "Add the column 'seat'; ratebook template shows a table of each kind."),
        ("seat,name,ruond1", "'round1'", "Rename 'ruond1' to 'round1'."),
        (
            "seat,round1,round3",
            "'round2'",
            "Add the column 'round2'; ratebook template shows a table of each kind.",
        ),
        ("seat,name", "'round1'", "Add the column 'round1'; ratebook template shows a table of each kind."),
    ],
)
def test_a_missing_column_is_named_with_the_one_that_looks_like_it(
    header: str, column: str, remedy: str
) -> None:
    (found,) = [one for one in read(f"{header}\n1,A,B\n").findings if one.code == "column-missing"]
    assert column in found.message
    assert found.remedy == remedy


def test_an_unknown_column_is_a_warning_with_the_one_that_it_looks_like() -> None:
    result = read("seat,regular_gamez,club,round1\n1,5,EXAMPLE CLUB,B\n")
    assert result.report is not None
    (finding,) = result.findings
    assert (finding.code, finding.severity) == ("column-unknown", Severity.WARNING)
    assert finding.remedy == "If that is what they mean, rename 'regular_gamez' to 'regular_games'."


@pytest.mark.parametrize(
    ("rows", "code", "where"),
    [
        ("1,90000001,A,Q2", "cell-unreadable", "row 2, column round1"),
        ("x,90000001,A,B", "seat-unreadable", "row 2, column seat"),
        ("0,90000001,A,B", "seat-unreadable", "row 2, column seat"),
        ("10000,90000001,A,B", "seat-unreadable", "row 2, column seat"),
        ("٣,90000001,A,B", "seat-unreadable", "row 2, column seat"),
        (",90000001,A,B", "seat-unreadable", "row 2, column seat"),
        ("1,90000001,A,B\n1,90000002,B,B", "seat-twice", "row 3, column seat"),
        ("1,90000001,A,B,C", "row-too-long", "row 2"),
        ("1,90000001,A\x07,B", "text-unreadable", "row 2, column name"),
        ('1,90000001,"A\nB",B', "text-unreadable", "row 2, column name"),
        ("1,9000\x7f0001,A,B", "text-unreadable", "row 2, column player"),
    ],
)
def test_a_wrong_cell_is_an_error_with_its_row_and_column(rows: str, code: str, where: str) -> None:
    text = f"seat,player,name,round1\n{rows}\n"
    assert (code, where) in places(text)
    assert read(text).report is None


@pytest.mark.parametrize(
    ("column", "first", "second", "code", "where"),
    [
        ("section", "0", "", "section-unreadable", "row 2, column section"),
        ("section", "Op\x07en", "", "text-unreadable", "row 2, column section"),
        ("section_name", "Op\x07en", "", "text-unreadable", "row 2, column section_name"),
        ("event_name", "A", "B", "value-differs", "row 3, column event_name"),
        ("section_end", "31/31/2026", "", "date-unreadable", "row 2, column section_end"),
        ("start", "", "2026-02-30", "date-unreadable", "row 3, column start"),
        ("end", "1066-10-14", "", "date-out-of-range", "row 2, column end"),
        ("type", "swizz", "", "section-type-unknown", "row 2, column type"),
        ("online", "perhaps", "", "flag-unreadable", "row 2, column online"),
        ("update", "", "perhaps", "flag-unreadable", "row 3, column update"),
        ("floor_request", "", "granded", "floor-request-unknown", "row 3, column floor_request"),
        ("regular", "about 1600", "", "rating-unreadable", "row 2, column regular"),
        ("regular", "99", "", "rating-out-of-range", "row 2, column regular"),
        ("rating", "9999", "", "rating-out-of-range", "row 2, column rating"),
        ("rating", "strong", "", "rating-unreadable", "row 2, column rating"),
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
    assert read(text.format("A", "1500,5", "A", "1500,5")).findings == ()
    assert read(text.format("A", "1500,5", "", ",")).findings == ()
    late = report_of(text.format("", ",", "A", "1500,5")).players["90000001"]
    assert (late.name, late.ratings) == ("A", {System.REGULAR: Rating(1500, 5)})
    assert places(text.format("A", "1500,5", "A", "1500,6")) == [("value-differs", "row 3")]
    renamed = read(text.format("A", "1500,5", "B", ","))
    assert [(one.code, one.where) for one in renamed.findings] == [("name-differs", "row 3, column name")]
    assert renamed.report is not None
    assert renamed.report.players["90000001"].name == "A"
    beside = "section,seat,player,name,round1\n1,1,90000001,Ann Lee,B\n1,2,90000001,{},B\n"
    assert read(beside.format('"LEE, ANN"')).report is not None
    another = read(beside.format("Ben Lee"))
    errors = [one for one in another.findings if one.severity is Severity.ERROR]
    assert [(one.code, one.where) for one in errors] == [("name-differs", "row 3, column name")]
    wrong = "seat,regular,regular_games,round1\n1,1500,many,B\n"
    assert places(wrong) == [("games-out-of-range", "row 2, column regular_games")]


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
    assert [finding.code for finding in result.findings if finding.severity is Severity.ERROR] == [code]


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
    assert [finding.code for finding in result.findings] == ["file-not-read"]


def test_a_list_of_players_beside_a_table_adds_ids_and_ratings_by_name() -> None:
    result = parse_source(
        source_of(MINIMAL, "Name,ID,Rating\nExample Baker,90000002,1500\nADAMS EXAMPLE,,1100\n"), HINTS
    )
    assert result.report is not None
    adams, baker = result.report.players.values()
    assert (adams.pairing_rating, baker.pairing_rating) == (1794, 1500), "what the table says holds"
    assert [entry.player for entry in result.report.sections[0].entries] == [adams.id, "90000002"]
    assert [(finding.code, finding.severity) for finding in result.findings] == [
        ("players-from-file", Severity.NOTE)
    ]


def test_a_list_of_other_players_beside_a_table_is_named() -> None:
    result = parse_source(source_of(MINIMAL, "#,Name,Rating\n1,OTHER EXAMPLE,1794\n"), HINTS)
    assert result.report is not None
    assert [(finding.code, finding.severity) for finding in result.findings] == [
        ("players-not-read", Severity.WARNING)
    ]


@pytest.mark.parametrize(
    ("titles", "letters"),
    [
        ("Plac;Namn;Medlemsnr;Rating;Rond 1;Rond 2;Po\u00e4ng", "VRF"),
        ("Plass;Navn;Medlemsnr.;Rating;Runde 1;Runde 2;Poeng", "VRT"),
        ("Sija;Nimi;J\u00e4sennumero;Elo;1;2;Pisteet", "VTH"),
        ("Pos;Giocatore;Tessera;Elo;R1;R2;Punti", "VNP"),
        ("Pos;Jugador;C\u00f3digo;Elo;R1;R2;Ptos", "GTP"),
        ("Platz;Name;Mitgliedsnr.;Elo;Rd 1;Rd 2;Pkt", "GRV"),
    ],
)
def test_titles_and_results_of_another_language(titles: str, letters: str) -> None:
    win, draw, loss = tuple(letters)
    text = f"{titles}\n1;Ann Alder;90000011;1800;{win}2;{draw}2;1,5\n2;Ida Beck;90000012;1700;{loss}1;{draw}1;0,5\n"
    hints = Hints(end=date(2026, 10, 4), time_control="G/60;d5", start=date(2026, 10, 4))
    parsed = parse_source(source_of_bytes(text.encode(), "open.csv"), hints)
    assert parsed.report is not None, parsed.findings
    rows = [[cell.letter for cell in entry.rounds] for entry in parsed.report.sections[0].entries]
    assert rows == [["W", "D"], ["L", "D"]]
    assert [*parsed.report.players] == ["90000011", "90000012"]


def test_a_table_of_unknown_titles_is_read_if_the_user_says_them() -> None:
    text = "Pelur;Quem;Codice socio;P1;P2\n1;Ann Alder;90000011;W2;D2\n2;Ida Beck;90000012;L1;D1\n"
    column = ("Pelur=seat", "Quem=name", "Codice socio=id", "P1=round1", "P2=round2")
    hints = Hints(date(2026, 10, 4), date(2026, 10, 4), "G/60;d5", column=column)
    parsed = parse_source(source_of_bytes(text.encode(), "open.csv"), hints)
    assert parsed.report is not None, parsed.findings
    assert [*parsed.report.players] == ["90000011", "90000012"]


def test_a_column_that_no_table_has_is_an_error_that_names_the_titles() -> None:
    text = "#;Name;Elo;R1\n1;Ann Alder;1800;W2\n2;Ida Beck;1700;L1\n"
    hints = Hints(date(2026, 10, 4), date(2026, 10, 4), "G/60;d5", column=("Ello=rating",))
    parsed = parse_source(source_of_bytes(text.encode(), "open.csv"), hints)
    (finding,) = [finding for finding in parsed.findings if finding.code == "column-hint-unknown"]
    assert "'Elo'" in finding.remedy


def test_a_table_with_bars_is_read() -> None:
    """As in notes in Markdown: a heading with the facts, bars at both ends, and a ruler below the titles."""
    rows = [
        "# Fall Open, November 14, 2026, G/60;d5",
        "",
        "| # | Name | Rating | Rd 1 |",
        "|---|------|-------:|------|",
        "| 1 | Adams, Example | 1700 | W2 |",
        "| 2 | Baker, Example | 1650 | L1 |",
    ]
    parsed = parse(source_of("\n".join(rows) + "\n"), Hints())
    assert parsed.report is not None, parsed.findings
    section = parsed.report.sections[0]
    assert (parsed.report.event.name, section.end, section.time_control) == (
        "Fall Open",
        date(2026, 11, 14),
        "G/60;d5",
    )
    entries = parsed.report.sections[0].entries
    names = [(parsed.report.players[entry.player].name, entry.rounds[0].letter) for entry in entries]
    assert names == [("Adams, Example", "W"), ("Baker, Example", "L")]


def test_ratings_and_ids_in_brackets_behind_names_are_read_and_empty_numbered_rows_left() -> None:
    rows = [
        "#,Name,Rd 1",
        '1,"Adams, Example (1700)",W2',
        '2,"Baker, Example (12345672)",L1',
        '3,"Clark, Example (unr)",B',
        "4,,",
    ]
    report = parse(source_of("\n".join(rows) + "\n"), HINTS).report
    assert report is not None
    facts = [report.players[entry.player] for entry in report.sections[0].entries]
    assert [(player.name, player.pairing_rating) for player in facts] == [
        ("Adams, Example", 1700.0),
        ("Baker, Example", None),
        ("Clark, Example", None),
    ]
    assert facts[1].id == "12345672"
