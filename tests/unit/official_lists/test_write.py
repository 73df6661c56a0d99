"""Official lists in every format: what is written is read back by this program's readers and by other people's."""

from __future__ import annotations

import csv
import json
from contextvars import copy_context
from datetime import date
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import dbf
import dbfread
import pytest

from ratebook.model import Event, PlayerFacts, Report, Shown, System
from ratebook.official_lists.contents import ListMember, OfficialList, PersonFacts, in_order
from ratebook.official_lists.write import LIST_FORMATS, list_format, write_list
from ratebook.player_lists.merge import with_players
from ratebook.player_lists.read import read_players
from ratebook.records.system_titles import OWN_TITLES

if TYPE_CHECKING:
    from pathlib import Path

    from ratebook.player_lists.row import ListedPlayers

REGULAR, QUICK, BLITZ = System.REGULAR, System.QUICK, System.BLITZ
ONLINE = System.ONLINE_BLITZ

ADAMS = ListMember(
    "90000001",
    "ADAMS EXAMPLE, ANNA",
    "MN",
    date(2027, 11, 30),
    {REGULAR: Shown(2105), QUICK: Shown(612, 8), BLITZ: Shown(1500)},
    ("C", "NM"),
    PersonFacts("99900001", "f", "WFM", "USA", "LINCOLN SCHOOL"),
)
BAKER = ListMember("90000002", "BAKER EXAMPLE", "", None, {QUICK: Shown(1234, 25)})
CLARK = ListMember("90000003", "=CLARK EXAMPLE", "WI", date.max, {REGULAR: Shown(100, 4)})
DAVIS = ListMember("90000004", "DAVÍS EXAMPLE", "ENGLAND", date(2026, 1, 31), {ONLINE: Shown(1700)})
LIST = OfficialList("Example League", "2026-12", date(2026, 11, 18), (ADAMS, BAKER, CLARK, DAVIS))


def written(name: str, second: System = QUICK) -> bytes:
    (data,) = write_list(LIST, name, second).files.values()
    return data


def read_back(folder: Path, name: str, second: System = QUICK) -> ListedPlayers:
    """Write the list, and read it as ``--players`` does, for a report of all its members."""
    path = folder / list_format(name).file_name.format(month=LIST.month)
    path.write_bytes(written(name, second))
    players = {member.id: PlayerFacts(member.id, member.name) for member in LIST.members}
    return read_players(path, Report(Event(), players, ()), second=second)


def published(listed: ListedPlayers) -> dict[str, dict[System, tuple[float, float | None]]]:
    """Return rating and games of everybody who was found."""
    return {
        player: {system: (rating.rating, rating.games) for system, rating in row.facts.ratings.items()}
        for player, row in listed.players.items()
    }


def test_a_members_csv_brings_every_rating_into_a_report(tmp_path: Path) -> None:
    listed = read_back(tmp_path, "members-csv")
    assert published(listed) == {
        member.id: {system: (one.rating, one.provisional_games) for system, one in member.ratings.items()}
        for member in LIST.members
    }
    assert not any(finding.severity == "error" for finding in listed.findings)
    adams, clark = listed.players["90000001"], listed.players["90000003"]
    assert (adams.expires, clark.expires) == (date(2027, 11, 30), date.max)
    assert clark.facts.name == "=CLARK EXAMPLE"
    assert adams.facts.ratings[REGULAR].published == 2105
    facts = adams.facts
    assert (facts.fide_id, facts.sex, facts.title, facts.federation) == ("99900001", "f", "WFM", "USA")
    assert (facts.club, clark.facts.club, clark.facts.sex) == ("LINCOLN SCHOOL", "", None)
    assert adams.facts.ratings[REGULAR].as_of == LIST.cut_off


@pytest.mark.parametrize("name", ["golden", "supplement"])
@pytest.mark.parametrize("second", [QUICK, BLITZ])
def test_the_tables_bring_two_ratings_into_a_report(tmp_path: Path, name: str, second: System) -> None:
    listed = read_back(tmp_path, name, second)
    kept = {
        member.id: {
            system: (one.rating, one.provisional_games)
            for system, one in member.ratings.items()
            if system in {REGULAR, second}
        }
        for member in LIST.members
    }
    assert published(listed) == {member: ratings for member, ratings in kept.items() if ratings}
    assert listed.players["90000001"].expires == date(2027, 11, 30)
    assert listed.players["90000003"].expires == date.max


