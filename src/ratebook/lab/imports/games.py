"""The file whose games are read: a row for each game, with names of columns in the first line."""

from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import NamedTuple

import polars as pl

from ratebook.bounded_files import MOST_BYTES, bounded_bytes
from ratebook.findings import Findings, Place
from ratebook.formats.reading.fields import shown
from ratebook.formats.reading.sheets.sheet import separator_of
from ratebook.formats.reading.text import decoded_text

GAMES = pl.Schema(
    {
        **dict.fromkeys(("start", "end"), pl.Date),
        **dict.fromkeys(("event", "section"), pl.String),
        "round": pl.Int64,
        **dict.fromkeys(("one", "two"), pl.String),
        **dict.fromkeys(("score", "colour"), pl.Int64),
        **dict.fromkeys(("rating_one", "rating_two"), pl.Float64),
        **dict.fromkeys(("born_one", "born_two"), pl.Date),
        "row": pl.Int64,
    }
)
"""The columns of games: half points and colour (1 white) are those of *one*; what is unknown is empty or 0."""

SIDES = {"one": "white", "two": "black"}
HALF_POINTS = {
    **dict.fromkeys(("1-0", "1", "1.0"), 2),
    **dict.fromkeys(("1/2-1/2", "½-½", "0.5-0.5", "1/2", "½", "0.5", ".5", "0,5"), 1),
    **dict.fromkeys(("0-1", "0", "0.0"), 0),
}
COLOURS = {"w": 1, "white": 1, "1": 1, "b": -1, "black": -1, "-1": -1, "0": 0}
MOST_ROUNDS, HIGHEST = 255, 4_000.0
YEARS = (1850, 2100)
DAYS = ("%Y-%m-%d", "%Y%m%d")
MOST_OF_GAMES = 4 * MOST_BYTES
"""Bytes of a file of games, some four million lines."""


def day_of(column: str, *forms: str) -> pl.Expr:
    """Return the days of a column; Polars has years, say before the first, that Python has not."""
    day = pl.coalesce(*(pl.col(column).str.to_date(form, strict=False) for form in forms))
    return pl.when(day.is_between(date.min, date.max)).then(day)


def _born(column: str) -> pl.Expr:
    """Return birth dates; a year stands for its middle."""
    year = pl.col(column).cast(pl.Int64, strict=False)
    of_year = pl.when(year.is_between(*YEARS)).then(pl.date(year, 7, 1))
    day = day_of(column, *DAYS)
    return pl.coalesce(of_year, pl.when(day.dt.year().is_between(*YEARS)).then(day))


def within(column: pl.Expr, kind: type[pl.DataType], least: float, most: float) -> pl.Expr:
    """Return the numbers of a column that are within bounds."""
    number = column.cast(kind, strict=False)
    return pl.when(number.is_between(least, most)).then(number)


class GameColumn(NamedTuple):
    """What a column may be called, in small letters and figures alone, its values, and what is to be written there."""

    names: tuple[str, ...]
    value: pl.Expr
    wanted: str = ""


_HALF = pl.col("result").replace_strict(HALF_POINTS, default=None, return_dtype=pl.Int64)
_COLOUR = pl.col("colour").str.to_lowercase().replace_strict(COLOURS, default=None, return_dtype=pl.Int64)
_ROUND = within(pl.col("round"), pl.Int64, 1, MOST_ROUNDS)
_RATING, _BORN = f"a rating of 1 to {HIGHEST:.0f}, or empty", "a year as 1990, a date as 1990-03-02, or empty"
COLUMNS: Mapping[str, GameColumn] = {
    "date": GameColumn(("date",), day_of("date", *DAYS), "a date as 2024-01-15"),
    "event": GameColumn(("event",), pl.col("event"), "the name or id of an event"),
    "one": GameColumn(("white", "player1"), pl.col("one"), "the id of a player"),
    "two": GameColumn(
        ("black", "player2"),
        pl.when(pl.col("one").eq_missing(pl.col("two")).not_()).then(pl.col("two")),
        "the id of another player than the first",
    ),
    "result": GameColumn(("result", "score1"), _HALF, "1-0, 0-1 or 1/2-1/2"),
    "section": GameColumn(("section",), pl.col("section")),
    "round": GameColumn(("round",), _ROUND, f"1 to {MOST_ROUNDS}, or empty"),
    "colour": GameColumn(("colour", "color"), _COLOUR, "white, black, or empty"),
    **{
        f"rating_{side}": GameColumn(
            (f"{title}rating", f"player{number}rating"),
            within(pl.col(f"rating_{side}"), pl.Float64, 1.0, HIGHEST),
            _RATING,
        )
        for number, (side, title) in enumerate(SIDES.items(), start=1)
    },
    **{
        f"born_{side}": GameColumn(
            tuple(f"{whose}birth{what}" for what in ("date", "year") for whose in (title, f"player{number}")),
            _born(f"born_{side}"),
            _BORN,
        )
        for number, (side, title) in enumerate(SIDES.items(), start=1)
    },
}
NEEDED = ("date", "event", "one", "two", "result")


