"""An office's work by the commands: what comes in is rated, corrected, rated again, verified and published."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import pytest

from cli.book.office_commands import BIRTH_DATES, write_report
from ratebook.model import SectionType
from support.book_reports import member_id

if TYPE_CHECKING:
    from pathlib import Path

    from cli.book.office_commands import OfficeCommands

EVENT = "202601100001"
WHY = ("--reason", "score sheet")


OPENING = 1500
"""Everybody's opening balance."""


def ratings(office: OfficeCommands) -> dict[str, float]:
    """Return the ratings of those who stand elsewhere than at their opening balance."""
    places = office.asked("top", "--system", "regular")["places"]
    return {place["player"]: place["rating"] for place in places if place["rating"] != OPENING}


def test_a_report_goes_from_the_queue_into_the_ledger(office: OfficeCommands, tmp_path: Path) -> None:
    path = write_report(tmp_path / "r.json", "2026-01-10", [1, 2], ["W2", "L1"])
    assert "No report is waiting." in office.done("queue")
    said = office.done("submit", path, "--received", "2026-01-11")
    assert "report 1, event 202601100001, ready to be rated" in said
    assert "Registrar Example" in office.done("queue")
    shown = office.done("show", "1")
    assert "EXAMPLE, PLAYER 2" in shown
    assert "1500" not in shown
    tried = office.done("rate", "--dry-run")
    assert "Dry run: nothing was changed." in tried
    assert "202601100001 1 OPEN 1 regular 2 0" in " ".join(tried.split())
    assert ratings(office) == {}
    office.done("rate")
    after = ratings(office)
    # Equal ratings on 100 games each: what one wins the other loses (formulas of D25, section 4).
    assert after[member_id(1)] - 1500 == pytest.approx(1500 - after[member_id(2)])
    assert after[member_id(1)] > 1500
    assert "No report is ready" in office.done("rate")
    assert "nothing differs" in office.done("verify")


def test_a_dry_run_shows_every_change(office: OfficeCommands, tmp_path: Path) -> None:
    office.done(
        "submit", write_report(tmp_path / "r.json", "2026-01-10", [1, 2], ["W2", "L1"]), "--accept", "all"
    )
    shown = office.asked("rate", "--dry-run")
    assert shown["run"] is None
    changes = {one["member"]: one for one in shown["sections"][0]["ratings"]}
    assert {one["before"] for one in changes.values()} == {1500}
    office.done("rate")
    assert ratings(office) == {member: one["after"] for member, one in changes.items()}


def test_a_correction_waits_for_a_re_rating_which_says_what_changed(
    office: OfficeCommands, tmp_path: Path
) -> None:
    path = write_report(tmp_path / "r.json", "2026-01-10", [1, 2], ["W2", "L1"], event_id=EVENT)
    office.done("submit", path, "--accept", "all")
    office.done("rate")
    before = ratings(office)
    assert "Nothing waits" in office.done("waits")
    assert "Nothing waits" in office.done("rerate")
    assert "ratebook book rerate" in office.done("correct", "result", EVENT, "1", "1", "1", "d", *WHY)
    assert f"correct-result, event {EVENT}" in office.done("waits")
    said = office.done("rerate", "--dry-run")
    assert "2 current ratings of 2 members changed" in said
    assert ratings(office) == before
    difference = office.asked("rerate")
    # A draw of equals changes neither rating.
    assert {one["after"] for one in difference["changes"]} == {1500}
    assert {one["member"]: one["before"] for one in difference["changes"]} == before
    assert sum(one["changes"] for one in difference["histogram"]) == 2
    assert "nothing differs" in office.done("verify")
    number = str(office.asked("decisions")["decisions"][0]["id"])
    office.done("undo", number, *WHY)
    office.done("rerate")
    assert ratings(office) == before


