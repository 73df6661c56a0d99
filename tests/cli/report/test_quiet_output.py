"""What is printed of a report: ratings first, notes counted, titles where they are new, mistakes with their places."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.command_line import invoke

if TYPE_CHECKING:
    from pathlib import Path

OPTIONS = ("--end", "2026-10-04", "--time-control", "G/90;d5")
CLUB = """No,Name,ID,Rating,Rd 1,Rd 2,Rd 3,Tot
1,"Heron, Alice",90000011,2045,W4,W2,D3,2.5
2,"Alder, Bruno",90000022,1805,W3,L1,L4,1
3,"Brook, Clara",90000033,1650,L2,W4,D1,1.5
4,"Cliff, David",90000044,1604,L1,L3,W2,1
"""


@pytest.fixture
def club(tmp_path: Path) -> str:
    path = tmp_path / "club.csv"
    path.write_text(CLUB, encoding="utf-8")
    return str(path)


def test_a_correct_spreadsheet_gives_its_ratings_with_the_change_and_one_line_of_notes(club: str) -> None:
    shown = invoke("rate", club, *OPTIONS)
    heading, columns, *rows = shown.stdout.splitlines()[:6]
    assert heading == "club.csv - Section 1 - OTB Regular"
    assert columns.split() == ["Seat", "Name", "Before", "After", "Change", "Pts", "R1", "R2", "R3"]
    for row in rows:
        before, after, change = row.split()[3:6]
        assert int(after) - int(before) == int(change)
    assert len(shown.stderr.splitlines()) == 1
    assert shown.stderr.endswith("notes: --notes shows them.\n")


def test_notes_are_printed_when_they_are_asked_for(club: str) -> None:
    quiet, whole = invoke("rate", club, *OPTIONS), invoke("rate", club, *OPTIONS, "--notes")
    count = int(quiet.stderr.split()[0])
    assert len([line for line in whole.stderr.splitlines() if line.startswith("note: ")]) == count
    assert whole.stdout == quiet.stdout
    assert invoke("rate", club, *OPTIONS, "--all").stderr == whole.stderr


def test_a_good_report_is_one_sentence(club: str) -> None:
    shown = invoke("check", club, *OPTIONS)
    assert shown.stdout == "The report can be rated: it has no errors and no warnings.\n"
    assert len(shown.stderr.splitlines()) == 1


def test_a_report_with_a_name_has_it_above_its_ratings(club: str) -> None:
    shown = invoke("rate", club, *OPTIONS, "--name", "Club Evening")
    assert shown.stdout.startswith("Club Evening - Section 1 - OTB Regular\n")


def test_titles_are_a_table_only_where_one_is_new(club: str) -> None:
    """Bruno Alder loses his class; that David Cliff comes into one with his first rating is no news."""
    table = invoke("rate", club, *OPTIONS).stdout.partition("New classes and titles (OTB Regular)\n")[2]
    assert [line.split()[:2] for line in table.splitlines()[1:] if line] == [["Alder,", "Bruno"]]
    stays = CLUB.replace("1805", "1890").replace("1604", "unr").encode()
    assert "class" not in invoke("rate", "-", *OPTIONS, data=stays).stdout.casefold()
    table = invoke("rate", "-", *OPTIONS, "--titles", data=stays).stdout.partition(
        "Classes, norms and titles"
    )[2]
    rows = table.partition("\n\n")[0].splitlines()[2:]
    assert [row.split()[:5] for row in rows] == [["Cliff,", "David", "1", "4", "-"]]


@pytest.mark.parametrize(
    ("right", "wrong", "place", "code"),
    [
        ("W3,L1,L4", "W3,Q1,L4", "row 3, column Rd 2", "cell-unreadable"),
        ('2,"Alder', 'two,"Alder', "row 3, column No", "seat-unreadable"),
        ("1604", "16O4", "row 5, column Rating", "rating-unreadable"),
        ("W4,W2,D3,2.5", "W4,D2,D3,2", "section 1, seat 1 (Heron, Alice), round 2", "results-disagree"),
    ],
)
def test_a_mistake_is_said_with_its_place_in_the_file_and_its_code_last(
    right: str, wrong: str, place: str, code: str
) -> None:
    shown = invoke("check", "-", *OPTIONS, data=CLUB.replace(right, wrong).encode())
    first = shown.stderr.splitlines()[0]
    assert first.startswith(f"error: {place}: ")
    assert first.endswith(f" [{code}]")


def test_rows_with_the_same_mistake_are_one_line() -> None:
    unclear = CLUB.replace("1805", "high").replace("1650", "high")
    shown = invoke("check", "-", *OPTIONS, data=unclear.encode())
    assert shown.stderr.startswith("error: rows 3, 4, column Rating: 'high' is not a rating. [")
