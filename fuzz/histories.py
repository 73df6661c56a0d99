"""Histories: games from the files of others, and columns as a program hands them over."""

from __future__ import annotations

import json
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa

from fuzz.readers import Fuzzed
from ratebook.demo.synthetic import Shape, synthetic_history
from ratebook.findings import Findings
from ratebook.lab.imports.games import read_games
from ratebook.lab.imports.histories import history_of_games, sections_of
from ratebook.lab.imports.pgn import read_pgn
from ratebook.replay.run import Options, check_history
from ratebook.replay.tables import SCHEMAS, History

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import polars as pl

GAMES = (
    b"date,event,section,round,white,black,result,white rating,black birth date\n"
    b"2020-05-01,E1,1,1,Adams,Baker,1-0,1500,1990\n2020-05-02,E1,1,2,Baker,Adams,1/2-1/2,,1991-02-03\n"
)


PGN = (
    b'[Event "Winter Open"]\n[Site "Erewhon"]\n[Date "2024.01.06"]\n[EventDate "2024.01.03"]\n[Round "4.12"]\n'
    b'[White "Adams, A"]\n[Black "Baker, B"]\n[Result "1/2-1/2"]\n[WhiteElo "2400"]\n[WhiteFideId "0101"]\n'
    b'[TimeControl "40/5400+30:900+30"]\n\n1. e4 { [x] } e5 1/2-1/2\n\n'
)


def read_columns(cache: Path, data: bytes) -> None:
    """Read a history whose columns are given as JSON; what no table can hold is the harness's own business."""
    try:
        said = json.loads(data)
        tables = [
            pa.table(
                {one: pa.array(values, SCHEMAS[name].field(one).type) for one, values in said[name].items()}
            )
            for name in History._fields
        ]
    except (
        ValueError,
        TypeError,
        KeyError,
        AttributeError,
        OverflowError,
        RecursionError,
        pa.ArrowException,
    ):
        return
    check_history(History(*tables), options=Options(short=1_000_000, cache=cache))


def _columns() -> bytes:
    made = synthetic_history(Shape(12, 6, decided=0.5, matches=0.2, foreign=0.2))
    tables = {
        name: {one: _plain(column) for one, column in pa.table(table).to_pydict().items()}
        for name, table in made._asdict().items()
    }
    return json.dumps(tables).encode()


def _plain(values: list[object]) -> list[object]:
    # Arrow takes days as numbers too.
    return [(one - date(1970, 1, 1)).days if isinstance(one, date) else one for one in values]


def readers(scratch: Path) -> tuple[Fuzzed, ...]:
    """Return the readers of histories; files come as *scratch*."""

    def read(games_of: Callable[[Path, Findings], pl.DataFrame], data: bytes) -> None:
        scratch.write_bytes(data)
        findings = Findings()
        games = games_of(scratch, findings)
        sections_of(games)
        if not findings.has_errors:
            history_of_games(games)

    return (
        Fuzzed("games", partial(read, read_games), (GAMES,)),
        Fuzzed("games as PGN", partial(read, partial(read_pgn, minutes=(0.0, 1e6))), (PGN,)),
        Fuzzed("histories as columns", partial(read_columns, scratch.parent / "cache"), (_columns(),)),
    )
