"""Writes forecasts of games by whole-history rating or TrueSkill Through Time, for a study of `ratebook lab`.

    ratebook lab games history --out games.csv
    python forecasts.py games.csv 2006-01-01 > forecasts.csv
    python forecasts.py games.csv 2006-01-01 --method ttt --bound > bound.csv

Both look back: what a player does later changes what they say of earlier days. The games of each year are forecast from
those of all years before it. With --bound, they are forecast from everything, their own results included: no system can
forecast as well, so that it says how much is left to gain.
"""

import argparse
import bisect
import csv
import math
import sys
import warnings
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

from trueskillthroughtime import Gaussian, History, Player
from whr import WHR

SPREAD, WALK = 400.0, 60.0
"""How far players are apart, and how far one moves in a year: standard deviations, rating points."""
YEAR_DAYS = 365.2425
LOGIT = math.log(10.0) / 400.0
PERFORMANCE = math.pi / math.sqrt(3.0) / LOGIT / math.sqrt(2.0)
"""Of a player in a game, standard deviation in rating points: two of them make the logistic curve of 400 points."""


class Game(NamedTuple):
    """A game on a day number, and what its first player scored."""

    number: int
    day: int
    one: str
    other: str
    score: float


class Curve(NamedTuple):
    """What is known of a player: days in their order, and rating and variance on each, in rating points."""

    days: Sequence[int]
    ratings: Sequence[tuple[float, float]]

    def on(self, day: int) -> tuple[float, float]:
        """Return the rating and its variance on a day: those of the last one that is known, or of the first one."""
        place = max(0, bisect.bisect_right(self.days, day) - 1)
        rating, variance = self.ratings[place]
        return rating, variance + abs(day - self.days[place]) * WALK**2 / YEAR_DAYS


RESULTS = {1.0: "B", 0.5: "D", 0.0: "W"}
UNKNOWN = Curve([0], [(0.0, SPREAD**2)])


def whole_history(games: Sequence[Game]) -> dict[str, Curve]:
    """Return the curves of whole-history rating."""
    base = WHR({"w2": WALK**2 / YEAR_DAYS})
    with warnings.catch_warnings():
        # It says that players are in groups that never met, which is so here.
        warnings.simplefilter("ignore")
        for game in games:
            # Black is who has the handicap: here no one, and colours are not looked at.
            base.create_game(game.one, game.other, RESULTS[game.score], game.day, 0)
        base.auto_iterate()
    return {
        name: Curve(
            [day.day for day in player.days], [(day.elo, day.uncertainty / LOGIT**2) for day in player.days]
        )
        for name, player in base.players.items()
    }


def through_time(games: Sequence[Game]) -> dict[str, Curve]:
    """Return the curves of TrueSkill Through Time."""
    drawn = sum(game.score == 0.5 for game in games) / len(games)  # noqa: PLR2004 - a draw
    players = {name for game in games for name in (game.one, game.other)}
    prior = Player(Gaussian(0.0, SPREAD), PERFORMANCE, WALK / math.sqrt(YEAR_DAYS))
    history = History(
        [[[game.one], [game.other]] for game in games],
        [[game.score, 1.0 - game.score] for game in games],
        [game.day for game in games],
        dict.fromkeys(players, prior),
        p_draw=drawn,
    )
    history.convergence(verbose=False, epsilon=1.0, iterations=10)
    return {
        name: Curve([day for day, _ in curve], [(skill.mu, skill.sigma**2) for _, skill in curve])
        for name, curve in history.learning_curves().items()
    }


METHODS = {"whr": whole_history, "ttt": through_time}


def forecast(curves: dict[str, Curve], game: Game) -> float:
    """Return the score that is expected of the first player, less sure of it the less sure the ratings are."""
    (one, of_one), (other, of_other) = (
        curves.get(name, UNKNOWN).on(game.day) for name in (game.one, game.other)
    )
    surely = 1.0 / math.sqrt(1.0 + 3.0 * LOGIT**2 * (of_one + of_other) / math.pi**2)
    return 1.0 / (1.0 + math.exp(-LOGIT * surely * (one - other)))


def read_games(path: Path) -> list[Game]:
    """Return the games of a file that `ratebook lab games` wrote."""
    with path.open(encoding="utf-8", newline="") as stream:
        return [
            Game(
                int(row["game"]),
                date.fromisoformat(row["date"]).toordinal(),
                row["player"],
                row["opponent"],
                float(row["score"]),
            )
            for row in csv.DictReader(stream)
        ]


def forecasts(games: Sequence[Game], since: date, method: str, *, bound: bool) -> Iterator[tuple[int, float]]:
    """Yield the numbers of the games from a day on, with the scores that are expected."""
    curves_of = METHODS[method]
    scored = [game for game in games if game.day >= since.toordinal()]
    everything = curves_of(games) if bound else {}
    for year in sorted({date.fromordinal(game.day).year for game in scored}):
        known = [game for game in games if date.fromordinal(game.day).year < year]
        curves = everything if bound else curves_of(known) if known else {}
        for game in scored:
            if date.fromordinal(game.day).year == year:
                yield game.number, forecast(curves, game)


def main() -> None:
    """Write the forecasts to standard output."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", type=Path, help="what `ratebook lab games` wrote")
    parser.add_argument("since", type=date.fromisoformat, help="score-from of the study")
    parser.add_argument("--method", choices=METHODS, default="whr")
    parser.add_argument(
        "--bound", action="store_true", help="forecast from everything, their own results included"
    )
    asked = parser.parse_args()
    lines = csv.writer(sys.stdout, lineterminator="\n")
    lines.writerow(("game", "probability"))
    lines.writerows(forecasts(read_games(asked.games), asked.since, asked.method, bound=asked.bound))


if __name__ == "__main__":
    main()
