"""A 10 MB report of any kind stays under 256 MB of memory, by the system's own limit, and work grows as the size."""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
from datetime import date
from typing import TYPE_CHECKING

import pytest

from ratebook.formats.contract import Hints
from ratebook.formats.registry import built_in, parse_source, write_report
from ratebook.formats.source import read_source
from ratebook.model import Cell, Entry, Event, PlayerFacts, Rating, Report, Section, SectionType, System
from ratebook.reports import rate as rating
from ratebook.reports.load import load_file
from ratebook.rules.rulebook import load_rulebook
from support.counted_work import FOURFOLD, growth_of
from support.hang_guard import HANG_GUARD

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MEMORY = 256 * 1024 * 1024
PROGRAM = 100 * 1024 * 1024
"""What the program takes whatever it reads, with the buffer for the longest file that it would read."""
SIZE = 10 * 1024 * 1024
SHARES = [5, pytest.param(1, marks=pytest.mark.soak)]
"""Every run reads a fifth of the size in a fifth of the memory, the soak the whole."""
COUNTED_SIZES = (20 * 1024, 80 * 1024)

READ = """
import os, sys
from pathlib import Path
from ratebook.formats.registry import parse_source
from ratebook.formats.source import read_source
for path in sys.argv[1:]:
    if os.fork() == 0:
        print(path, len(parse_source(read_source(Path(path))).findings), flush=True)
        os._exit(0)
    os.wait()
"""
"""Reads each file in a process of its own, which need not load the program again."""


