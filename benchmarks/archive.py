"""What founding a book from an archive costs: ratios of processor time to raw rows, measured in one run.

The raw rows are those of the ledger: a SHA-256 of each, and `sqlite3.executemany` into a bare table of a new file.
Times are those of the process that works, which seldom looks for cycles of values, as commands do, and on a server
those of its client. An invented federation is imported, then
rated in a process of its own, whose memory is measured, and verified; a game of its first day is corrected and rated
again as a preview showed it; a report of its last week comes late, what is new is verified, and what is public is
written as complete tables. What is to be reached in seconds holds for 20,000 members and three years.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import sqlite3
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from datetime import date, timedelta
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.raw_rows import spent
from benchmarks.rerating import turn_around
from sqlalchemy import select

from ratebook.book import schema
from ratebook.book.connection import Actor, open_book
from ratebook.book.profile import Profile
from ratebook.cli.book.session import collect_seldom
from ratebook.demo.build import build_federation
from ratebook.demo.files import federation_files
from ratebook.office.creation import create_book
from ratebook.office.imports.foreign_ratings import import_external_ratings
from ratebook.office.imports.members import import_members, import_memberships
from ratebook.office.imports.opening_balances import import_opening_balances
from ratebook.office.imports.reports import import_reports
from ratebook.office.publish.data_files import WrittenData, write_data
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import KeptRerating, rerate
from ratebook.office.rating.verify import keep_verified, verify, verify_new
from ratebook.office.trials import try_rerating

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ratebook.book.connection import Book
    from ratebook.demo.values import InventedFederation

ACTOR = Actor("benchmark", "2026-11-20T12:00:00Z")
KILOBYTES = 1024
"""In a megabyte."""
FIRST_IDLE = 98_000_001
SMALL_COMMANDS = 9
"""Of so many starts the shortest is taken."""


STORES = ("SQLite", "PostgreSQL")


class Reach(NamedTuple):
    """What is to be reached: seconds of an archive of full size, and times the raw rows."""

    seconds: float | None
    ratio: float | None = None


FULL_SIZE = (20_000, 3, STORES[0])
REACHES = {
    "import": Reach(80, 25),
    "rate": Reach(90, 30),
    "preview": Reach(None),
    "re-rate as seen": Reach(None),
    "both together": Reach(20),
    "verify": Reach(35, 15),
    "late report": Reach(2),
    "verify new": Reach(5),
    "complete tables": Reach(120),
    "small command": Reach(0.25),
}
MEGABYTES = 256


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--members", type=int, default=1_000)
    parser.add_argument("--years", type=int, default=1)
    parser.add_argument(
        "--stores",
        nargs="+",
        choices=STORES,
        default=STORES[:1],
        help="PostgreSQL is a new server of the tests: PYTHONPATH=tests.",
    )
    parser.add_argument(
        "--idle",
        type=int,
        default=0,
        help="So many members more, who do not play: what is kept of all grows.",
    )
    parser.add_argument("--json", action="store_true", dest="as_json")
    options = parser.parse_args()
    collect_seldom()
    federation = build_federation(options.members, options.years)
    for store in options.stores:
        with (
            tempfile.TemporaryDirectory(prefix="ratebook-bench-") as name,
            _place(store, Path(name)) as place,
        ):
            figures = measure(federation, place, Path(name), idle=options.idle)
        if options.as_json:
            print(json.dumps({"store": store, **figures}))
        else:
            _print_table(store, figures, options)


@contextmanager
def _place(store: str, folder: Path) -> Iterator[str]:
    """Give a place for a new book in a store."""
    if store == STORES[0]:
        yield str(folder / "archive.book")
        return
    from support.postgresql import Server, new_database  # noqa: PLC0415 - of the tests, which not every run has

    with closing(Server.started()) as server:
        yield new_database(server.address)


def _print_table(store: str, figures: dict[str, float], options: argparse.Namespace) -> None:
    print(
        f"{store}: {figures['sections']:,.0f} sections, {figures['rows']:,.0f} ledger rows,"
        f" raw {figures['raw']:.3f} s CPU"
    )
    print(f"{'work':<18}{'s CPU':>9}{'reach':>9}{'times raw':>12}{'reach':>9}")
    of_full_size = (options.members, options.years, store) == FULL_SIZE
    for work, reach in REACHES.items():
        seconds = reach.seconds if of_full_size or (work == "small command" and store == STORES[0]) else None
        times = figures[work] / figures["raw"]
        print(
            f"{work:<18}{figures[work]:>9.2f}{_reached(figures[work], seconds):>9}"
            f"{times:>12.1f}{_reached(times, reach.ratio):>9}"
        )
    print(
        f"complete tables: {figures['table rows']:,.0f} rows, {figures['table bytes'] / 1e6:.1f} MB of CSV in"
        f" {figures['files of tables']:.0f} files, in place of {figures['requests in place of tables']:,.0f} requests"
    )
    print(
        f"rating, with {options.members + options.idle:,} members:"
        f" {figures['megabytes']:.0f} MB more than before, reach {MEGABYTES}"
    )


def _reached(figure: float, reach: float | None) -> str:
    """Return what is to be reached, with a mark where it is not."""
    return "" if reach is None else f"{reach:g}{' ' if figure <= reach else '!'}"


def measure(federation: InventedFederation, place: str, folder: Path, *, idle: int = 0) -> dict[str, float]:
    """Return the processor seconds of each work, and of the raw rows."""
    arrivals = federation.arrivals
    last = max(arrival.received for arrival in arrivals)
    older = [arrival for arrival in arrivals if arrival.received < last - timedelta(days=7)]
    late = max(older[-20:], key=lambda arrival: len(arrival.report.players))
    event = late.report.event.id
    others = tuple(arrival for arrival in arrivals if arrival.report.event.id != event)
    archive = _written(federation._replace(arrivals=others), folder / "archive")
    with (archive / "members.csv").open("a", encoding="utf-8") as members:
        columns = (archive / "members.csv").read_text(encoding="utf-8").partition("\n")[0].split(",")
        values = {"id": "{id}", "name": "IDLE, EXAMPLE"}
        row = ",".join(f'"{values[name]}"' if name in values else "" for name in columns)
        members.writelines(row.format(id=FIRST_IDLE + number) + "\n" for number in range(idle))
    late_archive = _written(federation._replace(arrivals=(late,)), folder / "late")
    book = create_book(place, Profile(name="Example Federation"), ACTOR)
    with closing(book):
        _import_lists(book, archive)
        figures = {"import": spent(lambda: _import(book, archive, last)).cpu}
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as other:
            figures["rate"], figures["megabytes"] = other.submit(_rated, place).result()
        rerate(book, ACTOR)
        figures["verify"] = spent(lambda: keep_verified(book, ACTOR, verify(book))).cpu
        turn_around(book, "", ACTOR)
        with closing(KeptRerating()) as seen:
            figures["preview"] = spent(lambda: try_rerating(book, ACTOR, last, preview=seen)).cpu
            figures["re-rate as seen"] = spent(lambda: rerate(book, ACTOR, preview=seen)).cpu
        figures["both together"] = figures["preview"] + figures["re-rate as seen"]
        keep_verified(book, ACTOR, verify_new(book, last))

        def comes_late() -> None:
            _import(book, late_archive, last)
            rate_ready(book, ACTOR, with_rows=False)
            rerate(book, ACTOR)

        figures["late report"] = spent(comes_late).cpu
        figures["verify new"] = spent(lambda: verify_new(book, last)).cpu
        figures |= _complete_tables(book, folder / "data")
        figures["small command"] = min(_small_command(place) for _ in range(SMALL_COMMANDS))
        verified = verify(book)
        assert not verified.findings, verified.findings  # noqa: S101 - a figure of a broken book is none
        with book.reading() as connection:
            rows = [tuple(map(_plain, row)) for row in connection.execute(select(schema.ledger))]
    figures["raw"] = spent(lambda: _insert(folder / "raw.db", rows)).cpu
    return figures | {"sections": float(verified.sections), "rows": float(verified.rows)}


def _rated(place: str) -> tuple[float, float]:
    """Rate what is ready; return the processor seconds, and by how many megabytes the most memory grew."""
    collect_seldom()
    with closing(open_book(place)) as book:
        before = _most_memory()
        seconds = spent(lambda: rate_ready(book, ACTOR, with_rows=False)).cpu
        return seconds, (_most_memory() - before) / KILOBYTES


def _most_memory() -> int:
    """Return the most memory that the process has had, in kB: of Linux, since getrusage counts its parent's."""
    (line,) = (
        line for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines() if "VmHWM" in line
    )
    return int(line.split()[1])


