"""A list fills what a report does not say; what the report says holds."""

from __future__ import annotations

import json
from datetime import date
from types import MappingProxyType
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratebook.findings import Place, Severity
from ratebook.formats.results.rated import rated_as_json
from ratebook.model import (
    Bound,
    Ceiling,
    EarlierMatch,
    EnteredFloor,
    Event,
    FloorKind,
    ForeignRating,
    InitialRating,
    PlayerFacts,
    Rating,
    Record,
    Report,
    System,
)
from ratebook.player_lists.members_csv import write
from ratebook.player_lists.merge import with_players
from ratebook.player_lists.read import read_players
from ratebook.player_lists.row import ListedPlayer, ListedPlayers, ListKind
from ratebook.reports.rate import rate_report
from ratebook.rules.rulebook import load_rulebook
from support.builders import entry, section
from support.report_strategies import reports
from support.whole_run import examples

if TYPE_CHECKING:
    from pathlib import Path

KEY = "90000001"
REGULAR, QUICK = System.REGULAR, System.QUICK
DAY = date(2026, 10, 3)
OTHER_DAY = date(2026, 9, 5)


def merge(
    own: PlayerFacts, listed: PlayerFacts, kind: ListKind = ListKind.MEMBERS, **more: object
) -> tuple[PlayerFacts, dict[str, str]]:
    """Return the player of a report of November 14, 2026 with the list's facts, and the messages by code."""
    report = Report(Event(), {KEY: own._replace(id=KEY)}, (section([entry(4, "", KEY)], on="2026-11-14"),))
    row = ListedPlayer(kind, "list, line 2", listed, **more)  # type: ignore[arg-type]
    merged, findings = with_players(report, ListedPlayers({KEY: row}, (), kind, "list"))
    assert all(finding.severity is Severity.NOTE for finding in findings)
    assert merged._replace(players={}) == report._replace(players={})
    return merged.players[KEY], {finding.code: finding.message for finding in findings}


def merge_ratings(
    own: Rating, listed: Rating, kind: ListKind = ListKind.MEMBERS
) -> tuple[Rating, dict[str, str]]:
    player, notes = merge(
        PlayerFacts(KEY, ratings={REGULAR: own}), PlayerFacts("", ratings={REGULAR: listed}), kind
    )
    return player.ratings[REGULAR], notes


def taken(what: str) -> str:
    return f"The members CSV has 1 of 1 player. Taken from it: {what}."


EVERYTHING = PlayerFacts(
    id="list's own",
    name="ADAMS, EXAMPLE",
    birth_date=date(2012, 5, 1),
    adult=False,
    canadian_resident=True,
    ratings={REGULAR: Rating(612.4, 38.0, wins=17, published=605)},
    fide=ForeignRating(1480.0, DAY),
    cfc=ForeignRating(1200.0, None),
    floors=(EnteredFloor(REGULAR, FloorKind.MONEY, 1800.0),),
    ceilings=(Ceiling(REGULAR, 2000.0),),
    us_member=True,
    usa_flag=True,
    fide_opt_in=True,
    matches=(EarlierMatch(REGULAR, DAY, 23.4),),
    initial={QUICK: InitialRating(498.0, 0)},
)


def test_a_list_fills_a_report_that_says_nothing_but_who_played() -> None:
    player, notes = merge(PlayerFacts(KEY), EVERYTHING)
    assert player == EVERYTHING._replace(id=KEY)
    assert notes.keys() == {"players-from-list"}
    assert notes["players-from-list"] == taken(
        "birth date (1), regular rating (1), FIDE rating (1), CFC rating (1), floors (1), ceilings (1), "
        "earlier matches (1), initial rating (1)"
    )


def test_a_list_that_says_the_same_changes_nothing() -> None:
    player, notes = merge(EVERYTHING, EVERYTHING)
    assert player == EVERYTHING._replace(id=KEY)
    assert notes == {"players-from-list": taken("nothing new")}


