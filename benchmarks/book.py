"""What the book costs: ratios measured in one run, on SQLite.

* An invented federation submitted and rated month by month as its reports come in, in a process of its own: how much of
  the time is spent within the store's libraries (by sampling the stack), how long the same work takes without any
  store (read, check, check again, rate, norms, states in memory), and the most memory used. The aims are a share under
  half and less than 500 MB.
* A correction one month before the end, re-rated, against re-rating everything; the aim is ten times faster.
* A member's page, a member's history and a crosstable in a book of a million ledger rows, with each query's own time.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.book_contents import Crowd, fill_large_book
from benchmarks.rerating import month_before_the_end, turn_around, write_people
from sqlalchemy import select

from ratebook.book import schema
from ratebook.book.connection import Actor, open_book
from ratebook.book.profile import Profile, read_federation
from ratebook.checks import check_report
from ratebook.demo.build import build_federation
from ratebook.demo.files import file_name, report_bytes
from ratebook.findings import has_errors
from ratebook.model import PlayerFacts, Report, System
from ratebook.office.creation import create_book
from ratebook.office.queue.submit import Incoming, submit
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from ratebook.pages.event import section_tables
from ratebook.pages.member import history, member_page
from ratebook.rating.rate import facts_after, merged
from ratebook.reports.load import load_file
from ratebook.reports.plan import check_planned, plan_report
from ratebook.reports.rate import rate_planned
from ratebook.rules.rulebook import load_rulebook
from ratebook.titles.norms import norms_of_section

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from ratebook.demo.values import InventedFederation
    from ratebook.formats.contract import Hints
    from ratebook.reports.load import LoadedReport

ROOT = Path(__file__).resolve().parent.parent
ACTOR = Actor("benchmark", "2026-11-20T12:00:00Z")
TICK = 0.001
STORE = (f"{os.sep}sqlalchemy{os.sep}", f"{os.sep}psycopg{os.sep}")
Arrived = tuple[str, "Hints", date]
"""A report on its way: path, what its format cannot say, day on which it came in."""


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--members", type=int, default=2_000)
    parser.add_argument("--years", type=int, default=6)
    parser.add_argument("--ledger-rows", type=int, default=1_000_000)
    parser.add_argument("--json", action="store_true", dest="as_json")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        print(json.dumps(WORKS[options.work](Path.cwd())))
        return
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="ratebook-bench-") as name:
        folder = Path(name)
        federation = build_federation(options.members, options.years)
        prepare(federation, folder)
        figures |= {"reports": len(federation.arrivals), "games": federation.games}
        del federation
        for work in WORKS:
            figures |= in_process(work, folder)
        figures["store_share_against_none"] = 1 - figures["seconds_without_store"] / figures["seconds"]
        figures |= large_book(folder, options.ledger_rows)
    if options.as_json:
        print(json.dumps(figures))
        return
    for name, aim in SHOWN.items():
        value = figures[name]
        print(f"{name.replace('_', ' '):<44}{value:>14,.3f}   {aim}")


SHOWN = {
    "reports": "",
    "games": "",
    "seconds": "submit, rate, store",
    "seconds_without_store": "read, check, rate, in memory",
    "store_share": "time within the store's libraries; aim < 0.5",
    "store_share_against_none": "of the whole; 1 - without / with",
    "megabytes": "aim < 500",
    "seconds_rerated_one_month_back": "",
    "seconds_rerated_everything": "",
    "rerated_everything_to_one_month_back": "ratio; aim >= 10",
    "rated_again_one_month_back": "sections and systems",
    "rated_systems": "sections and systems in all",
    "ledger_rows": "of the large book",
    "member_page_milliseconds": "",
    "history_milliseconds": "",
    "crosstable_milliseconds": "",
}


def prepare(federation: InventedFederation, folder: Path) -> None:
    """Write the reports as files, a book with members and balances, and what the processes are told of the rest."""
    arrived: list[Arrived] = []
    reports = folder / "reports"
    reports.mkdir()
    for arrival in federation.arrivals:
        path = reports / file_name(arrival)
        path.write_bytes(report_bytes(arrival))
        arrived.append((str(path), arrival.hints, arrival.received))
    facts = {member.facts.id: member.facts._replace(name="") for member in federation.members}
    for balance in federation.opening_balances:
        known = facts[balance.member]
        floors = (*known.floors, balance.floor) if balance.floor is not None else known.floors
        ratings = {**known.ratings, balance.system: balance.rating}
        facts[balance.member] = known._replace(ratings=ratings, floors=floors)
    plain = {key: one._replace(ratings=dict(one.ratings), initial={}) for key, one in facts.items()}
    (folder / "arrived.pickle").write_bytes(pickle.dumps((arrived, plain)))
    book = create_book(str(folder / "federation.book"), Profile(), ACTOR)
    write_people(book, federation, ACTOR)
    book.close()
    shutil.copyfile(folder / "federation.book", folder / "start.book")


def told(folder: Path) -> tuple[list[Arrived], dict[str, PlayerFacts]]:
    """Return what `prepare` wrote down."""
    arrived: tuple[list[Arrived], dict[str, PlayerFacts]] = pickle.loads(  # noqa: S301 - written by this program
        (folder / "arrived.pickle").read_bytes()
    )
    return arrived


def in_process(work: str, folder: Path) -> dict[str, float]:
    """Do a work in a process of its own and return its figures."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    process = subprocess.run(
        [sys.executable, "-m", "benchmarks.book", "--work", work],
        check=True,
        stdout=subprocess.PIPE,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
    )
    figures: dict[str, float] = json.loads(process.stdout)
    return figures


