"""One invented report for each kind of rating that is explained: small sections in which one seat is of that kind.

What an independent engine needs to rate them again is beside them: the bonus multiplier of the day as the documents
print it, and which edition of the effective games holds.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from support.reference import LOSSES, MIXED, WINS


class Kind(NamedTuple):
    """A report and the seat whose explanation is kept.

    Attributes:
        report: the native report; its one section has every seat rated in *system*.
        seat: of the player of this kind.
        bonus: B on the section's day (D25 section 8).
        system: in which the section is explained.
        records: of players whose earlier games were all wins or all losses, by seat.
    """

    report: dict[str, Any]
    seat: int
    bonus: float
    system: str = "regular"
    records: dict[int, str] = {}  # noqa: RUF012 - read only

    def record(self, seat: int) -> str:
        """What all earlier games of *seat* were."""
        return self.records.get(seat, MIXED)


def rated(rating: float, games: float | None = 60, **others: object) -> dict[str, Any]:
    """Return a rating of a report."""
    return {"rating": rating, "games": games, **others}


COMPLETE = {"wins": 60, "draws": 20, "losses": 60, "long_events": 30, "life_master_games": 0}
"""Counts of somebody who has played 140 games."""


def report(
    day: str, players: dict[str, dict[str, Any]], rounds: list[str], **section: object
) -> dict[str, Any]:
    """Return a report of one section on *day*; seats are numbered in the order of *players*."""
    return {
        "format": "ratebook-report/1",
        "event": {"id": day.replace("-", "") + "0001", "name": "Example Open", "start": day, "end": day},
        "players": [
            {"id": f"P{seat}", "name": name, **one} for seat, (name, one) in enumerate(players.items(), 1)
        ],
        "sections": [
            {
                "number": 1,
                "time_control": "G/90;d5",
                "entries": [
                    {"seat": seat, "player": f"P{seat}", "rounds": one.split()}
                    for seat, one in enumerate(rounds, 1)
                ],
                **section,
            }
        ],
    }


def regular(rating: float, games: float | None = 60, **others: object) -> dict[str, Any]:
    """Return the facts of a player with an OTB Regular rating."""
    return {"ratings": {"regular": rated(rating, games, **others)}}


ROUNDS_OF_FOUR = ["W2 W3 W4", "L1 D4 W3", "D4 L1 L2", "D3 D2 L1"]
"""A round robin of four: seat 1 wins all its games."""

ROUNDS_LOST = ["L2 L3 L4", "W1 D4 W3", "D4 W1 L2", "D3 D2 W1"]
"""A round robin of four: seat 1 loses all its games."""

KINDS = {
    "bonus": Kind(
        report(
            "2026-06-06",
            {
                "ADAMS, EXAMPLE": regular(1600, 140, **COMPLETE, peak=1655),
                "BAKER, EXAMPLE": regular(1700),
                "CLARK, EXAMPLE": regular(1810),
                "DAVIS, EXAMPLE": regular(1650),
            },
            ROUNDS_OF_FOUR,
        ),
        1,
        10,
    ),
    "special": Kind(
        report(
            "2026-06-06",
            {
                "ADAMS, EXAMPLE": regular(
                    1432.5, 6, wins=2, draws=1, losses=3, long_events=2, life_master_games=0
                ),
                "BAKER, EXAMPLE": regular(1500),
                "CLARK, EXAMPLE": regular(1320),
                "DAVIS, EXAMPLE": regular(1605),
            },
            ["D2 W3 L4", "D1 D4 W3", "D4 L1 L2", "D3 D2 W1"],
        ),
        1,
        10,
    ),
    "newcomer-by-age": Kind(
        report(
            "2026-06-06",
            {
                "ADAMS, EXAMPLE": {"birth_date": "2015-03-10"},
                "BAKER, EXAMPLE": regular(702.25),
                "CLARK, EXAMPLE": {"birth_date": "2013-11-30"},
                "DAVIS, EXAMPLE": regular(911, 12),
            },
            ["W2 D3 L4", "L1 D4 W3", "D4 D1 L2", "D3 D2 W1"],
        ),
        1,
        10,
    ),
    "newcomer-by-fide": Kind(
        report(
            "2016-09-01",
            {
                "ADAMS, EXAMPLE": {
                    "fide": {"rating": 2151, "as_of": "2016-08-01"},
                    "birth_date": "1980-01-01",
                },
                "BAKER, EXAMPLE": {"ratings": {"blitz": rated(2100)}},
                "CLARK, EXAMPLE": {"ratings": {"blitz": rated(2011)}},
                "DAVIS, EXAMPLE": {"ratings": {"blitz": rated(2236)}},
            },
            ["W2 D3 L4", "L1 D4 W3", "D4 D1 L2", "D3 D2 W1"],
            time_control="G/5;d0",
        ),
        1,
        12,
        "blitz",
    ),
    "blend": Kind(
        report(
            "2026-06-06",
            {
                "ADAMS, EXAMPLE": {
                    "birth_date": "2010-02-20",
                    "canadian_resident": True,
                    "fide": {"rating": 1530, "as_of": "2026-06-01"},
                    "cfc": {"rating": 1422, "as_of": "2025-01-15"},
                    "ratings": {
                        "regular": rated(1388.4, 31, as_of="2024-10-05"),
                        "online-blitz": rated(1204.75, 3, as_of="2023-04-30"),
                    },
                },
                "BAKER, EXAMPLE": {"ratings": {"quick": rated(1402)}},
                "CLARK, EXAMPLE": {"ratings": {"quick": rated(1333)}},
                "DAVIS, EXAMPLE": {"ratings": {"quick": rated(1561)}},
            },
            ["W2 D3 L4", "L1 D4 W3", "D4 D1 L2", "D3 D2 W1"],
            time_control="G/25;d5",
        ),
        1,
        10,
        "quick",
    ),
    "unbroken-record": Kind(
        report(
            "2026-06-06",
            {
                "ADAMS, EXAMPLE": regular(
                    1450, 4, wins=4, draws=0, losses=0, long_events=1, life_master_games=0
                ),
                "BAKER, EXAMPLE": regular(1500),
                "CLARK, EXAMPLE": regular(
                    1320, 3, wins=0, draws=0, losses=3, long_events=1, life_master_games=0
                ),
                "DAVIS, EXAMPLE": regular(1605),
            },
            ["W2 W3 D4", "L1 D4 W3", "D4 L1 L2", "D3 D2 D1"],
        ),
        1,
        10,
        records={1: WINS, 3: LOSSES},
    ),
    "reduced-k": Kind(
        report(
            "2026-06-06",
            {
                "ADAMS, EXAMPLE": {"ratings": {"regular": rated(2510, 400), "quick": rated(2480)}},
                "BAKER, EXAMPLE": {"ratings": {"regular": rated(2302), "quick": rated(2300)}},
                "CLARK, EXAMPLE": {"ratings": {"regular": rated(2100), "quick": rated(2100)}},
                "DAVIS, EXAMPLE": {"ratings": {"regular": rated(2405), "quick": rated(2400)}},
            },
            ["W2 D3 D4", "L1 D4 W3", "D4 D1 L2", "D3 D2 D1"],
            time_control="G/45;d5",
        ),
        1,
        10,
    ),
    "floor-personal": Kind(
        report(
            "2026-06-06",
            {
                "ADAMS, EXAMPLE": regular(
                    121, 30, wins=3, draws=1, losses=26, long_events=7, peak=180, life_master_games=0
                ),
                "BAKER, EXAMPLE": regular(150),
                "CLARK, EXAMPLE": regular(133),
                "DAVIS, EXAMPLE": regular(210),
            },
            ROUNDS_LOST,
        ),
        1,
        10,
    ),
    "floor-peak": Kind(
        report(
            "2026-06-06",
            {
                "ADAMS, EXAMPLE": regular(1712, 140, **COMPLETE, peak=1941),
                "BAKER, EXAMPLE": regular(1500),
                "CLARK, EXAMPLE": regular(1622),
                "DAVIS, EXAMPLE": regular(1590),
            },
            ROUNDS_LOST,
        ),
        1,
        10,
    ),
    "floor-original-life-master": Kind(
        report(
            "2026-06-06",
            {
                "ADAMS, EXAMPLE": regular(2204, 900, **(COMPLETE | {"life_master_games": 298}), peak=2290),
                "BAKER, EXAMPLE": regular(2150),
                "CLARK, EXAMPLE": regular(2211),
                "DAVIS, EXAMPLE": regular(2090),
            },
            ROUNDS_LOST,
        ),
        1,
        10,
    ),
    "floor-prize": Kind(
        report(
            "2026-06-06",
            {
                "ADAMS, EXAMPLE": regular(1807, 140, **COMPLETE, peak=1850)
                | {"floors": [{"system": "regular", "kind": "money", "floor": 1800}]},
                "BAKER, EXAMPLE": regular(1750),
                "CLARK, EXAMPLE": regular(1911),
                "DAVIS, EXAMPLE": regular(1690),
            },
            ROUNDS_LOST,
        ),
        1,
        10,
    ),
    "match-limit": Kind(
        report(
            "2026-06-06",
            {
                "ADAMS, EXAMPLE": regular(1500, 140, **COMPLETE, peak=1530, published=1500)
                | {"matches": [{"system": "regular", "end": "2026-03-01", "change": 70}]},
                "BAKER, EXAMPLE": regular(1620, published=1620),
            },
            ["W2 W2 W2 D2", "L1 L1 L1 D1"],
            type="match",
        ),
        1,
        10,
    ),
    "floor-request": Kind(
        report(
            "2026-06-06",
            {
                "ADAMS, EXAMPLE": regular(1710, 140, **COMPLETE, peak=1941, published=1710),
                "BAKER, EXAMPLE": regular(1620, published=1620),
            },
            ["L2 L2 L2 D2", "W1 W1 W1 D1"],
            type="match",
        ),
        1,
        10,
    ),
    "foreign-event": Kind(
        report(
            "2026-06-06",
            {
                "ADAMS, EXAMPLE": regular(2201, 140, **COMPLETE, peak=2255)
                | {
                    "fide": {"rating": 2210, "as_of": "2026-06-01"},
                    "us_member": True,
                    "usa_flag": True,
                    "fide_opt_in": True,
                },
                "BAKER, EXAMPLE": {"fide": {"rating": 1980, "as_of": "2026-06-01"}},
                "CLARK, EXAMPLE": {"fide": {"rating": 2304, "as_of": "2026-06-01"}},
                "DAVIS, EXAMPLE": {"fide": {"rating": 2250, "as_of": "2026-06-01"}},
            },
            ROUNDS_OF_FOUR,
            type="fide",
        ),
        1,
        10,
    ),
    "half-k": Kind(
        report(
            "2003-09-01",
            {
                "ADAMS, EXAMPLE": regular(1300, 45, wins=20, draws=5, losses=20, long_events=9, peak=1335),
                "BAKER, EXAMPLE": regular(1402),
                "CLARK, EXAMPLE": regular(1455),
                "DAVIS, EXAMPLE": regular(1381),
            },
            ROUNDS_OF_FOUR,
            time_control="G/60",
            half_k=True,
        ),
        1,
        10,
    ),
}
KINDS["floor-request"].report["sections"][0]["entries"][0]["floor_request"] = "granted"
KINDS["foreign-event"].report["sections"][0]["entries"][0]["update"] = True