def _complete_tables(book: Book, place: Path) -> dict[str, float]:
    """Return what it costs to write what is public for mirrors, and how many requests a mirror no longer makes."""
    written: list[WrittenData] = []
    cpu = spent(lambda: written.append(write_data(book, place, ["csv"]))).cpu
    files = written[0].manifest.files
    rows = {name: sum(file.rows for file in files if file.table == name) for name in ("players", "sections")}
    return {
        "complete tables": cpu,
        "table rows": float(sum(file.rows for file in files)),
        "table bytes": float(sum(file.bytes for file in files)),
        "requests in place of tables": float(sum(rows.values())),
        "files of tables": float(len(files)),
    }


def _small_command(place: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "ratebook", "book", "--book", place, "queue"]
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _written(federation: InventedFederation, place: Path) -> Path:
    for name, data in federation_files(federation):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(data)
    return place


def _import_lists(book: Book, place: Path) -> None:
    import_members(book, place / "members.csv", ACTOR)
    import_memberships(book, place / "memberships.csv", ACTOR)
    import_external_ratings(book, place / "external-ratings.csv", ACTOR)
    import_opening_balances(book, place / "opening-balances.csv", ACTOR)


def _import(book: Book, place: Path, day: date) -> None:
    import_reports(book, place, day, ACTOR, accepted=["all"])


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, date) else value


def _insert(place: Path, rows: list[tuple[object, ...]]) -> None:
    with closing(sqlite3.connect(place)) as store:
        store.execute(f"CREATE TABLE raw ({', '.join(f'c{at}' for at in range(len(rows[0]) + 1))})")
        hashed = ((*row, hashlib.sha256(repr(row).encode()).hexdigest()) for row in rows)
        store.executemany(f"INSERT INTO raw VALUES ({', '.join('?' * (len(rows[0]) + 1))})", hashed)  # noqa: S608 - its own words
        store.commit()


if __name__ == "__main__":
    main()
