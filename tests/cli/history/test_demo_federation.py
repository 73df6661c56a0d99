"""The command that writes an invented federation: whole or not at all."""

from __future__ import annotations

import subprocess
from datetime import date
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from ratebook.cli.history import demo
from ratebook.cli.main import run
from ratebook.demo.build import build_federation
from ratebook.demo.files import federation_files
from support.command_line import COMMAND, seen_on_terminal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ratebook.demo.values import InventedFederation

SMALL = ("--members", "40", "--years", "1")


def invoke(out: Path, *options: str) -> Result:
    return CliRunner().invoke(run, ("demo-federation", "--out", str(out), *options))


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_the_folder_holds_the_files_of_the_federation(tmp_path: Path) -> None:
    shown = invoke(tmp_path / "demo", *SMALL, "--seed", "7", "--start", "2021-03-01")
    assert shown.exit_code == 0
    assert contents(tmp_path / "demo") == dict(federation_files(build_federation(40, 1, date(2021, 3, 1), 7)))
    assert [path.name for path in tmp_path.iterdir()] == ["demo"]


def test_the_summary_counts_what_was_written(tmp_path: Path) -> None:
    shown = invoke(tmp_path / "demo", *SMALL)
    lines = [line.rsplit(maxsplit=1) for line in shown.output.splitlines() if line]
    figures = {line[0].strip(): line[1] for line in lines}
    files = contents(tmp_path / "demo")
    reports = [name for name in files if name.startswith("reports/")]
    assert figures["members"] == "40"
    assert figures["reports"] == str(len(reports))
    by_format = [figures[line[0].strip()] for line in lines if line[0].startswith("  ")]
    assert sum(map(int, by_format)) == len(reports)
    assert figures["native report, JSON"] == str(sum(name.endswith(".json") for name in reports))
    federation = build_federation(40, 1)
    assert figures["sections"] == str(sum(len(one.report.sections) for one in federation.arrivals))
    assert figures["games"] == str(federation.games)


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "demo").mkdir()
    assert invoke(tmp_path / "demo", *SMALL).exit_code == 0
    assert (tmp_path / "demo" / "members.csv").exists()


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_what_is_there_already_stays(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "demo"
    if kind == "file":
        place.write_text("mine")
    else:
        place.mkdir()
        (place / "mine.txt").write_text("mine")
    before = contents(tmp_path)
    shown = invoke(place, *SMALL)
    assert shown.exit_code == 1
    assert "[output-exists]" in shown.output
    assert contents(tmp_path) == before


def test_a_place_that_cannot_be_written_is_a_finding(tmp_path: Path) -> None:
    shown = invoke(tmp_path / "missing" / "demo", *SMALL)
    assert shown.exit_code == 1
    assert "[output-unwritable]" in shown.output
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_fills_up_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def filling_up(federation: InventedFederation) -> Iterator[tuple[str, bytes]]:
        yield next(federation_files(federation))
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(demo, "federation_files", filling_up)
    shown = invoke(tmp_path / "demo", *SMALL)
    assert shown.exit_code == 1
    assert "No space left on device" in shown.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "options",
    [
        ("--members", "19"),
        ("--years", "0"),
        ("--start", "2015-12-31"),
        ("--start", "2100-01-02"),
        ("--seed", "-1"),
    ],
)
def test_numbers_out_of_range_are_wrong_usage(tmp_path: Path, options: tuple[str, str]) -> None:
    assert invoke(tmp_path / "demo", *options).exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_a_terminal_sees_the_progress_and_a_pipe_does_not(tmp_path: Path) -> None:
    command = ["demo-federation", *SMALL, "--out"]
    seen = seen_on_terminal(*command, str(tmp_path / "seen"))
    piped = subprocess.run([*COMMAND, *command, str(tmp_path / "piped")], capture_output=True, check=True)
    for label in ("Holding events", "Writing files"):
        assert label in seen
        assert label.encode() not in piped.stdout + piped.stderr
    assert contents(tmp_path / "seen") == contents(tmp_path / "piped")
