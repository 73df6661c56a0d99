"""The files whose games are read: their columns and what these say.

* *tennis*: matches as J. Sackmann's repositories give them (``atp_matches_2024.csv``), a tournament as a section;
* *kaggle*: the games of the competitions of 2010 and 2011, which know months only: each month is a section;
* *csv*: a row for each game, with names of columns in the first line.
"""

from collections.abc import Iterator, Mapping
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

import polars as pl

from ratebook.formats.contract import Findings
from ratebook.formats.reading.fields import shown
from ratebook.formats.reading.sheets.sheet import separator_of
from ratebook.formats.reading.text import decoded_text


class GameSource(StrEnum):
    """Whose columns a file has."""

    TENNIS = "tennis"
    KAGGLE = "kaggle"
    CSV = "csv"


class GameColumn(NamedTuple):
    """What a column may be called, in small letters and figures alone, and whether a file needs it."""

    names: tuple[str, ...]
    needed: bool = True


ONE, TWO = GameColumn(("white", "player1")), GameColumn(("black", "player2"))
TITLES: Mapping[GameSource, Mapping[str, GameColumn]] = {
    GameSource.TENNIS: {
        "date": GameColumn(("tourneydate",)),
        "event": GameColumn(("tourneyid",)),
        "one": GameColumn(("winnerid",)),
        "two": GameColumn(("loserid",)),
        "result": GameColumn(("score",)),
        "round": GameColumn(("round",)),
        "age_one": GameColumn(("winnerage",), needed=False),
        "age_two": GameColumn(("loserage",), needed=False),
    },
    GameSource.KAGGLE: {
        "month": GameColumn(("monthid", "month")),
        "one": GameColumn(("whiteplayer", "player1")),
        "two": GameColumn(("blackplayer", "player2")),
        "result": GameColumn(("whitescore", "player1score", "score")),
    },
    GameSource.CSV: {
        "date": GameColumn(("date",)),
        "event": GameColumn(("event",)),
        "one": ONE,
        "two": TWO,
        "result": GameColumn(("result", "score1")),
        **{
            name: GameColumn(names, needed=False)
            for name, names in {
                "section": ("section",),
                "round": ("round",),
                "colour": ("colour", "color"),
                "rating_one": ("whiterating", "player1rating"),
                "rating_two": ("blackrating", "player2rating"),
                "born_one": ("whitebirthyear", "player1birthyear"),
                "born_two": ("blackbirthyear", "player2birthyear"),
            }.items()
        },
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
        "where": pl.String,
    }
)
"""The columns of games: half points and colour (1 white) are those of *one*; what is unknown is empty or 0."""

HALF_POINTS = {
    **dict.fromkeys(("1-0", "1", "1.0"), 2),
    **dict.fromkeys(("1/2-1/2", "½-½", "0.5-0.5", "1/2", "½", "0.5", ".5", "0,5"), 1),
    **dict.fromkeys(("0-1", "0", "0.0"), 0),
}
SPURIOUS = "-1"
"""Games that Kaggle added to its test set and that were not played."""
NOT_PLAYED = r"(?i)w/o|walkover|unfinished|\bab[dn]\b"
TENNIS_ROUNDS = ("Q1", "Q2", "Q3", "Q4", "ER", "R128", "R64", "R32", "R16", "QF", "SF", "F")
THIRD_PLACE = "BR"
COLOURS = {"w": 1, "white": 1, "1": 1, "b": -1, "black": -1, "-1": -1, "0": 0}
MOST_ROUNDS, MOST_MONTHS, HIGHEST = 255, 1_200, 4_000.0
YEARS = (1850, 2100)
DAYS_A_YEAR = 365.25
OLDEST = 150
"""Years; a higher age is a mistake."""
EMPTY = pl.DataFrame(schema=GAMES)


class ReadGames(NamedTuple):
    """The games of files, and how many rows were none that was played."""

    games: pl.DataFrame
    not_played: int


def files_in(source: GameSource, path: Path) -> list[Path]:
    """Return the files of games: *path*, or those of a folder in the order of their names."""
    if not path.is_dir():
        return [path]
    pattern = "*_matches_*.csv" if source is GameSource.TENNIS else "*.csv"
    return sorted(one for one in path.glob(pattern) if "_doubles_" not in one.name)


