"""Foreign FIDE events: who is updated, against which ratings, by which formula."""

from __future__ import annotations

import math
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from ratebook.model import ForeignRating, PlayerFacts, Rating, Record, SectionType
from ratebook.rating.foreign import not_eligible_because
from ratebook.rating.rate import facts_after, rate_section
from ratebook.rules.in_force import ESTABLISHED_MEMBER
from ratebook.rules.rulebook import load_rulebook
from support.builders import REGULAR, after_of, entry, rate, seat_of, section, workings_of

if TYPE_CHECKING:
    from ratebook.rating.results import RatedSection

IN_2016 = "2016-06-01"
IN_2025 = "2025-06-01"


def us_player(
    rating: Rating,
    fide: float | None = 2300.0,
    **more: Any,  # noqa: ANN401 - fields of PlayerFacts, of whatever type
) -> PlayerFacts:
    facts = PlayerFacts(
        id="1",
        ratings={REGULAR: rating},
        fide=None if fide is None else ForeignRating(fide),
        us_member=True,
        usa_flag=True,
    )
    return facts._replace(**more)


ESTABLISHED = Rating(2350.0, 400)


def opponent(fide: float | None) -> PlayerFacts:
    return PlayerFacts(id="", fide=None if fide is None else ForeignRating(fide))


def event(  # noqa: PLR0913 - what varies
    player: PlayerFacts,
    opponents: list[float | None],
    rounds: str,
    *,
    on: str = IN_2025,
    youth: bool = False,
    marked: bool = True,
) -> RatedSection:
    """Rate a foreign event of one US player, seat 1, against opponents with these FIDE ratings."""
    back = {"W": "L", "L": "W", "D": "D"}
    cells = rounds.split()
    entries = [entry(1, rounds)._replace(update=marked)]
    entries += [
        entry(seat, " ".join(f"{back[one[0]]}1" if one[1:] == str(seat) else "U" for one in cells))
        for seat in range(2, len(opponents) + 2)
    ]
    known = {"1": player}
    known |= {
        str(seat): opponent(fide)._replace(id=str(seat)) for seat, fide in enumerate(opponents, start=2)
    }
    return rate(known, section(entries, on=on, kind=SectionType.FIDE, youth=youth))


def one_pass(rating: float, games: float, opponents: list[float], score: float, bonus: float) -> float:
    """The standard formula of D25 section 4.2, once, by hand."""
    most = 50.0 if rating > 2355 else 50.0 / math.sqrt(0.662 + 0.00000739 * (2569.0 - rating) ** 2)
    m = len(opponents)
    expected = math.fsum(1.0 / (1.0 + 10.0 ** ((one - rating) / 400.0)) for one in opponents)
    change = 800.0 / (min(games, most) + m) * (score - expected)
    return rating + change + (max(0.0, change - bonus * math.sqrt(max(m, 4))) if m >= 3 else 0.0)


@pytest.mark.statement("M1")
def test_one_pass_of_the_standard_formula_against_converted_ratings() -> None:
    rated = event(us_player(ESTABLISHED), [2400.0, 2200.0, 1900.0], "D2 W3 W4")
    converted = [20 + 1.02 * 2400, 20 + 1.02 * 2200, -1073 + 1.5667 * 1900]
    assert after_of(rated, 1).rating == pytest.approx(one_pass(2350.0, 400, converted, 2.5, 10.0))
    assert workings_of(rated, 1).step4 is None
    assert [one.seat for one in rated.entries] == [1], "opponents are not rated"


@pytest.mark.statement("M1")
def test_the_bonus_is_earned_in_foreign_events() -> None:
    rated = event(us_player(Rating(2000.0, 400), 1990.0, fide_opt_in=True), [2400.0] * 4, "W2 W3 W4 W5")
    assert (workings_of(rated, 1).bonus or 0.0) > 0.0
    assert after_of(rated, 1).rating == pytest.approx(one_pass(2000.0, 400, [2468.0] * 4, 4.0, 10.0))


@pytest.mark.statement("M1")
def test_the_conversion_follows_the_day_of_the_section() -> None:
    before = event(us_player(ESTABLISHED), [1900.0], "W2", on="2024-02-29")
    assert after_of(before, 1).rating == pytest.approx(one_pass(2350.0, 400, [180 + 0.94 * 1900], 1.0, 12.0))
    since = event(us_player(ESTABLISHED), [1900.0], "W2", on="2024-03-01")
    assert after_of(since, 1).rating == pytest.approx(
        one_pass(2350.0, 400, [-1073 + 1.5667 * 1900], 1.0, 12.0)
    )


