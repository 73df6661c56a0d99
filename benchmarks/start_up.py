"""What ``ratebook rate`` on a 64-player, 7-round section costs, against an empty command of the same framework.

Whole processes, taken in turns, with byte code compiled before (as an installed program has it). Prints medians and
the ratio of one run; the aim is at most 2.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.commands import EMPTY_COMMAND

ROOT = Path(__file__).resolve().parent.parent
REPORT = ROOT / "examples" / "open-64-players.json"


def measured(commands: dict[str, list[str]], runs: int) -> dict[str, list[float]]:
    """Return the wall times (seconds) of each command, run in turns."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    times: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(runs + 1):
        for name, command in commands.items():
            start = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True, env=environment)
            if number > 0:  # the first round warms the caches
                times[name].append(time.perf_counter() - start)
    return times


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=21)
    parser.add_argument("--json", action="store_true", dest="as_json")
    options = parser.parse_args()
    compileall.compile_dir(ROOT / "src", quiet=1)
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder) / "empty.py"
        empty.write_text(EMPTY_COMMAND, encoding="utf-8")
        rate = "from ratebook.cli.main import main; main()"
        commands = {
            "bare python": [sys.executable, "-c", "pass"],
            "empty click command": [sys.executable, str(empty), "rate", "x"],
            "ratebook --help": [sys.executable, "-c", rate, "--help"],
            "ratebook rate (64 players)": [sys.executable, "-c", rate, "rate", str(REPORT)],
        }
        medians = {name: statistics.median(times) for name, times in measured(commands, options.runs).items()}
    base = medians["empty click command"]
    if options.as_json:
        print(
            json.dumps({name: {"seconds": value, "ratio": value / base} for name, value in medians.items()})
        )
        return
    print(f"{'process':<28}{'median ms':>10}{'ratio':>8}   (ratio to the empty click command; aim <= 2)")
    for name, value in medians.items():
        print(f"{name:<28}{1000 * value:>10.1f}{value / base:>8.2f}")


if __name__ == "__main__":
    main()