def test_a_list_that_says_nothing_changes_nothing() -> None:
    player, notes = merge(EVERYTHING, PlayerFacts(""))
    assert player == EVERYTHING._replace(id=KEY)
    assert notes.keys() == {"players-from-list"}


def test_what_the_report_says_holds_and_one_note_names_what_differs() -> None:
    other = PlayerFacts(
        id="",
        name="Somebody Else",
        birth_date=date(2011, 5, 1),
        adult=True,
        ratings={REGULAR: Rating(1500.0, 40.0)},
        fide=ForeignRating(1500.0, DAY),
        cfc=ForeignRating(1300.0, None),
        floors=(EnteredFloor(REGULAR, FloorKind.OFFICE, 1700.0),),
        ceilings=(Ceiling(REGULAR, 2100.0),),
        matches=(EarlierMatch(REGULAR, DAY, -23.4),),
        initial={QUICK: InitialRating(500.0, 0)},
    )
    player, notes = merge(EVERYTHING, other)
    assert player == EVERYTHING._replace(id=KEY)
    assert notes["player-facts-differ"] == (
        "The report and list disagree; the values of the report were used: birth date (1), adult (1), "
        "regular rating (1), FIDE rating (1), CFC rating (1), floors (1), ceilings (1), earlier matches (1), "
        "initial quick rating (1)."
    )
    assert "2011" not in notes["player-facts-differ"], "birth dates are private"


def test_the_note_of_what_differs_names_the_seats() -> None:
    facts = {key: PlayerFacts(key, fide=ForeignRating(1500.0)) for key in "ABC"}
    report = Report(
        Event(), facts, (section([entry(seat, "", key) for seat, key in ((2, "A"), (5, "B"), (6, "C"))]),)
    )
    rows = {
        key: ListedPlayer(ListKind.FIDE, Place(), PlayerFacts("", fide=ForeignRating(rating)))
        for key, rating in (("A", 1600.0), ("B", 1500.0), ("C", 1700.0))
    }
    _, findings = with_players(report, ListedPlayers(rows, (), ListKind.FIDE, "fide.txt"))
    assert [(one.code, one.where) for one in findings] == [
        ("players-from-list", "fide.txt"),
        ("player-facts-differ", "section 1, seats 2, 6"),
    ]


def test_players_who_are_not_in_the_list_stay_as_they_are() -> None:
    report = Report(Event(), MappingProxyType({KEY: EVERYTHING}), ())
    assert with_players(report, ListedPlayers({}, (), ListKind.MEMBERS, "list")) == (report, ())


# Ratings


def test_the_same_rating_brings_its_decimals_games_and_date() -> None:
    """A crosstable shows 612 and, for the established, no games."""
    rating, notes = merge_ratings(Rating(612.0), Rating(612.4, 38.0, as_of=DAY))
    assert rating == Rating(612.4, 38.0, as_of=DAY)
    assert notes == {
        "players-from-list": taken("decimals of the regular rating (1), games of the regular rating (1)")
    }


@pytest.mark.parametrize(
    ("own", "listed", "same"), [(612, 612.49, True), (612, 611.5, True), (612, 612.5, False)]
)
def test_a_rating_is_the_same_if_it_rounds_to_it(own: float, listed: float, *, same: bool) -> None:
    rating, notes = merge_ratings(Rating(own, 10.0), Rating(listed, 10.0))
    assert rating.rating == (listed if same else own)
    assert ("player-facts-differ" in notes) is not same


def test_another_rating_brings_no_games() -> None:
    rating, notes = merge_ratings(Rating(612.4), Rating(650.0, 12.0, as_of=DAY))
    assert rating == Rating(612.4)
    assert "regular rating (1)" in notes["player-facts-differ"]


def test_games_that_the_report_gives_hold() -> None:
    rating, notes = merge_ratings(Rating(612.0, 17.0, as_of=DAY), Rating(612.0, 18.0, as_of=OTHER_DAY))
    assert rating == Rating(612.0, 17.0, as_of=DAY)
    assert "games of the regular rating (1), date of the regular rating (1)" in notes["player-facts-differ"]


