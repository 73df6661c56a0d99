"""Mistakes that a newcomer made: each is a finding or a usage error, and none is a traceback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from support.command_line import COMMAND, invoke, wait_until_it_reads
from support.hang_guard import HANG_GUARD

ROOT = Path(__file__).resolve().parents[2]
OPEN = str(ROOT / "examples" / "open-64-players.json")
PLANTED = str(ROOT / "examples" / "planted-mistakes.json")
SMALLEST_PIPE = 4096


def club_night(**first: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON of a player
    """Return one game, A beats B, over the board in 2025; *first* is A's rating."""
    return {
        "format": "ratebook-report/1",
        "event": {"start": "2025-06-01", "end": "2025-06-01"},
        "players": [
            {"id": "A", "ratings": {"regular": {"rating": 1500, **first}}},
            {"id": "B", "ratings": {"regular": {"rating": 1700, "games": 100, "peak": 1700}}},
        ],
        "sections": [
            {
                "number": 1,
                "time_control": "G/90;d5",
                "entries": [
                    {"seat": 1, "player": "A", "rounds": ["W2w"]},
                    {"seat": 2, "player": "B", "rounds": ["L1b"]},
                ],
            }
        ],
    }


def rated(report: dict[str, Any], *options: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        invoke("rate", "-", "--json", *options, data=json.dumps(report).encode()).stdout
    )
    return found


def codes(found: dict[str, Any]) -> list[str]:
    return [finding["code"] for finding in found["problems"]]


def after(found: dict[str, Any]) -> float:
    rating: float = found["sections"][0]["entries"][0]["after"]["rating"]
    return rating


def test_an_unknown_record_of_a_provisional_player_is_noted() -> None:
    """All wins so far would make 2071 of 1582 (special formula from R0 - 400)."""
    assert "record-missing" in codes(rated(club_night(games=6)))
    assert "record-missing" not in codes(rated(club_night(games=6, record="mixed")))
    assert "record-missing" not in codes(rated(club_night(games=6, wins=2, draws=2, losses=2)))
    assert "record-missing" not in codes(rated(club_night(games=60)))


def test_counts_that_cannot_be_all_games_make_no_unbroken_record() -> None:
    """Step 1 credits ten games at most: 5 wins of 40 games say nothing of the other 25."""
    partial = rated(club_night(games=40, wins=5, draws=0, losses=0))
    assert after(partial) == after(rated(club_night(games=40)))
    whole = rated(club_night(games=15, wins=5, draws=0, losses=0))
    assert after(whole) == after(rated(club_night(games=15, record="wins")))


def test_a_dual_rated_match_that_misses_a_condition_in_one_system_is_rated_with_a_warning() -> None:
    report = club_night(games=100, published=1500)
    report["sections"][0] |= {"type": "match", "time_control": "G/45;d5"}
    assert codes(rated(report)).count("match-not-established") == 2
    assert len(rated(report)["sections"]) == 2
    assert codes(rated(report, "--system", "regular")).count("match-not-established") == 0


def test_what_an_initial_rating_assumes_is_noted() -> None:
    old = {"rating": 1500, "games": 20, "as_of": "2021-01-01"}
    report = club_night(games=30)
    report["players"][0] = {
        "id": "A",
        "ratings": {"quick": old},
        "cfc": {"rating": 1500, "as_of": "2025-01-01"},
    }
    found = codes(rated(report))
    assert "birth-date-missing" in found
    assert "cfc-not-used" in found
    assert "rating-date-missing" not in found
    report["players"][0] = {"id": "A", "birth_date": "2024-01-01"}
    assert "birth-date-unusable" in codes(rated(report))


def test_a_foreign_event_is_over_the_board_at_full_k() -> None:
    report = club_night(games=100)
    report["event"] = {"start": "2005-05-05", "end": "2005-05-05"}
    report["sections"][0] |= {"type": "fide", "half_k": True, "online": True}
    report["sections"][0]["entries"][0]["update"] = True
    report["players"][0] |= {"us_member": True, "fide_opt_in": True}
    report["players"][1]["fide"] = {"rating": 1700}
    found = rated(report)
    assert "foreign-event-flags" in codes(found)
    assert found["sections"][0]["entries"][0]["after"]["games"] == 101


def test_a_foreign_player_who_is_not_eligible_keeps_his_rating() -> None:
    report = club_night(games=100)
    report["sections"][0] |= {"type": "fide"}
    report["sections"][0]["entries"][0]["update"] = True
    report["players"][1]["fide"] = {"rating": 1700}
    found = rated(report)
    assert "fide-not-eligible" in codes(found)
    (entry,) = found["sections"][0]["entries"]
    assert (entry["after"]["rating"], entry["after"]["games"], entry["workings"]) == (1500, 100, None)
    explained = invoke("explain", "-", "--seat", "1", data=json.dumps(report).encode())
    assert "nothing changes" in explained.stdout


