"""What anyone may read of an explanation, by what the players involved were before the section."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ratebook.model import PlayerFacts, Rating
from ratebook.rating.explanation.explain import explain
from ratebook.rating.explanation.public import explain_in_public
from ratebook.rules.rulebook import load_rulebook
from support.builders import rate

if TYPE_CHECKING:
    from ratebook.rating.explanation.parts import Explanation
    from ratebook.rating.results import RatedSection
    from support.builders import Start

CHAIN = ["W2", "L1 D3", "D2 W4", "L3"]
"""Seat 1 has met seat 2 alone, who met seat 3, who met seat 4."""

ESTABLISHED = Rating(1500.0, 50)


def chain(*starts: Start) -> RatedSection:
    return rate(starts, CHAIN)


def in_public(rated: RatedSection, seat: int = 1) -> Explanation:
    explanation = explain_in_public(rated, seat, load_rulebook())
    assert explanation is not None
    return explanation


@pytest.mark.parametrize("games", [20, 50])
def test_among_rated_players_the_public_reads_every_figure_without_its_decimals(games: int) -> None:
    rated = chain(ESTABLISHED, Rating(1412.637, games), ESTABLISHED, ESTABLISHED)
    complete = explain(rated, 1, load_rulebook())
    assert complete is not None
    assert [[figure.name for figure in step.figures] for step in in_public(rated).steps] == [
        [figure.name for figure in step.figures] for step in complete.steps
    ]
    public = in_public(rated)
    assert not public.exact
    used = [game.opponent_rating for step in public.steps for game in step.games]
    assert used[0] == 1413.0
    assert all(rating.is_integer() for rating in used)


def test_an_opponent_of_an_opponent_without_a_rating_takes_the_figures_away() -> None:
    unrated = PlayerFacts(id="", adult=True)
    third = chain(ESTABLISHED, ESTABLISHED, unrated, ESTABLISHED)
    assert [step.title for step in in_public(third).steps] == [
        "Step 1: rating before the section",
        "The formula",
        "Floors, ceiling and result",
    ]
    assert not any(step.games for step in in_public(third).steps)
    names = {figure.name for step in in_public(third).steps for figure in step.figures}
    assert {"K", "bonus", "displayed"} <= names
    assert not {"expected score (E)", "K (S - E)", "rating after"} & names
    # Step 5 of seat 1 uses Step 4 of seat 2, which uses Step 3 of seat 3 and nothing of seat 4.
    fourth = chain(ESTABLISHED, ESTABLISHED, ESTABLISHED, unrated)
    assert any(step.games for step in in_public(fourth).steps)


@pytest.mark.parametrize("games", [CHAIN[0], "H"], ids=["played", "only a bye"])
def test_a_newcomers_own_initial_rating_is_not_public(games: str) -> None:
    rest = CHAIN[1:] if games == CHAIN[0] else ["H D3", "D2 W4", "L3"]
    starts: list[Start] = [PlayerFacts(id="", adult=True), ESTABLISHED, ESTABLISHED, ESTABLISHED]
    public = in_public(rate(starts, [games, *rest]))
    assert public.steps[0].figures == ()
    assert "1300" not in " ".join(public.short)
