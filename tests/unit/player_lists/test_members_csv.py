"""The members CSV: every column read and written, and everything that can be wrong with a row."""

from __future__ import annotations

import csv
import io
from datetime import date
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratebook.findings import Findings
from ratebook.formats.archive import SourceError
from ratebook.formats.reading.sheets.player_columns import plain_cell
from ratebook.formats.reading.spreadsheet import guarded
from ratebook.model import (
    Bound,
    Ceiling,
    EarlierMatch,
    EnteredFloor,
    Event,
    FloorKind,
    ForeignRating,
    InitialRating,
    PlayerFacts,
    Rating,
    Record,
    Report,
    Sex,
    System,
)
from ratebook.player_lists.members_csv import (
    iter_members_csv,
    iter_members_said,
    looks_like_members_csv,
    write,
)
from ratebook.player_lists.row import ListKind, Search, search_for
from support.builders import section
from support.report_strategies import reports
from support.whole_run import examples

if TYPE_CHECKING:
    from ratebook.player_lists.row import ListedPlayer

NAME = "members.csv"

EVERYTHING = (
    "id,name,birth_date,adult,canadian_resident,us_member,usa_flag,fide_opt_in,expires,fide,fide_as_of,cfc,cfc_as_of,"
    "regular,regular_games,regular_wins,regular_draws,regular_losses,regular_record,regular_long_events,regular_peak,"
    "regular_life_master_games,regular_published,regular_published_games,regular_as_of,regular_at_least,"
    "online_quick,online_quick_games,blitz_initial,blitz_initial_games,floors,ceilings,matches\n"
    '90000001,"ADAMS, EXAMPLE",2012-05-01,false,true,yes,1,x,2027-11-30,1480,2026-11-01,1200,2026-09-01,'
    "612.4,38,17,5,16,mixed,9,640.2,"
    "0,605,35,2026-10-03,peak counts,"
    "598.1,established,498,4,regular:money:1800;quick:office:1500,regular:2000,regular:2026-05-01:-23.4\n"
)
ADAMS = PlayerFacts(
    id="90000001",
    name="ADAMS, EXAMPLE",
    birth_date=date(2012, 5, 1),
    adult=False,
    canadian_resident=True,
    ratings={
        System.REGULAR: Rating(
            612.4,
            38.0,
            wins=17,
            draws=5,
            losses=16,
            record=Record.MIXED,
            long_events=9,
            peak=640.2,
            life_master_games=0,
            published=605,
            published_games=35.0,
            as_of=date(2026, 10, 3),
            at_least=Bound.PEAK | Bound.COUNTS,
        ),
        System.ONLINE_QUICK: Rating(598.1, None),
    },
    fide=ForeignRating(1480.0, date(2026, 11, 1)),
    cfc=ForeignRating(1200.0, date(2026, 9, 1)),
    floors=(
        EnteredFloor(System.REGULAR, FloorKind.MONEY, 1800.0),
        EnteredFloor(System.QUICK, FloorKind.OFFICE, 1500.0),
    ),
    ceilings=(Ceiling(System.REGULAR, 2000.0),),
    us_member=True,
    usa_flag=True,
    fide_opt_in=True,
    matches=(EarlierMatch(System.REGULAR, date(2026, 5, 1), -23.4),),
    initial={System.BLITZ: InitialRating(498.0, 4.0)},
)


def read(text: str | bytes, *ids: str) -> tuple[list[ListedPlayer], Findings]:
    """Return the rows with these ids (90000001 unless given)."""
    findings = Findings()
    data = text.encode() if isinstance(text, str) else text
    search = Search(ids=frozenset(ids or ("90000001",)))
    return list(iter_members_csv(io.BytesIO(data), NAME, search, findings)), findings


def test_what_a_spreadsheet_adds_to_an_id_is_no_part_of_it() -> None:
    (player,), _ = read("id,name\n90000001.0,Adams\n")
    assert player.facts.id == "90000001"


def facts_in(text: str) -> PlayerFacts:
    players, findings = read(text)
    assert [found for found in findings.of_file(NAME) if found.code != "columns-renamed"] == []
    (player,) = players
    return player.facts


def problems_in(text: str) -> list[tuple[str, str, str]]:
    _, findings = read(text)
    return [(finding.severity.value, finding.code, finding.where) for finding in findings.of_file(NAME)]


