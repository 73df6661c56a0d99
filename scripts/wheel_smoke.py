"""Builds the wheel, installs it into an empty environment and uses it outside the checkout (`make wheel-test`).

First the base alone: it is small, what it can do works, and what needs an extra says which. Then a book, with the
extra ``book``, and a server, with ``web``.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

from scripts.pages.places import ROOT

OF_PIP = ("pip", "setuptools", "_distutils", "distutils", "pkg_resources")
EXAMPLES = ("open-64-players.json", "planted-mistakes.json")


class Command(NamedTuple):
    """A command of the smoke test.

    Attributes:
        line: its arguments.
        words: a part of what it prints.
        status: its exit status.
    """

    line: str
    words: str
    status: int = 0


COMMANDS = (
    Command("--version", "ratebook"),
    Command("rate open-64-players.json", "1663"),
    Command("check planted-mistakes.json", "[member-id-wrong]", 1),
    Command("explain open-64-players.json --seat 2", "bonus threshold"),
    Command("estimate --rating 1500 --games 30 W1400 L1600 D1550", "15"),
    Command("rules show --on 2016-02-01", "bonus_multiplier"),
    Command("finding seat-twice", "seat-twice (error)"),
    Command("convert open-64-players.json event.csv", ""),
    Command("demo-federation --out federation --members 60 --years 1 --seed 1", ""),
    Command("book --book league.book init --name League", "[book-library-missing]", 1),
    Command("web --demo", "[web-library-missing]", 1),
    Command("replay history --out rated", "[bulk-library-missing]", 1),
)
OF_A_BOOK = (
    Command("book --book league.book --as smoke init --name League", "League"),
    Command("book --book league.book --as smoke import members federation/members.csv", ""),
    Command("book --book league.book --as smoke import reports federation --accept all", ""),
    Command("book --book league.book --as smoke rate", ""),
    Command("book --book league.book top", ""),
    Command("book --book league.book verify", ""),
    Command("web --demo", "[web-library-missing]", 1),
)
MOST_MEGABYTES = 15
"""How large the base may be, all its files with their bytecode."""


def main() -> int:
    """Run all commands; return how many failed."""
    with tempfile.TemporaryDirectory(prefix="ratebook wheel ") as folder:
        place = Path(folder)
        wheel = built_wheel(place)
        python = new_environment(place)
        install(python, str(wheel))
        for name in EXAMPLES:
            shutil.copy(ROOT / "examples" / name, place)
        failed = sum(not passes(python, place, command) for command in COMMANDS)
        failed += not is_small(python)
        install(python, f"{wheel}[book]")
        failed += sum(not passes(python, place, command) for command in OF_A_BOOK)
        install(python, f"{wheel}[web]")
        failed += not serves(python, place)
    print(f"{failed} of {len(COMMANDS) + len(OF_A_BOOK) + 2} failed.")
    return int(failed > 0)


def built_wheel(place: Path) -> Path:
    """Return the wheel of the checkout, built into *place*."""
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps")
    subprocess.run([*pip, "--wheel-dir", str(place), str(ROOT)], check=True)
    (wheel,) = place.glob("*.whl")
    return wheel


def new_environment(place: Path) -> Path:
    """Return the interpreter of a new, empty environment in *place*."""
    folder = place / "venv"
    venv.create(folder, with_pip=True)
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def install(python: Path, what: str) -> None:
    """Install a wheel, with the extras that *what* names."""
    pip = (str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    subprocess.run([*pip, "-c", str(ROOT / "constraints.txt"), what], check=True)


def passes(python: Path, place: Path, command: Command) -> bool:
    """Run a command and say whether it did what it should; what it printed follows where it did not."""
    process = subprocess.run(
        [str(python), "-m", "ratebook", *command.line.split()],
        cwd=place,
        env=bare_environment(),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    output = process.stdout + process.stderr
    good = process.returncode == command.status and command.words in output and "Traceback" not in output
    print("ok    " if good else "FAILED", command.line)
    if not good:
        print(f"status {process.returncode}\n{output}")
    return good


def is_small(python: Path) -> bool:
    """Say whether what was installed beside pip is as small as it should be."""
    script = "import sysconfig; print(sysconfig.get_path('purelib'))"
    done = subprocess.run([str(python), "-c", script], check=True, capture_output=True, text=True)
    folders = [path for path in Path(done.stdout.strip()).iterdir() if not path.name.startswith(OF_PIP)]
    files = [file for folder in folders for file in (folder, *folder.rglob("*")) if file.is_file()]
    megabytes = sum(file.stat().st_size for file in files) / 1e6
    print("ok    " if megabytes < MOST_MEGABYTES else "FAILED", f"{megabytes:.1f} MB are installed")
    return megabytes < MOST_MEGABYTES


def serves(python: Path, place: Path) -> bool:
    """Start a server of an invented federation, ask it for a page, and say whether it answered."""
    server = subprocess.Popen(
        [str(python), "-u", "-m", "ratebook", "web", "--demo", "--port", "0"],
        cwd=place,
        env=bare_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )
    output, good = "", False
    try:
        for line in server.stdout or ():
            output += line
            address = re.search(r"http://\S+", line)
            if address:
                with urlopen(f"{address[0]}/players", timeout=60) as answer:  # noqa: S310 - this machine
                    good = bool(answer.status == 200)  # noqa: PLR2004 - HTTP
                break
    finally:
        server.terminate()
        server.wait(60)
    print("ok    " if good else f"FAILED\n{output}", "web --demo")
    return good


def bare_environment() -> dict[str, str]:
    """Return the environment without what would lead Python to the checkout."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return kept | {"PYTHONUTF8": "1"}


if __name__ == "__main__":
    sys.exit(main())