def test_a_re_rating_asks_before_it_is_kept(rated: OfficeCommands) -> None:
    before = ratings(rated)
    assert "Nothing waits" in rated.done("rerate", "--ask")
    rated.done("correct", "result", EVENT, "1", "1", "1", "D", *WHY)
    refused = rated.run("rerate", "--ask", data=b"n\n")
    assert refused.exit_code == 1
    assert "current ratings of 4 members changed" in refused.stdout
    assert refused.stderr.endswith("Nothing was changed.\n")
    nobody = rated.run("rerate", "--ask")
    assert nobody.exit_code == 1
    assert "[answer-missing]" in nobody.stderr
    assert "without --ask" in nobody.stderr
    assert ratings(rated) == before
    rated.done("rerate", "--ask", data=b"y\n")
    assert ratings(rated)[member_id(1)] < before[member_id(1)]
    assert "Nothing waits" in rated.done("waits")
    assert rated.run("rerate", "--ask", "--dry-run").exit_code == 2


def test_what_was_missing_is_added_and_the_report_checked_again(
    office: OfficeCommands, tmp_path: Path
) -> None:
    path = write_report(tmp_path / "r.json", "2026-01-10", [1, 9], ["W2", "L1"])
    assert "member-unknown" in office.refused("submit", path, "--received", "2026-01-11")
    newcomer = f'id,name,birth_date,expires\n{member_id(9)},"EXAMPLE, PLAYER 9",1990-01-01,2030-12-31\n'
    (tmp_path / "more.csv").write_text(newcomer, encoding="utf-8")
    office.done("import", "members", str(tmp_path / "more.csv"))
    assert "Report 1, event 202601100001: ready" in office.done("recheck")
    assert "No report is held back." in office.done("recheck")


def test_a_floor_and_its_lifting_are_decisions(rated: OfficeCommands) -> None:
    loser = member_id(2)
    assert ratings(rated)[loser] < 1500
    floor = ("adjust", "floor", loser, "regular", "--from", "2026-01-01")
    rated.done(*floor, "--rating", "1500", *WHY)
    rated.done("rerate")
    assert loser not in ratings(rated)
    assert "floor" in rated.done("history", loser)
    rated.done(*floor, "--lift", *WHY)
    rated.done("rerate")
    assert ratings(rated)[loser] < 1500
    kinds = [one["kind"] for one in rated.asked("decisions")["decisions"]]
    assert kinds[:2] == ["floor-lifted", "floor"]


def test_an_initial_rating_and_a_ceiling_are_decisions(rated: OfficeCommands, tmp_path: Path) -> None:
    newcomer = member_id(5)
    rated.done(
        "adjust",
        "initial",
        newcomer,
        "regular",
        "--rating",
        "1500",
        "--games",
        "10",
        "--from",
        "2026-01-01",
        *WHY,
    )
    rated.done("adjust", "ceiling", member_id(6), "regular", "--rating", "900", "--from", "2026-01-01", *WHY)
    path = write_report(tmp_path / "r.json", "2026-02-01", [5, 6], ["W2", "L1"])
    rated.done("submit", path, "--accept", "all")
    changes = {one["member"]: one for one in rated.asked("rate")["sections"][0]["ratings"]}
    assert (changes[newcomer]["before"], changes[newcomer]["games"]) == (1500, 11)
    assert changes[member_id(6)]["after"] <= 1500


def test_two_ids_of_one_person_become_one(rated: OfficeCommands) -> None:
    rated.done("merge", member_id(5), member_id(1), "--reason", "joined twice", "--yes", "--accept", "all")
    page = rated.asked("member", member_id(5))["member"]
    assert page["id"] == member_id(1)
    assert page["earlier_ids"] == [member_id(5)]


