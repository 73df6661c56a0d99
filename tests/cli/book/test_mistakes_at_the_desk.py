"""The ordinary mistakes of an office: each is a finding or a usage error with a remedy, and changes nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from cli.book.office_commands import OfficeCommands, codes_in, write_report
from ratebook.cli.main import run
from support.book_reports import member_id
from support.command_line import COMMAND, wait_until_it_reads
from support.hang_guard import HANG_GUARD

if TYPE_CHECKING:
    from collections.abc import Iterator

EVENT = "202601100001"
WHY = ("--reason", "score sheet")

WITHOUT_RIGHTS = """
import os, sys
from click.testing import CliRunner
from ratebook.cli.main import main, run
if os.geteuid() == 0:
    # All that this user may not load is loaded before.
    assert CliRunner().invoke(run, ["book", "--book", sys.argv.pop(1), *sys.argv[4:]]).exit_code == 0
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
else:
    sys.argv.pop(1)
main()
"""


def asked_without_book(*arguments: str, **environment: str) -> tuple[int, str]:
    result = CliRunner().invoke(run, ["book", *arguments], env={"RATEBOOK_BOOK": None, **environment})
    return result.exit_code, result.output


def test_without_a_book_the_user_is_told_how_to_name_one() -> None:
    status, said = asked_without_book("queue")
    assert status == 2
    assert "--book PATH_OR_URL" in said
    assert "RATEBOOK_BOOK" in said


@pytest.mark.parametrize("option", ["--book", "--as"])
def test_an_option_behind_the_command_is_told_to_go_before_it(option: str) -> None:
    status, said = asked_without_book("queue", option, "x")
    assert status == 2
    assert f"ratebook book {option} ... queue" in said


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("crosstable", "Missing argument 'EVENT'. ratebook book events lists the events"),
        ("crosstable", "ratebook book history MEMBER those of a member."),
        ("show", "Missing argument 'N'. ratebook book queue lists the waiting reports."),
        ("list", "Missing argument 'MONTH'. ratebook book lists shows the months"),
        ("history", "Missing argument 'MEMBER'. ratebook book members lists the members."),
        ("merge 90000012", "Missing argument 'NEW'. ratebook book members lists the members."),
    ],
)
def test_a_missing_argument_is_told_with_what_lists_it(line: str, words: str) -> None:
    status, shown = asked_without_book(*line.split())
    assert status == 2
    assert words in " ".join(shown.split())


def test_the_environment_names_the_book(office: OfficeCommands) -> None:
    assert asked_without_book("queue", RATEBOOK_BOOK=office.place) == (0, "No report is waiting.\n")


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ("nowhere.book", "book-missing"),
        ("mysql://office@server/league", "book-address-wrong"),
        (__file__, "book-unreadable"),
    ],
)
def test_a_wrong_place_is_a_finding(place: str, code: str) -> None:
    assert OfficeCommands(place).refused("queue") == [code]
    answer = OfficeCommands(place).asked("queue")
    assert answer["format"] == "ratebook-problems/1"
    assert [finding["code"] for finding in answer["problems"]] == [code]


def test_a_book_is_never_made_over_another(office: OfficeCommands) -> None:
    assert office.refused("init") == ["book-exists"]
    assert "8 members" in office.done("member", "example")


def test_a_password_in_an_address_is_not_printed() -> None:
    result = OfficeCommands("postgresql://office:right-secret@localhost:1/league").run("queue")
    assert result.exit_code == 1
    assert "right-secret" not in result.output


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('nam = "x"', "profile-key-unknown"),
        ('name = "x', "profile-unreadable"),
        ("least_games = 1" + "0" * 5_000, "profile-unreadable"),
        ('name = " "', "profile-value-wrong"),
        ("cut_off = 31", "profile-value-wrong"),
        ('cut_off = "never"', "profile-value-wrong"),
        ("least_games = -1", "profile-value-wrong"),
        ("least_games = true", "profile-value-wrong"),
        ('systems = ["rapid"]', "profile-value-wrong"),
        ("systems = []", "profile-value-wrong"),
        ('system_names = "rapid=Rapid"', "profile-value-wrong"),
        ('system_names = "quick=OTB Regular"', "profile-value-wrong"),
        ('system_names = "quick"', "profile-value-wrong"),
        ('system_names = "quick=A, quick=B"', "profile-value-wrong"),
        ('member_id_pattern = "["', "profile-value-wrong"),
        ('cut_off = "fifth-friday"', "profile-value-wrong"),
        ("list_months = [0, 6]", "profile-value-wrong"),
        ('checks_off = ["member-unknown"]', "profile-value-wrong"),
        ("days_to_report = 9999", "profile-value-wrong"),
        ('search_engines = "no"', "profile-value-wrong"),
        ("second_person = 2", "profile-value-wrong"),
        ("contact = 7", "profile-value-wrong"),
        ('overlay = "nowhere.toml"', "file-unreadable"),
        ('overlay = "profile.toml"', "overlay-wrong"),
    ],
)
def test_a_wrong_profile_makes_no_book(tmp_path: Path, line: str, code: str) -> None:
    (tmp_path / "profile.toml").write_text(line, encoding="utf-8")
    office = OfficeCommands(str(tmp_path / "new.book"))
    assert office.refused("init", "--profile", str(tmp_path / "profile.toml")) == [code]
    assert not Path(office.place).exists()


def test_a_profile_comes_from_a_file(tmp_path: Path) -> None:
    lines = [
        'name = "Example League"',
        'country = "ISL"',
        'id_form = "NCF-000"',
        "list_months = [7, 1]",
        "days_to_report = 30",
        'checks_off = ["membership-expired"]',
        'systems = ["blitz", "regular"]',
        "cut_off = 7",
        "least_games = 1",
        'contact = "ratings@league.example"',
        "search_engines = true",
        "second_person = true",
        'accent = "#0B5D2A"',
        'logo = "league.svg"',
        "title_case = false",
    ]
    picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9"></path></svg>'
    (tmp_path / "league.svg").write_text(picture)
    # Windows editors write a byte order mark.
    (tmp_path / "profile.toml").write_text("\n".join(lines), encoding="utf-8-sig")
    written = picture.replace("><path", ' width="9" height="9"><path', 1)
    office = OfficeCommands(str(tmp_path / "new.book"))
    office.done("init", "--profile", str(tmp_path / "profile.toml"), "--country", "NOR")
    assert office.asked("profile")["profile"] == {
        "name": "Example League",
        "country": "NOR",
        "member_id_pattern": "NCF\\-[0-9]{3}",
        "systems": ["regular", "blitz"],
        "cut_off": "7",
        "least_published_games": 1,
        "overlay": "",
        "list_months": [1, 7],
        "checks": {"days_to_report": 30, "points_from_rating": 600, "off": ["membership-expired"]},
        "contact": "ratings@league.example",
        "search_engines": True,
        "second_person": True,
        "logo": f"logo.{sha256(written.encode()).hexdigest()[:12]}.svg",
        "accent": "#0b5d2a",
        "footer": "",
        "title_case": False,
        "days_between_verifications": 31,
        "system_names": "",
    }


def test_a_change_of_the_profile_needs_a_reason(office: OfficeCommands) -> None:
    assert office.run("profile", "--cut-off", "15").exit_code == 2
    assert office.refused("profile", "--cut-off", "31", *WHY) == ["profile-value-wrong"]


def test_an_unknown_id_comes_with_an_offer_of_similar_members(office: OfficeCommands, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    native = json.loads(Path(write_report(path, "2026-01-10", [1, 2], ["W2", "L1"])).read_bytes())
    # Two digits of member 2 have changed places.
    wrong = "90000020"
    text = json.dumps(native).replace(member_id(2), wrong)
    path.write_text(text, encoding="utf-8")
    result = office.run("submit", str(path), "--received", "2026-01-11")
    assert result.exit_code == 1
    assert "member-unknown" in codes_in(result.stderr)
    assert f"{member_id(2)} (EXAMPLE, PLAYER 2)" in result.stderr
    shown = office.run("member", wrong)
    assert shown.exit_code == 1
    assert f"{member_id(2)} (EXAMPLE, PLAYER 2)" in shown.stderr


def test_a_report_that_came_twice_names_the_first(rated: OfficeCommands, tmp_path: Path) -> None:
    games = ["W2 D3 W4", "L1 L4 L3", "W4 D1 W2", "L3 W2 L1"]
    path = write_report(tmp_path / "again.json", "2026-01-10", [1, 2, 3, 4], games, event_id=EVENT)
    result = rated.run("submit", path)
    assert result.exit_code == 1
    assert codes_in(result.stderr) == ["report-submitted-already"]
    assert f"report 1, event {EVENT}" in result.stderr
    assert len(rated.asked("queue", "--all")["submissions"]) == 1


def test_a_report_that_does_not_exist_is_not_stored_and_the_others_are(
    office: OfficeCommands, tmp_path: Path
) -> None:
    path = write_report(tmp_path / "r.json", "2026-01-10", [1, 2], ["W2", "L1"])
    result = office.run("submit", str(tmp_path / "nowhere.json"), path, "--accept", "all")
    assert result.exit_code == 1
    assert codes_in(result.stderr)[0] == "file-unreadable"
    assert [one["source"] for one in office.asked("queue")["submissions"]] == [path]


def test_what_cannot_be_read_is_stored_with_its_findings(office: OfficeCommands, tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text("{", encoding="utf-8")
    result = office.run("submit", str(tmp_path / "r.json"))
    assert result.exit_code == 1
    assert "report 1, held back: it cannot be read" in result.stdout
    assert office.refused("show", "1", "--native") == ["submission-unread"]
    good = write_report(tmp_path / "good.json", "2026-01-10", [1, 2], ["W2", "L1"])
    assert "report 2" in office.done("fix", "1", good)


def test_a_code_that_no_warning_has_is_noted(office: OfficeCommands, tmp_path: Path) -> None:
    path = write_report(tmp_path / "r.json", "2026-01-10", [1, 2], ["W2", "L1"])
    result = office.run("submit", path, "--received", "2026-01-11", "--accept", "report-lat")
    assert result.exit_code == 0
    assert codes_in(result.stderr) == ["accepted-in-vain"]


def test_standard_input_is_a_report(office: OfficeCommands, tmp_path: Path) -> None:
    path = write_report(tmp_path / "r.json", "2026-01-10", [1, 2], ["W2", "L1"])
    said = office.done("submit", "-", "--received", "2026-01-11", data=Path(path).read_bytes())
    assert "ready to be rated" in said


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["show", "99"], "submission-unknown"),
        (["accept", "99", "all", *WHY], "submission-unknown"),
        (["accept", "1", "all", *WHY], "submission-decided"),
        (["reject", "1", *WHY], "submission-decided"),
        (["recheck", "1"], "submission-decided"),
        (["correct", "result", "1", "1", "1", "1", "W", *WHY], "event-unknown"),
        (["correct", "result", EVENT, "7", "1", "1", "W", *WHY], "section-unknown"),
        (["correct", "result", EVENT, "1", "9", "1", "W", *WHY], "seat-unknown"),
        (["correct", "result", EVENT, "1", "1", "9", "W", *WHY], "round-unknown"),
        (["correct", "result", EVENT, "1", "1", "1", "Q", *WHY], "result-unknown"),
        (["correct", "member", EVENT, "1", "1", "12345678", *WHY], "member-unknown"),
        (["correct", "withdraw", EVENT, "7", *WHY], "section-unknown"),
        (["grant", EVENT, "1", "1", *WHY], "no-match"),
        (["undo", "9999", *WHY], "decision-unknown"),
        (["merge", "1", "2", "--yes", *WHY], "member-unknown"),
        (["merge", member_id(1), member_id(1), "--yes", *WHY], "merge-with-itself"),
        (["erase", "1", "--yes", *WHY], "member-unknown"),
        (["adjust", "floor", "1", "regular", "--rating", "1500", *WHY], "member-unknown"),
        (["publish", "--for", "2026-13"], "month-wrong"),
        (["publish", "--for", "2026-02", "--today", "2026-01-02"], "list-too-early"),
        (["list", "2026-02"], "list-unknown"),
        (["list-diff", "2026-01", "2026-02"], "list-unknown"),
        (["official", "1"], "member-unknown"),
        (["member", "nobody of this name"], "member-unknown"),
        (["history", "1"], "member-unknown"),
        (["event", "1"], "event-unknown"),
        (["crosstable", EVENT, "7"], "event-unknown"),
        (["explain", member_id(8), EVENT], "nothing-to-explain"),
        (["explain", member_id(8)], "nothing-to-explain"),
        (["restore", "nowhere.book", "--yes"], "backup-missing"),
    ],
)
def test_what_does_not_exist_is_a_finding(rated: OfficeCommands, arguments: list[str], code: str) -> None:
    assert code in rated.refused(*arguments)
    # The same as JSON.
    answer = json.loads(rated.run(*arguments, "--json").stdout) if arguments[0] != "list" else None
    assert answer is None or code in [finding["code"] for finding in answer["problems"]]


@pytest.mark.parametrize(
    "arguments",
    [
        ["reject", "1"],
        ["reject", "1", "--reason", "  "],
        ["adjust", "floor", "1", "regular", *WHY],
        ["adjust", "floor", "1", "regular", "--rating", "1500", "--lift", *WHY],
        ["adjust", "floor", "1", "regular", "--rating", "9000", *WHY],
        ["adjust", "floor", "1", "rapid", "--rating", "1500", *WHY],
        ["correct", "facts", "1", *WHY],
        ["correct", "foreign-rating", "1", "fide", "--list-date", "2026-01-01", *WHY],
        ["submit", "a.json", "b.json", "--event-id", "202601010001"],
        ["list", "2026-02", "--format", "golden"],
        ["list", "2026-02", "--format", "csv", "--format", "text"],
        ["publish", "--for", "2026-02", "--format", "csv"],
        ["adopt-rules", "--overlay", "x.toml", "--no-overlay", *WHY],
        ["import", "members", "x.csv", "--replace"],
        ["import", "foreign-ratings", "x.csv", "--list-date", "2026-01-01"],
        ["queues"],
    ],
)
def test_wrong_usage_is_told_before_anything_is_done(office: OfficeCommands, arguments: list[str]) -> None:
    result = office.run(*arguments)
    assert result.exit_code == 2, result.output


def test_an_empty_name_of_who_acts_is_wrong_usage(office: OfficeCommands) -> None:
    for name in ("", "   "):
        result = CliRunner().invoke(run, ["book", "--book", office.place, "--as", name, "queue"])
        assert result.exit_code == 2


def test_a_system_that_does_not_know_its_user_asks_for_a_name(
    office: OfficeCommands, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown() -> str:
        raise OSError("no such user")

    monkeypatch.setattr("getpass.getuser", unknown)
    result = CliRunner().invoke(run, ["book", "--book", office.place, "queue"])
    assert result.exit_code == 2
    assert "--as NAME" in result.stderr
    assert office.run("queue").exit_code == 0


def test_an_import_with_errors_brings_nothing_in(office: OfficeCommands, tmp_path: Path) -> None:
    path = tmp_path / "more.csv"
    path.write_text('id,name\n90000009,"EXAMPLE, PLAYER 9"\n12,"EXAMPLE, PLAYER 12"\n', encoding="utf-8")
    assert office.refused("import", "members", str(path)) == ["import-id-wrong"]
    assert "8 members" in office.done("member", "example")
    assert office.asked("import", "members", str(path))["added"] == 0
    assert office.refused("import", "memberships", str(tmp_path / "nowhere.csv")) == ["file-unreadable"]


def test_a_list_that_has_no_place_to_go_is_not_published(rated: OfficeCommands, tmp_path: Path) -> None:
    out = tmp_path / "nowhere" / "list.txt"
    result = rated.run("publish", "--for", "2026-02", "--out", str(out))
    assert result.exit_code == 1
    assert codes_in(result.stderr) == ["output-unwritable"]
    assert rated.refused("list", "2026-02") == ["list-unknown"]
    assert "4 ratings of 4 members" in rated.done("publish", "--for", "2026-02")
    assert (
        rated.done("list", "2026-02", "--out", str(tmp_path / "list.txt"))
        == f"Written to {tmp_path / 'list.txt'}.\n"
    )
    assert rated.refused("list", "2026-02", "--out", str(tmp_path / "list.txt")) == ["output-exists"]
    rated.done("list", "2026-02", "--out", str(tmp_path / "list.txt"), "--force")


def test_a_list_is_closed_for_good_only_when_nothing_waits_and_no_month_is_skipped(
    rated: OfficeCommands,
) -> None:
    rated.done("correct", "result", "202601100001", "1", "1", "1", "D", "--reason", "score sheet")
    assert rated.refused("publish", "--for", "2026-02") == ["rerate-waits"]
    for shown in (
        ("history", member_id(1)),
        ("top",),
        ("crosstable", "202601100001"),
        ("member", member_id(1)),
    ):
        assert codes_in(rated.run(*shown).stderr) == ["rerate-waits"], shown
    assert rated.refused("list", "2026-02") == ["list-unknown"]
    rated.done("publish", "--for", "2026-02", "--accept", "rerate-waits")
    rated.done("rerate")
    assert rated.run("top").stderr == ""
    assert rated.refused("publish", "--for", "2026-05", "--today", "2026-06-01") == ["list-skips-months"]
    rated.done("publish", "--for", "2026-05", "--today", "2026-06-01", "--accept", "list-skips-months")


def test_a_report_that_errors_stand_against_by_now_is_held_back(
    office: OfficeCommands, tmp_path: Path
) -> None:
    path = write_report(tmp_path / "r.json", "2026-01-10", [1, 2], ["W2", "L1"])
    office.done("submit", path, "--received", "2026-01-11")
    late = "member_id,system,as_of,rating,games\n" + f"{member_id(1)},regular,2026-01-31,1500,100\n"
    (tmp_path / "late.csv").write_text(late, encoding="utf-8")
    office.done("import", "opening-balances", str(tmp_path / "late.csv"), "--replace")
    assert office.refused("rate") == ["report-held-back"]
    assert office.asked("queue")["submissions"][0]["status"] == "held"


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Give a folder that every user may reach."""
    with tempfile.TemporaryDirectory(prefix="ratebook-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)


def test_a_book_that_may_only_be_read_says_so(office: OfficeCommands, open_folder: Path) -> None:
    path = open_folder / "league.book"
    path.write_bytes(Path(office.place).read_bytes())
    path.chmod(0o444)
    open_folder.chmod(0o555)
    decision = ["merge", member_id(5), member_id(6), "--yes", "--accept", "merge-doubtful", *WHY]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_RIGHTS, office.place, "book", "--book", str(path), *decision],
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG_GUARD,
    )
    assert done.returncode == 1, done.stderr
    assert codes_in(done.stderr) == ["book-read-only"]


