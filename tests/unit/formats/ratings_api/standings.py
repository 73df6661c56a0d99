"""Standings of the ratings API, as they are published."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING, Any

from ratebook.formats.archive import SourceFile
from ratebook.formats.contract import Hints, ParsedReport
from ratebook.formats.ratings_api.read import parse
from ratebook.formats.source import Source

if TYPE_CHECKING:
    from ratebook.model import Report

Values = dict[str, Any]

DAY = date(2026, 11, 14)
HINTS = Hints(DAY, DAY, "G/90;d5")


def outcome(number: int, result: str, opponent: int | None = None, color: str = "Unknown") -> Values:
    return {
        "id": f"01-{number}",
        "roundNumber": number,
        "outcome": result,
        "color": color,
        "opponentOrdinal": None if opponent is None else opponent + 10,
        "opponentPairingNumber": opponent,
    }


def player(seat: int, *outcomes: Values, **more: object) -> Values:
    return {
        "ordinal": seat + 10,
        "pairingNumber": seat,
        "playerId": f"01-{seat}",
        "memberId": f"9000000{seat}",
        "firstName": "EXAMPLE Q.",
        "lastName": "ADAMS",
        "stateRep": "NY",
        "score": 1.5,
        "roundOutcomes": list(outcomes),
        "ratings": [],
        **more,
    }


def rating(system: str, before: float | None, after: float | None, provisional: int | None) -> Values:
    return {
        "preRating": None if before is None else round(before),
        "preRatingDecimal": before,
        "postRating": None if after is None else round(after),
        "postRatingDecimal": after,
        "ratingSystem": system,
        "postProvisionalGameCount": provisional,
    }


def page(*players: Values, more: bool = False, offset: int = 0) -> Values:
    return {
        "items": list(players),
        "offset": offset,
        "pageSize": 100,
        "hasPreviousPage": offset > 0,
        "hasNextPage": more,
    }


def two_players() -> list[Values]:
    return [
        player(
            1,
            outcome(1, "Win", 2, "White"),
            outcome(2, "ByeHalf"),
            ratings=[rating("R", 634.81, 650.25, None), rating("Q", 600.5, 612.75, 12)],
        ),
        player(
            2,
            outcome(1, "Loss", 1, "Black"),
            outcome(2, "Unpaired"),
            ratings=[rating("R", None, 412.5, 1), rating("Q", 700.0, 690.0, None)],
        ),
    ]


SECTION: Values = {
    "number": 3,
    "name": "OPEN",
    "playerCount": 2,
    "gameCount": 1,
    "roundCount": 2,
    "startDate": "2026-11-13",
    "endDate": "2026-11-14",
    "format": "Swiss",
    "timeControl": "G/60;d5",
    "ratingSystem": "D",
    "isOnline": False,
    "volunteers": [],
}
EVENT: Values = {
    "id": "202611140001",
    "name": "AUTUMN OPEN",
    "startDate": "2026-11-13",
    "endDate": "2026-11-15T00:00:00",
    "affiliate": {"id": "A9000001", "name": "EXAMPLE CLUB"},
    "sectionCount": 1,
    "stateCode": "NY",
    "city": "EXAMPLEVILLE",
    "countryCode": "USA",
    "sections": [],
}


def source_of(*values: object) -> Source:
    files = [
        SourceFile(f"{number}.json", value if isinstance(value, bytes) else json.dumps(value).encode())
        for number, value in enumerate(values, start=1)
    ]
    return Source(files[0].name if len(files) == 1 else "folder", tuple(files))


def read(*values: object, hints: Hints = HINTS) -> ParsedReport:
    return parse(source_of(*values), hints)


def report_of(*values: object, hints: Hints = HINTS) -> Report:
    result = read(*values, hints=hints)
    assert result.report is not None, result.findings
    return result.report


def codes(*values: object, hints: Hints = HINTS) -> list[str]:
    return [finding.code for finding in read(*values, hints=hints).findings]
