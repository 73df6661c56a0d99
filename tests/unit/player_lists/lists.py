"""Players' lists of every kind, with the same player in each."""

from __future__ import annotations

import io
import zipfile
from datetime import date
from typing import TYPE_CHECKING

from ratebook.formats.uschess.dbf import write_dbf
from ratebook.model import Event, PlayerFacts, Report
from ratebook.player_lists.row import ListKind
from support.builders import entry, section

if TYPE_CHECKING:
    from ratebook.player_lists.row import ListedPlayers


MEMBERS = (
    b'id,name,regular,regular_games,expires\n90000001,"ADAMS, EXAMPLE",1500.5,40,2027-11-30\n'
    b'90000002,"BAKER, EXAMPLE",1400,12,2026-01-31\n'
)
GOLDEN = write_dbf(
    [("MEM_ID", 8), ("MEM_NAME", 17), ("EXPIRED", 8), ("R_LPB_RAT", 7)],
    [
        ["90000001", "ADAMS, EXAMPLE", "20271130", "1500E"],
        ["90000002", "BAKER, EXAMPLE", "20260131", "1400P12"],
        ["90000003", "ADAMS, EXAMINER", "", ""],
        ["90000004", "CLARK, EXAMPLE", "", ""],
    ],
    date(2026, 11, 1),
)
SUPPLEMENT = write_dbf(
    [("R_MEM_ID", 8), ("R_MEM_NAME", 27), ("R_RATING1", 7), ("R_RATING2", 7)],
    [["90000001", "ADAMS, EXAMPLE", "1500", "1450/9"]],
    date(2026, 11, 1),
)
FIDE_HEADER = (
    "ID Number      Name                                                         "
    "Fed Sex Tit  WTit OTit           FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
)


def fide_row(number: str, name: str, rating: int) -> str:
    return f"{number:<15}{name:<61}USA M   {'':<29}{rating:<6}0   20 0     0   20 0     0   20 1987      "


FIDE_TEXT = "\r\n".join(
    [FIDE_HEADER, fide_row("90000001", "Adams, Example", 1610), fide_row("2000002", "Baker, Example", 1510)]
).encode()
FIDE_XML = (
    b"<playerslist><player><fideid>90000001</fideid><name>Adams, Example</name><country>USA</country>"
    b"<rating>1610</rating><rapid_rating>0</rapid_rating><birthday>1987</birthday></player></playerslist>"
)
CFC = (
    b"CFC#,Expiry,Last,First,Prov,City,Rating,High,Active Rtg,Active High,FIDE Number,FIDE Rating\n"
    b'90000001,2027-01-01,Adams,Example,ON,"Town,1510,1600,1490,1500,0,0\n'
)
LISTS = {
    ListKind.MEMBERS: MEMBERS,
    ListKind.GOLDEN: GOLDEN,
    ListKind.SUPPLEMENT: SUPPLEMENT,
    ListKind.FIDE: FIDE_TEXT,
    ListKind.CFC: CFC,
}


def report_of(*players: tuple[str, str]) -> Report:
    """Return a report of one section in which these ids and names sit at seats 1, 2, ..."""
    facts = {key: PlayerFacts(key, name) for key, name in players}
    return Report(
        Event(), facts, (section([entry(seat, "", key) for seat, key in enumerate(facts, start=1)]),)
    )


def archive(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in members.items():
            packed.writestr(name.replace("_DOT_", "."), data)
    return out.getvalue()


def codes(listed: ListedPlayers) -> list[str]:
    return [finding.code for finding in listed.findings]


ADAMS = ("90000001", "Example Adams")
