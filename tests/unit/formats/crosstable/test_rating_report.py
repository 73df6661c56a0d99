"""The rating report as text: the crosstable's layout with ratings before only, or with none."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratebook.formats.archive import SourceFile
from ratebook.formats.contract import Hints, ParsedReport, is_unreadable
from ratebook.formats.crosstable import read as crosstable_text
from ratebook.formats.crosstable.rating_report import looks_like, parse
from ratebook.formats.source import Source
from ratebook.model import Cell, Rating, SectionType, System
from support.builders import paired_by
from support.whole_run import examples

START = date(2026, 8, 29)
END = date(2026, 8, 30)
HINTS = Hints(START, END, "G/60;d5")

TEXT = """\
Results for Section: OPEN
-----------------------------------------------------------
 Pair | Player Name                     |Total|Round|Round|
 Num  | USCF ID / Rtg                   | Pts |  1  |  2  |
-----------------------------------------------------------
    1 | ADAMS EXAMPLE                   |2.0  |W   2|W   3|
   NY | 90000001 / R: 1794              |     |W    |B    |
-----------------------------------------------------------
    2 | BAKER EXAMPLE                   |1.0  |L   1|B    |
      | 90000002 / R: 1641P17 Q: 1580   |     |B    |     |
-----------------------------------------------------------
    3 | CLARK EXAMPLE                   |0.0  |     |L   1|
      | 90000003 / 1410                 |     |     |W    |
-----------------------------------------------------------
    4 | DAVIS EXAMPLE                   |0.5  |H    |U    |
      | 90000004 / Unrated              |     |     |     |
-----------------------------------------------------------
    5 | EVANS EXAMPLE                   |0.5  |H    |U    |
      |                                 |     |     |     |
-----------------------------------------------------------
"""


def source_of(text: str | bytes) -> Source:
    data = text if isinstance(text, bytes) else text.encode()
    return Source("report.txt", (SourceFile("report.txt", data),))


def read(text: str | bytes, hints: Hints = HINTS) -> ParsedReport:
    return parse(source_of(text), hints)


def ratings_under(text: str) -> tuple[str, dict[System, Rating], float | None]:
    """Return the id, the ratings and the pairing rating that *text* under the first name gives."""
    old = "90000001 / R: 1794              "
    result = read(TEXT.replace(old, f"{text:<{len(old)}}"))
    assert result.report is not None, result.findings
    key = result.report.sections[0].entries[0].player
    return key, dict(result.report.players[key].ratings), paired_by(result.report).get(key)


def test_players_results_and_ratings_before_are_read() -> None:
    result = read(TEXT)
    assert [finding.code for finding in result.findings] == ["rating-line-missing"]
    assert result.report is not None
    (section,) = result.report.sections
    assert (section.name, section.start, section.end) == ("Results for Section: OPEN", START, END)
    assert (section.time_control, section.type) == ("G/60;d5", SectionType.OTHER)
    assert [entry.player for entry in section.entries] == [
        "90000001",
        "90000002",
        "90000003",
        "90000004",
        "seat-5",
    ]
    assert section.entries[0].rounds == (Cell("W", 2, "w"), Cell("W", 3, "b"))
    assert section.entries[2].rounds == (Cell(), Cell("L", 1, "w"))
    assert {key: dict(player.ratings) for key, player in result.report.players.items()} == {
        "90000001": {System.REGULAR: Rating(1794)},
        "90000002": {System.REGULAR: Rating(1641, 17), System.QUICK: Rating(1580)},
        "90000003": {},
        "90000004": {},
        "seat-5": {},
    }
    assert paired_by(result.report) == {"90000003": 1410}
    assert result.published == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("90000001 / 1794", ("90000001", {}, 1794)),
        ("90000001  1641P17", ("90000001", {}, 1641)),
        ("90000001/1641/17", ("90000001", {}, 1641)),
        ("90000001", ("90000001", {}, None)),
        ("90000001 / 0", ("90000001", {}, None)),
        ("90000001 / Unr.", ("90000001", {}, None)),
        ("1794", ("seat-1", {}, 1794)),
        ("1641P17", ("seat-1", {}, 1641)),
        ("00000000 / R: 1641/17", ("seat-1", {System.REGULAR: Rating(1641, 17)}, None)),
        ("90000001 / R: Unrated Q: 1500", ("90000001", {System.QUICK: Rating(1500)}, None)),
        ("90000001 / OB: 1500P3", ("90000001", {System.ONLINE_BLITZ: Rating(1500, 3)}, None)),
    ],
)
def test_every_spelling_of_a_rating_is_read(
    text: str, expected: tuple[str, dict[System, Rating], float | None]
) -> None:
    assert ratings_under(text) == expected


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("90000001 / R: soon", "rating-unreadable"),
        ("NOBODY / 1500", "rating-unreadable"),
        ("90000001 / R: 9999", "rating-out-of-range"),
        ("90000001 / 9999", "rating-out-of-range"),
        ("90000001 / R: 1500 R: 1500", "rating-twice"),
        ("90000001 / R: 1500 -> 1510", "rating-unreadable"),
    ],
)
def test_what_is_no_rating_is_an_error_with_its_place(text: str, code: str) -> None:
    result = read(TEXT.replace("90000001 / R: 1794              ", f"{text:<32}"))
    assert result.report is None
    assert [finding.code for finding in result.findings if finding.code == code]
    assert all("seat 1" in finding.where for finding in result.findings if finding.code == code)


def test_the_online_option_reads_plain_labels_as_online_systems() -> None:
    result = read(TEXT, HINTS._replace(online=True))
    assert result.report is not None
    assert result.report.sections[0].online
    assert dict(result.report.players["90000001"].ratings) == {System.ONLINE_REGULAR: Rating(1794)}


def test_what_the_text_cannot_say_names_the_options() -> None:
    assert [finding.code for finding in read(TEXT, Hints()).findings][:2] == [
        "end-missing",
        "time-control-missing",
    ]
    fide = read(TEXT, Hints(START, END, type=SectionType.FIDE))
    assert fide.report is not None
    assert (fide.report.sections[0].type, fide.report.sections[0].time_control) == (SectionType.FIDE, None)


def test_arrows_tell_the_crosstable_from_the_rating_report() -> None:
    assert looks_like(source_of(TEXT))
    assert not crosstable_text.looks_like(source_of(TEXT))
    rated = source_of(TEXT.replace("R: 1794  ", "R: 1794->1800"))
    assert not looks_like(rated)
    assert crosstable_text.looks_like(rated)
    assert not looks_like(source_of("seat,name\n1,ADAMS EXAMPLE\n"))
    assert not looks_like(source_of(b"\0|\0|"))


@examples(200)
@given(
    cuts=st.lists(st.tuples(st.integers(0, 1_200), st.integers(0, 40), st.binary(max_size=3)), max_size=5),
    end=st.integers(0, 1_400),
)
def test_damaged_reports_yield_findings_and_never_an_exception(
    cuts: list[tuple[int, int, bytes]], end: int
) -> None:
    data = bytearray(TEXT.encode())
    for position, length, replacement in cuts:
        data[position : position + length] = replacement
    result = read(bytes(data[:end]))
    looks_like(source_of(bytes(data)))
    assert (result.report is None) == is_unreadable(result.findings)


@examples(120)
@given(text=st.text(alphabet="0123456789 RQ:PUnrated/.*", max_size=33))
def test_any_text_of_the_right_letters_yields_findings_and_never_an_exception(text: str) -> None:
    result = read(TEXT.replace("90000001 / R: 1794              ", text))
    assert (result.report is None) == is_unreadable(result.findings)