@pytest.mark.statement("M9")
def test_a_members_csv_brings_titles_into_a_report(tmp_path: Path) -> None:
    listed = read_back(tmp_path, "members-csv")
    assert listed.players["90000001"].facts.titles == "C NM"
    known = Report(Event(), {"90000001": PlayerFacts("90000001")}, ())
    merged, _ = with_players(known, listed)
    assert merged.players["90000001"].titles == "C NM"
    own = Report(Event(), {"90000001": PlayerFacts("90000001", titles="C")}, ())
    merged, findings = with_players(own, listed)
    assert merged.players["90000001"].titles == "C"
    assert any("titles" in finding.message for finding in findings)


@pytest.mark.statement("M9")
def test_ratings_and_titles_are_in_a_file_that_another_program_reads(tmp_path: Path) -> None:
    """R95 section 4: a file that the USCF's database program can read; here by a library that knows dBASE alone."""
    path = tmp_path / "titles.dbf"
    path.write_bytes(written("titles-dbf"))
    records = list(dbfread.DBF(str(path)))
    assert [(record["MEM_ID"], record["R_LPB_RAT"], record["TITLES"]) for record in records] == [
        ("90000001", "2105E", "C NM"),
        ("90000002", "0000U", ""),
        ("90000003", "0100P04", ""),
    ]
    assert published(read_back(tmp_path, "titles-dbf")) == published(read_back(tmp_path, "golden"))


def test_titles_that_do_not_fit_are_cut_between_two_and_noted() -> None:
    many = ADAMS._replace(titles=("4", "3", "2", "1", "C", "M", "NM", "OLM", "SM", "S", "NM"))
    found = write_list(LIST._replace(members=(many,)), "titles-dbf")
    assert b"4 3 2 1 C M NM OLM SM S " in next(iter(found.files.values()))
    assert any("title" in finding.message for finding in found.findings)


def test_a_golden_database_names_its_month(tmp_path: Path) -> None:
    listed = read_back(tmp_path, "golden")
    assert listed.players["90000001"].facts.ratings[REGULAR].as_of == date(2026, 12, 1)


def test_the_tables_are_what_other_programs_read(tmp_path: Path) -> None:
    """Names and forms of docs/formats/player-lists.md#us-chess, by two libraries that know nothing of this one."""
    for name in ("golden", "supplement"):
        (tmp_path / f"{name}.dbf").write_bytes(written(name))
    golden = list(dbfread.DBF(str(tmp_path / "golden.dbf")))
    assert golden[0] == {
        "MEM_ID": "90000001",
        "MEM_NAME": "ADAMS EXAMPLE, AN",
        "EXPIRED": "20271130",
        "STATE": "MN",
        "R_LPB_RAT": "2105E",
        "Q_LPB_RAT": "0612P08",
        "SUPP_DATE": "202612",
    }
    assert [record["R_LPB_RAT"] for record in golden] == ["2105E", "0000U", "0100P04"]
    table = dbf.Table(str(tmp_path / "supplement.dbf"))
    with table:
        records = [tuple(field.strip() for field in record) for record in table]
    assert records == [
        ("90000001", "ADAMS EXAMPLE, ANNA", "20271130", "MN", "2105", "0612/08"),
        ("90000002", "BAKER EXAMPLE", "", "", "", "1234/25"),
        ("90000003", "=CLARK EXAMPLE", "19991231", "WI", "0100/04", ""),
    ]
    assert widths(tmp_path / "supplement.dbf")["R_MEM_NAME"] == 27
    assert widths(tmp_path / "supplement.dbf")["R_RATING1"] == 7
    assert widths(tmp_path / "golden.dbf")["MEM_NAME"] == 17


def widths(path: Path) -> dict[str, int]:
    return {field.name: field.length for field in dbfread.DBF(str(path)).fields}


def test_what_a_table_cannot_hold_is_said() -> None:
    notes = [finding.message for finding in write_list(LIST, "golden").findings]
    assert notes == [
        "The format has no room for: blitz rating (1).",
        "The format has no room for: name longer than 17 letters (1).",
        "The format has no room for: online-blitz rating (1).",
    ]
    long_id = LIST._replace(members=(ADAMS._replace(id="A-90000001", state="ENGLAND", name="Ä"),))
    assert [finding.message for finding in write_list(long_id, "supplement").findings] == [
        "The format has no room for: blitz rating (1).",
        "The format has no room for: member whose id has more than 8 plain characters (1).",
    ]
    many = LIST._replace(
        members=(BAKER._replace(name="BÄKER", state="ENG", ratings={QUICK: Shown(900, 120)}),)
    )
    found = write_list(many, "supplement")
    assert b"0900/99" in next(iter(found.files.values()))
    assert b"BAKER" in next(iter(found.files.values()))
    assert len(found.findings) == 3


def test_every_other_format_holds_everything() -> None:
    for known in LIST_FORMATS:
        assert known.binary or write_list(LIST, known.name).findings == ()


