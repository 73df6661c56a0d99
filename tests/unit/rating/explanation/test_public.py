"""What anyone may read of an explanation: the games, what is published, and figures between the ages that may be."""

from __future__ import annotations

import math
from dataclasses import astuple
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from ratebook.model import PlayerFacts, Rating, Record, System
from ratebook.rating.explanation import ages
from ratebook.rating.explanation.explain import explain
from ratebook.rating.explanation.public import AGES, DEPENDS, explain_in_public
from ratebook.rating.rate import rated_again
from ratebook.records.explanations import Span
from ratebook.rules.rulebook import load_rulebook
from support import reference
from support.builders import rate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ratebook.rating.results import RatedSection
    from ratebook.records.explanations import Explanation
    from support.builders import Start

CHAIN = ["W2w", "L1b D3w", "D2b W4w", "L3b"]
"""Seat 1 has met seat 2 alone, who met seat 3, who met seat 4."""

ESTABLISHED = Rating(1500.0, 50, record=Record.MIXED)
UNRATED = PlayerFacts(id="", birth_date=date(2014, 3, 1))
LOWEST, HIGHEST = 1096 / 365.25 * 50, 1300.0
"""The ratings of who is three years old, the least age that counts, and of who is 26: 50 a year (D25 section 2.3)."""


def chain(*starts: Start) -> RatedSection:
    return rate(starts, CHAIN)


def in_public(rated: RatedSection, seat: int = 1) -> Explanation:
    explanation = explain_in_public(rated, seat, load_rulebook())
    assert explanation is not None
    return explanation


def figure(explanation: Explanation, title: str, name: str) -> Any:  # noqa: ANN401 - as figures come
    (step,) = (one for one in explanation.steps if one.title.startswith(title))
    return step.figures[name]


@pytest.mark.parametrize("games", [20, 50])
def test_among_rated_players_the_public_reads_every_figure_from_published_ratings(games: int) -> None:
    rated = chain(ESTABLISHED, Rating(1412.637, games), ESTABLISHED, ESTABLISHED)
    complete = explain(rated, 1, load_rulebook())
    assert complete is not None
    public = in_public(rated)
    hidden = {"rating after", "bonus"}
    assert [[name for name in step.figures if name not in hidden] for step in public.steps] == [
        [name for name in step.figures if name not in hidden] for step in complete.steps
    ]
    assert not public.exact
    used = [game.opponent_rating for step in public.steps for game in step.games]
    assert used[0] == 1413.0
    assert all(isinstance(rating, float) and rating.is_integer() for rating in used)
    assert AGES not in public.short


def test_the_games_are_listed_with_published_ratings_whoever_was_unrated() -> None:
    rated = chain(ESTABLISHED, Rating(1412.637, 30), UNRATED, ESTABLISHED)
    assert [astuple(game) for game in in_public(rated, 2).games] == [
        (1, "b", 1, "1", 0.0, 1500),
        (2, "w", 3, "3", 0.5, None),
    ]
    assert [game.rating_before for game in in_public(rated, 3).games] == [1413, 1500]


def test_a_figure_that_moves_with_an_age_is_its_range_over_all_ages() -> None:
    public = in_public(chain(ESTABLISHED, ESTABLISHED, UNRATED, ESTABLISHED), 2)
    played = [((1, 1.0),), ((0, 0.0), (2, 0.5)), ((1, 0.5), (3, 1.0)), ((2, 0.0),)]
    ends = [
        reference.five_steps(
            [
                reference.Player(start, 0 if seat == 2 else 50, games, unrated=seat == 2)
                for seat, (start, games) in enumerate(
                    zip((1500.0, 1500.0, first, 1500.0), played, strict=True)
                )
            ],
            reference.Edition(12.0, new_effective_games=True),
            half_k=False,
            reduced_k=False,
            match=False,
        )
        for first in (LOWEST, HIGHEST)
    ]
    least, most = (math.floor(one.step4[1] + 0.5) for one in ends)
    assert figure(public, "Step 4", "rating after Step 4") == Span(least=least, most=most)
    (fourth,) = (one for one in public.steps if one.title.startswith("Step 4"))
    third = [one.step3[2] for one in ends]
    assert None not in third
    least, most = (math.floor((rating or 0.0) + 0.5) for rating in third)
    newcomer = Span(least=least, most=most)
    assert [game.opponent_rating for game in fourth.games] == [1500.0, newcomer]
    assert figure(public, "Steps 4 and 5", "rated games (m)") == 2
    assert isinstance(figure(public, "Steps 4 and 5", "K"), float)
    assert public.short[-1] == AGES


def test_whom_an_age_does_not_reach_reads_no_range() -> None:
    # Step 5 of seat 1 uses Step 4 of seat 2, which uses Step 3 of seat 3 and nothing of seat 4.
    rated = chain(ESTABLISHED, ESTABLISHED, ESTABLISHED, UNRATED)
    assert AGES not in in_public(rated).short
    assert AGES in in_public(rated, 3).short