def read_games(source: GameSource, path: Path, first_month: date, findings: Findings) -> ReadGames:
    """Return the games of a file or of a folder; what is wrong goes to *findings*.

    Args:
        source: whose columns the files have.
        path: of a file or a folder.
        first_month: the first day of month 1, where games know only the number of a month.
        findings: with an error the games are not complete.

    Raises:
        OSError: a file cannot be read.
    """
    files = files_in(source, path)
    if not files:
        findings.add("games-unreadable.folder", str(path))
    parts = [_read_file(source, file, first_month, findings) for file in files]
    born = _birth_dates(path) if source is GameSource.TENNIS and path.is_dir() else {}
    games = pl.concat([EMPTY, *(part.games for part in parts)])
    if born:
        known = pl.DataFrame(
            {"id": list(born), "born": list(born.values())}, schema={"id": pl.String, "born": pl.Date}
        )
        for side in ("one", "two"):
            games = games.join(known, left_on=side, right_on="id", how="left", maintain_order="left")
            games = games.with_columns(pl.coalesce("born", f"born_{side}").alias(f"born_{side}")).drop("born")
    return ReadGames(games, sum(part.not_played for part in parts))


def _read_file(source: GameSource, path: Path, first_month: date, findings: Findings) -> ReadGames:
    nothing = ReadGames(EMPTY, 0)
    text, _ = decoded_text(path.read_bytes())
    lines = text.split("\n", 1)
    if "\0" in text or not text.strip():
        findings.add("games-unreadable.file", path.name)
        return nothing
    try:
        cells = pl.read_csv(
            text.encode(), separator=separator_of(lines[:1]), infer_schema=False, truncate_ragged_lines=False
        )
    except pl.exceptions.PolarsError:
        findings.add("games-unreadable.file", path.name)
        return nothing
    titles = {"".join(one for one in name.casefold() if one.isalnum()): name for name in cells.columns}
    at = {
        field: next((titles[name] for name in title.names if name in titles), None)
        for field, title in TITLES[source].items()
    }
    missing = [title.names for field, title in TITLES[source].items() if title.needed and at[field] is None]
    for names in missing:
        findings.add("games-column-missing", path.name, column=" or ".join(names))
    if missing:
        return nothing
    sheet = _Sheet(path.name, at, cells, findings)
    read = {GameSource.TENNIS: _tennis, GameSource.CSV: _plain}
    found = _kaggle(sheet, first_month) if source is GameSource.KAGGLE else read[source](sheet)
    played = found.filter(pl.col("score").is_not_null())
    return ReadGames(played.select(*GAMES), len(found) - len(played))


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

    def told(self, field: str, value: pl.Expr, wanted: str, *, needed: bool = True) -> pl.Series:
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
                f"{self.name} row {row + 2}, {column}",
                text=shown(texts[row] or ""),
                wanted=wanted,
                bad=int(bad.sum()),
            )

    def players(self) -> dict[str, pl.Series]:
        """Return the two players, who must not be the same one."""
        one, two = (self.told(side, pl.col(side), "the id of a player") for side in ("one", "two"))
        self.refuse(
            (one == two).fill_null(value=False), self.at["two"] or "", two, "another player than the first"
        )
        return {"one": one, "two": two}

    def games(self, **columns: pl.Series | pl.Expr) -> pl.DataFrame:
        """Return games with these columns; the others are unknown."""
        unknown = {
            name: pl.lit(0 if name in {"round", "colour"} else None, dtype=kind)
            for name, kind in GAMES.items()
        }
        rows = pl.int_range(2, pl.len() + 2)
        return self.cells.select(
            **{**unknown, "where": pl.format("{} row {}", pl.lit(self.name), rows), **columns}
        ).cast(GAMES)


def _days(formats: tuple[str, ...]) -> pl.Expr:
    return pl.coalesce(*(_day("date", form) for form in formats))


def _day(column: str, form: str) -> pl.Expr:
    """Return the days of a column; Polars has years, say before the first, that Python has not."""
    day = pl.col(column).str.to_date(form, strict=False)
    return pl.when(day.is_between(date.min, date.max)).then(day)


def _tennis(sheet: _Sheet) -> pl.DataFrame:
    day = sheet.told("date", _days(("%Y%m%d",)), "a date as 20240115")
    order = {name: place for place, name in enumerate((*TENNIS_ROUNDS, THIRD_PLACE))}
    order[THIRD_PLACE] = order["F"]
    event = sheet.told("event", pl.col("event"), "the id of a tournament")
    place = pl.col("round").replace_strict(order, default=None, return_dtype=pl.Int64)
    # Rounds are counted from the first one that a tournament has; those of a round robin are not known.
    number = pl.when(place.is_null()).then(0).otherwise(place.rank("dense").over("event"))
    age_of = {side: pl.col(f"age_{side}").cast(pl.Float64, strict=False) for side in ("one", "two")}
    ages = {
        side: sheet.told(
            f"age_{side}",
            pl.when(age_of[side].is_between(0, OLDEST)).then(age_of[side]),
            f"an age in years, {OLDEST} at most",
            needed=False,
        )
        for side in ("one", "two")
    }
    lived = {side: pl.duration(days=pl.lit((age * DAYS_A_YEAR).round())) for side, age in ages.items()}
    return sheet.games(
        **sheet.players(),
        start=day,
        end=day,
        event=event,
        section=pl.lit("1"),
        round=number,
        score=pl.when(pl.col("result").str.contains(NOT_PLAYED).fill_null(value=False))
        .then(None)
        .otherwise(2),
        **{f"born_{side}": pl.lit(day) - past for side, past in lived.items()},
    )