def test_every_column_is_read() -> None:
    players, findings = read(EVERYTHING)
    assert findings.of_file(NAME) == ()
    (player,) = players
    assert player.facts == ADAMS
    assert player.kind is ListKind.MEMBERS
    assert player.facts.id == "90000001"
    assert player.expires == date(2027, 11, 30)
    assert str(player.where) == "members.csv, line 2"


def test_only_rows_of_the_report_are_looked_at() -> None:
    """What is wrong with the others is nobody's business here."""
    players, findings = read("id,regular\n90000002,nonsense\n90000001,1500\n", "90000001")
    assert [player.facts.id for player in players] == ["90000001"]
    assert [finding.code for finding in findings.of_file(NAME)] == ["games-missing"]


def test_titles_are_read_in_any_spelling_and_order() -> None:
    facts = facts_in(
        "Regular Games;online-regular;Online Regular Games;REGULAR;ID\n38;700.5;established;612;90000001\n"
    )
    assert facts.ratings == {System.REGULAR: Rating(612.0, 38.0), System.ONLINE_REGULAR: Rating(700.5, None)}


@pytest.mark.parametrize(("text", "sex"), [("M", Sex.MALE), ("Female", Sex.FEMALE), ("weiblich", Sex.FEMALE)])
def test_sexes_are_read_in_words(text: str, sex: Sex) -> None:
    for title in ("Sex", "Gender", "Geschlecht"):
        assert facts_in(f"id,name,{title}\n90000001,ADAMS,{text}\n").sex is sex


def test_rows_may_be_blank() -> None:
    text = "id,name,regular,regular_games\n\n90000001,ADAMS,,\n,,,\n\n"
    assert facts_in(text) == PlayerFacts("90000001", "ADAMS")


def test_short_rows_are_read_with_one_warning() -> None:
    text = "id,name,regular,regular_games\n90000001,ADAMS,1500,30\n90000002,BAKER\n90000003,CLARK,1600,30\n90000004\n"
    ids = ("90000001", "90000002", "90000003", "90000004")
    players, findings = read(text, *ids)
    assert tuple(player.facts.id for player in players) == ids
    (finding,) = findings.of_file(NAME)
    assert (finding.severity, finding.code, finding.where) == (
        "warning",
        "list-row-too-short",
        "members.csv, line 3",
    )
    assert finding.message.startswith("2 rows have fewer cells")


@pytest.mark.parametrize("last", ["90000002,BAKER,16", "90000002,BAK", "9000", '"90000002","BAKER"'])
def test_a_list_that_ends_within_its_last_row_is_an_error(last: str) -> None:
    """Whoever is looked for: those after that row are missing."""
    text = f"id,name,regular,regular_games\n90000001,ADAMS,1500,30\n{last}"
    said = Findings()
    list(iter_members_said(io.BytesIO(text.encode()), NAME, said))
    for findings in (
        problems_in(text),
        [(finding.severity, finding.code, finding.where) for finding in said.of_file(NAME)],
    ):
        assert ("error", "list-cut-short", "members.csv, line 3") in findings


def test_a_last_row_with_all_cells_needs_no_end_of_its_line() -> None:
    assert problems_in("id,name,regular,regular_games\n90000001,ADAMS,1500,30") == []


def test_a_byte_order_mark_and_line_ends_of_windows_do_no_harm() -> None:
    players, findings = read(b"\xef\xbb\xbfid,name\r\n90000001,ADAMS\r\n")
    assert (players[0].facts.name, findings.of_file(NAME)) == ("ADAMS", ())


def test_names_survive_in_both_encodings() -> None:
    for encoding in ("utf-8", "latin-1"):
        players, _ = read("id,name\n90000001,MUÑOZ EXAMPLE\n".encode(encoding))
        assert players[0].facts.name == "MUÑOZ EXAMPLE"


def test_a_life_membership_never_ends() -> None:
    players, _ = read("id,expires\n90000001,LIFE\n")
    assert players[0].expires == date.max


def test_games_that_are_not_given_are_noted_once() -> None:
    players, findings = read(
        "id,regular,quick,blitz,blitz_games\n90000001,1500,1400,1300,established\n90000002,1600,,,\n",
        "90000001",
        "90000002",
    )
    assert players[0].facts.ratings[System.QUICK] == Rating(1400.0, None)
    (finding,) = findings.of_file(NAME)
    assert (finding.code, finding.where) == ("games-missing", "members.csv, line 2, regular_games")
    assert finding.message.startswith("3 ratings in members.csv")


