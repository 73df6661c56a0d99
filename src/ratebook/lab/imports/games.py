"""The file whose games are read: a row for each game, with names of columns in the first line."""

from collections.abc import Iterator, Mapping
from datetime import date
from functools import partial
from pathlib import Path
from typing import NamedTuple

import polars as pl

from ratebook.bounded_files import MOST_BYTES, bounded_bytes
from ratebook.findings import Findings, Place
from ratebook.formats.reading.fields import shown
from ratebook.formats.reading.sheets.sheet import separator_of
from ratebook.formats.reading.text import decoded_text


class GameColumn(NamedTuple):
    """What a column may be called, in small letters and figures alone, and whether a file needs it."""

    names: tuple[str, ...]
    needed: bool = True


COLUMNS: Mapping[str, GameColumn] = {
    "date": GameColumn(("date",)),
    "event": GameColumn(("event",)),
    "one": GameColumn(("white", "player1")),
    "two": GameColumn(("black", "player2")),
    "result": GameColumn(("result", "score1")),
    **{
        name: GameColumn(names, needed=False)
        for name, names in {
            "section": ("section",),
            "round": ("round",),
            "colour": ("colour", "color"),
            "rating_one": ("whiterating", "player1rating"),
            "rating_two": ("blackrating", "player2rating"),
            "born_one": ("whitebirthdate", "player1birthdate", "whitebirthyear", "player1birthyear"),
            "born_two": ("blackbirthdate", "player2birthdate", "blackbirthyear", "player2birthyear"),
        }.items()
    },
}
GAMES = pl.Schema(
    {
        "start": pl.Date,
        "end": pl.Date,
        "event": pl.String,
        "section": pl.String,
        "round": pl.Int64,
        "one": pl.String,
        "two": pl.String,
        "score": pl.Int64,
        "colour": pl.Int64,
        "rating_one": pl.Float64,
        "rating_two": pl.Float64,
        "born_one": pl.Date,
        "born_two": pl.Date,
        "row": pl.Int64,
    }
)
"""The columns of games: half points and colour (1 white) are those of *one*; what is unknown is empty or 0."""

HALF_POINTS = {
    **dict.fromkeys(("1-0", "1", "1.0"), 2),
    **dict.fromkeys(("1/2-1/2", "½-½", "0.5-0.5", "1/2", "½", "0.5", ".5", "0,5"), 1),
    **dict.fromkeys(("0-1", "0", "0.0"), 0),
}
COLOURS = {"w": 1, "white": 1, "1": 1, "b": -1, "black": -1, "-1": -1, "0": 0}
MOST_ROUNDS, HIGHEST = 255, 4_000.0
YEARS = (1850, 2100)
MOST_OF_GAMES = 4 * MOST_BYTES
"""Bytes of a file of games, some four million lines."""


def read_games(path: Path, findings: Findings) -> pl.DataFrame:
    """Return the games of a file; what is wrong goes to *findings*, and with an error the games are not complete.

    Raises:
        OSError: the file cannot be read.
    """
    nothing = pl.DataFrame(schema=GAMES)
    text, _ = decoded_text(bounded_bytes(path, MOST_OF_GAMES))
    lines = text.split("\n", 1)
    if "\0" in text or not text.strip():
        findings.add("games-unreadable", Place(file=path.name))
        return nothing
    try:
        cells = pl.read_csv(
            text.encode(), separator=separator_of(lines[:1]), infer_schema=False, truncate_ragged_lines=False
        )
    except pl.exceptions.PolarsError:
        findings.add("games-unreadable", Place(file=path.name))
        return nothing
    titles = {
        "".join(letter for letter in name.casefold() if letter.isalnum()): name for name in cells.columns
    }
    at = {
        field: next((titles[name] for name in column.names if name in titles), None)
        for field, column in COLUMNS.items()
    }
    missing = [column.names for field, column in COLUMNS.items() if column.needed and at[field] is None]
    for names in missing:
        findings.add("games-column-missing", Place(file=path.name), column=" or ".join(names))
    if missing:
        return nothing
    games = _games(_Sheet(path.name, at, cells, findings))
    for player, row, other in _several_births(games):
        findings.add("games-birth-twice", Place(file=path.name, rows=(row,)), player=player, other=other)
    return games


