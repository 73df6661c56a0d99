"""Games in Portable Game Notation, header after header; moves are skipped."""

import codecs
import io
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import chess.pgn
import polars as pl
import pyarrow as pa

from ratebook.bounded_files import opened_stream
from ratebook.findings import Findings, Place, list_text
from ratebook.lab.imports.games import GAMES, HALF_POINTS, HIGHEST, MOST_ROUNDS, SIDES, day_of, within

GAMES_AT_ONCE = 10_000
HEADERS = (
    "Event", "Site", "Date", "UTCDate", "EventDate", "Round", "White", "Black", "Result", "WhiteElo", "BlackElo",
    "WhiteFideId", "BlackFideId", "TimeControl", "Variant",
)  # fmt: skip
AS_LATIN_1 = "as-latin-1"
_PHASE = re.compile(r"(?:[0-9]{1,3}/)?\*?([0-9]{1,6})(?:\+([0-9]{1,4}))?")
_CONTROL = re.compile(rf"{_PHASE.pattern}(?::{_PHASE.pattern})*")


def _as_latin_1(failure: UnicodeError) -> tuple[str, int]:
    """Return bytes that are no UTF-8 as Latin-1, as old files have it."""
    assert isinstance(failure, UnicodeDecodeError), "a file is read"  # noqa: S101 - tells the type checker
    return failure.object[failure.start : failure.end].decode("latin-1"), failure.end


codecs.register_error(AS_LATIN_1, _as_latin_1)


def read_pgn(path: Path, findings: Findings, minutes: tuple[float, float] | None = None) -> pl.DataFrame:
    """Return the games of a file, or of those of a folder (``.pgn``, ``.pgn.zst``); what is left out is counted.

    A player is the FIDE number, also for games without it if the name has only one; else the name. A game on a server
    belongs to an event of its day, any other one to an event that begins on its EventDate, or of its year.

    Args:
        path: of the file or folder.
        findings: what is left out is added.
        minutes: least and most of the games that are wanted, as `minutes_of` counts; None: all.

    Raises:
        OSError: a file cannot be read.
    """
    rows = _rows(path)
    parts = [_told([], minutes)]
    while part := list(islice(rows, GAMES_AT_ONCE)):
        parts.append(_told(part, minutes))
    games = pl.concat(parts)
    reasons = games["reason"].drop_nulls().value_counts(sort=True)
    if len(reasons):
        said = list_text([f"{count:,} {reason}" for reason, count in reasons.iter_rows()])
        findings.add("games-left-out", Place(file=path.name), count=reasons["count"].sum(), reasons=said)
    names = pl.concat(
        games.select(name=side, number=f"number_{side}").drop_nulls() for side in SIDES
    ).unique()
    known = names.filter(pl.len().over("name") == 1)
    return (
        games.filter(pl.col("reason").is_null())
        .with_columns(
            pl.coalesce(f"number_{side}", pl.col(side).replace(known["name"], known["number"])).alias(side)
            for side in SIDES
        )
        .select(*GAMES)
    )


def _rows(path: Path) -> Iterator[list[str | None]]:
    files = sorted([*path.glob("*.pgn"), *path.glob("*.pgn.zst")]) if path.is_dir() else [path]
    for file in files:
        with opened_stream(file) as stream:
            is_compressed = file.suffix == ".zst"
            plain = io.BufferedReader(pa.CompressedInputStream(stream, "zstd")) if is_compressed else stream
            text = io.TextIOWrapper(plain, "utf-8", errors=AS_LATIN_1)
            try:
                while (headers := chess.pgn.read_headers(text)) is not None:
                    if headers:
                        yield [headers.get(name) for name in HEADERS]
            except OSError as failure:
                # Arrow does not say which file is damaged.
                raise OSError(failure.errno, str(failure), str(file)) from failure


def _told(rows: list[list[str | None]], minutes: tuple[float, float] | None) -> pl.DataFrame:
    """Return what headers say in the columns of games, with FIDE numbers and why a game cannot be used."""
    texts = pl.DataFrame(rows, schema=dict.fromkeys(HEADERS, pl.String), orient="row")
    texts = texts.select(pl.all().str.strip_chars().replace(["", "?"], None))
    lasts = pl.Series("Minutes", map(minutes_of, texts["TimeControl"]), pl.Float64)
    utc_day, local_day, begun = (day_of(name, "%Y.%m.%d") for name in ("UTCDate", "Date", "EventDate"))
    day = pl.coalesce(utc_day, local_day, begun)
    year = pl.coalesce(begun.cast(pl.String), day.dt.year().cast(pl.String))
    is_online = pl.col("Site").str.contains("://", literal=True).fill_null(value=False)
    white, black = (
        pl.col(f"{side.title()}FideId").str.strip_chars_start("0").replace("", None)
        for side in SIDES.values()
    )
    players = pl.coalesce(white, "White"), pl.coalesce(black, "Black")
    reasons = {
        "without a result": pl.col("Result").is_in(list(HALF_POINTS)).not_().fill_null(value=True),
        "of a variant of chess": pl.col("Variant").str.to_lowercase().is_in(["standard", "chess"]).not_(),
        "not rated": pl.col("Event").str.starts_with("Casual "),
        "of another time control": pl.col("Minutes")
        .is_between(*minutes or (0, 0))
        .not_()
        .fill_null(value=True)
        & (minutes is not None),
        "without a date": day.is_null(),
        "without a player": players[0].is_null() | players[1].is_null(),
        "of a player against himself": players[0] == players[1],
    }
    unknown = {name: pl.lit(None, kind) for name, kind in GAMES.items()}
    return texts.with_columns(lasts).select(
        **{
            **unknown,
            "start": day,
            "end": day,
            "event": pl.when(is_online)
            .then(pl.concat_str("Event", day.cast(pl.String), separator=" ", ignore_nulls=True))
            .otherwise(pl.concat_str("Event", "Site", year, separator=", ", ignore_nulls=True)),
            "section": pl.lit("1"),
            "round": within(pl.col("Round").str.split(".").list.first(), pl.Int64, 1, MOST_ROUNDS).fill_null(
                0
            ),
            "one": pl.col("White"),
            "two": pl.col("Black"),
            "score": pl.col("Result").replace_strict(HALF_POINTS, default=None, return_dtype=pl.Int64),
            "colour": pl.lit(1, pl.Int64),
            "rating_one": within(pl.col("WhiteElo"), pl.Float64, 1.0, HIGHEST),
            "rating_two": within(pl.col("BlackElo"), pl.Float64, 1.0, HIGHEST),
        },
        number_one=white,
        number_two=black,
        reason=pl.coalesce(pl.when(is_so).then(pl.lit(reason)) for reason, is_so in reasons.items()),
    )


def minutes_of(text: str | None) -> float | None:
    """Return how long a time control lasts, minutes of a player with a minute for each second of increment.

    None where it does not say so: without a limit, by letter, or unknown.

    >>> minutes_of("300+3"), minutes_of("40/7200:3600"), minutes_of("-")
    (8.0, 180.0, None)
    """
    if text is None or not _CONTROL.fullmatch(text):
        return None
    return sum(int(seconds) / 60.0 + int(added or 0) for seconds, added in _PHASE.findall(text))
