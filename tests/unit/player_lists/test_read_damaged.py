"""Files that are no players' lists, archives, size, and damaged lists."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from datetime import date
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratebook.findings import Findings, Severity
from ratebook.formats.reading.fields import readable
from ratebook.formats.uschess.dbf import write_dbf
from ratebook.player_lists.read import iter_listed, read_players
from ratebook.player_lists.row import ListKind, search_for
from support.counted_work import FOURFOLD, growth_of
from support.hang_guard import HANG_GUARD
from support.whole_run import examples
from unit.player_lists.lists import (
    ADAMS,
    CFC,
    FIDE_HEADER,
    FIDE_XML,
    GOLDEN,
    LISTS,
    MEMBERS,
    archive,
    codes,
    fide_row,
    report_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


# Files that are no lists


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n",
        b'{"format": "ratebook-report/1"}',
        b"<html><body>player</html",
        b"name,address\nADAMS,here\n",
        write_dbf([("D_MEM_ID", 8)], [["90000001"]], date(2026, 11, 1)),
        b"\x03\x7e",
        b"\x00" * 100,
    ],
)
def test_what_is_no_list_is_an_error(given_list: Callable[[bytes], Path], data: bytes) -> None:
    listed = read_players(given_list(data), report_of(ADAMS))
    assert (listed.players, listed.kind) in [({}, None), ({}, ListKind.FIDE)]
    (finding,) = listed.findings
    assert finding.severity is Severity.ERROR
    assert finding.code in {"list-unknown", "list-unreadable"}


def test_a_folder_and_a_missing_file_are_errors(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nothing.csv"):
        assert codes(read_players(path, report_of(ADAMS))) == ["file-unreadable"]
        findings = Findings()
        assert list(iter_listed(path, search_for(report_of(ADAMS)), findings)) == []
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
    assert [(one.code, one.where) for one in listed.findings] == [
        ("list-member-ignored", "golden.zip/readme.txt")
    ]


def test_an_archive_with_two_lists_is_refused(given_list: Callable[[bytes], Path]) -> None:
    listed = read_players(given_list(archive(a=GOLDEN, b=CFC)), report_of(ADAMS))
    assert codes(listed) == ["list-several"]
    assert "list/a, list/b" in listed.findings[0].message


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
resource.setrlimit(resource.RLIMIT_AS, (64 << 20, 64 << 20))
from ratebook.model import Event, PlayerFacts, Report
from ratebook.player_lists.read import read_players
players = {key: PlayerFacts(key, "Adams, Example") for key in ("2000001", "2000002")}
listed = read_players(Path(sys.argv[1]), Report(Event(), players, ()))
print(sorted(listed.players), sorted({finding.code for finding in listed.findings}))
"""


def measured(path: Path) -> str:
    """Read the list in a process that may have 64 MB of addresses."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG_GUARD,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.long
def test_a_list_larger_than_memory_is_streamed(tmp_path: Path) -> None:
    """75 MB unpacked, in an archive of less than 1 MB."""
    block = (fide_row("2000009", "Baker, Example", 1500) + "\r\n").encode() * 2_000
    path = tmp_path / "players.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed, packed.open("list", "w") as out:
        out.write(f"{FIDE_HEADER}\r\n{fide_row('2000001', 'Adams, Example', 1600)}\r\n".encode())
        for _ in range(230):
            out.write(block)
        out.write(fide_row("2000002", "Adams, Example", 1700).encode())
    assert measured(path) == "['2000001', '2000002'] ['player-found-by-number']"


HEADERS = {
    "members": b"id,name\n90000001,",
    "quoted": b'id,name\n90000001,"',
    "fide": FIDE_HEADER.encode() + b"\n",
}


ENDLESS = [
    ("members", b"x", "list-line-too-long"),
    ("members", b"x,", "list-line-too-long"),
    ("members", b"x,y\n", "player-not-listed"),
    ("quoted", b"x", "list-line-too-long"),
    ("quoted", b'x","\n', "list-line-too-long"),
    ("quoted", b"\n", "list-line-too-long"),
    ("fide", b"x", "list-line-too-long"),
    ("fide", b"\n", "player-not-listed"),
]


def bomb(path: Path, header: str, piece: bytes, pieces: int) -> Path:
    """Write an archive that unpacks to a header and many times the same piece."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed, packed.open("list", "w") as out:
        out.write(HEADERS[header])
        out.write(piece * pieces)
    return path


@pytest.mark.long
@pytest.mark.parametrize(
    ("header", "piece", "code"),
    # Whether short rows are kept, the list larger than memory shows in half the time.
    [pytest.param(*ending, marks=pytest.mark.soak if ending[1] == b"x,y\n" else ()) for ending in ENDLESS],
)
def test_an_archive_that_unpacks_without_end_takes_no_memory(
    tmp_path: Path, header: str, piece: bytes, code: str
) -> None:
    assert measured(bomb(tmp_path / "bomb.zip", header, piece, 6 << 18)) == f"[] ['{code}']"


@pytest.mark.long
@pytest.mark.parametrize(("header", "piece"), [ending[:2] for ending in ENDLESS])
def test_the_work_for_an_archive_grows_no_faster_than_what_it_unpacks_to(
    tmp_path: Path, header: str, piece: bytes
) -> None:
    pieces = 1 << (11 if b"\n" in piece else 13)
    small, large = (bomb(tmp_path / f"{size}.zip", header, piece, size) for size in (pieces, 4 * pieces))
    assert growth_of(lambda path: read_players(path, FUZZED_REPORT), small, large) < FOURFOLD


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


@pytest.mark.long
@examples(600)
@given(data=broken_lists())
def test_no_list_raises(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "broken"
    path.write_bytes(data)
    listed = read_players(path, FUZZED_REPORT)
    assert listed.players.keys() <= FUZZED_REPORT.players.keys()
    for finding in listed.findings:
        assert all((finding.code, finding.where, finding.message)), finding
        assert readable(finding.message)
        assert readable(finding.remedy)
        assert readable(finding.where)
    if listed.kind is None:
        assert any(finding.severity is Severity.ERROR for finding in listed.findings)
