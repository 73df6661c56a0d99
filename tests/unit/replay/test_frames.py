"""Rated reports as a frame: the columns of the CSV with types, and the values of the engine."""

from __future__ import annotations

import math
from pathlib import Path

import polars as pl

from ratebook.formats.registry import read_report
from ratebook.formats.results.rated import HEADER
from ratebook.replay import rated_frame
from ratebook.reports.rate import rate_report
from ratebook.rules.rulebook import load_rulebook

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
RULEBOOK = load_rulebook()


def rated(name: str) -> list[dict[str, object]]:
    report = read_report(EXAMPLES / name).report
    assert report is not None
    frame = rated_frame([rate_report(report, RULEBOOK)])
    assert frame.columns == ["event", "end", *HEADER]
    return frame.to_dicts()


def test_a_frame_has_a_row_for_each_section_system_and_seat() -> None:
    rows = rated("quad.json")
    assert [(row["system"], row["seat"]) for row in rows] == [
        (system, seat) for system in ("regular", "quick") for seat in (1, 2, 3, 4)
    ]
    report = read_report(EXAMPLES / "quad.json").report
    assert report is not None
    section = rate_report(report, RULEBOOK).sections[0]
    for row, entry in zip(rows, section.entries, strict=False):
        assert entry.after is not None
        assert entry.workings is not None
        assert (row["after"], row["published"], row["k"]) == (
            entry.after.rating,
            entry.after.published,
            entry.workings.k,
        )


def test_what_does_not_exist_is_null_and_unknown_games_are_infinite() -> None:
    rows = rated("festival/festival.json")
    assert any(row["k"] is None and row["formula"] == "special" for row in rows)
    assert all(isinstance(row["games_before"], float) for row in rows)
    assert not any(math.isnan(row["before"]) for row in rows)  # type: ignore[arg-type]  # a column of floats


def test_a_report_with_errors_has_no_row() -> None:
    assert rated("planted-mistakes.json") == []
    assert rated_frame([]).schema["end"] == pl.Date
