"""Scores against opponents and by colour, and what the ratings let expect."""

from __future__ import annotations

from datetime import date

import pytest

from ratebook.book.columns import place_of
from ratebook.book.ledger.opponents import Meeting
from ratebook.book.profile import Federation, Profile
from ratebook.model import SCORES, System
from ratebook.pages.opponents import by_colour, opposition
from ratebook.records.players import GameOfPlayer
from ratebook.rules.rulebook import load_rulebook

FEDERATION = Federation(Profile(), load_rulebook(), 1, "")


def game(result: str, colour: str, their: int | None, opponent: str = "A") -> GameOfPlayer:
    return GameOfPlayer(
        event="E1",
        event_name="EVENT",
        section=1,
        end=date(2024, 6, 1),
        round=1,
        system=System.REGULAR,
        opponent=opponent,
        opponent_name=opponent,
        score=SCORES[result],
        colour=colour,
        rating=1500,
        opponent_rating=their,
    )


LETTERS = {1.0: "W", 0.5: "D", 0.0: "L"}
GAMES = (game("W", "w", 1500), game("D", "b", 1900), game("L", "b", None, "B"), game("L", "", 1500, "B"))


def test_games_are_counted_by_colour_and_only_rated_pairs_are_expected_of() -> None:
    whole, white, black, unknown = by_colour(FEDERATION, System.REGULAR, GAMES)
    assert [line.colour for line in (whole, white, black, unknown)] == [None, "w", "b", ""]
    # D25 section 4: 1 / (1 + 10^(400 / 400)) = 1/11 against a player rated 400 points more, 1/2 against an equal one.
    assert whole.score.expected_of_rated == pytest.approx(0.5 + 1 / 11 + 0.5)
    assert (whole.score.points, whole.score.points_of_rated, whole.score.games_of_rated) == (1.5, 1.5, 3)
    assert black.score.expected_of_rated == pytest.approx(1 / 11)
    assert (black.score.wins, black.score.draws, black.score.losses) == (0, 1, 1)
    assert [one.score.against_expectation for one in (whole, white, black)] == ["+0.4", "+0.5", "+0.4"]


def test_opponents_met_most_often_come_first_and_then_those_met_last() -> None:
    late = place_of(date(2024, 7, 1), "E2", 1)
    met: list[Meeting] = [
        (
            place_of(row.end, "E1", 1),
            row.opponent,
            LETTERS[row.score],
            row.colour,
            row.rating,
            row.opponent_rating,
        )
        for row in [*GAMES, game("W", "w", 1500, "B")]
    ]
    met += [(late, "D", "W", "w", 1500, 1500.0), (met[0][0], "C", "W", "w", 1500, 1500.0)]
    # A forfeit is no game.
    met.append((late, "E", "X", "w", 1500, 1500.0))
    found = opposition(FEDERATION, System.REGULAR, met)
    assert found.times_met().most_common() == [("B", 3), ("A", 2), ("D", 1), ("C", 1)]
    assert found.most_met() == ["B", "A", "D", "C"]
    # Against A: a draw with a player rated 400 more is 0.41 beyond expectation, a win against an equal one 0.5.
    assert [found.by_gain(most=True)[0], found.by_gain(most=False)[-1]] == ["A", "A"]
    assert (
        found.colours[0].score
        == by_colour(FEDERATION, System.REGULAR, [*GAMES, *[game("W", "w", 1500)] * 3])[0].score
    )
    assert len(by_colour(FEDERATION, System.REGULAR, [game("W", "", 1500)])) == 1
