"""Checks of players: ids, ages, memberships, floors, and results that do not fit a rating."""

from __future__ import annotations

from datetime import date

import pytest

from ratebook.checks import ReportedFacts, check_report
from ratebook.checks.players import age_on
from ratebook.findings import Severity
from ratebook.model import (
    Ceiling,
    EnteredFloor,
    FloorKind,
    ForeignRating,
    InitialRating,
    PlayerFacts,
    Rating,
    SectionType,
    System,
)
from ratebook.reports.rate import rate_report
from ratebook.rules.rulebook import load_rulebook
from unit.checks.checked_reports import (
    DAY,
    QUAD,
    found,
    rated,
    report_of,
    report_with,
    section_of,
    severities,
)

MEMBERS = ("90000001", "90000002", "90000003", "90000004")


@pytest.mark.parametrize("wrong", ["9000001", "900000001", "00000000", "1"])
def test_an_id_of_digits_among_member_ids_has_eight_of_them(wrong: str) -> None:
    report = report_of(*QUAD, players=(*MEMBERS[:3], wrong))
    assert found(report) == [("member-id-wrong", f"player {wrong}")]
    assert severities(report) == {"member-id-wrong": Severity.ERROR}


@pytest.mark.parametrize(
    "keys", [MEMBERS, ("P1", "P2", "P3", "P4"), ("1", "2", "3", "4"), (*MEMBERS[:3], "seat-4")]
)
def test_member_ids_and_keys_of_the_reports_own_are_taken(keys: tuple[str, ...]) -> None:
    assert check_report(report_of(*QUAD, players=keys)) == []


def test_the_form_of_an_id_can_be_another_or_not_be_asked_for() -> None:
    report = report_of(*QUAD, players=("123456", "234567", "345678", "90000004"))
    assert [place for _, place in found(report)] == ["player 123456", "player 234567", "player 345678"]
    assert found(report, ReportedFacts(member_id_pattern="[0-9]{6}")) == [
        ("member-id-wrong", "player 90000004")
    ]
    assert check_report(report, ReportedFacts(member_id_pattern="")) == []


def test_opponents_in_foreign_events_need_no_member_id() -> None:
    keys = ("90000001", "2000001")
    facts = {keys[1]: PlayerFacts(keys[1], birth_date=date(1990, 1, 1))}
    foreign = section_of("W2", "L1", players=keys, kind=SectionType.FIDE, update=(1,))
    assert [code for code, _ in found(report_with(foreign, facts=facts))] == ["fide-rating-missing"]
    own = section_of("W2", "L1", players=keys, number=2)
    assert found(report_with(foreign, own, facts=facts))[0] == ("member-id-wrong", "player 2000001")


def test_a_player_with_a_fide_rating_may_stand_under_the_fide_number() -> None:
    facts = {"2000001": rated("2000001")._replace(fide=ForeignRating(2000))}
    assert check_report(report_of(*QUAD, players=(*MEMBERS[:3], "2000001"), facts=facts)) == []


def born(day: date | None) -> dict[str, PlayerFacts]:
    return {"P1": rated("P1")._replace(birth_date=day)}


@pytest.mark.parametrize(
    ("day", "codes"),
    [
        (date(2026, 11, 15), ["birth-date-after-event"]),
        (date(2026, 11, 14), ["age-unlikely"]),
        (date(2023, 11, 15), ["age-unlikely"]),
        (date(2023, 11, 14), []),
        (date(1915, 11, 15), []),
        (date(1915, 11, 14), ["age-unlikely"]),
        (None, []),
    ],
)
def test_players_are_between_three_and_a_hundred_and_ten(day: date | None, codes: list[str]) -> None:
    report = report_of(*QUAD, facts=born(day))
    assert [code for code, _ in found(report)] == codes
    assert all(place == "player P1, birth_date" for _, place in found(report))
    for finding in check_report(report):
        assert finding.severity is (
            Severity.ERROR if finding.code == "birth-date-after-event" else Severity.WARNING
        )
        assert "2023" not in finding.message
        assert "1915" not in finding.message


def test_the_end_of_the_players_last_section_counts() -> None:
    first = section_of(*QUAD, start=None, end=date(2026, 11, 13))
    second = section_of(*QUAD, number=2)
    without_p1 = section_of("W2", "L1", number=2, players=("P2", "P3"))
    facts = born(date(2023, 11, 14))
    assert check_report(report_with(second, first._replace(number=1), facts=facts)) == []
    assert [code for code, _ in found(report_with(first, without_p1, facts=facts))] == ["age-unlikely"]


def test_players_without_an_entry_have_no_age_to_be_checked() -> None:
    report = report_of("W2", "L1", facts={"P9": rated("P9")._replace(birth_date=DAY)})
    assert check_report(report) == []


@pytest.mark.parametrize(
    ("birth", "day", "age"),
    [
        (date(2000, 2, 29), date(2003, 2, 28), 2),
        (date(2000, 2, 29), date(2003, 3, 1), 3),
        (date(2000, 5, 1), date(2000, 5, 1), 0),
        (date(2000, 5, 1), date(2026, 5, 1), 26),
    ],
)
def test_an_age_is_the_number_of_birthdays(birth: date, day: date, age: int) -> None:
    assert age_on(birth, day) == age