def _birth_dates(folder: Path) -> dict[str, date]:
    """Return the birth dates of the files of players beside the matches."""
    found: dict[str, date] = {}
    for path in sorted(folder.glob("*_players.csv")):
        cells = pl.read_csv(path, infer_schema=False, truncate_ragged_lines=True, ignore_errors=True)
        if {"player_id", "dob"} <= set(cells.columns):
            known = cells.select("player_id", dob=_day("dob", "%Y%m%d")).drop_nulls()
            found |= dict(known.iter_rows())
    return found


def _kaggle(sheet: _Sheet, first_month: date) -> pl.DataFrame:
    month = pl.col("month").cast(pl.Int64, strict=False)
    number = sheet.told(
        "month",
        pl.when(month.is_between(1, MOST_MONTHS)).then(month),
        f"the number of a month, 1 to {MOST_MONTHS}",
    )
    first = pl.lit(first_month).dt.offset_by(pl.format("{}mo", pl.lit(number).fill_null(1) - 1))
    half = pl.col("result").replace_strict({**HALF_POINTS, SPURIOUS: -1}, default=None, return_dtype=pl.Int64)
    score = sheet.told("result", half, "1, 0.5, 0 or -1")
    return sheet.games(
        **sheet.players(),
        start=first,
        end=first.dt.month_end(),
        event=first.dt.strftime("%Y-%m"),
        section=pl.lit("1"),
        score=pl.when(pl.lit(score) >= 0).then(pl.lit(score)),
        colour=pl.lit(int(sheet.white_first)),
    )


def _plain(sheet: _Sheet) -> pl.DataFrame:
    day = sheet.told("date", _days(("%Y-%m-%d", "%Y%m%d")), "a date as 2024-01-15")
    number = pl.col("round").cast(pl.Int64, strict=False)
    numbers = {
        name: sheet.told(name, expression, wanted, needed=False)
        for name, expression, wanted in (
            (
                "round",
                pl.when(number.is_between(1, MOST_ROUNDS)).then(number),
                f"1 to {MOST_ROUNDS}, or empty",
            ),
            (
                "colour",
                pl.col("colour")
                .str.to_lowercase()
                .replace_strict(COLOURS, default=None, return_dtype=pl.Int64),
                "white, black, or empty",
            ),
            *(
                (
                    name,
                    pl.when(value.is_between(1.0, HIGHEST)).then(value),
                    f"a rating of 1 to {HIGHEST:.0f}, or empty",
                )
                for name in ("rating_one", "rating_two")
                for value in (pl.col(name).cast(pl.Float64, strict=False),)
            ),
            *(
                (name, pl.when(year.is_between(*YEARS)).then(pl.date(year, 7, 1)), "a year as 1990, or empty")
                for name in ("born_one", "born_two")
                for year in (pl.col(name).cast(pl.Int64, strict=False),)
            ),
        )
    }
    half = pl.col("result").replace_strict(HALF_POINTS, default=None, return_dtype=pl.Int64)
    return sheet.games(
        **sheet.players(),
        start=day,
        end=day,
        event=sheet.told("event", pl.col("event"), "the name or id of an event"),
        section=pl.col("section").fill_null("1"),
        score=sheet.told("result", half, "1-0, 0-1 or 1/2-1/2"),
        **numbers
        | {
            "round": numbers["round"].fill_null(0),
            "colour": numbers["colour"].fill_null(int(sheet.white_first)),
        },
    )


def several_births(games: pl.DataFrame) -> Iterator[tuple[str, str, str]]:
    """Yield the players who have several birth dates, with the places of two."""
    sides = pl.concat(
        games.select(pl.col(side).alias("id"), pl.col(f"born_{side}").alias("born"), "where").drop_nulls()
        for side in ("one", "two")
    )
    first = sides.unique(["id", "born"], keep="first", maintain_order=True)
    twice = first.filter(pl.len().over("id") > 1).group_by("id", maintain_order=True)
    yield from twice.agg(pl.col("where").first(), other=pl.col("where").get(1)).iter_rows()
