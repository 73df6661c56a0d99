"""Saved web pages: what is kept of them, and that the readers of text read it."""

from __future__ import annotations

from datetime import date

import pytest

from ratebook.formats.contract import Hints
from ratebook.formats.registry import parse_source
from ratebook.formats.source import source_of_bytes
from ratebook.formats.web_page import is_page, text_of_page
from ratebook.model import Cell, SectionType

EVENT_PAGE = """<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">
<!-- saved by a browser -->
<html><head><title>Cross table</title><script>var menu = "<table>";</script></head>
<body><table width=800><tr><td>
<table><tr><td><a href="/">Home</a></td><td><a href="/members">Members</a></td></tr></table>
<table border=1>
<tr><td><b>Event</b></td><td><b>MAPLE OPEN</b> <small>(202610040012)</small></td></tr>
<tr><td>Event Date(s)</td><td>2026-10-03 thru 2026-10-04</td></tr>
<tr><td>Chief&nbsp;TD</td><td>ANN ALDER (90000009)</td></tr>
<tr><td colspan=2>Section 1 - OPEN</td></tr>
<tr><td>Stats</td><td>2 Players; 1 Rounds; Tnmt Type: S;  Rating Sys: R</td></tr>
<tr><td>Time Control</td><td>G/90;d5</td></tr>
</table>
<pre>
---------------------------------------------------------
 Pair | Player Name                     |Total|Round|
 Num  | USCF ID / Rtg (Pre-&gt;Post)       | Pts |  1  |
---------------------------------------------------------
<a href="/1">    1</a> | <a href="/2">HERON, ALICE</a>                    |1.0  |W   2|
   NY | 90000001 / R: 1800   -&gt;1812     |     |W    |
---------------------------------------------------------
    2 | ALDER, BRUNO                    |0.0  |L   1|
   NY | 90000002 / R: 1700   -&gt;1687     |     |B    |
---------------------------------------------------------
</pre></td></tr></table><p>Imprint</body></html>
"""

RESULTS_PAGE = """<!doctype html><html><head><meta charset="utf-8"><title>Server - Maple Rapid</title></head><body>
<div><p>Logged on: guest</p><select><option>Arabic<option>English</select></div>
<h2>Maple Falls Rapid 2026</h2><h2>Crosstable after Round 2</h2>
<table><tr><th>Rk.<th><th>Name<th>Rtg<th>FED<th>1.Rd<th>2.Rd<th>Pts.</tr>
<tr><td>1</td><td>FM</td><td><a href="a">Heron, Alice</a></td>
<td>2011</td><td>USA</td><td>3w1</td><td>2b½</td><td>1½</td></tr>
<tr><td>2</td><td></td><td>Alder, Bruno</td><td>2050</td><td>USA</td><td>4b1</td><td>1w½</td><td>1½</td></tr>
<tr><td>3</td><td></td><td>Finch, Carla</td><td>1700</td><td>USA</td><td>1b0</td><td>4w1</td><td>1</td></tr>
<tr><td>4</td><td></td><td>Stone, Dan</td><td>1800</td><td>USA</td><td>2w0</td><td>3b0</td><td>0</td></tr>
</table><p>You find all details on the server.</p></body></html>
"""


def test_an_event_page_is_read_with_its_id_days_and_type() -> None:
    parsed = parse_source(source_of_bytes(EVENT_PAGE.encode(), "maple.html"))
    assert parsed.report is not None, parsed.findings
    event, (section,) = parsed.report.event, parsed.report.sections
    assert (event.id, event.name, event.end) == ("202610040012", "MAPLE OPEN", date(2026, 10, 4))
    assert (section.name, section.type, section.time_control) == ("OPEN", SectionType.SWISS, "G/90;d5")
    assert [entry.rounds for entry in section.entries] == [(Cell("W", 2, "w"),), (Cell("L", 1, "b"),)]
    assert "page-as-text" in {finding.code for finding in parsed.findings}


def test_a_page_of_results_is_read_as_its_table() -> None:
    hints = Hints(end=date(2026, 10, 10), time_control="G/25;d5")
    parsed = parse_source(source_of_bytes(RESULTS_PAGE.encode(), "rapid.html"), hints)
    assert parsed.report is not None, parsed.findings
    (section,) = parsed.report.sections
    assert "Maple Falls Rapid 2026" in {parsed.report.event.name, section.name}
    assert [player.name for player in parsed.report.players.values()] == [
        "Heron, Alice",
        "Alder, Bruno",
        "Finch, Carla",
        "Stone, Dan",
    ]
    assert section.entries[0].rounds == (Cell("W", 3, "w"), Cell("D", 2, "b"))
    assert section.entries[3].rounds == (Cell("L", 2, "w"), Cell("L", 3, "b"))


