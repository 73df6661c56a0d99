"""What is measured in a process of its own: compiling with an empty and a full cache, and the memory of a replay."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ratebook.demo.synthetic import Shape, synthetic_history
from ratebook.replay.history import write_history
from ratebook.replay.run import Options, replay, replay_to_file

if TYPE_CHECKING:
    from collections.abc import Callable

FEW = Shape(games=100, members=50)
"""A history that takes no time."""

STATUS = Path("/proc/self/status")
KIBIBYTE = 1024


def first_use(cache: Path, clock: Callable[[], float]) -> dict[str, float]:
    """Return the seconds until a history of next to no games is rated by the compiled loop."""
    history = synthetic_history(FEW)
    begin = clock()
    replay(history, options=Options(short=0, cache=cache))
    return {"seconds": clock() - begin}


def written(folder: Path, shape: Shape) -> dict[str, float]:
    """Write a synthetic history, in a process that may use as much memory as that takes."""
    history = synthetic_history(shape)
    write_history(history, folder)
    return {"sections": history.sections.num_rows}


def memory_of_replay(folder: Path, ledger: Path, clock: Callable[[], float]) -> dict[str, float]:
    """Replay a history from disk to disk; return seconds, rows and the most memory used, in megabytes.

    ``megabytes`` is the process's own memory, looked at after each chunk where the system tells it; ``with_files`` is
    its peak with the pages of mapped files, which the system takes back when it needs them.
    """
    own = [0.0]

    def look(_done: int, _sections: int) -> None:
        own[0] = max(own[0], megabytes_of("RssAnon:"))

    begin = clock()
    rows = replay_to_file(folder, ledger, options=Options(short=0, progress=look)).rows
    seconds = clock() - begin
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
    import resource  # noqa: PLC0415 - not on every system

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * KIBIBYTE / 1e6
