"""A child process that does one task on what somebody has sent, so that no file can take the server with it.

It takes its limits before it begins: memory, time, no file written, no core, no other process.
"""

import errno
import logging
import resource
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import ratebook

logger = logging.getLogger("ratebook.web")

MEGABYTE = 1024 * 1024
MOST_OPEN_FILES = 16
TOO_HEAVY = 2
"""The exit status where memory was not enough."""
RAISED = 1
"""That of Python after an exception that nothing caught."""


class Limits(NamedTuple):
    """What a task may take.

    Attributes:
        memory: bytes of address space.
        cpu_seconds: of the processor.
        deadline: seconds after which the child is killed.
    """

    memory: int = 768 * MEGABYTE
    cpu_seconds: int = 10
    deadline: float = 20.0


USUAL = Limits()
PATIENT = USUAL._replace(cpu_seconds=240, deadline=600.0)
"""An archive may hold thousands of reports, and is read by a job then."""


class NotDone(Exception):  # noqa: N818 - what became of the task, not a mistake of its caller
    """The child ended without an answer; the text is the name of the finding."""


def run(task: Callable[[bytes], bytes], data: bytes, limits: Limits = USUAL) -> bytes:
    """Return the answer of *task*, a function of a module, to *data*; a child process runs it.

    Raises:
        NotDone: it took more than its limits, or broke off.
    """
    try:
        done = subprocess.run(  # noqa: S603 - this program, and a function of its own
            [
                *(sys.executable, "-B", "-m", __name__, task.__module__, task.__name__),
                *(str(limits.memory), str(limits.cpu_seconds)),
            ],
            input=data,
            capture_output=True,
            timeout=limits.deadline,
            check=False,
            cwd="/",
            # The server's environment may hold passwords; the child needs none of it.
            env={"PYTHONPATH": str(Path(ratebook.__file__).parents[1])},
        )
    except subprocess.TimeoutExpired:
        raise NotDone("report-not-read.too-heavy") from None
    if done.returncode == RAISED:
        logger.error("the child that does %s broke off: %s", task, done.stderr.decode(errors="replace"))
        raise NotDone("report-not-read.broken-off")
    if done.returncode:
        raise NotDone("report-not-read.too-heavy")
    return done.stdout


def main(module: str, name: str, memory: str, cpu_seconds: str) -> int:
    """Do a task on what comes from the standard input, within limits."""
    task: Callable[[bytes], bytes] = getattr(import_module(module), name)
    data = sys.stdin.buffer.read()
    take_limits(Limits(int(memory), int(cpu_seconds)))
    try:
        answer = task(data)
    except MemoryError:
        return TOO_HEAVY
    except OSError as failure:
        # Modules that are loaded only when they are needed come with this one.
        if failure.errno != errno.ENOMEM:
            raise
        return TOO_HEAVY
    sys.stdout.buffer.write(answer)
    return 0


def take_limits(limits: Limits) -> None:
    """Take the limits of this process: it writes no file, leaves no core, and starts no other."""
    for kind, most in (
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_CPU, limits.cpu_seconds),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, MOST_OPEN_FILES),
        (resource.RLIMIT_NPROC, 0),
    ):
        resource.setrlimit(kind, (most, most))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
