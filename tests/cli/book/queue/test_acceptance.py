"""Which warnings an acceptance takes: one finding, or as many as it names; and what is recorded without one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from cli.book.office_commands import codes_in, write_report
from support.book_reports import member_id

if TYPE_CHECKING:
    from pathlib import Path

    from cli.book.office_commands import OfficeCommands

WHY = ("--reason", "looked at")
EVENT = "202601100001"
OTHER = "90000050"
CODE = "member-name-differs"
RENAMED = ("Garcia, Zoltan", "Okafor, Zoe", "Hassan, Ravi")


def rename(office: OfficeCommands, *numbers: int) -> None:
    """Give members names that no report has."""
    for number in numbers:
        office.done("correct", "facts", member_id(number), "--name", RENAMED[number - 1], *WHY)


@pytest.fixture
def differing(office: OfficeCommands, tmp_path: Path) -> OfficeCommands:
    """Give a book in whose queue report 1 has other names than the book at the seats 1 and 2."""
    rename(office, 1, 2)
    path = write_report(tmp_path / "r.json", "2026-01-10", [1, 2, 3], ["W2 D3", "L1 B", "B D1"])
    office.run("submit", path, "--received", "2026-01-11")
    return office


def open_places(office: OfficeCommands, number: int = 1) -> list[str]:
    """Return the places of the warnings that hold a report back."""
    shown = office.asked("show", str(number))
    accepted = office.run("show", str(number)).stdout
    places = [one["where"] for one in shown["problems"] if one["code"] == CODE]
    return sorted(one for one in places if f": {CODE} ({one})" not in accepted)


def test_a_correction_of_a_rated_event_waits_until_its_warning_is_accepted(rated: OfficeCommands) -> None:
    rated.done("add-member", OTHER, RENAMED[0], "--birth-date", "1971-01-01")
    correction = ("correct", "member", EVENT, "1", "1", OTHER, *WHY)
    before = rated.asked("decisions", "--all")["decisions"]
    for words in (correction, (*correction, "--accept", "report-late")):
        refused = rated.run(*words)
        assert refused.exit_code == 1
        assert codes_in(refused.stderr) == ["warnings-not-accepted", CODE]
        assert "repeat the command with --accept member-name-differs" in refused.stderr
        assert "Nothing was changed." in refused.stdout
    assert rated.asked("decisions", "--all")["decisions"] == before
    assert "Nothing waits" in rated.done("waits")
    done = rated.run(*correction, "--accept", CODE)
    assert done.exit_code == 0, done.output
    assert f"Accepted: {CODE} (section 1, seat 1)." in done.stdout
    (entry,) = rated.asked("audit", "--kind", "accept-warning")["entries"]
    assert entry["details"] == f"{CODE} at section 1, seat 1: looked at"
    # What was accepted is not asked again, nor by undoing it.
    result = ("correct", "result", EVENT, "1", "2", "1", "D", *WHY)
    assert "is recorded" in rated.done(*result)


def test_a_correction_taken_back_and_made_again_is_asked_about_again(rated: OfficeCommands) -> None:
    rename(rated, 1)
    correction = ("correct", "result", EVENT, "1", "2", "1", "D", *WHY)
    assert rated.refused(*correction) == ["warnings-not-accepted", CODE]
    number = rated.asked(*correction, "--accept", "all")["decision"]
    # The name at seat 1 was accepted, whatever is corrected now.
    assert "is recorded" in rated.done("undo", str(number), *WHY)


def test_yes_accepts_no_warning_of_a_merge(rated: OfficeCommands) -> None:
    rated.done("add-member", OTHER, RENAMED[0], "--birth-date", "1971-01-01")
    merge = ("merge", OTHER, member_id(1), "--yes", *WHY)
    assert rated.refused(*merge) == ["warnings-not-accepted", "merge-doubtful"]
    assert OTHER in rated.done("member", OTHER)
    assert "is recorded" in rated.done(*merge, "--accept", "merge-doubtful")


def test_a_table_of_corrections_accepts_warnings_in_a_column(rated: OfficeCommands, tmp_path: Path) -> None:
    rated.done("add-member", OTHER, RENAMED[0], "--birth-date", "1971-01-01")
    path = tmp_path / "corrections.csv"
    row = f"2026-02-03,secretary,member,{EVENT},1,1,{OTHER},score sheet"
    path.write_text(f"on,by,kind,event_id,section,seat,value,reason\n{row}\n", encoding="utf-8")
    refused = rated.run("import", "corrections", str(path))
    assert refused.exit_code == 1
    assert codes_in(refused.stderr) == ["warnings-not-accepted", CODE]
    assert f"write {CODE} into the column accept of its row" in refused.stderr
    path.write_text(f"on,by,kind,event_id,section,seat,value,reason,accept\n{row},{CODE}\n", encoding="utf-8")
    assert "1 made" in rated.done("import", "corrections", str(path))


def test_a_code_means_one_finding_and_several_are_named(differing: OfficeCommands) -> None:
    refused = differing.run("accept", "1", CODE, *WHY)
    assert codes_in(refused.stderr) == ["acceptance-unclear"]
    assert "has 2 open warnings with this code: section 1, seat 1; section 1, seat 2." in refused.stderr
    assert open_places(differing) == ["section 1, seat 1", "section 1, seat 2"]
    assert "still held back" in differing.done("accept", "1", CODE, "--section", "1", "--seat", "2", *WHY)
    assert open_places(differing) == ["section 1, seat 1"]
    assert differing.refused("accept", "1", CODE, "--seat", "3", *WHY) == ["accepted-in-vain"]
    assert "ready" in differing.done("accept", "1", CODE, *WHY)


def test_all_of_a_code_are_counted_and_asked_about(differing: OfficeCommands) -> None:
    everything = ("accept", "1", CODE, "--all-of-code", *WHY)
    assert differing.refused(*everything) == ["answer-missing"]
    declined = differing.run(*everything, data=b"n\n")
    assert declined.exit_code == 1
    named = f"2 findings in report 1: {CODE} (section 1, seat 1; section 1, seat 2)"
    assert named in declined.stderr
    assert len(open_places(differing)) == 2
    assert "ready" in differing.done(*everything, data=b"y\n")


def test_an_acceptance_holds_where_it_was_given_and_nowhere_else(differing: OfficeCommands) -> None:
    differing.done("accept", "1", CODE, "--seat", "1", *WHY)
    differing.done("accept", "1", CODE, "--seat", "2", *WHY)
    assert "ready" in differing.run("recheck", "1").stdout
    rename(differing, 3)
    assert codes_in(differing.run("recheck", "1").stderr) == [CODE]
    assert open_places(differing) == ["section 1, seat 3"]
    # Another wrong id at a seat is another finding; what was said of the other seats stays accepted.
    differing.done("add-member", OTHER, "Brown, Ann", "--birth-date", "1971-01-01")
    differing.done("correct", "member", "1", "1", "1", OTHER, *WHY)
    assert open_places(differing, 2) == ["section 1, seat 1", "section 1, seat 3"]
    differing.done("correct", "member", "2", "1", "1", member_id(4), "--accept", "all", *WHY)
    assert open_places(differing, 3) == ["section 1, seat 3"]


def test_a_warning_is_accepted_and_then_the_report_is_ready(office: OfficeCommands, tmp_path: Path) -> None:
    path = write_report(tmp_path / "r.json", "2026-01-10", [1, 2], ["W2", "L1"])
    said = office.done("submit", path, "--received", "2026-06-01")
    assert "held back by 1 warning (report-late)" in said
    assert "No report is ready" in office.done("rate")
    assert "ready to be rated" in office.done("accept", "1", "report-late", *WHY)
    assert "Accepted by Registrar Example: report-late" in office.done("show", "1")
    office.done("reject", "1", "--reason", "was a casual event")
    assert "No report is waiting." in office.done("queue")
    assert office.asked("queue", "--all")["submissions"][0]["status"] == "rejected"


def test_an_edited_report_takes_the_place_of_one_that_waits(office: OfficeCommands, tmp_path: Path) -> None:
    path = write_report(tmp_path / "r.json", "2026-01-10", [1, 2], ["W2", "L1"])
    office.done("submit", path, "--accept", "all")
    native = json.loads(office.done("show", "1", "--native"))
    native["sections"][0]["entries"][0]["rounds"] = ["D2"]
    native["sections"][0]["entries"][1]["rounds"] = ["D1"]
    (tmp_path / "edited.json").write_text(json.dumps(native), encoding="utf-8")
    fixed = office.asked("fix", "1", str(tmp_path / "edited.json"))
    assert fixed["submissions"][0]["submission"] == 2
    office.run("accept", "2", "all", "--yes", *WHY)
    office.done("rate")
    assert "1500" in office.done("history", member_id(1))