def test_a_peak_counts_for_established_players_only() -> None:
    report = club_night(games=12, record="mixed", peak=1800)
    report["sections"][0]["entries"][0]["rounds"] = ["L2w"]
    report["sections"][0]["entries"][1]["rounds"] = ["W1b"]
    assert rated(report)["sections"][0]["entries"][0]["workings"]["floor"] is None


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--rating", "1500", "W1400#a", "W1500#a"), "value-wrong"),
        (("--rating", "1500", "--system", "blitz", "--on", "2005-01-01", "W1400"), "system-not-rated"),
        (("--time-control", "G/60;d5", "--on", "2000-12-31", "W1400"), "rules-not-known"),
    ],
)
def test_an_estimate_that_cannot_be_made_is_a_finding(arguments: tuple[str, ...], code: str) -> None:
    shown = invoke("estimate", *arguments)
    assert shown.exit_code == 1
    assert code in shown.stderr
    in_json = invoke("estimate", "--json", *arguments)
    assert [finding["code"] for finding in json.loads(in_json.stdout)["problems"]] == [code]


@pytest.mark.parametrize(
    "arguments",
    [
        ("convert-rating", "--fide", "nan"),
        ("convert-rating", "--cfc", "nan", "--edition", "1995"),
        ("estimate", "--rating", "1500", "--games", "nan", "W1400"),
        ("estimate", "--age", "nan", "W1400"),
        ("estimate", "--games", "20", "W1400"),
        ("estimate", "--rating", "1500", "--edition", "1995", "--on", "1995-08-01", "W1400"),
        ("glicko", "--rating", "inf", "W1720/350"),
    ],
)
def test_what_is_no_number_or_does_not_go_together_is_wrong_usage(arguments: tuple[str, ...]) -> None:
    assert invoke(*arguments).exit_code == 2


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("estimate --rating 99999 W1500", "'--rating': '99999' is not a number from 100 to 3500."),
        ("estimate --rating 1500 --games few W1500", "'few' is not a number from 0 to 100000."),
        ("glicko --rd wide W1500/90", "'wide' is not a number."),
        ("demo-history --games K-12", "'K-12' is not a whole number from 100 to 50000000."),
        ("book undo 0 --reason typo", "'0' is not a whole number from 1 to 1000000000."),
        (
            "book adjust opt-in 1 --lift --approved-by= --reason moved",
            "An approval needs a name; say who gave it",
        ),
    ],
)
def test_a_value_outside_its_bounds_is_told_the_bounds(line: str, words: str) -> None:
    shown = invoke(*line.split())
    assert shown.exit_code == 2
    assert words in shown.stderr


@pytest.mark.parametrize("name", ["rate", "check"])
def test_a_section_is_not_chosen_for_all_are_rated(name: str) -> None:
    shown = invoke(name, "--section", "2", OPEN)
    assert shown.exit_code == 2
    assert "all sections of a report are checked, rated and converted" in shown.stderr
    assert "--sheet NAME chooses one sheet or file" in shown.stderr
    assert "--section" not in invoke(name, "--help").stdout


@pytest.mark.parametrize(
    "arguments",
    [("rate", "missing.json"), ("rate", OPEN, "--set", "foo=1"), ("explain", OPEN, "--seat", "99")],
)
def test_with_json_every_finding_is_json(arguments: tuple[str, ...]) -> None:
    shown = invoke(*arguments, "--json")
    assert shown.exit_code == 1
    assert json.loads(shown.stdout)["problems"][0]["severity"] == "error"


def test_a_system_that_rates_nothing_is_named() -> None:
    shown = invoke("explain", OPEN, "--seat", "1", "--system", "quick")
    assert shown.exit_code == 1
    assert shown.stderr.count("[system-not-rated]") == 1
    assert "error: --system: No section of this report is rated in quick" in shown.stderr


def test_an_explanation_of_a_foreign_event_shows_conversion_and_sources() -> None:
    report = club_night(games=100)
    report["sections"][0] |= {"type": "fide"}
    report["sections"][0]["entries"][0]["update"] = True
    report["players"][0] |= {"us_member": True, "fide_opt_in": True}
    report["players"][1]["fide"] = {"rating": 2000}
    shown = invoke("explain", "-", "--seat", "1", data=json.dumps(report).encode()).stdout
    assert "FIDE rating of B (seat 2)" in shown
    assert "fide_conversion_low_slope = 1.5667 (D25" in shown


