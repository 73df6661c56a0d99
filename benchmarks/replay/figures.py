"""All figures of one run, on the same synthetic games."""

from __future__ import annotations

import tempfile
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.replay.history import PreparedHistory
from benchmarks.replay.office import office_lines
from benchmarks.replay.processes import in_process
from benchmarks.replay.riix_elo import rate_by_riix
from benchmarks.replay.table import Line, at_least, at_most, not_measured, stated
from benchmarks.replay.yardstick import games_of

from ratebook.demo.synthetic import Shape
from ratebook.replay.engine.compiled import allowed_threads, default_cache
from ratebook.replay.history import write_history
from ratebook.replay.run import Options, replay_to_file

if TYPE_CHECKING:
    from collections.abc import Iterator

INTERPRETED_GAMES = 20_000
"""Games that the interpreted engine rates; a whole history would take it an hour."""

SLOPE = (2_000_000, 8_000_000, 32_000_000)
"""Games of the histories whose replays are compared for memory."""

MILLION = 1e6
MOST_BYTES_A_GAME = 1.0

RIIX_HINT = "pip install --group bench"


class Settings(NamedTuple):
    """What is measured.

    Attributes:
        games, members, seed: of the synthetic history.
        threads: how many the parallel line uses.
        repeat: how often each figure is taken; the best counts.
        compile_time: measure compiling too, which takes a minute.
        slope: measure the memory of replays of `SLOPE` games too.
        slope_games: their sizes, at least two.
        book_members, book_years: of the federation whose reports are rated, and imported; 0 members: none.
        starts: measure how long commands take to start.
    """

    games: int
    members: int
    threads: int = 2
    seed: int = 1
    repeat: int = 5
    compile_time: bool = True
    slope: bool = False
    slope_games: tuple[int, ...] = SLOPE
    book_members: int = 0
    book_years: int = 6
    starts: bool = True


class Measured(NamedTuple):
    """What was measured.

    Attributes:
        games: rated games, dual-rated ones counted twice.
        sections: how many sections there are.
        special_share: share of ledger rows rated by the special formula.
        lines: the table.
        seconds: what the ratios are made of.
    """

    games: int
    sections: int
    special_share: float
    lines: tuple[Line, ...]
    seconds: dict[str, float]


def measure(settings: Settings) -> Measured:
    """Measure everything that *settings* ask for."""
    shape = Shape(settings.games, settings.members, settings.seed)
    prepared = PreparedHistory(shape, default_cache())
    prepared.seconds_of_kernel(1)  # loads or compiles the loop
    seconds = {
        "kernel": min(prepared.seconds_of_kernel(1) for _ in range(settings.repeat)),
        "yardstick": min(prepared.seconds_of_yardstick() for _ in range(settings.repeat)),
    }
    special = prepared.special_share()
    note = f"{rate_text(prepared.games / seconds['kernel'])}; special {special:.0%}"
    lines = [
        at_most(
            "kernel-to-yardstick",
            "full rules, one core, against plain Elo",
            seconds["kernel"] / seconds["yardstick"],
            8.0,
            note,
        ),
        interpreted_line(prepared, seconds),
        files_line(prepared, settings, seconds),
        threads_line(prepared, settings, seconds),
        *riix_lines(prepared, settings, seconds),
        *office_lines(settings, seconds),
        *compile_lines(settings, seconds),
        *memory_lines(settings, seconds),
    ]
    return Measured(prepared.games, len(prepared.chunk.kind), special, tuple(lines), seconds)


def rate_text(games_a_second: float) -> str:
    """Return games a second for people.

    >>> rate_text(5_360_000.0)
    '5.36 M games/s'
    """
    return f"{games_a_second / MILLION:.2f} M games/s"


def riix_lines(prepared: PreparedHistory, settings: Settings, seconds: dict[str, float]) -> Iterator[Line]:
    """Yield the lines of the full rules against riix, which uses one core: on all cores asked for, and on one."""
    figures = (f"full rules, {settings.threads} cores, against riix's Elo", "the same on one core")
    try:
        run = rate_by_riix(games_of(prepared.chunk), min(2, settings.repeat))
    except ModuleNotFoundError as missing:
        yield not_measured("riix", figures[0], f"{missing.name} is missing: {RIIX_HINT}", "at least 5 times")
        return
    seconds["riix"] = run.seconds
    note = f"riix {rate_text(run.games / run.seconds)}, {run.batch} sections a batch"
    ratio = run.seconds / seconds["kernel"]
    if "threads" in seconds:
        yield at_least("riix", figures[0], run.seconds / seconds["threads"], 5.0, note)
        yield stated("riix-one-core", figures[1], ratio, f"{ratio:.2f} times")
    else:
        yield at_least("riix", "full rules, one core, against riix's Elo", ratio, 5.0, note)


