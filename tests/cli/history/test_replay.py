"""``ratebook replay``: a history from files to files; wrong or interrupted, it leaves nothing behind."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from datetime import date
from typing import TYPE_CHECKING

import polars as pl
import pytest

from ratebook.demo.synthetic import Shape, synthetic_history
from ratebook.replay import replay, write_history
from ratebook.replay.ledger import ParquetFile
from ratebook.replay.run import Options
from ratebook.rules.rulebook import load_rulebook
from support.command_line import COMMAND, invoke, seen_on_terminal
from support.hang_guard import HANG_GUARD

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa
    from polars import DataFrame

    from ratebook.rules.rulebook import Rulebook

SMALL = synthetic_history(Shape(600, 80, 3, date(2012, 1, 1), date(2024, 12, 31)))


@pytest.fixture
def history(tmp_path: Path) -> Path:
    write_history(SMALL, tmp_path / "history")
    return tmp_path / "history"


def ledger_of(rules: Rulebook | None = None) -> DataFrame:
    """Return the ledger of the small history as the library gives it."""
    ledger = replay(SMALL, rules).ledger
    assert ledger is not None
    return ledger


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_ledger_in_the_file_is_that_of_the_library(history: Path, tmp_path: Path) -> None:
    out, after = tmp_path / "ledger.parquet", tmp_path / "after.parquet"
    shown = invoke("replay", str(history), "--out", str(out), "--standings", str(after), "--threads", "1")
    assert shown.exit_code == 0, shown.output
    wanted = ledger_of()
    assert pl.read_parquet(out).equals(wanted)
    standings = replay(SMALL).standings
    assert standings is not None
    assert pl.read_parquet(after).equals(standings)
    assert f"{wanted.height:,}" in shown.output
    assert names(tmp_path) == ["after.parquet", "history", "ledger.parquet"]


def test_a_what_if_changes_the_ledger_as_the_library_does(history: Path, tmp_path: Path) -> None:
    out = tmp_path / "ledger.parquet"
    shown = invoke("replay", str(history), "--out", str(out), "--set", "bonus_multiplier=1", "--workings")
    assert shown.exit_code == 0, shown.output
    changed = ledger_of(load_rulebook().with_overlay({"bonus_multiplier": "1"}))
    found = pl.read_parquet(out)
    assert found.select(changed.columns).equals(changed)
    assert not changed.equals(ledger_of())
    assert "step4" in found.columns


@pytest.mark.parametrize("workings", [(), ("--workings",)])
def test_the_columns_that_are_asked_for_are_those_of_the_whole_ledger(
    history: Path, tmp_path: Path, workings: tuple[str, ...]
) -> None:
    out = tmp_path / "ledger.parquet"
    wanted = ["system", "rating", "k", *(["step4"] if workings else [])]
    shown = invoke("replay", str(history), "--out", str(out), "--columns", ", ".join(wanted), *workings)
    assert shown.exit_code == 0, shown.output
    whole = replay(SMALL, None, Options(workings=bool(workings))).ledger
    assert whole is not None
    assert pl.read_parquet(out).equals(whole.select(wanted))


def test_a_column_that_the_ledger_lacks_is_named(history: Path, tmp_path: Path) -> None:
    shown = invoke("replay", str(history), "--out", str(tmp_path / "l.parquet"), "--columns", "rating,step4")
    assert shown.exit_code == 2
    assert "has no column step4" in shown.output
    assert names(tmp_path) == ["history"]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--set", "no_such_rule=1"), "overlay-wrong"),
        (("--out", "missing/ledger.parquet"), "output-unwritable"),
        (("--standings", "missing/after.parquet"), "output-unwritable"),
        (("--standings", "there.parquet"), "output-exists"),
    ],
)
def test_what_cannot_be_done_is_a_finding(
    history: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, str], code: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.parquet").write_text("mine")
    shown = invoke("replay", str(history), "--out", "ledger.parquet", *options)
    assert shown.exit_code == 1
    assert f"[{code}]" in shown.output
    assert names(tmp_path) == ["history", "there.parquet"]
    assert (tmp_path / "there.parquet").read_text() == "mine"


def test_a_ledger_that_exists_is_replaced_only_by_force(history: Path, tmp_path: Path) -> None:
    out = tmp_path / "ledger.parquet"
    out.write_text("mine")
    assert "[output-exists]" in invoke("replay", str(history), "--out", str(out)).output
    assert out.read_text() == "mine"
    assert invoke("replay", str(history), "--out", str(out), "--force").exit_code == 0
    assert pl.read_parquet(out).height == ledger_of().height


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_what_is_no_file_is_never_replaced_by_a_ledger(history: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    result = invoke("replay", str(history), "--out", str(tmp_path / "pipe"), "--force")
    assert result.exit_code == 1
    assert "[output-unwritable]" in result.stderr
    assert (tmp_path / "pipe").is_fifo()
    assert names(tmp_path) == ["history", "pipe"]


def test_a_result_within_the_history_is_wrong_usage(history: Path, tmp_path: Path) -> None:
    before = (history / "entries.parquet").read_bytes()
    for options in (
        ("--out", str(history / "entries.parquet"), "--force"),
        ("--out", str(tmp_path / "ledger.parquet"), "--standings", str(history / "after.parquet")),
    ):
        assert invoke("replay", str(history), *options).exit_code == 2
    assert (history / "entries.parquet").read_bytes() == before
    assert names(tmp_path) == ["history"]


def test_standings_that_cannot_be_written_leave_no_ledger(
    history: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = ParquetFile.write

    def full(self: ParquetFile, table: pa.Table) -> None:
        if self.path.name == "after.parquet":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        whole(self, table)

    monkeypatch.setattr(ParquetFile, "write", full)
    shown = invoke(
        "replay",
        str(history),
        "--out",
        str(tmp_path / "l.parquet"),
        "--standings",
        str(tmp_path / "after.parquet"),
    )
    assert shown.exit_code == 1
    assert "[output-unwritable]" in shown.stderr
    assert names(tmp_path) == ["history"]


def test_one_file_for_both_results_is_wrong_usage(history: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "ledger.parquet")
    assert invoke("replay", str(history), "--out", out, "--standings", out).exit_code == 2


def test_no_history_is_a_finding(tmp_path: Path) -> None:
    shown = invoke("replay", str(tmp_path / "nowhere"), "--out", str(tmp_path / "ledger.parquet"))
    assert shown.exit_code == 1
    assert "[history-unreadable]" in shown.output
    assert names(tmp_path) == []


def test_a_column_that_is_wrong_is_a_finding_and_leaves_no_file(tmp_path: Path) -> None:
    entries = pl.DataFrame(SMALL.entries)
    wrong = entries.with_columns(member=entries["member"] + 80)
    write_history(SMALL._replace(entries=wrong), tmp_path / "history")
    shown = invoke(
        "replay",
        str(tmp_path / "history"),
        "--out",
        str(tmp_path / "ledger.parquet"),
        "--standings",
        str(tmp_path / "after.parquet"),
    )
    assert shown.exit_code == 1
    assert "[history-value]" in shown.output
    assert names(tmp_path) == ["history"]


@pytest.mark.parametrize("library", ["numba", "polars"])
def test_a_missing_library_is_a_finding_that_says_how_to_install_it(library: str, tmp_path: Path) -> None:
    program = f"import sys; sys.modules[{library!r}] = None; from ratebook.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "replay", "history", "--out", str(tmp_path / "ledger.parquet")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "[bulk-library-missing]" in done.stderr
    assert "pip install '.[bulk]'" in done.stderr
    assert "Traceback" not in done.stderr


INTERRUPTED = """
import os, signal
from ratebook.replay.ledger import ParquetFile
from ratebook.replay.run import Options
write = ParquetFile.write
def write_and_interrupt(file, table):
    write(file, table)
    print(*sorted(os.listdir(file.path.parent)), table.num_rows > 0)
    os.kill(os.getpid(), signal.SIGINT)
ParquetFile.write = write_and_interrupt
from ratebook.cli.main import main
main()
"""


def test_ctrl_c_ends_it_and_leaves_no_part_of_a_file(history: Path, tmp_path: Path) -> None:
    """The interrupt comes when the first rows are written."""
    results = tmp_path / "results"
    results.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, "replay", str(history), "--out", str(results / "ledger.parquet")],
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG_GUARD,
    )
    assert done.stdout == "ledger.parquet.unfinished True\n"
    assert done.returncode == 130
    assert "Interrupted." in done.stderr
    assert "Traceback" not in done.stderr
    assert names(results) == []


def test_a_terminal_sees_the_progress_and_a_pipe_does_not(history: Path, tmp_path: Path) -> None:
    command = ["replay", str(history), "--out"]
    seen = seen_on_terminal(*command, str(tmp_path / "seen"))
    piped = subprocess.run([*COMMAND, *command, str(tmp_path / "piped")], capture_output=True, check=True)
    assert "Rating" in seen
    assert b"Rating" not in piped.stdout + piped.stderr