@pytest.mark.statement("M1", "Q38")
@pytest.mark.parametrize(
    ("on", "converted"),
    [
        ("2003-06-01", [2100 + 50, 1900 + 50]),
        ("2008-04-01", [2100, 1900]),
        ("2010-06-01", [-350 + 1.16 * 2100, 720 + 0.625 * 1900]),
        ("2015-01-01", [20 + 1.02 * 2100, 180 + 0.94 * 1900]),
    ],
)
def test_the_conversion_before_2015_holds_for_opponents_too(on: str, converted: list[float]) -> None:
    """Two games earn no bonus, and above 2355 effective games are 50 by the rules of all these days."""
    rated = event(us_player(Rating(2400.0, 400)), [2100.0, 1900.0], "W2 D3", on=on)
    assert workings_of(rated, 1).step5 == pytest.approx(one_pass(2400.0, 400, converted, 1.5, 0.0), abs=1e-9)


@pytest.mark.statement("M1")
def test_a_youth_event_has_a_conversion_of_its_own() -> None:
    rated = event(us_player(ESTABLISHED), [1900.0, 2100.0], "W2 D3", youth=True)
    converted = [-453 + 1.2667 * 1900, 80 + 2100.0]
    assert after_of(rated, 1).rating == pytest.approx(one_pass(2350.0, 400, converted, 1.5, 10.0))


@pytest.mark.statement("M1")
def test_opponents_without_a_fide_rating_drop_out_of_m_and_s() -> None:
    rated = event(us_player(ESTABLISHED), [2400.0, None, 2200.0], "D2 W3 W4 W3")
    converted = [20 + 1.02 * 2400, 20 + 1.02 * 2200]
    assert workings_of(rated, 1).score == 1.5
    assert after_of(rated, 1).rating == pytest.approx(one_pass(2350.0, 400, converted, 1.5, 10.0))
    assert after_of(rated, 1).games == 402
    codes = [finding.code for finding in rated.findings]
    assert codes.count("opponent-without-fide-rating") == 2


@pytest.mark.statement("M1", "A9")
def test_without_any_rated_opponent_nothing_changes() -> None:
    rated = event(us_player(ESTABLISHED), [None], "W2")
    assert after_of(rated, 1).rating == 2350.0
    assert after_of(rated, 1).games == 400
    assert workings_missing(rated)


def workings_missing(rated: RatedSection) -> bool:
    return seat_of(rated, 1).workings is None


@pytest.mark.statement("M1", "Q32")
def test_n_grows_by_the_counted_games() -> None:
    rated = event(us_player(ESTABLISHED), [2400.0, 2200.0, 1900.0], "D2 W3 W4")
    assert after_of(rated, 1).games == 403
    assert facts_after(rated)["1"].ratings[REGULAR].games == 403


@pytest.mark.statement("M1", "L1")
def test_counts_for_personal_floors_do_not_grow() -> None:
    rating = Rating(2350.0, 400, wins=200, draws=100, losses=100, long_events=70, life_master_games=100)
    after = facts_after(event(us_player(rating), [2400.0, 2200.0, 1900.0], "D2 W3 W4"))["1"].ratings[REGULAR]
    assert (after.wins, after.draws, after.losses, after.long_events) == (200, 100, 100, 70)


@pytest.mark.statement("M1", "L2")
def test_floors_hold_in_foreign_events() -> None:
    rated = event(us_player(Rating(2105.0, 400, peak=2310.0), 2205.0), [1900.0] * 5, "L2 L3 L4 L5 L6")
    assert workings_of(rated, 1).step5 < 2100.0
    assert after_of(rated, 1).rating == 2100.0


@pytest.mark.statement("M1", "L2", "Q12")
def test_a_peak_may_be_reached_in_a_foreign_event() -> None:
    rated = event(us_player(Rating(2350.0, 400, peak=2351.0)), [2500.0, 2500.0], "W2 W3")
    assert facts_after(rated)["1"].ratings[REGULAR].peak == after_of(rated, 1).rating


