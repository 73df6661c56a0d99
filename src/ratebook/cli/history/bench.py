"""The command that measures how fast whole histories are rated."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ratebook.cli.history.extra import need_bulk
from ratebook.cli.options import json_option
from ratebook.cli.output import Table, print_json, print_table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ratebook.replay.bench.lines import Line
    from ratebook.replay.bench.measure import Measured, Settings

CHILD = "from ratebook.cli.history.bench import child_main; child_main()"

REACHED = {True: "yes", False: "no", None: "-"}


@click.command("bench")
@click.option(
    "--games", type=click.IntRange(min=100), default=2_000_000, show_default=True, help="Rated games."
)
@click.option("--members", type=click.IntRange(min=30), default=100_000, show_default=True, help="Members.")
@click.option(
    "--threads", type=click.IntRange(min=1), default=2, show_default=True, help="Of the parallel figure."
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Other seed, other games."
)
@click.option(
    "--repeat", type=click.IntRange(min=1), default=5, show_default=True, help="The best run counts."
)
@click.option("--no-compile-time", is_flag=True, help="Leave the time of compiling out; it takes a minute.")
@click.option("--slope", is_flag=True, help="Measure memory on 2, 8 and 32 million games too.")
@click.option(
    "--book-members",
    type=click.IntRange(min=0),
    default=500,
    show_default=True,
    help="Members of the book in which a correction is re-rated; 0 leaves it out.",
)
@click.option(
    "--book-years", type=click.IntRange(min=1), default=6, show_default=True, help="Years of that book."
)
@json_option
def bench_command(
    games: int,
    members: int,
    threads: int,
    seed: int,
    repeat: int,
    *,
    no_compile_time: bool,
    slope: bool,
    book_members: int,
    book_years: int,
    as_json: bool,
) -> None:
    """Measure how fast whole histories are rated, on invented games: a table, all of one run.

    The yardstick is plain Elo, one pass a game, compiled too. A dual-rated game counts twice everywhere. What bounds
    the speed is told in docs/performance.md. Run it on a quiet machine: another program takes away the second core.

    \b
    Examples:
      ratebook bench
      ratebook bench --games 12000000 --members 600000 --book-members 20000 --slope --json
    """
    need_bulk()
    from ratebook.replay.bench.measure import Settings, measure  # noqa: PLC0415 - loads the heavy libraries

    settings = Settings(
        games,
        members,
        threads,
        seed,
        repeat,
        compile_time=not no_compile_time,
        slope=slope,
        book_members=book_members,
        book_years=book_years,
    )
    measured = measure(settings, time.perf_counter, in_process)
    if as_json:
        print_json(as_json_value(settings, measured))
        return
    title = f"{measured.games:,} games of {members:,} members in {measured.sections:,} sections, seed {seed}"
    headings = ("Figure", "Measured", "Must reach", "Reached", "Note")
    rows = [
        (line.figure, line.measured, line.must or "-", REACHED[line.reached], line.note)
        for line in measured.lines
    ]
    print_table(Table(title, headings, rows, frozenset({0, 1, 2, 3, 4})))


def as_json_value(settings: Settings, measured: Measured) -> dict[str, object]:
    """Return everything that was measured."""

    def line_as_json(line: Line) -> dict[str, object]:
        return line._asdict()

    return {
        "format": "ratebook-bench/1",
        "games": measured.games,
        "sections": measured.sections,
        "special_share": measured.special_share,
        "members": settings.members,
        "threads": settings.threads,
        "seed": settings.seed,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "lines": [line_as_json(line) for line in measured.lines],
        "seconds": measured.seconds,
    }


def in_process(work: str, told: Mapping[str, object]) -> dict[str, float]:
    """Do a work in a process of its own and return its figures."""
    command = [sys.executable, "-c", CHILD, work, json.dumps(told)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603 - its own command
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def child_main() -> None:
    """Do the work that the arguments of this process name, and print its figures."""
    print_json(done_as_child(sys.argv[1], json.loads(sys.argv[2])))


def done_as_child(work: str, told: Mapping[str, object]) -> dict[str, float]:
    """Do a work and return its figures."""
    if work == "book":
        return re_rating_in_a_book(told)
    from ratebook.demo.synthetic import Shape  # noqa: PLC0415 - as above
    from ratebook.replay.bench import child  # noqa: PLC0415 - loads the heavy libraries

    if work == "first-use":
        return child.first_use(Path(str(told["cache"])), time.perf_counter)
    history = Path(str(told["history"]))
    if work == "write":
        shape = Shape(int(str(told["games"])), int(str(told["members"])), int(str(told["seed"])))
        return child.written(history, shape)
    return child.memory_of_replay(history, Path(str(told["ledger"])), time.perf_counter)


def re_rating_in_a_book(told: Mapping[str, object]) -> dict[str, float]:
    """Make a book of an invented federation, re-rate in it, and return how long that took."""
    from ratebook.book.connection import Actor  # noqa: PLC0415 - loads the store's libraries
    from ratebook.book.profile import Profile  # noqa: PLC0415 - as above
    from ratebook.demo.build import build_federation  # noqa: PLC0415 - as above
    from ratebook.office.benchmark import measure_re_rating, write_people, write_reports  # noqa: PLC0415 - as above
    from ratebook.office.creation import create_book  # noqa: PLC0415 - as above

    members, years, seed = (int(str(told[name])) for name in ("members", "years", "seed"))
    actor = Actor("benchmark", "2026-01-01T00:00:00Z")
    with tempfile.TemporaryDirectory(prefix="ratebook-bench-") as folder:
        book = create_book(str(Path(folder) / "bench.book"), Profile(), actor)
        federation = build_federation(members, years, seed=seed)
        write_people(book, federation, actor)
        reports = write_reports(book, federation, actor)
        measured = measure_re_rating(book, actor, time.perf_counter)
        book.close()
    return {**measured._asdict(), "reports": reports, "games": federation.games}
