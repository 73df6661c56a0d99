"""The command line as users meet it: what it prints, its exit status, and what it says about mistakes."""

from __future__ import annotations

import csv
import io
import json
import re
import runpy
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ratebook.cli.main import COMMANDS
from support.command_line import invoke

if TYPE_CHECKING:
    from click.testing import Result

ROOT = Path(__file__).resolve().parents[2]
OPEN = str(ROOT / "examples" / "open-64-players.json")
QUAD = str(ROOT / "examples" / "quad-crosstable.txt")
PUBLISHED = json.loads((ROOT / "tests" / "published" / "regular-64-players-b12.json").read_text("utf-8"))


def report_with(**changes: object) -> dict[str, Any]:
    """Return a native report of two established players and one game, changed at its section."""
    section = {
        "number": 1,
        "time_control": "G/90;d5",
        "entries": [
            {"seat": 1, "player": "A", "rounds": ["W2w"]},
            {"seat": 2, "player": "B", "rounds": ["L1b"]},
        ],
        **changes,
    }
    return {
        "format": "ratebook-report/1",
        "event": {"id": "202411140001", "name": "Club night", "start": "2024-11-14", "end": "2024-11-14"},
        "players": [
            {"id": "A", "ratings": {"regular": {"rating": 1500, "games": 100}}},
            {"id": "B", "ratings": {"regular": {"rating": 1600, "games": 100}}},
        ],
        "sections": [section],
    }


def rate(report: dict[str, Any], *options: str) -> Result:
    return invoke("rate", "-", *options, data=json.dumps(report).encode())


def test_every_command_has_help_with_an_example() -> None:
    for name in COMMANDS:
        shown = invoke(name, "--help")
        assert shown.exit_code == 0
        if name != "rules":
            assert "Examples:" in shown.output


