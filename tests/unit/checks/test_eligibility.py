"""Who may play a match, and two-player sections that are not coded as one: by the rules of the day.

Source: docs/rules/readings.md#a19.
"""

from __future__ import annotations

from datetime import date

import pytest

from ratebook.checks.eligibility import check_ceilings, check_match, check_match_coding
from ratebook.findings import Severity
from ratebook.model import Bound, Ceiling, Cell, Entry, PlayerFacts, Rating, Section, SectionType
from ratebook.rules.rulebook import rules_on
from support.builders import REGULAR, players, rules_of, section

TODAY = "2025-06-01"


def section_of(*rounds: str, kind: SectionType = SectionType.SWISS) -> Section:
    entries = tuple(
        Entry(
            seat,
            f"P{seat}",
            tuple(Cell(word[0], int(word[1:]) if word[1:] else None) for word in text.split()),
        )
        for seat, text in enumerate(rounds, start=1)
    )
    day = date(2026, 11, 14)
    return Section(1, "", day, day, "G/90;d5", kind, online=False, half_k=False, youth=False, entries=entries)


@pytest.mark.statement("A19")
@pytest.mark.parametrize("kind", [SectionType.SWISS, SectionType.ROUND_ROBIN, SectionType.OTHER])
def test_two_players_with_two_games_not_coded_as_a_match_are_a_warning_from_2006(kind: SectionType) -> None:
    section = section_of("W2 D2", "L1 D1", kind=kind)
    (finding,) = check_match_coding(section, rules_on("2006-01-01"))
    assert (finding.code, finding.severity) == ("match-not-coded", Severity.WARNING)
    assert finding.where == "section 1, type"
    assert list(check_match_coding(section, rules_on("2005-12-31"))) == []


@pytest.mark.statement("A19", "Q39")
def test_three_games_of_two_players_were_a_match_in_2005() -> None:
    section = section_of("W2 D2 L2", "L1 D1 W1")
    assert list(check_match_coding(section, rules_on("2004-12-31"))) == []
    (finding,) = check_match_coding(section, rules_on("2005-01-01"))
    assert finding.code == "match-not-coded"


@pytest.mark.statement("A19")
@pytest.mark.parametrize(
    "section",
    [
        section_of("W2 U", "L1 U"),
        section_of("W2 X", "L1 F"),
        section_of("W2 W3 U", "L1 U U", "U L1 U"),
        section_of("W2 D2", "L1 D1", kind=SectionType.MATCH),
        section_of("W2 D2", "L1 D1", kind=SectionType.FIDE),
    ],
    ids=["one game", "one game and a forfeit", "three players", "a match", "a foreign event"],
)
def test_other_small_sections_are_no_uncoded_matches(section: Section) -> None:
    assert list(check_match_coding(section, rules_on("2026-11-14"))) == []


def codes(first: Rating | None, second: Rating | None, on: str = TODAY) -> list[str]:
    known = players([first, second])
    played = section(["W2", "L1"], on=on, kind=SectionType.MATCH)
    found = check_match(played, known, REGULAR, rules_of(on))
    return [finding.code for finding in found if finding.severity is Severity.WARNING]


def published(rating: int, games: float | None = 60, now: float | None = 60) -> Rating:
    return Rating(float(rating), now, published=rating, published_games=games)


@pytest.mark.statement("M3", "Q23")
def test_both_players_of_a_match_are_established_and_published() -> None:
    assert codes(published(1500), published(1600)) == []
    assert codes(published(1500, 26, 26), published(1600)) == []
    assert codes(published(1500, 25), published(1600)) == ["match-not-established"]
    assert codes(published(1500, 60, 25), published(1600)) == ["match-not-established"]
    assert codes(None, published(1600)) == ["match-not-established"]
    assert codes(published(1500), None) == ["match-not-established"]
    assert codes(published(1500, 8), published(1600, 8)) == ["match-not-established"] * 2


