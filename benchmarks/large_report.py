"""What ``check`` and ``rate`` need for a native report of 10 MB: 60 sections of 750 players and six rounds.

Whole processes, whose data may not grow beyond 256 MB (RLIMIT_DATA, so on Linux alone): a run that needs more fails.
Prints time and memory of each command.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from datetime import date
from functools import partial
from pathlib import Path

from ratebook.formats.native.write import write
from ratebook.model import Cell, Entry, Event, PlayerFacts, Rating, Report, Section, SectionType, System

DAY = date(2026, 11, 14)
MEGABYTE = 1 << 20
LIMIT = 256 * MEGABYTE
COMMANDS = (("check",), ("rate",), ("rate", "--json"), ("rate", "--csv"))
LETTERS = {"W": "L", "L": "W", "D": "D"}


def large_report(sections: int = 60, players: int = 750, rounds: int = 6) -> bytes:
    """Return a native report, always the same one; every tenth player is unrated, all others have all counts."""
    chance = random.Random(20261114)
    known: dict[str, PlayerFacts] = {}
    written = []
    for number in range(1, sections + 1):
        cells: list[list[Cell]] = [[] for _ in range(players)]
        for _ in range(rounds):
            order = chance.sample(range(players), players)
            for white, black in zip(order[::2], order[1::2], strict=True):
                letter = chance.choice("WDL")
                cells[white].append(Cell(letter, black + 1, "w"))
                cells[black].append(Cell(LETTERS[letter], white + 1, "b"))
        entries = []
        for seat, played in enumerate(cells, start=1):
            key = str(90_000_000 + len(known))
            facts = PlayerFacts(key, f"EXAMPLE, PLAYER {len(known)}", birth_date=date(2014, 5, 17))
            if seat % 10:
                won, points = chance.randint(10, 100), round(chance.uniform(300, 2300), 2)
                rating = Rating(points, 3 * won, won, won, won, long_events=won, peak=points, as_of=DAY)
                facts = facts._replace(ratings={System.REGULAR: rating})
            known[key] = facts
            entries.append(Entry(seat, key, tuple(played)))
        section = Section(number, "OPEN", DAY, DAY, "G/90;d5", SectionType.SWISS, entries=tuple(entries))
        written.append(section)
    (data,) = write(
        Report(Event("202611140001", "LARGE OPEN", DAY, DAY), known, tuple(written))
    ).files.values()
    return data


def measured(report: Path, command: tuple[str, ...]) -> tuple[float, float]:
    """Return the processor time (seconds) and the memory (MB) of a command that stays within the limit."""
    name, *options = command
    words = [sys.executable, "-m", "ratebook", name, str(report), *options]
    limit = partial(resource.setrlimit, resource.RLIMIT_DATA, (LIMIT, LIMIT))
    with subprocess.Popen(
        words,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=limit,  # noqa: PLW1509 - there are no threads here
    ) as process:
        assert process.stderr is not None  # noqa: S101 - tells the type checker
        errors = process.stderr.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(
            f"{' '.join(command)} failed within {LIMIT // MEGABYTE} MB: {errors.decode()[-300:]}"
        )
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", dest="as_json")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        report.write_bytes(large_report())
        size = report.stat().st_size / MEGABYTE
        rows = {" ".join(command): measured(report, command) for command in COMMANDS}
    if options.as_json:
        print(json.dumps({"megabytes": size, "commands": rows}))
        return
    print(
        f"{f'report of {size:.1f} MB':<20}{'seconds':>10}{'MB':>6}   (at most {LIMIT // MEGABYTE} MB of data)"
    )
    for name, (seconds, megabytes) in rows.items():
        print(f"{name:<20}{seconds:>10.1f}{megabytes:>6.0f}")


if __name__ == "__main__":
    main()