def test_menus_and_scripts_are_left_out_and_lines_above_a_table_are_kept() -> None:
    lines = text_of_page(RESULTS_PAGE.encode()).decode().splitlines()
    assert lines[:2] == ["Maple Falls Rapid 2026", "Crosstable after Round 2"]
    assert lines[3] == "1\tFM\tHeron, Alice\t2011\tUSA\t3w1\t2b½\t1½"
    assert not [line for line in lines if "Arabic" in line or "details" in line]
    assert "menu" not in text_of_page(EVENT_PAGE.encode()).decode()


GRID_PAGE = """<!doctype html><html><head><title>Server - Heron Closed</title></head><body>
<div><p>Logged on: guest</p></div><h2>Heron Closed 2026</h2><p>Last update 10.10.2026 20:11:05</p>
<h2>Final Ranking crosstable after 3 Rounds</h2>
<table><tr><th>Rk.<th>Name<th>Rtg<th>1<th>2<th>3<th>4<th>Pts.</tr>
<tr><td>1<td>Heron, Alice<td>2011<td>*<td>1<td>½<td>1<td>2½</tr>
<tr><td>2<td>Alder, Bruno<td>2050<td>0<td>*<td>1<td>½<td>1½</tr>
<tr><td>3<td>Finch, Carla<td>1700<td>½<td>0<td>*<td>1<td>1½</tr>
<tr><td>4<td>Stone, Dan<td>1800<td>0<td>½<td>0<td>*<td>½</tr>
</table></body></html>
"""


def test_a_page_with_a_round_robin_is_read_as_a_grid_and_named_by_its_heading() -> None:
    hints = Hints(end=date(2026, 10, 10), time_control="G/90;d5")
    parsed = parse_source(source_of_bytes(GRID_PAGE.encode(), "closed.html"), hints)
    assert parsed.report is not None, parsed.findings
    (section,) = parsed.report.sections
    assert "Heron Closed 2026" in {parsed.report.event.name, section.name}
    assert section.type is SectionType.ROUND_ROBIN
    assert {cell.opponent: cell.letter for cell in section.entries[0].rounds} == {2: "W", 3: "D", 4: "W"}


def test_a_page_of_vega_is_told_what_to_export() -> None:
    """How Vega lays out its pages is not known well enough to read them."""
    page = b"<html><body><p>Round 1</p><p>made with <a href='http://www.vegachess.com'>Vega</a></body></html>"
    (finding,) = parse_source(source_of_bytes(page, "vega.html")).findings
    assert finding.code == "format-unknown"
    assert "a page of Vega" in finding.message
    assert "TRF" in finding.remedy


def test_a_page_without_results_is_still_named_as_one() -> None:
    parsed = parse_source(source_of_bytes(b"<!doctype html>\n<html><body><p>none", "page.html"))
    (finding,) = parsed.findings
    assert (finding.code, finding.case) == ("format-unknown", "like")
    assert "looks like a web page" in finding.message


@pytest.mark.parametrize(
    "page",
    [
        "<table><table><td colspan=999999999>x<td><tr></table></pre></table></table>",
        "<html><pre>" + "<table><tr><td>" * 500,
        "<html><td>1<th>2</pre><tr></td>" + "</table>" * 50,
        "<table colspan='²'><td colspan='²'>1",
        "<!doctype html><![CDATA[ <table> ]]><!-- <table>",
    ],
)
def test_damaged_pages_end_in_some_text(page: str) -> None:
    assert is_page(page.encode())
    assert isinstance(text_of_page(page.encode()), bytes)


def test_a_page_of_vega_with_an_ordinary_table_is_read() -> None:
    cells = [("Lowe Ann", "+W2", "=B2"), ("Reyes Bo", "-B1", "=W1")]
    rows = "".join(
        f"<tr><td>{number}<td>{name}<td>1700<td>{first}<td>{second}"
        for number, (name, first, second) in enumerate(cells, start=1)
    )
    page = (
        "<html><body><h2>Torneo Sociale</h2><p>14 November 2026</p><p>90 minuti + 30 secondi</p>"
        f"<table><tr><th>ID<th>NAME<th>Rtg<th>1<th>2{rows}</table>"
        "<p>made with <a href='http://www.vegachess.com'>Vega</a></body></html>"
    )
    report = parse_source(source_of_bytes(page.encode(), "vega.html")).report
    assert report is not None
    (section,) = report.sections
    assert section.time_control == "G/90;+30"
    assert [
        [f"{cell.letter}{cell.opponent}{cell.colour}" for cell in entry.rounds] for entry in section.entries
    ] == [["W2w", "D2b"], ["L1b", "D1w"]]
