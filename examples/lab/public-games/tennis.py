"""Writes matches of the files of J. Sackmann's `tennis_atp` as games that `ratebook lab import csv` reads.

    python tennis.py tennis_atp > games.csv

A tournament is an event on its first day; walkovers and matches that were not finished are left out, retirements count.
Birth dates are those of `atp_players.csv` in the same folder.
"""

import csv
import re
import sys
from datetime import datetime
from pathlib import Path

ROUNDS = ("Q1", "Q2", "Q3", "Q4", "ER", "R128", "R64", "R32", "R16", "QF", "SF", "BR", "F")
NOT_PLAYED = re.compile(r"w/o|walkover|unfinished|\bab[dn]\b", re.IGNORECASE)
COLUMNS = (
    "date", "event", "round", "player1", "player2", "result", "player1-birth-date", "player2-birth-date",
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


def main(folder: Path) -> None:
    """Write the games of *folder* to standard output."""
    born = {
        row["player_id"]: day(row["dob"])
        for path in folder.glob("*_players.csv")
        for row in rows_of(path)
        if row["dob"]
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
            if not match["score"] or NOT_PLAYED.search(match["score"]):
                continue
            # Rounds are counted from the first one that a tournament has; those of a round robin are not known.
            known = [name for name in ROUNDS if name in rounds[match["tourney_id"]]]
            number = known.index(match["round"]) + 1 if match["round"] in known else ""
            winner, loser = match["winner_id"], match["loser_id"]
            event = day(match["tourney_date"]), match["tourney_id"], number
            games.writerow((*event, winner, loser, "1-0", born.get(winner, ""), born.get(loser, "")))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