@pytest.mark.parametrize(
    ("header", "cell", "code", "field"),
    [
        ("regular", "15OO", "list-value-unreadable", "regular"),
        ("regular", "1.500,5", "list-value-unreadable", "regular"),
        ("regular", "nan", "list-value-unreadable", "regular"),
        ("regular", "99", "rating-out-of-range", "regular"),
        ("regular", "99999", "rating-out-of-range", "regular"),
        ("us_member", "maybe", "list-value-unreadable", "us_member"),
        ("adult", "?", "list-value-unreadable", "adult"),
        ("birth_date", "5/1/2012", "date-order-unclear", "birth_date"),
        ("birth_date", "1212-05-01", "date-out-of-range", "birth_date"),
        ("expires", "2026-13-01", "date-unreadable", "expires"),
        ("fide", "x", "list-value-unreadable", "fide"),
        ("floors", "regular:money", "list-value-unreadable", "floors"),
        ("floors", "regular:money:1850", "floor-level-wrong", "floor 1.floor"),
        ("floors", "rapid:money:1800", "system-unknown", "floor 1.system"),
        ("ceilings", "regular:abc", "list-value-unreadable", "ceilings"),
        ("matches", "regular:2026-02-30:5", "date-unreadable", "match 1.end"),
        ("regular_wins", "3", "list-rating-missing", "regular"),
        ("quick_initial_games", "3", "list-rating-missing", "quick_initial"),
    ],
)
def test_a_cell_that_cannot_be_read_is_one_error_with_its_place(
    header: str, cell: str, code: str, field: str
) -> None:
    found = problems_in(f'id,{header}\n90000001,"{cell}"\n')
    assert [one for one in found if one[1] != "games-missing"] == [
        ("error", code, f"members.csv, line 2, {field}")
    ]


def test_a_record_that_contradicts_the_counts_is_an_error() -> None:
    header = "id,regular,regular_games,regular_wins,regular_draws,regular_losses,regular_record"
    text = f"{header}\n90000001,1500,9,4,0,5,wins\n"
    assert problems_in(text) == [
        ("error", "record-contradicts-counts", "members.csv, line 2, regular_record")
    ]


def test_an_unknown_column_is_a_warning_with_the_word_that_was_meant() -> None:
    _, findings = read("id,regular_gmes\n90000001,5\n")
    (finding,) = findings.of_file(NAME)
    assert (finding.severity, finding.code) == ("warning", "column-unknown")
    assert finding.where == "members.csv, line 1"
    assert "'regular_games'" in finding.remedy


def test_columns_of_members_have_other_names() -> None:
    facts = facts_in(
        "MEMBERID,Player Name,Geburtsdatum,Regular,Reg games\n90000001,Adams,2001-05-13,1600,15\n"
    )
    assert facts.birth_date == date(2001, 5, 13)
    assert facts.ratings[System.REGULAR] == Rating(1600, 15)


def test_a_column_that_comes_twice_is_an_error() -> None:
    assert problems_in("id,name,NAME\n90000001,A,B\n") == [("error", "column-twice", "members.csv, line 1")]


def test_a_row_with_more_cells_than_columns_is_an_error() -> None:
    assert problems_in("id,name\n90000001,ADAMS, EXAMPLE\n") == [
        ("error", "list-row-too-long", "members.csv, line 2")
    ]


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ('90000001,"ADAMS\n' + "90000002,BAKER\n" * 200, "list-unreadable", 202),
        ('90000001,"ADAMS" EXAMPLE\n', "list-unreadable", 2),
        ('90000001,"' + "x" * 140_000, "list-line-too-long", 2),
        ('90000001,"' + "x\n" * 140_000, "list-line-too-long", 65_529),
    ],
)
def test_quotation_marks_that_do_not_fit_end_the_reading(text: str, code: str, line: int) -> None:
    """The rest of the list would be one long name."""
    with pytest.raises(SourceError) as refused:
        read(f"id,name\n{text}")
    assert refused.value.finding.code == code
    assert refused.value.finding.where == f"members.csv, line {line}"


