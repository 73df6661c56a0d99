"""Matches: no bonus, what one match and its windows may change, floor requests, who may play one."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from ratebook.model import (
    EarlierMatch,
    EnteredFloor,
    FloorKind,
    FloorRequest,
    PlayerFacts,
    Rating,
    SectionType,
)
from ratebook.rating.rate import facts_after
from ratebook.rating.settlement import limited_change, net_changes, years_before
from support.builders import QUICK, REGULAR, after_of, entry, rate, rules_of, section, workings_of

if TYPE_CHECKING:
    from ratebook.rating.results import RatedSection

TODAY = "2025-06-01"
RULES = rules_of(TODAY)


def play(  # noqa: PLR0913 - each test says another thing about a match
    start: Rating | PlayerFacts,
    letter: str,
    games: int = 8,
    *,
    other: float = 1600.0,
    on: str = TODAY,
    request: FloorRequest | None = None,
) -> RatedSection:
    """Rate a match in which seat 1 has the same result in every game."""
    back = {"W": "L", "L": "W", "D": "D"}[letter]
    entries = [
        entry(1, " ".join([f"{letter}2"] * games))._replace(floor_request=request),
        entry(2, " ".join([f"{back}1"] * games)),
    ]
    return rate([start, Rating(other, 60)], section(entries, on=on, kind=SectionType.MATCH))


def with_earlier(*earlier: tuple[str, float]) -> PlayerFacts:
    matches = tuple(EarlierMatch(REGULAR, date.fromisoformat(end), change) for end, change in earlier)
    return PlayerFacts(id="", ratings={REGULAR: Rating(1500.0, 60)}, matches=matches)


def change_of(rated: RatedSection, seat: int = 1) -> float:
    return after_of(rated, seat).rating - rated.columns.rating[rated.places[str(seat)]]


# The limits


@pytest.mark.statement("B4", "M3")
def test_a_match_earns_no_bonus() -> None:
    starts = [Rating(1500.0, 60), Rating(1500.0, 60)]
    swiss = rate(starts, section(["W2 W2 D2 D2", "L1 L1 D1 D1"], on=TODAY))
    match = rate(starts, section(["W2 W2 D2 D2", "L1 L1 D1 D1"], on=TODAY, kind=SectionType.MATCH))
    assert workings_of(match, 1).bonus == 0.0
    assert workings_of(swiss, 1).bonus == 0.0, "four games against one opponent earn none anyway"
    few = [Rating(1500.0, 12), Rating(1700.0, 60)]
    played = ["W2 W2", "L1 L1"]
    assert workings_of(rate(few, section(played, on=TODAY, kind=SectionType.MATCH)), 1).bonus == 0.0


@pytest.mark.statement("B4")
def test_a_match_earns_no_bonus_even_where_a_section_of_its_games_would() -> None:
    """Since no opponent may be met more than twice, only a rule that is changed for the test can show it."""
    lenient = rules_of(TODAY, bonus_eligibility_most_meetings=9.0)
    starts = [Rating(1500.0, 60), Rating(1700.0, 60)]
    rounds = ["W2 W2 W2 W2", "L1 L1 L1 L1"]
    swiss = rate(starts, section(rounds, on=TODAY), rules=lenient)
    match = rate(starts, section(rounds, on=TODAY, kind=SectionType.MATCH), rules=lenient)
    assert (workings_of(swiss, 1).bonus or 0.0) > 0.0
    assert workings_of(match, 1).bonus == 0.0


@pytest.mark.statement("M3", "Q23")
def test_a_match_changes_a_rating_by_50_points_at_most() -> None:
    won = play(Rating(1500.0, 60), "W")
    assert workings_of(won, 1).step5 > 1550.0
    assert [after_of(won, 1).rating, after_of(won, 2).rating] == [1550.0, 1550.0]
    lost = play(Rating(1650.0, 60), "L", other=1500.0)
    assert after_of(lost, 1).rating == 1600.0


@pytest.mark.statement("M3", "Q23")
def test_a_change_within_the_limits_is_not_touched() -> None:
    rated = play(Rating(1500.0, 60), "W", 1)
    assert after_of(rated, 1).rating == workings_of(rated, 1).step5
    assert 0.0 < change_of(rated) < 50.0


@pytest.mark.statement("M3", "Q23")
@pytest.mark.parametrize(
    ("earlier", "letter", "change"),
    [
        (40.0, "W", 50.0),
        (60.0, "W", 40.0),
        (99.0, "W", 1.0),
        (100.0, "W", 0.0),
        (130.0, "W", 0.0),
        (60.0, "L", -50.0),
        (-60.0, "L", -40.0),
        (-100.0, "L", 0.0),
        (-130.0, "L", 0.0),
        (-60.0, "W", 50.0),
        (-130.0, "W", 50.0),
    ],
)
def test_within_180_days_the_net_change_is_100_at_most(earlier: float, letter: str, change: float) -> None:
    rated = play(with_earlier(("2025-05-01", earlier)), letter, other=1500.0)
    assert change_of(rated) == pytest.approx(change, abs=1e-9)


@pytest.mark.statement("M3", "Q23")
@pytest.mark.parametrize(
    ("earlier", "letter", "change"),
    [
        (170.0, "W", 30.0),
        (200.0, "W", 0.0),
        (250.0, "W", 0.0),
        (170.0, "L", -50.0),
        (-170.0, "L", -30.0),
        (-250.0, "L", 0.0),
        (-170.0, "W", 50.0),
    ],
)
def test_within_three_years_the_net_change_is_200_at_most(earlier: float, letter: str, change: float) -> None:
    rated = play(with_earlier(("2023-06-01", earlier)), letter, other=1500.0)
    assert change_of(rated) == pytest.approx(change, abs=1e-9)


@pytest.mark.statement("M3", "Q23")
@pytest.mark.parametrize("change", [-80.0, -3.0, 0.0, 3.0, 80.0])
@pytest.mark.parametrize("net_short", [-300.0, -100.0, -40.0, 0.0, 40.0, 100.0, 300.0])
@pytest.mark.parametrize("net_long", [-400.0, -200.0, 0.0, 200.0, 400.0])
def test_a_limit_never_turns_a_change_round(change: float, net_short: float, net_long: float) -> None:
    allowed = limited_change(RULES, change, net_short, net_long)
    assert allowed * change >= 0.0
    assert abs(allowed) <= min(50.0, abs(change))


@pytest.mark.statement("M3", "Q23")
def test_the_changes_of_a_window_are_added_up_with_their_signs() -> None:
    rated = play(with_earlier(("2025-05-01", 90.0), ("2025-04-01", -50.0), ("2025-03-01", 30.0)), "W")
    assert change_of(rated) == pytest.approx(30.0)


@pytest.mark.statement("M3", "Q23")
def test_the_window_of_180_days_leaves_out_the_day_180_days_before() -> None:
    end = date(2025, 6, 1)
    for on, short in ((date(2024, 12, 3), 0.0), (date(2024, 12, 4), 7.0), (end, 7.0)):
        earlier = (EarlierMatch(REGULAR, on, 7.0),)
        assert net_changes(RULES, earlier, REGULAR, end) == (short, 7.0)
    assert (end - date(2024, 12, 3)).days == 180


@pytest.mark.statement("M3", "Q23")
def test_the_window_of_three_years_leaves_out_the_same_day() -> None:
    end = date(2025, 6, 1)
    for on, long in ((date(2022, 6, 1), 0.0), (date(2022, 6, 2), 7.0)):
        assert net_changes(RULES, (EarlierMatch(REGULAR, on, 7.0),), REGULAR, end)[1] == long


@pytest.mark.statement("M3", "Q23")
def test_three_years_before_a_leap_day_is_the_last_of_february() -> None:
    end = date(2024, 2, 29)
    assert years_before(end, 3) == date(2021, 2, 28)
    assert years_before(end, 4) == date(2020, 2, 29)
    rules = rules_of("2024-02-29")
    for on, long in ((date(2021, 2, 28), 0.0), (date(2021, 3, 1), 7.0)):
        assert net_changes(rules, (EarlierMatch(REGULAR, on, 7.0),), REGULAR, end)[1] == long


@pytest.mark.statement("M3", "Q23")
def test_a_later_match_and_another_systems_match_are_in_no_window() -> None:
    end = date(2025, 6, 1)
    later = EarlierMatch(REGULAR, date(2025, 6, 2), 7.0)
    quick = EarlierMatch(QUICK, date(2025, 5, 1), 7.0)
    assert net_changes(RULES, (later, quick), REGULAR, end) == (0.0, 0.0)


@pytest.mark.statement("M3", "Q23")
def test_the_end_of_the_match_ends_its_windows() -> None:
    """The rules go by the start; the windows by the end."""
    start = with_earlier(("2025-02-10", 70.0))
    entries = [entry(1, " ".join(["W2"] * 8)), entry(2, " ".join(["L1"] * 8))]
    early = section(entries, on="2025-06-01", end="2025-08-08", kind=SectionType.MATCH)
    late = section(entries, on="2025-06-01", end="2025-08-09", kind=SectionType.MATCH)
    assert change_of(rate([start, Rating(1600.0, 60)], early)) == pytest.approx(30.0)
    assert change_of(rate([start, Rating(1600.0, 60)], late)) == pytest.approx(50.0)


@pytest.mark.statement("M3", "Q23")
def test_before_2005_only_the_three_years_count() -> None:
    free = play(Rating(1500.0, 60), "W", on="2004-12-31")
    assert change_of(free) > 100.0
    within = play(with_earlier(("2004-11-01", 130.0)), "W", on="2004-12-31")
    assert change_of(within) == pytest.approx(70.0)


@pytest.mark.statement("M3", "Q39")
@pytest.mark.parametrize("games", [60, 12])
def test_in_2005_a_match_changes_a_rating_by_50_points_at_most(games: float) -> None:
    """1500 beats 1600 six to nothing, on an established or a provisional rating."""
    for on in ("2005-01-01", "2005-10-01", "2005-12-31"):
        assert change_of(play(Rating(1500.0, games), "W", 6, on=on)) == 50.0


@pytest.mark.statement("M3", "Q39")
def test_the_100_points_of_180_days_hold_from_2006_on() -> None:
    for on, change in (("2005-12-31", 50.0), ("2006-01-01", 20.0)):
        assert change_of(play(with_earlier(("2005-11-01", 80.0)), "W", on=on)) == pytest.approx(change)


@pytest.mark.statement("M3")
def test_a_match_is_noted_for_the_windows_of_later_ones() -> None:
    rated = play(with_earlier(("2025-05-01", 60.0)), "W")
    matches = facts_after(rated)["1"].matches
    assert matches[-1][:2] == (REGULAR, date(2025, 6, 1))
    assert matches[-1].change == pytest.approx(40.0)
    assert len(matches) == 2
    swiss = rate([with_earlier(("2025-05-01", 60.0)), Rating(1500.0, 60)], section(["W2", "L1"], on=TODAY))
    assert len(facts_after(swiss)["1"].matches) == 1


# Floor requests


def request(
    answer: FloorRequest | None, rating: float = 1610.0, floors: tuple[EnteredFloor, ...] = ()
) -> RatedSection:
    start = PlayerFacts(id="", ratings={REGULAR: Rating(rating, 60, peak=1810.0)}, floors=floors)
    return play(start, "L", 8, other=1500.0, request=answer)


@pytest.mark.statement("M3", "Q23")
@pytest.mark.parametrize("answer", [None, FloorRequest.PENDING, FloorRequest.DENIED])
def test_a_match_result_below_the_floor_holds_there_until_the_office_grants_it(
    answer: FloorRequest | None,
) -> None:
    rated = request(answer)
    assert workings_of(rated, 1).step5 < 1560.0
    assert after_of(rated, 1).rating == 1600.0
    assert workings_of(rated, 1).floor == 1600.0
    assert facts_after(rated)["1"].floors == ()


@pytest.mark.statement("M3", "Q23")
@pytest.mark.parametrize(
    ("answer", "is_open"), [(None, 1), (FloorRequest.PENDING, 1), (FloorRequest.DENIED, 0)]
)
def test_the_request_stays_open_until_it_is_answered(answer: FloorRequest | None, is_open: int) -> None:
    assert request(answer).settlement.request_open[0] == is_open


@pytest.mark.statement("M3", "Q23")
def test_a_granted_request_lets_the_rating_fall_and_lowers_the_floor() -> None:
    rated = request(FloorRequest.GRANTED)
    assert after_of(rated, 1).rating == 1560.0, "the limit of 50 comes before floors"
    assert workings_of(rated, 1).floor is None
    assert facts_after(rated)["1"].floors == (EnteredFloor(REGULAR, FloorKind.LOWERED, 1500.0),)


@pytest.mark.statement("M3", "Q23")
def test_a_granted_request_does_not_let_the_rating_fall_below_the_new_floor() -> None:
    start = PlayerFacts(id="", ratings={REGULAR: Rating(1610.0, 60, peak=1810.0)})
    entries = [
        entry(1, " ".join(["L2"] * 20))._replace(floor_request=FloorRequest.GRANTED),
        entry(2, " ".join(["W1"] * 20)),
    ]
    played = section(entries, on="2004-06-01", kind=SectionType.MATCH)
    rated = rate([start, Rating(1300.0, 60)], played)
    assert workings_of(rated, 1).step5 < 1500.0
    assert after_of(rated, 1).rating == 1500.0
    assert workings_of(rated, 1).floor == 1500.0


@pytest.mark.statement("M3", "Q23")
def test_the_lowered_floor_holds_in_the_next_section_in_place_of_the_old_one() -> None:
    lowered = facts_after(request(FloorRequest.GRANTED))["1"]
    rated = rate(
        {
            "1": lowered,
            **{
                str(seat): PlayerFacts(str(seat), ratings={REGULAR: Rating(1300.0, 60)})
                for seat in (2, 3, 4, 5)
            },
        },
        section(["L2 L3 L4 L5", "W1", "W1", "W1", "W1"], on="2025-07-01"),
    )
    assert workings_of(rated, 1).step5 < 1500.0
    assert after_of(rated, 1).rating == 1500.0


@pytest.mark.statement("M3", "Q23")
def test_a_request_that_was_not_needed_changes_no_floor() -> None:
    rated = request(FloorRequest.GRANTED, rating=1800.0)
    assert after_of(rated, 1).rating == 1750.0
    assert facts_after(rated)["1"].floors == ()


@pytest.mark.statement("M3", "Q23")
def test_a_granted_request_lowers_a_money_floor_too() -> None:
    money = (EnteredFloor(REGULAR, FloorKind.MONEY, 1600.0),)
    rated = request(FloorRequest.GRANTED, floors=money)
    assert after_of(rated, 1).rating == 1560.0
    assert facts_after(rated)["1"].floors == (EnteredFloor(REGULAR, FloorKind.LOWERED, 1500.0),)


@pytest.mark.statement("M3", "Q23")
def test_a_granted_request_never_lowers_a_floor_below_100() -> None:
    low = Rating(150.0, 60, wins=30, draws=0, losses=30, long_events=20)
    rated = play(low, "L", 8, other=120.0, request=FloorRequest.GRANTED)
    assert after_of(rated, 1).rating == 100.0
    assert facts_after(rated)["1"].floors == (EnteredFloor(REGULAR, FloorKind.LOWERED, 100.0),)


@pytest.mark.statement("M3", "Q23", "L3")
def test_a_granted_request_lowers_the_floor_of_an_original_life_master_too() -> None:
    """The new floor is 100 points below the old one: a loss in the next section does not bring the old one back."""
    start = PlayerFacts(id="", ratings={REGULAR: Rating(2210.0, 900, peak=2300.0, life_master_games=400)})
    lowered = facts_after(play(start, "L", 8, other=2000.0, request=FloorRequest.GRANTED))["1"]
    assert lowered.ratings[REGULAR].rating == 2160.0
    opponent = PlayerFacts("2", ratings={REGULAR: Rating(2100.0, 100)})
    rated = rate({"1": lowered, "2": opponent}, section(["L2", "W1"], on="2025-07-01"))
    assert 2100.0 <= after_of(rated, 1).rating < 2160.0