def test_the_module_is_the_command(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """On Windows the folder of programs is often not on the path: ``py -m ratebook``."""
    monkeypatch.setattr(
        sys, "argv", ["ratebook", "estimate", "--rating", "1500", "W1400", "--on", "2026-01-01"]
    )
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("ratebook", run_name="__main__")
    assert ended.value.code == 0
    assert "rating after" in capfd.readouterr().out


def test_rate_prints_the_crosstable_of_the_published_section() -> None:
    shown = invoke("rate", OPEN)
    assert shown.exit_code == 0
    lines = {int(line.split()[0]): line for line in shown.stdout.splitlines() if line[:4].strip().isdigit()}
    assert len(lines) == 64
    for row in PUBLISHED["rows"]:
        if row["seat"] in (18, 54):  # held by floors that the file does not tell
            continue
        _, _, before, after, change, points, *rounds = lines[row["seat"]].split()
        before_points, _, before_games = before.partition("P")
        assert int(before_points) == row["regular"]["before"]
        assert (int(before_games) if before_games else None) == row["regular"]["games_before"]
        after_points, _, after_games = after.partition("P")
        assert abs(int(after_points) - row["regular"]["after"]) <= 1
        assert (int(after_games) if after_games else None) == row["regular"]["games_after"]
        assert int(change) == int(after_points) - int(before_points)
        assert len(rounds) == 7
        assert float(points) == sum(
            {"W": 1, "X": 1, "B": 1, "D": 0.5, "H": 0.5}.get(cell[0], 0) for cell in rounds
        )


def test_rate_json_follows_the_contract() -> None:
    shown = invoke("rate", OPEN, "--json")
    rated = json.loads(shown.stdout)
    assert list(rated) == ["format", "problems", "sections", "titles"]
    assert rated["format"] == "ratebook-rated/1"
    assert {frozenset(finding) for finding in rated["problems"]} == {
        frozenset({"code", "case", "severity", "place", "where", "message", "remedy", "values"})
    }
    (section,) = rated["sections"]
    assert list(section) == ["number", "system", "rules", "rules_fingerprint", "entries"]
    assert (section["number"], section["system"]) == (1, "regular")
    assert section["rules"]["bonus_multiplier"] == 12
    entry = section["entries"][7]
    assert list(entry) == ["seat", "player", "before", "after", "workings"]
    assert entry["before"] == {"rating": 1641, "games": 17, "source": "rated"}
    assert list(entry["after"]) == ["rating", "games", "published", "established"]
    assert (entry["after"]["games"], entry["after"]["established"]) == (24, False)
    assert list(entry["workings"]) == [
        "formula",
        "effective_games",
        "k",
        "score",
        "expected",
        "bonus",
        "step3",
        "step4",
        "step5",
        "floor",
    ]


def test_the_contracts_own_figures_come_out() -> None:
    """The example of the report format: seat 1 if P4 were rated 498 on 6 games (three decimals printed)."""
    report = report_with(
        entries=[
            {"seat": 1, "player": "P1", "rounds": ["W2w", "W3b", "D4w"]},
            {"seat": 2, "player": "P2", "rounds": ["L1b", "W4w", "D3b"]},
            {"seat": 3, "player": "P3", "rounds": ["L4b", "L1w", "D2w"]},
            {"seat": 4, "player": "P4", "rounds": ["W3w", "L2b", "D1b"]},
        ]
    )
    report["event"] |= {"start": "2026-11-14", "end": "2026-11-14"}
    known = {"P1": (612.4, 38), "P2": (655.0, 52), "P3": (580.25, 12), "P4": (498, 6)}
    report["players"] = [
        {"id": name, "ratings": {"regular": {"rating": rating, "games": games}}}
        for name, (rating, games) in known.items()
    ]
    (section,) = json.loads(rate(report, "--json").stdout)["sections"]
    first = section["entries"][0]
    assert first["after"]["rating"] == pytest.approx(694.665, abs=0.0005)
    assert (first["after"]["games"], first["after"]["published"]) == (41, 695)
    workings = first["workings"]
    printed = {
        "effective_games": 9.292,
        "k": 65.081,
        "score": 2.5,
        "expected": 1.714,
        "bonus": 31.133,
        "step4": 703.811,
    }
    for name, value in printed.items():
        assert workings[name] == pytest.approx(value, abs=0.0005), name
    assert (workings["formula"], workings["step3"], workings["floor"]) == ("standard", None, None)


def test_rate_csv_has_one_line_for_each_seat_and_system() -> None:
    shown = invoke("rate", QUAD, "--end", "2026-11-14", "--time-control", "G/45;d5", "--csv")
    rows = list(csv.DictReader(io.StringIO(shown.stdout)))
    assert [(row["system"], row["seat"]) for row in rows] == [
        (system, str(seat)) for system in ("regular", "quick") for seat in (1, 2, 3, 4)
    ]


def test_a_name_in_csv_is_never_a_formula() -> None:
    report = report_with()
    report["players"][0]["name"] = "=1+1"
    rows = list(csv.DictReader(io.StringIO(rate(report, "--csv").stdout)))
    assert rows[0]["name"] == "'=1+1"


def test_a_crosstable_rates_to_the_ratings_printed_in_it() -> None:
    shown = invoke("rate", QUAD, "--end", "2026-11-14", "--time-control", "G/45;d5", "--json")
    sections = json.loads(shown.stdout)["sections"]
    assert [section["system"] for section in sections] == ["regular", "quick"]
    text = Path(QUAD).read_text("utf-8")
    for section in sections:
        for entry in section["entries"]:
            assert f"->{entry['after']['published']}" in text


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        ("11/14/2026", (), "2026-11-14"),
        ("Nov 14, 2026", (), "2026-11-14"),
        ("11/14/26", (), "2026-11-14"),
        ("10/4/2026", ("--day-order", "month-first"), "2026-10-04"),
        ("10/4/2026", ("--day-order", "day-first"), "2026-04-10"),
        ("10/4/2026", (), "write 2026-10-04 or 2026-04-10, or add --day-order month-first or day-first"),
        ("14/31/2026", (), "is not a date"),
    ],
)
def test_a_day_may_be_written_as_in_tables(text: str, options: tuple[str, ...], said: str) -> None:
    shown = invoke("check", QUAD, "--end", text, *options, "--time-control", "G/45;d5", "--notes")
    assert said in " ".join((shown.stdout + shown.stderr).split())


def test_a_day_of_two_meanings_is_offered_both_ways() -> None:
    shown = invoke("estimate", "1500", "W1400", "--on", "11/8/2026")
    assert "write 2026-11-08 or 2026-08-11." in " ".join(shown.stderr.split())


@pytest.mark.parametrize("option", ["--end", "--time-control"])
def test_what_a_crosstable_cannot_say_is_asked_for_by_option(option: str) -> None:
    given = {"--end": "2026-11-14", "--time-control": "G/45;d5"}
    del given[option]
    shown = invoke("rate", QUAD, *(word for pair in given.items() for word in pair))
    assert shown.exit_code == 1
    assert option in shown.stderr
    assert shown.stdout == ""