def test_dates_seats_and_time_controls_are_corrected_and_a_section_withdrawn(rated: OfficeCommands) -> None:
    rated.done("correct", "dates", EVENT, "--end", "2026-01-12", *WHY, "--accept", "all")
    rated.done("correct", "time-control", EVENT, "1", "G/60;d5", *WHY, "--accept", "all")
    rated.done("correct", "member", EVENT, "1", "4", member_id(6), *WHY, "--accept", "all")
    rated.done("rerate")
    section = rated.asked("event", EVENT)["event"]["sections"][0]
    assert (section["end"], section["systems"]) == ("2026-01-12", ["regular", "quick"])
    shown = rated.done("crosstable", EVENT, "1")
    assert [part in shown for part in (member_id(6), "OTB Regular and Quick\n", "Legend: ")] == [True] * 3
    rated.done("correct", "withdraw", EVENT, "1", *WHY)
    rated.done("rerate")
    assert "withdrawn" in rated.done("event", EVENT)
    assert "It was withdrawn, so it is not rated." in rated.done("crosstable", EVENT)
    assert "nothing differs" in rated.done("verify")


def test_facts_of_a_member_are_corrected_without_showing_them(rated: OfficeCommands) -> None:
    said = rated.done(
        "correct", "facts", member_id(1), "--birth-date", "1999-09-09", "--canadian-resident", *WHY
    )
    assert "1999" not in said
    rated.done(
        "correct",
        "foreign-rating",
        member_id(1),
        "fide",
        "--rating",
        "1700",
        "--list-date",
        "2026-01-01",
        *WHY,
    )
    rated.done(
        "correct", "foreign-rating", member_id(1), "fide", "--remove", "--list-date", "2026-01-01", *WHY
    )
    everything = rated.done("decisions") + rated.done("audit") + json.dumps(rated.asked("decisions"))
    assert "1999-09-09" not in everything
    assert "birth_date" in everything


@pytest.mark.statement("I6")
def test_a_national_rating_counts_no_games_until_february_2025(office: OfficeCommands) -> None:
    """J15 and N15, section 2, say N = 0; D25 says nothing, and the office decides."""
    national = ("adjust", "initial", member_id(6), "regular", "--rating", "1900", "--national", *WHY)
    for day in ("2008-03-01", "2015-01-07", "2025-02-09"):
        assert office.refused(*national, "--games", "10", "--from", day) == ["national-rating-games"]
    office.done(*national, "--from", "2025-02-09")
    office.done(*national, "--from", "2025-02-10", "--games", "10")
    initial = [one for one in office.asked("decisions")["decisions"] if one["kind"] == "initial"]
    assert [one["details"] for one in initial] == [
        {"games": 10.0, "national": True},
        {"games": 0.0, "national": True},
    ]


def test_an_initial_rating_that_is_not_national_keeps_its_games(office: OfficeCommands) -> None:
    office.done(
        "adjust",
        "initial",
        member_id(6),
        "regular",
        "--rating",
        "1900",
        "--games",
        "10",
        "--from",
        "2016-01-01",
        *WHY,
    )


@pytest.mark.statement("Q14")
@pytest.mark.parametrize(
    ("day", "amount", "limit", "floor"),
    [
        ("2005-12-31", "1000", "1800", 1800.0),
        ("2006-03-01", "1999", "1800", None),
        ("2015-12-31", "2000", "1850", 1900.0),
        ("2016-01-01", "3999", "1800", None),
        ("2025-12-05", "4000", "2000", 2000.0),
        ("2025-12-05", "9000", "2200", None),
    ],
)
def test_a_prize_makes_the_floor_of_its_day(
    office: OfficeCommands, day: str, amount: str, limit: str, floor: float | None
) -> None:
    """$1,000 until 2006, $2,000 until 2015, $4,000 since; the first 100-point level that is not below the limit."""
    entered = (
        "adjust",
        "prize",
        member_id(6),
        "regular",
        "--amount",
        amount,
        "--limit",
        limit,
        "--from",
        day,
        *WHY,
    )
    if floor is None:
        assert office.refused(*entered) == ["prize-sets-no-floor"]
        return
    office.done(*entered)
    decision = office.asked("decisions")["decisions"][0]
    assert (decision["kind"], decision["value"]) == ("floor", floor)
    assert decision["details"]["floor_kind"] == "money"
    assert office.refused(*entered) == ["nothing-changes"]


