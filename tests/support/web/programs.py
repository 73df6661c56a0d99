"""What programs send in the tests."""

from __future__ import annotations

from ratebook.formats.native.write import write
from support.book_reports import report


def native(players: tuple[int, int] = (1, 2), event: str = "202101160009") -> bytes:
    """Return a report of two members of the federation who play two games."""
    one = report("2021-01-16", list(players), ["W2 D2", "L1 D1"], event_id=event)
    return write(one).files["report.json"]
