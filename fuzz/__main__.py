"""Fuzz all readers in one run and print what was read and what failed; status 1 if anything did.

An input is the number of a reader (a byte) and what it reads. A failure is an exception that the reader does not
document, more than 20 seconds of processor time, or more than 300 MB of memory for one input. The first input of each
kind of failure is kept in ``build/fuzz/failures``, and ``python -m fuzz FILE...`` reads such files again.
"""

from __future__ import annotations

import argparse
import hashlib
import mmap
import os
import resource
import shutil
import signal
import struct
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

import atheris

from fuzz import mutation

if TYPE_CHECKING:
    from fuzz.readers import Fuzzed

BUILD = Path(__file__).resolve().parent.parent / "build" / "fuzz"
FAILURES, LEARNED = BUILD / "failures", BUILD / "corpus"
SECONDS, KILOBYTES = 20.0, 300_000
LONGEST = 60_000
MEMORY = Path("/dev/shm")  # noqa: S108 - folders in it are the process's own
FIGURES = struct.Struct("=Qdd")
"""Of a reader: how many inputs it read, seconds of the processor in all, and for the slowest."""


class TooLongError(BaseException):
    """Reading an input takes too long; not an exception that a reader could catch."""


def readers_in(folder: Path) -> tuple[Fuzzed, ...]:
    """Import what is fuzzed so that its branches are seen, and return all readers."""
    with atheris.instrument_imports(include=["ratebook"], exclude=["ratebook.replay.engine"]):
        from fuzz import book, histories, lists, reports, settings, web  # noqa: PLC0415 - instrumented
    scratch = folder / "fuzzed"
    return (
        *reports.READERS,
        *lists.readers(scratch),
        *settings.readers(scratch),
        *book.readers(folder),
        *histories.readers(scratch),
        *web.readers(folder),
    )


