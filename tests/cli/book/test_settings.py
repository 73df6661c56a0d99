"""A federation's own settings: rules that are added to others, checks, cut-offs and months of lists."""

from __future__ import annotations

from contextvars import copy_context
from typing import TYPE_CHECKING

import pytest

from cli.book.office_commands import codes_in, write_report
from support.book_reports import member_id

if TYPE_CHECKING:
    from pathlib import Path

    from cli.book.office_commands import OfficeCommands

WHY = ("--reason", "the board's vote")
BONUS = "[[bonus_multiplier.values]]\nfrom = 2026-01-01\nis = 8\n"
FLOOR = "# A comment of the board.\n[[absolute_floor.values]]\nfrom = 2026-02-01\nis = 150\n"


def own_rules(office: OfficeCommands) -> dict[str, object]:
    return {one["rule"]: one["is"] for one in office.asked("profile")["own_rules"]}


def test_a_profile_is_shown_and_changed(office: OfficeCommands) -> None:
    assert "the third Wednesday of the month before" in office.done("profile")
    office.done("profile", "--cut-off", "15", "--system", "blitz", "--system", "regular", *WHY)
    profile = office.asked("profile")["profile"]
    assert (profile["cut_off"], profile["systems"]) == ("15", ["regular", "blitz"])
    assert "the 15th of the month before" in office.done("profile")


def test_a_federation_has_its_own_face(office: OfficeCommands, tmp_path: Path) -> None:
    path = tmp_path / "league.svg"
    path.write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>')
    office.done("profile", "--logo", str(path), "--accent", "#0b5d2a", "--footer", "Since 1912", *WHY)
    office.done("profile", "--as-they-came", *WHY)
    profile = office.asked("profile")["profile"]
    assert (profile["accent"], profile["footer"], profile["title_case"]) == ("#0b5d2a", "Since 1912", False)
    assert profile["logo"].endswith(".svg")
    assert f"logo {profile['logo']}" in " ".join(office.done("profile").split())
    changed = [one["details"]["changed"] for one in office.asked("decisions")["decisions"]]
    assert sorted(changed) == [["logo", "accent", "footer"], ["title_case"]]
    assert office.refused("profile", "--accent", "#ffcc00", *WHY) == ["profile-value-wrong"]
    path.write_text("<svg onload='x'/>")
    assert office.refused("profile", "--logo", str(path), *WHY) == ["profile-logo-refused"]
    assert office.refused("profile", "--logo", str(tmp_path / "none.png"), *WHY) == ["file-unreadable"]
    assert office.asked("profile")["profile"] == profile
    office.done("profile", "--no-logo", *WHY)
    assert office.asked("profile")["profile"]["logo"] == ""


def test_systems_have_the_names_that_the_federation_gives_them(rated: OfficeCommands) -> None:
    """In a context of its own, which ends with the test, as a command's does."""

    def named() -> None:
        rated.done("profile", "--system-names", "regular=Classical", *WHY)
        assert rated.asked("profile")["profile"]["system_names"] == "regular=Classical"
        assert "OTB Regular: Classical" in rated.done("profile")
        assert "Classical" in rated.done("top")
        for command in (("top",), ("event", "202601100001"), ("history", member_id(1))):
            assert "OTB Regular" not in rated.run(*command).output
        rated.done("profile", "--system-names", "", *WHY)
        assert "OTB Regular" in rated.done("top")

    copy_context().run(named)


def test_an_overlay_adds_to_the_one_in_force_unless_it_replaces_it(
    office: OfficeCommands, tmp_path: Path
) -> None:
    paths = {}
    for name, text in (("bonus", BONUS), ("floor", FLOOR), ("other", BONUS.replace("= 8", "= 9"))):
        path = tmp_path / f"{name}.toml"
        path.write_text(text, encoding="utf-8-sig" if name == "floor" else "utf-8")
        paths[name] = ("adopt-rules", "--overlay", str(path), *WHY)
    assert "new: bonus_multiplier" in office.run(*paths["bonus"]).stderr
    said = office.run(*paths["floor"]).stderr
    assert "new: absolute_floor; kept: bonus_multiplier" in said
    assert own_rules(office) == {"bonus_multiplier": 8, "absolute_floor": 150}
    assert office.refused(*paths["floor"]) == ["nothing-changes"]
    assert "changed: bonus_multiplier; kept: absolute_floor" in office.run(*paths["other"]).stderr
    shown = office.done("profile")
    assert "bonus_multiplier  2026-01-01  all      9" in shown
    said = office.run(*paths["floor"], "--replace").stderr
    assert "kept: absolute_floor; dropped: bonus_multiplier" in said
    assert own_rules(office) == {"absolute_floor": 150}
    assert "dropped: absolute_floor" in office.run("adopt-rules", "--no-overlay", *WHY).stderr
    assert own_rules(office) == {}


def test_a_federation_chooses_its_checks(office: OfficeCommands, tmp_path: Path) -> None:
    path = write_report(tmp_path / "r.json", "2026-01-10", [1, 2], ["W2", "L1"])
    late = office.run("submit", path, "--received", "2026-01-25")
    assert codes_in(late.stderr) == ["report-late"]
    office.done("profile", "--days-to-report", "15", *WHY)
    assert "ready to be rated" in office.done("recheck")
    office.done("profile", "--days-to-report", "3", "--check-off", "report-late", *WHY)
    assert "ready to be rated" in office.done("recheck", "1")
    office.done("profile", "--check-on", "report-late", *WHY)
    assert codes_in(office.run("recheck", "1").stderr) == ["report-late"]
    assert "days allowed for sending a report 3" in " ".join(office.done("profile").split())


def test_ids_have_the_form_that_the_profile_names(office: OfficeCommands, tmp_path: Path) -> None:
    office.done("profile", "--id-form", "NCF-000A", *WHY)
    members = tmp_path / "members.csv"
    members.write_text("id,name\nNCF-123B,ADAMS\n", encoding="utf-8")
    office.done("import", "members", str(members))
    members.write_text("id,name\nNCF-1234,ADAMS\n", encoding="utf-8")
    office.refused("import", "members", str(members))


@pytest.mark.parametrize(
    ("cut_off", "month", "day"),
    [
        ("last-day", "2026-03", "2026-02-28"),
        ("first-monday", "2026-03", "2026-02-02"),
        ("last-friday", "2026-02", "2026-01-30"),
        ("20", "2026-03", "2026-02-20"),
    ],
)
def test_lists_close_on_the_day_of_the_profile(
    rated: OfficeCommands, cut_off: str, month: str, day: str
) -> None:
    rated.done("profile", "--cut-off", cut_off, *WHY)
    said = rated.done("publish", "--for", month, "--today", "2026-06-01")
    assert f"ended by {day}" in said


def test_lists_of_other_months_than_all_skip_none(rated: OfficeCommands) -> None:
    rated.done("profile", "--list-months", "1,4,7,10", *WHY)
    today = ("--today", "2027-06-01")
    assert rated.refused("publish", "--for", "2026-02", *today) == ["list-not-due"]
    rated.done("publish", "--for", "2026-04", *today)
    rated.done("publish", "--for", "2026-07", *today)
    assert rated.refused("publish", "--for", "2027-01", *today) == ["list-skips-months"]
    on = rated.done("official", "90000001", "--on", "2026-09-30")
    assert "no list" not in on, "the list of July is in effect until October"
    assert "1, 4, 7, 10" in rated.done("profile")
    assert rated.run("profile", "--list-months", "june", *WHY).exit_code == 2
