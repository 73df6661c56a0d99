"""Results on disk: a file a cell, named by all that decides its content, so that what is there is never done again."""

import hashlib
import json
from os import SEEK_END
from pathlib import Path
from typing import NamedTuple

import msgspec
import polars as pl

from ratebook import __version__
from ratebook.bounded_files import MOST_BYTES, bounded_bytes, opened_stream
from ratebook.lab.cells.content import CellContent
from ratebook.lab.cells.gathering import MEASURES
from ratebook.lab.cells.measures import Measures
from ratebook.lab.worlds.making import make_world
from ratebook.lab.worlds.world import World
from ratebook.model import System
from ratebook.records.record import plain
from ratebook.replay.tables import SCHEMAS
from ratebook.rules.rulebook import Rulebook, fingerprint

MEASURED = 10
"""Raised whenever a cell of the same measures holds something else than before: those of before are computed again."""
DIGITS = 16
CELLS, WORLDS, UNFINISHED = "cells", "worlds", ".unfinished"
BYTES_AT_ONCE = 1 << 20
ENDS = {".json": b"}\n", ".parquet": b"PAR1"}
"""By which files that were cut off are told from whole ones."""


class DamagedCellError(ValueError):
    """A cell's file has been damaged since it was written."""


class CellFiles(NamedTuple):
    """Where a cell lies: its tables as JSON, and its scored games."""

    tables: Path
    games: Path

    @property
    def is_there(self) -> bool:
        """Return whether the cell is complete; the tables are written last, and a file that was cut off is none."""
        return all(_is_whole(path) for path in (self.tables, self.games))


def _is_whole(path: Path) -> bool:
    end = ENDS[path.suffix]
    try:
        with opened_stream(path) as file:
            file.seek(-len(end), SEEK_END)
            return file.read() == end
    except OSError:
        return False


def history_digest(history: Path) -> str:
    """Return what tells a history from every other one: a digest of all its files."""
    digest = hashlib.sha256()
    for name in sorted((*SCHEMAS, "truth")):
        path = history / f"{name}.parquet"
        if path.exists():
            digest.update(name.encode())
            with opened_stream(path) as file:
                while data := file.read(BYTES_AT_ONCE):
                    digest.update(data)
    return digest.hexdigest()[:DIGITS]


def rules_digest(rules: Rulebook) -> str:
    """Return what tells rules from all others: every system's numbers on every day of change."""
    lines = [
        f"{system} {day} {fingerprint(rules.in_force(system, day))}"
        for system in System
        for day in rules.change_dates(system)
    ]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:DIGITS]


def place_of(results: Path, history: str, rules: Rulebook, measures: Measures) -> CellFiles:
    """Return where the cell of these digests and measures lies."""
    key = json.dumps(
        [
            history,
            rules_digest(rules),
            list(measures.key),
            __version__,
            MEASURED,
            [measure.name for measure in MEASURES],
        ],
        default=str,
    )
    return cell_files(results, hashlib.sha256(key.encode()).hexdigest()[:DIGITS])


def cell_files(results: Path, name: str) -> CellFiles:
    """Return where the cell of a name lies."""
    return CellFiles(results / CELLS / f"{name}.json", results / CELLS / f"{name}.parquet")


def world_in(results: Path, world: World) -> Path:
    """Return the history of a world, made if it is not there yet.

    Raises:
        OSError: it cannot be written.
    """
    settings = json.dumps([world._asdict(), __version__])
    folder = results / WORLDS / hashlib.sha256(settings.encode()).hexdigest()[:DIGITS]
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        make_world(world, folder)
    return folder


def keep(place: CellFiles, content: CellContent) -> None:
    """Write what is kept of a cell, whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    unfinished = place.tables.with_suffix(UNFINISHED)
    unfinished.write_text(json.dumps(plain(content), indent=1, allow_nan=True) + "\n", encoding="utf-8")
    unfinished.replace(place.tables)


def kept(place: CellFiles) -> CellContent:
    """Return what is kept of a cell that is there.

    Raises:
        DamagedCellError: it is no JSON any more, or lacks something.
    """
    try:
        # NaN is a figure here, which only Python's own reader knows.
        return msgspec.convert(json.loads(bounded_bytes(place.tables, MOST_BYTES)), CellContent)
    except (ValueError, msgspec.ValidationError) as failure:
        raise DamagedCellError(place.tables.name) from failure


def table_in(path: Path) -> pl.DataFrame:
    """Return the games or the members of a cell that is there.

    Raises:
        DamagedCellError: they are no Parquet file any more.
    """
    try:
        return pl.read_parquet(path)
    except pl.exceptions.PolarsError as failure:
        raise DamagedCellError(path.name) from failure
