"""Reports typed at the prompt: mistakes are said at their line, and a finished report is corrected."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from support.command_line import invoke

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

EVENT = ["Fall Quad", "", "2025-10-03", "", "", ""]
SECTION = ["", "n", "G/90;d5", "", "2"]
PLAYERS = [
    *("Heron, Alice 90000011", "1800"),
    *("90000022; Alder, Bruno", "1700"),
    *("Brook, Clara", "", ""),
    *("90000044", "Cliff, David", "1432P12"),
    "",
]
RESULTS = ["W2 W3", "L1 D4", "W4 L1", "L3 D2"]
ANSWERS = [*EVENT, *SECTION, *PLAYERS, *RESULTS, "n"]


def entered(path: Path, *answers: str, options: tuple[str, ...] = ()) -> Result:
    return invoke("enter", str(path), *options, data="".join(f"{answer}\n" for answer in answers).encode())


@pytest.fixture
def quad(tmp_path: Path) -> Path:
    path = tmp_path / "quad.json"
    shown = entered(path, *ANSWERS)
    assert shown.exit_code == 0, shown.output
    return path


def seats(path: Path) -> list[tuple[str, str, list[str]]]:
    report: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    names = {player["id"]: player["name"] for player in report["players"]}
    entries = report["sections"][0]["entries"]
    return [(entry["player"], names[entry["player"]], entry["rounds"]) for entry in entries]


def test_id_and_name_are_typed_in_any_order_and_a_newcomer_has_a_name_alone(quad: Path) -> None:
    assert seats(quad) == [
        ("90000011", "Heron, Alice", ["W2", "W3"]),
        ("90000022", "Alder, Bruno", ["L1", "D4"]),
        ("seat-3", "Brook, Clara", ["W4", "L1"]),
        ("90000044", "Cliff, David", ["L3", "D2"]),
    ]


@pytest.mark.parametrize(
    ("at", "line", "words"),
    [
        (11, "9000011 Heron, Alice", "'9000011' has 7 digits; a member id has eight"),
        (11, "9OOOOO11", "'9OOOOO11' is not a member id; perhaps 90000011"),
        (11, "90000011 90000022", "Two words have digits"),
        (13, "90000011 Alder, Bruno", "Heron, Alice is already at seat 1"),
        (19, "90000044", "'90000044' is not a name: it has digits. If it is the id, type < to go back"),
        (22, "W2 Brook", "If a player is missing, type < to go back to the list"),
        (23, "W1 D4", "seat 1 says L1, not W1"),
    ],
)
def test_a_mistake_is_said_at_its_line(tmp_path: Path, at: int, line: str, words: str) -> None:
    shown = entered(tmp_path / "quad.json", *ANSWERS[:at], line, *ANSWERS[at:])
    assert shown.exit_code == 0, shown.output
    assert words in shown.stderr


def test_going_back_is_told_on_the_screen(quad: Path) -> None:
    assert "Type < to go back" in entered(quad.with_name("other.json"), *EVENT[:1]).stderr
    assert "Type < to go back" in entered(quad, "").stderr


def test_another_form_of_ids_is_an_option(tmp_path: Path) -> None:
    league = [answer.replace("90000", "NCF-00") for answer in ANSWERS]
    shown = entered(tmp_path / "a.json", *league, options=("--id-form", "NCF-00000"))
    assert shown.exit_code == 0, shown.output
    assert seats(tmp_path / "a.json")[0][0] == "NCF-00011"
    other = entered(tmp_path / "b.json", *EVENT, *SECTION, "90000011", options=("--id-form", "NCF-00000"))
    assert "'90000011' does not have the form of a member id" in other.stderr


def test_a_finished_report_is_opened_again_and_nothing_need_be_changed(quad: Path) -> None:
    before = quad.read_bytes()
    shown = entered(quad, "")
    assert shown.exit_code == 0, shown.output
    assert "a seat (1 to 4, or 5 for one more player), a round (r1 to r2, or r3 for one more)" in shown.stderr
    assert "   3  Brook, Clara  W4 L1\n" in shown.stderr
    assert quad.read_bytes() == before


def test_a_seat_is_corrected_and_its_opponents_are_asked_about(quad: Path) -> None:
    """Seat 1 lost in the first round; seat 2 is asked about, and the newcomer at seat 3 has an id now."""
    shown = entered(quad, *("1", "", "", "L2 W3", "y"), *("3", "90000033", "", "", ""), "")
    assert shown.exit_code == 0, shown.output
    assert "Seat 2, Alder, Bruno, has L1 in round 1. Make it W1?" in shown.stderr
    assert seats(quad) == [
        ("90000011", "Heron, Alice", ["L2", "W3"]),
        ("90000022", "Alder, Bruno", ["W1", "D4"]),
        ("90000033", "Brook, Clara", ["W4", "L1"]),
        ("90000044", "Cliff, David", ["L3", "D2"]),
    ]
    assert "seat-3" not in quad.read_text(encoding="utf-8")
    assert "Written to" in shown.stdout


def test_what_was_known_of_a_corrected_player_stays(quad: Path) -> None:
    report = json.loads(quad.read_text(encoding="utf-8"))
    report["players"][3]["state"] = "OH"
    quad.write_text(json.dumps(report), encoding="utf-8")
    assert entered(quad, *("4", "Cliff, Davina", "", ""), "").exit_code == 0
    player = json.loads(quad.read_text(encoding="utf-8"))["players"][-1]
    assert (player["id"], player["name"], player["state"]) == ("90000044", "Cliff, Davina", "OH")
    assert player["ratings"] == {"regular": {"rating": 1432, "games": 12}}


def test_an_opponent_who_loses_a_game_is_asked_for_another_result(quad: Path) -> None:
    shown = entered(quad, *("2", "", "", "L1 B", "H"), "")
    assert "Seat 4, Cliff, David, has D2 in round 2, but seat 2 played another game" in shown.stderr
    assert [rounds for _, _, rounds in seats(quad)] == [["W2", "W3"], ["L1", "B"], ["W4", "L1"], ["L3", "H"]]


def test_a_round_is_typed_again_game_by_game(quad: Path) -> None:
    shown = entered(quad, "r2", "L3", "W4", "y", "r3", "D4", "L3", "")
    assert shown.exit_code == 0, shown.output
    assert "Round 2:\n  seat 1, Heron, Alice: W3 becomes L3\n" in shown.stderr
    assert "  seat 3, Brook, Clara: L1 becomes W1\n" in shown.stderr
    assert "Round 3:\n" not in shown.stderr
    assert [rounds for _, _, rounds in seats(quad)] == [
        ["W2", "L3", "D4"],
        ["L1", "W4", "L3"],
        ["W4", "W1", "W2"],
        ["L3", "L2", "D1"],
    ]


def test_a_round_that_is_not_to_change_stays(quad: Path) -> None:
    before = quad.read_bytes()
    shown = entered(quad, "r2", "L3", "W4", "n", "")
    assert shown.exit_code == 0, shown.output
    assert quad.read_bytes() == before


@pytest.mark.parametrize(
    "day",
    ["10/13/2025", "13.10.2025", "Oct 13, 2025", "2025/10/13"],
    ids=["US", "points", "words", "slashes"],
)
def test_days_are_typed_as_files_have_them(tmp_path: Path, day: str) -> None:
    path = tmp_path / "quad.json"
    answers = [day if answer == "2025-10-03" else answer for answer in ANSWERS]
    assert entered(path, *answers).exit_code == 0
    assert json.loads(path.read_text(encoding="utf-8"))["event"]["start"] == "2025-10-13"


def test_the_id_of_someone_else_does_not_replace_a_name(tmp_path: Path) -> None:
    path = tmp_path / "two.json"
    second = ["Reserve", "n", "G/90;d5", "", "1", "Dale, Emma", "", "", "Field, Finn", "", "", "", "D2", ""]
    assert entered(path, *ANSWERS[:-1], "y", *second, "n").exit_code == 0
    before = path.read_bytes()
    shown = entered(path, "2", "1", "90000011")
    assert "90000011 is Heron, Alice, and Dale, Emma has this seat." in shown.stderr
    assert path.read_bytes() == before
    taken = entered(path, "2", "1", "90000011", "90000011 Heron, Alice", "", "", "", "")
    assert taken.exit_code == 0, taken.output
    section = json.loads(path.read_text(encoding="utf-8"))["sections"][1]
    assert section["entries"][0]["player"] == "90000011"


def test_a_player_is_added_at_the_next_seat(quad: Path) -> None:
    shown = entered(quad, "5", "Dale, Emma 90000055", "1500", "U W4", "n", "")
    assert seats(quad)[4] == ("90000055", "Dale, Emma", ["U", "W4"])
    assert "with an error; ratebook enter" in shown.stdout
    assert "error: section 1, seat 5 (Dale, Emma), round 2: " in shown.stderr


def test_an_event_is_corrected_with_the_days_of_its_sections(quad: Path) -> None:
    assert entered(quad, "event", "Fall Swiss", "", "2025-10-04", "", "Toledo", "OH", "").exit_code == 0
    report = json.loads(quad.read_text(encoding="utf-8"))
    assert report["event"]["name"] == "Fall Swiss"
    assert (report["event"]["start"], report["event"]["end"]) == ("2025-10-04", "2025-10-04")
    assert (report["sections"][0]["start"], report["sections"][0]["end"]) == ("2025-10-04", "2025-10-04")


@pytest.mark.parametrize("choice", ["seven", "6", "r4", "r0", "0", "r"])
def test_what_cannot_be_corrected_is_asked_again(quad: Path, choice: str) -> None:
    before = quad.read_bytes()
    shown = entered(quad, choice, "")
    assert shown.exit_code == 0, shown.output
    assert quad.read_bytes() == before


def test_one_can_go_back_within_a_correction(quad: Path) -> None:
    shown = entered(quad, "1", "Heron, Alan", "<", "Heron, Alicia", "", "", "")
    assert shown.exit_code == 0, shown.output
    assert seats(quad)[0] == ("90000011", "Heron, Alicia", ["W2", "W3"])


def test_a_correction_that_ends_too_early_changes_nothing(quad: Path) -> None:
    before = quad.read_bytes()
    shown = entered(quad, "1", "Heron, Alan")
    assert "is as it was before it" in shown.stderr
    assert quad.read_bytes() == before


def test_the_section_is_asked_for_where_there_are_several(tmp_path: Path) -> None:
    path = tmp_path / "two.json"
    second = ["Reserve", "n", "G/90;d5", "", "1", "Dale, Emma", "", "", "Field, Finn", "", "", "", "D2", ""]
    assert entered(path, *ANSWERS[:-1], "y", *second, "n").exit_code == 0
    shown = entered(path, "3", "2", "r1", "W2", "y", "")
    assert shown.exit_code == 0, shown.output
    section = json.loads(path.read_text(encoding="utf-8"))["sections"][1]
    assert [(entry["player"], entry["rounds"]) for entry in section["entries"]] == [
        ("section-2-seat-1", ["W2"]),
        ("section-2-seat-2", ["L1"]),
    ]


def test_a_report_with_errors_is_not_said_to_be_rated(tmp_path: Path) -> None:
    """The form lets no such report through, but another program may have changed the file."""
    path = tmp_path / "quad.json"
    shown = entered(path, *ANSWERS)
    assert f"ratebook rate {path} rates it" in shown.stdout
    report = json.loads(path.read_text(encoding="utf-8"))
    report["sections"][0]["entries"][0]["rounds"][0] = "L2"
    path.write_text(json.dumps(report), encoding="utf-8")
    again = entered(path, "")
    assert "rates it" not in again.stdout
    assert f"with an error; ratebook enter {path} corrects it" in again.stdout