def test_counts_and_peaks_are_filled_one_by_one() -> None:
    own = Rating(612.0, 38.0, wins=17, peak=700.0)
    listed = Rating(612.0, 38.0, 17, 5, 16, None, 9, 640.2, 0)
    rating, notes = merge_ratings(own, listed)
    assert rating == Rating(612.0, 38.0, 17, 5, 16, None, 9, 700.0, 0)
    assert notes["players-from-list"] == taken(
        "counts of the regular rating (1), long events of the regular rating (1), "
        "life master games of the regular rating (1)"
    )
    assert "peak of the regular rating (1)" in notes["player-facts-differ"]


def test_counts_that_contradict_the_reports_record_are_not_taken() -> None:
    rating, notes = merge_ratings(
        Rating(612.0, 3.0, record=Record.WINS), Rating(612.0, 3.0, wins=2, draws=1, losses=0)
    )
    assert rating == Rating(612.0, 3.0, record=Record.WINS)
    assert "counts of the regular rating (1)" in notes["player-facts-differ"]


def test_a_record_is_taken_where_nothing_is_known_of_it() -> None:
    listed = Rating(612.0, 3.0, record=Record.LOSSES)
    assert merge_ratings(Rating(612.0, 3.0), listed)[0].record is Record.LOSSES
    assert merge_ratings(Rating(612.0, 3.0, wins=1), listed)[0] == Rating(612.0, 3.0, wins=1)
    rating, notes = merge_ratings(Rating(612.0, 3.0, record=Record.WINS), listed)
    assert rating.record is Record.WINS
    assert "record of the regular rating (1)" in notes["player-facts-differ"]


def test_a_published_rating_fills_the_official_one_and_contradicts_no_other() -> None:
    """The list of the month is not the rating of the day."""
    listed = Rating(650.0, 20.0, published=650, published_games=20.0, as_of=DAY)
    rating, notes = merge_ratings(Rating(612.4, 18.0), listed, ListKind.GOLDEN)
    assert rating == Rating(612.4, 18.0, published=650, published_games=20.0)
    assert notes.keys() == {"players-from-list"}
    rating, notes = merge_ratings(Rating(612.4, 18.0, published=600), listed, ListKind.SUPPLEMENT)
    assert rating == Rating(612.4, 18.0, published=600)
    assert "published regular rating (1)" in notes["player-facts-differ"]


def test_a_rating_of_the_list_does_not_override_an_office_decision() -> None:
    own = PlayerFacts(KEY, initial={REGULAR: InitialRating(900.0, 0)})
    player, notes = merge(own, PlayerFacts("", ratings={REGULAR: Rating(700.0, 4.0)}))
    assert player.ratings == {}
    assert "regular rating (1)" in notes["player-facts-differ"]


def test_a_foreign_rating_gets_its_date_and_decimals() -> None:
    own = PlayerFacts(KEY, fide=ForeignRating(1480.0), cfc=ForeignRating(1200.0, DAY))
    listed = PlayerFacts("", fide=ForeignRating(1480.4, DAY), cfc=ForeignRating(1200.0, OTHER_DAY))
    player, notes = merge(own, listed)
    assert (player.fide, player.cfc) == (ForeignRating(1480.4, DAY), ForeignRating(1200.0, DAY))
    assert "date of the CFC rating (1)" in notes["player-facts-differ"]


def test_floors_are_filled_system_by_system() -> None:
    regular, quick = (EnteredFloor(system, FloorKind.OFFICE, 1500.0) for system in (REGULAR, QUICK))
    player, notes = merge(PlayerFacts(KEY, floors=(regular,)), PlayerFacts("", floors=(quick, regular)))
    assert player.floors == (regular, quick)
    assert "player-facts-differ" not in notes


# Facts that lists hold in another form


@pytest.mark.parametrize(
    ("expires", "member"),
    [(date(2026, 11, 14), True), (date(2026, 11, 13), False), (date.max, True), (None, False)],
)
def test_a_membership_that_is_valid_on_the_last_day_makes_a_member(
    expires: date | None, *, member: bool
) -> None:
    assert merge(PlayerFacts(KEY), PlayerFacts(""), ListKind.GOLDEN, expires=expires)[0].us_member is member