def test_a_dual_rated_section_can_be_asked_for_in_one_system() -> None:
    options = ("--end", "2026-11-14", "--time-control", "G/45;d5", "--system", "quick", "--json")
    assert [
        section["system"] for section in json.loads(invoke("rate", QUAD, *options).stdout)["sections"]
    ] == ["quick"]
    shown = invoke("rate", OPEN, "--system", "blitz")
    assert "system-not-rated" in shown.stderr


def test_a_what_if_changes_the_ratings_and_the_fingerprint() -> None:
    plain = json.loads(invoke("rate", OPEN, "--json").stdout)["sections"][0]
    changed = json.loads(invoke("rate", OPEN, "--json", "--set", "bonus_multiplier=14").stdout)["sections"][0]
    later = json.loads(invoke("rate", OPEN, "--json", "--rules-on", "2017-06-01").stdout)["sections"][0]
    assert plain["rules_fingerprint"] != changed["rules_fingerprint"]
    assert changed["rules"]["bonus_multiplier"] == 14
    assert changed["entries"] == later["entries"]
    assert plain["entries"] != changed["entries"]


def test_an_overlay_file_changes_the_rules(tmp_path: Path) -> None:
    overlay = tmp_path / "what-if.toml"
    overlay.write_text("[[bonus_multiplier.values]]\nfrom = 2016-01-01\nis = 14\n", "utf-8")
    shown = invoke("rate", OPEN, "--json", "--rules", str(overlay))
    assert json.loads(shown.stdout)["sections"][0]["rules"]["bonus_multiplier"] == 14


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--set", "bonus_multiplyer=14"), ["overlay-wrong", "bonus_multiplier"]),
        (("--set", "bonus_multiplier=high"), ["overlay-wrong"]),
        (("--rules-on", "1999-01-01"), ["rules-not-known", "2001-01-01"]),
    ],
)
def test_a_wrong_what_if_is_a_finding(arguments: tuple[str, ...], words: list[str]) -> None:
    shown = invoke("rate", OPEN, *arguments)
    assert shown.exit_code == 1
    assert all(word in shown.stderr for word in words)


@pytest.mark.parametrize(
    "arguments",
    [
        ("rate",),
        ("rate", OPEN, "--set", "bonus_multiplier"),
        ("rate", OPEN, "--rules-on", "yesterday"),
        ("rate", OPEN, "--json", "--csv"),
        ("explain", OPEN, "--json"),
        ("unknown",),
        ("convert-rating",),
        ("estimate", "1500"),
        ("rules", "show", "--system", "bullet"),
    ],
)
def test_wrong_usage_has_exit_status_2(arguments: tuple[str, ...]) -> None:
    shown = invoke(*arguments)
    assert shown.exit_code == 2
    assert "Traceback" not in shown.output


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "file-empty"),
        (b"\x00\x01\x02\xff" * 50, "format-unknown"),
        (b'{"format": ', "not-json"),
        (b"1. e4 e5 2. Nf3", "format-unknown"),
    ],
)
def test_a_file_that_is_no_report_is_a_finding(data: bytes, code: str) -> None:
    for command in ("rate", "check"):
        shown = invoke(command, "-", data=data)
        assert shown.exit_code == 1
        assert code in shown.stderr
    rated = json.loads(invoke("rate", "-", "--json", data=data).stdout)
    assert [finding["code"] for finding in rated["problems"]] == [code]
    assert rated["sections"] == []


def test_a_file_that_is_not_there_is_a_finding(tmp_path: Path) -> None:
    shown = invoke("rate", str(tmp_path / "missing.json"))
    assert shown.exit_code == 1
    assert "file-unreadable" in shown.stderr
    empty_folder = invoke("rate", str(tmp_path))
    assert empty_folder.exit_code == 1
    assert "file-empty" in empty_folder.stderr


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"time_control": "by arrangement"}, "time-control-unreadable"),
        ({"time_control": None}, "time-control-missing"),
        ({"time_control": "G/4"}, "time-control-not-ratable"),
        ({"time_control": "Round 1: G/90;d5, Round 2: G/20;d5"}, "time-control-rounds-differ"),
        ({"half_k": True}, "half-k-not-allowed"),
        ({"start": "2000-12-31", "end": "2000-12-31"}, "rules-not-known"),
        ({"entries": [{"seat": 1, "player": "A", "rounds": ["W2"]}]}, "opponent-missing"),
        ({"entries": []}, "entries-empty"),
    ],
)
def test_an_error_in_the_report_stops_the_rating(changes: dict[str, Any], code: str) -> None:
    report = report_with(**changes)
    shown = rate(report)
    assert shown.exit_code == 1
    assert code in shown.stderr
    assert shown.stdout == ""
    checked = invoke("check", "-", data=json.dumps(report).encode())
    assert checked.exit_code == 1
    assert code in checked.stderr


