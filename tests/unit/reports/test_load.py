"""A report as it comes in: what the checks learn of its format."""

from __future__ import annotations

from datetime import date

import pytest

from ratebook.checks import check_report
from ratebook.formats.archive import SourceFile
from ratebook.formats.contract import Hints
from ratebook.formats.registry import built_in, write_report
from ratebook.formats.source import Source
from ratebook.reports.load import load_bytes, load_report

HINTS = Hints(date(2026, 11, 14), date(2026, 11, 14), "G/90;d5")


def player(seat: int, number: str, cell: str, tag: str = "001") -> str:
    """Return a player record of FIDE: number at columns 58 to 68, round 1 from column 92 (docs/formats/trf.md)."""
    name = f"EXAMPLE, {'ABC'[seat - 1]}"
    return f"{tag} {seat:>4}      {name:<33} {'':4} USA {number:>11} 1990/01/01  1.0 {seat:>4}  {cell}"


def tournament(*records: str, newer: bool = False) -> bytes:
    more = ("142 1",) if newer else ()
    return "\r\n".join(("012 Autumn Game", "042 2026/11/14", "052 2026/11/14", *more, *records)).encode()


@pytest.mark.parametrize("newer", [False, True])
def test_numbers_of_fide_are_no_wrong_member_ids(*, newer: bool) -> None:
    """One has the eight digits of a member id by chance, the other seven, and neither player has a FIDE rating."""
    records = (player(1, "90000001", "   2 w 1"), player(2, "9000002", "   1 b 0"))
    loaded = load_bytes(tournament(*records, newer=newer), "game.trf", HINTS)
    assert loaded.report is not None
    assert [one.fide_id for one in loaded.report.players.values()] == ["90000001", "9000002"]
    assert [one.code for one in check_report(loaded.report, loaded.facts)] == []
    for target in ("native", "csv", "uschess-2c", "trf16", "trf26"):
        written = write_report(loaded.report, built_in(target))
        source = Source(target, tuple(SourceFile(*file) for file in written.files.items()))
        again = load_report(lambda source=source: source, HINTS)  # type: ignore[misc] # of this turn of the loop
        assert again.report is not None
        assert "member-id-wrong" not in [one.code for one in check_report(again.report, again.facts)]


def test_other_formats_keep_the_form_of_member_ids() -> None:
    rows = b"seat,player,name,r1\n1,90000001,ADAMS EXAMPLE,W2w\n2,9000002,BAKER EXAMPLE,L1b\n"
    taken = load_bytes(rows, "game.csv", HINTS)
    assert taken.report is not None
    codes = [one.code for one in check_report(taken.report, taken.facts)]
    assert "member-id-wrong" in codes
