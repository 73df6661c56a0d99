"""A child process that does one task on what somebody has sent, so that no file can take the server with it.

It takes its limits before it begins: memory, time, no file written, no core, no other process. Which of them there are
depends on the system: macOS refuses the one of memory, and Windows has none. The deadline holds everywhere.
"""

import errno
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import ratebook

try:
    import resource
except ModuleNotFoundError:  # Windows
    resource = None  # type: ignore[assignment]

logger = logging.getLogger("ratebook.web")

MEGABYTE = 1024 * 1024
MOST_OPEN_FILES = 16
TOO_HEAVY = 90
"""The exit status where memory was not enough; Python itself ends with 1, 2 and 120."""
STOPPED = {-getattr(signal, name) for name in ("SIGXCPU", "SIGKILL") if hasattr(signal, name)}
"""The exit statuses where the system stopped the child: its time was over, or the machine had no memory left."""
NO_LIMITS = "this system does not have the limits "
"""How the child begins the line that names the limits it could not take."""
NEEDED = ("SYSTEMROOT",)
"""Variables without which Python does not start on Windows."""


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
        process = subprocess.run(  # noqa: S603 - this program, and a function of its own
            [
                *(sys.executable, "-B", "-m", __name__, task.__module__, task.__name__),
                *(str(limits.memory), str(limits.cpu_seconds)),
            ],
            input=data,
            capture_output=True,
            timeout=limits.deadline,
            check=False,
            cwd="/",
            env=environment(),
        )
    except subprocess.TimeoutExpired:
        raise NotDone("report-not-read.too-heavy") from None
    errors = process.stderr.decode(errors="replace")
    if process.returncode == TOO_HEAVY or process.returncode in STOPPED:
        raise NotDone("report-not-read.too-heavy")
    if process.returncode:
        logger.error("the child that does %s ended with status %d: %s", task, process.returncode, errors)
        raise NotDone("report-not-read.broken-off")
    if errors.startswith(NO_LIMITS):
        _warn_once(errors.splitlines()[0])
    return process.stdout


def environment() -> dict[str, str]:
    """Return the environment of the child: that of the server may hold passwords, and the child needs none of them."""
    needed = {name: os.environ[name] for name in NEEDED if name in os.environ}
    # It finds installed packages where the server does.
    places = (str(Path(ratebook.__file__).parents[1]), *filter(os.path.isabs, sys.path))
    return {"PYTHONPATH": os.pathsep.join(dict.fromkeys(places)), **needed}


@cache
def _warn_once(words: str) -> None:
    logger.warning("uploaded files are read with fewer limits: %s", words)


def main(module: str, name: str, memory: str, cpu_seconds: str) -> int:
    """Do a task on what comes from the standard input, within limits."""
    task: Callable[[bytes], bytes] = getattr(import_module(module), name)
    data = sys.stdin.buffer.read()
    missing = take_limits(Limits(int(memory), int(cpu_seconds)))
    if missing:
        print(NO_LIMITS + ", ".join(missing), file=sys.stderr)  # noqa: T201 - to the parent
    try:
        answer = task(data)
    except MemoryError:
        return TOO_HEAVY
    except OSError as failure:
        # Modules that are loaded only when they are needed come with this one.
        if failure.errno != errno.ENOMEM:
            raise
        return TOO_HEAVY
    except ImportError as failure:
        # The words of the loader where there is no memory for a library.
        if "failed to map segment" not in str(failure):
            raise
        return TOO_HEAVY
    sys.stdout.buffer.write(answer)
    return 0


def take_limits(limits: Limits) -> list[str]:
    """Take the limits of this process: it writes no file, leaves no core, and starts no other.

    Each is taken by itself; the names of those that the system does not have, or refuses, are returned.
    """
    missing = []
    for name, most in (
        ("RLIMIT_AS", limits.memory),
        ("RLIMIT_CPU", limits.cpu_seconds),
        ("RLIMIT_FSIZE", 0),
        ("RLIMIT_CORE", 0),
        ("RLIMIT_NOFILE", MOST_OPEN_FILES),
        ("RLIMIT_NPROC", 0),
    ):
        try:
            resource.setrlimit(getattr(resource, name), (most, most))
        except (AttributeError, ValueError, OSError):
            missing.append(name)
    return missing


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
