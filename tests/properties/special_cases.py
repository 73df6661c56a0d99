"""Arguments of the special formula that often meet its knots."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from hypothesis import strategies as st

from ratebook.rating.special import ALL_LOSSES, ALL_WINS, MIXED


class Special(NamedTuple):
    """The arguments of one special rating."""

    rating: float
    prior_games: float
    record: int
    opponents: tuple[float, ...]
    score: float


plain_ratings = st.floats(100.0, 2900.0) | st.integers(100, 2900).map(float)
prior_game_counts = (
    st.sampled_from((0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 6.5, 8.0))
    | st.integers(1, 8).map(float)
    | st.sampled_from((7.3953741, 7.9127, 20.0117868))
)


steps_away = st.builds(
    lambda steps, by: 400.0 * steps + by,
    st.sampled_from((-3, -2, -1, 0, 1, 2, 3)),
    st.sampled_from((0.0, 0.0, 0.0, 1e-9, -1e-9, 1e-5, -1e-5, 0.1)),
)
# Each is the share of what it is beside (the rating, the anchor), and points to be added.
anchors = st.tuples(st.just(1.0), st.sampled_from((0.0, -400.0, 400.0))) | st.tuples(
    st.just(0.0), plain_ratings
)
centres = st.tuples(st.just(1.0), steps_away) | st.tuples(st.just(0.0), plain_ratings)
several_centres = st.lists(st.tuples(centres, st.integers(1, 3)), min_size=1, max_size=8)
records = st.sampled_from((MIXED, MIXED, ALL_WINS, ALL_LOSSES))


@cache
def half_points(games: int) -> st.SearchStrategy[int]:
    """Return scores of so many games in half points, often none, half or all of them."""
    return st.integers(0, 2 * games) | st.sampled_from((0, games, 2 * games))


@st.composite
def special_cases(draw: st.DrawFn) -> Special:
    """Return arguments whose opponents often stand exactly, or very nearly, 400 or 800 points apart."""
    rating = draw(plain_ratings)
    share, points = draw(anchors)
    anchor = share * rating + points
    opponents = tuple(
        max(100.0, share * anchor + points)
        for (share, points), times in draw(several_centres)
        for _ in range(times)
    )
    halves = draw(half_points(len(opponents)))
    record = draw(records)
    prior_games = draw(prior_game_counts)
    if record != MIXED:
        prior_games = max(prior_games, 1.0)
    return Special(rating, prior_games, record, opponents, halves / 2)