def test_a_full_disk_is_one_line() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no /dev/full on this system")
    with full.open("wb") as out:
        shown = subprocess.run(
            [*COMMAND, "rate", OPEN], stdout=out, stderr=subprocess.PIPE, text=True, check=False
        )
    assert shown.returncode == 1
    assert "output-unwritable" in shown.stderr
    assert "Traceback" not in shown.stderr


def test_a_closed_output_and_an_old_encoding_are_no_tracebacks() -> None:
    closed = subprocess.run(
        ["/bin/sh", "-c", '"$@" >&-', "sh", *COMMAND, "rate", OPEN],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in closed.stderr
    report = json.dumps(club_night(games=100) | {"event": {"name": "\u674e", "end": "2025-06-01"}})
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    latin = subprocess.run(
        [*COMMAND, "rate", "-"], input=report, env=environment, capture_output=True, text=True, check=False
    )
    assert (latin.returncode, "Traceback" in latin.stderr) == (0, False)


@pytest.mark.parametrize(
    "arguments",
    [
        ("explain", OPEN, "--seat", "15"),
        ("rate", OPEN, "--json"),
        ("check", PLANTED),
        ("check", PLANTED, "--json"),
        ("check", "missing.json"),
        ("rules", "show"),
        ("--help",),
        ("rate", "--help"),
        ("rate", "--nonsense"),
    ],
    ids=" ".join,
)
def test_a_pipe_that_nobody_reads_ends_the_run_without_a_word(arguments: tuple[str, ...]) -> None:
    """Findings go into the same pipe here; the status is the one that shells give for SIGPIPE."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        shown = subprocess.run([*COMMAND, *arguments], stdout=writing, stderr=writing, check=False)
    finally:
        os.close(writing)
    assert shown.returncode == 141


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_the_first_line_of_an_explanation_can_be_taken_alone(unbuffered: str, tmp_path: Path) -> None:
    """As in ``ratebook explain ... | head -1``: the pipe is too small for the rest, which waits until it is closed."""
    report = club_night(games=40)
    for player, entry, game in zip(report["players"], report["sections"][0]["entries"], "WL", strict=True):
        player["ratings"]["regular"]["rating"] = 1500
        entry["rounds"] = [f"{game}{3 - entry['seat']}"] * 99
    (tmp_path / "long.json").write_text(json.dumps(report), encoding="utf-8")
    with subprocess.Popen(
        [*COMMAND, "explain", str(tmp_path / "long.json"), "--seat", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        pipesize=SMALLEST_PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"Section 1, seat 1")
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def test_the_day_before_the_rules_gets_one_remedy() -> None:
    """The finding says once what is wrong and once what to do."""
    report = club_night(games=100)
    report["event"] = {"start": "2000-12-31", "end": "2000-12-31"}
    shown = invoke("check", "-", data=json.dumps(report).encode())
    assert "error: section 1: The rules are known from 2001-01-01 on;" in shown.stderr
    assert shown.stderr.count("Correct the date") == 1


def test_acknowledged_warnings_are_kept_with_the_rated_report() -> None:
    report = club_night(games=100)
    report["sections"][0]["entries"][1]["rounds"] = ["L1w"]
    plain = rated(report)
    assert codes(plain)[0] == "colours-clash"
    assert "accepted" not in plain
    kept = rated(report, "--accept", "colours-clash", "--accept", "never-found")
    assert list(kept) == ["format", "accepted", "problems", "sections", "titles"]
    assert kept["accepted"] == ["colours-clash"]
    assert [one["severity"] for one in kept["problems"] if one["code"] == "colours-clash"] == ["note"]
    assert kept["sections"] == plain["sections"]
    assert "accepted" not in rated(report, "--accept", "never-found")


def test_an_interrupted_run_ends_with_130() -> None:
    with subprocess.Popen(
        [*COMMAND, "rate", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        wait_until_it_reads(process)
        process.send_signal(signal.SIGINT)
        _, seen = process.communicate(timeout=HANG_GUARD)
    assert process.returncode == 130
    assert b"Traceback" not in seen


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["chek", "report.json"], "Did you mean 'check'?"),
        (["book", "sumbit", "report.json"], "Did you mean 'submit'?"),
        (["book", "import", "reprots", "folder"], "Did you mean 'reports'?"),
        (["web", "acount"], "Did you mean 'account'?"),
        (["book", "rank"], "book member'?"),
        (["submit", "report.json"], "book submit'?"),
    ],
)
def test_an_unknown_command_is_told_the_one_that_is_meant(arguments: list[str], meant: str) -> None:
    outcome = invoke(*arguments)
    assert (outcome.exit_code, meant in outcome.stderr) == (2, True), outcome.stderr
    assert "Did you mean" not in invoke("quux").stderr
