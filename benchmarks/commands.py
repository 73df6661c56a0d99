"""Whole commands of a book, each a process of its own: their time on the clock and of the processor."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.raw_rows import Spent

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parent.parent
RUN = "from ratebook.cli.main import main; main()"
FILES = {
    "members": "members.csv",
    "memberships": "memberships.csv",
    "foreign-ratings": "external-ratings.csv",
    "opening-balances": "opening-balances.csv",
}
"""What `ratebook demo-federation` writes beside the reports, by what it is imported as, in this order."""


def ratebook(*arguments: str) -> list[str]:
    """Return the words of a command line that runs this checkout."""
    return [sys.executable, "-c", RUN, *arguments]


def spent_by(command: Sequence[str]) -> Spent:
    """Run a command to its end and return what it cost.

    Raises:
        CalledProcessError: it failed.
    """
    path = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    begun = time.perf_counter()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**environment, "PYTHONPATH": path}
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Spent(time.perf_counter() - begun, usage.ru_utime + usage.ru_stime)


def import_of_reports(folder: Path, members: int, years: int, seed: int) -> tuple[Spent, int]:
    """Import the reports of an invented federation into a new book; return what that cost, and how many there were."""
    federation = folder / "federation"
    about = ("--members", str(members), "--years", str(years), "--seed", str(seed))
    spent_by(ratebook("demo-federation", "--out", str(federation), *about))
    office = ("book", "--book", str(folder / "import.book"), "--as", "benchmark")
    spent_by(ratebook(*office, "init", "--name", "Example"))
    for kind, name in FILES.items():
        spent_by(ratebook(*office, "import", kind, str(federation / name)))
    cost = spent_by(ratebook(*office, "import", "reports", str(federation), "--accept", "all"))
    return cost, sum(1 for _ in (federation / "reports.csv").open(encoding="utf-8")) - 1


def start_up(folder: Path, runs: int) -> dict[str, float]:
    """Return the processor time of starting each of some commands, in turns, the least of so many *runs*."""
    empty = folder / "empty.py"
    empty.write_text(EMPTY_COMMAND, encoding="utf-8")
    book = str(folder / "start.book")
    spent_by(ratebook("book", "--book", book, "--as", "benchmark", "init", "--name", "Example"))
    commands = {
        "click": [sys.executable, str(empty), "rate", "x"],
        "rate": ratebook("rate", str(ROOT / "examples" / "open-64-players.json")),
        "sqlalchemy": [sys.executable, "-c", "import sqlalchemy"],
        "book": ratebook("book", "--book", book, "queue"),
    }
    # The first round warms the caches.
    rounds = [{name: spent_by(command).cpu for name, command in commands.items()} for _ in range(runs + 1)]
    return {name: min(costs[name] for costs in rounds[1:]) for name in commands}


EMPTY_COMMAND = """
import click

@click.group()
def main(): pass

@main.command()
@click.argument("report")
def rate(report): pass

main()
"""
