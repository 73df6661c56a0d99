"""Writes games of the chess rating competitions of 2010 and 2011 as games that `ratebook lab import csv` reads.

    python kaggle.py primary_training_part1.csv 2001-01 > games.csv

The files number months and give no events: a month is an event, on its first day. The second argument says what month
1 is taken for. Games that were added to a test set and not played (-1) are left out.
"""

import csv
import sys
from collections.abc import Iterable
from pathlib import Path


def column(titles: Iterable[str], *names: str) -> str:
    """Return the title that is one of *names*, whatever its capital letters, blanks and signs."""
    for title in titles:
        if "".join(letter for letter in title.casefold() if letter.isalnum()) in names:
            return title
    sys.exit(f"There is no column {' or '.join(names)}.")


def main(path: Path, first_month: str) -> None:
    """Write the games of the file at *path* to standard output."""
    year, month = map(int, first_month.split("-"))
    with path.open(encoding="utf-8", newline="") as stream:
        rows = csv.DictReader(stream)
        titles = rows.fieldnames or ()
        number = column(titles, "monthid", "month")
        one, two = column(titles, "whiteplayer", "player1"), column(titles, "blackplayer", "player2")
        score = column(titles, "whitescore", "player1score", "score")
        first = "white" if one.casefold().startswith("white") else "player1"
        games = csv.writer(sys.stdout, lineterminator="\n")
        games.writerow(("date", "event", first, "black" if first == "white" else "player2", "result"))
        for row in rows:
            if row[score] == "-1":
                continue
            years, months = divmod(year * 12 + month - 2 + int(row[number]), 12)
            event = f"{years:04d}-{months + 1:02d}"
            games.writerow((f"{event}-01", event, row[one], row[two], row[score]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
