"""Two windows type into one section: nothing that either of them typed is lost, and neither overwrites the other."""

from __future__ import annotations

import pytest

from ratebook.reports.draft import Conflict, DraftPlayer, DraftSection
from ratebook.reports.merging import decided, fields_of, merged_section


def section(*rows: str) -> DraftSection:
    """Return a section of players 1, 2, 3, ... with the results of each as words; a dot is none."""
    players = tuple(
        DraftPlayer(seat, f"9000000{seat}", f"PLAYER {seat}", tuple(row.replace(".", "").split(" ")))
        for seat, row in enumerate(rows, start=1)
    )
    texts = {"name": "OPEN", "time_control": "", "online": ""}
    return DraftSection(1, texts, len(rows[0].split(" ")), players)


def cells(section: DraftSection) -> list[str]:
    return [" ".join(text or "." for text in player.cells) for player in section.players]


def test_a_second_window_keeps_what_the_first_one_saved() -> None:
    shown = section(". .", ". .", ". .", ". .")
    seen = fields_of(shown)
    first = merged_section(shown, {**seen, "p1-r1": "W2w", "p2-r1": ""}, seen)
    assert first.news == ()
    second = merged_section(first.section, {**seen, "p1-r1": "", "p2-r1": "", "p3-r1": "D4w"}, seen)
    assert cells(second.section) == ["W2w .", "L1b .", "D4w .", "D3b ."]
    assert second.news == ("p1-r1", "p2-r1")
    assert second.section.conflicts == ()


def test_both_texts_of_one_field_are_kept_until_one_is_chosen() -> None:
    shown = section(". .", ". .", ". .", ". .")
    seen = fields_of(shown)
    first = merged_section(shown, {"p1-r1": "W2w", "time_control": "G/60;d5"}, seen).section
    second = merged_section(first, {"p1-r1": "W3w", "time_control": "G/90;d5", "p4-r2": "H"}, seen).section
    assert second.texts["time_control"] == "G/60;d5"
    assert cells(second) == ["W2w .", "L1b .", ". .", ". H"]
    assert second.conflicts == (Conflict("p1-r1", "W3w"), Conflict("time_control", "G/90;d5"))
    left = decided(second, "time_control", take=False)
    assert left.texts["time_control"] == "G/60;d5"
    assert left.conflicts == (Conflict("p1-r1", "W3w"),)
    assert decided(second, "p1-r1", take=True).player_at(1) == shown.players[0]._replace(cells=("W3w", ""))


def test_a_row_that_was_removed_comes_back_with_what_was_typed_into_it() -> None:
    shown = section(". .", ". .", ". .")
    seen = fields_of(shown)
    removed = shown.without_player(2)
    typed = {"p1-r1": "H", "p2-id": "90000002", "p2-name": "PLAYER 2", "p2-r1": "U", "p2-r2": ""}
    back = merged_section(removed, typed, seen).section
    assert [(one.seat, one.name, one.cells) for one in back.players] == [
        (1, "PLAYER 1", ("H", "")),
        (2, "PLAYER 2", ("U", "")),
        (3, "PLAYER 3", ("", "")),
    ]
    untouched = {**typed, "p2-r1": ""}
    assert [one.seat for one in merged_section(removed, untouched, seen).section.players] == [1, 3]


def test_results_typed_before_a_player_was_moved_name_the_same_player() -> None:
    shown = section(". .", ". .", ". .")
    seen = fields_of(shown)
    moved = shown.with_player_moved(3, -2)
    typed = merged_section(moved, {"p1-r1": "W3w", "p2-r1": "U"}, seen).section
    assert [(one.name, one.cells[0]) for one in typed.players] == [
        ("PLAYER 3", "L2b"),
        ("PLAYER 1", "W1w"),
        ("PLAYER 2", "U"),
    ]


@pytest.mark.parametrize("typed", [{"p9-r1": "W1"}, {"p1-r1": "W2", "p1-r99": "W2"}])
def test_rows_and_rounds_that_never_were_are_not_made(typed: dict[str, str]) -> None:
    shown = section(". .", ". .")
    changed = merged_section(shown, typed, fields_of(shown)).section
    assert len(changed.players) == 2
    assert changed.rounds <= 20