@pytest.mark.statement("M1", "A14", "Q30")
def test_stored_precision_holds_in_foreign_events() -> None:
    rated = event(us_player(ESTABLISHED), [2500.0, 2300.0], "W2 D3", on="2012-01-01")
    assert after_of(rated, 1).rating == math.ceil(workings_of(rated, 1).step5)


@pytest.mark.statement("M1", "G3", "A7")
def test_k_is_full_in_foreign_events() -> None:
    rated = event(us_player(ESTABLISHED), [2400.0, 2200.0], "D2 W3")
    most = 50.0 / math.sqrt(0.662 + 0.00000739 * (2569.0 - 2350.0) ** 2)
    assert workings_of(rated, 1).k == pytest.approx(800.0 / (most + 2))


# Who is updated


def updated(player: PlayerFacts, on: str, *, marked: bool = True) -> bool:
    rated = event(player, [2400.0], "W2", on=on, marked=marked)
    named = [finding.code for finding in rated.findings]
    changed = [one for one in rated.entries if one.workings is not None]
    assert ("fide-not-eligible" in named) == (marked and not changed)
    assert ("fide-updated-unmarked" in named) == bool(not marked and changed)
    for kept in rated.entries:
        if kept.workings is None:
            assert kept.after is not None, "only a rating is kept"
            assert (kept.after.rating, kept.after.games) == (kept.before.rating, kept.before.games)
    return bool(changed)


BY_J15 = ("2012-06-01", "2015-01-07", "2015-05-31")
BY_N15 = ("2015-06-01", IN_2016, "2025-02-09")
BY_D25 = ("2025-02-10", IN_2025)

ELIGIBILITY = [
    # FIDE, member, flag, opted in; then J15, N15, D25
    (2200.0, True, True, False, True, True, True),
    (2199.0, True, True, False, False, False, False),
    (2199.0, True, True, True, True, True, True),
    (None, True, True, False, False, False, False),
    (None, True, True, True, True, True, True),
    # J15: "or are current USCF members"; N15: only with a "USA flag"
    (2200.0, True, False, False, True, False, False),
    (2200.0, True, False, True, True, True, True),
    (2100.0, True, False, True, True, True, True),
    # N15 reserves it for current members
    (2200.0, False, True, False, True, False, False),
    (2200.0, False, True, True, True, False, False),
    (2200.0, False, False, True, False, False, False),
    # "USCF members who are rated under 2200 FIDE ... must opt-in": the others cannot
    (2100.0, False, True, True, False, False, False),
]


@pytest.mark.statement("M2", "M10")
@pytest.mark.parametrize("marked", [True, False], ids=["marked", "unmarked"])
@pytest.mark.parametrize(("fide", "member", "flag", "opted_in", "by_j15", "by_n15", "by_d25"), ELIGIBILITY)
def test_who_is_eligible(  # noqa: PLR0913 - the columns of a table
    fide: float | None,
    *,
    member: bool,
    flag: bool,
    opted_in: bool,
    by_j15: bool,
    by_n15: bool,
    by_d25: bool,
    marked: bool,
) -> None:
    player = us_player(ESTABLISHED, fide, us_member=member, usa_flag=flag, fide_opt_in=opted_in)
    for days, wanted in ((BY_J15, by_j15), (BY_N15, by_n15), (BY_D25, by_d25)):
        for on in days:
            assert updated(player, on, marked=marked) == wanted, on


@pytest.mark.statement("M10")
def test_who_is_updated_without_a_mark_is_named() -> None:
    rated = event(us_player(ESTABLISHED), [2400.0], "W2", marked=False)
    assert [(one.code, one.severity, one.where) for one in rated.findings[:1]] == [
        ("fide-updated-unmarked", "note", "section 1, seat 1")
    ]
    assert after_of(rated, 1) == after_of(event(us_player(ESTABLISHED), [2400.0], "W2"), 1)


def test_older_timelines_update_marked_entries_alone() -> None:
    """A book of an earlier version keeps its variants and its ratings (decision 18)."""
    older = (
        load_rulebook().in_force(REGULAR, date(2025, 6, 1))._replace(foreign_eligibility=ESTABLISHED_MEMBER)
    )
    entries = [entry(1, "W3")._replace(update=True), entry(2, "W3"), entry(3, "L1")]
    known = {
        "1": us_player(ESTABLISHED),
        "2": us_player(ESTABLISHED)._replace(id="2"),
        "3": opponent(2400.0)._replace(id="3"),
    }
    rated = rate_section(section(entries, on=IN_2025, kind=SectionType.FIDE), known, REGULAR, older)
    assert [one.seat for one in rated.entries if one.workings is not None] == [1]


