"""Why a rating moved: heading, sentences, games and formula say the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ratebook.model import ForeignRating, PlayerFacts, Rating, Record
from ratebook.pages.players.answer import answer_of
from ratebook.rating.explanation.explain import explain
from ratebook.rating.explanation.public import explain_in_public
from ratebook.rules.rulebook import load_rulebook
from ratebook.web.pictures.climb import climb
from support.builders import rate, section

if TYPE_CHECKING:
    from collections.abc import Callable

    from ratebook.pages.players.answer import RatingAnswer
    from ratebook.rating.results import RatedSection
    from ratebook.records.explanations import Explanation
    from ratebook.rules.rulebook import Rulebook

STRONG, WEAK = Rating(2400.0, 100, record=Record.MIXED), Rating(1000.0, 100, record=Record.MIXED)


def answer(
    subject: Rating | PlayerFacts | None,
    explained: Callable[[RatedSection, int, Rulebook], Explanation | None] = explain_in_public,
) -> RatingAnswer:
    """Return why the rating of who beat a player rated 2400 and one rated 1000 moved."""
    rated = rate([subject, STRONG, WEAK], ["W2w W3b", "L1b", "L1w"])
    explanation = explained(rated, 1, load_rulebook())
    assert explanation is not None
    return answer_of(explanation)


@pytest.mark.parametrize("explained", [explain, explain_in_public])
def test_the_rating_before_says_what_was_expected_and_the_one_after_balances(
    explained: Callable[[RatedSection, int, Rulebook], Explanation | None],
) -> None:
    # D25 section 4.1: PWe(1500, 2400) = 0 and PWe(1500, 1000) = 1. With N' = 4, R0' = 1500 and S' = 2 + 4 / 2,
    # f(1700) = 4 (0.5 + 200 / 800) + 0 + 1 - 4 = 0.
    moved = answer(Rating(1500.0, 4, record=Record.MIXED), explained)
    assert (moved.change, moved.score, moved.expected) == (200, 2.0, 1.0)
    assert [game.expected for game in moved.games] == [0.0, 1.0]
    assert moved.sums == (
        "Scored: 2 here + 2 in games before",
        "Expected of a rating of 1700: 1.00 here + 3.00 in games before",
    )


def test_games_before_that_were_all_won_count_as_won() -> None:
    # D25 section 4.1: R0' = 1500 - 400 and S' = 2 + 4, which the sum of PWe reaches at 2800; the result is cut to 2700.
    moved = answer(Rating(1500.0, 4, record=Record.WINS))
    assert (moved.after, moved.expected) == (2700, 1.0)
    assert moved.sums[0] == "Scored: 2 here + 4 in games before"


def test_no_sentence_names_a_step() -> None:
    for subject in (None, Rating(1500.0, 4, record=Record.MIXED)):
        assert not [note for note in answer(subject).notes if "Step " in note]


def test_who_was_unrated_has_no_rating_that_lets_expect() -> None:
    assert (answer(None).before, answer(None).expected) == (None, None)


@pytest.mark.parametrize("explained", [explain, explain_in_public])
def test_a_page_says_the_score_once_and_speaks_of_the_player_to_everyone(
    explained: Callable[[RatedSection, int, Rulebook], Explanation | None],
) -> None:
    established = answer(Rating(1500.0, 40, record=Record.MIXED), explained)
    assert established.said[0].startswith("The opponents averaged 1")
    few_games = answer(Rating(1500.0, 4, record=Record.MIXED), explained)
    assert few_games.said[1] == "The rating before counts as 4 games with an even score at 1500."
    for sentence in (*established.said, *few_games.said, *answer(None, explained).said):
        assert "you" not in sentence
        assert not sentence.startswith("Scored")


def test_the_score_is_said_below_a_heading_that_cannot_say_what_was_expected() -> None:
    rated = rate([PlayerFacts("", fide=ForeignRating(2200)), STRONG, WEAK], ["W2w W3b", "L1b", "L1w"])
    explanation = explain(rated, 1, load_rulebook())
    assert explanation is not None
    newcomer = answer_of(explanation)
    assert newcomer.before is None
    assert [sentence[:16] for sentence in newcomer.said[:2]] == ["Unrated before; ", "Scored 2 of 2 ag"]


def test_ratings_with_decimals_are_rounded_alike_in_every_part_of_the_offices_answer() -> None:
    # Displayed, 1859.6 is 1860. D25 section 4.2: in Step 5 the opponent is at 1831.6, so that E = 0.540 and
    # R = 1859.6 + 800 / (23.89 + 1) * (0.5 - 0.540) = 1858.3, displayed as 1858.
    mixed = Record.MIXED
    rated = rate([Rating(1859.6, 40, record=mixed), Rating(1830.2, 100, record=mixed)], ["D2w", "D1b"])
    explanation = explain(rated, 1, load_rulebook())
    assert explanation is not None
    moved = answer_of(explanation)
    assert (moved.before, moved.after, moved.change) == (1860, 1858, -2)
    assert [game.game.rating_before for game in moved.games] == [1832]
    assert moved.sums[-1].startswith("1860 + ")
    assert "(½ \N{MINUS SIGN} 0.54" in moved.sums[-1]
    assert moved.sums[-1].endswith(" → 1858")
    assert moved.said[-1] == "1860 -> 1858, established."
    assert [part.text for part in climb(explanation)] == ["1860", "-2", "1858"]


@pytest.mark.parametrize(
    ("rating", "on", "dual_rated", "half_k", "sum_of_k"),
    [
        # N* = 50 / sqrt(0.662 + 0.00000739 (2569 - 1500)^2) = 16.57 (D25, section 4).
        (
            1500.0,
            "2024-06-01",
            True,
            False,
            "800 / (17 + 2) \u2248 43, from 17 effective games before and 2 here",
        ),
        # Reduced K of dual-rated sections (D25, section 4.2), above the knee with N* = 50.
        (
            2400.0,
            "2024-06-01",
            False,
            False,
            "800 / (50 + 2) \u2248 15, from 50 effective games before and 2 here",
        ),
        (
            2400.0,
            "2024-06-01",
            True,
            False,
            "800 \u00d7 (6.5 \u2212 0.0025 \u00d7 2400) / (50 + 2) \u2248 7.7, from",
        ),
        (
            2500.0,
            "2024-06-01",
            True,
            False,
            "200 / (50 + 2) \u2248 3.8, from 50 effective games before and 2 here",
        ),
        # Half K (A01): N* of 1500 in 2005 is 50 / sqrt(1 + 4.9) = 20.58.
        (
            1500.0,
            "2005-06-01",
            False,
            True,
            "400 / (21 + 0.5 \u00d7 2) \u2248 19, from 21 effective games before",
        ),
    ],
)
def test_k_is_said_with_the_figures_that_give_it(
    *, rating: float, on: str, dual_rated: bool, half_k: bool, sum_of_k: str
) -> None:
    subject = Rating(rating, 100, record=Record.MIXED)
    played = section(["W2w W3b", "L1b", "L1w"], on=on, half_k=half_k)
    rated = rate([subject, STRONG, WEAK], played, dual_rated=dual_rated)
    explanation = explain_in_public(rated, 1, load_rulebook())
    assert explanation is not None
    assert answer_of(explanation).sums[0].startswith(f"K = {sum_of_k}")


def test_the_sums_say_above_what_a_gain_earns_a_bonus() -> None:
    # D25 section 4.2: three games count for four, and B sqrt(4) = 10 * 2 = 20.
    even = Rating(1500.0, 100, record=Record.MIXED)
    rated = rate([even, even, even, even], ["W2w W3b W4w", "L1b", "L1w", "L1b"], on="2026-06-01")
    explanation = explain_in_public(rated, 1, load_rulebook())
    assert explanation is not None
    of_bonus = answer_of(explanation).sums[-1]
    assert of_bonus.startswith("Bonus: the part of the gain of ")
    assert of_bonus.endswith(" that is above 20")
    assert "Bonus" not in "".join(answer(even).sums)
