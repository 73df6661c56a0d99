"""The command that writes an invented federation to try the program on."""

import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from ratebook.cli.command import command
from ratebook.cli.output import Table, print_table
from ratebook.cli.show import fail
from ratebook.demo.build import (
    EARLIEST_YEAR,
    LATEST_YEAR,
    LEAST_MEMBERS,
    MOST_MEMBERS,
    build_federation,
)
from ratebook.demo.files import federation_files
from ratebook.demo.values import Federation
from ratebook.findings import Finding, finding
from ratebook.formats.registry import FORMATS

_FILES_BESIDE_REPORTS = 6


@command("demo-federation")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR",
    help="Folder to write; it must not exist, or be empty.",
)
@click.option(
    "--members",
    type=click.IntRange(LEAST_MEMBERS, MOST_MEMBERS),
    default=2_000,
    show_default=True,
    help="How many members there are.",
)
@click.option("--years", type=click.IntRange(1, 50), default=6, show_default=True, help="Years with events.")
@click.option(
    "--first-year",
    type=click.IntRange(EARLIEST_YEAR, LATEST_YEAR - 50),
    default=2_020,
    show_default=True,
    help="The first of these years.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="Another seed, another federation.",
)
def demo_federation_command(out: Path, members: int, years: int, first_year: int, seed: int) -> None:
    """Write an invented federation: members, opening balances, reports in many formats, corrections.

    The same arguments give the same files, everywhere. Nobody in them is real. What the files hold is described in
    docs/demo-federation.md.

    Examples:
      ratebook demo-federation --out demo
      ratebook demo-federation --out small --members 40 --years 1 --seed 7
    """
    refused = _occupied(out)
    if refused is not None:
        fail([refused])
    federation = _built(members, years, first_year, seed)
    number = len(federation.arrivals) + _FILES_BESIDE_REPORTS
    files = federation_files(federation)
    if _shows_progress():
        with click.progressbar(files, length=number, label="Writing files ") as shown:
            refused = _write_folder(shown, out)
    else:
        refused = _write_folder(files, out)
    if refused is not None:
        fail([refused])
    print_table(_summary(federation, out))


def _shows_progress() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def _built(members: int, years: int, first_year: int, seed: int) -> Federation:
    """Return the federation, with a progress bar on a terminal."""
    if not _shows_progress():
        return build_federation(members, years, first_year, seed)
    with click.progressbar(length=1, label="Holding events") as bar:

        def progress(held: int, planned: int) -> None:
            bar.length = planned
            bar.update(held - bar.pos)

        return build_federation(members, years, first_year, seed, progress)


def _occupied(out: Path) -> Finding | None:
    """Return the finding that *out* is there already, unless it is an empty folder."""
    try:
        if not out.exists() or (out.is_dir() and not any(out.iterdir())):
            return None
    except OSError as failure:
        return _unwritable(out, failure)
    return finding("output-exists.occupied", str(out))


def _unwritable(out: Path, failure: OSError) -> Finding:
    reason = failure.strerror or str(failure)
    return finding("output-unwritable.unwritable", str(out), reason=reason)


def _write_folder(files: Iterable[tuple[str, bytes]], out: Path) -> Finding | None:
    """Write *files* into the folder *out*, which appears whole or not at all; return a finding where it cannot."""
    # "." has no name of its own and a parent that is itself.
    place = Path(os.path.abspath(out))  # noqa: PTH100 - resolve() would follow a link that the rename should replace
    try:
        temporary = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
    except OSError as failure:
        return _unwritable(out, failure)
    try:
        folder = temporary / "federation"
        folder.mkdir()
        for name, data in files:
            file = folder / name
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(data)
        if place.exists():
            # Only an empty folder is removed; what somebody has put there meanwhile stays.
            place.rmdir()
        folder.rename(place)
    except OSError as failure:
        return _unwritable(out, failure)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return None


def _summary(federation: Federation, out: Path) -> Table:
    """Return what was written, in figures."""
    return Table(
        f"An invented federation in {out}",
        ("what", "number"),
        [(what, f"{number:,}") for what, number in _figures(federation)],
        left=frozenset({0}),
    )


def _figures(federation: Federation) -> Iterator[tuple[str, int]]:
    by_format = Counter(arrival.format for arrival in federation.arrivals)
    yield "members", len(federation.members)
    yield "memberships", len(federation.memberships)
    yield "external ratings", len(federation.external_ratings)
    yield "opening balances", len(federation.opening_balances)
    yield "reports", len(federation.arrivals)
    for one in FORMATS:
        if by_format[one.name]:
            yield f"  {one.title}", by_format[one.name]
    yield "sections", federation.sections
    yield "games", federation.games
    yield "corrections", len(federation.corrections)
