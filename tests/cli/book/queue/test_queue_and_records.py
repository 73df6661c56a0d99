"""A queue that is looked through by codes, warnings accepted in many reports at once, and what is on record of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cli.book.office_commands import codes_in, write_report
from support.book_reports import member_id

if TYPE_CHECKING:
    from pathlib import Path

    from cli.book.office_commands import OfficeCommands

WHY = ("--reason", "looked at")


@pytest.fixture
def waiting(office: OfficeCommands, tmp_path: Path) -> OfficeCommands:
    """Give a book in whose queue 1 and 2 are late, 3 has an error too, and 4 is ready."""
    for number, (day, received, players) in enumerate(
        [
            ("2026-01-10", "2026-02-10", [1, 2]),
            ("2026-01-11", "2026-02-11", [3, 4]),
            ("2026-01-12", "2026-02-12", [1, 99]),
            ("2026-02-10", "2026-02-12", [1, 3]),
        ],
        start=1,
    ):
        path = write_report(tmp_path / f"Report{number}.json", day, players, ["W2", "L1"])
        office.run("submit", path, "--received", received)
    return office


@pytest.mark.parametrize(
    ("options", "numbers"),
    [
        ((), [1, 2, 3, 4]),
        (("--code", "report-late"), [1, 2, 3]),
        (("--code", "member-unknown"), [3]),
        (("--state", "ready"), [4]),
        (("--source", "report2"), [2]),
        (("--by", "Registrar Example"), [1, 2, 3, 4]),
        (("--by", "Registrar"), []),
        (("--since", "2026-02-11", "--until", "2026-02-11"), [2]),
    ],
)
def test_the_queue_is_looked_through(
    waiting: OfficeCommands, options: tuple[str, ...], numbers: list[int]
) -> None:
    answer = waiting.asked("queue", *options)
    assert [one["number"] for one in answer["submissions"]] == numbers
    assert answer["totals"]["reports"] == len(numbers)


def test_the_queue_names_the_codes_that_hold_reports_back_and_counts_them(waiting: OfficeCommands) -> None:
    said = waiting.done("queue")
    assert said.splitlines()[0] == "4 reports: 1 ready, 3 held; 1 error and 4 open warnings"
    assert "error member-unknown, report-late" in said
    summary = waiting.asked("queue", "--summary")
    assert "submissions" not in summary
    assert [tuple(line.values()) for line in summary["summary"]] == [
        ("member-unknown", "error", 1, 1),
        ("report-late", "warning", 3, 3),
        ("unrated-without-birth-date", "warning", 1, 1),
    ]
    assert waiting.done("queue", "--summary").splitlines()[2].split() == ["member-unknown", "error", "1", "1"]


def test_warnings_of_many_reports_are_accepted_at_once_all_or_none(waiting: OfficeCommands) -> None:
    assert waiting.refused("accept", "1", "4", "report-late", *WHY) == ["accepted-in-vain"]
    assert waiting.refused("accept", "--code", "name-twice", "--all", *WHY) == ["accepted-in-vain"]
    assert waiting.asked("queue")["totals"]["warnings"] == 4, "nothing was accepted"
    assert (
        waiting.done("accept", "2", "1", "report-late", "--yes", *WHY) == "2 reports are ready to be rated.\n"
    )
    said = waiting.done("accept", "--code", "report-late", "--all", "--yes", *WHY)
    assert said == "Report 3: still held back by error member-unknown, unrated-without-birth-date.\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["1", "report-lat"], "neither the number of a submission nor the code of a finding"),
        (["1", "2"], "Name the codes"),
        (["report-late"], "or give --all"),
        (["--all", "1", "report-late"], "--all takes codes alone"),
        (["--all", "all"], "--all takes codes alone"),
    ],
)
def test_what_is_not_clear_is_not_accepted(waiting: OfficeCommands, arguments: list[str], words: str) -> None:
    result = waiting.run("accept", *arguments, *WHY)
    assert result.exit_code == 2
    assert words in result.stderr


def test_what_was_accepted_is_not_printed_again(waiting: OfficeCommands, tmp_path: Path) -> None:
    waiting.done("accept", "1", "report-late", *WHY)
    path = write_report(tmp_path / "fixed.json", "2026-01-10", [1, 2], ["L2", "W1"])
    fixed = waiting.run("fix", "1", path)
    assert "report 5" in fixed.stdout
    assert "ready to be rated (accepted: 1 report-late)" in fixed.stdout
    assert codes_in(fixed.stderr) == []
    assert waiting.asked("show", "5")["accepted"] == ["report-late"]
    waiting.done("rate")
    event = waiting.asked("show", "5")["event"]
    corrected = waiting.run("correct", "result", event, "1", "1", "1", "D", *WHY)
    assert corrected.exit_code == 0
    assert codes_in(corrected.stderr) == []


def test_decisions_name_submissions_codes_and_reasons_and_balances_do_not_drown_them(
    waiting: OfficeCommands,
) -> None:
    waiting.done("accept", "--code", "report-late", "--all", "--yes", "--reason", "office closed")
    waiting.done("reject", "3", "--reason", "casual games")
    shown = waiting.asked("decisions")
    assert [one["kind"] for one in shown["decisions"]] == ["reject-report"]
    assert shown["left_out"] == {"accept-warning": 1, "opening-balance": 4}
    assert "Not shown: 1 accept-warning, 4 opening-balance" in waiting.done("decisions")
    accepted = waiting.asked("decisions", "--kind", "accept-warning")["decisions"][0]
    assert accepted["reason"] == "office closed"
    assert accepted["details"] == {
        "codes": ["report-late"],
        "submission": [1, 2, 3],
        "findings": [
            {"submission": one, "code": "report-late", "place": {"subject": "report"}} for one in (1, 2, 3)
        ],
    }
    assert "report 1, 2, 3" in waiting.done("decisions", "--all")


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (("--subject", "submission 3"), {"decisions": 2, "audit": 3}),
        (("--subject", f"member {member_id(1)}"), {"decisions": 1, "audit": 1}),
        (("--by", "Somebody Else"), {"decisions": 0, "audit": 0}),
        (("--kind", "opening-balance", "--until", "2020-01-01"), {"decisions": 0, "audit": 0}),
        (("--kind", "accept-warning", "--since", "2020-01-01"), {"decisions": 1, "audit": 3}),
    ],
)
def test_decisions_and_the_audit_log_are_looked_through(
    waiting: OfficeCommands, options: tuple[str, ...], found: dict[str, int]
) -> None:
    waiting.done("accept", "--code", "report-late", "--all", "--yes", *WHY)
    waiting.done("reject", "3", *WHY)
    assert len(waiting.asked("decisions", *options)["decisions"]) == found["decisions"]
    assert len(waiting.asked("audit", *options)["entries"]) == found["audit"]


def test_the_subject_of_an_event_has_its_sections(rated: OfficeCommands) -> None:
    entries = rated.asked("audit", "--subject", "event 202601100001")["entries"]
    assert {one["subject"] for one in entries} == {"event 202601100001", "event 202601100001 section 1"}
    assert rated.asked("audit", "--subject", "event 20260110000")["entries"] == []
