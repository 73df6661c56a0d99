"""Games from invented files of the forms that users have become histories."""

from __future__ import annotations

import subprocess
import sys
from datetime import date
from pathlib import Path

import polars as pl
import pytest

from ratebook.lab.imports.histories import ImportedHistory, import_history
from ratebook.replay.run import Options, replay

SCRIPTS = Path(__file__).parents[4] / "examples" / "lab" / "public-games"
PLAIN = """date,event,section,round,white,black,result,white_rating,black birth date
2005-03-06,E2,Open,2,b,c,0-1,,1960
2005-03-05,E2,Open,1,a,b,1-0,1800,1990-03-02
2005-03-05,E2,Open,1,c,d,½-½,,
2005-03-05,E2,Junior,1,e,f,1,,
2004-12-31,E9,,,d,a,0,1900,
1999-12-31,E0,,,d,a,0,,
"""


def table(folder: Path, name: str) -> pl.DataFrame:
    return pl.read_parquet(folder / f"{name}.parquet")


def test_a_plain_file_becomes_a_history_that_is_rated(tmp_path: Path) -> None:
    (tmp_path / "games.csv").write_text(PLAIN, encoding="utf-8")
    folder = tmp_path / "history"
    counts, findings = import_history(tmp_path / "games.csv", folder)
    assert (counts, findings) == (ImportedHistory(6, 3, 5, 1), ())
    sections = table(folder, "sections")
    assert sections.select("event", "number", "start", "end", "entries").rows() == [
        ("E9", 1, date(2004, 12, 31), date(2004, 12, 31), 2),
        ("E2", 1, date(2005, 3, 5), date(2005, 3, 5), 2),
        ("E2", 2, date(2005, 3, 5), date(2005, 3, 6), 4),
    ]
    members = table(folder, "members")
    assert members["id"].to_list() == list("abcdef")
    assert members["birth_date"].to_list() == [None, date(1990, 3, 2), date(1960, 7, 1), None, None, None]
    assert table(folder, "balances").select("member", "rating", "as_of").rows() == [
        (0, 1800.0, date(2004, 12, 30)),
        (3, 1900.0, date(2004, 12, 30)),
    ]
    # The Open: a-b, b-a, b-c, c-d, c-b, d-c.
    assert table(folder, "games")[4:].rows() == [
        (1, 2, 1, 1),
        (0, 0, 1, -1),
        (2, 0, 2, 1),
        (3, 1, 1, 1),
        (1, 2, 2, -1),
        (2, 1, 1, -1),
    ]
    replayed = replay(folder, options=Options(short=10**9))
    assert replayed.findings == ()
    assert replayed.ledger is not None
    assert replayed.ledger["played"].to_list() == [1, 1, 1, 1, 1, 2, 2, 1]


def written_by(script: str, *words: object) -> str:
    """Return what a script of the examples writes."""
    command = [sys.executable, str(SCRIPTS / script), *map(str, words)]
    return str(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def test_a_tournament_of_tennis_is_an_event_with_rounds_and_birth_dates(tmp_path: Path) -> None:
    """Matches that were not played are left out, and so are doubles."""
    head = "tourney_id,tourney_date,match_num,winner_id,loser_id,score,round\n"
    (tmp_path / "atp_matches_2010.csv").write_text(
        head
        + "2010-7,20100104,300,11,12,6-4 6-4,F\n"
        + "2010-7,20100104,299,11,13,6-4 2-1 RET,SF\n"
        + "2010-7,20100104,298,12,14,W/O,SF\n",
        encoding="utf-8",
    )
    (tmp_path / "atp_matches_doubles_2010.csv").write_text("x\n1\n", encoding="utf-8")
    (tmp_path / "atp_players.csv").write_text("player_id,dob\n11,19900302\n14,\n", encoding="utf-8")
    (tmp_path / "games.csv").write_text(written_by("tennis.py", tmp_path), encoding="utf-8")
    counts, findings = import_history(tmp_path / "games.csv", tmp_path / "history")
    assert (counts, findings) == (ImportedHistory(3, 1, 2, 0), ())
    assert table(tmp_path / "history", "members")["birth_date"].to_list() == [date(1990, 3, 2), None, None]
    assert table(tmp_path / "history", "games").rows() == [
        (2, 2, 1, 0),
        (1, 2, 2, 0),
        (0, 0, 2, 0),
        (0, 0, 1, 0),
    ]


@pytest.mark.parametrize(
    ("head", "colour"),
    [("MonthID,WhitePlayer,BlackPlayer,WhiteScore", 1), ("Month #,Player1,Player2,Player1Score", 0)],
)
def test_a_month_of_kaggle_is_an_event(tmp_path: Path, head: str, colour: int) -> None:
    (tmp_path / "training.csv").write_text(f"{head}\n2,7,8,0.5\n14,8,7,1.0\n14,8,7,-1\n", encoding="utf-8")
    games = written_by("kaggle.py", tmp_path / "training.csv", "2001-01")
    (tmp_path / "games.csv").write_text(games, encoding="utf-8")
    counts, _ = import_history(tmp_path / "games.csv", tmp_path / "h")
    assert counts == ImportedHistory(2, 2, 2, 0)
    sections = table(tmp_path / "h", "sections").select("event", "start", "end").rows()
    assert sections == [
        ("2001-02", date(2001, 2, 1), date(2001, 2, 1)),
        ("2002-02", date(2002, 2, 1), date(2002, 2, 1)),
    ]
    assert table(tmp_path / "h", "games")["colour"].to_list() == [colour, -colour, -colour, colour]


HEAD = "date,event,white,black,result,round,white birth year\n"
GOOD = "2005-01-01,E,a,b,1-0,1,1990\n"


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ("", "games-unreadable", "games.csv"),
        (HEAD + 'x,"\n', "games-unreadable", "games.csv"),
        ("date,event,white,result\n", "games-column-missing", "games.csv"),
        (HEAD, "games-none", "games.csv"),
        (HEAD + GOOD.replace("2005", "2000"), "games-none", "games.csv"),
        (HEAD + GOOD.replace("2005", "-2005"), "games-value", "games.csv, row 2, column date"),
        (
            HEAD + GOOD.replace("1990", "1990-02-30"),
            "games-value",
            "games.csv, row 2, column white birth year",
        ),
        (HEAD + GOOD + GOOD.replace("2005-01-01", "1/2/05"), "games-value", "games.csv, row 3, column date"),
        (HEAD + GOOD.replace(",1-0,", ",+-,"), "games-value", "games.csv, row 2, column result"),
        (HEAD + GOOD.replace(",E,", ",,"), "games-value", "games.csv, row 2, column event"),
        (HEAD + GOOD.replace(",a,", ",b,"), "games-value", "games.csv, row 2, column black"),
        (HEAD + GOOD.replace(",1,", ",0,"), "games-value", "games.csv, row 2, column round"),
        (HEAD + GOOD + GOOD.replace("1990", "1991"), "games-birth-twice", "games.csv, row 2"),
    ],
)
def test_what_is_wrong_is_named_with_its_place_and_nothing_is_written(
    tmp_path: Path, text: str, code: str, where: str
) -> None:
    (tmp_path / "games.csv").write_text(text, encoding="utf-8")
    counts, (found,) = import_history(tmp_path / "games.csv", tmp_path / "history")
    assert (counts, found.code, found.where) == (None, code, where)
    assert not (tmp_path / "history").exists()