class _Sheet:
    """The cells of a file, column by column; what cannot be read becomes a finding and empty."""

    def __init__(
        self, name: str, at: Mapping[str, str | None], cells: pl.DataFrame, findings: Findings
    ) -> None:
        self.name, self.at, self.findings = name, at, findings
        self.cells = pl.DataFrame(
            {
                field: pl.Series([None] * len(cells), dtype=pl.String)
                if column is None
                else cells[column].str.strip_chars().replace("", None)
                for field, column in at.items()
            }
        )

    @property
    def white_first(self) -> bool:
        """Return whether the first player has white."""
        return (self.at["one"] or "").casefold().startswith("white")

    def values_of(self, field: str, value: pl.Expr, wanted: str, *, needed: bool = True) -> pl.Series:
        """Return the values that an expression makes of a column; empty ones are wrong where they are *needed*."""
        texts = self.cells[field]
        values = self.cells.select(value.alias(field))[field]
        bad = values.is_null() & (texts.is_not_null() | needed)
        self.refuse(bad, self.at[field] or field, texts, wanted)
        return values

    def refuse(self, bad: pl.Series, column: str, texts: pl.Series, wanted: str) -> None:
        """Note the first row that is *bad*, and how many there are."""
        if bad.any():
            row = int(bad.arg_true()[0])
            self.findings.add(
                "games-value",
                Place(file=self.name, rows=(row + 2,), field=column),
                text=shown(texts[row] or ""),
                wanted=wanted,
                bad=int(bad.sum()),
            )

    def players(self) -> dict[str, pl.Series]:
        """Return the two players, who must not be the same one."""
        first, second = (self.values_of(side, pl.col(side), "the id of a player") for side in ("one", "two"))
        self.refuse(
            (first == second).fill_null(value=False),
            self.at["two"] or "",
            second,
            "another player than the first",
        )
        return {"one": first, "two": second}

    def games(self, **columns: pl.Series | pl.Expr) -> pl.DataFrame:
        """Return games with these columns; the others are unknown."""
        unknown = {
            name: pl.lit(0 if name in {"round", "colour"} else None, dtype=kind)
            for name, kind in GAMES.items()
        }
        rows = pl.int_range(2, pl.len() + 2)
        return self.cells.select(**{**unknown, "row": rows, **columns}).cast(GAMES)


def _day(column: str) -> pl.Expr:
    """Return the days of a column; Polars has years, say before the first, that Python has not."""
    day = pl.coalesce(*(pl.col(column).str.to_date(form, strict=False) for form in ("%Y-%m-%d", "%Y%m%d")))
    return pl.when(day.is_between(date.min, date.max)).then(day)


def _born(column: str) -> pl.Expr:
    """Return birth dates; a year stands for its middle."""
    year = pl.col(column).cast(pl.Int64, strict=False)
    of_year = pl.when(year.is_between(*YEARS)).then(pl.date(year, 7, 1))
    day = _day(column)
    return pl.coalesce(of_year, pl.when(day.dt.year().is_between(*YEARS)).then(day))


def _within(column: str, kind: type[pl.DataType], least: float, most: float) -> pl.Expr:
    """Return the numbers of a column that are within bounds."""
    number = pl.col(column).cast(kind, strict=False)
    return pl.when(number.is_between(least, most)).then(number)


def _games(sheet: _Sheet) -> pl.DataFrame:
    optional = partial(sheet.values_of, needed=False)
    day = sheet.values_of("date", _day("date"), "a date as 2024-01-15")
    round_ = optional("round", _within("round", pl.Int64, 1, MOST_ROUNDS), f"1 to {MOST_ROUNDS}, or empty")
    letter = pl.col("colour").str.to_lowercase()
    colour = optional(
        "colour",
        letter.replace_strict(COLOURS, default=None, return_dtype=pl.Int64),
        "white, black, or empty",
    )
    of_players = {
        **{
            name: optional(
                name, _within(name, pl.Float64, 1.0, HIGHEST), f"a rating of 1 to {HIGHEST:.0f}, or empty"
            )
            for name in ("rating_one", "rating_two")
        },
        **{
            name: optional(name, _born(name), "a year as 1990, a date as 1990-03-02, or empty")
            for name in ("born_one", "born_two")
        },
    }
    half = pl.col("result").replace_strict(HALF_POINTS, default=None, return_dtype=pl.Int64)
    return sheet.games(
        **sheet.players(),
        **of_players,
        start=day,
        end=day,
        event=sheet.values_of("event", pl.col("event"), "the name or id of an event"),
        section=pl.col("section").fill_null("1"),
        round=round_.fill_null(0),
        colour=colour.fill_null(int(sheet.white_first)),
        score=sheet.values_of("result", half, "1-0, 0-1 or 1/2-1/2"),
    )


def _several_births(games: pl.DataFrame) -> Iterator[tuple[str, int, int]]:
    """Yield the players who have several birth dates, with the rows of two."""
    sides = pl.concat(
        games.select(pl.col(side).alias("id"), pl.col(f"born_{side}").alias("born"), "row").drop_nulls()
        for side in ("one", "two")
    )
    first = sides.unique(["id", "born"], keep="first", maintain_order=True)
    twice = first.filter(pl.len().over("id") > 1).group_by("id", maintain_order=True)
    yield from twice.agg(pl.col("row").first(), other=pl.col("row").get(1)).iter_rows()