@pytest.mark.parametrize(("last", "expired"), [(date(2026, 11, 13), True), (DAY, False)])
def test_a_membership_holds_to_the_last_day_of_the_section(last: date, *, expired: bool) -> None:
    facts = ReportedFacts(expires={"P3": last, "P9": date(2000, 1, 1)})
    report = report_of(*QUAD)
    assert found(report, facts) == ([("membership-expired", "section 1, seat 3")] if expired else [])
    assert set(severities(report, facts).values()) <= {Severity.WARNING}


UNKNOWN = PlayerFacts("P1", "P1 EXAMPLE")


def test_an_unrated_player_of_unknown_age_is_a_warning_for_the_section() -> None:
    report = report_of(*QUAD, facts={"P1": UNKNOWN, "P4": UNKNOWN._replace(id="P4", name="")})
    assert found(report) == [("unrated-without-birth-date", "section 1, seats 1, 4")]
    assert severities(report) == {"unrated-without-birth-date": Severity.WARNING}


@pytest.mark.parametrize(
    "player",
    [
        UNKNOWN._replace(birth_date=date(2010, 1, 1)),
        UNKNOWN._replace(adult=True),
        UNKNOWN._replace(adult=False),
        UNKNOWN._replace(ratings={System.ONLINE_BLITZ: Rating(900, 5)}),
        UNKNOWN._replace(fide=ForeignRating(1800)),
        UNKNOWN._replace(cfc=ForeignRating(1800)),
        UNKNOWN._replace(initial={System.REGULAR: InitialRating(900)}),
    ],
)
def test_a_birth_date_is_wanted_only_where_the_initial_rating_rests_on_it(player: PlayerFacts) -> None:
    assert check_report(report_of(*QUAD, facts={"P1": player})) == []


def test_a_decided_initial_rating_serves_its_own_system_only() -> None:
    player = UNKNOWN._replace(initial={System.REGULAR: InitialRating(900)})
    dual = report_with(section_of(*QUAD, time_control="G/60;d5"), facts={"P1": player})
    assert [code for code, _ in found(dual)] == ["unrated-without-birth-date"]


def test_who_did_not_play_needs_no_initial_rating() -> None:
    assert check_report(report_of("H U", "W3 -", "L2 X", facts={"P1": UNKNOWN})) == []


def test_foreign_events_give_no_initial_rating() -> None:
    us_player = rated("P2")._replace(fide=ForeignRating(1700))
    facts = {"P1": UNKNOWN, "P2": us_player}
    report = report_of("W2", "L1", kind=SectionType.FIDE, update=(2,), facts=facts)
    assert [code for code, _ in found(report)] == ["fide-rating-missing"]


@pytest.mark.statement("A17")
@pytest.mark.parametrize(("floor", "codes"), [(1900, ["floor-above-ceiling"]), (1800, []), (1700, [])])
def test_a_floor_above_the_ceiling_of_the_same_system_is_an_error(floor: float, codes: list[str]) -> None:
    facts = rated("P1")._replace(
        floors=(
            EnteredFloor(System.REGULAR, FloorKind.OFFICE, floor),
            EnteredFloor(System.REGULAR, FloorKind.OFFICE, 1500),
            EnteredFloor(System.QUICK, FloorKind.OFFICE, 2000),
        ),
        ceilings=(Ceiling(System.REGULAR, 1800),),
    )
    report = report_of(*QUAD, facts={"P1": facts})
    assert [finding.code for finding in check_report(report)] == codes
    assert all(finding.where == "player P1, regular" for finding in check_report(report))


@pytest.mark.parametrize(
    ("kind", "floor", "words"),
    [
        (FloorKind.MONEY, 1850.0, "a multiple of 100 from 100 to 2000, not 1850"),
        (FloorKind.MONEY, 2100.0, "a multiple of 100 from 100 to 2000, not 2100"),
        (FloorKind.OLM, 2100.0, " is 2200, not 2100"),
        (FloorKind.OFFICE, 1100.0, "a multiple of 100 from 1200 to 2100, not 1100"),
    ],
)
def test_a_floor_of_a_report_made_by_a_program_is_at_a_level_of_its_kind(
    kind: FloorKind, floor: float, words: str
) -> None:
    facts = rated("P1")._replace(floors=(EnteredFloor(System.REGULAR, kind, floor),))
    (wrong,) = rate_report(report_of(*QUAD, facts={"P1": facts}), load_rulebook()).findings
    assert (wrong.code, wrong.severity, wrong.where) == (
        "floor-level-wrong",
        Severity.ERROR,
        "player P1, regular",
    )
    assert words in wrong.message


def four_players(first: PlayerFacts, *others: float) -> dict[str, PlayerFacts]:
    return {"P1": first} | {
        f"P{seat}": rated(f"P{seat}", points) for seat, points in enumerate(others, start=2)
    }


