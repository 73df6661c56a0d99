"""The games of reports: FIDE tournament reports, native reports, and whatever else the formats read."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from ratebook.findings import Findings, Place, Severity
from ratebook.formats.hints import seat_id
from ratebook.formats.registry import read_report
from ratebook.lab.imports.games import GAMES
from ratebook.model import Entry, PlayerFacts, Report, Section, System

COLOURS = {"w": 1, "b": -1}
ANY_CONTROL = "G/90"
"""Of reports that do not say theirs: all sections are rated in OTB Regular."""


def read_reports(path: Path, findings: Findings) -> pl.DataFrame:
    """Return the games of a report, or of all reports in a folder; those that cannot be read are left out.

    A folder within it is one report. A player is the member id, else the FIDE number, else the name.

    Raises:
        OSError: the folder cannot be read.
    """
    rows: list[dict[str, object]] = []
    for source in sorted(path.iterdir()) if path.is_dir() else [path]:
        if source.name.startswith("."):
            continue
        parsed = read_report(source, time_control=ANY_CONTROL)
        if parsed.report is None:
            error = next(finding for finding in parsed.findings if finding.severity is Severity.ERROR)
            findings.add("report-left-out", Place(file=source.name), reason=error.message.rstrip("."))
        else:
            rows += _games(parsed.report, source.stem)
    return pl.DataFrame(rows, schema=GAMES)


def _games(report: Report, name: str) -> Iterator[dict[str, object]]:
    for section in report.sections:
        players = {
            entry.seat: _player(report.players[entry.player], section, entry) for entry in section.entries
        }
        for entry, other, number in _pairs(section):
            cell = entry.rounds[number - 1]
            own, opponent = players[entry.seat], players[other]
            if own["id"] != opponent["id"]:
                yield {
                    "start": section.rules_date,
                    "end": section.end,
                    "event": report.event.id or f"{report.event.name or name}, {section.rules_date}",
                    "section": str(section.number),
                    "round": number,
                    "one": own["id"],
                    "two": opponent["id"],
                    "score": round(2 * cell.points),
                    "colour": COLOURS.get(cell.colour, 0),
                    "rating_one": own["rating"],
                    "rating_two": opponent["rating"],
                    "born_one": own["born"],
                    "born_two": opponent["born"],
                }


def _pairs(section: Section) -> Iterator[tuple[Entry, int, int]]:
    """Yield each rated game once: an entry, the seat of the opponent, and the round."""
    entries = {entry.seat: entry for entry in section.entries}
    for entry in section.entries:
        for number, cell in enumerate(entry.rounds, start=1):
            if not cell.rated or cell.opponent not in entries:
                continue
            others = entries[cell.opponent].rounds
            told_twice = len(others) >= number and others[number - 1].rated
            if entry.seat < cell.opponent or not told_twice:
                yield entry, cell.opponent, number


def _player(player: PlayerFacts, section: Section, entry: Entry) -> dict[str, object]:
    """Return the id of a player, the rating before the event, and the birth date."""
    own, key = player.ratings.get(System.REGULAR), player.id
    rating = own.rating if own is not None else player.pairing_rating
    if rating is None and player.fide is not None:
        rating = player.fide.rating
    if key == seat_id(section.number, entry.seat):
        # A FIDE number can be another one's member id.
        key = f"FIDE {player.fide_id}" if player.fide_id else player.name or key
    return {"id": key, "rating": rating, "born": player.birth_date}
