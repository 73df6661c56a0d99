"""Checks of sections: who is in them, how they are coded, and what the file states of them."""

from __future__ import annotations

import pytest

from ratebook.checks import ReportedFacts, check_report
from ratebook.findings import Severity
from ratebook.model import Event, ForeignRating, PlayerFacts, Report, SectionType
from unit.checks.checked_reports import QUAD, found, rated, report_of, report_with, section_of, severities


def test_a_report_without_sections_is_an_error() -> None:
    report = Report(Event(), {}, ())
    assert found(report) == [("sections-empty", "sections")]
    assert severities(report) == {"sections-empty": Severity.ERROR}


def test_a_section_without_entries_is_an_error() -> None:
    report = report_with(section_of(*QUAD), section_of(number=2))
    assert found(report) == [("entries-empty", "section 2, entries")]
    assert severities(report) == {"entries-empty": Severity.ERROR}


def test_a_section_number_that_occurs_twice_is_an_error() -> None:
    report = report_with(section_of(*QUAD), section_of(*QUAD), section_of("W2", "L1", number=2))
    assert found(report) == [("section-number-twice", "section 1, number")]
    assert severities(report) == {"section-number-twice": Severity.ERROR}


@pytest.mark.parametrize("rounds", [("X2 H", "F1 U"), ("", ""), ("B U", "U -")])
def test_a_section_in_which_nobody_played_is_a_warning(rounds: tuple[str, ...]) -> None:
    report = report_of(*rounds)
    assert found(report) == [("section-without-games", "section 1, entries")]
    assert severities(report) == {"section-without-games": Severity.WARNING}


def test_a_section_that_comes_twice_is_a_warning_whatever_it_is_called() -> None:
    first = section_of(*QUAD)
    again = section_of(*QUAD, number=3)._replace(name="Another file", time_control="G/90;d5")
    report = report_with(first, section_of("W2", "L1", number=2), again)
    assert found(report) == [("section-twice", "section 3")]
    assert severities(report) == {"section-twice": Severity.WARNING}
    (warning,) = check_report(report)
    assert "section 1" in warning.message
    nobody = {key: PlayerFacts(f"seat-{key[1:]}") for key in report.players}
    unknown = [entry._replace(player=f"seat-{entry.player[1:]}") for entry in first.entries]
    sections = [one._replace(entries=tuple(unknown)) for one in (first, again)]
    nameless = Report(report.event, {facts.id: facts for facts in nobody.values()}, tuple(sections))
    assert "section-twice" not in {code for code, _ in found(nameless)}


def test_a_match_of_two_is_fine() -> None:
    assert check_report(report_of("W2 D2", "L1 D1", kind=SectionType.MATCH)) == []


def test_a_section_may_hold_many_matches() -> None:
    report = report_of("W2 D2", "L1 D1", "L4 U", "W3 U", "U U", kind=SectionType.MATCH)
    assert "match-several-opponents" not in [code for code, _ in found(report)]


def test_a_player_of_a_match_has_one_opponent() -> None:
    report = report_of(*QUAD, kind=SectionType.MATCH)
    several = [where for code, where in found(report) if code == "match-several-opponents"]
    assert several == [f"section 1, seat {seat}" for seat in (1, 2, 3, 4)]
    assert severities(report)["match-several-opponents"] is Severity.ERROR


@pytest.mark.statement("A8")
def test_a_match_counts_players_and_not_seats() -> None:
    report = report_of("W2 U", "L1 L3", "U W2", players=("P1", "P2", "P1"), kind=SectionType.MATCH)
    assert [code for code, _ in found(report)] == ["player-two-seats"]


def test_a_foreign_event_must_update_a_player() -> None:
    fide = {key: PlayerFacts(key, fide=ForeignRating(2000)) for key in ("P1", "P2")}
    report = report_of("W2 D2", "L1 D1", kind=SectionType.FIDE, facts=fide)
    assert found(report) == [("update-missing", "section 1, entries")]
    assert severities(report) == {"update-missing": Severity.ERROR}