@pytest.mark.parametrize(
    ("own", "message"),
    [
        # 2.5 of 3 against 1400, 1500, 1600: 1500 + 400 (2 - 0) / 3 = 1766.67.
        (1166.6, "performed 600 points above the regular rating of 1167"),
        (1166.7, ""),
        (2366.6, ""),
        (2366.7, "performed 600 points below the regular rating of 2367"),
    ],
)
def test_a_performance_more_than_600_points_away_is_a_warning(own: float, message: str) -> None:
    report = report_of(*QUAD, facts=four_players(rated("P1", own), 1400, 1500, 1600))
    expected = [("performance-unlikely", "section 1, seat 1")] if message else []
    assert found(report) == expected
    assert all(message in finding.message for finding in check_report(report))
    assert set(severities(report).values()) <= {Severity.WARNING}


def test_who_wins_everything_did_not_perform_below_a_higher_rating() -> None:
    rounds = ("W2 W3 W4", "L1 U U", "U L1 U", "U U L1")
    assert check_report(report_of(*rounds, facts=four_players(rated("P1", 2700), 1400, 1500, 1600))) == []
    low = report_of(*rounds, facts=four_players(rated("P1", 1299), 1400, 1500, 1600))
    assert found(low) == [("performance-unlikely", "section 1, seat 1")]


def test_who_loses_everything_did_not_perform_above_a_lower_rating() -> None:
    rounds = ("L2 L3 L4", "W1 U U", "U W1 U", "U U W1")
    assert check_report(report_of(*rounds, facts=four_players(rated("P1", 200), 1400, 1500, 1600))) == []
    high = report_of(*rounds, facts=four_players(rated("P1", 1701), 1400, 1500, 1600))
    assert found(high) == [("performance-unlikely", "section 1, seat 1")]


@pytest.mark.parametrize(("games", "codes"), [(25, []), (26, ["performance-unlikely"])])
def test_provisional_ratings_are_expected_to_move(games: float, codes: list[str]) -> None:
    report = report_of(*QUAD, facts=four_players(rated("P1", 500, games), 1400, 1500, 1600))
    assert [code for code, _ in found(report)] == codes


def test_two_games_and_games_against_unrated_opponents_say_nothing() -> None:
    few = report_of("W2 W3 H", "L1 U U", "U L1 U", facts=four_players(rated("P1", 500), 1400, 1500))
    assert check_report(few) == []
    unrated = PlayerFacts("P4", birth_date=date(2000, 1, 1))
    facts = four_players(rated("P1", 500), 1400, 1500) | {"P4": unrated}
    assert check_report(report_of(*QUAD, facts=facts)) == []


def test_a_rating_on_no_games_is_none() -> None:
    facts = four_players(rated("P1", 500, 0), 1400, 1500, 1600)
    assert check_report(report_of(*QUAD, facts=facts)) == []


@pytest.mark.statement("A8")
def test_both_seats_of_one_person_make_one_performance() -> None:
    report = report_of(
        "W3 U U",
        "U W3 W4",
        "L1 L2 U",
        "U U L2",
        players=("P1", "P1", "P3", "P4"),
        facts={"P1": rated("P1", 700)},
    )
    assert found(report) == [
        ("player-two-seats", "section 1, seat 2"),
        ("performance-unlikely", "section 1, seat 1"),
    ]


def test_the_system_of_the_section_in_which_most_are_rated_is_compared() -> None:
    """At G/60;d5 Regular and Quick rate the section; here only one player has a Regular rating."""
    facts = {f"P{seat}": rated(f"P{seat}", 1500, system=System.QUICK) for seat in range(1, 5)}
    facts["P1"] = PlayerFacts("P1", ratings={System.REGULAR: Rating(400), System.QUICK: Rating(800)})
    dual = report_with(section_of(*QUAD, time_control="G/60;d5"), facts=facts)
    assert "above the quick rating of 800" in check_report(dual)[0].message
    # At G/90;d5 Regular alone rates it, and nobody else is rated there.
    assert check_report(report_with(section_of(*QUAD), facts=facts)) == []


def test_codes_that_no_title_has_are_a_warning() -> None:
    first = rated("P1", 1500)
    facts = four_players(first._replace(titles="C GM NM"), 1400, 1500, 1600)
    facts["P2"] = facts["P2"]._replace(titles="4 OLM S")
    assert found(report_of(*QUAD, facts=facts)) == [("title-unknown", "player P1, titles")]


@pytest.mark.parametrize(
    ("end", "rating", "as_of", "low"),
    [
        (date(2024, 2, 29), 1000, None, False),
        (date(2024, 2, 29), 999, None, True),
        (date(2024, 3, 1), 1399, None, True),
        (date(2024, 3, 1), 1400, None, False),
        (date(2024, 3, 1), 1399, date(2024, 2, 1), False),
    ],
)
def test_the_lowest_fide_rating_is_that_of_the_day(
    end: date, rating: float, as_of: date | None, *, low: bool
) -> None:
    facts = {"P1": rated("P1")._replace(fide=ForeignRating(rating, as_of))}
    report = report_with(section_of(*QUAD, start=end, end=end), facts=facts)
    assert [code for code, _ in found(report) if code == "fide-rating-too-low"] == [
        "fide-rating-too-low"
    ] * low