def test_a_book_that_may_not_be_read_says_so(office: OfficeCommands, open_folder: Path) -> None:
    path = open_folder / "league.book"
    path.write_bytes(Path(office.place).read_bytes())
    path.chmod(0)
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_RIGHTS, office.place, "book", "--book", str(path), "queue"],
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG_GUARD,
    )
    assert done.returncode == 1, done.stderr
    assert codes_in(done.stderr) == ["book-file-refused"]
    assert "Permission denied" in done.stderr
    assert [one.name for one in open_folder.iterdir()] == ["league.book"]


def test_a_question_that_nobody_answers_is_a_finding_and_changes_nothing(
    rated: OfficeCommands, tmp_path: Path
) -> None:
    rated.done("backup", str(tmp_path / "copy.book"))
    before = rated.done("export", str(tmp_path / "before"))
    for number, command in enumerate(
        (["erase", member_id(1), "--reason", "asked for by letter"], ["restore", str(tmp_path / "copy.book")])
    ):
        result = rated.run(*command)
        assert result.exit_code == 1
        assert codes_in(result.stderr) == ["answer-missing"]
        assert "--yes" in result.stderr
        after = rated.done("export", str(tmp_path / f"after{number}"))
        assert after.rpartition(": ")[2] == before.rpartition(": ")[2]
    for name in ("members.jsonl", "audit.jsonl"):
        assert (tmp_path / "after1" / name).read_bytes() == (tmp_path / "before" / name).read_bytes()


def test_a_question_answered_through_a_pipe_is_answered(rated: OfficeCommands) -> None:
    why = ("--reason", "asked for by letter")
    refused = rated.run("erase", member_id(1), *why, data=b"n\n")
    assert refused.exit_code == 1
    assert refused.stderr.endswith("Nothing was changed.\n")
    assert codes_in(refused.stderr) == []
    assert "EXAMPLE, PLAYER 1" in rated.done("member", member_id(1))
    rated.done("erase", member_id(1), *why, data=b"y\n")
    assert "(no name)" in rated.done("member", member_id(1))


@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT to a process")
def test_ctrl_c_ends_with_a_clear_word_and_the_status_of_shells(office: OfficeCommands) -> None:
    with subprocess.Popen(
        [*COMMAND, "book", "--book", office.place, "submit", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        wait_until_it_reads(process)
        # The write-ahead log is there while the book is open.
        assert Path(office.place + "-wal").exists()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=HANG_GUARD)
    assert process.returncode == 130
    assert b"nothing is half done" in said
    assert b"Traceback" not in said
    assert "No report has been submitted." in office.done("queue", "--all")
