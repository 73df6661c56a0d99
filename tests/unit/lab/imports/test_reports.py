"""Folders of reports become games: FIDE tournament reports and native ones of the same invented events."""

from __future__ import annotations

import shutil
from pathlib import Path

from ratebook.findings import Findings
from ratebook.formats.registry import load_report
from ratebook.lab.imports.reports import read_reports

EXAMPLES = Path(__file__).parents[4] / "examples"


def test_reports_of_a_folder_become_games_and_what_is_no_report_is_named(tmp_path: Path) -> None:
    """Four tournament reports are one event; the games are the pairs of letters that the native report has."""
    shutil.copytree(EXAMPLES / "festival" / "trf16", tmp_path / "festival")
    for name in ("quad.json", "the-same.json"):
        shutil.copy(EXAMPLES / "quad.json", tmp_path / name)
    (tmp_path / "notes.txt").write_text("nothing of ours", encoding="utf-8")
    (tmp_path / ".hidden").write_text("x", encoding="utf-8")
    findings = Findings()
    games = read_reports(tmp_path, findings)
    quad = games.filter(games["event"] == load_report(EXAMPLES / "quad.json").event.id)
    assert len(quad) == 6
    festival = load_report(EXAMPLES / "festival" / "trf16")
    rated = sum(
        cell.rated for section in festival.sections for entry in section.entries for cell in entry.rounds
    )
    assert len(games) - len(quad) == rated / 2
    (found,) = findings.of_file(tmp_path.name)
    assert (found.code, found.where) == ("report-left-out", "notes.txt")


def trf(*players: str) -> str:
    return "012 Winter Open\n042 2024/01/06\n052 2024/01/07\n" + "".join(f"{line}\n" for line in players)


def player(seat: int, name: str, rating: str, number: str, rounds: str) -> str:
    """Return a player's record of a FIDE tournament report (record 001, columns of 2006)."""
    return f"001 {seat:4} m    {name:33} {rating:>4} ERE {number:>11} 1990/03/02  0.0 {seat:4}  {rounds}"


def test_a_player_is_the_fide_number_or_the_name_and_a_game_counts_once(tmp_path: Path) -> None:
    """A forfeit is no game; the colour and the rating are those of the player who is listed first."""
    (tmp_path / "open.trf").write_text(
        trf(
            player(1, "ADAMS, A", "2400", "0000101", "   2 w 1     3 b =  "),
            player(2, "BAKER, B", "", "", "   1 b 0  0000 - -"),
            player(3, "CHI, D", "2100", "0000077", "   4 w +     1 w =  "),
            player(4, "DRAKE, E", "", "", "   3 b -  0000 - -"),
        ),
        encoding="utf-8",
    )
    findings = Findings()
    games = read_reports(tmp_path / "open.trf", findings)
    assert findings.of_file("open.trf") == ()
    columns = ("round", "one", "two", "score", "colour", "rating_one", "rating_two")
    assert games.select(columns).sort("round").rows() == [
        (1, "FIDE 0000101", "BAKER, B", 2, 1, 2400.0, None),
        (2, "FIDE 0000101", "FIDE 0000077", 1, -1, 2400.0, 2100.0),
    ]
