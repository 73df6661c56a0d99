"""A small event in the current upload files, and short ways to read variants of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ratebook.formats.archive import SourceFile
from ratebook.formats.contract import Hints, ParsedReport
from ratebook.formats.source import Source
from ratebook.formats.uschess.read import parse
from support.builders import cell
from unit.formats.uschess.upload_bytes import HEADER_2C, PLAYER_2C, SECTION_2C, round_columns, rows, source

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ratebook.findings import Finding, Severity
    from ratebook.model import Cell, Report, Section

    Values = Mapping[str, str | bytes]

HEADER: Values = {
    "H_FORMAT": "2C",
    "H_PROGRAM": "SWISSSYS11",
    "H_NAME": "Autumn Quad",
    "H_TOT_SECT": "1",
    "H_BEG_DATE": "20261114",
    "H_END_DATE": "20261115",
    "H_AFF_ID": "A9000001",
    "H_CITY": "Exampleville",
    "H_STATE": "NY",
    "H_ZIPCODE": "00000",
    "H_COUNTRY": "USA",
    "H_SENDCROS": "N",
    "H_CTD_ID": "90000099",
}
SECTION: Values = {
    "S_SEC_NUM": "1",
    "S_SEC_NAME": "Quad A",
    "S_R_SYSTEM": "R",
    "S_TIMECTL": "G/45; d5",
    "S_CTD_ID": "90000099",
    "S_TRN_TYPE": "S",
    "S_TOT_RNDS": "3",
    "S_LST_PAIR": "4",
    "S_SCH_LVL": "N",
    "S_GR_PRIX": "N",
    "S_GP_PTS": "0",
    "S_FIDE": "N",
}
NO_HINTS = Hints()


def seat(number: int, rounds: str, section: str = "1", **changes: str | bytes) -> Values:
    """The player record of a seat; the rounds in the order of the columns."""
    cells = {f"D_RND{place:02}": text for place, text in enumerate(rounds.split("|"), start=1)}
    return {
        "D_SEC_NUM": section,
        "D_PAIR_NUM": str(number),
        "D_MEM_ID": str(90_000_000 + number),
        "D_NAME": f"EXAMPLE, PLAYER{number}",
        "D_RATING": str(1500 + number),
        **cells,
        **changes,
    }


QUAD = [
    seat(1, "W4W|D2B|H0"),
    seat(2, "W3B|D1W|X0"),
    seat(3, "L2W|L4B|F0"),
    seat(4, "L1B|W3W|U0", D_RATING="0"),
]


def files_of(
    header: Values = HEADER,
    sections: list[Values] | None = None,
    players: list[Values] | None = None,
    rounds: int = 3,
) -> list[bytes]:
    """The three files."""
    return [
        rows(HEADER_2C, [header]),
        rows(SECTION_2C, [SECTION] if sections is None else sections),
        rows([*PLAYER_2C, *round_columns(rounds)], QUAD if players is None else players),
    ]


def parse_files(files: list[bytes], hints: Hints = NO_HINTS) -> ParsedReport:
    return parse(source(*files), hints)


def parsed(hints: Hints = NO_HINTS, **given: Any) -> ParsedReport:  # noqa: ANN401 - what files_of takes
    return parse_files(files_of(**given), hints)


def report_of(found: ParsedReport) -> Report:
    assert found.report is not None, found.findings
    return found.report


def codes(findings: tuple[Finding, ...], severity: Severity | None = None) -> list[str]:
    return [finding.code for finding in findings if severity in (None, finding.severity)]


def cells(text: str) -> tuple[Cell, ...]:
    return tuple(cell(one) for one in text.split())


def rounds_by_seat(section: Section) -> dict[int, tuple[Cell, ...]]:
    return {entry.seat: entry.rounds for entry in section.entries}


def parse_written(files: Mapping[str, bytes]) -> ParsedReport:
    return parse(Source("written", tuple(SourceFile(name, data) for name, data in files.items())), NO_HINTS)
