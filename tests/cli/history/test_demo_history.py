"""``ratebook demo-history``: a synthetic history that ``ratebook replay`` takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.command_line import invoke

if TYPE_CHECKING:
    from pathlib import Path

import polars as pl

SMALL = ("--games", "400", "--members", "60")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.usefixtures("compiled_engine")
def test_what_it_writes_can_be_replayed(tmp_path: Path) -> None:
    out = tmp_path / "history"
    shown = invoke("demo-history", "--out", str(out), *SMALL)
    assert shown.exit_code == 0, shown.output
    games = pl.read_parquet(out / "games.parquet").height // 2
    assert f"{games:,}" in shown.output
    # "Roughly": byes, forfeits and dual-rated games are not planned one by one.
    assert games == pytest.approx(400, rel=0.5)
    replayed = invoke("replay", str(out), "--out", str(tmp_path / "ledger.parquet"))
    assert replayed.exit_code == 0, replayed.output
    assert pl.read_parquet(tmp_path / "ledger.parquet").height > 100


def test_the_same_seed_gives_the_same_history_and_another_seed_another(tmp_path: Path) -> None:
    for name, seed in (("one", "5"), ("same", "5"), ("other", "6")):
        assert invoke("demo-history", "--out", str(tmp_path / name), *SMALL, "--seed", seed).exit_code == 0
    history, same, other = (
        pl.read_parquet(tmp_path / name / "games.parquet") for name in ("one", "same", "other")
    )
    assert history.equals(same)
    assert not history.equals(other)


def test_what_is_there_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "history").mkdir()
    shown = invoke("demo-history", "--out", str(tmp_path / "history"), *SMALL)
    assert shown.exit_code == 1
    assert "[output-exists]" in shown.stderr
    assert names(tmp_path / "history") == []


def test_a_place_that_cannot_be_written_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    shown = invoke("demo-history", "--out", str(tmp_path / "file" / "history"), *SMALL)
    assert shown.exit_code == 1
    assert "[output-unwritable]" in shown.stderr
    assert names(tmp_path) == ["file"]
