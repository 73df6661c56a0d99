"""Games from invented files of the forms that users have become histories."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import polars as pl
import pytest

from ratebook.lab.imports.histories import ImportedHistory, import_history
from ratebook.lab.imports.sources import GameSource
from ratebook.replay.run import Options, replay

if TYPE_CHECKING:
    from pathlib import Path

FIRST = date(2001, 1, 1)
PLAIN = """date,event,section,round,white,black,result,white_rating,black birth year
2005-03-06,E2,Open,2,b,c,0-1,,1960
2005-03-05,E2,Open,1,a,b,1-0,1800,1990
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
    counts, findings = import_history(GameSource.CSV, tmp_path / "games.csv", folder, FIRST)
    assert (counts, findings) == (ImportedHistory(6, 3, 5, 0, 1), ())
    sections = table(folder, "sections")
    assert sections.select("event", "number", "start", "end", "entries").rows() == [
        ("E9", 1, date(2004, 12, 31), date(2004, 12, 31), 2),
        ("E2", 1, date(2005, 3, 5), date(2005, 3, 5), 2),
        ("E2", 2, date(2005, 3, 5), date(2005, 3, 6), 4),
    ]
    members = table(folder, "members")
    assert members["id"].to_list() == list("abcdef")
    assert members["birth_date"].to_list() == [None, date(1990, 7, 1), date(1960, 7, 1), None, None, None]
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


def test_a_tournament_of_tennis_is_a_section_with_rounds_and_birth_dates(tmp_path: Path) -> None:
    """Matches that were not played are left out, and so are doubles; ages tell what the file of players does not."""
    place = tmp_path / "atp"
    place.mkdir()
    head = "tourney_id,tourney_date,match_num,winner_id,winner_age,loser_id,loser_age,score,round\n"
    (place / "atp_matches_2010.csv").write_text(
        head
        + "2010-7,20100104,300,11,20,12,,6-4 6-4,F\n"
        + "2010-7,20100104,299,11,20,13,30,6-4 2-1 RET,SF\n"
        + "2010-7,20100104,298,12,,14,,W/O,SF\n",
        encoding="utf-8",
    )
    (place / "atp_matches_doubles_2010.csv").write_text("x\n1\n", encoding="utf-8")
    (place / "atp_players.csv").write_text("player_id,dob\n11,19900302\n14,\n", encoding="utf-8")
    counts, findings = import_history(GameSource.TENNIS, place, tmp_path / "history", FIRST)
    assert (counts, findings) == (ImportedHistory(3, 1, 2, 1, 0), ())
    # 30 years before 2010-01-04 are 10,957.5 days, which round to the even one.
    assert table(tmp_path / "history", "members")["birth_date"].to_list() == [
        date(1990, 3, 2),
        None,
        date(1980, 1, 4),
    ]
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
def test_a_month_of_kaggle_is_a_section(tmp_path: Path, head: str, colour: int) -> None:
    (tmp_path / "training.csv").write_text(f"{head}\n2,7,8,0.5\n14,8,7,1.0\n14,8,7,-1\n", encoding="utf-8")
    counts, _ = import_history(GameSource.KAGGLE, tmp_path / "training.csv", tmp_path / "h", FIRST)
    assert counts == ImportedHistory(2, 2, 2, 1, 0)
    sections = table(tmp_path / "h", "sections").select("start", "end").rows()
    assert sections == [(date(2001, 2, 1), date(2001, 2, 28)), (date(2002, 2, 1), date(2002, 2, 28))]
    assert table(tmp_path / "h", "games")["colour"].to_list() == [colour, -colour, -colour, colour]


HEAD = "date,event,white,black,result,round,white birth year\n"
GOOD = "2005-01-01,E,a,b,1-0,1,1990\n"


@pytest.mark.parametrize(
    ("row", "column"),
    [
        ("-20100104,11,20,12,30", "tourney_date"),
        ("20100104,11,1e9,12,30", "winner_age"),
        ("20100104,11,20,12,-1", "loser_age"),
    ],
)
def test_days_and_ages_that_no_calendar_has_are_refused(tmp_path: Path, row: str, column: str) -> None:
    (tmp_path / "matches.csv").write_text(
        f"tourney_id,tourney_date,winner_id,winner_age,loser_id,loser_age,score,round\nE,{row},6-4 6-4,F\n",
        encoding="utf-8",
    )
    counts, (found,) = import_history(
        GameSource.TENNIS, tmp_path / "matches.csv", tmp_path / "history", FIRST
    )
    assert (counts, found.code, found.where) == (None, "games-value", f"matches.csv row 2, {column}")


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ("", "games-unreadable", "games.csv"),
        (HEAD + 'x,"\n', "games-unreadable", "games.csv"),
        ("date,event,white,result\n", "games-column-missing", "games.csv"),
        (HEAD, "games-none", "games.csv"),
        (HEAD + GOOD.replace("2005", "2000"), "games-none", "games.csv"),
        (HEAD + GOOD + GOOD.replace("2005-01-01", "1/2/05"), "games-value", "games.csv row 3, date"),
        (HEAD + GOOD.replace(",1-0,", ",+-,"), "games-value", "games.csv row 2, result"),
        (HEAD + GOOD.replace(",E,", ",,"), "games-value", "games.csv row 2, event"),
        (HEAD + GOOD.replace(",a,", ",b,"), "games-value", "games.csv row 2, black"),
        (HEAD + GOOD.replace(",1,", ",0,"), "games-value", "games.csv row 2, round"),
        (HEAD + GOOD + GOOD.replace("1990", "1991"), "games-birth-twice", "games.csv row 2"),
    ],
)
def test_what_is_wrong_is_named_with_its_place_and_nothing_is_written(
    tmp_path: Path, text: str, code: str, where: str
) -> None:
    (tmp_path / "games.csv").write_text(text, encoding="utf-8")
    counts, (found,) = import_history(GameSource.CSV, tmp_path / "games.csv", tmp_path / "history", FIRST)
    assert (counts, found.code, found.where) == (None, code, where)
    assert not (tmp_path / "history").exists()