@pytest.mark.statement("Q39")
@pytest.mark.parametrize(
    ("on", "provisional"), [("2001-01-01", True), ("2005-12-31", True), ("2006-01-01", False)]
)
def test_before_2006_a_published_rating_may_be_provisional(on: str, *, provisional: bool) -> None:
    warnings = [] if provisional else ["match-not-established"]
    assert codes(published(1500, 8), published(1600), on) == warnings
    assert codes(None, published(1600), on) == ["match-not-established"]
    assert codes(published(1500, 8), published(1901), on) == [*warnings, "match-too-far-apart"]


@pytest.mark.statement("M3", "Q23")
@pytest.mark.parametrize(
    ("first", "second", "allowed"), [(1500, 1900, True), (1500, 1901, False), (1901, 1500, False)]
)
def test_their_published_ratings_are_400_apart_at_most(first: int, second: int, *, allowed: bool) -> None:
    assert codes(published(first), published(second)) == ([] if allowed else ["match-too-far-apart"])


@pytest.mark.statement("M3", "Q23")
def test_the_published_ratings_decide_and_not_the_ratings_themselves() -> None:
    first = Rating(1500.0, 60, published=1450, published_games=60)
    second = Rating(1840.0, 60, published=1851, published_games=60)
    assert codes(first, second) == ["match-too-far-apart"]
    second = Rating(1960.0, 60, published=1850, published_games=60)
    assert codes(first, second) == []


@pytest.mark.parametrize(("own", "of_list", "named"), [(12, 60, 12), (60, 12, 12), (8, 5, 5)])
def test_the_number_of_games_that_decides_is_named(own: int, of_list: int, named: int) -> None:
    few = Rating(1500.0, own, published=1500, published_games=of_list)
    known = players([few, published(1500)])
    played = section(["W2", "L1"], on=TODAY, kind=SectionType.MATCH)
    (found,) = check_match(played, known, REGULAR, rules_of(TODAY))
    assert f"is based on {named} games" in found.message


@pytest.mark.statement("M3")
def test_each_pair_of_a_team_match_is_judged_by_itself() -> None:
    """Two published team matches of 24 and 26 boards were rated as one section (found in June 2021)."""
    known = players([published(1500), published(1600), published(1450), published(2000), published(900, 3)])
    boards = section(["W2", "L1", "D4", "D3", ""], on=TODAY, kind=SectionType.MATCH)
    found = list(check_match(boards, known, REGULAR, rules_of(TODAY)))
    assert [(one.code, one.where) for one in found] == [("match-too-far-apart", "section 1, seat 4")]
    assert "550 points apart" in found[0].message


@pytest.mark.statement("M3")
def test_without_a_published_rating_the_rounded_rating_is_used_and_named() -> None:
    known = players([Rating(1500.4, 60), Rating(1900.4, 60)])
    played = section(["W2", "L1"], on=TODAY, kind=SectionType.MATCH)
    found = [finding.code for finding in check_match(played, known, REGULAR, rules_of(TODAY))]
    assert found == ["published-missing", "published-missing"]
    assert codes(Rating(1500.4, 60), Rating(1900.6, 60)) == ["match-too-far-apart"]


@pytest.mark.parametrize(("at_least", "refused"), [(Bound(0), True), (Bound.PEAK, False)])
def test_a_known_peak_gives_a_floor_above_a_ceiling_and_a_bounded_one_does_not_refuse_the_report(
    at_least: Bound, *, refused: bool
) -> None:
    """The peak of 1900 gives the floor 1700, above the ceiling of 1600."""
    rating = Rating(1710.0, 100, peak=1900.0, at_least=at_least)
    held = PlayerFacts("1", ratings={REGULAR: rating}, ceilings=(Ceiling(REGULAR, 1600.0),))
    known = {**players([rating, Rating(1500.0, 100)]), "1": held}
    found = check_ceilings(section(["W2", "L1"], on=TODAY), known, REGULAR, rules_of(TODAY))
    assert [one.code for one in found] == (["floor-above-ceiling"] if refused else [])
