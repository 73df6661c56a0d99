"""What a report would change in another one: only what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ratebook.formats.contract import Hints
from ratebook.model import SectionType
from ratebook.office.decisions.changes import changes_said
from ratebook.reports.load import load_bytes

if TYPE_CHECKING:
    from ratebook.model import Report

ROWS = "Club Night\n2026-11-14\nG/60;d5\n#,Name,ID,R1\n1,Ann Lowe,15520001,{}\n2,Bo Reyes,15520002,{}\n"


def read(first: str, second: str, hints: Hints) -> Report:
    """Return the report of one game."""
    report = load_bytes(ROWS.format(first, second).encode(), "club.csv", hints).report
    assert report is not None
    return report


def test_what_a_file_does_not_say_is_no_difference() -> None:
    rated = read("W2w", "L1b", Hints(type=SectionType.ROUND_ROBIN, online=True))
    assert list(changes_said(rated, read("W2", "L1", Hints()))) == []
    assert list(changes_said(rated, read("D2", "D1", Hints(type=SectionType.SWISS)))) == [
        "type: round-robin -> swiss",
        "seat 1 Ann Lowe, round 1: win -> draw against seat 2",
    ]
