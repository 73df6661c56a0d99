"""What a re-rating changed of a member, all its changes as a file, and events withdrawn and brought back."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pytest

from ratebook.book.connection import open_book
from ratebook.formats.native.write import write
from ratebook.office.rating.verify import verify
from support.book_reports import member_id, report

if TYPE_CHECKING:
    from pathlib import Path

    from cli.book.office_commands import OfficeCommands

EVENT = "202601100001"
WHY = ("--reason", "score sheet of both players")


def ratings(office: OfficeCommands) -> list[float]:
    return [one["rating"] for one in office.asked("history", member_id(1))["sections"]]


def test_a_history_says_what_a_rating_was_until_when_and_why_it_changed(rated: OfficeCommands) -> None:
    """A win of 1500 against 1500 is worth more than a draw."""
    (before,) = ratings(rated)
    assert rated.asked("history", member_id(1), "--changes")["changes"] == []
    assert "No re-rating has changed" in rated.done("history", member_id(1), "--changes")
    decision = rated.asked("correct", "result", EVENT, "1", "1", "1", "D", *WHY)["decision"]
    rated.done("rerate")
    (after,) = ratings(rated)
    (change,) = rated.asked("history", member_id(1), "--changes")["changes"]
    assert (change["event"], change["section"], change["system"]) == (EVENT, 1, "regular")
    assert (change["was"]["rating"], change["then"]["rating"]) == (round(before), round(after))
    assert before > after
    assert change["reasons"] == [
        f"decision {decision}, correct-result, event {EVENT} (score sheet of both players)"
    ]
    rated.done("correct", "withdraw", EVENT, "1", "--reason", "casual")
    rated.done("rerate")
    first, second = rated.asked("history", member_id(1), "--changes")["changes"]
    assert first == change
    assert second["then"] is None
    assert "not rated" in rated.done("history", member_id(1), "--changes")


def test_a_re_rating_writes_all_its_changes_to_a_file(rated: OfficeCommands, tmp_path: Path) -> None:
    rated.done("correct", "result", EVENT, "1", "1", "1", "D", *WHY)
    out = tmp_path / "changes.csv"
    changes = rated.asked("rerate", "--dry-run", "--out", str(out))["changes"]
    rows = list(csv.DictReader(out.read_text(encoding="utf-8").splitlines()))
    assert [(row["member"], row["system"], float(row["after"])) for row in rows] == [
        (one["member"], one["system"], one["after"]) for one in changes
    ]
    assert rows[0]["name"].startswith("EXAMPLE, PLAYER ")
    assert rated.refused("rerate", "--out", str(out)) == ["output-exists"]
    assert rated.asked("waits")["waits"], "nothing was rated again"


@pytest.fixture
def two_sections(rated: OfficeCommands, tmp_path: Path) -> OfficeCommands:
    """Give a book with an event of two sections too."""
    first = report("2026-02-10", [1, 2], ["W2", "L1"], event_id="202602100001")
    second = report("2026-02-10", [3, 4], ["W2", "L1"], event_id="202602100001", number=2)
    both = first._replace(
        players={**first.players, **second.players}, sections=first.sections + second.sections
    )
    path = tmp_path / "two.json"
    path.write_bytes(write(both).files["report.json"])
    rated.done("submit", str(path), "--received", "2026-02-11")
    rated.done("rate")
    return rated


def test_an_event_is_withdrawn_with_all_its_sections_and_comes_back_as_one(
    two_sections: OfficeCommands,
) -> None:
    office = two_sections
    before = ratings(office)
    event = "202602100001"
    decision = str(office.asked("correct", "withdraw", event, "--reason", "casual")["decision"])
    office.done("rerate")
    assert len(ratings(office)) == len(before) - 1
    assert [one["withdrawn"] for one in office.asked("event", event)["event"]["sections"]] == [True, True]
    assert office.refused("correct", "withdraw", event, "2", "--reason", "again") == ["nothing-changes"]
    assert office.refused("correct", "withdraw", event, "3", "--reason", "none") == ["section-unknown"]
    office.done("undo", decision, "--reason", "it was rated after all")
    office.done("rerate")
    assert ratings(office) == before
    assert office.refused("undo", decision, "--reason", "twice") == ["decision-undone-already"]
    book = open_book(office.place)
    assert [one.code for one in verify(book).findings if one.severity == "error"] == []
    book.close()


def test_undoing_a_withdrawn_event_leaves_what_was_withdrawn_before(two_sections: OfficeCommands) -> None:
    office, event = two_sections, "202602100001"
    office.done("correct", "withdraw", event, "2", "--reason", "casual")
    decision = str(office.asked("correct", "withdraw", event, "--reason", "casual")["decision"])
    office.done("undo", decision, "--reason", "it was rated after all")
    sections = office.asked("event", event)["event"]["sections"]
    assert [one["withdrawn"] for one in sections] == [False, True]
