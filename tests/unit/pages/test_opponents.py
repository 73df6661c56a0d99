"""Scores against opponents and by colour, and what the ratings let expect."""

from __future__ import annotations

from datetime import date

import pytest

from ratebook.book.columns import place_of
from ratebook.book.ledger.opponents import PlayedGame
from ratebook.book.profile import Federation, Profile
from ratebook.model import System
from ratebook.pages.opponents import by_colour, opposition
from ratebook.rules.rulebook import load_rulebook

FEDERATION = Federation(Profile(), load_rulebook(), 1, "")


def game(result: str, colour: str, their: float | None, opponent: str = "A") -> PlayedGame:
    return PlayedGame(
        "E1",
        "EVENT",
        1,
        date(2024, 6, 1),
        1,
        System.REGULAR,
        opponent,
        opponent,
        result,
        colour,
        1500.4,
        their,
    )


GAMES = (
    game("W", "w", 1500.0),
    game("D", "b", 1900.0),
    game("L", "b", None, "B"),
    game("L", "", 1499.6, "B"),
)


def test_games_are_counted_by_colour_and_only_rated_pairs_are_expected_of() -> None:
    whole, white, black, unknown = by_colour(FEDERATION, GAMES)
    assert [one.words for one in (whole, white, black, unknown)] == [
        "All games",
        "With white",
        "With black",
        "Colour not reported",
    ]
    # D25 section 4: 1 / (1 + 10^(400 / 400)) = 1/11 against a player rated 400 points more, 1/2 against an equal one.
    assert whole.score.expected == pytest.approx(0.5 + 1 / 11 + 0.5)
    assert (whole.score.points, whole.score.points_of_rated, whole.score.games_of_rated) == (1.5, 1.5, 3)
    assert black.score.expected == pytest.approx(1 / 11)
    assert (black.score.wins, black.score.draws, black.score.losses) == (0, 1, 1)
    assert [one.score.against_expectation for one in (whole, white, black)] == ["+0.4", "+0.5", "+0.4"]


def test_opponents_met_most_often_come_first_and_then_those_met_last() -> None:
    late = place_of(date(2024, 7, 1), "E2", 1)
    met = [
        (one.opponent, place_of(one.end, "E1", 1), one.result, one.colour, one.own, one.their)
        for one in [*GAMES, game("W", "w", 1500.0, "B")]
    ]
    met += [("D", late, "W", "w", 1500.0, 1500.0), ("C", met[0][1], "W", "w", 1500.0, 1500.0)]
    found = opposition(FEDERATION, System.REGULAR, met)
    assert [(one, len(found.outcomes[one])) for one in found.most_met()] == [
        ("B", 3),
        ("A", 2),
        ("D", 1),
        ("C", 1),
    ]
    # Against A: a draw with a player rated 400 more is 0.41 beyond expectation, a win against an equal one 0.5.
    assert [one[0] for one in (found.best_scores(), found.worst_scores()[::-1])] == ["A", "A"]
    assert found.colours[0].score == by_colour(FEDERATION, [*GAMES, *[game("W", "w", 1500.0)] * 3])[0].score
    assert len(by_colour(FEDERATION, [game("W", "", 1500.0)])) == 1
