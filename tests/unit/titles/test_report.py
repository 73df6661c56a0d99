"""What a report is worth in classes, norms and titles, by hand from docs/rules/outside.md, section 6."""

from __future__ import annotations

import pytest

from ratebook.model import PlayerFacts, Rating, System
from ratebook.titles.report import PlayerTitles, held_titles, titles_of_report
from support.builders import entry, rate, section

pytestmark = pytest.mark.statement("M9")

FOUR_WINS = ("W2 W3 W4 W5", "L1 D4 D3 U", "D4 L1 D2 U", "D3 D2 L1 U", "U U U L1")


def first_of(*starts: Rating | PlayerFacts, on: str = "2024-06-01") -> PlayerTitles:
    """Return the line of seat 1, who wins four games."""
    return titles_of_report([rate(starts, FOUR_WINS, on=on)])[0]


def established(rating: float) -> Rating:
    return Rating(rating, 60)


def test_an_established_rating_of_2200_makes_a_national_master() -> None:
    """C(2200) of four opponents near 2180 is 4 x 0.55; 4 points are more than 2.2 + 1, and C(2400) is 1 each."""
    line = first_of(*[established(2190)] * 5)
    assert (line.class_before, line.class_after) == ("Expert", "Master")
    assert (line.norm, line.earned) == (2200, ("National Master",))
    assert line.says_something


def test_a_title_that_a_rating_before_gave_is_not_new() -> None:
    assert first_of(established(2250), *[established(2190)] * 4).earned == ()
    peak = Rating(2190, 60, peak=2210)
    assert first_of(peak, *[established(2190)] * 4).earned == ()
    held = PlayerFacts("1", ratings={System.REGULAR: established(2190)}, titles="C NM")
    assert first_of(held, *[established(2190)] * 4).earned == ()


def test_a_provisional_rating_gives_no_title_but_a_norm() -> None:
    line = first_of(Rating(2190, 12), *[established(2190)] * 4)
    assert (line.class_after, line.earned) == ("Master", ())
    assert line.norm == 2200


def test_who_keeps_class_and_makes_no_norm_has_nothing_to_tell() -> None:
    """A draw between equals changes nothing, and two games make no norm."""
    rated = rate([established(1500)] * 2, ("D2 D2", "D1 D1"))
    assert [line.says_something for line in titles_of_report([rated])] == [False, False]


def test_a_newcomer_has_no_class_before() -> None:
    rated = rate([PlayerFacts("1", adult=True), established(1500)], ("D2", "D1"))
    line = titles_of_report([rated])[0]
    assert line.class_before is None
    assert line.says_something


def test_five_norms_of_one_report_make_a_title() -> None:
    """Five sections with a norm of 1600 or higher each: 2nd Category, and every category below it."""
    sections = []
    for number in range(1, 6):
        played = section(
            [entry(seat, rounds) for seat, rounds in enumerate(FOUR_WINS, start=1)], number=number
        )
        sections.append(rate([established(1800), *[established(1700)] * 4], played))
    lines = [line for line in titles_of_report(sections) if line.seat == 1]
    assert [line.norm for line in lines] == [1600] * 5
    assert [line.earned for line in lines[:4]] == [()] * 4
    assert lines[4].earned == ("4th Category", "3rd Category", "2nd Category")


def test_the_games_of_an_original_life_master_are_complete_once() -> None:
    """296 games from 2200 and four more are 300; with 300 before, the title was there."""
    now = first_of(Rating(2250, 400, life_master_games=296), *[established(2190)] * 4)
    assert now.earned == ("Original Life Master",)
    before = first_of(Rating(2250, 400, life_master_games=300), *[established(2190)] * 4)
    assert before.earned == ()


def test_titles_are_of_otb_regular() -> None:
    quick = rate([Rating(2190, 60)] * 5, FOUR_WINS, system=System.QUICK)
    assert titles_of_report([quick]) == ()


def test_codes_of_no_title_are_left_out() -> None:
    assert held_titles(PlayerFacts("1", titles="GM NM x")) == ("NM",)


def test_who_played_no_rated_game_has_no_line() -> None:
    rated = rate([established(1500)] * 3, ("D2 U", "D1 U", "B H"))
    assert [line.seat for line in titles_of_report([rated])] == [1, 2]
