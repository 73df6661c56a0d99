"""Cells computed by the workers of a Dask cluster that is there already: on many machines, or on this one.

A task is a cell, and its result is the file that it writes: what a scheduler says of a task is not relied upon. The
folders of the history and of the results are those of this machine; workers have them under the same names.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from distributed import Client, Future, as_completed

from ratebook import __version__
from ratebook.findings import Finding, Place, finding
from ratebook.lab.studies.running import Done, Progress, Task, compute, missing
from ratebook.lab.studies.store import CellFiles, history_digest

WAIT = 5
"""Seconds for which a scheduler may be without workers: those that have just been started join it meanwhile."""
RETRIES = 2
"""So often a cell is begun again after the worker that computed it was lost."""


class ClusterError(Exception):
    """The cluster cannot be used, or was lost; cells that are finished are kept."""

    def __init__(self, refusal: Finding) -> None:
        super().__init__(refusal.message)
        self.finding = refusal


class Asked(NamedTuple):
    """What a worker must have: the same program and the same history."""

    version: str
    history: str


def run_on_cluster(tasks: Sequence[Task], progress: Progress, address: str) -> Iterator[Done]:
    """Compute the cells that are missing by the workers of the scheduler at *address*, and yield what became of each.

    Settings of TLS are those of Dask (``distributed.comm.tls``).

    Raises:
        ClusterError: the scheduler is away or was lost, or a worker has another program or history, or wrote elsewhere.
    """
    cells = [_at_home(task) for task in missing(tasks)]
    progress(0, len(cells), None)
    if not cells:
        return
    digests = {history: history_digest(history) for history in {task.history for task in cells}}
    try:
        client = Client(address)
    except (OSError, ValueError, TimeoutError) as failure:
        raise ClusterError(finding("cluster-away", Place(subject=address), failure=failure)) from failure
    with client:
        try:
            client.wait_for_workers(1, timeout=WAIT)
        except TimeoutError as failure:
            raise ClusterError(
                finding("cluster-without-workers", Place(subject=address), address=address)
            ) from failure
        number = 0
        # The first cell compiles the engine, if need be, before others would do it again at the same time.
        for part in (cells[:1], cells[1:]):
            for cell in _computed(client, part, digests, address):
                number += 1
                progress(number, len(cells), cell)
                yield cell


def _computed(
    client: Client, tasks: Sequence[Task], digests: Mapping[Path, str], address: str
) -> Iterator[Done]:
    futures: dict[str, Task] = {task.place.tables.stem: task for task in tasks}
    sent: list[Future[Any]] = [
        client.submit(
            compute_there, task, Asked(__version__, digests[task.history]), key=key, retries=RETRIES
        )
        for key, task in futures.items()
    ]
    try:
        for future in as_completed(sent):
            yield _done(future, futures[future.key], address)
    finally:
        # After Ctrl-C, or a cell that failed, the others are not wanted any more.
        client.cancel(sent)


def _done(future: "Future[Any]", task: Task, address: str) -> Done:
    if future.status == "error":
        raise ClusterError(
            finding("cluster-cell-failed", Place(subject=task.name), failure=future.exception())
        )
    if future.status != "finished":
        raise ClusterError(finding("cluster-lost", Place(subject=address)))
    cell: Done | Finding = future.result()
    if isinstance(cell, Finding):
        raise ClusterError(cell)
    if not cell.failed and not task.place.is_there:
        raise ClusterError(finding("cluster-writes-elsewhere", Place(file=str(task.place.tables))))
    return cell


def compute_there(task: Task, conditions: Asked) -> Done | Finding:
    """Compute a cell on a worker, unless it has another program or history than *asked* for."""
    if __version__ != conditions.version:
        return finding(
            "cluster-version-differs", Place(subject=task.name), here=conditions.version, there=__version__
        )
    try:
        digest = history_digest(task.history)
    except OSError as failure:
        return finding(
            "cluster-history-differs.not-read", Place(file=str(task.history)), failure=failure.strerror
        )
    if digest != conditions.history:
        return finding("cluster-history-differs.other-history", Place(file=str(task.history)))
    return compute(task)


def _at_home(task: Task) -> Task:
    """Return a task whose folders a worker finds from wherever it runs."""
    place = CellFiles(*(path.absolute() for path in task.place))
    return task._replace(history=task.history.absolute(), place=place)
