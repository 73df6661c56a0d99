"""A round that is typed by board and the rows of the crosstable say the same, and neither loses what was typed."""

from __future__ import annotations

import pytest

from ratebook.reports.boards import boards_of, with_boards, without_game, wrong_boards
from ratebook.reports.draft import DraftPlayer, DraftSection, TypedBoard
from ratebook.web.director.typed.mistakes import section_mistakes


def section(*cells: str) -> DraftSection:
    """Return a section of one round, with the result of each player; a dot is none."""
    players = tuple(
        DraftPlayer(seat, f"9000000{seat}", f"PLAYER {seat}", (cell.replace(".", ""),))
        for seat, cell in enumerate(cells, start=1)
    )
    return DraftSection(1, {}, 1, players)


def boards(*rows: str) -> list[TypedBoard]:
    """Return boards from words: white, result, black; a dot is nothing, and a text of one dot an empty board."""
    words = [row.replace(".", "").split(" ") if row != "." else ["", "", ""] for row in rows]
    return [TypedBoard(white, black, result) for white, result, black in words]


def shown(section: DraftSection) -> list[str]:
    return [f"{one.white} {one.result} {one.black}" for one in boards_of(section, 1)]


def cells(section: DraftSection) -> str:
    return " ".join(player.cells[0] or "." for player in section.players)


def typed(section: DraftSection, *rows: str) -> DraftSection:
    return with_boards(section, 1, boards(*rows), boards_of(section, 1))


def test_boards_are_written_into_both_rows_in_the_order_in_which_they_were_typed() -> None:
    done = typed(section(*"....."), "4 1 1", "2 = 3")
    assert cells(done) == "L4b D3w D2b W1w ."
    assert shown(done) == ["4 1-0 1", "2 ½-½ 3"]
    assert [one.seat for one in without_game(done, 1)] == [5]


def test_pairings_come_first_and_their_results_later() -> None:
    paired = typed(section(*"...."), "1 . 2", "3 . 4")
    assert cells(paired) == "2w 1b 4w 3b"
    played = typed(paired, "1 0-1 2", "3 x 4")
    assert cells(played) == "L2w W1b X4w F3b"
    assert shown(typed(played, "2 1 1", "3 x 4")) == ["2 1-0 1", "3 X 4"]


def test_results_of_the_crosstable_are_boards_and_stay_as_they_are() -> None:
    done = section("W3", "H", "L1", ".", ".")
    assert shown(done) == ["1 1-0 3"]
    again = typed(done, "1 1-0 3", "4 0 5")
    assert cells(again) == "W3 H L1 L5w W4b"
    assert cells(typed(again, "1 ½ 3", "4 0-1 5")) == "D3 H D1 L5w W4b"
    assert cells(typed(again, ".", "4 0-1 5")) == ". H . L5w W4b"


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        ("1 1 .", "Board 1: the number of Black is missing."),
        ("9 1 2", "Board 1: “9” is not the number of a player."),
        ("2 1 2", "Board 1: number 2 is on both sides."),
        ("1 1 3", "Board 1: number 3 already has H in round 1."),
        ("1 2 2", "Board 1: “2” is not a result."),
    ],
)
def test_a_board_that_cannot_be_is_kept_as_it_was_typed(row: str, wrong: str) -> None:
    kept = typed(section(".", ".", "H", "."), row)
    assert cells(kept) == ". . H ."
    assert shown(kept) == [row.replace(" . ", "  ").replace(".", "")]
    assert [one.message for one in wrong_boards(kept, 1)] == [wrong]


def test_no_one_plays_on_two_boards() -> None:
    kept = typed(section(*"...."), "1 1 2", "3 1 2")
    assert cells(kept) == "W2w L1b . ."
    assert [one.where for one in wrong_boards(kept, 1)] == ["b2-black"]
    # As soon as the first board is corrected, the second one holds.
    assert cells(typed(kept, "1 1 4", "3 1 2")) == "W4w L3b W2w L1b"


def test_the_crosstable_names_boards_that_are_not_entered() -> None:
    kept = typed(section(*"...."), "1 1 2", "3 1 2")
    mistakes = section_mistakes(kept, {}, missing=False)
    assert [one.message for one in mistakes if one.code == "typed-board"] == [
        "Board 2 of round 1 is not entered."
    ]


def test_two_windows_lose_no_board() -> None:
    start = section(*"....")
    first = with_boards(start, 1, boards("1 1 2"), [])
    second = with_boards(first, 1, boards("1 0 2", "3 1 4"), [])
    assert cells(second) == "W2w L1b W4w L3b"
    assert shown(second) == ["1 1-0 2", "3 1-0 4", "1 0 2"]
    assert {one.where for one in wrong_boards(second, 1)} == {"b3-white", "b3-black"}


@pytest.mark.parametrize("kept", ["1 1-0 2", "1 1 2", "1 . 2", "1 . ."])
def test_a_board_that_was_kept_while_its_form_was_sent_is_one_board(kept: str) -> None:
    first = with_boards(section(*"...."), 1, boards(kept, "3 = 4"), [])
    second = with_boards(first, 1, boards("1 1 2", "3 = 4"), [])
    assert shown(second) == ["1 1-0 2", "3 ½-½ 4"]
    assert not [*wrong_boards(second, 1)]