@pytest.mark.parametrize(
    ("year", "adult"), [(2007, True), (2008, None), (2009, False), (1940, True), (2027, None), (None, None)]
)
def test_a_year_of_birth_decides_who_is_an_adult(year: int | None, *, adult: bool | None) -> None:
    player, notes = merge(PlayerFacts(KEY), PlayerFacts(""), ListKind.FIDE, birth_year=year)
    assert (player.adult, player.birth_date) == (adult, None)
    assert ("birth-year-only" in notes) is (adult is not None)


def test_a_birth_date_makes_the_year_needless() -> None:
    own = PlayerFacts(KEY, birth_date=date(2012, 5, 1))
    player, notes = merge(own, PlayerFacts(""), ListKind.FIDE, birth_year=1990)
    assert player.adult is None
    assert "birth-year-only" not in notes


# Round trips


def reduced(report: Report) -> Report:
    """Return *report* as a format that holds nothing but ids, games and rounded Regular ratings."""
    players = {
        key: PlayerFacts(
            key,
            ratings={
                system: Rating(float(int(rating.rating + 0.5)), rating.games)
                for system, rating in player.ratings.items()
                if system is REGULAR
            },
        )
        for key, player in report.players.items()
    }
    return report._replace(players=players)


@pytest.mark.long
@examples(30)
@given(report=reports(), nothing=st.booleans())
def test_a_report_of_any_format_rates_identically_once_the_members_csv_is_given(
    tmp_path_factory: pytest.TempPathFactory, report: Report, *, nothing: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / "members.csv"
    path.write_bytes(write(report).files["members.csv"])
    poor = reduced(report)
    if nothing:
        poor = poor._replace(players={key: PlayerFacts(key) for key in report.players})
    listed = read_players(path, poor)
    merged, findings = with_players(poor, listed)
    assert {key: player._replace(name="") for key, player in merged.players.items()} == {
        key: player._replace(name="") for key, player in report.players.items()
    }
    assert not any(finding.code == "player-facts-differ" for finding in findings)
    rated, again = (rate_report(one, load_rulebook()) for one in (report, merged))
    assert json.dumps(rated_as_json(rated.sections, rated.findings)) == json.dumps(
        rated_as_json(again.sections, again.findings)
    )


@examples(15)
@given(report=reports())
def test_its_own_members_csv_changes_nothing_in_a_report(
    tmp_path_factory: pytest.TempPathFactory, report: Report
) -> None:
    path: Path = tmp_path_factory.getbasetemp() / "own.csv"
    path.write_bytes(write(report).files["members.csv"])
    merged, findings = with_players(report, read_players(path, report))
    assert merged.players == report.players
    assert [finding.code for finding in findings] == ["players-from-list"]


def test_a_lower_bound_of_the_list_stays_one_where_its_figure_is_taken() -> None:
    listed = Rating(
        1500.0,
        60.0,
        wins=20,
        draws=10,
        losses=30,
        long_events=12,
        peak=1600.0,
        life_master_games=0,
        at_least=Bound.PEAK | Bound.COUNTS | Bound.LIFE_MASTER_GAMES,
    )
    merged, _ = merge_ratings(Rating(1500.0, 60.0), listed)
    assert merged == listed
    merged, _ = merge_ratings(Rating(1500.0, 60.0, peak=1650.0), listed)
    assert (merged.peak, merged.at_least) == (1650.0, Bound.COUNTS | Bound.LIFE_MASTER_GAMES)
    own = Rating(1500.0, 60.0, wins=20, draws=10, losses=30, long_events=12, life_master_games=0)
    merged, _ = merge_ratings(own, listed)
    assert merged == own._replace(peak=1600.0, at_least=Bound.PEAK)
    bounded = own._replace(peak=1550.0, at_least=Bound.PEAK)
    merged, _ = merge_ratings(bounded, listed._replace(at_least=Bound(0)))
    assert merged == bounded, "the report holds, as a bound"