def test_opponents_without_a_fide_rating_are_noted_in_foreign_events_only() -> None:
    facts = {"P3": PlayerFacts("P3", fide=ForeignRating(2000))}
    report = report_of("W2 W3", "L1 U", "U L1", kind=SectionType.FIDE, update=(1,), facts=facts)
    assert found(report) == [("fide-rating-missing", "section 1, seat 2")]
    assert severities(report) == {"fide-rating-missing": Severity.NOTE}


@pytest.mark.parametrize(
    ("update", "opted_in", "places"),
    [
        # The member is updated, marked or found; seats 2 and 4 have no FIDE rating, and nobody updated met seat 4.
        ((1,), False, ["section 1, seat 2"]),
        ((), True, ["section 1, seat 2"]),
        # Two members who met each other: neither game counts.
        ((1, 2), False, ["section 1, seat 1", "section 1, seat 2"]),
    ],
)
def test_only_opponents_of_updated_players_need_a_fide_rating(
    update: tuple[int, ...],
    opted_in: bool,  # noqa: FBT001 - a column of the table
    places: list[str],
) -> None:
    facts = {
        "P1": rated("P1")._replace(us_member=True, fide_opt_in=opted_in),
        "P3": PlayerFacts("P3", fide=ForeignRating(2000)),
    }
    report = report_of("W2 W3", "L1 U", "W4 L1", "L3 U", kind=SectionType.FIDE, update=update, facts=facts)
    assert [place for code, place in found(report) if code == "fide-rating-missing"] == places


@pytest.mark.parametrize(("stated", "codes"), [(3, []), (2, ["rounds-differ"]), (5, ["rounds-differ"])])
def test_the_rounds_that_a_file_states_must_be_there(stated: int, codes: list[str]) -> None:
    facts = ReportedFacts(stated_rounds={1: stated, 7: 99})
    report = report_of(*QUAD)
    assert [code for code, _ in found(report, facts)] == codes
    assert set(severities(report, facts).values()) <= {Severity.WARNING}


def test_columns_that_are_unpaired_for_everybody_are_no_rounds() -> None:
    facts = ReportedFacts(stated_rounds={1: 2})
    assert check_report(report_of("W2 H U U", "L1 U - U", "U B U"), facts) == []
    assert found(report_of("W2 H U U", "L1 U - H", "U B U"), facts) == [
        ("rounds-differ", "section 1, rounds"),
        ("round-empty", "section 1, round 3"),
    ]


def test_a_round_that_no_one_played_is_a_warning_where_players_have_common_rounds() -> None:
    report = report_of("W2 - W3 D4", "L1 U W4 D3", "L4 U L1 D2", "W3 U L2 D1")
    assert [place for code, place in found(report) if code == "round-empty"] == ["section 1, round 2"]
    assert severities(report)["round-empty"] is Severity.WARNING
    ladder = report_of("W2 U U U U D3", "L1 U W4 U U U", "U U U U L4 D1", "U U L2 U W3 U")
    assert "round-empty" not in severities(ladder)


EIGHT_EXTRA_GAMES = ("W2w", "L1b", "D4w", "D3b", "U W6w", "U L5b", "U U L8w", "U U W7b")
"""One game each, in the round in which it was played."""


def test_a_section_named_extra_games_may_state_the_rounds_of_the_event() -> None:
    """Measured on a real file: an "Extra game" section with S_TOT_RNDS 4, eight entries, one game each."""
    facts = ReportedFacts(stated_rounds={1: 4})
    one_round = ("W2w", "L1b", "D4w", "D3b", "W6w", "L5b", "L8w", "W7b")
    for rounds in (one_round, EIGHT_EXTRA_GAMES):
        for name in ("Extra game", "EXTRA GAMES", "Open extra"):
            assert check_report(report_with(section_of(*rounds, name=name)), facts) == []
        assert found(report_with(section_of(*rounds, name="Open")), facts) == [
            ("rounds-differ", "section 1, rounds")
        ]


