"""Studies from Python: run one, and have its results as Polars frames (docs/laboratory-notebook.md)."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from ratebook.lab.cells.content import CellContent
from ratebook.lab.imports.games import GAMES
from ratebook.lab.imports.histories import history_of_games
from ratebook.lab.studies.comparing import DEFAULT_BLOCKS, Blocks
from ratebook.lab.studies.lock import Lock, read_lock, write_lock
from ratebook.lab.studies.running import Progress, run_here, tasks_of
from ratebook.lab.studies.store import kept
from ratebook.lab.studies.study import StudyError, read_study
from ratebook.lab.studies.summary import summary
from ratebook.records.record import plain
from ratebook.replay.history import write_history

_NOT_IN_A_CELL = ("differences", "more", "fitted", "parts", "margins")
"""Of a line of the summary: they have frames of their own, or are words."""


class StudyFrames(NamedTuple):
    """The results of a study, as far as they are there; each frame has the column *variant*, the baseline first.

    Frames of what a cell holds also have the number of its *world*, from 0.
    """

    lock: Lock

    def variants(self) -> pl.DataFrame:
        """Return a row for each variant: scores, truth and drift, as in `VariantLine`."""
        lines = [line._asdict() for line in summary(self.lock).lines]
        rows = [{name: line[name] for name in line if name not in _NOT_IN_A_CELL} for line in lines]
        return pl.DataFrame(rows).rename({"name": "variant"})

    def differences(self, blocks: Blocks = DEFAULT_BLOCKS) -> pl.DataFrame:
        """Return the differences of each variant from the baseline, by loss, with errors from *blocks* of games.

        Those of several worlds are means, with errors over the worlds.
        """
        return _frame(
            {"variant": line.name, **difference._asdict(), "z": difference.z}
            for line in summary(self.lock, blocks).lines[1:]
            for difference in line.differences
        )

    def scores(self) -> pl.DataFrame:
        """Return the scores of each population of games."""
        return self._rows(lambda cell: cell.scores)

    def parts(self) -> pl.DataFrame:
        """Return how variants differ from the baseline in each population and part of the games, on the same games."""
        return _frame(
            {"variant": line.name, **part._asdict(), **part.loss._asdict()}
            for line in summary(self.lock).lines[1:]
            for part in line.parts
        )

    def calibration(self) -> pl.DataFrame:
        """Return what favourites score, by the difference of ratings in rating points."""
        return self._rows(lambda cell: cell.calibration)

    def level(self) -> pl.DataFrame:
        """Return the level of the monitoring cohort and of all active players, by year; without lists and tables."""
        return self._rows(lambda cell: cell.level)

    def balance(self) -> pl.DataFrame:
        """Return the balance of points by year and cause, rating points."""
        return self._rows(lambda cell: cell.balance)

    def _rows(self, table: Callable[[CellContent], Iterable[object]]) -> pl.DataFrame:
        return _frame(
            {"variant": variant.name, "world": number, **dict(_flat(plain(row)))}
            for number, world in enumerate(self.lock.worlds)
            for variant in world.variants
            if variant.place.is_there
            for row in table(kept(variant.place))
        )


def _flat(row: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the columns of a row: figures of a group after its name, points by their cause alone."""
    for name, value in row.items():
        if isinstance(value, dict):
            prefix = "" if name == "causes" else f"{name}_"
            yield from ((prefix + inner, figure) for inner, figure in value.items() if inner != "percentiles")
        elif not isinstance(value, list):
            yield name, value


def _frame(rows: Iterator[Mapping[str, Any]]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), infer_schema_length=None)


def run_study(
    path: Path | str, results: Path | str, *, jobs: int = 1, progress: Progress | None = None
) -> StudyFrames:
    """Compute the cells of a study that are missing, and return its results.

    Args:
        path: of the study, a TOML file.
        results: a folder, made if need be.
        jobs: cells computed at the same time.
        progress: is called after each cell with how many are done, how many there are, and the last one.

    Raises:
        OSError: a file cannot be read or written.
        StudyError: the study is wrong, or the rules of a variant cannot rate its history.
    """
    study, folder = read_study(Path(path)), Path(results)
    tasks = tasks_of(study, folder)
    write_lock(study, tasks, folder)
    for done in run_here(tasks, progress or (lambda *_: None), jobs=jobs):
        if done.failed:
            raise StudyError(done.findings)
    return read_results(folder)


def read_results(results: Path | str) -> StudyFrames:
    """Return the results of a study in a folder.

    Raises:
        OSError: there are none.
        ValueError: they are none of ours.
    """
    return StudyFrames(read_lock(Path(results)))


def write_games(games: pl.DataFrame, folder: Path | str) -> None:
    """Write games as a history that a study can name, every section rated in OTB Regular.

    Args:
        games: a row for each game, with the columns of ``ratebook.lab.imports.games.GAMES``.
        folder: must not exist.

    Raises:
        FileExistsError: *folder* exists.
        OSError: it cannot be written.
        polars.exceptions.PolarsError: a column is missing, or of another type.
    """
    write_history(history_of_games(games.select(*GAMES).cast(GAMES)), Path(folder))
