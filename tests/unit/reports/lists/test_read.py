"""Lists of every kind, by their content: found players, wrong ids, archives, and files that are no lists."""

from __future__ import annotations

import io
import resource
import subprocess
import sys
import zipfile
from datetime import date
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders import entry, section
from ratebook.model import Event, ForeignRating, PlayerFacts, Rating, Report, System
from ratebook.problems import Severity
from ratebook.reports.dbf import write_dbf
from ratebook.reports.fields import readable
from ratebook.reports.lists.listed import ListKind, wanted_of
from ratebook.reports.lists.read import iter_listed, read_players
from ratebook.reports.parsed import Findings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ratebook.reports.lists.listed import Listed

MEMBERS = (
    b'id,name,regular,regular_games,expires\n90000001,"ADAMS, EXAMPLE",1500.5,40,2027-11-30\n'
    b'90000002,"BAKER, EXAMPLE",1400,12,2026-01-31\n'
)
GOLDEN = write_dbf(
    [("MEM_ID", 8), ("MEM_NAME", 17), ("EXPIRED", 8), ("R_LPB_RAT", 7)],
    [
        ["90000001", "ADAMS, EXAMPLE", "20271130", "1500E"],
        ["90000002", "BAKER, EXAMPLE", "20260131", "1400P12"],
        ["90000003", "ADAMS, EXAMINER", "", ""],
        ["90000004", "CLARK, EXAMPLE", "", ""],
    ],
    date(2026, 11, 1),
)
SUPPLEMENT = write_dbf(
    [("R_MEM_ID", 8), ("R_MEM_NAME", 27), ("R_RATING1", 7), ("R_RATING2", 7)],
    [["90000001", "ADAMS, EXAMPLE", "1500", "1450/9"]],
    date(2026, 11, 1),
)
FIDE_HEADER = (
    "ID Number      Name                                                         "
    "Fed Sex Tit  WTit OTit           FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
)


def fide_row(number: str, name: str, rating: int) -> str:
    return f"{number:<15}{name:<61}USA M   {'':<29}{rating:<6}0   20 0     0   20 0     0   20 1987      "


FIDE_TEXT = "\r\n".join(
    [FIDE_HEADER, fide_row("90000001", "Adams, Example", 1610), fide_row("2000002", "Baker, Example", 1510)]
).encode()
FIDE_XML = (
    b"<playerslist><player><fideid>90000001</fideid><name>Adams, Example</name><country>USA</country>"
    b"<rating>1610</rating><rapid_rating>0</rapid_rating><birthday>1987</birthday></player></playerslist>"
)
CFC = (
    b"CFC#,Expiry,Last,First,Prov,City,Rating,High,Active Rtg,Active High,FIDE Number,FIDE Rating\n"
    b'90000001,2027-01-01,Adams,Example,ON,"Town,1510,1600,1490,1500,0,0\n'
)
LISTS = {
    ListKind.MEMBERS: MEMBERS,
    ListKind.GOLDEN: GOLDEN,
    ListKind.SUPPLEMENT: SUPPLEMENT,
    ListKind.FIDE: FIDE_TEXT,
    ListKind.CFC: CFC,
}

Give = "Callable[[bytes], Path]"


def report_of(*players: tuple[str, str]) -> Report:
    """Return a report of one section in which these ids and names sit at seats 1, 2, ..."""
    facts = {key: PlayerFacts(key, name) for key, name in players}
    return Report(
        Event(), facts, (section([entry(seat, "", key) for seat, key in enumerate(facts, start=1)]),)
    )


@pytest.fixture
def given_list(tmp_path: Path) -> Callable[[bytes], Path]:
    """Return what puts bytes into a file whose name says nothing."""

    def put(data: bytes, name: str = "list") -> Path:
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return put