def table_of(data: bytes) -> pl.DataFrame | None:
    """Return the cells of a CSV file as texts, with the titles of its first line; None where it is no table."""
    text, _ = decoded_text(data)
    if "\0" in text or not text.strip():
        return None
    try:
        return pl.read_csv(text.encode(), separator=separator_of(text.split("\n", 1)[:1]), infer_schema=False)
    except pl.exceptions.PolarsError:
        return None


def read_games(path: Path, findings: Findings) -> pl.DataFrame:
    """Return the games of a file; what is wrong goes to *findings*, and with an error the games are not complete.

    Raises:
        OSError: the file cannot be read.
    """
    nothing = pl.DataFrame(schema=GAMES)
    cells = table_of(bounded_bytes(path, MOST_OF_GAMES))
    if cells is None:
        findings.add("games-unreadable", Place(file=path.name))
        return nothing
    titles = {
        "".join(letter for letter in name.casefold() if letter.isalnum()): name for name in cells.columns
    }
    at = {
        field: next((titles[name] for name in column.names if name in titles), None)
        for field, column in COLUMNS.items()
    }
    missing = [field for field in NEEDED if at[field] is None]
    for field in missing:
        findings.add("games-column-missing", Place(file=path.name), column=" or ".join(COLUMNS[field].names))
    if missing:
        return nothing
    games = _games(path.name, at, cells, findings)
    for player, row, other in _several_births(games):
        findings.add("games-birth-twice", Place(file=path.name, rows=(row,)), player=player, other=other)
    return games


def _games(
    name: str, titles: Mapping[str, str | None], cells: pl.DataFrame, findings: Findings
) -> pl.DataFrame:
    """Return the games in the columns that have titles; of each column that is wrong, the first such row is noted."""
    texts = cells.select(
        pl.lit(None, pl.String).alias(field)
        if title is None
        else pl.col(title).str.strip_chars().replace("", None).alias(field)
        for field, title in titles.items()
    )
    values = texts.select(column.value.alias(field) for field, column in COLUMNS.items())
    for field, column in COLUMNS.items():
        bad = values[field].is_null() & (texts[field].is_not_null() | (field in NEEDED))
        if bad.any():
            row = int(bad.arg_true()[0])
            findings.add(
                "games-value",
                Place(file=name, rows=(row + 2,), field=titles[field] or field),
                text=shown(texts[field][row] or ""),
                wanted=column.wanted,
                bad=int(bad.sum()),
            )
    is_white_first = (titles["one"] or "").casefold().startswith("white")
    return values.with_columns(
        pl.col("round").fill_null(0),
        pl.col("colour").fill_null(int(is_white_first)),
        pl.col("section").fill_null("1"),
        start="date",
        end="date",
        score="result",
        row=pl.int_range(2, pl.len() + 2),
    ).select(pl.col(column).cast(kind) for column, kind in GAMES.items())


def _several_births(games: pl.DataFrame) -> Iterator[tuple[str, int, int]]:
    """Yield the players who have several birth dates, with the rows of two."""
    sides = pl.concat(
        games.select(pl.col(side).alias("id"), pl.col(f"born_{side}").alias("born"), "row").drop_nulls()
        for side in ("one", "two")
    )
    first = sides.unique(["id", "born"], keep="first", maintain_order=True)
    twice = first.filter(pl.len().over("id") > 1).group_by("id", maintain_order=True)
    yield from twice.agg(pl.col("row").first(), other=pl.col("row").get(1)).iter_rows()
