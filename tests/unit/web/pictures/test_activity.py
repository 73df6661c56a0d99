"""Games by month: larger and darker squares for more of them."""

from __future__ import annotations

from datetime import date

from ratebook.web.pictures.activity import ActiveMonth, activity


def test_months_of_four_years_have_squares_by_their_games() -> None:
    games = [(date(2022, 12, 31), 9), (date(2023, 2, 3), 3), (date(2026, 3, 1), 4), (date(2026, 3, 30), 5)]
    picture = activity(games, date(2026, 3, 31))
    assert picture is not None
    # Three years of twelve months and three months.
    assert len(picture.months) == 39
    assert picture.months[0] == ActiveMonth(x=6, y=6, side=4, shade=0, text="January 2023: 0 games")
    assert picture.months[1] == ActiveMonth(x=20, y=4, side=8, shade=1, text="February 2023: 3 games")
    assert picture.months[-1] == ActiveMonth(x=33, y=49, side=14, shade=3, text="March 2026: 9 games")
    assert picture.words == "12 rated games since January 2023, most in March 2026 (9)."


def test_who_has_not_played_lately_has_no_picture() -> None:
    assert activity([(date(2010, 1, 1), 3)], date(2026, 3, 31)) is None
