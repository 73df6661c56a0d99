"""The table of the benchmark: what was measured, what must be reached, and whether it is."""

from __future__ import annotations

from typing import NamedTuple


class Line(NamedTuple):
    """One line of the table.

    Attributes:
        name: a word for programs.
        figure: what is measured.
        value: the number; None where it was not measured.
        measured: the number for people, or why there is none.
        must: what must be reached; empty where nothing must.
        reached: whether it is; None where nothing must be, or nothing was measured.
        note: what else belongs to it.
    """

    name: str
    figure: str
    value: float | None
    measured: str
    must: str = ""
    reached: bool | None = None
    note: str = ""


def at_most(name: str, figure: str, value: float, limit: float, note: str = "") -> Line:
    """Return the line of a ratio that must not exceed *limit*.

    >>> at_most("kernel", "a against b", 4.0, 8.0).reached
    True
    """
    return Line(name, figure, value, f"{value:.2f} times", f"at most {limit:g} times", value <= limit, note)


def at_least(name: str, figure: str, value: float, limit: float, note: str = "") -> Line:
    """Return the line of a ratio that must be *limit* or more."""
    return Line(name, figure, value, f"{value:.2f} times", f"at least {limit:g} times", value >= limit, note)


def stated(name: str, figure: str, value: float, measured: str, note: str = "") -> Line:
    """Return the line of a figure that is only stated."""
    return Line(name, figure, value, measured, "stated", None, note)


def not_measured(name: str, figure: str, why: str, must: str = "") -> Line:
    """Return the line of a figure that was not measured."""
    return Line(name, figure, None, why, must)
