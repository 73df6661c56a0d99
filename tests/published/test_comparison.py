"""The comparison with published ratings: what it compares, what it may suppose, and a sample of what it finds."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING

import pytest
from scripts.pages.agreement import table
from scripts.published.__main__ import newly_unexplained
from scripts.published.causes import Cause
from scripts.published.comparison import compare
from scripts.published.histories import Appearance, games_before, shown_before
from scripts.published.inputs import comparable
from scripts.published.pairings import rounds_by_seat
from scripts.published.reports import rate, time_control_of
from scripts.published.sample import MOST_SEATS, plant_errors, sample
from scripts.published.stored import Published, StoredSeat, StoredSection, stored_sections
from scripts.published.summary import (
    Line,
    Unexplained,
    before_the_timeline,
    era_of,
    stored_summary,
    summarize,
    summary_of,
    text_of,
)

from ratebook.model import Cell, SectionType, System
from support.builders import BLITZ, ONLINE_BLITZ, ONLINE_QUICK, QUICK, REGULAR

if TYPE_CHECKING:
    from scripts.published.comparison import Value

LATE = date(2021, 6, 30)

SAMPLE = {
    ("2001-01-01", "regular"): (79, 0),
    ("2001-01-01", "quick"): (52, 0),
    ("2008-06-06", "regular"): (191, 0),
    ("2008-06-06", "quick"): (133, 0),
    ("2012-08-03", "regular"): (156, 0),
    ("2012-08-03", "quick"): (88, 0),
    ("2012-08-03", "blitz"): (4, 0),
    ("2014-03-20", "regular"): (200, 0),
    ("2014-03-20", "quick"): (65, 0),
    ("2014-03-20", "blitz"): (19, 0),
    ("2015-06-01", "regular"): (414, 0),
    ("2015-06-01", "quick"): (111, 0),
    ("2015-06-01", "blitz"): (24, 0),
    ("2017-06-01", "regular"): (922, 0),
    ("2017-06-01", "quick"): (407, 0),
    ("2017-06-01", "blitz"): (68, 0),
    ("2017-06-01", "online-regular"): (80, 0),
    ("2017-06-01", "online-quick"): (275, 0),
    ("2017-06-01", "online-blitz"): (412, 0),
}
"""Values of the sample by era and system, and how many may be unexplained; that number may only fall."""

OLD_SAMPLE = {
    ("regular", "established"): (382, 329, 16),
    ("quick", "established"): (65, 2, 0),
    ("regular", "provisional"): (7, 6, 0),
    ("regular", "first rating"): (4, 4, 0),
    ("quick", "provisional"): (4, 3, 0),
}
"""Values before 2001 by system and kind of rating, how many are within a point, and how many may be unexplained."""


def published(before: int | None, after: int, games: int | None = None) -> Published:
    """Return ratings before and after; *games* before, or established."""
    return Published(before, games, after, games)


def stored(
    ratings: list[Published],
    rounds: list[str],
    *,
    system: System = REGULAR,
    start: date = date(2018, 5, 5),
    rated: date = LATE,
) -> StoredSection:
    """Return a stored section of persons whom no other section knows."""
    return StoredSection(
        event=0,
        number=1,
        start=start,
        end=start,
        type=SectionType.SWISS,
        time_control=None,
        systems=(system,),
        rated=rated,
        seats=tuple(
            StoredSeat(seat, -seat, {system: rating}, tuple(text.split()))
            for seat, (rating, text) in enumerate(zip(ratings, rounds, strict=True), start=1)
        ),
    )


# Rounds


def test_rounds_that_line_up_stay_as_they_are() -> None:
    section = stored([published(1500, 1500)] * 3, ["W2 U H", "L1 D3 U", "U D2 X"])
    assert rounds_by_seat(section) == {
        1: (Cell("W", 2), Cell("U"), Cell("H")),
        2: (Cell("L", 1), Cell("D", 3), Cell("U")),
        3: (Cell("U"), Cell("D", 2), Cell("X")),
    }


def test_columns_that_are_opponents_become_rounds() -> None:
    """A round robin whose column is the opponent's seat: every game is in one round on both sides."""
    section = stored([published(1500, 1500)] * 4, ["U W2 W3 D4", "L1 U W3 L4", "L1 L2 U D4", "D1 W2 D3 U"])
    rounds = rounds_by_seat(section)
    games = {
        (seat, cell.opponent, cell.letter) for seat, row in rounds.items() for cell in row if cell.opponent
    }
    assert games == {
        (1, 2, "W"), (1, 3, "W"), (1, 4, "D"), (2, 1, "L"), (2, 3, "W"), (2, 4, "L"),
        (3, 1, "L"), (3, 2, "L"), (3, 4, "D"), (4, 1, "D"), (4, 2, "W"), (4, 3, "D"),
    }  # fmt: skip
    for seat, row in rounds.items():
        for number, cell in enumerate(row):
            if cell.opponent is not None:
                assert rounds[cell.opponent][number].opponent == seat