@pytest.mark.statement("M2", "Q32")
@pytest.mark.parametrize(
    ("games", "in_2016", "in_2025"),
    [(8, False, False), (9, True, False), (25, True, False), (26, True, True), (None, True, True)],
)
def test_how_many_games_a_rating_needs(games: float | None, *, in_2016: bool, in_2025: bool) -> None:
    player = us_player(Rating(2250.0, games))
    assert updated(player, IN_2016) == in_2016
    assert updated(player, IN_2025) == in_2025


@pytest.mark.parametrize(
    ("games", "on", "reason"),
    [
        (8, "2025-02-09", "an OTB Regular rating on more than 8 games is needed"),
        (8, "2025-02-10", "an established OTB Regular rating is needed"),
        (25, "2025-02-10", "an established OTB Regular rating is needed"),
    ],
)
def test_a_refusal_says_which_rating_the_day_asks_for(games: int, on: str, reason: str) -> None:
    rules = load_rulebook().in_force(REGULAR, date.fromisoformat(on))
    assert not_eligible_because(us_player(Rating(2250.0, games)), REGULAR, rules) == reason


@pytest.mark.statement("M2", "Q32")
def test_the_unrated_are_not_updated() -> None:
    player = us_player(ESTABLISHED)._replace(ratings={})
    assert not updated(player, IN_2016)
    assert not updated(player, IN_2025)
    assert not updated(us_player(Rating(2250.0, 0)), IN_2016)


@pytest.mark.statement("M1", "Q32")
def test_an_unbroken_record_is_rated_by_the_standard_formula_all_the_same() -> None:
    """Section 6 applies the standard formula to everybody it updates."""
    player = us_player(Rating(2350.0, 400, record=Record.WINS))
    assert workings_of(event(player, [2400.0], "D2"), 1).formula == "standard"


@pytest.mark.statement("M1")
def test_a_us_opponent_who_is_updated_too_stands_at_his_converted_fide_rating() -> None:
    entries = [entry(1, "W2")._replace(update=True), entry(2, "L1")._replace(update=True)]
    known = {
        "1": us_player(ESTABLISHED, 2300.0),
        "2": us_player(Rating(2250.0, 300), 2210.0)._replace(id="2"),
    }
    rated = rate(known, section(entries, on=IN_2025, kind=SectionType.FIDE))
    assert after_of(rated, 1).rating == pytest.approx(one_pass(2350.0, 400, [20 + 1.02 * 2210], 1.0, 10.0))
    assert after_of(rated, 2).rating == pytest.approx(one_pass(2250.0, 300, [20 + 1.02 * 2300], 0.0, 10.0))


@pytest.mark.statement("A8", "M1")
def test_a_us_player_on_two_seats_has_the_games_of_both() -> None:
    entries = [
        entry(1, "W3 U")._replace(update=True),
        entry(2, "U W3", "1")._replace(update=True),
        entry(3, "L1 L2"),
    ]
    known = {"1": us_player(ESTABLISHED), "3": opponent(2300.0)._replace(id="3")}
    rated = rate(known, section(entries, on=IN_2025, kind=SectionType.FIDE))
    assert after_of(rated, 1) == after_of(rated, 2)
    assert after_of(rated, 1).games == 402


@pytest.mark.statement("A8", "B3", "M1", "Q8")
def test_an_opponent_on_two_seats_is_met_twice() -> None:
    """Three games, one person met twice: no bonus since 2025."""
    entries = [
        entry(1, "W2 W3 W4")._replace(update=True),
        entry(2, "L1", "A"),
        entry(3, "U L1", "A"),
        entry(4, "U U L1", "B"),
    ]
    known = {
        "1": us_player(Rating(2000.0, 400), fide_opt_in=True),
        "A": opponent(2400.0)._replace(id="A"),
        "B": opponent(2400.0)._replace(id="B"),
    }
    rated = rate(known, section(entries, on=IN_2025, kind=SectionType.FIDE))
    assert workings_of(rated, 1).bonus == 0.0
