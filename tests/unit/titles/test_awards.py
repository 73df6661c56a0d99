"""Titles over a career: when each is earned, and that it stays."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratebook.titles.awards import (
    Award,
    RatedAt,
    SectionOutcome,
    TitleState,
    has_life_master_games,
    norms_at,
    opening_state,
    state_after,
    titles_after,
)
from support.builders import QUICK, rules_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratebook.rules.in_force import RulesInForce

pytestmark = pytest.mark.statement("M6")

LEVELS = (1200, 1400, 1600, 1800, 2000, 2200, 2400)
NORM_TITLES = {"4": 1200, "3": 1400, "2": 1600, "1": 1800, "C": 2000, "M": 2200, "S": 2400}
LEAST_ESTABLISHED = {"C": 2000, "M": 2200, "S": 2400, "NM": 2200, "SM": 2400}


def place(number: int) -> RatedAt:
    """Return the section of the given day of a career."""
    day = date(2020, 1, 1) + timedelta(days=number)
    return RatedAt(day, f"{day:%Y%m%d}0001", 1)


def career(
    norms: Sequence[int | None], ratings: Sequence[float | None] = (), *, life_master_at: int | None = None
) -> list[SectionOutcome]:
    """Return sections with these norms and established ratings; the last rating stays."""
    filled = [*ratings, *[ratings[-1] if ratings else None] * len(norms)]
    return [
        SectionOutcome(place(number), norm, filled[number], number == life_master_at)
        for number, norm in enumerate(norms)
    ]


def earned(outcomes: Sequence[SectionOutcome]) -> dict[str, int]:
    """Return the titles of a career and the section, from 0, that gave each."""
    number = {outcome.place: at for at, outcome in enumerate(outcomes)}
    return {
        award.title: number[award.earned]
        for award in titles_after(outcomes).titles
        if award.earned is not None
    }


# Five norms


def test_the_fifth_norm_gives_the_title_and_the_fourth_does_not() -> None:
    assert earned(career([1200] * 4, [1300.0])) == {}
    assert earned(career([1200] * 5, [1300.0])) == {"4": 4}


def test_sections_without_a_norm_count_for_nothing() -> None:
    assert earned(career([1200, None, 1200, 1200, None, 1200, 1200], [1300.0])) == {"4": 6}


def test_a_higher_norm_counts_for_all_lower_levels() -> None:
    # Five at 1200 or higher with the fifth norm, five at 1400 or higher with the seventh.
    assert earned(career([1400, 1200, 1600, 1400, 1200, 1800, 1400], [1300.0])) == {"4": 4, "3": 6}


def test_several_titles_can_be_earned_at_once() -> None:
    assert earned(career([1800] * 5, [1500.0])) == {"4": 4, "3": 4, "2": 4, "1": 4}


def test_norms_are_counted_at_their_level_and_below() -> None:
    state = titles_after(career([1400, 1200, 1600, 2400]))
    assert [norms_at(state, level) for level in LEVELS] == [4, 3, 2, 1, 1, 1, 1]


def test_a_title_is_kept_after_the_rating_falls() -> None:
    outcomes = career(
        [2000] * 5 + [None] * 3, [2000.0, 1900.0, 1900.0, 1900.0, 1950.0, 1700.0, 1500.0, 1500.0]
    )
    assert earned(outcomes)["C"] == 4
    assert {award.title for award in titles_after(outcomes).titles} >= {"C", "1", "2", "3", "4"}


# Established ratings


def test_no_title_without_an_established_rating() -> None:
    assert earned(career([2400] * 8)) == {}


def test_a_title_waits_for_the_established_rating_and_is_earned_on_that_day() -> None:
    assert earned(career([1600] * 5 + [None, None], [None] * 6 + [1450.0])) == {"4": 6, "3": 6, "2": 6}


@pytest.mark.parametrize(("code", "level"), [("C", 2000), ("M", 2200), ("S", 2400)])
def test_master_titles_ask_for_an_established_rating_of_their_level(code: str, level: int) -> None:
    assert code not in earned(career([level] * 6, [level - 1.0]))
    assert earned(career([level] * 6, [float(level)]))[code] == 4
    late = career([level] * 7, [level - 50.0] * 6 + [float(level)])
    assert earned(late)[code] == 6


def test_an_established_rating_before_the_norms_is_enough() -> None:
    assert earned(career([None] + [2000] * 5, [2000.0, 1850.0]))["C"] == 5


def test_the_categories_ask_for_no_particular_rating() -> None:
    assert earned(career([1800] * 5, [700.0])) == {"4": 4, "3": 4, "2": 4, "1": 4}


def test_a_rating_counts_as_it_is_displayed() -> None:
    assert "NM" not in earned(career([None], [2199.4999]))
    assert earned(career([None], [2199.5])) == {"NM": 0}


# National, Senior and Original Life Master


def test_national_and_senior_master_come_with_the_first_established_rating_of_2200_and_2400() -> None:
    outcomes = career([None] * 5, [None, 2150.0, 2200.0, 2390.0, 2400.0])
    assert earned(outcomes) == {"NM": 2, "SM": 4}


def test_norms_give_no_national_master_and_ratings_no_life_master() -> None:
    assert "M" not in earned(career([None] * 5, [2500.0]))
    assert "NM" not in earned(career([2200] * 5, [2100.0]))


def test_original_life_master_comes_with_the_section_that_completes_the_games() -> None:
    assert earned(career([None] * 4, [2150.0], life_master_at=2)) == {"OLM": 2}


@pytest.mark.parametrize(
    ("games", "complete"), [(None, False), (0, False), (299, False), (300, True), (301, True)]
)
def test_300_games_complete_an_original_life_master(games: int | None, complete: bool) -> None:  # noqa: FBT001 - the expected value
    assert has_life_master_games(rules_of("2024-06-01"), games) is complete


def test_other_systems_have_no_original_life_master() -> None:
    rules: RulesInForce = rules_of("2024-06-01", QUICK)
    assert not has_life_master_games(rules, 1000)


# The fold


def test_a_section_says_what_it_gave() -> None:
    before = titles_after(career([1200] * 4, [1300.0]))
    fifth = SectionOutcome(place(9), 1200, 1310.0)
    after, awards = state_after(before, fifth)
    assert awards == (Award("4", place(9)),)
    assert after.titles == awards
    assert state_after(after, SectionOutcome(place(10), 1200, 1310.0))[1] == ()


def test_a_state_at_the_start_holds_what_follows_from_it_without_a_day() -> None:
    state = opening_state(norms=(0, 0, 0, 5, 0, 0, 0), peak=2250.0, titles=["S"])
    assert state.titles == tuple(Award(code, None) for code in ("4", "3", "2", "1", "S", "NM"))
    after, awards = state_after(state, SectionOutcome(place(0), 2000, 2400.0))
    assert awards == (Award("SM", place(0)),)
    assert after.peak == 2400.0
    assert norms_at(after, 1800) == 6


def test_a_state_at_the_start_refuses_titles_and_levels_that_do_not_exist() -> None:
    with pytest.raises(ValueError, match="no title has the code GM"):
        opening_state(titles=["GM"])
    with pytest.raises(ValueError, match="zip"):
        opening_state(norms=(1, 2))


def test_a_norm_at_no_level_is_refused() -> None:
    with pytest.raises(ValueError, match="no norm has the level 1500"):
        state_after(TitleState(), SectionOutcome(place(0), 1500))


def test_sections_out_of_order_are_refused() -> None:
    first, second = career([1200, 1200])
    with pytest.raises(ValueError, match="order of rating"):
        titles_after([second, first])
    with pytest.raises(ValueError, match="order of rating"):
        titles_after([first, first])


def title_by_hand(code: str, norms: Sequence[int | None], ratings: Sequence[float | None]) -> int | None:
    """Return the first section after which all that the documents ask for a title is there."""
    for at in range(len(norms)):
        counted = [norm for norm in norms[: at + 1] if norm is not None and norm >= NORM_TITLES.get(code, 0)]
        established = [rating for rating in ratings[: at + 1] if rating is not None]
        enough = len(counted) >= 5 or code not in NORM_TITLES
        if enough and established and max(established) >= LEAST_ESTABLISHED.get(code, 0):
            return at
    return None


sections_played = st.lists(
    st.tuples(
        st.none() | st.sampled_from(LEVELS),
        st.none() | st.sampled_from((1100.0, 1999.0, 2000.0, 2199.0, 2200.0, 2399.0, 2400.0)),
    ),
    max_size=20,
)


@given(sections_played)
def test_every_title_is_earned_in_the_first_section_after_which_nothing_is_missing(
    played: list[tuple[int | None, float | None]],
) -> None:
    norms = [norm for norm, _ in played]
    ratings = [rating for _, rating in played]
    expected = {code: title_by_hand(code, norms, ratings) for code in (*NORM_TITLES, "NM", "SM")}
    assert earned(career(norms, ratings or [None])) == {
        code: at for code, at in expected.items() if at is not None
    }


@given(sections_played, st.integers(0, 20))
def test_a_fold_can_stop_anywhere_and_go_on(played: list[tuple[int | None, float | None]], cut: int) -> None:
    outcomes = career([norm for norm, _ in played], [rating for _, rating in played] or [None])
    assert titles_after(outcomes[cut:], start=titles_after(outcomes[:cut])) == titles_after(outcomes)
