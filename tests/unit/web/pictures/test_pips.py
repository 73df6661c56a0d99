"""Pips of a score: another height for each result, and the results in words."""

from __future__ import annotations

import re

from ratebook.web.pictures.pips import MOST_PIPS, pips


def test_results_differ_in_height_and_stand_on_one_line() -> None:
    drawn = pips("WLD")
    assert re.findall(r'class="(\w+)" x="(\d+)" y="(\d+)" width="6" height="(\d+)"', drawn) == [
        ("won", "0", "0", "14"),
        ("lost", "8", "9", "5"),
        ("drawn", "16", "5", "9"),
    ]
    assert 'aria-label="won, lost, drawn"' in drawn


def test_rounds_without_a_game_are_hollow_and_as_high_as_their_points() -> None:
    drawn = pips("WXHU")
    # The line, one and a half wide, is within the bounds of a full pip: of 14, 9 and 5.
    assert re.findall(r'class="hollow" x="([\d.]+)" y="([\d.]+)" width="4.5" height="([\d.]+)"', drawn) == [
        ("8.75", "0.75", "12.5"),
        ("16.75", "5.75", "7.5"),
        ("24.75", "9.75", "3.5"),
    ]
    assert 'aria-label="won, won by forfeit, bye of half a point, bye without a point"' in drawn


def test_many_games_are_all_said_and_the_first_drawn() -> None:
    drawn = pips("W" * 20)
    assert drawn.count("<rect") == MOST_PIPS
    assert drawn.count("won,") == 19