def test_games_of_the_same_two_players_are_all_kept() -> None:
    section = stored([published(1500, 1500)] * 2, ["W2 L2 W2", "L1 L1 W1"])
    rounds = rounds_by_seat(section)
    assert sorted(cell.letter for cell in rounds[1]) == ["L", "W", "W"]
    assert sorted(cell.letter for cell in rounds[2]) == ["L", "L", "W"]


def test_a_result_that_the_other_side_does_not_have_is_rated_for_one_side() -> None:
    section = stored([published(1500, 1500)] * 2, ["W2 D2", "D1 U"])
    rounds = rounds_by_seat(section)
    assert sorted(cell.letter for cell in rounds[1]) == ["D", "N"]
    assert [cell.letter for cell in rounds[2] if cell.rated] == ["D"]


# What is compared


def test_a_rating_is_compared_where_everything_that_it_rests_on_was_published() -> None:
    """Seat 5 is unrated: seat 4 met it, seat 3 met seat 4; seats 1 and 2 rest on published ratings alone."""
    chain = [published(1500 + 10 * at, 1500) for at in range(4)]
    section = stored([*chain, published(None, 1400, 0)], ["W2 U", "L1 D3", "W4 D2", "L3 W5", "U L4"])
    (rated,) = rate(section).sections
    assert comparable(rated) == ["P-1", "P-2"]


def test_someone_without_a_rated_game_is_not_compared() -> None:
    section = stored([published(1500, 1510), published(1500, 1490), published(1500, 1500)], ["W2", "L1", "B"])
    (rated,) = rate(section).sections
    assert comparable(rated) == ["P-1", "P-2"]


@pytest.mark.parametrize(
    ("written", "systems", "rated_by"),
    [
        ("G/45;d5", (REGULAR, QUICK), "G/45;d5"),
        (None, (REGULAR, QUICK), "G/60"),
        ("by arrangement", (REGULAR,), "G/90;d5"),
        ("G/45;d5", (QUICK,), "G/20"),
        (None, (ONLINE_BLITZ,), "G/5"),
    ],
)
def test_a_time_control_stands_in_where_the_written_one_does_not_give_the_published_systems(
    written: str | None, systems: tuple[System, ...], rated_by: str
) -> None:
    section = stored([published(1500, 1500)], ["U"])
    assert time_control_of(section._replace(time_control=written, systems=systems)) == rated_by


# What may be supposed


def real_section(event: int, number: int) -> StoredSection:
    return next(one for one in stored_sections() if (one.event, one.number) == (event, number))


def value_of(section: StoredSection, system: System, seat: int) -> Value:
    return next(value for value in compare(section) if (value.system, value.seat) == (system, seat))


@pytest.mark.parametrize(
    ("event", "number", "system", "seat", "causes", "shown"),
    [
        (60, 1, REGULAR, 3, (Cause.LIFE_MASTER_FLOOR,), False),
        (60, 2, REGULAR, 4, (Cause.PEAK_FLOOR,), False),
        (656, 1, REGULAR, 7, (Cause.PEAK_FLOOR,), True),
        (156, 1, REGULAR, 38, (Cause.LOWERED_FLOOR,), True),
        (335, 1, QUICK, 10, (Cause.PERSONAL_FLOOR,), False),
        (262, 4, QUICK, 3, (Cause.OWN_RECORD,), False),
        (262, 4, QUICK, 1, (Cause.OTHER_RECORD,), False),
        (205, 1, BLITZ, 1, (Cause.OWN_GAMES,), False),
        (460, 1, ONLINE_QUICK, 2, (Cause.HALF_K,), False),
        (470, 2, ONLINE_QUICK, 4, (Cause.HALF_K, Cause.OWN_RECORD), False),
    ],
)
def test_a_difference_has_the_cause_that_gives_the_published_rating(  # noqa: PLR0913 - columns of a table
    event: int, number: int, system: System, seat: int, causes: tuple[Cause, ...], *, shown: bool
) -> None:
    value = value_of(real_section(event, number), system, seat)
    assert not value.agrees
    assert (value.causes, value.shown) == (causes, shown)


@pytest.mark.parametrize(
    ("event", "seat", "after", "why"),
    [
        (60, 4, 1790, "no multiple of 100"),
        (60, 4, 1700, "the formulas give more"),
        (60, 4, 1900, "the rating before is below it"),
        (397, 10, 1400, "an earlier rating makes a higher floor"),
    ],
)
def test_nothing_explains_a_rating_that_no_floor_can_have_held(
    event: int, seat: int, after: int, why: str
) -> None:
    numbers = [one.number for one in stored_sections() if one.event == event]
    section = real_section(event, numbers[-1])
    value = value_of(section.with_rating_after(REGULAR, seat, after), REGULAR, seat)
    assert not value.agrees
    assert value.causes == (), why


def test_no_fact_is_supposed_that_loses_another_rating() -> None:
    """Seat 3 has lost all games; were the opponent's rating another one, that record would not be kept."""
    section = real_section(262, 4)
    changed = section.with_rating_after(QUICK, 1, 1220)
    assert value_of(changed, QUICK, 1).agrees
    assert value_of(changed, QUICK, 3).causes == ()


