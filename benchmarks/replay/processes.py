"""What is measured in a process of its own: compiling with an empty and a full cache, memory, and work in a book."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from benchmarks.commands import import_of_reports, start_up
from benchmarks.rerating import measure_re_rating, write_people, write_reports

from ratebook.book.connection import Actor
from ratebook.book.profile import Profile
from ratebook.cli.book.session import collect_seldom
from ratebook.demo.build import build_federation
from ratebook.demo.synthetic import Shape, synthetic_history
from ratebook.office.creation import create_book
from ratebook.replay.history import write_history
from ratebook.replay.run import Options, replay, replay_to_file

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]

FEW = Shape(games=100, members=50)
"""A history that takes no time."""

STATUS = Path("/proc/self/status")
KIBIBYTE = 1024


def in_process(work: str, **settings: object) -> dict[str, float]:
    """Do one of `WORKS` in a process of its own and return its figures."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    process = subprocess.run(
        [sys.executable, "-m", "benchmarks.replay", "--work", work, json.dumps(settings)],
        check=True,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    )
    figures: dict[str, float] = json.loads(process.stdout)
    return figures


def first_use(cache: str) -> dict[str, float]:
    """Return the seconds until a history of next to no games is rated by the compiled loop."""
    history = synthetic_history(FEW)
    begin = perf_counter()
    replay(history, options=Options(short=0, cache=Path(cache)))
    return {"seconds": perf_counter() - begin}


def write_synthetic(history: str, games: int, members: int, seed: int) -> dict[str, float]:
    """Write a synthetic history, in a process that may use as much memory as that takes."""
    drawn = synthetic_history(Shape(games, members, seed))
    write_history(drawn, Path(history))
    return {"sections": drawn.sections.num_rows}


def memory_of_replay(history: str, ledger: str) -> dict[str, float]:
    """Replay a history from disk to disk; return seconds, rows and the most memory used, in megabytes.

    ``megabytes`` is the process's own memory, looked at after each chunk where the system tells it; ``with_files`` is
    its peak with the pages of mapped files, which the system takes back when it needs them.
    """
    own = [0.0]

    def look(_done: int, _sections: int) -> None:
        own[0] = max(own[0], megabytes_of("RssAnon:"))

    begin = perf_counter()
    rows = replay_to_file(Path(history), Path(ledger), options=Options(short=0, progress=look)).rows
    seconds = perf_counter() - begin
    most = peak_megabytes()
    return {"seconds": seconds, "rows": rows, "megabytes": own[0] or most, "with_files": most}


def megabytes_of(field: str) -> float:
    """Return a field of this process's status in megabytes; 0 where the system has none."""
    if STATUS.exists():
        for line in STATUS.read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith(field):
                return int(line.split()[1]) * KIBIBYTE / 1e6
    return 0.0


def peak_megabytes() -> float:
    """Return the most memory that this process held at once.

    Linux writes into the usage of a new process what the process that started it held; its status is its own.
    """
    most = megabytes_of("VmHWM:")
    if most:
        return most
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * KIBIBYTE / 1e6


def re_rating_in_a_book(members: int, years: int, seed: int) -> dict[str, float]:
    """Make a book of an invented federation, re-rate in it, and return how long that took."""
    actor = Actor("benchmark", "2026-01-01T00:00:00Z")
    with tempfile.TemporaryDirectory(prefix="ratebook-bench-") as folder:
        book = create_book(str(Path(folder) / "bench.book"), Profile(), actor)
        federation = build_federation(members, years, seed=seed)
        write_people(book, federation, actor)
        reports = write_reports(book, federation, actor)
        collect_seldom()
        measured = measure_re_rating(book, actor)
        book.close()
    return {**measured._asdict(), "reports": reports, "games": federation.games}


def import_into_a_book(members: int, years: int, seed: int) -> dict[str, float]:
    """Import the reports of an invented federation and return what that cost."""
    with tempfile.TemporaryDirectory(prefix="ratebook-bench-") as folder:
        cost, reports = import_of_reports(Path(folder), members, years, seed)
    return {**cost._asdict(), "reports": reports}


def starts(runs: int) -> dict[str, float]:
    """Return the processor time of starting commands."""
    with tempfile.TemporaryDirectory(prefix="ratebook-bench-") as folder:
        return start_up(Path(folder), runs)


WORKS: dict[str, Callable[..., dict[str, float]]] = {
    "first-use": first_use,
    "write": write_synthetic,
    "memory": memory_of_replay,
    "book": re_rating_in_a_book,
    "import": import_into_a_book,
    "starts": starts,
}