def test_a_prize_in_a_system_that_did_not_exist_is_refused(office: OfficeCommands) -> None:
    won = ("--amount", "4000", "--limit", "1800", "--from", "2012-01-10")
    refused = office.refused("adjust", "prize", member_id(6), "online-regular", *won, *WHY)
    assert refused == ["system-not-rated"]


def test_a_prize_of_a_day_to_come_is_refused(office: OfficeCommands) -> None:
    won = ("--amount", "4000", "--limit", "1800", "--from", "2199-01-01")
    assert office.refused("adjust", "prize", member_id(6), "regular", *won, *WHY) == ["mark-in-future"]


@pytest.mark.parametrize(
    ("kind", "rating"),
    [("money", "1850"), ("money", "2100"), ("office", "2900"), ("office", "1100"), ("olm", "2300")],
)
def test_a_floor_at_a_level_that_no_rule_gives_is_refused(
    office: OfficeCommands, kind: str, rating: str
) -> None:
    before = office.asked("decisions")
    entered = ("adjust", "floor", member_id(6), "regular", "--rating", rating, "--kind", kind, *WHY)
    assert office.refused(*entered) == ["floor-level-wrong"]
    assert office.asked("decisions") == before


def lost_match_at_the_floor(office: OfficeCommands, folder: Path) -> None:
    """Rate a match in which member 2, rated 1500 like the winner and held by a floor of 1500, loses three games."""
    office.done("publish", "--for", "2026-01", "--today", "2026-01-02")
    office.done("adjust", "floor", member_id(2), "regular", "--rating", "1500", "--from", "2025-12-01", *WHY)
    rounds = ["W2 W2 W2", "L1 L1 L1"]
    path = write_report(folder / "m.json", "2026-01-10", [1, 2], rounds, kind=SectionType.MATCH)
    office.done("submit", path, "--received", "2026-01-11", "--accept", "all")
    office.done("rate")


def test_a_floor_request_is_granted_and_denied(office: OfficeCommands, tmp_path: Path) -> None:
    """N* of 1500 is 16.57: K (S - E) is -800 / 19.57 x 1.5, or -61. A match costs 50 at most; the floor: 1400."""
    lost_match_at_the_floor(office, tmp_path)
    office.done("grant", EVENT, "1", "2", *WHY)
    office.done("rerate")
    assert ratings(office) == {member_id(1): 1550.0, member_id(2): 1450.0}
    office.done("deny", EVENT, "1", "2", *WHY)
    office.done("rerate")
    assert ratings(office) == {member_id(1): 1550.0}
    kinds = [one["kind"] for one in office.asked("decisions")["decisions"]]
    assert kinds[:2] == ["deny-floor-request", "grant-floor-request"]


@pytest.mark.statement("Q36")
@pytest.mark.parametrize("answer", ["grant", "deny"])
def test_a_floor_request_that_is_not_open_is_not_answered(
    office: OfficeCommands, tmp_path: Path, answer: str
) -> None:
    """The winner has no request: the result is above the floor."""
    lost_match_at_the_floor(office, tmp_path)
    before = office.asked("decisions")
    assert office.refused(answer, EVENT, "1", "1", *WHY) == ["no-floor-request"]
    assert office.asked("decisions") == before
    assert "nothing differs" in office.done("verify")


