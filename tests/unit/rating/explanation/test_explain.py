"""What an explanation must not say, and what it must: the findings of an audit, each with its own case."""

from __future__ import annotations

import math
from datetime import date
from typing import TYPE_CHECKING

import pytest

from examples.explained_pages import check_page
from examples.printed_pages import read_page
from ratebook.cli.report.explanation import explanation_lines
from ratebook.model import (
    Ceiling,
    EnteredFloor,
    FloorKind,
    FloorRequest,
    ForeignRating,
    PlayerFacts,
    Rating,
    SectionType,
    System,
)
from ratebook.rating.explanation.explain import explain
from ratebook.rules.rulebook import load_rulebook
from support.builders import BLITZ, ONLINE_BLITZ, REGULAR, entry, players, rate, section

if TYPE_CHECKING:
    from examples.printed_pages import Page
    from ratebook.rating.results import RatedSection

KNOWN = Rating(1710.0, 140, wins=60, draws=20, losses=60, long_events=30, peak=1941.0, life_master_games=0)
LAST = "Floors, ceiling and result"


def page_of(rated: RatedSection, seat: int = 1) -> Page:
    """Return the printed explanation of *seat*, every figure of it computed again."""
    explanation = explain(rated, seat, load_rulebook())
    assert explanation is not None
    page = read_page(explanation_lines(explanation))
    check_page(page)
    return page


# Step 1 cites the clause that decided

BLITZ_OF_2016 = section(["W2 W3", "L1 D3", "L1 D2"], on="2016-09-01", time_control="G/5;d0")


@pytest.mark.parametrize(
    ("newcomer", "rank", "clause", "source"),
    [
        (
            PlayerFacts("", ratings={REGULAR: Rating(1800.0, 26)}, fide=ForeignRating(2151.0)),
            1,
            "regular-established",
            "OTB Regular",
        ),
        (
            PlayerFacts("", ratings={REGULAR: Rating(1759.0, 12)}, fide=ForeignRating(2151.0)),
            2,
            "fide",
            "FIDE",
        ),
        (PlayerFacts("", cfc=ForeignRating(1700.0)), 3, "cfc", "CFC"),
        (PlayerFacts("", ratings={REGULAR: Rating(1759.0, 12)}), 4, "regular-from-few-games", "OTB Regular"),
        (PlayerFacts("", ratings={System.QUICK: Rating(1643.0, 4)}), 5, "quick-from-few-games", "OTB Quick"),
    ],
)
def test_the_clause_that_decided_is_cited_with_the_rating_it_started_from(
    newcomer: PlayerFacts, rank: int, clause: str, source: str
) -> None:
    """J15 section 2.3 lists six clauses for Blitz."""
    rated = rate(
        players([newcomer, Rating(1700.0, 100), Rating(1650.0, 80)], BLITZ), BLITZ_OF_2016, system=BLITZ
    )
    page = page_of(rated)
    cited = {name: word for name, word in page.rules.items() if name.startswith("initial_priority")}
    assert cited == {f"initial_priority_{rank}": clause}
    assert f"{source}: rating" in page.step("Step 1").figures


def test_a_newcomer_by_age_is_told_the_clause_of_age_and_the_age_itself() -> None:
    newcomer = PlayerFacts("", birth_date=date(2006, 9, 1))
    rated = rate(
        players([newcomer, Rating(700.0, 100), Rating(650.0, 80)], BLITZ), BLITZ_OF_2016, system=BLITZ
    )
    page = page_of(rated)
    assert page.rules["initial_priority_6"] == "age"
    age = page.step("Step 1").number("age at the end of the section")
    assert age == pytest.approx((date(2016, 9, 1) - date(2006, 9, 1)).days / 365.25, abs=1e-6)


# What is said of floors


