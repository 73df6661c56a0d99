"""How fast whole histories and books are rated, reports imported and commands started.

The full rules are compared with plain Elo, riix and the same loop interpreted. One table, all figures of one run. The
yardstick is plain Elo, one pass a game, compiled too, on the same synthetic games. A dual-rated game counts twice
everywhere. docs/performance.md tells what bounds the speed. Run it on a quiet machine: another program takes away the
second core.
"""

from __future__ import annotations

import argparse
import json
import platform

from benchmarks.replay.figures import Measured, Settings, measure
from benchmarks.replay.processes import WORKS

from ratebook.cli.output import TextTable, print_json, print_table

HEADINGS = ("Figure", "Measured", "Must reach", "Reached", "Note")
REACHED = {True: "yes", False: "no", None: "-"}


def main(arguments: list[str] | None = None) -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.replay", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--games", type=int, default=2_000_000, help="rated games")
    parser.add_argument("--members", type=int, default=100_000)
    parser.add_argument("--threads", type=int, default=2, help="of the parallel figure")
    parser.add_argument("--seed", type=int, default=1, help="other seed, other games")
    parser.add_argument("--repeat", type=int, default=5, help="the best run counts")
    parser.add_argument(
        "--no-compile-time",
        action="store_false",
        dest="compile_time",
        help="leave the time of compiling out; it takes a minute",
    )
    parser.add_argument(
        "--slope", action="store_true", help="measure memory on 2, 8 and 32 million games too"
    )
    parser.add_argument(
        "--book-members",
        type=int,
        default=500,
        help="members of the book that is rated and of the reports that are imported; 0 leaves both out",
    )
    parser.add_argument("--book-years", type=int, default=6, help="years of that book")
    parser.add_argument(
        "--no-starts", action="store_false", dest="starts", help="leave out how long commands take to start"
    )
    parser.add_argument("--json", action="store_true", dest="as_json")
    parser.add_argument("--work", nargs=2, help=argparse.SUPPRESS)
    options = vars(parser.parse_args(arguments))
    work, as_json = options.pop("work"), options.pop("as_json")
    if work:
        print(json.dumps(WORKS[work[0]](**json.loads(work[1]))))
        return
    settings = Settings(**options)
    measured = measure(settings)
    if as_json:
        print_json(as_json_value(settings, measured))
        return
    title = (
        f"{measured.games:,} games of {settings.members:,} members in {measured.sections:,} sections,"
        f" seed {settings.seed}"
    )
    rows = [
        (line.figure, line.measured, line.must or "-", REACHED[line.reached], line.note)
        for line in measured.lines
    ]
    print_table(TextTable(title, HEADINGS, rows, frozenset(range(len(HEADINGS)))))


def as_json_value(settings: Settings, measured: Measured) -> dict[str, object]:
    """Return everything that was measured."""
    return {
        "games": measured.games,
        "sections": measured.sections,
        "special_share": measured.special_share,
        "members": settings.members,
        "threads": settings.threads,
        "seed": settings.seed,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "lines": [line._asdict() for line in measured.lines],
        "seconds": measured.seconds,
    }


if __name__ == "__main__":
    main()
