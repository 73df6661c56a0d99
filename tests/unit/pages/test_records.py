"""What decisions say: in words, in the order in which people say them, with the names of members."""

from __future__ import annotations

import pytest

from ratebook.book.decisions import RecordedDecision
from ratebook.pages.records import what_words

NAMES = {"90000180": "Noor Elder"}
BALANCE = {"draws": 5.0, "games": 21.0, "losses": 8.0, "peak": None, "record": "mixed", "wins": 8.0}


@pytest.mark.parametrize(
    ("kind", "value", "details", "words"),
    [
        (
            "correct-result",
            None,
            {"opponent_result": "L", "result": "W", "round": 4, "seat": 6},
            "Seat 6, round 4: win.",
        ),
        (
            "correct-result",
            None,
            {"opponent_result": "F", "result": "F", "round": 1, "seat": 2},
            "Seat 2, round 1: loss by forfeit; opponent loss by forfeit.",
        ),
        (
            "correct-member",
            None,
            {"member": "90000180", "seat": 7, "submission": 580},
            "The player at seat 7 of report 580 is Noor Elder, 90000180.",
        ),
        (
            "correct-dates",
            None,
            {"end": "2025-10-09", "start": "2025-10-08"},
            "It was played from 2025-10-08 to 2025-10-09.",
        ),
        ("correct-dates", None, {"end": "2025-10-09", "start": "2025-10-09"}, "It was played on 2025-10-09."),
        ("correct-dates", None, {"end": "2025-10-09", "start": None}, "It ended on 2025-10-09."),
        ("correct-time-control", None, {"time_control": "G/60;d5"}, "The time control is G/60;d5."),
        (
            "correct-section",
            None,
            {"end": "2025-10-09", "start": "2025-10-08"},
            "from 2025-10-08; until 2025-10-09",
        ),
        ("opening-balance", 1257.6, BALANCE, "1258; 21 games; 8 won; 5 drawn; 8 lost; mixed record"),
        ("correct-facts", None, {"changed": ["birth_date", "name"]}, "changed birth date, name"),
        (
            "accept-warning",
            None,
            {"codes": ["report-late"], "findings": [{"code": "report-late"}]},
            "code report-late",
        ),
        ("grant-floor-request", None, {"seat": 2}, "seat 2"),
    ],
)
def test_a_decision_says_what_was_decided(
    kind: str, value: float | None, details: dict[str, object], words: str
) -> None:
    decision = RecordedDecision(
        id=1,
        kind=kind,
        decided_by="Clerk Example",
        decided_at="2026-11-20T12:00:00Z",
        reason="The winner and the loser were swapped.",
        effective=None,
        member_id=None,
        system=None,
        event_id=None,
        section_number=None,
        value=value,
        details=details,
        undoes=None,
    )
    assert what_words(decision, NAMES) == words