def test_a_list_is_published_once_and_written_in_every_format(rated: OfficeCommands, tmp_path: Path) -> None:
    out = tmp_path / "lists"
    formats = ("text", "csv", "members-csv", "golden", "supplement", "json")
    chosen = [word for name in formats for word in ("--format", name)]
    said = rated.done("publish", "--for", "2026-02", "--out", str(out), *chosen)
    assert "4 ratings of 4 members" in said
    assert sorted(path.name for path in out.iterdir()) == [
        "TARATSUP.DBF",
        "TARSFLE.DBF",
        "members-2026-02.csv",
        "ratings-2026-02.csv",
        "ratings-2026-02.json",
        "ratings-2026-02.txt",
    ]
    assert rated.refused("publish", "--for", "2026-02") == ["list-published-already"]
    assert "output-exists" in rated.refused(
        "publish", "--for", "2026-03", "--out", str(out), "--format", "golden"
    )
    assert [one["month"] for one in rated.asked("lists")["lists"]] == ["2026-02"]
    printed = rated.done("list", "2026-02", "--format", "csv")
    rows = list(csv.DictReader(printed.splitlines()))
    exact = ratings(rated)
    assert {row["id"]: int(row["regular"]) for row in rows} == {
        member: int(rating + 0.5) for member, rating in exact.items()
    }


def test_lists_are_compared_and_asked_for_one_member(rated: OfficeCommands) -> None:
    rated.done("publish", "--for", "2026-01", "--today", "2026-01-02")
    rated.done("publish", "--for", "2026-02")
    changes = rated.asked("list-diff", "2026-01", "2026-02")["changes"]
    assert {one["before"]["rating"] for one in changes} == {1500}
    assert "differ" in rated.done("list-diff", "2026-01", "2026-02")
    assert "have the same ratings" in rated.done("list-diff", "2026-01", "2026-01")
    assert "1500" in rated.done("official", member_id(2), "--on", "2026-01-20")
    assert rated.asked("official", member_id(2), "--on", "2026-01-20")["ratings"] == {
        "regular": {"rating": 1500, "provisional_games": None}
    }
    assert "no official rating" in rated.done("official", member_id(8), "--on", "2026-01-20")


def test_what_a_list_that_is_not_published_would_say_is_never_called_official(rated: OfficeCommands) -> None:
    rated.done("publish", "--for", "2026-01", "--today", "2026-01-02")
    asked = "official", member_id(1), "--on", "2026-02-20"
    said = rated.asked(*asked)
    listed = {"regular": {"rating": 1500, "provisional_games": None}}
    assert (said["official_list"], said["ratings"], said["missing_list"]) == ("2026-01", listed, "2026-02")
    assert said["would_be"]["regular"]["rating"] > listed["regular"]["rating"]
    assert "No list of 2026-02 is published; this is what it would say" in rated.done(*asked)
    member = rated.asked("member", member_id(1), "--on", "2026-02-20")["member"]
    assert (member["official_list"], member["missing_list"]) == ("2026-01", "2026-02")
    assert {one["system"]: one["official"] for one in member["ratings"]} == listed
    words = rated.done("member", member_id(1), "--on", "2026-02-20")
    assert "Official, January 2026" in words
    assert "The official list of February 2026 is not published yet." in words
    assert "Official ratings of member" in rated.done("official", member_id(2), "--on", "2026-01-20")


def test_a_rating_is_explained_by_the_figures_of_the_ledger(rated: OfficeCommands) -> None:
    said = rated.done("explain", member_id(1), EVENT)
    assert "Step 5: final pass" in said
    assert "EXAMPLE, PLAYER 1" in said
    steps = rated.asked("explain", member_id(1), EVENT)["explanations"][0]["steps"]
    assert f"{ratings(rated)[member_id(1)]:.4f}" in {
        f"{value:.4f}" for step in steps for value in step["figures"].values() if isinstance(value, float)
    }
    # Without an event it is the newest one; this is the only one.
    assert said in rated.done("explain", member_id(1))
    public = rated.done("explain", member_id(1), EVENT, "--public")
    assert "Step 5: final pass" in public, "all of them were rated"
    assert f"{ratings(rated)[member_id(1)]:.4f}"[:-1] not in public, "no decimals are public"


