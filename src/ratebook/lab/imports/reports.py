"""The games of reports: FIDE tournament reports, native reports, and whatever else the formats read."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from ratebook.findings import Findings, Place, Severity
from ratebook.formats.hints import seat_id
from ratebook.formats.registry import read_report
from ratebook.lab.imports.games import GAMES
from ratebook.model import PlayerFacts, Report, Section, System

COLOURS = {"w": 1, "b": -1}


def read_reports(path: Path, findings: Findings) -> pl.DataFrame:
    """Return the games of a report, or of all reports in a folder; those that cannot be read are left out.

    A folder within it is one report; a game in two of them counts once. A player is the member id, the FIDE number or
    the name.

    Raises:
        OSError: the folder cannot be read.
    """
    rows: list[dict[str, object]] = []
    for source in sorted(path.glob("[!.]*")) if path.is_dir() else [path]:
        # All sections are rated in OTB Regular, whatever their time control.
        parsed = read_report(source, time_control="G/90")
        if parsed.report is None:
            reason = next(found.message for found in parsed.findings if found.severity is Severity.ERROR)
            findings.add("report-left-out", Place(file=source.name), reason=reason.rstrip("."))
        else:
            rows += _games(parsed.report, source.stem)
    games = pl.DataFrame(rows, schema=GAMES)
    return games.unique(["event", "section", "round", "one", "two"], keep="first", maintain_order=True)


def _games(report: Report, name: str) -> Iterator[dict[str, object]]:
    """Yield each rated game once: that of the lower seat, or of the only one that has it."""
    for section in report.sections:
        event = report.event.id or f"{report.event.name or name}, {section.rules_date}"
        known = {
            "start": section.rules_date,
            "end": section.end,
            "event": event,
            "section": str(section.number),
        }
        entries = {entry.seat: entry for entry in section.entries}
        players = {
            seat: _player(report.players[entry.player], section, seat) for seat, entry in entries.items()
        }
        for seat, entry in entries.items():
            for number, cell in enumerate(entry.rounds, start=1):
                if not cell.rated or cell.opponent not in entries:
                    continue
                is_told_twice = any(
                    other.rated for other in entries[cell.opponent].rounds[number - 1 : number]
                )
                own, opponent = players[seat], players[cell.opponent]
                if own["id"] != opponent["id"] and (seat < cell.opponent or not is_told_twice):
                    sides = {"one": own, "two": opponent}.items()
                    yield {
                        **known,
                        "round": number,
                        "score": round(2 * cell.points),
                        "colour": COLOURS.get(cell.colour, 0),
                        **{side: player["id"] for side, player in sides},
                        **{f"{what}_{side}": who[what] for what in ("rating", "born") for side, who in sides},
                    }


def _player(player: PlayerFacts, section: Section, seat: int) -> dict[str, object]:
    """Return the id of a player, the rating before the event, and the birth date."""
    own, key = player.ratings.get(System.REGULAR), player.id
    rating = own.rating if own is not None else player.pairing_rating
    if rating is None and player.fide is not None:
        rating = player.fide.rating
    if key == seat_id(section.number, seat):
        # A FIDE number can be another one's member id.
        key = f"FIDE {player.fide_id}" if player.fide_id else player.name or key
    return {"id": key, "rating": rating, "born": player.birth_date}