@pytest.mark.parametrize(
    ("header", "known"),
    [
        ("id,name", True),
        ("ID", True),
        ("name,regular", True),
        ("name;Quick Games", True),
        ("\ufeffid\tname", True),
        ("name", False),
        ("name,address", False),
        ("", False),
        ('"', False),
    ],
)
def test_the_header_tells_a_members_csv(header: str, *, known: bool) -> None:
    assert looks_like_members_csv([header]) is known


# Writing


def written(*players: PlayerFacts) -> str:
    result = write(Report(Event(), {player.id: player for player in players}, ()))
    assert result.findings == ()
    return result.files["members.csv"].decode()


def test_columns_that_are_empty_for_everybody_are_left_out() -> None:
    assert written(
        PlayerFacts("90000001", "ADAMS, EXAMPLE", ratings={System.QUICK: Rating(1500.0, None)}),
        PlayerFacts("90000002", usa_flag=True),
    ) == (
        'id,name,usa_flag,quick,quick_games\n90000001,"ADAMS, EXAMPLE",,1500,established\n90000002,,true,,\n'
    )


def test_everything_is_written() -> None:
    lines = written(ADAMS).splitlines()
    assert lines[0] == (
        "id,name,birth_date,adult,canadian_resident,us_member,usa_flag,fide_opt_in,fide,fide_as_of,cfc,cfc_as_of,"
        "regular,regular_games,regular_wins,regular_draws,regular_losses,regular_record,regular_long_events,"
        "regular_peak,regular_life_master_games,regular_published,regular_published_games,regular_as_of,regular_at_least,"
        "blitz_initial,blitz_initial_games,online_quick,online_quick_games,floors,ceilings,matches"
    )
    assert lines[1] == (
        '90000001,"ADAMS, EXAMPLE",2012-05-01,false,true,true,true,true,1480,2026-11-01,1200,2026-09-01,'
        "612.4,38,17,5,16,mixed,9,640.2,0,605,35,2026-10-03,peak counts,498,4,598.1,established,"
        "regular:money:1800;quick:office:1500,regular:2000,regular:2026-05-01:-23.4"
    )


def test_an_official_rating_on_an_unknown_number_of_games_is_established() -> None:
    rating = Rating(1500.5, 40.0, published=1498)
    assert "1500.5,40,1498,established" in written(PlayerFacts("90000001", ratings={System.REGULAR: rating}))


@pytest.mark.parametrize("text", ["=1+1", "+A", "-A", "@A", "'=1", "''-x", "'s Example", "ADAMS"])
def test_no_spreadsheet_takes_a_name_for_a_formula_and_it_reads_back(text: str) -> None:
    cell = guarded(text)
    assert cell[0] not in "=+-@"
    assert plain_cell(cell) == text


def test_what_a_list_cannot_hold_is_noted() -> None:
    report = Report(Event(), {"1": PlayerFacts("1", "A  B"), "2": PlayerFacts("2")}, (section(["W2", "L1"]),))
    findings = write(report).findings
    assert [(one.severity.value, one.code, one.where) for one in findings] == [
        ("note", "lost-in-members-csv", "members.csv"),
        ("note", "lost-in-members-csv", "members.csv, name"),
    ]


def test_a_player_without_an_id_has_none_in_the_list() -> None:
    players = {"seat-1": PlayerFacts("seat-1", "ADAMS", fide_id="2000001"), "2": PlayerFacts("2", "BAKER")}
    written = write(Report(Event(), players, (section(["W2", "L1"]),)))
    assert written.files["members.csv"] == b"id,name,fide_id\n,ADAMS,2000001\n2,BAKER,\n"
    assert "1 player has no id" in written.findings[-1].message


@pytest.mark.long
@examples(30)
@given(reports(unseated=True), st.sampled_from([",", ";", "\t"]))
def test_reading_what_was_written_gives_the_players_back(report: Report, separator: str) -> None:
    data = write(report).files["members.csv"].decode()
    out = io.StringIO()
    csv.writer(out, delimiter=separator).writerows(csv.reader(io.StringIO(data)))
    findings = Findings()
    rows = list(iter_members_csv(io.BytesIO(out.getvalue().encode()), NAME, search_for(report), findings))
    assert {row.facts.id: row.facts for row in rows} == report.players
    assert not findings.has_errors


def test_a_text_that_is_no_unicode_does_not_stop_the_writing() -> None:
    report = Report(Event(), {"1": PlayerFacts("1", "\ud800")}, ())
    assert write(report).files["members.csv"] == b"id,name\n1,?\n"
