"""FIDE tournament report files, put together column by column as docs/formats/trf.md gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ratebook.formats.contract import Hints, ParsedReport
from ratebook.formats.source import source_of_bytes
from ratebook.formats.trf import read

if TYPE_CHECKING:
    from ratebook.model import Cell

NO_HINTS = Hints()
WORTH = {"1": 1.0, "=": 0.5, "+": 1.0, "w": 1.0, "d": 0.5, "h": 0.5, "f": 1.0, "u": 1.0}
"""What a result code is worth (docs/formats/trf.md)."""


def in_columns(*fields: tuple[int, str]) -> str:
    """Return a line with texts at columns, counted from 1."""
    line: list[str] = []
    for column, text in fields:
        line += " " * (column - 1 + len(text) - len(line))
        line[column - 1 : column - 1 + len(text)] = text
    return "".join(line)


def player(  # noqa: PLR0913 - one argument for each column
    seat: int,
    name: str,
    rounds: str = "",
    *,
    sex_and_title: str = "",
    rating: str = "",
    federation: str = "",
    number: str = "",
    born: str = "",
    tag: str = "001",
    points: str = "",
) -> str:
    """Return a player record; *rounds* are the eight columns of each, with a bar between them."""
    cells = rounds.split("|") if rounds else []
    return in_columns(
        (1, tag),
        (5, f"{seat:>4}"),
        (10, sex_and_title),
        (15, name),
        (49, rating),
        (54, federation),
        (58, number),
        (70, born),
        (81, points or f"{sum(WORTH.get(cell[-1:].lower(), 0.0) for cell in cells):>4.1f}"),
        (86, f"{seat:>4}"),
        *[(92 + 10 * place, cell) for place, cell in enumerate(cells)],
    )


TOURNAMENT = (
    "012 Autumn Quad",
    "022 Exampleville",
    "032 USA",
    "042 2026/11/14",
    "052 2026/11/15",
    "062 4",
    "072 2 (rated)",
    "082 0",
    "092 Individual: Round-Robin",
    "102 IA EXAMPLE, ARBITER",
    "112 FA EXAMPLE, DEPUTY",
    "122 G/90;d5",
    in_columns((1, "132"), (92, "26/11/14"), (102, "26/11/14"), (112, "26/11/15")),
)
PLAYERS = (
    player(
        1,
        "Adams, Example",
        "   2 w 1|   3 b 1|   4 w =",
        sex_and_title="m  g",
        rating="2105",
        federation="USA",
        number="   90000001",
        born="1980/02/29",
    ),
    player(
        2,
        "Bäker, Example",
        "   1 b 0|   4 w 1|   3 b =",
        sex_and_title="wWGM",
        rating="1480",
        federation="CAN",
        number="    2600002",
    ),
    player(3, "Clark, Example", "   4 b 0|   1 w 0|   2 w =", born="1990/00/00", rating="   0"),
    player(4, "Davis, Example", "   3 w 1|   2 b 0|   1 b =", federation="USA", number="0"),
)
QUAD = (*TOURNAMENT, *PLAYERS)


def parse(*lines: str, hints: Hints = NO_HINTS, end_of_line: str = "\r\n") -> ParsedReport:
    data = end_of_line.join((*lines, "")).encode()
    return read.parse(source_of_bytes(data, "quad.trf"), hints)


def without(tag: str) -> list[str]:
    return [line for line in QUAD if not line.startswith(tag)]


def with_rounds(
    *rounds: str, tournament: tuple[str, ...] = TOURNAMENT, more: tuple[str, ...] = ()
) -> ParsedReport:
    """Parse a tournament whose seat 1 has these rounds; a finding about counts is expected and left out."""
    kept = [line for line in tournament if line[:3] not in {"062", "072", "082"}]
    lines = (player(1, "ADAMS EXAMPLE", "|".join(rounds)), player(2, "BAKER EXAMPLE"))
    return parse(*kept, *lines, *more)


def codes(result: ParsedReport) -> list[str]:
    """Return the codes of what was found, without the note that nearly every file gives."""
    return [finding.code for finding in result.findings if finding.code != "fide-ratings-taken"]


def cells_of(result: ParsedReport, seat: int = 1) -> tuple[Cell, ...]:
    assert result.report is not None, result.findings
    return next(entry.rounds for entry in result.report.sections[0].entries if entry.seat == seat)


# Ids and ratings


def national(seat: int, *, tag: str = "USA", rating: str = "", number: str = "", **more: str) -> str:
    line = player(
        seat, more.get("name", ""), tag=tag, rating=rating, number=number, born=more.get("born", "")
    )
    return line[:79].rstrip()
