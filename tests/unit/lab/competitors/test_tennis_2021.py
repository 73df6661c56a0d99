"""The study of tennis that was published in 2021, on an invented file of the same shape."""

from __future__ import annotations

import math
import runpy
from pathlib import Path
from typing import Any

import pytest

from ratebook.lab.frames import run_study
from ratebook.lab.games import games_of_history
from ratebook.lab.imports.histories import ImportedHistory, import_history

LAB = Path(__file__).parents[4] / "examples" / "lab"
STUDY = LAB / "tennis-2021"
MATCHES = """tourney_id,tourney_level,tourney_date,match_num,winner_id,loser_id,score,round
2013-1,A,20130107,1,11,12,6-4 6-4,SF
2013-1,A,20130107,2,13,14,6-4 6-4,SF
2013-1,A,20130107,3,11,13,6-4 6-4,F
2013-D1,D,20130201,1,11,12,6-4 6-4,RR
2013-D1,D,20130201,2,13,14,6-4 2-0 RET,RR
2013-D1,D,20130201,3,99,99,6-4 6-4,RR
2014-2,G,20131230,1,12,11,6-4 6-4,SF
2014-2,G,20131230,2,14,13,W/O,SF
2014-2,G,20131230,3,12,14,6-4 6-4,F
"""


def expected(one: float, other: float) -> float:
    return 1 / (1 + 10 ** ((other - one) / 400))


def test_the_published_elo_and_ours_forecast_the_matches_of_a_year_as_worked_out_by_hand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "matches").mkdir()
    (tmp_path / "matches" / "atp_matches_2013.csv").write_text(MATCHES, encoding="utf-8")
    runpy.run_path(str(LAB / "public-games" / "tennis.py"))["main"](tmp_path / "matches", study=True)
    (tmp_path / "games.csv").write_text(capsys.readouterr().out, encoding="utf-8")
    counts, findings = import_history(tmp_path / "games.csv", tmp_path / "history")
    assert (counts, findings) == (ImportedHistory(4, 5, 6, 0), ())
    games_of_history(tmp_path / "history").write_csv(tmp_path / "rows.csv")
    runpy.run_path(str(STUDY / "published.py"))["main"](tmp_path / "rows.csv")
    (tmp_path / "published.csv").write_text(capsys.readouterr().out, encoding="utf-8")
    study = (STUDY / "study.toml").read_text(encoding="utf-8").replace("2053-12-01", "2053-01-01")
    (tmp_path / "study.toml").write_text(
        "".join(line for line in study.splitlines(keepends=True) if "glicko" not in line), encoding="utf-8"
    )
    lock = run_study(tmp_path / "study.toml", tmp_path / "results").lock
    example: dict[str, Any] = runpy.run_path(str(STUDY / "figures.py"))
    played = example["games_of"](lock)
    assert played["year"].to_list() == [2013, 2013, 2013, 2014, 2014]

    k = [250 / (count + 5) ** 0.4 for count in range(4)]
    # Two wins of 11, over 12 and 13; Davis Cup against 12; then 12 beats 11, and 14 who has lost once.
    won = 1500 + k[0] / 2
    first = won + k[1] / 2
    lost = 1500 - k[0] / 2
    surplus = 1 - expected(first, lost)
    eleven, twelve = first + k[2] * surplus, lost - k[1] * surplus
    upset = 1 - expected(twelve, eleven)
    wanted = {}
    for weight in (1.0, 1.1):
        last = expected(twelve + weight * k[2] * upset, lost)
        wanted[weight] = -(math.log(expected(twelve, eleven)) + math.log(last)) / 2
    for variant, weight in zip(lock.variants[1:], (1.0, 1.1), strict=True):
        row = example["figures"](played, variant).row(0, named=True)
        assert (row["year"], row["matches"], row["right"]) == (2014, 2, 0.5)
        assert row["log_loss"] == pytest.approx(wanted[weight], abs=1e-6)
    shown = "\n".join(example["lines_of"](str(tmp_path / "results")))
    assert "forecasts as published                   2014        2         50.00%" in shown