def test_text_is_one_line_for_each_member() -> None:
    lines = written("text").decode().splitlines()
    assert "Example League" in lines[0]
    assert "2026-11-18" in lines[1]
    assert lines[3].split() == ["ID", "Name", "State", "regular", "quick", "blitz", "online-blitz", "Titles"]
    adams = ["90000001", "ADAMS", "EXAMPLE,", "ANNA", "MN", "2105", "612P8", "1500", "C", "NM"]
    assert lines[4].split() == adams
    assert len(lines) == 8
    assert lines[3].index("quick") + len("quick") == lines[4].index("612P8") + len("612P8")


def test_csv_has_two_columns_for_each_system_and_runs_no_formula() -> None:
    rows = list(csv.DictReader(written("csv").decode().splitlines()))
    assert rows[0]["regular"] == "2105"
    assert (rows[0]["quick"], rows[0]["quick_provisional_games"]) == ("612", "8")
    assert rows[0]["regular_provisional_games"] == ""
    assert rows[2]["name"] == "'=CLARK EXAMPLE"
    assert rows[2]["expires"] == "life"
    assert rows[3]["online_blitz"] == "1700"
    person = ("fide_id", "sex", "title", "federation", "club")
    assert [rows[0][name] for name in person] == ["99900001", "f", "WFM", "USA", "LINCOLN SCHOOL"]
    assert [rows[1][name] for name in person] == [""] * 5


def test_json_says_what_the_list_says() -> None:
    found = json.loads(written("json"))
    assert (found["format"], found["month"], found["cut_off"]) == (
        "ratebook-official-list/1",
        "2026-12",
        "2026-11-18",
    )
    assert found["members"][0] == {
        "id": "90000001",
        "name": "ADAMS EXAMPLE, ANNA",
        "state": "MN",
        "expires": "2027-11-30",
        "titles": ["C", "NM"],
        "fide_id": "99900001",
        "sex": "f",
        "title": "WFM",
        "federation": "USA",
        "club": "LINCOLN SCHOOL",
        "ratings": {
            "regular": {"rating": 2105, "provisional_games": None},
            "quick": {"rating": 612, "provisional_games": 8},
            "blitz": {"rating": 1500, "provisional_games": None},
        },
    }


def test_an_empty_list_is_a_list() -> None:
    empty = LIST._replace(members=())
    for known in LIST_FORMATS:
        (data,) = write_list(empty, known.name).files.values()
        assert data


def test_the_same_list_gives_the_same_bytes() -> None:
    for known in LIST_FORMATS:
        assert written(known.name) == written(known.name)


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(KeyError):
        write_list(LIST, "pdf")


@pytest.mark.parametrize(
    ("order", "last_digits"),
    [("id", "1234"), ("name", "3412"), ("rating", "1324"), ("quick", "2134"), ("online-blitz", "4123")],
)
def test_a_list_is_by_id_name_or_rating_and_who_has_none_is_last(order: str, last_digits: str) -> None:
    unaccented = DAVIS._replace(name="Ádams Éxample")
    found = in_order(LIST._replace(members=(CLARK, unaccented, BAKER, ADAMS)), order)
    assert "".join(member.id[-1] for member in found.members) == last_digits


class Page(HTMLParser):
    """Collects the rows of a page, and every element that it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.elements: set[str] = set()
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        assert not {"src", "href"} & {name for name, _ in attrs}, "nothing is loaded"
        if tag == "tr":
            self.rows.append([])
        elif tag in {"td", "th"}:
            self.rows[-1].append("")
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in {"td", "th"}:
            self.rows[-1][-1] += data


def test_a_page_to_print_has_a_row_for_each_member_and_no_script() -> None:
    text = (
        write_list(LIST._replace(federation="A & B <League>"), "html").files["ratings-2026-12.html"].decode()
    )
    page = Page(text)
    assert page.open == []
    assert page.rows[0] == ["ID", "Name", "State", "Regular", "Quick", "Blitz", "Online Blitz", "Titles"]
    assert page.rows[1] == ["90000001", "ADAMS EXAMPLE, ANNA", "MN", "2105", "612P8", "1500", "", "C NM"]
    assert [row[1] for row in page.rows[1:]] == [member.name for member in LIST.members]
    assert {"caption", "thead", "tbody", "h1", "main"} <= page.elements
    assert "script" not in page.elements
    assert "<h1>A &amp; B &lt;League&gt;: official ratings of 2026-12</h1>" in text


def test_a_page_to_print_calls_systems_as_the_federation_does() -> None:
    def page() -> str:
        OWN_TITLES.set({"quick": "Rapid <25>"})
        return write_list(LIST, "html").files["ratings-2026-12.html"].decode()

    text = copy_context().run(page)
    assert ">Rapid &lt;25&gt;</th>" in text
    assert ">Regular</th>" in text