def lost(rating: Rating | PlayerFacts, **of_section: object) -> RatedSection:
    """Rate somebody who loses three games to equal opponents."""
    others = [Rating(1700.0, 100), Rating(1690.0, 80), Rating(1720.0, 90)]
    rounds = ["L2 L3 L4", "W1 D3 D4", "D4 W1 D2", "D3 D2 W1"]
    return rate(players([rating, *others]), section(rounds, on="2026-06-06", **of_section))  # type: ignore[arg-type]


@pytest.mark.parametrize(("games", "formula"), [(30, "standard"), (5, "special")])
def test_a_rating_clamped_to_100_is_not_said_to_have_reached_no_floor(games: float, formula: str) -> None:
    weak = Rating(103.0, games)
    rounds = ["L2 L3", "W1 D3", "W1 D2"]
    played = section(rounds, on="2015-09-01", time_control="G/5;d0", online=True)
    rated = rate(
        players([weak, Rating(150.0, 90), Rating(140.0, 80)], ONLINE_BLITZ), played, system=ONLINE_BLITZ
    )
    page = page_of(rated)
    assert page.step("Floors").figures["rating after"] == 100
    assert "No floor was reached" not in page.step("Floors").text
    assert "At the absolute floor" in page.step("Floors").text
    assert "where the result is held" in page.step("Step 5").text
    assert formula in page.step("Steps 4 and 5").text.lower()


def match(rating: Rating, request: FloorRequest | None) -> RatedSection:
    """Rate a match that the player loses by far."""
    known = players([rating, Rating(1700.0, 100, published=1700)])
    entries = [entry(1, "L2 L2 L2 L2")._replace(floor_request=request), entry(2, "W1 W1 W1 W1")]
    return rate(known, section(entries, on="2026-06-06", kind=SectionType.MATCH))


def test_a_granted_request_is_not_said_to_hold_at_the_old_floor() -> None:
    """D25 section 7: 1710 less 50 is 1660, below the floor of 1700; granted, the floor is 1600."""
    page = page_of(match(KNOWN._replace(published=1710), FloorRequest.GRANTED))
    text = page.step("Floors").text
    assert page.step("Floors").figures["rating after"] == 1660
    assert "No floor was reached" not in text
    assert "granted the floor request" in text
    assert "Held at" not in text


def test_open_and_denied_requests_say_so() -> None:
    rating = KNOWN._replace(published=1710)
    assert "a floor request is open" in page_of(match(rating, None)).step("Floors").text
    assert "denied the floor request" in page_of(match(rating, FloorRequest.DENIED)).step("Floors").text


def test_what_is_known_at_least_is_told_from_what_is_known() -> None:
    figures = page_of(lost(Rating(1710.0, 140))).step("Floors").figures
    assert figures["highest established rating before (at least)"] == 1710
    assert figures["wins, this section included (at least)"] == 0
    figures = page_of(lost(KNOWN)).step("Floors").figures
    assert figures["highest established rating before"] == 1941
    assert figures["wins, this section included"] == 60


def test_a_prize_and_a_lowered_floor_are_named() -> None:
    prize = PlayerFacts(
        "", ratings={REGULAR: KNOWN}, floors=(EnteredFloor(REGULAR, FloorKind.MONEY, 1800.0),)
    )
    page = page_of(lost(prize))
    assert page.step("Floors").figures["entered by the office: a prize"] == 1800
    assert "Raised to the floor entered by the office." in page.step("Floors").text
    assert "money_floor_highest" in page.rules
    lowered = prize._replace(floors=(EnteredFloor(REGULAR, FloorKind.LOWERED, 1600.0),))
    page = page_of(lost(lowered))
    assert page.step("Floors").figures["lowered floor"] == 1600
    assert page.step("Floors").figures["peak floor"] == "replaced by the lowered floor"


# Ceilings


