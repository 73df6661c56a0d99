"""Writes matches of the files of J. Sackmann's `tennis_atp` as games that `ratebook lab import csv` reads.

    python tennis.py tennis_atp > games.csv
    python tennis.py match_data --study > games.csv

A tournament is an event on its first day; walkovers and matches that were not finished are left out, retirements count.
Birth dates are those of `atp_players.csv` in the same folder.

With --study, the games are those of ../tennis-2021: a round is a section and is played a day after the one before it,
since the files have no days of rounds; retirements are left out; no birth dates are given; and every day is 40 years
later, since the rules know no day before 2001. An event has the level of its tournament in its name: D is Davis Cup, G
a Grand Slam.
"""

import argparse
import csv
import re
import sys
from datetime import date, datetime, timedelta
from pathlib import Path

ROUNDS = ("Q1", "Q2", "Q3", "Q4", "ER", "R128", "R64", "R32", "R16", "RR", "QF", "SF", "BR", "F")
NOT_PLAYED = re.compile(r"w/o|walkover|unfinished|in progress|\bab[dn]\b", re.IGNORECASE)
NOT_FINISHED = re.compile(r"ret|def", re.IGNORECASE)
YEARS_LATER = 40
COLUMNS = (
    "date", "event", "section", "round", "player1", "player2", "result", "player1-birth-date", "player2-birth-date",
)  # fmt: skip


def rows_of(path: Path) -> list[dict[str, str]]:
    """Return the rows of a file."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def day(text: str) -> str:
    """Return a day such as 20100104 as 2010-01-04; what is no day is left as it is, for the import to name."""
    try:
        return datetime.strptime(text, "%Y%m%d").date().isoformat()  # noqa: DTZ007 - a day has no time zone
    except ValueError:
        return text


def of_study(match: dict[str, str], number: int) -> tuple[str, str, str]:
    """Return the day of a match in a study, its event and its section; the first round is number 1."""
    start = date.fromisoformat(day(match["tourney_date"]))
    played = start.replace(year=start.year + YEARS_LATER) + timedelta(days=number - 1)
    return played.isoformat(), f"{match['tourney_id']} {match['tourney_level']}", f"{number:02d}"


def main(folder: Path, *, study: bool) -> None:
    """Write the games of *folder* to standard output."""
    born = {
        row["player_id"]: day(row["dob"])
        for path in folder.glob("*_players.csv")
        for row in rows_of(path)
        if row["dob"] and not study
    }
    games = csv.writer(sys.stdout, lineterminator="\n")
    games.writerow(COLUMNS)
    for path in sorted(folder.glob("*_matches_*.csv")):
        if "_doubles_" in path.name:
            continue
        matches = rows_of(path)
        rounds: dict[str, set[str]] = {}
        for match in matches:
            rounds.setdefault(match["tourney_id"], set()).add(match["round"])
        for match in matches:
            score = match["score"]
            if not score or NOT_PLAYED.search(score) or (study and NOT_FINISHED.search(score)):
                continue
            # Rounds are counted from the first one that a tournament has; those of a round robin are not known.
            known = [name for name in ROUNDS if name in rounds[match["tourney_id"]]]
            number = known.index(match["round"]) + 1 if match["round"] in known else 1
            winner, loser = match["winner_id"], match["loser_id"]
            if winner == loser:  # two unknown players
                continue
            played = (day(match["tourney_date"]), match["tourney_id"], "1")
            if study:
                played = of_study(match, number)
            count = "" if match["round"] == "RR" else number
            games.writerow((*played, count, winner, loser, "1-0", born.get(winner, ""), born.get(loser, "")))


if __name__ == "__main__":
    words = argparse.ArgumentParser(description="Writes tennis matches as games.")
    words.add_argument("folder", type=Path)
    words.add_argument("--study", action="store_true", help="as ../tennis-2021 needs them")
    main(**vars(words.parse_args()))
