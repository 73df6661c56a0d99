"""ratebook book found: it says what it understood, asks, and ends with a summary; nothing is done unasked."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from scripts.pages.places import ROOT

from ratebook.cli.main import run

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

LEAGUE = ROOT / "examples" / "league"
QUESTION = "Set up the book with these files?"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Give the place of a book that does not exist yet."""
    return tmp_path / "league.book"


def found(place: Path, *arguments: str, folder: Path = LEAGUE, answer: str | None = None) -> Result:
    words = ["book", "--book", str(place), "--as", "Ann", "found", str(folder), *arguments]
    return CliRunner().invoke(run, words, input=answer, prog_name="ratebook")


def test_without_a_yes_nothing_is_made(place: Path) -> None:
    no, nobody = found(place, answer="n\n"), found(place, answer="")
    assert (no.exit_code, nobody.exit_code) == (1, 1)
    assert QUESTION in no.output
    assert "[answer-missing]" in nobody.output
    assert not place.exists()


@pytest.mark.parametrize(("arguments", "answer"), [(["--yes"], None), (["--no-input"], None), ([], "y\n")])
def test_with_a_yes_the_book_is_made_and_the_summary_printed(
    place: Path, arguments: list[str], answer: str | None
) -> None:
    done = found(place, *arguments, answer=answer)
    assert done.exit_code == 0
    assert (QUESTION in done.output) is (answer is not None)
    understood, became = (done.output.index(f"{words} of league") for words in ("Contents", "Result"))
    assert understood < done.output.index("Made the book") < became
    assert "The book has 6 members and 2 rated sections, 2 of them new.\n1 report is held back" in done.output
    again = found(place, "--yes").output
    assert "0 of them new" in again
    assert "Made the book" not in again


def test_a_trial_says_what_would_be_and_keeps_nothing(place: Path) -> None:
    assert "Dry run: nothing was changed." in found(place, "--dry-run").output
    assert not place.exists()
    profile = str(LEAGUE / "profile.toml")
    CliRunner().invoke(run, ["book", "--book", str(place), "init", "--profile", profile])
    before = place.read_bytes()
    trial = found(place, "--dry-run").output
    assert "The book has 6 members and 2 rated sections" in trial
    assert "Dry run: nothing was changed." in trial
    assert "Next:" not in trial
    assert place.read_bytes() == before


def test_programs_get_one_answer(place: Path) -> None:
    answer = json.loads(found(place, "--yes", "--json").stdout)
    assert answer["format"] == "ratebook-book-found/1"
    assert (answer["members"], answer["sections"], answer["held"]) == (6, 2, 1)
    assert {name: value for name, value in answer["understood"][2].items() if name != "told_by"} == {
        "name": "memberships.csv",
        "content": "memberships",
        "number": 3,
    }


def test_a_wrong_row_stops_it_before_it_begins_and_is_named(place: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(LEAGUE, tmp_path / "files")
    (folder / "opening-balances.csv").write_text(
        "member_id,system,as_of,rating\nNL-0001,regular,2025-12-31,9x\n"
    )
    done = found(place, "--yes", folder=folder)
    assert done.exit_code == 1
    assert "error: opening-balances.csv, line 2, rating:" in done.output
    assert "Nothing was imported." in done.output
    assert "No member matches." in CliRunner().invoke(run, ["book", "--book", str(place), "members"]).output


def test_without_a_profile_the_book_has_to_be_made_first(place: Path, tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "members.csv").write_text("id,name\n90000001,A\n")
    done = found(place, "--yes", folder=tmp_path / "files")
    assert (done.exit_code, "[book-missing]" in done.output) == (1, True)


def test_ratings_without_a_day_are_asked_for(place: Path, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "Members of 2025.csv").write_text("USCF ID,Name,DOB,Rtng\n90000001,Adams,1980-01-02,1500\n")
    CliRunner().invoke(run, ["book", "--book", str(place), "init", "--name", "Example"])
    refused = found(place, "--yes", folder=folder)
    assert refused.exit_code == 1
    assert "error: Members of 2025.csv: The list has ratings" in refused.output
    assert "--as-of" in refused.output
    done = found(place, "--yes", "--as-of", "2025-12-31", folder=folder)
    assert "1 added, 0 changed, 0 unchanged; opening balances: 1 added, 0 changed, 0 unchanged" in done.output