class Sampler:
    """Looks at the stack every millisecond and adds up the time within the store's libraries.

    A signal that comes during a call of C waits for its end; so each look counts for the time since the one before.
    """

    def __init__(self) -> None:
        self.inside = 0.0
        self.whole = 0.0
        self._last = 0.0

    def __enter__(self) -> Sampler:  # noqa: PYI034 - Python 3.11 has Self, no class derives from this
        signal.signal(signal.SIGALRM, self._look)
        self._last = time.perf_counter()
        signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
        return self

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)

    def _look(self, _: int, frame: FrameType | None) -> None:
        now = time.perf_counter()
        passed, self._last = now - self._last, now
        self.whole += passed
        while frame is not None:
            if any(part in frame.f_code.co_filename for part in STORE):
                self.inside += passed
                return
            frame = frame.f_back


def with_store(folder: Path) -> dict[str, float]:
    """Submit every report as it comes in, and rate at the end of each month."""
    arrived, _ = told(folder)
    book = open_book(str(folder / "federation.book"))
    begun = time.perf_counter()
    with Sampler() as sampler:
        month = arrived[0][2].month
        for path, hints, received in arrived:
            if received.month != month:
                rate_ready(book, ACTOR)
                month = received.month
            submit(book, Incoming(load_file(path, hints), Path(path).name, received, accepted=["all"]), ACTOR)
        rate_ready(book, ACTOR)
    seconds = time.perf_counter() - begun
    book.close()
    return {
        "seconds": seconds,
        "store_share": sampler.inside / sampler.whole,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def without_store(folder: Path) -> dict[str, float]:
    """Do the same without a store: each report is read, checked as it comes in and before it is rated, and rated."""
    arrived, facts = told(folder)
    office = Memory(facts)
    begun = time.perf_counter()
    month = arrived[0][2].month
    for path, hints, received in arrived:
        if received.month != month:
            office.rate()
            month = received.month
        office.submit(load_file(path, hints), received)
    office.rate()
    return {"seconds_without_store": time.perf_counter() - begun, "rated_systems_in_memory": office.rated}


class Memory:
    """An office that remembers nothing but where all members stand now."""

    def __init__(self, facts: dict[str, PlayerFacts]) -> None:
        self.facts = facts
        self.rulebook = load_rulebook()
        self.ready: list[tuple[Report, LoadedReport, date]] = []
        self.rated = 0

    def submit(self, loaded: LoadedReport, received: date) -> None:
        """Check a report and put it into the queue."""
        report = loaded.report
        if report is not None and self._passes(report, loaded, received):
            self.ready.append((report, loaded, received))

    def _known(self, report: Report) -> dict[str, PlayerFacts]:
        return {player: self.facts.get(player, facts) for player, facts in report.players.items()}

    def _passes(self, report: Report, loaded: LoadedReport, received: date) -> bool:
        facts = self._known(report)
        planned, findings = plan_report(report, self.rulebook)
        reported = loaded.facts._replace(received=received, member_id_pattern="")
        findings += check_report(report._replace(players=facts), reported, self.rulebook)
        findings += check_planned(planned, facts, ())
        codes = {finding.code for finding in findings if finding.severity == "error"}
        # Without lists no one has an official rating; the book has them.
        return not codes - {"match-not-published"}

    def rate(self) -> None:
        """Rate what is ready, section by section in the order of history."""
        plans = []
        for report, loaded, received in self.ready:
            if self._passes(report, loaded, received):
                planned, _ = plan_report(report, self.rulebook)
                plans += [
                    (plan.section.end, report.event.id, plan.section.number, plan, report) for plan in planned
                ]
        for _, _, _, plan, report in sorted(plans, key=lambda one: one[:3]):
            facts = self._known(report)
            results = [
                section for section in rate_planned(plan, facts, ()) if not has_errors(section.findings)
            ]
            for result in results:
                self.rated += 1
                after = facts_after(result)
                for player, stands in after.items():
                    self.facts[player] = merged(self.facts.get(player, facts[player]), stands, result.system)
                if result.system is System.REGULAR:
                    norms_of_section(
                        plan.section,
                        {player: one.ratings[result.system].rating for player, one in after.items()},
                    )
        self.ready.clear()


def re_rating(folder: Path) -> dict[str, float]:
    """Settle the book; then correct a game of an event one month before the end, and re-rate; then everything."""
    book = open_book(str(folder / "federation.book"))
    rerate(book, ACTOR)
    turn_around(book, month_before_the_end(book), ACTOR)
    begun = time.perf_counter()
    difference = rerate(book, ACTOR)
    one_month = time.perf_counter() - begun
    begun = time.perf_counter()
    rerate(book, ACTOR, everything=True)
    everything = time.perf_counter() - begun
    with book.reading() as connection:
        systems = len(
            connection.execute(
                select(schema.postings.c.id).where(
                    schema.postings.c.superseded_by.is_(None), schema.postings.c.withdrawn.is_(False)
                )
            ).all()
        )
    book.close()
    return {
        "seconds_rerated_one_month_back": one_month,
        "seconds_rerated_everything": everything,
        "rerated_everything_to_one_month_back": everything / one_month,
        "rated_again_one_month_back": difference.rated,
        "rated_systems": systems,
    }


WORKS = {"with-store": with_store, "without-store": without_store, "re-rating": re_rating}


def large_book(folder: Path, rows: int) -> dict[str, float]:
    """Time what pages read in a book of so many ledger rows."""
    book = create_book(str(folder / "large.book"), Profile(), ACTOR)
    crowd = Crowd(max(rows // 1_000 * 20, 20))
    fill_large_book(book, ACTOR, ledger_rows=rows, crowd=crowd)
    with book.reading() as connection:
        federation = read_federation(connection)
        member = crowd.id(7)
        events = connection.execute(
            select(schema.events.c.id).order_by(schema.events.c.id.desc()).limit(1)
        ).scalar_one()
        day = date(2011, 6, 1)
        questions: dict[str, Callable[[], object]] = {
            "member_page": lambda: member_page(connection, federation, member, day),
            "history": lambda: history(connection, federation, member),
            "crosstable": lambda: section_tables(connection, federation, events),
        }
        figures = {f"{name}_milliseconds": 1_000 * shortest(question) for name, question in questions.items()}
    book.close()
    return {"ledger_rows": rows, **figures}


def shortest(work: Callable[[], object], repeats: int = 5) -> float:
    """Return the shortest of several times."""
    best = float("inf")
    for _ in range(repeats):
        begun = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - begun)
    return best


if __name__ == "__main__":
    main()
