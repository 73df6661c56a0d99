"""Games in Portable Game Notation, header after header; moves are skipped."""

import codecs
import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import chess.pgn
import polars as pl

from ratebook.bounded_files import opened_stream
from ratebook.findings import Findings, Place, list_text
from ratebook.lab.imports.games import GAMES, HALF_POINTS, HIGHEST, MOST_ROUNDS

GAMES_AT_ONCE = 100_000
CHESS = {"", "?", "standard", "chess"}
"""What the header Variant says of chess."""
AS_LATIN_1 = "as-latin-1"
"""How bytes are read that are no UTF-8: old files are in Latin-1."""
codecs.register_error(
    AS_LATIN_1, lambda failure: (failure.object[failure.start : failure.end].decode("latin-1"), failure.end)
)
_PHASE = re.compile(r"(?:[0-9]{1,3}/)?\*?([0-9]{1,6})(?:\+([0-9]{1,4}))?", re.ASCII)


class Minutes(NamedTuple):
    """How long the games that are wanted last at least and at most: minutes of a player, seconds of increment added."""

    least: float
    most: float


class LeftOutError(Exception):
    """A game cannot be used; the argument says which games are so."""


def read_pgn(path: Path, findings: Findings, minutes: Minutes | None = None) -> pl.DataFrame:
    """Return the games of a file, or of the files ``.pgn`` in a folder; those left out are counted by reason.

    A player is the FIDE number, also for games without it if the name has only one; else the name. A tournament on
    a server is an event of a day, any other one an event that begins on its EventDate, or of a year.

    Raises:
        OSError: a file cannot be read.
    """
    left_out: Counter[str] = Counter()
    numbers: defaultdict[str, set[str]] = defaultdict(set)
    rows = _rows(path, minutes, left_out, numbers)
    parts = [pl.DataFrame(schema=GAMES)]
    while part := list(islice(rows, GAMES_AT_ONCE)):
        parts.append(pl.DataFrame(part, schema=GAMES))
    if left_out:
        reasons = list_text([f"{count:,} {reason}" for reason, count in left_out.most_common()])
        findings.add("games-left-out", Place(file=path.name), count=left_out.total(), reasons=reasons)
    known = {name: min(ids) for name, ids in numbers.items() if len(ids) == 1}
    return pl.concat(parts).with_columns(pl.col("one", "two").replace(known))


def _rows(
    path: Path, minutes: Minutes | None, left_out: Counter[str], numbers: defaultdict[str, set[str]]
) -> Iterator[dict[str, object]]:
    for file in sorted(path.glob("*.pgn")) if path.is_dir() else [path]:
        with opened_stream(file) as stream, io.TextIOWrapper(stream, "utf-8", errors=AS_LATIN_1) as text:
            while (headers := chess.pgn.read_headers(text)) is not None:
                if not headers:
                    continue
                try:
                    yield _row(headers, minutes, numbers)
                except LeftOutError as reason:
                    left_out[str(reason)] += 1


def _row(
    headers: chess.pgn.Headers, minutes: Minutes | None, numbers: defaultdict[str, set[str]]
) -> dict[str, object]:
    """Return what is known of a game, by columns of `GAMES`.

    Raises:
        LeftOutError: the game cannot be used.
    """
    result, name = headers.get("Result", "*"), headers.get("Event", "?")
    if result not in HALF_POINTS:
        raise LeftOutError("without a result")
    if headers.get("Variant", "").casefold() not in CHESS:
        raise LeftOutError("of a variant of chess")
    if name.startswith("Casual "):
        raise LeftOutError("not rated")
    if (
        minutes is not None
        and not minutes.least <= minutes_of(headers.get("TimeControl", "")) <= minutes.most
    ):
        raise LeftOutError("of another time control")
    begun = _day(headers, "EventDate")
    day = _day(headers, "UTCDate") or _day(headers, "Date") or begun
    if day is None:
        raise LeftOutError("without a date")
    player, opponent = (_player(headers, side, numbers) for side in ("White", "Black"))
    if player == opponent:
        raise LeftOutError("of a player against himself")
    site = headers.get("Site", "?")
    event = f"{name} {day}" if "://" in site else f"{name}, {site}, {begun or day.year}"
    number = headers.get("Round", "").partition(".")[0]
    is_round = number.isascii() and number.isdecimal() and int(number) <= MOST_ROUNDS
    return {
        "start": day,
        "end": day,
        "event": event,
        "section": "1",
        "round": int(number) if is_round else 0,
        "one": player,
        "two": opponent,
        "score": HALF_POINTS[result],
        "colour": 1,
        "rating_one": _rating(headers, "WhiteElo"),
        "rating_two": _rating(headers, "BlackElo"),
    }


def _day(headers: chess.pgn.Headers, name: str) -> date | None:
    """Return the day of a header; None where it says none, as ``2013.??.??``."""
    try:
        return date.fromisoformat(headers.get(name, "").replace(".", "-"))
    except ValueError:
        return None


def _player(headers: chess.pgn.Headers, side: str, numbers: defaultdict[str, set[str]]) -> str:
    name, number = headers.get(side, "").strip(), headers.get(f"{side}FideId", "").strip()
    if number.isascii() and number.isdecimal() and number.strip("0"):
        numbers[name].add(number)
        return number
    if name.strip("?") == "":
        raise LeftOutError("without a player")
    return name


def _rating(headers: chess.pgn.Headers, name: str) -> float | None:
    text = headers.get(name, "")
    rating = float(text) if text.isascii() and text.isdecimal() else 0.0
    return rating if 1.0 <= rating <= HIGHEST else None


def minutes_of(text: str) -> float:
    """Return how long a time control lasts, minutes of a player with a minute for each second of increment.

    NaN where it does not say so: without a limit, by letter, or unknown.

    >>> minutes_of("300+3"), minutes_of("40/7200:3600"), minutes_of("-")
    (8.0, 180.0, nan)
    """
    phases = [_PHASE.fullmatch(phase) for phase in text.split(":")]
    total = 0.0
    for phase in phases:
        if phase is None:
            return float("nan")
        total += int(phase[1]) / 60.0 + int(phase[2] or 0)
    return total