def test_games_are_counted_along_sections_that_follow_one_another() -> None:
    def appearance(
        before: int, games: int | None, after: int, games_after: int | None, played: int
    ) -> Appearance:
        return Appearance((LATE, 0, 0), False, Published(before, games, after, games_after), (1.0,) * played)

    provisional = appearance(1500, 20, 1550, 24, 4)
    established = appearance(1550, 24, 1600, None, 5)
    assert games_before([provisional, established], published(1600, 1610)) == (29, 29)
    assert games_before([provisional, established], published(1590, 1610)) == (29, None)
    assert games_before([], published(1590, 1610)) == (26, None)
    assert games_before([], published(1590, 1610, 7)) == (7, 7)


def test_what_is_shown_before_a_section_excludes_what_came_after() -> None:
    """The person of this section fell below 2000 and had its floors lowered."""
    section = real_section(156, 1)
    person = next(seat.person for seat in section.seats if seat.seat == 38)
    shown = shown_before(section, person, REGULAR)
    assert (shown.peak, shown.lowest_later) == (2200, 1768)


# What is found


@pytest.mark.statement("S7", "P4", "P5", "P7", "E1", "E2", "G2", "G4", "B1", "A5", "A13", "A14")
def test_a_sample_agrees_as_far_as_the_stored_summary_says() -> None:
    small_old_ones = (
        one for one in stored_sections() if before_the_timeline(one) and len(one.seats) <= MOST_SEATS
    )
    stored_before, found = stored_summary(), summarize([*sample(), *small_old_ones])
    assert {(line.first, line.system) for line in stored_before.lines} == SAMPLE.keys()
    assert {(line.first, line.system): line.values for line in found.lines} == {
        key: values for key, (values, _) in SAMPLE.items()
    }
    more = {
        (line.first, line.system): line.unexplained
        for line in found.lines
        if line.unexplained > SAMPLE[line.first, line.system][1]
    }
    assert more == {}, "unexplained ratings may only become fewer"
    known = {one[:5] for one in stored_before.unexplained}
    assert [one for one in found.unexplained if one[:5] not in known] == []
    assert found.games_agree == found.games_after > 0
    assert {(line.system, line.kind): line.values for line in found.old_lines} == {
        key: values for key, (values, _, _) in OLD_SAMPLE.items()
    }
    for line in found.old_lines:
        _, within_1, unexplained = OLD_SAMPLE[line.system, line.kind]
        assert line.within_1 >= within_1
        assert line.unexplained <= unexplained


def test_few_wrong_ratings_would_be_explained() -> None:
    """Causes that explained every difference would prove nothing."""
    planted = stored_summary().planted
    assert planted.values > 200
    assert planted.explained * 25 < planted.values
    again = plant_errors(section for section in sample() if len(section.seats) <= 10)
    assert again.values > 20
    assert again.explained <= 2


def test_the_summary_is_stored_and_read_again() -> None:
    summary = stored_summary()
    assert summary_of(json.loads(text_of(summary))) == summary
    for line in summary.lines:
        assert line.values == line.as_published + line.explained + line.unexplained
    assert summary.total("unexplained") == len(summary.unexplained)
    assert summary.total("explained") == sum(cause.values for cause in summary.causes)


def test_a_rating_that_is_newly_unexplained_stops_make_published() -> None:
    stored = stored_summary()
    assert newly_unexplained(stored) == []
    unexplained = Unexplained("2019-11-30", 408, 1, "quick", 2, 1906, 1935, 1900.5)
    first = stored.old_lines[0]
    worse = stored._replace(
        unexplained=(*stored.unexplained, unexplained),
        old_lines=(first._replace(unexplained=first.unexplained + 1), *stored.old_lines[1:]),
    )
    new, old = newly_unexplained(worse)
    assert "event 408 section 1, quick, seat 2: 1906 -> 1935 published, 1900.5 computed" in new
    assert old == f"before 2001, {first.system}, {first.kind}: {first.unexplained + 1} unexplained"


def test_the_table_has_a_row_for_each_era_and_system_and_one_for_all() -> None:
    lines = (
        Line("2001-01-01", 10.0, "regular", 1200, 1190, 9, 1),
        Line("2008-06-06", 6.0, "quick", 800, 790, 10, 0),
    )
    assert table(stored_summary()._replace(lines=lines))[2:] == [
        "| 2001-01-01 to 2008-06-05 | 10 | regular | 1,200 | 1,190 | 9 | 1 |",
        "| 2008-06-06 or later | 6 | quick | 800 | 790 | 10 | 0 |",
        "| all |  |  | 2,000 | 1,980 | 19 | 1 |",
    ]


def test_eras_are_those_of_the_bonus_multiplier() -> None:
    assert [era_of(date(2012, 8, day)).bonus for day in (2, 3)] == [6.0, 8.0]
    assert era_of(date(2021, 1, 1)).first == date(2017, 6, 1)
