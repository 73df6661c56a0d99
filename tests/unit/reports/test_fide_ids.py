"""A player without an id is found in a list by the FIDE id, and takes the member id from there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ratebook.formats.contract import Hints
from ratebook.model import System
from ratebook.reports.load import load_bytes

if TYPE_CHECKING:
    from pathlib import Path

TRF = b"""012 Autumn Game
042 2026/11/14
052 2026/11/14
001    1      Adams, Example                         NGR     8500001             1.0    1     2 w 1
001    2      Baker, Example                         NGR     8500002             0.0    2     1 b 0
"""
MEMBERS = """id,name,fide_id,regular,regular_games,expires
NCF-00123,"Adams, Example",8500001,1650,40,2027-01-01
8500002,"Somebody, Else",,1200,30,
NCF-00124,"Other, Name",8500002,1410,30,
"""


def test_the_member_is_the_one_with_the_fide_id_and_not_the_one_whose_id_is_that_number(
    tmp_path: Path,
) -> None:
    members = tmp_path / "members.csv"
    members.write_text(MEMBERS)
    loaded = load_bytes(TRF, "game.trf", Hints(time_control="G/90;d5"), lists=[members])
    assert loaded.report is not None
    players = loaded.report.players
    assert [entry.player for entry in loaded.report.sections[0].entries] == ["NCF-00123", "NCF-00124"]
    assert {key: one.ratings[System.REGULAR].rating for key, one in players.items()} == {
        "NCF-00123": 1650.0,
        "NCF-00124": 1410.0,
    }
    assert list(loaded.facts.expires) == ["NCF-00123"]
    # The number is right, the name is not: someone has to look.
    assert [one.where for one in loaded.findings if one.code == "member-name-differs"] == [
        "section 1, seat 2, name"
    ]