@pytest.mark.statement("A17")
def test_a_floor_above_the_ceiling_is_an_error() -> None:
    """A peak of 2000 makes a floor of 1800; entered floors and the original Life Master's count too."""
    for facts in (
        {"ratings": {"regular": {"rating": 1500, "games": 99, "peak": 2000}}},
        {"ratings": {"regular": {"rating": 2250, "games": 999, "life_master_games": 300}}},
        {"floors": [{"system": "regular", "kind": "money", "floor": 1800}]},
    ):
        report = report_with()
        report["players"][0] |= {"ceilings": [{"system": "regular", "ceiling": 1700}], **facts}
        shown = rate(report)
        assert shown.exit_code == 1
        assert "floor-above-ceiling" in shown.stderr


def test_check_says_so_when_nothing_is_wrong() -> None:
    report = report_with(start="2024-11-14")
    for player in report["players"]:
        player["ratings"]["regular"]["peak"] = 1650
    shown = invoke("check", "-", data=json.dumps(report).encode())
    assert (shown.exit_code, shown.stdout) == (
        0,
        "The report can be rated: it has no errors and no warnings.\n",
    )


def test_check_finds_what_rate_would_find() -> None:
    checked = json.loads(invoke("check", OPEN, "--json").stdout)["problems"]
    assert checked == json.loads(invoke("rate", OPEN, "--json").stdout)["problems"]
    assert [finding["code"] for finding in checked] == ["record-missing", "peak-missing"]


def test_check_strict_fails_on_warnings() -> None:
    report = json.dumps(report_with(time_control="G/4;+30")).encode()
    assert invoke("check", "-", data=report).exit_code == 0
    strict = invoke("check", "-", "--strict", data=report)
    assert strict.exit_code == 1
    assert "main-time-short" in strict.stderr
    found = json.loads(invoke("check", "-", "--json", data=report).stdout)["problems"]
    assert [finding["code"] for finding in found if finding["severity"] == "warning"] == ["main-time-short"]


def test_explain_names_every_step_with_sources_and_marks_inferred_rules() -> None:
    shown = invoke("explain", OPEN, "--section", "1", "--seat", "15")
    assert shown.exit_code == 0
    for words in ("Step 1", "Step 2", "Step 4", "Step 5", "Floors", "bonus_multiplier = 12 (D25"):
        assert words in shown.stdout
    newcomer = invoke("explain", QUAD, "--seat", "4", "--end", "2026-11-14", "--time-control", "G/45;d5")
    assert "[inferred]" in shown.stdout + newcomer.stdout


def test_explain_json_has_every_opponent_and_expectancy() -> None:
    shown = invoke("explain", OPEN, "--seat", "15", "--json")
    explained = json.loads(shown.stdout)
    assert explained["format"] == "ratebook-explanation/1"
    (explanation,) = explained["explanations"]
    last = next(step for step in explanation["steps"] if step["title"].startswith("Step 5"))
    assert [game["opponent_seat"] for game in last["games"]] == [19, 16, 30, 22, 54, 33, 38]
    assert sum(game["expected"] for game in last["games"]) == pytest.approx(
        last["figures"]["expected score (E)"]
    )
    assert all(
        rule["document"] and rule["where"] and rule["status"]
        for step in explanation["steps"]
        for rule in step["rules"]
    )


def test_what_anyone_may_read_of_an_explanation_has_no_figure_of_a_newcomer() -> None:
    asked = ("explain", FESTIVAL, "--section", "1", "--seat", "3", "--system", "regular")
    assert "Step 5" in invoke(*asked).stdout
    public = invoke(*asked, "--public").stdout
    assert "1511 -> 1582" in public
    assert "HAYES EXAMPLE (seat 8)" in public.partition("Games")[2].partition("Step 1")[0]
    assert "is shown as a range over all ages" in public
    assert "by age" not in public


def test_a_seat_that_does_not_exist_is_a_finding_that_names_the_seats() -> None:
    for arguments in (("explain", OPEN, "--seat", "99"), ("rate", OPEN, "--explain", "99")):
        shown = invoke(*arguments)
        assert shown.exit_code == 1
        assert "seat-unknown" in shown.stderr
        assert "1 to 64" in shown.stderr


