"""From one section to the next: order, dual rating, what is known of a player afterwards."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from ratebook.model import (
    Bound,
    Event,
    ForeignRating,
    InitialRating,
    PlayerFacts,
    Rating,
    Record,
    Report,
    Section,
    SectionType,
    System,
)
from ratebook.rating import rate as rate_module
from ratebook.rating.rate import facts_after
from ratebook.reports.rate import RatedReport, rate_report
from ratebook.rules.rulebook import load_rulebook
from support.builders import QUICK, REGULAR, after_of, entry, facts, players, rate, section

if TYPE_CHECKING:
    from ratebook.rating.results import RatedSection

ON = "2025-06-01"


def report(known: dict[str, PlayerFacts], *sections: Section) -> Report:
    return Report(Event(id="202506010001"), known, sections)


def rate_all(known: dict[str, PlayerFacts], *sections: Section) -> RatedReport:
    rated = rate_report(report(known, *sections), load_rulebook())
    assert rated.sections, rated.findings
    return rated


def of(rated: RatedReport, number: int, system: System = REGULAR) -> RatedSection:
    return next(one for one in rated.sections if one.section.number == number and one.system is system)


# Sections one after the other


TWO = [Rating(1500.0, 20, wins=10, draws=4, losses=6, long_events=5), Rating(1600.0, 60)]


@pytest.mark.statement("A11", "Q34")
def test_the_result_of_one_section_is_where_the_next_starts() -> None:
    rated = rate_all(
        players(TWO), section(["W2", "L1"], on=ON, number=1), section(["W2", "L1"], on=ON, number=2)
    )
    first, second = of(rated, 1), of(rated, 2)
    for seat in (1, 2):
        at = seat - 1
        assert second.entries[at].before.rating == after_of(first, seat).rating
        assert second.entries[at].before.games == after_of(first, seat).games
    assert after_of(second, 1).games == 22


@pytest.mark.statement("A11", "Q34")
def test_sections_are_rated_by_end_date_and_then_by_number() -> None:
    late = section(["W2", "L1"], on=ON, end="2025-06-20", number=1)
    early = section(["W2", "L1"], on="2025-06-10", end="2025-06-12", number=3)
    same_day = section(["W2", "L1"], on="2025-06-11", end="2025-06-12", number=2)
    rated = rate_all(players(TWO), late, early, same_day)
    assert [one.section.number for one in rated.sections] == [2, 3, 1]


@pytest.mark.statement("A11", "S9", "Q6")
def test_each_section_has_the_rules_of_its_own_start() -> None:
    rated = rate_all(
        players(TWO),
        section(["W2", "L1"], on="2024-12-31", end="2025-01-03", number=1),
        section(["W2", "L1"], on="2025-01-01", end="2025-01-03", number=2),
    )
    assert of(rated, 1).rules.bonus_multiplier == 12
    assert of(rated, 2).rules.bonus_multiplier == 10


@pytest.mark.statement("A12", "S4", "S8", "Q33")
def test_both_systems_of_a_dual_rated_section_start_from_the_state_before_it() -> None:
    known = players(TWO)
    dual = section(["W2 D2", "L1 D1"], on=ON, time_control="G/60;d5")
    rated = rate_all(known, dual)
    assert [one.system for one in rated.sections] == [REGULAR, QUICK]
    quick = of(rated, 1, QUICK)
    alone = rate(known, dual, system=QUICK, dual_rated=True)
    assert quick.entries == alone.entries
    assert quick.entries[0].before.source == "other-ratings"
    assert quick.entries[0].before.rating == 1500.0


@pytest.mark.statement("A12", "Q33")
def test_someone_unrated_in_both_systems_starts_from_the_same_in_both() -> None:
    """The Regular rating of the section is no source for the Quick rating of the same section."""
    known = players([PlayerFacts(id="", birth_date=date(2015, 6, 1)), Rating(1600.0, 60)])
    rated = rate_all(known, section(["W2", "L1"], on=ON, time_control="G/60;d5"))
    assert of(rated, 1, QUICK).entries[0].before == of(rated, 1, REGULAR).entries[0].before
    assert of(rated, 1, QUICK).entries[0].before.source == "age"


@pytest.mark.statement("A12", "A18", "S8")
def test_the_next_section_starts_from_both_results() -> None:
    known = players(TWO)
    rated = rate_all(
        known,
        section(["W2", "L1"], on=ON, number=1, time_control="G/60;d5"),
        section(["W2", "L1"], on=ON, number=2, time_control="G/60;d5"),
    )
    for system in (REGULAR, QUICK):
        first, second = of(rated, 1, system), of(rated, 2, system)
        assert second.entries[0].before.rating == after_of(first, 1).rating
        assert second.entries[0].before.games == after_of(first, 1).games


@pytest.mark.statement("A7", "G3", "S4", "Q18")
@pytest.mark.parametrize(
    ("time_control", "systems", "reduced"),
    [
        ("G/25;d4", [QUICK], False),
        ("G/25;d5", [REGULAR, QUICK], True),
        ("G/60;d5", [REGULAR, QUICK], True),
        ("G/61;d5", [REGULAR], False),
    ],
)
def test_k_is_reduced_where_the_time_control_is_dual_rated(
    time_control: str, systems: list[System], *, reduced: bool
) -> None:
    masters = [Rating(2400.0, 900), Rating(2400.0, 900)]
    both = {
        key: PlayerFacts(key, ratings={REGULAR: start, QUICK: start})
        for key, start in zip(("1", "2"), masters, strict=True)
    }
    rated = rate_all(both, section(["W2", "L1"], on=ON, time_control=time_control))
    assert [one.system for one in rated.sections] == systems
    for one in rated.sections:
        factor = 0.5 if reduced and one.system is REGULAR else 1.0
        assert one.columns.k[0] == pytest.approx(factor * 800.0 / 51.0)


@pytest.mark.statement("S4", "G3", "A7")
def test_online_sections_are_never_dual_rated() -> None:
    start = {System.ONLINE_REGULAR: Rating(2400.0, 900)}
    known = {key: PlayerFacts(key, ratings=start) for key in ("1", "2")}
    rated = rate_all(known, section(["W2", "L1"], on=ON, time_control="G/60;d5", online=True))
    assert [one.system for one in rated.sections] == [System.ONLINE_REGULAR]
    assert rated.sections[0].columns.k[0] == pytest.approx(800.0 / 51.0)


@pytest.mark.statement("A8")
def test_one_person_on_two_seats_is_warned_of_and_rated_once() -> None:
    entries = [entry(1, "W3 L2"), entry(2, "U W1", "2"), entry(3, "L1 U", "2")]
    rated = rate_all(players(TWO), section(entries, on=ON))
    assert "player-two-seats" in [finding.code for finding in rated.findings]
    assert after_of(rated.sections[0], 2) == after_of(rated.sections[0], 3)
    assert after_of(rated.sections[0], 2).games == 62


@pytest.mark.statement("A19", "Q23")
@pytest.mark.parametrize(("on", "warned"), [("2005-12-31", False), ("2006-01-01", True), (ON, True)])
def test_two_players_with_several_games_should_be_a_match(on: str, *, warned: bool) -> None:
    rated = rate_all(players(TWO), section(["W2 L2", "L1 W1"], on=on))
    named = [finding.code for finding in rated.findings if "match" in finding.code]
    assert bool(named) == warned
    single = rate_all(players(TWO), section(["W2", "L1"], on=on))
    assert not [finding.code for finding in single.findings if "match" in finding.code]


@pytest.mark.statement("G5", "Q17")
def test_half_k_is_refused_after_february_2006() -> None:
    allowed = section(["W2", "L1"], on="2006-02-28", half_k=True)
    assert of(rate_all(players(TWO), allowed), 1).entries[0].after is not None
    refused = rate_report(
        report(players(TWO), section(["W2", "L1"], on="2006-03-01", half_k=True)), load_rulebook()
    )
    assert refused.sections == ()
    assert "half-k-not-allowed" in [finding.code for finding in refused.findings]


@pytest.mark.statement("M3")
def test_two_matches_of_one_report_share_the_windows() -> None:
    start = [Rating(1500.0, 60), Rating(1600.0, 60)]
    rounds = [" ".join(["W2"] * 8), " ".join(["L1"] * 8)]
    matches = [
        section(rounds, on=ON, end=f"2025-06-0{number}", number=number, kind=SectionType.MATCH)
        for number in (1, 2, 3)
    ]
    rated = rate_all(players(start), *matches)
    assert after_of(of(rated, 1), 1).rating == pytest.approx(1550.0)
    assert after_of(of(rated, 2), 1).rating == pytest.approx(1600.0)
    assert after_of(of(rated, 3), 1).rating == pytest.approx(1600.0)


# What is known afterwards


def after_section(start: Rating | InitialRating | None, rounds: str, *, on: str = ON) -> Rating:
    """Return the Regular rating of a player after a section of this one game or more."""
    back = {"W": "L", "L": "W", "D": "D"}
    seats = [f"{back[cell[0]]}1" for cell in rounds.split()]
    opponents = [Rating(1500.0, None)] * len(seats)
    return facts_after(rate([start, *opponents], [rounds, *seats], on=on))["1"].ratings[REGULAR]


@pytest.mark.statement("A13", "A18", "S7")
def test_the_counts_of_a_newcomer_begin_with_the_section() -> None:
    after = after_section(None, "W2 W3 D4 L5")
    assert (after.games, after.wins, after.draws, after.losses, after.long_events) == (4, 2, 1, 1, 1)
    assert (after.life_master_games, after.peak) == (0, None)
    assert after.as_of == date(2025, 6, 1)


@pytest.mark.statement("A13", "A18")
def test_credited_games_count_in_n_and_nowhere_else() -> None:
    after = after_section(InitialRating(1500.0, 10), "W2 W3")
    assert (after.games, after.wins, after.draws, after.losses, after.long_events) == (12, 2, 0, 0, 0)


@pytest.mark.statement("A18")
def test_the_counts_grow_in_the_system_rated_only() -> None:
    both = facts("1", Rating(1500.0, 50, wins=20, draws=10, losses=20, long_events=9))
    both = both._replace(
        ratings={**both.ratings, QUICK: Rating(1400.0, 30, wins=1, draws=2, losses=27, long_events=3)}
    )
    known = {"1": both, "2": facts("2", Rating(1500.0, 50))}
    after = facts_after(rate(known, section(["W2 D2 L2", "L1 D1 W1"], on=ON)))["1"]
    regular, quick = after.ratings[REGULAR], after.ratings[QUICK]
    assert (regular.wins, regular.draws, regular.losses, regular.long_events) == (21, 11, 21, 10)
    assert quick == both.ratings[QUICK]


@pytest.mark.statement("A18")
def test_unknown_counts_are_at_least_what_was_seen() -> None:
    after = after_section(Rating(1500.0, None), "W2 W3 D4")
    assert after.games is None
    assert (after.wins, after.draws, after.losses, after.long_events) == (2, 1, 0, 1)
    assert after.at_least == Bound.PEAK | Bound.COUNTS | Bound.LIFE_MASTER_GAMES
    known = Rating(1500.0, 60, wins=20, draws=20, losses=20, long_events=15, peak=1600.0, life_master_games=0)
    assert not after_section(known, "W2 W3 D4").at_least


@pytest.mark.statement("A3", "F2", "Q5")
@pytest.mark.parametrize(
    ("start", "rounds", "record"),
    [
        (None, "W2 W3", Record.WINS),
        (None, "L2", Record.LOSSES),
        (None, "D2", Record.MIXED),
        (None, "W2 L3", Record.MIXED),
        (InitialRating(1500.0, 10), "W2 W3", Record.WINS),
        (Rating(1500.0, 0), "L2 L3", Record.LOSSES),
        (Rating(1500.0, 4, record=Record.WINS), "W2", Record.WINS),
        (Rating(1500.0, 4, record=Record.WINS), "D2", Record.MIXED),
        (Rating(1500.0, 4, record=Record.LOSSES), "L2 L3", Record.LOSSES),
        (Rating(1500.0, 4, record=Record.LOSSES), "L2 W3", Record.MIXED),
        (Rating(1500.0, 4, wins=4, draws=0, losses=0), "W2", Record.WINS),
        (Rating(1500.0, 4), "W2", Record.MIXED),
        (Rating(1500.0, 50, wins=20, draws=10, losses=20), "W2 W3", Record.MIXED),
    ],
)
def test_the_record_of_all_games_so_far(
    start: Rating | InitialRating | None, rounds: str, record: Record
) -> None:
    assert after_section(start, rounds).record is record


@pytest.mark.statement("A3", "F2", "Q5")
def test_a_newcomer_who_won_everything_is_rated_so_in_the_next_section() -> None:
    known = players([InitialRating(1300.0), Rating(1300.0, None), Rating(1300.0, None)])
    rated = rate_all(
        known, section(["W2 W3", "L1 U", "U L1"], on=ON, number=1), section(["W2", "L1"], on=ON, number=2)
    )
    second = of(rated, 2)
    assert second.columns.record[0] == 1
    assert second.columns.formula[0] == 1
    # By hand: R0 = about 1700 on 2 games, all won; 2 PWe(R, R0 - 400) + PWe(R, 1300) = 3 holds from R0 on.
    assert after_of(second, 1).rating == pytest.approx(after_of(of(rated, 1), 1).rating, abs=30.0)


@pytest.mark.statement("A9")
def test_nothing_is_known_afterwards_of_who_played_no_rated_game() -> None:
    rated = rate([Rating(1500.0, 50), Rating(1500.0, 50), None], ["W2", "L1", "B"], on=ON)
    assert sorted(facts_after(rated)) == ["1", "2"]


@pytest.mark.statement("A13", "G5")
def test_a_half_k_section_counts_half_games_and_whole_wins() -> None:
    played = section(["W2 W2 L2", "L1 L1 W1"], on="2005-06-01", half_k=True)
    start = Rating(1500.0, 50, wins=20, draws=10, losses=20, long_events=9)
    after = facts_after(rate([start, Rating(1500.0, 50)], played))["1"].ratings[REGULAR]
    assert (after.games, after.wins, after.losses) == (51.5, 22, 21)


@pytest.mark.statement("A3", "Q5")
def test_games_of_a_foreign_event_make_no_record_of_wins() -> None:
    """A mixed record stays mixed whatever happened abroad."""
    known = {
        "1": PlayerFacts(
            "1",
            ratings={REGULAR: Rating(2350.0, 400)},
            fide=ForeignRating(2300.0),
            us_member=True,
            usa_flag=True,
        ),
        "2": PlayerFacts("2", fide=ForeignRating(2300.0)),
    }
    played = section([entry(1, "W2")._replace(update=True), entry(2, "L1")], on=ON, kind=SectionType.FIDE)
    assert facts_after(rate(known, played))["1"].ratings[REGULAR].record is Record.MIXED


# A record that is not known


def test_counts_that_are_lower_bounds_are_no_record() -> None:
    start = Rating(1500.0, 2, wins=1, draws=0, losses=0, at_least=Bound.COUNTS)
    rated = rate([start, Rating(1500.0, 100, record=Record.MIXED)], ["W2", "L1"])
    assert "record-needed" in [one.code for one in rated.findings]


@pytest.mark.parametrize("games", [1, 2])
def test_a_player_on_one_or_two_games_without_a_record_is_a_warning_with_both_results(games: int) -> None:
    """By hand, N = 1 and a win over 1500 on 100 games, whose N* is 16.568465 and K 800 / 17.568465.

    Step 4 leaves the loser 1477.231938. As a winner: above every ramp, so 400 above that rating.
    As a loser: PWe(R, 1900) + PWe(R, 1477.231938) = 1.
    """
    rated = rate([Rating(1500.0, games), Rating(1500.0, 100, record=Record.MIXED)], ["W2", "L1"])
    (warning,) = [one for one in rated.findings if one.code == "record-needed"]
    assert warning.severity == "warning"
    assert warning.where == "section 1, seat 1, regular"
    assert "1877.23 if all were won" in warning.message
    if games == 1:
        assert "1688.62 if all were lost" in warning.message
    assert "record-missing" not in [one.code for one in rated.findings]


def test_the_results_with_either_record_cost_two_more_ratings_however_many_need_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    once, sections = rate_module.rate_in_columns, []

    def counted(played: Section, *given: Any, **more: Any) -> RatedSection:  # noqa: ANN401 - as they come
        sections.append(played)
        return once(played, *given, **more)

    monkeypatch.setattr(rate_module, "rate_in_columns", counted)
    rated = rate([Rating(1500.0, 2)] * 6, ["W2", "L1", "W4", "L3", "W6", "L5"])
    assert [one.code for one in rated.findings].count("record-needed") == 6
    assert len(sections) == 3


@pytest.mark.parametrize(
    "start",
    [
        Rating(1500.0, 1, record=Record.WINS),
        Rating(1500.0, 1, wins=0, draws=0, losses=1),
        Rating(1500.0, 1, draws=1),
        Rating(1500.0, 2, wins=1, losses=1),
        Rating(1500.0, 3),
    ],
)
def test_a_known_record_or_three_games_need_no_warning(start: Rating) -> None:
    rated = rate([start, Rating(1500.0, 100, record=Record.MIXED)], ["W2", "L1"])
    assert "record-needed" not in [one.code for one in rated.findings]
