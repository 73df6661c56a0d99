"""The lines of a book: re-ratings against raw rows, the import of reports, and how long commands take to start.

Ratios are of processor time, since other programs on the machine stretch the clock; both are in the notes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.raw_rows import Spent
from benchmarks.replay.processes import in_process
from benchmarks.replay.table import Line, at_least, at_most, not_measured, stated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.replay.figures import Settings

LONGEST_IMPORT = 300.0
"""Seconds of two quiet cores for all reports of 20,000 members and six years."""

MONTH_BACK = "re-rating everything in the book, against one month back"
RAW = "rating a whole book, against inserting the same rows raw"
IMPORT = "importing all reports of the federation"
RATE = "ratebook rate of 64 players, against an empty click command"
QUEUE = "ratebook book queue of an empty book, against import sqlalchemy"
START_RUNS = 11


def office_lines(settings: Settings, seconds: dict[str, float]) -> Iterator[Line]:
    """Yield all lines of the office; *seconds* get what their ratios are made of."""
    if settings.book_members:
        yield from _re_ratings(settings, seconds)
        yield _import(settings, seconds)
    else:
        why = "not asked for: --book-members"
        yield not_measured("book", MONTH_BACK, why, "at least 10 times")
        yield not_measured("book-raw", RAW, why, "at most 3 times")
        yield not_measured("import", IMPORT, why, f"below {LONGEST_IMPORT:.0f} s")
    yield from _starts(settings, seconds)


def _re_ratings(settings: Settings, seconds: dict[str, float]) -> Iterator[Line]:
    costs = in_process("book", members=settings.book_members, years=settings.book_years, seed=settings.seed)
    for name in ("first", "raw", "month", "everything", "changing"):
        seconds[f"book-{name}"] = costs[name]
    note = (
        f"{costs['month']:.2f} s for {costs['month_ratings']:,.0f} of {costs['ratings']:,.0f} ratings of sections,"
        f" all in {costs['everything']:.1f} s"
    )
    yield at_least("book", MONTH_BACK, costs["everything"] / costs["month"], 10.0, note)
    raw = Spent(costs["raw"], costs["raw_cpu"])
    rated = Spent(costs["first"], costs["first_cpu"])
    note = f"{costs['rows']:,.0f} rows: {rated}; raw {raw}"
    yield at_most("book-raw", RAW, rated.cpu / raw.cpu, 3.0, note)
    changing = Spent(costs["changing"], costs["changing_cpu"])
    ratio = changing.cpu / raw.cpu
    note = f"{changing}; every row gives way to another"
    yield stated(
        "book-changing", "rating it again after its first results changed", ratio, f"{ratio:.2f} times", note
    )


def _import(settings: Settings, seconds: dict[str, float]) -> Line:
    costs = in_process("import", members=settings.book_members, years=settings.book_years, seed=settings.seed)
    cost = Spent(costs["wall"], costs["cpu"])
    seconds["import"] = cost.wall
    note = f"{costs['reports']:,.0f} reports, {1000 * cost.cpu / costs['reports']:.1f} ms each; {cost}"
    reached = cost.cpu < LONGEST_IMPORT
    return Line(
        "import", IMPORT, cost.cpu, f"{cost.cpu:.0f} s CPU", f"below {LONGEST_IMPORT:.0f} s", reached, note
    )


def _starts(settings: Settings, seconds: dict[str, float]) -> Iterator[Line]:
    if not settings.starts:
        yield not_measured("start-rate", RATE, "left out", "at most 2 times")
        yield not_measured("start-book", QUEUE, "left out", "at most 1.5 times")
        return
    costs = in_process("starts", runs=START_RUNS)
    seconds.update({f"start-{name}": value for name, value in costs.items()})
    milliseconds = {name: f"{1000 * value:.0f}" for name, value in costs.items()}
    note = f"{milliseconds['rate']} to {milliseconds['click']} ms CPU"
    yield at_most("start-rate", RATE, costs["rate"] / costs["click"], 2.0, note)
    note = f"{milliseconds['book']} to {milliseconds['sqlalchemy']} ms CPU"
    yield at_most("start-book", QUEUE, costs["book"] / costs["sqlalchemy"], 1.5, note)