def test_members_are_found_by_name(rated: OfficeCommands) -> None:
    assert "8 members" in rated.done("member", "example")
    page = rated.done("member", "player 3")
    assert member_id(3) in page
    assert "OTB Regular" in page
    assert "no norm" in rated.done("norms", member_id(3))
    assert "no title" in rated.done("titles", member_id(3))


def test_an_erased_person_leaves_the_numbers_under_the_id(rated: OfficeCommands) -> None:
    refused = rated.run("erase", member_id(1), "--reason", "asked for by letter")
    assert refused.exit_code != 0
    assert "EXAMPLE, PLAYER 1" in rated.done("member", member_id(1))
    rated.done("erase", member_id(1), "--reason", "asked for by letter", "--yes")
    page = rated.done("member", member_id(1))
    assert "(no name)" in page
    assert "OTB Regular" in page
    assert "PLAYER 1" not in rated.done("crosstable", EVENT)


def test_a_book_is_backed_up_changed_and_restored(rated: OfficeCommands, tmp_path: Path) -> None:
    before = ratings(rated)
    rated.done("backup", str(tmp_path / "copy.book"))
    rated.done("export", str(tmp_path / "files"))
    rated.done("correct", "withdraw", EVENT, "1", *WHY)
    rated.done("rerate")
    assert ratings(rated) == {}
    assert "nothing differs" in rated.done("restore", str(tmp_path / "copy.book"), "--yes")
    assert ratings(rated) == before
    other = rated._replace(place=str(tmp_path / "other.book"))
    other.done("import-book", str(tmp_path / "files"))
    assert ratings(other) == before
    assert rated.refused("backup", str(tmp_path / "copy.book")) == ["backup-target-exists"]


def test_rules_are_adopted_by_a_decision(rated: OfficeCommands, tmp_path: Path) -> None:
    before = ratings(rated)
    (tmp_path / "bonus.toml").write_text(
        "[bonus_multiplier]\n"
        'values = [{ from = 2025-01-01, is = 1, document = "vote", where = "May 3", status = "documented" }]\n',
        encoding="utf-8",
    )
    rated.done("adopt-rules", "--overlay", str(tmp_path / "bonus.toml"), *WHY)
    rated.done("rerate")
    # The threshold of the bonus is a multiple of this number (D25, section 4.2): with less of it, winners gain more.
    assert ratings(rated)[member_id(1)] > before[member_id(1)]
    rated.done("adopt-rules", "--no-overlay", *WHY)
    rated.done("rerate")
    assert ratings(rated) == before
    assert rated.refused("adopt-rules", *WHY) == ["nothing-changes"]


def test_everything_that_is_done_is_in_the_audit_log(rated: OfficeCommands) -> None:
    entries = rated.asked("audit")["entries"]
    assert {"create-book", "submit", "rate-section", "rate-event"} <= {one["action"] for one in entries}
    assert {one["by"] for one in entries} == {"Registrar Example"}
    section = rated.asked("audit", "--subject", f"event {EVENT} section 1")["entries"]
    assert [one["action"] for one in section] == ["rate-section"]


def test_no_reading_command_prints_a_birth_date(rated: OfficeCommands) -> None:
    rated.done("publish", "--for", "2026-02")
    member = member_id(1)
    printed = "".join(
        rated.done(*command)
        for command in (
            ["member", member],
            ["member", "example", "--json"],
            ["history", member, "--json"],
            ["crosstable", EVENT, "--json"],
            ["event", EVENT, "--json"],
            ["explain", member, EVENT, "--json"],
            ["top", "--ages", "o50", "--json"],
            ["list", "2026-02", "--format", "json"],
            ["list", "2026-02", "--format", "members-csv"],
            ["show", "1", "--json"],
            ["decisions", "--json"],
            ["audit", "--json"],
        )
    )
    assert member in printed
    assert not any(born in printed for born in BIRTH_DATES)
