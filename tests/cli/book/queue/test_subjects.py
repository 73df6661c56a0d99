"""What decisions and entries of the audit log are about: asked for as a whole, whatever names and ids look like."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cli.book.office_commands import OfficeCommands, write_report

if TYPE_CHECKING:
    from pathlib import Path

WHY = ("--reason", "looked at")


def of(office: OfficeCommands, what: str, subject: str) -> list[str]:
    """Return what *subject* is found by: the kinds of decisions, or the actions of entries."""
    answer = office.asked(what, "--subject", subject, "--all")
    name, kind = {"decisions": ("decisions", "kind"), "audit": ("entries", "action")}[what]
    return [one[kind] for one in answer[name]]


def test_a_name_that_begins_like_a_decision_is_none(tmp_path: Path) -> None:
    office = OfficeCommands(str(tmp_path / "league.book"))
    office.done("init", "--name", "decision makers")
    assert "No decision matches." in office.done("decisions", "--subject", "book")
    office.done("backup", str(tmp_path / "decision 7: day.book"))
    office.done("restore", str(tmp_path / "decision 7: day.book"), "--yes")
    assert of(office, "decisions", "book") == []
    assert of(office, "audit", "book") == ["restore-book", "backup-book", "create-book"]
    assert "nothing differs" in office.done("verify")


def test_members_are_asked_for_by_their_whole_ids(tmp_path: Path) -> None:
    office = OfficeCommands(str(tmp_path / "league.book"))
    office.done("init", "--name", "Example League", "--member-id-pattern", "[0-9 ]+")
    for member in ("7", "7 1"):
        office.done(
            "add-member", member, f"Example, Player {member}", "--birth-date", "1990-01-01", "--accept", "all"
        )
        office.done("correct", "facts", member, "--club", f"Club {member}", *WHY)
    for member in ("7", "7 1"):
        assert of(office, "decisions", f"member {member}") == ["correct-facts"]
        assert of(office, "audit", f"member {member}") == ["correct-facts", "add-member"]
    assert len(of(office, "decisions", "member")) == 2
    assert of(office, "decisions", "mem") == []


@pytest.mark.parametrize("event_id", ["A B", "A B section 1"])
def test_events_are_asked_for_by_their_whole_ids(
    office: OfficeCommands, tmp_path: Path, event_id: str
) -> None:
    for at, one in enumerate(("A B", "A B section 1"), start=1):
        path = write_report(tmp_path / f"{at}.json", f"2026-01-1{at}", [1, 2], ["W2", "L1"], event_id=one)
        office.done("submit", path, "--received", f"2026-01-1{at}", "--accept", "all")
    office.done("rate")
    for one in ("A B", "A B section 1"):
        office.done("correct", "result", one, "1", "1", "1", "D", *WHY)
    assert of(office, "decisions", f"event {event_id}") == ["correct-result"]
    assert of(office, "audit", f"event {event_id}") == ["correct-result", "rate-event", "rate-section"]
    assert of(office, "audit", f"event {event_id} section 1").count("rate-section") == 1
    assert "nothing differs" in office.done("verify")
