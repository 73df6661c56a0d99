"""What decisions say: in words, in the order in which people say them, with the names of members."""

from __future__ import annotations

import pytest

from ratebook.book.decisions import RecordedDecision
from ratebook.pages.records import what_words

NAMES = {"90000180": "Noor Elder"}
BALANCE = {"draws": 5.0, "games": 21.0, "losses": 8.0, "peak": None, "record": "mixed", "wins": 8.0}


@pytest.mark.parametrize(
    ("value", "details", "words"),
    [
        (None, {"opponent_result": "L", "result": "W", "round": 4, "seat": 6}, "seat 6, round 4: win"),
        (
            None,
            {"opponent_result": "F", "result": "F", "round": 1, "seat": 2},
            "seat 2, round 1: loss by forfeit; opponent loss by forfeit",
        ),
        (
            None,
            {"member": "90000180", "seat": 7, "submission": 580},
            "seat 7: Noor Elder, 90000180; report 580",
        ),
        (None, {"end": "2025-10-09", "start": "2025-10-08"}, "from 2025-10-08; until 2025-10-09"),
        (1257.6, BALANCE, "1258; 21 games; 8 wins; 5 draws; 8 losses; mixed record"),
        (None, {"changed": ["birth_date", "name"]}, "changed birth date, name"),
        (None, {"codes": ["report-late"], "findings": [{"code": "report-late"}]}, "code report-late"),
    ],
)
def test_a_decision_says_what_was_decided(
    value: float | None, details: dict[str, object], words: str
) -> None:
    decision = RecordedDecision(
        id=1,
        kind="correct-result",
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