def interpreted_line(prepared: PreparedHistory, seconds: dict[str, float]) -> Line:
    """Return the line of the full rules against the interpreted engine."""
    spent, games = prepared.interpreted(INTERPRETED_GAMES)
    seconds["interpreted"] = spent
    a_game = seconds["kernel"] / prepared.games
    note = f"interpreted: the first {games:,} games, {games / spent:,.0f} games/s"
    return at_least(
        "interpreted", "full rules, one core, against interpreted", spent / games / a_game, 15.0, note
    )


def files_line(prepared: PreparedHistory, settings: Settings, seconds: dict[str, float]) -> Line:
    """Return the line of Parquet to Parquet against the kernel."""
    with tempfile.TemporaryDirectory(prefix="ratebook-bench-") as name:
        history, ledger = Path(name) / "history", Path(name) / "ledger.parquet"
        write_history(prepared.history, history)
        times = []
        for _ in range(min(3, settings.repeat)):
            ledger.unlink(missing_ok=True)
            begin = perf_counter()
            replay_to_file(history, ledger, options=Options(short=0))
            times.append(perf_counter() - begin)
        size = ledger.stat().st_size
    seconds["files"] = min(times)
    note = f"{seconds['files']:.2f} s, a ledger of {size / MILLION:,.0f} MB"
    return at_most(
        "files", "Parquet to Parquet, against the loop", seconds["files"] / seconds["kernel"], 3.0, note
    )


def threads_line(prepared: PreparedHistory, settings: Settings, seconds: dict[str, float]) -> Line:
    """Return the line of several cores against one."""
    threads = allowed_threads(settings.threads)
    figure = f"{settings.threads} cores against one"
    if threads < settings.threads or threads == 1:
        return not_measured("threads", figure, f"not so many processors: {threads}", "at least 1.5 times")
    # In turns, so that what else the machine does falls on both.
    gains = []
    for _ in range(settings.repeat):
        alone, together = prepared.seconds_of_kernel(1), prepared.seconds_of_kernel(threads)
        seconds["kernel"] = min(seconds["kernel"], alone)
        seconds["threads"] = min(seconds.get("threads", together), together)
        gains.append(alone / together)
    note = f"single turns {min(gains):.2f} to {max(gains):.2f}"
    return at_least("threads", figure, seconds["kernel"] / seconds["threads"], 1.5, note)


def compile_lines(settings: Settings, seconds: dict[str, float]) -> Iterator[Line]:
    """Yield the lines of compiling at first use, and from the cache."""
    figures = ("compiling, at first use", "the same from the cache")
    if not settings.compile_time:
        for name, figure in zip(("compile", "cached"), figures, strict=True):
            yield not_measured(name, figure, "left out", "stated")
        return
    with tempfile.TemporaryDirectory(prefix="ratebook-bench-") as cache:
        for name, figure in zip(("compile", "cached"), figures, strict=True):
            seconds[name] = in_process("first-use", cache=cache)["seconds"]
            yield stated(name, figure, seconds[name], f"{seconds[name]:.1f} s")


def memory_lines(settings: Settings, seconds: dict[str, float]) -> Iterator[Line]:
    """Yield the lines of the memory that replays of more and more games need."""
    figure = "memory, for each game more"
    if not settings.slope:
        yield not_measured("memory", figure, "not asked for: --slope", "below 1 byte")
        return
    most: list[float] = []
    for games in settings.slope_games:
        with tempfile.TemporaryDirectory(prefix="ratebook-bench-") as name:
            history, ledger = str(Path(name) / "history"), str(Path(name) / "ledger.parquet")
            in_process("write", history=history, games=games, members=settings.members, seed=settings.seed)
            cost = in_process("memory", history=history, ledger=ledger)
        most.append(cost["megabytes"])
        seconds[f"memory-{games}"] = cost["seconds"]
        yield stated(
            f"memory-{games}",
            f"most memory, {games / MILLION:g} million games",
            cost["megabytes"],
            f"{cost['megabytes']:.0f} MB",
            f"{cost['seconds']:.1f} s from disk to disk; {cost['with_files']:.0f} MB with mapped files",
        )
    # The first step still meets members who have not played before; memory grows with them.
    slope = (most[-1] - most[-2]) * MILLION / (settings.slope_games[-1] - settings.slope_games[-2])
    yield Line("memory", figure, slope, f"{slope:.2f} bytes", "below 1 byte", slope < MOST_BYTES_A_GAME)