def archive(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in members.items():
            packed.writestr(name.replace("_DOT_", "."), data)
    return out.getvalue()


def codes(listed: Listed) -> list[str]:
    return [problem.code for problem in listed.problems]


ADAMS = ("90000001", "Example Adams")


@pytest.mark.parametrize("data", [*LISTS.values(), FIDE_XML])
@pytest.mark.parametrize("packed", [False, True])
def test_every_list_is_known_by_its_content(
    given_list: Callable[[bytes], Path], data: bytes, *, packed: bool
) -> None:
    path = given_list(archive(inside=data) if packed else data)
    listed = read_players(path, report_of(ADAMS))
    assert listed.players.keys() == {"90000001"}
    assert not any(problem.severity is Severity.ERROR for problem in listed.problems)
    player = listed.players["90000001"]
    assert player.where.startswith("list/inside, " if packed else "list, ")
    known = player.facts.ratings or player.facts.fide or player.facts.cfc
    assert known


def test_the_kind_is_told(given_list: Callable[[bytes], Path]) -> None:
    for kind, data in LISTS.items():
        assert read_players(given_list(data), report_of(ADAMS)).kind is kind


def test_a_player_is_found_by_member_id_with_or_without_zeros(given_list: Callable[[bytes], Path]) -> None:
    listed = read_players(given_list(b"id,cfc\n  00090000001,1500\n"), report_of(("90000001", "")))
    assert listed.players["90000001"].facts.cfc == ForeignRating(1500.0)
    assert listed.problems == ()


def test_the_membership_is_kept(given_list: Callable[[bytes], Path]) -> None:
    for data in (MEMBERS, GOLDEN):
        listed = read_players(given_list(data), report_of(ADAMS, ("90000002", "")))
        assert listed.expires == {"90000001": date(2027, 11, 30), "90000002": date(2026, 1, 31)}
    assert read_players(given_list(FIDE_TEXT), report_of(ADAMS)).expires == {}


@pytest.mark.parametrize("data", [MEMBERS, GOLDEN])
def test_an_id_that_a_complete_list_lacks_is_an_error_with_similar_names(
    given_list: Callable[[bytes], Path], data: bytes
) -> None:
    listed = read_players(given_list(data), report_of(("90000010", "Example Adams"), ("90000002", "")))
    assert listed.players.keys() == {"90000002"}
    (problem,) = listed.problems
    assert (problem.severity, problem.code) == (Severity.ERROR, "member-id-unknown")
    assert problem.where == "section 1, seat 1"
    assert "ADAMS, EXAMPLE 90000001" in problem.remedy
    assert "BAKER" not in problem.remedy


def test_resembling_names_are_offered_the_nearest_first(given_list: Callable[[bytes], Path]) -> None:
    listed = read_players(given_list(GOLDEN), report_of(("90000010", "ADAMS, EXAMPLES")))
    assert listed.problems[0].remedy == (
        "Correct the id. Similar names there: ADAMS, EXAMPLE 90000001; ADAMS, EXAMINER 90000003."
    )


def test_an_id_without_name_is_unknown_too(given_list: Callable[[bytes], Path]) -> None:
    (problem,) = read_players(given_list(GOLDEN), report_of(("90000010", ""))).problems
    assert (problem.code, problem.remedy) == ("member-id-unknown", "Correct the id.")


def test_an_id_that_a_supplement_lacks_is_a_warning(given_list: Callable[[bytes], Path]) -> None:
    (problem,) = read_players(given_list(SUPPLEMENT), report_of(("90000010", "ADAMS, EXAMPLES"))).problems
    assert (problem.severity, problem.code) == (Severity.WARNING, "member-id-not-listed")
    assert "ADAMS, EXAMPLE 90000001" in problem.remedy


def test_nobody_needs_to_be_in_a_list_of_fide_or_cfc(given_list: Callable[[bytes], Path]) -> None:
    for data in (FIDE_TEXT, FIDE_XML, CFC):
        listed = read_players(given_list(data), report_of(("90000010", "CLARK, EXAMPLE")))
        assert [(one.severity, one.code) for one in listed.problems] == [(Severity.NOTE, "player-not-listed")]


def test_a_key_of_the_report_need_not_be_in_the_list(given_list: Callable[[bytes], Path]) -> None:
    listed = read_players(given_list(GOLDEN), report_of(("seat-1", "DAVIS, EXAMPLE"), ("P2", "")))
    (problem,) = listed.problems
    assert (problem.severity, problem.code) == (Severity.NOTE, "player-not-listed")
    assert problem.where == "section 1, seats 1, 2"


def test_an_id_under_another_persons_name_is_a_warning(given_list: Callable[[bytes], Path]) -> None:
    """Digits change places, and siblings theirs: the office takes the id, so that the director must look."""
    listed = read_players(given_list(GOLDEN), report_of(("90000001", "ADAMS, ZOE")))
    assert listed.players.keys() == {"90000001"}
    (problem,) = listed.problems
    assert (problem.severity, problem.code, problem.where) == (
        Severity.WARNING,
        "member-name-differs",
        "section 1, seat 1, name",
    )


def test_a_player_without_member_id_is_found_by_a_name_that_is_there_once(
    given_list: Callable[[bytes], Path],
) -> None:
    listed = read_players(given_list(GOLDEN), report_of(("seat-1", "Éxample Adams"), ("90000002", "")))
    assert listed.players["seat-1"].member_id == "90000001"
    (problem,) = listed.problems
    assert (problem.severity, problem.code) == (Severity.NOTE, "player-found-by-name")
    assert problem.where == "section 1, seat 1"


def test_a_member_id_is_never_given_up_for_a_name(given_list: Callable[[bytes], Path]) -> None:
    """A row with the same name and another id is another person, or the report's id is wrong."""
    assert read_players(given_list(SUPPLEMENT), report_of(("90000010", "ADAMS, EXAMPLE"))).players == {}


def test_a_row_without_id_is_found_by_name(given_list: Callable[[bytes], Path]) -> None:
    listed = read_players(given_list(b'name,fide\n"Adams, Example",1500\n'), report_of(ADAMS))
    assert listed.players["90000001"].facts.fide == ForeignRating(1500.0)
    assert codes(listed) == ["player-found-by-name"]


def test_a_name_that_is_in_the_list_twice_gives_nothing(given_list: Callable[[bytes], Path]) -> None:
    rows = [fide_row("2000001", "Adams, Example", 1610), fide_row("2000002", "ADAMS, Example", 1710)]
    listed = read_players(given_list("\n".join([FIDE_HEADER, *rows]).encode()), report_of(ADAMS))
    assert listed.players == {}
    (problem,) = listed.problems
    assert (problem.severity, problem.code) == (Severity.WARNING, "player-name-ambiguous")


def test_a_name_that_is_in_the_report_twice_gives_nothing(given_list: Callable[[bytes], Path]) -> None:
    report = report_of(("seat-1", "Example Adams"), ("seat-2", "ADAMS, EXAMPLE"))
    listed = read_players(given_list(GOLDEN), report)
    assert listed.players == {}
    assert codes(listed) == ["player-name-ambiguous"] * 2


def test_a_person_found_by_id_is_not_found_again_by_name(given_list: Callable[[bytes], Path]) -> None:
    report = report_of(ADAMS, ("seat-2", "ADAMS, EXAMPLE"))
    listed = read_players(given_list(GOLDEN), report)
    assert listed.players.keys() == {"90000001"}
    assert codes(listed) == ["player-not-listed"]


def test_a_member_id_that_is_somebody_elses_fide_number_is_not_taken(
    given_list: Callable[[bytes], Path],
) -> None:
    rows = [fide_row("90000001", "Zeta, Other", 2610), fide_row("2000001", "Adams, Example", 1610)]
    listed = read_players(given_list("\n".join([FIDE_HEADER, *rows]).encode()), report_of(ADAMS))
    assert listed.players["90000001"].facts.fide == ForeignRating(1610.0)
    assert codes(listed) == ["player-found-by-name"]


def test_a_fide_number_as_id_is_used_and_noted(given_list: Callable[[bytes], Path]) -> None:
    for data in (FIDE_TEXT, FIDE_XML, CFC):
        assert codes(read_players(given_list(data), report_of(ADAMS))) == ["player-found-by-number"]


def test_an_id_that_comes_twice_with_other_facts_is_a_warning(given_list: Callable[[bytes], Path]) -> None:
    text = b"id,name,cfc\n90000001,A,1500\n90000001,A,1600\n90000002,B,1500\n90000002,B,1500\n"
    listed = read_players(given_list(text), report_of(("90000001", ""), ("90000002", "")))
    assert listed.players["90000001"].facts.cfc == ForeignRating(1500.0)
    assert [(one.code, one.where) for one in listed.problems] == [("list-id-twice", "list, line 2")]


def test_ids_that_differ_in_zeros_alone_keep_their_rows(given_list: Callable[[bytes], Path]) -> None:
    listed = read_players(given_list(b"id,cfc\n07,1500\n7,1600\n"), report_of(("7", ""), ("07", "")))
    assert {key: row.facts.cfc for key, row in listed.players.items()} == {
        "7": ForeignRating(1600.0),
        "07": ForeignRating(1500.0),
    }


def test_the_second_rating_may_be_blitz(given_list: Callable[[bytes], Path]) -> None:
    path = given_list(SUPPLEMENT)
    for second in (System.QUICK, System.BLITZ):
        listed = read_players(path, report_of(ADAMS), second=second)
        assert listed.players["90000001"].facts.ratings[second] == Rating(
            1450.0, 9.0, published=1450, published_games=9.0
        )
        assert codes(listed) == ["second-rating-assumed"]


# Files that are no lists


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n",
        b'{"format": "ratebook-report/1"}',
        b"<html><body>player</html",
        b"name,address\nADAMS,here\n",
        "id,name\n90000001,ADAMS\n".encode("utf-16"),
        write_dbf([("D_MEM_ID", 8)], [["90000001"]], date(2026, 11, 1)),
        b"\x03\x7e",
        b"\x00" * 100,
    ],
)
def test_what_is_no_list_is_an_error(given_list: Callable[[bytes], Path], data: bytes) -> None:
    listed = read_players(given_list(data), report_of(ADAMS))
    assert (listed.players, listed.kind) in [({}, None), ({}, ListKind.FIDE)]
    (problem,) = listed.problems
    assert problem.severity is Severity.ERROR
    assert problem.code in {"list-unknown", "list-unreadable"}


