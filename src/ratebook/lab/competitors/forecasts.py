"""Forecasts that another program has made: a CSV file with the number of each game and a probability."""

import math
from pathlib import Path

import numpy as np
import polars as pl

from ratebook.bounded_files import MOST_BYTES, bounded_bytes
from ratebook.lab.cells.forecasts import LOGIT, ForecastGames, towards_the_favourite
from ratebook.lab.imports.games import table_of
from ratebook.replay.memory import Array

MOST_OF_FORECASTS = 16 * MOST_BYTES
COLUMNS = ("game", "probability")


class ForecastsError(Exception):
    """A file of forecasts cannot be used; *case* and *values* say why, as a finding."""

    def __init__(self, case: str, **values: object) -> None:
        super().__init__(case)
        self.case, self.values = case, values


class GivenForecasts:
    """Forecasts by game.

    A game is a row of the history's ``games``, counted from 0, of the player who is listed first in the section; the
    probability is the score that is expected of this player. Other rows are not read.
    """

    def __init__(self, path: Path) -> None:
        """Read a file.

        Raises:
            ForecastsError: it is not what is wanted.
            OSError: it cannot be read.
        """
        table = table_of(bounded_bytes(path, MOST_OF_FORECASTS))
        if table is None or not set(COLUMNS) <= set(table.columns):
            columns = "none" if table is None else ", ".join(table.columns)
            raise ForecastsError("forecasts-not-used.columns", columns=columns)
        numbers = table.select(
            pl.col("game").str.strip_chars().cast(pl.UInt32, strict=False),
            pl.col("probability").str.strip_chars().cast(pl.Float64, strict=False),
        )
        is_right = (
            (pl.col("probability") > 0.0) & (pl.col("probability") < 1.0) & pl.col("game").is_not_null()
        )
        wrong = numbers.with_row_index("line", 2).filter(~is_right.fill_null(value=False))
        if len(wrong):
            raise ForecastsError("forecasts-not-used.value", line=wrong["line"][0], count=len(wrong))
        game = numbers["game"].to_numpy()
        order = np.argsort(game)
        again = np.flatnonzero(np.diff(game[order].astype("i8")) == 0)
        if len(again):
            raise ForecastsError("forecasts-not-used.twice", game=int(game[order][again[0]]))
        probability = numbers["probability"].to_numpy()[order]
        self._game = game[order].astype("i8")
        self._difference = np.log(probability / (1.0 - probability)) / LOGIT

    def forecast(self, games: ForecastGames, first: int, wanted: Array) -> ForecastGames:
        """Return games with the forecasts of the file instead of theirs; 0 where the file has none.

        Args:
            games: of a chunk.
            first: number of the chunk's first row of games in the history.
            wanted: which of them will be scored.

        Raises:
            ForecastsError: one that is wanted is not in the file.
        """
        difference = self._of(games.place + first)
        missing = np.isnan(difference)
        if (missing & wanted).any():
            raise ForecastsError(
                "forecasts-not-used.missing", game=int(games.place[missing & wanted][0]) + first
            )
        turned = games.entry > games.other
        difference = np.where(missing, 0.0, np.where(turned, -difference, difference))
        return towards_the_favourite(games._replace(difference=difference))

    def _of(self, numbers: Array) -> Array:
        if not len(self._game):
            return np.full(len(numbers), math.nan)
        place = np.minimum(np.searchsorted(self._game, numbers), len(self._game) - 1)
        return np.where(self._game[place] == numbers, self._difference[place], math.nan)