def test_nothing_is_coloured_in_a_pipe() -> None:
    assert "\x1b" not in invoke("rate", OPEN).output


@pytest.mark.parametrize(
    "setting", ["k_numerator=1e308", "logistic_scale=1e-300", "blend_most_games=off", "special_reach=0"]
)
def test_an_absurd_what_if_is_a_finding(setting: str) -> None:
    report = report_with()
    report["players"].append({"id": "C"})
    report["sections"][0]["entries"] = [
        {"seat": 1, "player": "A", "rounds": ["W2", ""]},
        {"seat": 2, "player": "B", "rounds": ["L1", "W3"]},
        {"seat": 3, "player": "C", "rounds": ["", "L2"]},
    ]
    shown = rate(report, "--set", setting)
    assert shown.exit_code == 1
    assert "what-if-unusable" in shown.stderr or "overlay-wrong" in shown.stderr


def test_an_explanation_stands_alone_or_with_a_crosstable() -> None:
    assert invoke("rate", OPEN, "--csv", "--explain", "1").exit_code == 2


FESTIVAL = str(ROOT / "examples" / "festival" / "festival.json")


def before_of_newcomer(*options: str) -> str:
    """Return what the festival's crosstable says of a player of ten without a rating, before the section."""
    shown = invoke("rate", FESTIVAL, "--system", "regular", *options).stdout
    line = next(line for line in shown.splitlines() if "EVANS EXAMPLE" in line)
    return re.split(r"  +", line.strip())[2]


def test_a_crosstable_hides_an_initial_rating_that_tells_an_age_unless_asked() -> None:
    """50 points a year: 549 at the end of August 2026 is somebody born in September 2015."""
    assert before_of_newcomer() == "unrated"
    assert before_of_newcomer("--step-1") == "unrated (549/0)"


def test_json_and_csv_are_complete_and_need_no_option_for_it() -> None:
    csv = invoke("rate", FESTIVAL, "--system", "regular", "--csv").stdout
    found = json.loads(invoke("rate", FESTIVAL, "--system", "regular", "--json").stdout)
    (newcomer,) = (entry for entry in found["sections"][0]["entries"] if entry["seat"] == 5)
    assert newcomer["before"]["rating"] == pytest.approx(548.6653, abs=1e-4)
    assert "548.66" in csv
    for option in ("--csv", "--json"):
        assert invoke("rate", FESTIVAL, "--step-1", option).exit_code == 2
    assert "not for the public" in " ".join(invoke("rate", "--help").stdout.split())


def test_a_section_that_does_not_exist_is_a_finding_that_names_the_sections() -> None:
    shown = invoke("explain", OPEN, "--section", "2", "--seat", "1")
    assert shown.exit_code == 1
    assert "section-unknown" in shown.stderr


def test_a_time_control_that_contradicts_the_system_asked_for_is_a_finding() -> None:
    shown = invoke("estimate", "--rating", "1500", "W1400", "--time-control", "G/60;d5", "--system", "blitz")
    assert shown.exit_code == 1
    assert "system-not-rated" in shown.stderr
    chosen = invoke("estimate", "--rating", "1500", "W1400", "--time-control", "G/5;d2", "--json")
    assert json.loads(chosen.stdout)["system"] == "blitz"


@pytest.mark.statement("M3")
@pytest.mark.parametrize(("answer", "open_"), [(None, True), ("pending", True), ("denied", False)])
def test_a_match_result_below_the_floor_opens_a_request(answer: str | None, open_: bool) -> None:  # noqa: FBT001 - a parametrised fact
    """A 1610 with a peak of 1810 has a floor of 1600; losing four games to a 1650 would fall below it."""
    report = report_with(
        type="match",
        entries=[
            {"seat": 1, "player": "A", "rounds": ["L2"] * 4, "floor_request": answer},
            {"seat": 2, "player": "B", "rounds": ["W1"] * 4},
        ],
    )
    report["players"] = [
        {"id": "A", "ratings": {"regular": {"rating": 1610, "games": 99, "peak": 1810, "published": 1610}}},
        {"id": "B", "ratings": {"regular": {"rating": 1650, "games": 99, "published": 1650}}},
    ]
    shown = rate(report, "--json")
    rated = json.loads(shown.stdout)
    assert rated["sections"][0]["entries"][0]["after"]["rating"] == 1600
    assert ("floor-request-open" in [finding["code"] for finding in rated["problems"]]) is open_
