"""FIDE's lists as XML, and XML that is made to do harm."""

from __future__ import annotations

import io
import tracemalloc
from datetime import date
from typing import TYPE_CHECKING

import pytest

from ratebook.findings import Findings
from ratebook.formats.archive import SourceError
from ratebook.model import ForeignRating
from ratebook.player_lists.fide_xml import iter_fide_xml, looks_like_fide_xml
from ratebook.player_lists.row import ListKind, Search

if TYPE_CHECKING:
    from ratebook.player_lists.row import ListedPlayer

PLAYER = """<player>
<fideid>90000001</fideid>
<name>Adams &amp; Sons, &#201;xample</name>
<country>USA</country>
<sex>M</sex>
<title></title><w_title></w_title><o_title></o_title><foa_title></foa_title>
<rating>2310</rating><games>0</games><k>20</k>
<rapid_rating>2290</rapid_rating><rapid_games>0</rapid_games><rapid_k>20</rapid_k>
<blitz_rating>0</blitz_rating><blitz_games>0</blitz_games><blitz_k>20</blitz_k>
<birthday>1987</birthday><flag>i</flag>
</player>
"""
OTHER = PLAYER.replace("90000001", "90000002")
SINGLE = (
    "<player><fideid>90000001</fideid><name>Adams, Example</name><country>GER</country>"
    "<rating>1800</rating><games>3</games><k>40</k><birthday>0</birthday></player>"
)


def read(
    data: str | bytes, name: str = "players_list_xml.xml"
) -> tuple[list[ListedPlayer], list[tuple[str, str]]]:
    findings = Findings()
    stream = io.BytesIO(data if isinstance(data, bytes) else data.encode())
    players = list(iter_fide_xml(stream, name, Search(ids=frozenset({"90000001"})), findings))
    return players, [(finding.code, finding.where) for finding in findings.of_file(name)]


def refused(data: str | bytes, name: str = "players_list_xml.xml") -> str:
    with pytest.raises(SourceError) as failure:
        read(data, name)
    return failure.value.finding.code


def test_a_player_of_the_combined_list_has_the_standard_rating() -> None:
    players, found = read(f"<playerslist>\n{OTHER}{PLAYER}{OTHER}</playerslist>")
    assert found == []
    (player,) = players
    assert player.kind is ListKind.FIDE
    assert (player.facts.id, player.facts.name) == ("90000001", "Adams & Sons, Éxample")
    assert player.facts.fide == ForeignRating(2310.0, None)
    assert player.facts.usa_flag
    assert player.birth_year == 1987
    assert str(player.where) == "players_list_xml.xml, line 23"


def test_a_list_of_one_rating_is_standard_by_its_name_or_by_assumption() -> None:
    text = f'<?xml version="1.0" encoding="UTF-8"?><playerslist>{SINGLE}</playerslist>'
    players, found = read(text, "standard_oct26frl_xml.xml")
    assert (players[0].facts.fide, found) == (ForeignRating(1800.0, date(2026, 10, 1)), [])
    assert (players[0].birth_year, players[0].facts.usa_flag) == (None, False)
    assert read(text, "list.xml")[1] == [("fide-list-assumed-standard", "list.xml")]
    assert refused(text, "blitz_oct26frl_xml.xml") == "fide-list-not-standard"


def test_latin1_is_read_where_it_is_declared() -> None:
    text = f'<?xml version="1.0" encoding="ISO-8859-1"?><playerslist>{SINGLE}</playerslist>'
    players, _ = read(text.replace("Adams", "Ádams").encode("latin-1"), "standard.xml")
    assert players[0].facts.name == "Ádams, Example"


def test_a_document_type_declaration_is_refused() -> None:
    bomb = (
        '<!DOCTYPE playerslist [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
        f"<playerslist><player><name>&b;</name></player>{PLAYER}</playerslist>"
    )
    assert refused(bomb) == "list-doctype"
    assert refused("<!DOCTYPE playerslist>" + PLAYER) == "list-doctype"


@pytest.mark.parametrize(
    "data",
    [
        "<playerslist><player>",
        f"<playerslist>{PLAYER}</player>",
        f"<playerslist>{PLAYER}",
        "<playerslist>&unknown;</playerslist>",
        "<playerslist><name>\x01</name></playerslist>",
        '<?xml version="1.0" encoding="no-such-encoding"?><playerslist/>',
        '<?xml version="1.0" encoding="cp932"?><playerslist/>',
        b"<playerslist><name>\xff\xfe</name></playerslist>",
        "",
    ],
)
def test_xml_that_is_not_well_formed_is_refused(data: str | bytes) -> None:
    assert refused(data) == "list-unreadable"


class Endless(io.RawIOBase):
    """A stream of a beginning and one piece over and over, of 200 megabytes."""

    def __init__(self, beginning: bytes, piece: bytes) -> None:
        self._next = beginning
        self._piece = piece * ((1 << 16) // len(piece))
        self.given = 0

    def read(self, size: int = -1) -> bytes:
        if self.given > 200_000_000:
            return b""
        assert size > 0
        given, self._next = self._next, self._piece
        self.given += len(given)
        return given


@pytest.mark.long
@pytest.mark.parametrize(
    ("beginning", "piece", "code"),
    [
        (b"<playerslist>", b"<a>", "nested-too-deeply"),
        (b"<playerslist><", b"a", "list-line-too-long"),
        (b"<playerslist><a b='", b"c", "list-line-too-long"),
        (b"<playerslist><!--", b"c", "list-line-too-long"),
        (b"<playerslist><player><name>", b"c", "list-unreadable"),
        (b"<playerslist><player><name>", b"\n", "list-unreadable"),
    ],
)
def test_xml_without_end_takes_no_memory(beginning: bytes, piece: bytes, code: str) -> None:
    stream = Endless(beginning, piece)
    tracemalloc.start()
    try:
        with pytest.raises(SourceError) as failure:
            list(iter_fide_xml(stream, "list.xml", Search(ids=frozenset({"1"})), Findings()))  # type: ignore[arg-type]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert failure.value.finding.code == code
    assert peak < 20_000_000
    if code != "list-unreadable":
        assert stream.given < 5_000_000


@pytest.mark.parametrize(
    ("head", "known"),
    [
        (b"<playerslist>", True),
        (b'\xef\xbb\xbf\n<?xml version="1.0"?><playerslist><player>', True),
        (b"<html><body>", False),
        (b"player", False),
    ],
)
def test_the_beginning_tells_a_list(head: bytes, *, known: bool) -> None:
    assert looks_like_fide_xml(head) is known