def test_extra_games_are_known_by_players_of_other_sections_too() -> None:
    facts = ReportedFacts(stated_rounds={2: 4})
    main = section_of(*QUAD)

    def codes(*players: str, rounds: tuple[str, ...] = ("W2w", "L1b", "D4w", "D3b")) -> list[str]:
        extra = section_of(*rounds, players=players, number=2)
        return [code for code, _ in found(report_with(main, extra), facts)]

    assert codes("P1", "P7", "P8", "P3") == []
    # A game of two players who are in no other section; a second game; nobody played: as before.
    assert codes("P1", "P7", "P8", "P9") == ["rounds-differ"]
    assert codes("P1", "P7", "P8", "P3", rounds=("W2w", "L1b D3w", "D4w D2b", "D3b")) == ["rounds-differ"]
    assert "rounds-differ" in codes("P1", "P2", rounds=("H", "B"))


def test_extra_games_that_go_on_after_the_stated_rounds_are_a_warning() -> None:
    report = report_with(section_of(*EIGHT_EXTRA_GAMES, name="Extra games"))
    assert found(report, ReportedFacts(stated_rounds={1: 2})) == [("rounds-differ", "section 1, rounds")]


def test_a_round_robin_may_state_its_players_instead() -> None:
    facts = ReportedFacts(stated_rounds={1: 4})
    assert check_report(report_of(*QUAD, kind=SectionType.ROUND_ROBIN), facts) == []
    assert [code for code, _ in found(report_of(*QUAD), facts)] == ["rounds-differ"]


@pytest.mark.parametrize(
    ("letter", "time_control", "fits"),
    [
        ("R", "G/90;d5", True),
        # Real files say R for dual-rated sections (docs/formats/uschess.md#sections).
        ("R", "G/45;d5", True),
        ("R", "G/15;d3", False),
        ("R", "G/5;d0", False),
        ("D", "G/45;d5", True),
        # Blitz has no letter of its own: D is sent for it.
        ("D", "G/5;d0", True),
        ("D", "G/90;d5", False),
        ("D", "G/15;d3", False),
        ("Q", "G/15;d3", True),
        ("Q", "G/45;d5", True),
        ("Q", "G/90;d5", False),
        ("Q", "G/5;d0", False),
        ("B", "G/5;d0", True),
        ("B", "G/15;d3", False),
        (" q ", "G/15;d3", True),
        ("", "G/15;d3", True),
        ("?", "G/15;d3", False),
    ],
)
def test_the_system_that_a_file_states_must_fit_the_time_control(
    letter: str, time_control: str, *, fits: bool
) -> None:
    facts = ReportedFacts(stated_systems={1: letter})
    report = report_with(section_of(*QUAD, time_control=time_control))
    assert found(report, facts) == (
        [] if fits else [("system-contradicts-time-control", "section 1, system")]
    )
    assert set(severities(report, facts).values()) <= {Severity.WARNING}


@pytest.mark.parametrize(
    ("letter", "time_control", "fits"),
    [("R", "G/90;d5", True), ("Q", "G/15;d3", True), ("D", "G/5;d0", True), ("R", "G/5;d0", False)],
)
def test_the_letters_stand_for_the_online_systems_too(letter: str, time_control: str, *, fits: bool) -> None:
    report = report_with(section_of(*QUAD, time_control=time_control, online=True))
    assert (found(report, ReportedFacts(stated_systems={1: letter})) == []) is fits


@pytest.mark.parametrize("time_control", [None, "by arrangement", "G/3;d0"])
def test_a_time_control_that_is_not_known_contradicts_nothing(time_control: str | None) -> None:
    report = report_with(section_of(*QUAD, time_control=time_control))
    assert check_report(report, ReportedFacts(stated_systems={1: "Q"})) == []


def test_before_the_timeline_nothing_is_contradicted() -> None:
    day = section_of(*QUAD).end.replace(year=1999)
    report = report_with(section_of(*QUAD, start=day, end=day), facts={"P1": rated("P1", 100)})
    assert check_report(report, ReportedFacts(stated_systems={1: "Q"})) == []