@pytest.mark.parametrize(
    ("ceiling", "words"),
    [
        (1600.0, "Not raised: the rating before was already above the ceiling."),
        (1720.0, "Not raised above the ceiling."),
        (2500.0, "The ceiling was not reached."),
    ],
)
def test_a_ceiling_says_what_it_did(ceiling: float, words: str) -> None:
    winner = PlayerFacts(
        "", ratings={REGULAR: KNOWN._replace(peak=1750.0)}, ceilings=(Ceiling(REGULAR, ceiling),)
    )
    others = [Rating(1700.0, 100), Rating(1690.0, 80), Rating(1720.0, 90)]
    rounds = ["W2 W3 W4", "L1 D3 D4", "D4 L1 D2", "D3 D2 L1"]
    page = page_of(rate(players([winner, *others]), rounds, on="2026-06-06"))
    assert words in page.step("Floors").text


def test_a_rating_above_its_ceiling_that_falls_is_not_said_to_be_below_it() -> None:
    facts = PlayerFacts(
        "", ratings={REGULAR: KNOWN._replace(peak=1750.0)}, ceilings=(Ceiling(REGULAR, 1600.0),)
    )
    assert "above the ceiling, which does not lower it" in page_of(lost(facts)).step("Floors").text


# Steps 3 to 5


def test_step_4_says_how_every_kind_of_opponent_is_rated() -> None:
    """D25 section 1: an unrated opponent with N above 0 enters Step 4 at the Step 1 rating."""
    text = " ".join(page_of(lost(KNOWN)).step("Step 4").text.split())
    assert "Rated opponents count at their ratings before the section" in text
    assert "unrated ones at their Step 3 results (N = 0) or their Step 1 ratings (N above 0)" in text


def test_the_special_formula_balances_on_the_page() -> None:
    page = page_of(lost(Rating(1710.0, 6)))
    for step in (page.step("Step 4"), page.step("Step 5")):
        assert step.figures["score with earlier games (S')"] == 3
        assert step.number("expected with earlier games") == pytest.approx(3, abs=1e-6)
        assert math.isclose(
            step.number("expected score (E)") + step.number("expected of earlier games (N' PWe(R, R0'))"),
            step.number("expected with earlier games"),
            abs_tol=2e-6,
        )


def test_the_threshold_of_the_bonus_cites_least_games_and_meetings() -> None:
    assert {
        "bonus_multiplier",
        "bonus_least_counted_games",
        "bonus_eligibility_least_games",
        "bonus_eligibility_most_meetings",
        "bonus_eligibility_most_meetings_at_least_games",
    } <= page_of(lost(KNOWN)).rules.keys()


# Foreign FIDE events


def test_a_foreign_event_is_one_pass_and_cites_who_is_eligible() -> None:
    player = PlayerFacts(
        "",
        ratings={REGULAR: KNOWN._replace(rating=2150.0, peak=2200.0)},
        fide=ForeignRating(2160.0),
        us_member=True,
        usa_flag=True,
        fide_opt_in=True,
    )
    known = players([player, PlayerFacts("", fide=ForeignRating(2250.0)), PlayerFacts("")])
    entries = [entry(1, "W2 D3")._replace(update=True), entry(2, "L1 U"), entry(3, "U D1")]
    page = page_of(rate(known, section(entries, on="2026-06-06", kind=SectionType.FIDE)))
    assert not any(title.startswith(("Step 4", "Step 5")) for title in page.steps)
    step = page.step("One pass")
    assert step.figures["FIDE rating of 2 (seat 2)"] == 2250
    assert step.games[0].faced == pytest.approx(20 + 1.02 * 2250)
    assert len(step.games) == 1
    assert {
        "foreign_eligibility",
        "foreign_automatic_rating",
        "fide_conversion_high_slope",
    } <= page.rules.keys()


def test_somebody_who_is_not_eligible_is_told_why() -> None:
    player = PlayerFacts("", ratings={REGULAR: KNOWN}, fide=ForeignRating(1900.0))
    known = players([player, PlayerFacts("", fide=ForeignRating(2250.0))])
    entries = [entry(1, "W2")._replace(update=True), entry(2, "L1")]
    page = page_of(rate(known, section(entries, on="2026-06-06", kind=SectionType.FIDE)))
    assert "only members are updated" in page.step("Result").text
