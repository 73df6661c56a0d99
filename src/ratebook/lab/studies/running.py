"""Running a study: the cells that are missing, here, in several processes, or a slice of them."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from ratebook.findings import Finding, has_errors
from ratebook.lab.cells.cell import run_cell
from ratebook.lab.cells.measures import Measures
from ratebook.lab.studies import store
from ratebook.lab.studies.study import Study, Variant, of_world, variants_of
from ratebook.replay.run import Options

SECTIONS_AT_ONCE = 8_000
"""Fewer than a replay takes: several cells are computed side by side, and share the memory."""


class Task(NamedTuple):
    """A cell that is to be computed: everything that another process needs; *world* is the number of its world."""

    name: str
    history: Path
    variant: Variant
    measures: Measures
    place: store.CellFiles
    world: int = 0


class Done(NamedTuple):
    """What became of a task."""

    task: Task
    findings: tuple[Finding, ...] = ()

    @property
    def failed(self) -> bool:
        """Return whether the rules of the cell cannot rate the history."""
        return has_errors(self.findings)


Progress = Callable[[int, int, Done | None], None]
"""Is told after each cell how many are done, how many there are, and which was the last one."""


def history_of(study: Study, results: Path) -> Path:
    """Return the history of a study, of its first world; that is made if it is not there yet.

    Raises:
        OSError: the world cannot be written.
    """
    if study.world is not None:
        return store.world_in(results, study.world)
    assert study.history is not None, "a study has a history or a world"  # noqa: S101 - tells the type checker
    return study.history


def tasks_of(study: Study, results: Path) -> tuple[Task, ...]:
    """Return the cells of a study; its world is made if it is not there yet.

    Raises:
        OSError: the history cannot be read, or the world not be written.
        StudyError: an overlay does not fit the timeline.
    """
    variants = variants_of(study)
    (results / store.CELLS).mkdir(0o700, parents=True, exist_ok=True)
    base, tasks = store.rules_digest(variants[0].rules), []
    for number in range(study.seeds):
        history = history_of(of_world(study, number), results)
        digest = store.history_digest(history)
        for variant in variants:
            is_baseline = variant.competitor is None and store.rules_digest(variant.rules) == base
            measures = study.measures._replace(competitor=variant.competitor, is_baseline=is_baseline)
            place = store.place_of(results, digest, variant.rules, measures)
            tasks.append(Task(variant.name, history, variant, measures, place, world=number))
    return tuple(tasks)


def sliced(tasks: Sequence[Task], number: int, of: int) -> tuple[Task, ...]:
    """Return the tasks of slice *number* (from 1) *of* so many; all slices together are all tasks."""
    return tuple(tasks[number - 1 :: of])


def missing(tasks: Sequence[Task]) -> tuple[Task, ...]:
    """Return the tasks whose cells are not there, each once: variants may have the same rules."""
    by_place = {task.place.tables: task for task in tasks if not task.place.is_there}
    return tuple(by_place.values())


def compute(task: Task, threads: int = 1) -> Done:
    """Compute a cell and keep it; nothing is kept where the rules cannot rate the history.

    Raises:
        OSError: it cannot be written.
    """
    options = Options(threads=threads, sections_at_once=SECTIONS_AT_ONCE)
    cell = run_cell(task.history, task.variant.rules, task.measures, task.place.games, options)
    if cell.content is not None:
        store.keep(task.place, cell.content)
    return Done(task, cell.findings)


def run_here(tasks: Sequence[Task], progress: Progress, *, jobs: int = 1) -> Iterator[Done]:
    """Compute the cells that are missing, in *jobs* processes, and yield what became of each.

    Raises:
        OSError: a cell cannot be written.
    """
    cells = missing(tasks)
    progress(0, len(cells), None)
    if jobs == 1 or len(cells) == 1:
        for number, task in enumerate(cells, 1):
            cell = compute(task, threads=jobs)
            progress(number, len(cells), cell)
            yield cell
        return
    # The first cell compiles the engine, if need be, before others would do it again at the same time.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        waiting: set[Future[Done]] = set()
        number, rest = 0, list(cells)
        try:
            while rest or waiting:
                while rest and len(waiting) < (jobs if number else 1):
                    waiting.add(pool.submit(compute, rest.pop(0)))
                ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in ready:
                    number += 1
                    cell = future.result()
                    progress(number, len(cells), cell)
                    yield cell
        finally:
            pool.shutdown(cancel_futures=True)