def test_a_folder_and_a_missing_file_are_errors(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nothing.csv"):
        assert codes(read_players(path, report_of(ADAMS))) == ["file-unreadable"]
        findings = Findings()
        assert list(iter_listed(path, wanted_of(report_of(ADAMS)), findings)) == []
        assert findings.has_errors


def test_a_list_that_breaks_off_gives_nothing(given_list: Callable[[bytes], Path]) -> None:
    listed = read_players(given_list(GOLDEN[:-70]), report_of(ADAMS, ("90000004", "")))
    assert listed.players == {}
    assert codes(listed) == ["list-unreadable"]


# Archives


def test_other_files_of_an_archive_are_noted(given_list: Callable[[bytes], Path]) -> None:
    data = archive(readme_DOT_txt=b"Read me", list_DOT_dbf=GOLDEN)
    listed = read_players(given_list(data, "golden.zip"), report_of(ADAMS))  # type: ignore[call-arg]
    assert listed.players.keys() == {"90000001"}
    assert [(one.code, one.where) for one in listed.problems] == [
        ("list-member-ignored", "golden.zip/readme.txt")
    ]


def test_an_archive_with_two_lists_is_refused(given_list: Callable[[bytes], Path]) -> None:
    listed = read_players(given_list(archive(a=GOLDEN, b=CFC)), report_of(ADAMS))
    assert codes(listed) == ["list-several"]
    assert "list/a, list/b" in listed.problems[0].message


def test_an_archive_without_list_is_refused(given_list: Callable[[bytes], Path]) -> None:
    assert codes(read_players(given_list(archive(a=b"nothing")), report_of(ADAMS))) == [
        "list-member-ignored",
        "list-unknown",
    ]
    many = archive(**{f"n{number}": b"" for number in range(1_001)})
    assert codes(read_players(given_list(many), report_of(ADAMS))) == ["list-unknown"]


@pytest.mark.parametrize("name", ["../list.csv", "/list.csv", "C:\\list.csv", "a/../../list.csv"])
def test_a_path_outside_the_folder_is_refused(given_list: Callable[[bytes], Path], name: str) -> None:
    assert codes(read_players(given_list(archive(**{name: MEMBERS})), report_of(ADAMS))) == [
        "zip-path-outside"
    ]


def test_a_file_of_an_archive_may_have_no_name(given_list: Callable[[bytes], Path]) -> None:
    out = io.BytesIO()
    nameless = zipfile.ZipInfo("x")
    nameless.filename = ""
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr(nameless, MEMBERS)
    assert read_players(given_list(out.getvalue()), report_of(ADAMS)).players.keys() == {"90000001"}


def test_a_carriage_return_within_the_header_is_an_error(given_list: Callable[[bytes], Path]) -> None:
    listed = read_players(given_list(b"id,name\r \n90000001,ADAMS\n"), report_of(ADAMS))
    assert codes(listed) == ["list-unreadable"]


def test_a_broken_archive_is_refused(given_list: Callable[[bytes], Path]) -> None:
    data = bytearray(archive(list=MEMBERS * 50))
    for damaged in (bytes(data[:-30]), bytes(data[:60]) + b"\0\0\0\0" + bytes(data[64:])):
        listed = read_players(given_list(damaged), report_of(ADAMS))
        assert codes(listed) == ["zip-unreadable"]
        assert listed.players == {}


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_unusual_compression_is_refused(given_list: Callable[[bytes], Path], method: int) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as packed:
        packed.writestr("list", MEMBERS)
    assert codes(read_players(given_list(out.getvalue()), report_of(ADAMS))) == ["zip-unreadable"]


# Size


MEASURE = """
import resource, sys
from pathlib import Path
resource.setrlimit(resource.RLIMIT_AS, (256 << 20, 256 << 20))
from ratebook.model import Event, PlayerFacts, Report
from ratebook.reports.lists.read import read_players
players = {key: PlayerFacts(key, "Adams, Example") for key in ("2000001", "2000002")}
listed = read_players(Path(sys.argv[1]), Report(Event(), players, ()))
print(sorted(listed.players), sorted({problem.code for problem in listed.problems}))
"""


def measured(path: Path) -> str:
    """Read the list in a process that may have 256 MB of addresses and 20 s of processor time."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (20, 20))

    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(path)],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limited,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_list_larger_than_memory_is_streamed(tmp_path: Path) -> None:
    """300 MB unpacked, in an archive of 3 MB."""
    block = (fide_row("2000009", "Baker, Example", 1500) + "\r\n").encode() * 2_000
    path = tmp_path / "players.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed, packed.open("list", "w") as out:
        out.write(f"{FIDE_HEADER}\r\n{fide_row('2000001', 'Adams, Example', 1600)}\r\n".encode())
        for _ in range(920):
            out.write(block)
        out.write(fide_row("2000002", "Adams, Example", 1700).encode())
    assert measured(path) == "['2000001', '2000002'] ['player-found-by-number']"


HEADERS = {
    "members": b"id,name\n90000001,",
    "quoted": b'id,name\n90000001,"',
    "fide": FIDE_HEADER.encode() + b"\n",
}


@pytest.mark.parametrize(
    ("header", "piece", "code"),
    [
        ("members", b"x", "list-line-too-long"),
        ("members", b"x,", "list-line-too-long"),
        ("members", b"x,y\n", "player-not-listed"),
        ("quoted", b"x", "list-line-too-long"),
        ("quoted", b'x","\n', "list-line-too-long"),
        ("quoted", b"\n", "list-line-too-long"),
        ("fide", b"x", "list-line-too-long"),
        ("fide", b"\n", "player-not-listed"),
    ],
)
def test_an_archive_that_unpacks_without_end_takes_no_memory(
    tmp_path: Path, header: str, piece: bytes, code: str
) -> None:
    path = tmp_path / "bomb.zip"
    block = piece * (1 << 18)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed, packed.open("list", "w") as out:
        out.write(HEADERS[header])
        for _ in range(6):
            out.write(block)
    assert measured(path) == f"[] ['{code}']"


# Fuzz

LISTS_TO_BREAK = [*LISTS.values(), FIDE_XML, archive(inside=MEMBERS), archive(inside=GOLDEN)]
FUZZED_REPORT = report_of(
    ADAMS, ("90000002", "Baker, Example"), ("seat-3", "ADAMS, EXAMINER"), ("90000009", "")
)


@st.composite
def broken_lists(draw: st.DrawFn) -> bytes:
    """Return a list with bytes changed, left out, put in, doubled or cut off."""
    data = bytearray(draw(st.sampled_from(LISTS_TO_BREAK)))
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(data)))
        action = draw(st.sampled_from(["change", "cut", "insert", "remove", "double"]))
        size = draw(st.integers(1, 40))
        if action == "cut":
            del data[at:]
        elif action == "remove":
            del data[at : at + size]
        elif action == "double":
            data[at:at] = data[max(0, at - size) : at]
        elif action == "insert":
            data[at:at] = draw(
                st.binary(max_size=8) | st.sampled_from([b'"', b",", b"\n", b"<", b"&a;", b"\xff"])
            )
        else:
            data[at : at + 1] = draw(st.binary(min_size=1, max_size=1))
    return bytes(data)


@settings(max_examples=1_500, deadline=None)
@given(data=broken_lists())
def test_no_list_raises(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "broken"
    path.write_bytes(data)
    listed = read_players(path, FUZZED_REPORT)
    assert listed.players.keys() <= FUZZED_REPORT.players.keys()
    for problem in listed.problems:
        assert all((problem.code, problem.where, problem.message)), problem
        assert readable(problem.message)
        assert readable(problem.remedy)
        assert readable(problem.where)
    if listed.kind is None:
        assert any(problem.severity is Severity.ERROR for problem in listed.problems)
