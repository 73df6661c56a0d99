"""What a study costs: time, processor time and memory of all its cells, against the aims of ten minutes and 2.5 GB.

The world is made before the clock starts. The processor time of a cell is compared with that of a plain replay of the
baseline's rules, which scores nothing: the ratio holds on busy machines too. Memory is looked at each second: that of
this process and of those that it started; pages that several of them have are counted once.
"""

from __future__ import annotations

import argparse
import resource
import sys
import threading
import time
from pathlib import Path

from ratebook.lab.studies.lock import write_lock
from ratebook.lab.studies.running import SECTIONS_AT_ONCE, run_here, tasks_of
from ratebook.lab.studies.study import read_study
from ratebook.replay.run import Options, Run

STUDY = Path("examples/lab/committee-2012/full.toml")
MOST_SECONDS, MOST_MEGABYTES = 600.0, 2500.0
KILOBYTES = 1024.0


class MemoryLook(threading.Thread):
    """Looks each second at the memory that is used, kilobytes; Linux only."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.over = threading.Event()
        self.most = 0

    def run(self) -> None:  # noqa: D102 - of threads
        here = Path("/proc/self/task")
        while not self.over.wait(1.0):
            children = " ".join((task / "children").read_text(encoding="ascii") for task in here.iterdir())
            self.most = max(self.most, sum(map(_used, ("self", *children.split()))))


def _used(process: str) -> int:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        # It has just ended.
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def main() -> int:
    """Run the cells that are missing; the status is 1 where an aim is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--study", type=Path, default=STUDY)
    parser.add_argument("--results", type=Path, default=Path("build/lab-full"))
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    study = read_study(options.study)
    tasks = tasks_of(study, options.results)
    write_lock(study, tasks, options.results)
    begun = time.perf_counter()
    before = _processor_seconds()
    looking = MemoryLook()
    looking.start()
    cells = list(run_here(tasks, lambda *_: None, jobs=options.jobs))
    looking.over.set()
    seconds = time.perf_counter() - begun
    processor = _processor_seconds() - before
    megabytes = looking.most / KILOBYTES
    # By now the engine is compiled.
    before = _processor_seconds()
    plain = Options(threads=1, sections_at_once=SECTIONS_AT_ONCE)
    for _ in Run(tasks[0].history, tasks[0].variant.rules, plain).rated_chunks():
        pass
    replay = _processor_seconds() - before
    sys.stdout.write(
        f"{len(cells)} of {len(tasks)} cells in {seconds:.0f} s with {options.jobs} processes\n"
        f"{processor:.0f} s of processor time, at most {megabytes:,.0f} MB\n"
        f"a cell takes {processor / max(1, len(cells)) / replay:.2f} times a plain replay of {replay:.1f} s\n"
    )
    failed = any(cell.failed for cell in cells)
    return 1 if failed or seconds > MOST_SECONDS or megabytes > MOST_MEGABYTES else 0


def _processor_seconds() -> float:
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


if __name__ == "__main__":
    sys.exit(main())