def test_whether_there_is_a_bonus_may_depend_on_an_age() -> None:
    rated = rate(
        [Rating(1500.0, 50), Rating(1413.0, 50), UNRATED, Rating(1600.0, 6)],
        ["W2 W3 D4", "L1 D4 W3", "D4 L1 L2", "D3 D2 D1"],
    )
    public = in_public(rated)
    assert figure(public, "Steps 4 and 5", "bonus") == DEPENDS
    assert "of which 0 to 1 are bonus" in " ".join(public.short)
    certain = in_public(
        rate(
            [Rating(1500.0, 50), ESTABLISHED, ESTABLISHED, ESTABLISHED], ["W2 W3 W4", "L1", "U L1", "U U L1"]
        )
    )
    assert figure(certain, "Steps 4 and 5", "bonus") == "yes"


@pytest.mark.parametrize("games", [CHAIN[0], "H"], ids=["played", "only a bye"])
@pytest.mark.parametrize("born", [date(2014, 3, 1), None])
def test_a_newcomers_own_initial_rating_is_not_public(games: str, born: date | None) -> None:
    rest = CHAIN[1:] if games == CHAIN[0] else ["H D3", "D2 W4", "L3"]
    newcomer = PlayerFacts(id="", birth_date=born, adult=born is None)
    starts: list[Start] = [newcomer, ESTABLISHED, ESTABLISHED, ESTABLISHED]
    public = in_public(rate(starts, [games, *rest]))
    assert public.steps[0].figures == {"rating before (R0)": Span(least=150.0, most=1300.0), "games (N)": 0.0}
    assert "by age" not in " ".join(public.short)
    assert "constant" not in " ".join(public.short)


def test_a_blend_moves_with_the_age_and_its_games_are_published() -> None:
    old = date(2015, 1, 1)
    blended = PlayerFacts(
        id="",
        birth_date=date(2005, 1, 1),
        ratings={
            System.BLITZ: Rating(1400.2, 40, as_of=old),
            System.ONLINE_QUICK: Rating(1000.0, 40, as_of=date(2023, 1, 1)),
        },
    )
    rated = rate([blended, ESTABLISHED, ESTABLISHED, ESTABLISHED], CHAIN)
    start = in_public(rated).steps[0].figures
    bounds = start["rating before (R0)"]
    assert isinstance(bounds, Span)
    assert 1000.0 <= bounds.least < rated.columns.rating[0] < bounds.most <= 1400.0
    assert start["games (N)"] == rated.columns.games[0]


def test_a_rating_that_decimals_decide_says_so() -> None:
    # K = 800 / (16.57 + 1); against an opponent who falls to 1477 in Step 4 the win is worth 45.5 (1 - 0.533) = 21.3.
    rated = rate([Rating(1500.49, 50), Rating(1500.0, 50)], ["W2", "L1"])
    assert any(
        "Computed from published ratings, it comes to 1521;" in line
        for line in in_public(rated).steps[-1].text
    )
    assert in_public(rated).short[-1] == "1500 -> 1522, established."
    whole = rate([Rating(1500.0, 50), Rating(1500.0, 50)], ["W2", "L1"])
    assert not any("decimals" in line for line in in_public(whole).steps[-1].text)


def test_what_is_published_alike_reads_alike_at_the_border_of_reduced_k() -> None:
    met = [Rating(2200.0, 50, record=Record.MIXED)] * 3
    explanation, other = (
        in_public(rate([Rating(own, 50), *met], ["W2 W3 D4", "L1", "U L1", "U U D1"], dual_rated=True))
        for own in (2200.4, 2199.6)
    )
    assert explanation.steps[:-1] == other.steps[:-1]
    assert [line.startswith("At reduced K") for line in (explanation.short[0], other.short[0])] == [
        False,
        False,
    ]


def test_a_rating_at_a_floor_says_so_by_what_is_published() -> None:
    held = rate([Rating(1500.3, 50, peak=1700.0), ESTABLISHED], ["L2", "W1"])
    assert held.settlement.floor_applied[0]
    public = in_public(held)
    assert "The rating is at the peak floor, 1500." in public.steps[-1].text
    assert "The rating is at the peak floor, 1500." in public.short


def test_a_public_explanation_rates_its_section_twice_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    sections, once = [], rated_again

    def counted(rated: RatedSection, facts: Mapping[str, PlayerFacts]) -> RatedSection:
        sections.append(rated.section)
        return once(rated, facts)

    monkeypatch.setattr(ages, "rated_again", counted)
    everyone = rate([UNRATED] * 6, ["W2 D3", "L1 W4", "W4 D1", "L3 L2", "W6", "L5"])
    in_public(everyone)
    assert len(sections) == 2
    in_public(chain(ESTABLISHED, ESTABLISHED, ESTABLISHED, ESTABLISHED))
    assert len(sections) == 3
