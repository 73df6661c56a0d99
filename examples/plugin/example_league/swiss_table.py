"""The table of an invented pairing program: one section, one line for each player, tabs between the cells.

#swiss-table   Example Open   2026-11-14   2026-11-15   G/60;d5
No   Name             Id         Rtg    1     2     3
1    ADAMS, EXAMPLE   90000001   1512   +4w   =2b   bye
"""

import re
from collections.abc import Iterator
from datetime import date

from ratebook.findings import Findings, Place
from ratebook.formats.contract import AfterRatings, Format, Hints, ParsedReport, Written
from ratebook.formats.losses import Losses
from ratebook.formats.source import Source
from ratebook.model import Cell, Entry, Event, PlayerFacts, Report, Section, SectionType

FORMAT = Format(
    name="swiss-table",
    title="table of the league's pairing program",
    page="https://example.org/swiss-table",
    reader="example_league.swiss_table",
    writer="example_league.swiss_table",
    suffixes=(".swt",),
    private=False,
)
MARK = "#swiss-table"
COLUMNS = ("No", "Name", "Id", "Rtg")
HELD = frozenset({"event.name", "event.start", "event.end", "section.start", "section.time_control"}) | {
    "player.name",
    "player.pairing_rating",
}
"""The facts that the table has a place for, beside those that every report has."""

LETTERS = {"+": "W", "=": "D", "-": "L"}
BYES = {"bye": "B", "half": "H", "": ""}
_GAME = re.compile(r"([+=-])([0-9]{1,4})([wb])", re.ASCII)
_NUMBER = re.compile(r"[0-9]{1,4}", re.ASCII)


def looks_like(source: Source) -> bool:
    """Return whether *source* begins with the mark of this format."""
    return source.files[0].data.startswith(MARK.encode())


def parse(source: Source, hints: Hints) -> ParsedReport:
    """Return the report in the first file of *source*, with all findings; it says all that *hints* could."""
    del hints
    findings = Findings()
    name = source.files[0].name
    lines = [line.split("\t") for line in source.files[0].data.decode("utf-8", "replace").splitlines()]
    try:
        _, event, *days, control = lines[0]
        start, end = map(date.fromisoformat, days)
    except ValueError:
        findings.add("league-heading", Place(file=name, line=1))
        return ParsedReport(None, findings.of_file(name))
    rows = [
        _row(line, Place(file=name, line=number), findings)
        for number, line in enumerate(lines[2:], start=3)
        if any(line)
    ]
    if findings.has_errors:
        return ParsedReport(None, findings.of_file(name))
    section = Section(
        number=1,
        name="",
        start=start,
        end=end,
        time_control=control,
        type=SectionType.SWISS,
        entries=tuple(entry for entry, _ in rows),
    )
    players = {player.id: player for _, player in rows}
    return ParsedReport(
        Report(Event(name=event, start=start, end=end), players, (section,)), findings.of_file(name)
    )


def _row(line: list[str], place: Place, findings: Findings) -> tuple[Entry, PlayerFacts]:
    seat, name, member, rating, *cells = [*line, *[""] * (len(COLUMNS) - len(line))]
    if not _NUMBER.fullmatch(seat) or (rating and not _NUMBER.fullmatch(rating)):
        findings.add("league-row", place)
        seat, rating = "1", ""
    player = PlayerFacts(member or f"seat-{seat}", name, pairing_rating=float(rating) if rating else None)
    return Entry(int(seat), player.id, tuple(_cell(text, place, findings) for text in cells)), player


def _cell(text: str, place: Place, findings: Findings) -> Cell:
    if text in BYES:
        return Cell(BYES[text])
    if game := _GAME.fullmatch(text):
        return Cell(LETTERS[game[1]], int(game[2]), game[3])
    findings.add("league-cell", place, text=text[:20])
    return Cell()


def write(report: Report, after: AfterRatings | None = None) -> Written:
    """Return the first section of *report* as a table, with a note of all that it has no place for."""
    del after
    losses = Losses()
    losses.add_facts(report, HELD)
    losses.add("section after the first", len(report.sections) - 1)
    section = report.sections[0]
    rounds = max((len(entry.rounds) for entry in section.entries), default=0)
    lines = [
        [
            MARK,
            report.event.name,
            str(section.start or section.end),
            str(section.end),
            section.time_control or "",
        ],
        [*COLUMNS, *map(str, range(1, rounds + 1))],
        *(_line(entry, report.players[entry.player], losses) for entry in section.entries),
    ]
    text = "".join("\t".join(" ".join(cell.split()) for cell in line) + "\n" for line in lines)
    return Written({"report.swt": text.encode()}, losses.findings("report.swt"))


def _line(entry: Entry, player: PlayerFacts, losses: Losses) -> list[str]:
    rating = "" if player.pairing_rating is None else f"{player.pairing_rating:.0f}"
    losses.add("rating before the event", len(player.ratings))
    return [str(entry.seat), player.name, player.id, rating, *_cells(entry, losses)]


def _cells(entry: Entry, losses: Losses) -> Iterator[str]:
    signs = {letter: sign for sign, letter in LETTERS.items()}
    words = {letter: word for word, letter in BYES.items()}
    for cell in entry.rounds:
        if cell.letter in signs and cell.opponent is not None:
            losses.add("game whose colours are not known, which reads as White's", int(not cell.colour))
            yield f"{signs[cell.letter]}{cell.opponent}{cell.colour or 'w'}"
        else:
            losses.add("forfeit or other result", int(cell.letter not in words))
            yield words.get(cell.letter, "")
