"""The commands that write an invented federation, or a synthetic history of any size, to try the program on."""

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from functools import partial
from pathlib import Path

import click

from ratebook.cli.command import command, option
from ratebook.cli.options import PATH, WholeRange, day_option, default_option, flag_option, today
from ratebook.cli.output import print_figures, progress_bar
from ratebook.cli.output_files import unwritable
from ratebook.cli.show import fail, fail_with, need
from ratebook.demo.build import (
    EARLIEST,
    LATEST,
    LEAST_MEMBERS,
    MOST_MEMBERS,
    START,
    build_federation,
    recent_federation,
)
from ratebook.demo.files import federation_files
from ratebook.demo.values import InventedFederation
from ratebook.findings import Place
from ratebook.formats.built_in import BUILT_IN

out_option = partial(option, "--out DIR", type_=PATH, required=True)
members_option = partial(default_option, "--members", "Number of members.")
seed_option = default_option("--seed", "Another seed gives other players.", WholeRange(min=0), default=1)


_FILES_BESIDE_REPORTS = 6


@command("demo-federation")
@out_option(about="Folder to write, which must not exist or must be empty.")
@members_option(type_=WholeRange(LEAST_MEMBERS, MOST_MEMBERS), default=2_000)
@default_option("--years", "Years with events.", WholeRange(1, 50), default=6)
@day_option("--start", f"The first day of these years (default: {START}); not before {EARLIEST}.")
@flag_option("--recent", "Have these years end last weekend, and leave out what has not arrived yet.")
@seed_option
def demo_federation_command(
    out: Path, members: int, years: int, start: date | None, seed: int, *, recent: bool
) -> None:
    """Write an invented federation: members, opening balances, reports in many formats, corrections.

    The same arguments give the same files on every machine; those with --recent depend on the day, too. No person in
    them is real. The files are described in docs/demo-federation.md.

    Examples:
      ratebook demo-federation --out demo
      ratebook demo-federation --out small --members 40 --years 1 --seed 7
      ratebook demo-federation --out recent --members 300 --years 4 --recent
    """
    if start is not None and (recent or not EARLIEST <= start <= LATEST.replace(year=LATEST.year - years)):
        raise click.UsageError(
            "--start and --recent exclude each other."
            if recent
            else f"--start must be from {EARLIEST} on, and the years must end by {LATEST}."
        )
    invented = (
        partial(recent_federation, members, years, today())
        if recent
        else partial(build_federation, members, years, start or START)
    )
    try:
        if out.exists() and not (out.is_dir() and not any(out.iterdir())):
            fail_with("output-exists.occupied", Place(file=str(out)))
        with progress_bar("Holding events") as progress:
            federation = invented(seed, progress)
        _write_folder(_with_progress(federation), out)
    except OSError as failure:
        fail([unwritable(out, failure)])
    print_figures(f"An invented federation in {out}", _figures(federation))


def _with_progress(federation: InventedFederation) -> Iterator[tuple[str, bytes]]:
    number = len(federation.arrivals) + _FILES_BESIDE_REPORTS
    with progress_bar("Writing files") as progress:
        for done, file in enumerate(federation_files(federation), start=1):
            yield file
            if progress is not None:
                progress(done, number)


def _write_folder(files: Iterable[tuple[str, bytes]], out: Path) -> None:
    """Write *files* into the folder *out*, which appears whole or not at all."""
    # "." has no name of its own and a parent that is itself.
    place = Path(os.path.abspath(out))  # noqa: PTH100 - resolve() would follow a link that the rename should replace
    temporary = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
    try:
        folder = temporary / "federation"
        folder.mkdir()
        for name, data in files:
            file = folder / name
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(data)
        if place.exists():
            # Only an empty folder is removed; files that were put there meanwhile stay.
            place.rmdir()
        folder.rename(place)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _figures(federation: InventedFederation) -> Iterator[tuple[str, int]]:
    by_format = Counter(arrival.format for arrival in federation.arrivals)
    yield "members", len(federation.members)
    yield "memberships", len(federation.memberships)
    yield "external ratings", len(federation.external_ratings)
    yield "opening balances", len(federation.opening_balances)
    yield "reports", len(federation.arrivals)
    for known in BUILT_IN:
        if by_format[known.name]:
            yield f"  {known.title}", by_format[known.name]
    yield "sections", federation.sections
    yield "games", federation.games
    yield "corrections", len(federation.corrections)


MOST_GAMES = 50_000_000
"""The tables are made in memory, which needs some hundred bytes a game."""


@command("demo-history")
@out_option(about="Folder to write, which must not exist.")
@default_option("--games", "Approximate number of rated games.", WholeRange(100, MOST_GAMES), default=200_000)
@members_option(type_=WholeRange(30, 5_000_000), default=10_000)
@seed_option
def demo_history_command(out: Path, games: int, members: int, seed: int) -> None:
    """Write a synthetic history of twelve years, with the columns of docs/history-columns.md.

    Members meet at random; shares of systems, newcomers, matches, foreign events and decisions are like those of a
    federation. No person in it is real. `ratebook replay` rates it.

    Examples:
      ratebook demo-history --out history
      ratebook demo-history --out large --games 12000000 --members 600000
    """
    need("bulk")
    from ratebook.demo.synthetic import Shape, synthetic_history  # noqa: PLC0415 - as above
    from ratebook.replay.history import write_history  # noqa: PLC0415 - only now it is known that its libraries are there

    if out.exists() or out.is_symlink():
        fail_with("output-exists.folder-used", Place(file=str(out)))
    history = synthetic_history(Shape(games, members, seed))
    try:
        write_history(history, out)
    except OSError as failure:
        fail([unwritable(out, failure)])
    figures = {name: getattr(history, name).num_rows for name in ("members", "sections", "entries")}
    figures["games"] = history.games.num_rows // 2
    print_figures(f"A synthetic history in {out}", figures.items())
