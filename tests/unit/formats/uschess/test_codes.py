"""The round cells of upload files: expected values typed by hand from the tables there.

Source: docs/formats/uschess.md#round-cells.
"""

from __future__ import annotations

import pytest

from ratebook.formats.uschess.codes import (
    columns_are_opponents,
    forfeits_without_opponent,
    last_round,
    pair_forfeits,
    parse_code,
    rounds_from_opponents,
    split_double_games,
)
from ratebook.model import Cell
from support.builders import cell


def cells(text: str) -> tuple[Cell, ...]:
    return tuple(cell(one) for one in text.split())


class TestOneCell:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("W9B", Cell("W", 9, "b")),
            ("D16W", Cell("D", 16, "w")),
            ("L5B", Cell("L", 5, "b")),
            ("W1234W", Cell("W", 1234, "w")),
            ("W    3W", Cell("W", 3, "w")),
            ("W   12B", Cell("W", 12, "b")),
            ("W   12", Cell("W", 12)),
            ("W12", Cell("W", 12)),
            ("w9b", Cell("W", 9, "b")),
            ("H0", Cell("H")),
            ("B0", Cell("B")),
            ("U0", Cell("U")),
            ("X0", Cell("X")),
            ("F0", Cell("F")),
            ("Z0", Cell("Z")),
            ("H", Cell("H")),
            ("B    0", Cell("B")),
            ("X7", Cell("X", 7)),
            ("N4W", Cell("N", 4, "w")),
            ("S4B", Cell("S", 4, "b")),
            ("R4B", Cell("R", 4, "b")),
            ("$4W", Cell("$", 4, "w")),
            ("0", Cell()),
            ("", Cell()),
        ],
    )
    def test_every_layout_is_read(self, text: str, expected: Cell) -> None:
        assert parse_code(text) == expected

    @pytest.mark.parametrize(
        "text", ["Q3", "W12345", "W1 2", "3W", "W-3", "WW3", "W٣", "?", "W3X", "10", "W1.5"]
    )
    def test_anything_else_is_not(self, text: str) -> None:
        assert parse_code(text) is None


class TestRoundsOfASection:
    def test_the_last_round_is_the_last_with_more_than_an_absence(self) -> None:
        assert last_round({1: cells("W2 H U U"), 2: cells("L1 U U U")}) == 2
        assert last_round({1: cells("U U")}) == 0

    def test_columns_are_opponents_where_each_game_stands_in_the_column_of_its_opponent(self) -> None:
        assert columns_are_opponents({1: cells("U W2 D3"), 2: cells("L1 U W3"), 3: cells("D1 L2 U")})

    def test_columns_are_rounds_where_games_stand_beside_each_other(self) -> None:
        # Seat 1 has its opponents in the columns of their numbers by chance.
        assert not columns_are_opponents({1: cells("U W2 D3"), 2: cells("W3 L1 U"), 3: cells("L2 U D1")})

    def test_a_section_without_games_has_no_columns_of_opponents(self) -> None:
        assert not columns_are_opponents({1: cells("U B"), 2: cells("B U")})

    def test_games_of_opponents_columns_meet_in_one_round(self) -> None:
        moved = rounds_from_opponents({1: cells("U W2 D3"), 2: cells("L1 U W3"), 3: cells("D1 L2 U")})
        # (1 + 2 - 2) mod 3 = 1, (1 + 3 - 2) mod 3 = 2, (2 + 3 - 2) mod 3 = 0; rounds from 0.
        assert moved == {1: cells("U W2 D3"), 2: cells("W3 L1 U"), 3: cells("L2 U D1")}


class TestForfeits:
    def test_the_only_win_and_the_only_loss_of_a_round_met(self) -> None:
        found, given = pair_forfeits({4: cells("F W1"), 1: cells("B L4"), 2: cells("X U")})
        assert found == {4: cells("F2 W1"), 1: cells("B L4"), 2: cells("X4 U")}
        assert given == 2

    def test_of_several_wins_and_losses_no_one_knows_who_met_whom(self) -> None:
        """In a real package it was 3-8, 7-6 and 17-16, which no order of the numbers tells."""
        rounds = {3: cells("X"), 6: cells("F"), 7: cells("X"), 8: cells("F"), 16: cells("F"), 17: cells("X")}
        assert pair_forfeits(rounds) == (rounds, 0)
        assert forfeits_without_opponent(rounds) == 6

    def test_rounds_are_kept_apart(self) -> None:
        rounds = {1: cells("X W2"), 2: cells("U L1"), 3: cells("U F")}
        found = pair_forfeits(rounds)
        assert found == (rounds, 0)

    def test_a_side_that_is_named_comes_first(self) -> None:
        found, _ = pair_forfeits({1: cells("X"), 2: cells("F"), 3: cells("X4"), 4: cells("F")})
        assert found == {1: cells("X2"), 2: cells("F1"), 3: cells("X4"), 4: cells("F3")}


class TestDoubleGames:
    @pytest.mark.parametrize(
        ("own", "other", "own_legs", "other_legs"),
        [
            ("$2w", "L1b", "W2w W2b", "L1b L1w"),
            ("#2w", "D1b", "W2w D2b", "L1b D1w"),
            ("W2w", "W1b", "W2w L2b", "L1b W1w"),
            ("%2w", "%1b", "D2w D2b", "D1b D1w"),
            ("D2w", "#1b", "L2w D2b", "W1b D1w"),
            ("L2b", "$1w", "L2b L2w", "W1w W1b"),
            ("$2", "L1", "W2 W2", "L1 L1"),
            ("H", "B", "H H", "B B"),
            ("X2", "F1", "X2 X2", "F1 F1"),
        ],
    )
    def test_both_sides_agree_on_both_legs(
        self, own: str, other: str, own_legs: str, other_legs: str
    ) -> None:
        def raw(text: str) -> Cell:
            read = parse_code(text)
            assert read is not None
            return read

        assert split_double_games(1, [raw(own)]) == cells(own_legs)
        assert split_double_games(2, [raw(other)]) == cells(other_legs)

    def test_an_asymmetric_result_does_not_say_how_two_games_ended(self) -> None:
        assert split_double_games(1, cells("U N2")) == 2
