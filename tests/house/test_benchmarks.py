"""``python -m benchmarks.replay``: every line of its table; sizes are tiny, so that no speed is asserted."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
from benchmarks import archive
from benchmarks.replay import figures, office
from benchmarks.replay.__main__ import main
from benchmarks.replay.figures import Settings, measure
from benchmarks.replay.history import PreparedHistory
from benchmarks.replay.yardstick import games_of, rate_by_yardstick, start_ratings
from benchmarks.rerating import measure_re_rating, write_people, write_reports

from ratebook.book.connection import Actor
from ratebook.book.profile import Profile
from ratebook.demo.build import build_federation
from ratebook.demo.synthetic import Shape
from ratebook.office.creation import create_book
from ratebook.office.rating.verify import verify
from ratebook.replay.engine.compiled import default_cache

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("compiled_engine")

TINY = [
    *("--games", "400", "--members", "60", "--repeat", "1"),
    *("--no-compile-time", "--book-members", "0", "--no-starts"),
]
FIGURES = [
    "kernel-to-yardstick",
    "interpreted",
    "files",
    "threads",
    "riix",
    "book",
    "book-raw",
    "import",
    "start-rate",
    "start-book",
    "compile",
    "cached",
    "memory",
]


def told(work: str, **about: object) -> dict[str, float]:
    """Answer as the processes would: memory grows by half a byte a game."""
    if work == "memory":
        own = 100.0 + 0.5 * GAMES[-1] / 1e6
        return {"seconds": 1.0, "rows": 1.0, "megabytes": own, "with_files": own + 10.0}
    if work == "write":
        GAMES.append(int(str(about["games"])))
    if work == "book":
        return {
            "first": 9.0,
            "first_cpu": 8.0,
            "raw": 3.5,
            "raw_cpu": 2.5,
            "rows": 7_000,
            "month": 0.5,
            "everything": 4.0,
            "changing": 8.0,
            "changing_cpu": 7.0,
            "month_ratings": 3,
            "ratings": 900,
        }
    if work == "import":
        return {"wall": 400.0, "cpu": 290.0, "reports": 29_000}
    if work == "starts":
        return {"click": 0.05, "rate": 0.11, "sqlalchemy": 0.2, "book": 0.29}
    return {"seconds": 2.0}


GAMES: list[int] = []


def test_json_has_every_line_with_its_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    main([*TINY, "--json"])
    answer = json.loads(capsys.readouterr().out)
    # riix on one core is a line only where riix is installed and several cores were measured.
    assert [line["name"] for line in answer["lines"] if line["name"] != "riix-one-core"] == FIGURES
    judged = {line["name"]: line for line in answer["lines"] if line["reached"] is not None}
    assert {"kernel-to-yardstick", "interpreted", "files"} <= set(judged)
    seconds = answer["seconds"]
    kernel = judged["kernel-to-yardstick"]
    assert kernel["reached"] == (kernel["value"] <= 8.0)
    assert judged["files"]["value"] == pytest.approx(seconds["files"] / seconds["kernel"], rel=2.0)


def test_the_table_shows_what_must_be_reached_and_how_to_install_riix(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("riix", "riix.models", "riix.models.elo"):
        monkeypatch.setitem(sys.modules, name, None)
    main(TINY)
    shown = capsys.readouterr().out
    for words in (
        "Must reach",
        "at most 8 times",
        "at least 5 times",
        "at least 15 times",
        "at least 10 times",
        "--book-members",
        "pip install --group bench",
    ):
        assert words in shown


def test_compiling_and_memory_are_lines_too_where_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (figures, office):
        monkeypatch.setattr(module, "in_process", told)
    measured = measure(Settings(400, 60, repeat=1, slope=True, book_members=100))
    lines = {line.name: line for line in measured.lines}
    assert lines["compile"].value == lines["cached"].value == 2.0
    assert lines["memory"].value == pytest.approx(0.5)
    assert lines["memory"].reached
    assert (lines["book"].value, lines["book"].reached) == (8.0, False)
    assert measured.seconds["book-changing"] == 8.0
    # Ratios of the office are of processor time.
    of_office = {
        name: (lines[name].value, lines[name].reached) for name in ("book-raw", "import", "start-rate")
    }
    assert of_office == {
        "book-raw": (3.2, False),
        "import": (290.0, True),
        "start-rate": (pytest.approx(2.2), False),
    }
    assert lines["start-book"].reached
    assert GAMES[-3:] == [2_000_000, 8_000_000, 32_000_000]


@pytest.mark.soak
def test_a_correction_in_a_book_is_re_rated_in_a_process_of_its_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main([*TINY, "--book-members", "60", "--book-years", "1", "--json"])
    answer = json.loads(capsys.readouterr().out)
    lines = {line["name"]: line for line in answer["lines"]}
    assert lines["book-raw"]["value"] > 1.0
    assert " reports, " in lines["import"]["note"]
    book = lines["book"]
    assert book["value"] == pytest.approx(
        answer["seconds"]["book-everything"] / answer["seconds"]["book-month"]
    )
    assert book["reached"] == (book["value"] >= 10.0)


def test_the_book_of_the_benchmark_is_one_that_can_be_verified(tmp_path: Path) -> None:
    actor = Actor("benchmark", "2026-01-01T00:00:00Z")
    book = create_book(str(tmp_path / "bench.book"), Profile(), actor)
    federation = build_federation(60, 1)
    write_people(book, federation, actor)
    assert write_reports(book, federation, actor) > 10
    measured = measure_re_rating(book, actor)
    assert 0 < measured.month_ratings < measured.changed_ratings <= measured.ratings
    # Nobody sent these reports to the office one by one; everything else holds.
    assert {finding.code for finding in verify(book).findings} == {"audit-missing"}
    book.close()


def test_others_get_the_games_of_the_yardstick() -> None:
    """Elo in plain Python over the games that are handed to riix gives the yardstick's ratings."""
    prepared = PreparedHistory(Shape(400, 60, 2), default_cache())
    games = games_of(prepared.chunk)
    assert len(games["pairs"]) == prepared.games
    # Within a section and system every pair is in the yardstick's order, and systems share no rating.
    plain = start_ratings(60)
    for (one, two), score in zip(games["pairs"].tolist(), games["scores"].tolist(), strict=True):
        change = 32.0 * (score - 1.0 / (1.0 + 10.0 ** ((plain[two] - plain[one]) / 400.0)))
        plain[one] += change
        plain[two] -= change
    rated = start_ratings(60)
    rate_by_yardstick(prepared.chunk, rated)
    assert np.allclose(plain, rated, rtol=0.0, atol=1e-9)
    assert len(np.unique(rated)) > 60


def test_an_archive_is_founded_rated_and_corrected(tmp_path: Path) -> None:
    figures = archive.measure(build_federation(60, 1, seed=8), str(tmp_path / "archive.book"), tmp_path)
    assert figures["rows"] > 0
    assert set(archive.REACHES) < figures.keys()
