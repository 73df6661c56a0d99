"""Prizes that a native report brings: read, written, checked, and made floors by the rules of their day."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ratebook.formats.native.read import parse_native_json
from ratebook.formats.native.write import write
from ratebook.reports.rate import RatedReport, rate_report
from ratebook.rules.rulebook import load_rulebook

PRIZE = {"section": 1, "player": "1", "amount": 4000, "limit": 1800}


def content(*prizes: dict[str, Any], ceiling: float | None = None) -> bytes:
    players: list[dict[str, Any]] = [
        {"id": key, "ratings": {"regular": {"rating": rating, "games": 40}}}
        for key, rating in (("1", 1500), ("2", 1400))
    ]
    if ceiling is not None:
        players[0]["ceilings"] = [{"system": "regular", "ceiling": ceiling}]
    section = {
        "number": 1,
        "name": "UNDER 1800",
        "start": "2026-07-03",
        "end": "2026-07-05",
        "time_control": "G/60;d5",
        "type": "swiss",
        "online": False,
        "entries": [
            {"seat": 1, "player": "1", "rounds": ["W2"]},
            {"seat": 2, "player": "2", "rounds": ["L1"]},
        ],
    }
    report = {"format": "ratebook-report/1", "players": players, "sections": [section]}
    return json.dumps({**report, "prizes": list(prizes)} if prizes else report).encode()


def rated(*prizes: dict[str, Any], ceiling: float | None = None) -> RatedReport:
    parsed = parse_native_json(content(*prizes, ceiling=ceiling), "report.json")
    assert parsed.report is not None, parsed.findings
    again = parse_native_json(write(parsed.report).files["report.json"], "report.json")
    assert again.report == parsed.report
    return rate_report(parsed.report, load_rulebook())


def result(report: RatedReport) -> dict[str, float]:
    """Return the rating of player 1 after the section, by system."""
    return {
        one.system.value: entry.after.rating
        for one in report.sections
        for entry in one.entries
        if entry.player == "1" and entry.after is not None
    }


@pytest.mark.statement("L4")
@pytest.mark.parametrize(
    ("amount", "limit", "floor"),
    [(4000, 1800, 1800.0), (4000, 1850, 1900.0), (3999, 1800, None), (9000, 2200, None)],
)
def test_a_prize_of_the_report_makes_the_floor_of_its_day(
    amount: float, limit: float, floor: float | None
) -> None:
    """D25 section 5; the section is dual-rated, and its floor is one of OTB Regular."""
    without, found = result(rated()), rated({**PRIZE, "amount": amount, "limit": limit})
    assert without["regular"] < 1600
    assert result(found) == ({**without, "regular": floor} if floor else without)
    said = [one.message for one in found.findings if one.code == "prize-sets-floor"]
    assert said == (
        [f"The prize of {amount} dollars for players below {limit} sets a regular floor of {floor:g}."]
        if floor
        else []
    )


def test_a_floor_above_a_ceiling_is_none() -> None:
    found = rated(PRIZE, ceiling=1700)
    assert result(found) == result(rated(ceiling=1700))
    assert "prize-floor-above-ceiling" in {one.code for one in found.findings}


@pytest.mark.parametrize("wrong", [{"player": "3"}, {"section": 2}])
def test_a_prize_is_of_a_player_of_the_section(wrong: dict[str, Any]) -> None:
    found = rated({**PRIZE, **wrong})
    assert [(one.code, one.where) for one in found.findings if one.severity == "error"] == [
        ("prize-without-seat", "prize 1 of the list")
    ]
    assert found.sections == ()