class Fuzzing:
    """One run: it counts what is read in memory that outlives it, and keeps what fails.

    Args:
        readers: all of them; the place is the number.
        figures: of all readers, in this order.
        only: the reader for all inputs, of any number.
    """

    def __init__(self, readers: tuple[Fuzzed, ...], figures: mmap.mmap, only: str) -> None:
        self.readers = readers
        self.figures = figures
        self.only = next((number for number, one in enumerate(readers) if one.name == only), None)
        self.failed: set[tuple[str, str]] = set()
        signal.signal(signal.SIGVTALRM, _too_long)

    def read(self, data: bytes) -> None:
        """Read one input and keep it if it fails as none before it."""
        if not data:
            return
        number = data[0] % len(self.readers) if self.only is None else self.only
        started = time.process_time()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
        try:
            self.readers[number].read(data[1:])
            grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
            assert grown <= KILOBYTES, f"{grown:,} KB of memory"
        except (Exception, TooLongError) as failure:  # noqa: BLE001 - what fails is what is looked for
            self.keep(self.readers[number].name, failure, data)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            self.count(number, time.process_time() - started)

    def count(self, number: int, seconds: float) -> None:
        """Count an input of a reader."""
        at = number * FIGURES.size
        inputs, together, slowest = FIGURES.unpack_from(self.figures, at)
        FIGURES.pack_into(self.figures, at, inputs + 1, together + seconds, max(slowest, seconds))

    def keep(self, name: str, failure: BaseException, data: bytes) -> None:
        """Keep the first input of each kind of failure, with what it says."""
        places = [one for one in traceback.extract_tb(failure.__traceback__) if "fuzz" not in one.filename]
        own = [one for one in places if "ratebook" in one.filename] or places
        where = f"{Path(own[-1].filename).name}:{own[-1].lineno}" if own else ""
        kind = (type(failure).__name__, where)
        if kind in self.failed:
            return
        self.failed.add(kind)
        place = (
            FAILURES / f"{name.replace(': ', '-').replace(' ', '-')}-{hashlib.sha256(data).hexdigest()[:12]}"
        )
        place.write_bytes(data)
        said = "".join(traceback.format_exception(failure))
        place.with_suffix(".txt").write_text(f"{name}: {kind}\n{said}", "utf-8", "backslashreplace")
        print(f"FAILED {name}: {kind[0]} at {where}: {str(failure)[:200]!r}: {place}", flush=True)

    def mutated(self, data: bytes, most: int, seed: int) -> bytes:
        """Change an input: half of the time bytes, as the fuzzer does, else words and lines of it.

        A quarter of all inputs begin with a seed of the reader that had the fewest.
        """
        if seed % 4 == 0 and self.only is None:
            number = min(range(len(self.readers)), key=self.inputs_of)
            seeds = self.readers[number].seeds
            data = bytes([number]) + seeds[seed // 4 % len(seeds)]
        if len(data) > 1 and seed % 8 < 4:  # noqa: PLR2004 - half of them
            return (data[:1] + mutation.changed(data[1:], seed))[:most]
        return bytes(atheris.Mutate(data, most))

    def inputs_of(self, number: int) -> int:
        """Return how many inputs a reader had."""
        return int(FIGURES.unpack_from(self.figures, number * FIGURES.size)[0])

    def run(self, arguments: list[str]) -> None:
        """Fuzz; the process ends here."""
        LEARNED.mkdir(parents=True, exist_ok=True)
        for number, one in enumerate(self.readers):
            for seed in one.seeds:
                (LEARNED / hashlib.sha256(bytes([number]) + seed).hexdigest()).write_bytes(
                    bytes([number]) + seed
                )
        atheris.Setup([sys.argv[0], str(LEARNED), *arguments], self.read, custom_mutator=self.mutated)
        atheris.Fuzz()


def _too_long(*_: object) -> None:
    raise TooLongError(f"{SECONDS:g} seconds of processor time")


def main() -> int:
    """Fuzz in a child process, which its library ends; return the status."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="inputs that are read again, instead")
    parser.add_argument("--inputs", type=int, default=-1, help="how many are read at most (-1: any number)")
    parser.add_argument("--seconds", type=int, default=0, help="for how long (0: without end)")
    parser.add_argument("--only", default="", help="the name of the only reader")
    parser.add_argument("--seed", type=int, default=0, help="of the chances (0: another one each time)")
    asked = parser.parse_args()
    if not asked.files:
        shutil.rmtree(FAILURES, ignore_errors=True)
    FAILURES.mkdir(parents=True, exist_ok=True)
    figures = mmap.mmap(-1, 256 * FIGURES.size)
    started = time.monotonic()
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        names, receiver = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(names)
            fuzzing = Fuzzing(readers_in(Path(folder)), figures, asked.only)
            os.write(receiver, "\n".join(one.name for one in fuzzing.readers).encode())
            os.close(receiver)
            if asked.files:
                for path in asked.files:
                    fuzzing.read(path.read_bytes())
                os._exit(1 if fuzzing.failed else 0)
            fuzzing.run(
                [
                    f"-runs={asked.inputs}",
                    f"-max_total_time={asked.seconds}",
                    f"-max_len={LONGEST}",
                    f"-seed={asked.seed}",
                    "-timeout=300",
                    "-rss_limit_mb=4096",
                    f"-artifact_prefix={FAILURES}/",
                    "-print_final_stats=1",
                    "-verbosity=1",
                ]
            )
        os.close(receiver)
        with os.fdopen(names, encoding="utf-8") as stream:
            all_names = stream.read().splitlines()
        _, status = os.waitpid(child, 0)
    total = 0
    print("      inputs   on average   slowest  reader")
    for number, name in enumerate(all_names):
        inputs, seconds, slowest = FIGURES.unpack_from(figures, number * FIGURES.size)
        total += inputs
        print(f"{inputs:>12,} {1000 * seconds / max(inputs, 1):>8.2f} ms {1000 * slowest:>8.0f} ms  {name}")
    failures = sorted(FAILURES.iterdir())
    minutes = (time.monotonic() - started) / 60
    print(f"{total:>12,}  inputs in {minutes:.1f} minutes; {len(failures)} files in {FAILURES}")
    return 1 if status or failures else 0


if __name__ == "__main__":
    sys.exit(main())
