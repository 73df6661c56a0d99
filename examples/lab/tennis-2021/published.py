"""Forecasts of tennis as in the study of 2021, which counts a match of a Grand Slam 1.1 times.

    ratebook lab games history --out rows.csv
    python published.py rows.csv > published.csv

Elo match after match, all from 1500, with K = 250 / (N + 5)^0.4 of each player, N matches played.
"""

import csv
import sys
from collections import Counter
from pathlib import Path

GRAND_SLAM = " G"
"""The end of the name of an event, as tennis.py --study writes it."""


def main(path: Path) -> None:
    """Write the forecast of each game of *path* to standard output."""
    ratings: dict[str, float] = {}
    played: Counter[str] = Counter()
    forecasts = csv.writer(sys.stdout, lineterminator="\n")
    forecasts.writerow(("game", "probability"))
    with path.open(encoding="utf-8", newline="") as stream:
        for game in csv.DictReader(stream):
            players = game["player"], game["opponent"]
            first, second = (ratings.get(player, 1500.0) for player in players)
            expected = 1.0 / (1.0 + 10.0 ** ((second - first) / 400.0))
            forecasts.writerow((game["game"], repr(expected)))
            surplus = float(game["score"]) - expected
            weight = 1.1 if game["event"].endswith(GRAND_SLAM) else 1.0
            for player, rating, sign in zip(players, (first, second), (1.0, -1.0), strict=True):
                ratings[player] = rating + sign * weight * 250.0 / (played[player] + 5) ** 0.4 * surplus
                played[player] += 1


if __name__ == "__main__":
    main(Path(sys.argv[1]))