def within_limits(share: int, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program that may have a share of the memory for what it reads."""
    memory = PROGRAM + (MEMORY - PROGRAM) // share
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG_GUARD,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory)),
    )


def native_of(total: int) -> bytes:
    """A valid report: as many sections of one game as fill the size, the players' ratings included."""
    players: list[object] = []
    sections: list[object] = []
    size = 0
    while size < total:
        number = len(sections) + 1
        pair = [
            {"id": f"{name}{number}", "ratings": {"regular": {"rating": 1500 + number % 300, "games": 40}}}
            for name in "AB"
        ]
        section = {
            "number": number,
            "time_control": "G/90;d5",
            "entries": [
                {"seat": 1, "player": pair[0]["id"], "rounds": ["W2w"] + [""] * 9},
                {"seat": 2, "player": pair[1]["id"], "rounds": ["L1b"] + [""] * 9},
            ],
        }
        players += pair
        sections.append(section)
        size += len(json.dumps([pair, section]))
    event = {"start": "2026-11-14", "end": "2026-11-14"}
    report = {"format": "ratebook-report/1", "event": event, "players": players, "sections": sections}
    return json.dumps(report).encode()


def crosstable_of(total: int) -> bytes:
    line = "-" * 89 + "\n"
    row = "    1 | ADAMS EXAMPLE                   |1.0  |W   2|L   3|D   4|H    |U    |X    |B    |\n"
    second = "   XX | 90000001 / R: 1794   ->1817     |N:2  |W    |B    |W    |     |     |     |     |\n"
    block = row + second + line
    return (line + block * (total // len(block))).encode()


STANDING = b'{"ordinal":1,"roundOutcomes":[{"outcome":"Win","opponentOrdinal":2}]}'
TRF_LINE = (
    b"001    1      Example, Adams                    1500 USA    90000001            1.0    1     2 w 1\n"
)

CASES: dict[str, Callable[[int], bytes]] = {
    "native, valid": native_of,
    "native, one long text": lambda size: b'{"format": "' + b"x" * size + b'"}',
    "native, deep": lambda size: b'{"a":' * (size // 5),
    "native, many unknown keys": lambda size: (
        b'{"format": "ratebook-report/1",'
        + b",".join(b'"k%d":1' % number for number in range(size // 11))
        + b"}"
    ),
    "api standings": lambda size: b'{"items":[' + b",".join([STANDING] * (size // len(STANDING))) + b"]}",
    "crosstable": crosstable_of,
    "trf": lambda size: b"012 Event\n" + TRF_LINE * (size // len(TRF_LINE)),
    "csv": lambda size: b"seat,name,rating,round1\n" + b"1,ADAMS EXAMPLE,1500,W2\n" * (size // 24),
    "csv, one long line": lambda size: b"seat,name,rating,round1\n" + b"1," * (size // 2),
    "dbf of nothing": lambda size: b"\x03" + b"\xff" * size,
    "text": lambda size: b"a|b\n" * (size // 4),
    "zeros": lambda size: b"\0" * size,
}


@pytest.mark.long
@pytest.mark.parametrize("share", SHARES)
def test_large_reports_stay_within_their_limits(share: int, tmp_path: Path) -> None:
    paths = [tmp_path / name for name in CASES]
    for path, make in zip(paths, CASES.values(), strict=True):
        path.write_bytes(make(SIZE // share))
    shown = within_limits(share, READ, *map(str, paths))
    assert shown.stderr == ""
    findings = [line.rsplit(" ", 1) for line in shown.stdout.splitlines()]
    assert [path for path, _ in findings] == [str(path) for path in paths]
    assert {path for path, count in findings if int(count) > 1_001} == set()


@pytest.mark.parametrize("make", CASES.values(), ids=CASES)
def test_the_work_of_reading_grows_as_the_size(make: Callable[[int], bytes], tmp_path: Path) -> None:
    paths = [tmp_path / str(size) for size in COUNTED_SIZES]
    for path, size in zip(paths, COUNTED_SIZES, strict=True):
        path.write_bytes(make(size))
    assert growth_of(lambda path: parse_source(read_source(path)), *paths) < FOURFOLD


CHECK = """
import sys
from datetime import date
from ratebook.reports import rate as rating
from ratebook.reports.load import load_file
from ratebook.formats.contract import Hints
from ratebook.rules.rulebook import load_rulebook
path, what = sys.argv[1:]
day = date(2026, 11, 14)
taken = load_file(path, Hints(day, day, "G/90;d5"))
options = rating.DEFAULT_OPTIONS._replace(reported=taken.facts)
if what == "check":
    rating.check(taken.report, load_rulebook(), options)
else:
    rating.planned_and_checked(taken.report, load_rulebook(), options, [])
print(len(taken.report.players))
"""


def report_of(sections: int, size: int) -> Report:
    """Sections of *size* rated players and 9 rounds with the same pairings; both sides report every game."""
    chance = random.Random(20261114)  # noqa: S311 - the same report each time
    day = date(2026, 11, 14)
    rows: list[list[Cell]] = [[] for _ in range(size)]
    for _ in range(9):
        order = list(range(size))
        chance.shuffle(order)
        for white, black in zip(order[::2], order[1::2], strict=True):
            rows[white].append(Cell("W", black + 1, "w"))
            rows[black].append(Cell("L", white + 1, "b"))
    players = {}
    played = []
    for number in range(1, sections + 1):
        entries = []
        for seat, row in enumerate(rows, start=1):
            key = str(90_000_000 + 1_000 * number + seat)
            rating = Rating(float(chance.randrange(300, 2_300)), 40.0)
            players[key] = PlayerFacts(key, f"EXAMPLE, P{number} {seat}", ratings={System.REGULAR: rating})
            entries.append(Entry(seat, key, tuple(row)))
        section = Section(number, "", day, day, "G/90;d5", SectionType.SWISS, entries=())
        played.append(section._replace(entries=tuple(entries)))
    return Report(Event("202611140001", "LARGE", day, day), players, tuple(played))


@pytest.mark.long
@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize(
    ("name", "sections", "what"),
    [
        # With the rating that `ratebook check` does for its notes.
        ("native", 45, "check"),
        pytest.param("crosstable", 40, "check", marks=pytest.mark.soak),
        # All checks. Rating its 100,000 players takes more memory than this.
        pytest.param("csv", 100, "plan", marks=pytest.mark.soak),
    ],
)
def test_a_large_report_is_read_and_checked_within_its_limits(
    name: str, sections: int, what: str, share: int, tmp_path: Path
) -> None:
    target = built_in(name)
    (data,) = write_report(report_of(sections // share, 1_000), target).files.values()
    assert len(data) >= SIZE // share
    path = tmp_path / "large"
    path.write_bytes(data)
    shown = within_limits(share, CHECK, str(path), what)
    assert shown.returncode == 0, shown.stderr[-2000:]
    assert int(shown.stdout) == 1_000 * (sections // share)


@pytest.mark.parametrize("sizes", [((2, 40), (8, 40)), ((1, 50), (1, 200))], ids=["sections", "players"])
@pytest.mark.parametrize("name", ["native", "crosstable", "csv"])
def test_the_work_of_reading_and_checking_grows_as_the_size(
    name: str, sizes: tuple[tuple[int, int], ...], tmp_path: Path
) -> None:
    target = built_in(name)
    day = date(2026, 11, 14)

    def check(path: Path) -> None:
        loaded = load_file(str(path), Hints(day, day, "G/90;d5"))
        options = rating.DEFAULT_OPTIONS._replace(reported=loaded.facts)
        assert loaded.report is not None
        rating.check(loaded.report, load_rulebook(), options)

    paths = []
    for number, size in enumerate(sizes):
        (data,) = write_report(report_of(*size), target).files.values()
        paths.append(tmp_path / str(number))
        paths[-1].write_bytes(data)
    assert growth_of(check, *paths) < FOURFOLD
