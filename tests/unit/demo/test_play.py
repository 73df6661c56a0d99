"""Pairings that look like those of a Swiss system, and results that follow from strength."""

from __future__ import annotations

import pytest

from ratebook.demo.chance import Chance
from ratebook.demo.play import (
    Chances,
    Entrant,
    Seat,
    pair_round_robin,
    pair_swiss,
    play_match,
    play_round_robin,
    play_swiss,
    result,
)
from ratebook.model import MIRROR, Entry

NOTHING_ELSE = Chances(half_bye=0.0, late=0.0, forfeit=0.0, leaves=0.0)


def entrants(count: int) -> list[Entrant]:
    return [Entrant(f"P{number}", 2_000.0 - 40.0 * number) for number in range(count)]


def opponents(entry: Entry) -> list[int]:
    return [cell.opponent for cell in entry.rounds if cell.opponent is not None]


def test_the_first_round_pairs_the_upper_half_with_the_lower_half() -> None:
    pairs, bye = pair_swiss([Seat(number) for number in range(1, 9)])
    met = sorted(sorted((white.number, black.number)) for white, black in pairs)
    assert (met, bye) == ([[1, 5], [2, 6], [3, 7], [4, 8]], None)


def test_players_of_equal_scores_meet() -> None:
    seats = [Seat(number, points=float(number <= 4)) for number in range(1, 9)]
    pairs, _ = pair_swiss(seats)
    assert all(white.points == black.points for white, black in pairs)


def test_nobody_has_a_second_bye_while_others_have_none() -> None:
    seats = [Seat(number, had_bye=number == 5) for number in range(1, 6)]
    _, bye = pair_swiss(seats)
    assert bye is seats[3]


@pytest.mark.parametrize("count", [7, 12, 24, 41])
def test_nobody_meets_anybody_twice_and_colours_are_even(count: int) -> None:
    for seed in range(5):
        entries = play_swiss(Chance(seed, "swiss"), entrants(count), 5, NOTHING_ELSE)
        for entry in entries:
            assert len(set(opponents(entry))) == len(opponents(entry))
            colours = "".join(cell.colour for cell in entry.rounds)
            assert abs(colours.count("w") - colours.count("b")) <= 3
            assert "wwww" not in colours
            assert "bbbb" not in colours


def test_both_sides_of_every_game_agree() -> None:
    entries = play_swiss(Chance(3, "agree"), entrants(31), 5, Chances())
    at = {entry.seat: entry for entry in entries}
    games = [
        (cell, at[cell.opponent].rounds[number], entry.seat)
        for entry in entries
        for number, cell in enumerate(entry.rounds)
        if cell.rated and cell.opponent is not None
    ]
    assert len(games) > 100
    for cell, answer, seat in games:
        assert (answer.letter, answer.opponent) == (MIRROR[cell.letter], seat)
        assert {cell.colour, answer.colour} == {"w", "b"}


def test_in_a_round_robin_everybody_meets_everybody_once() -> None:
    for count in (4, 5, 6):
        met = sorted(tuple(sorted(pair)) for pairs in pair_round_robin(count) for pair in pairs)
        assert met == [(one, other) for one in range(1, count + 1) for other in range(one + 1, count + 1)]
        entries = play_round_robin(Chance(1, "robin"), entrants(count), NOTHING_ELSE)
        assert all(len(opponents(entry)) == count - 1 for entry in entries)


def test_a_match_alternates_colours() -> None:
    one, other = entrants(2)
    first, second = play_match(Chance(1, "match"), one, other, 6)
    assert [cell.colour for cell in first.rounds] == list("wbwbwb")
    assert [cell.colour for cell in second.rounds] == list("bwbwbw")


@pytest.mark.parametrize(
    ("apart", "expected"), [(0.0, 0.5), (200.0, 0.7597), (-200.0, 0.2403), (400.0, 0.9091), (800.0, 0.9901)]
)
def test_scores_follow_the_winning_expectancy(apart: float, expected: float) -> None:
    """The expected values are 1 / (1 + 10 to the power -difference/400)."""
    chance = Chance(1, "results")
    letters = [result(chance, 1_600.0 + apart, 1_600.0) for _ in range(5_000)]
    score = (letters.count("W") + letters.count("D") / 2.0) / len(letters)
    assert score == pytest.approx(expected, abs=0.02)


def test_strong_players_draw_more_often_than_beginners() -> None:
    chance = Chance(1, "draws")
    strong = [result(chance, 2_400.0, 2_400.0) for _ in range(1_000)].count("D")
    weak = [result(chance, 400.0, 400.0) for _ in range(1_000)].count("D")
    assert strong > 4 * weak > 0


def test_who_has_left_does_not_come_back() -> None:
    entries = play_swiss(Chance(1, "leaving"), entrants(40), 6, Chances(0.0, 0.0, 0.0, 0.1))
    left = 0
    for entry in entries:
        letters = "".join(cell.letter for cell in entry.rounds)
        gone = letters.find("U")
        if gone >= 0:
            left += 1
            assert set(letters[gone:]) == {"U"}
    assert left > 5
