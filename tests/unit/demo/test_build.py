"""The invented federation: every habit occurs, lists are true in themselves, and its reports can be rated in order."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from datetime import date
from functools import cache
from importlib.resources import files

import pytest

from ratebook.checks import ReportedFacts, check_report
from ratebook.demo.arrivals import MISREAD
from ratebook.demo.build import build_federation
from ratebook.demo.files import federation_files
from ratebook.demo.values import Arrival, CorrectionSubject, Habit, InventedFederation
from ratebook.findings import Severity
from ratebook.formats.reading.dates import LIFE
from ratebook.model import FloorKind, PlayerFacts, Rating, Report, Section, SectionType, System
from ratebook.rating.rate import facts_after, merged
from ratebook.reports.rate import RatingOptions, rate_report
from ratebook.rules.rulebook import load_rulebook
from ratebook.rules.timecontrol import TimeControl, parse_time_control, systems_for

MEMBERS = 400
YEARS = 4
FIRST = date(2020, 1, 1)
LAST = date(2023, 12, 31)
AT_LEAST = {
    Habit.OPEN: 8,
    Habit.SCHOLASTIC: 12,
    Habit.CLUB: 60,
    Habit.NIGHT: 60,
    Habit.QUADS: 40,
    Habit.ONLINE: 20,
    Habit.MATCH: 8,
    Habit.FOREIGN: 5,
    Habit.LATE: 10,
    Habit.DUPLICATE: 1,
    Habit.WRONG_RESULT: 2,
    Habit.WRONG_MEMBER: 1,
    Habit.UNKNOWN_MEMBER: 1,
    Habit.WRONG_DATE: 1,
    Habit.WRONG_TIME_CONTROL: 1,
    Habit.NOT_TO_RATE: 1,
}
"""Least numbers of each habit in 400 members and four years, far below what is to be expected."""


@pytest.fixture(scope="module", name="federation")
def small_federation() -> InventedFederation:
    return small()


@cache
def small() -> InventedFederation:
    return build_federation(MEMBERS, YEARS, FIRST, seed=5)


@cache
def usual() -> InventedFederation:
    return build_federation()


def sections_of(federation: InventedFederation) -> list[Section]:
    return [section for arrival in federation.arrivals for section in arrival.report.sections]


def systems_of(section: Section) -> tuple[System, ...]:
    control = parse_time_control(section.time_control or "")
    assert isinstance(control, TimeControl)
    return systems_for(load_rulebook(), control, section.rules_date, online=section.online)


def members_with_balances(federation: InventedFederation) -> dict[str, PlayerFacts]:
    facts = {member.facts.id: member.facts for member in federation.members}
    for member, system, rating, floor in federation.opening_balances:
        known = facts[member]
        floors = known.floors if floor is None else (*known.floors, floor)
        facts[member] = known._replace(ratings={**known.ratings, system: rating}, floors=floors)
    return facts


# Its size and its habits


@pytest.mark.long
def test_the_usual_federation_has_the_size_that_was_asked_for() -> None:
    federation = usual()
    assert len(federation.members) == 2_000
    assert 2_500 <= len(federation.arrivals) <= 3_500
    assert 35_000 <= federation.games <= 60_000
    ends = [arrival.report.event.end for arrival in federation.arrivals]
    assert max(end for end in ends if end is not None) <= date(2025, 12, 31)


@pytest.mark.long
def test_two_fifths_of_the_reports_are_native_and_every_format_occurs() -> None:
    formats = Counter(arrival.format for arrival in usual().arrivals)
    assert formats["native"] / len(usual().arrivals) == pytest.approx(0.4, abs=0.05)
    assert formats.keys() == {"native", "uschess-2c", "trf16", "trf26", "csv", "crosstable"}
    assert min(formats.values()) >= 100


def test_every_habit_occurs(federation: InventedFederation) -> None:
    counted = Counter(habit for arrival in federation.arrivals for habit in arrival.habits)
    assert counted.keys() == set(Habit)
    assert {habit: counted[habit] for habit in Habit if counted[habit] < AT_LEAST[habit]} == {}


def test_byes_forfeits_and_unplayed_rounds_occur(federation: InventedFederation) -> None:
    letters = Counter(
        cell.letter
        for section in sections_of(federation)
        for entry in section.entries
        for cell in entry.rounds
    )
    assert letters["W"] > letters["D"] > 100
    assert {letter: letters[letter] for letter in "BHUXF" if letters[letter] < 20} == {}


def test_every_kind_of_time_control_occurs(federation: InventedFederation) -> None:
    counted = Counter(systems_of(one) for one in sections_of(federation) if one.type is not SectionType.FIDE)
    dual = (System.REGULAR, System.QUICK)
    wanted = [(one,) for one in (*System,) if one is not System.ONLINE_REGULAR]
    assert min(counted[systems] for systems in [dual, *wanted]) >= 3
    assert () not in counted


def test_scholastic_events_are_full_of_unrated_children(federation: InventedFederation) -> None:
    rated = {balance.member for balance in federation.opening_balances}
    members = {member.facts.id: member.facts for member in federation.members}
    present = [
        (members[entry.player], arrival.report.event.end)
        for arrival in federation.arrivals
        if Habit.SCHOLASTIC in arrival.habits and Habit.WRONG_MEMBER not in arrival.habits
        for section in arrival.report.sections
        for entry in section.entries
        if entry.player in members
    ]
    newcomers = sum(facts.id not in rated for facts, _ in present)
    assert newcomers / len(present) > 1 / 3
    for facts, end in present:
        assert facts.birth_date is None or end is None or end.year - facts.birth_date.year < 31


def test_weekend_opens_have_several_sections(federation: InventedFederation) -> None:
    opens = [arrival for arrival in federation.arrivals if Habit.OPEN in arrival.habits]
    assert sum(len(arrival.report.sections) > 1 for arrival in opens) >= len(opens) // 2


@pytest.mark.long
def test_ratings_reach_from_masters_to_beginners() -> None:
    facts = members_with_balances(usual())
    ratings = [one.ratings[System.REGULAR].rating for one in facts.values() if System.REGULAR in one.ratings]
    assert min(ratings) == 100
    assert sum(rating >= 2_200 for rating in ratings) >= 10
    assert sum(rating < 200 for rating in ratings) >= 5


# Members, memberships, balances


def test_ids_and_names_occur_once_and_look_invented(federation: InventedFederation) -> None:
    ids = [member.facts.id for member in federation.members]
    assert ids == [str(90_000_001 + number) for number in range(MEMBERS)]
    names = [member.facts.name for member in federation.members]
    assert names[0] == "Heron, Alice"
    # Every 75th is the namesake of another member.
    assert len(set(names)) == MEMBERS - MEMBERS // 75
    words = tomllib.loads(files("ratebook.demo").joinpath("names.toml").read_text("utf-8"))
    given_names, surnames = words["given"].split(), words["surname"].split()
    for name in names:
        made = re.fullmatch(r"(\w+)(?:-(\w+))?, (\w+)(?: [A-Z]\.)?", name)
        assert made is not None
        assert {made[1], made[2] or made[1]} <= set(surnames)
        assert made[3] in given_names


def test_memberships_do_not_overlap_and_some_have_gaps(federation: InventedFederation) -> None:
    gaps = 0
    last: dict[str, date] = {}
    for member, starts, expires in federation.memberships:
        assert starts <= expires
        if member in last:
            assert starts > last[member]
            gaps += (starts - last[member]).days > 1
        last[member] = expires
    assert gaps >= 20
    assert {member.facts.id: member.expires for member in federation.members} == last
    assert LIFE in last.values()


def test_some_play_although_their_membership_has_expired(federation: InventedFederation) -> None:
    spans: dict[str, list[tuple[date, date]]] = {}
    for member, starts, expires in federation.memberships:
        spans.setdefault(member, []).append((starts, expires))
    outside = [
        entry.player
        for section in sections_of(federation)
        for entry in section.entries
        if entry.player in spans
        and not any(starts <= section.end <= expires for starts, expires in spans[entry.player])
    ]
    assert 10 <= len(outside) < 600


def test_about_sixty_of_a_hundred_have_an_opening_rating(federation: InventedFederation) -> None:
    rated = {one.member for one in federation.opening_balances if one.system is System.REGULAR}
    assert len(rated) / MEMBERS == pytest.approx(0.6, abs=0.07)
    assert {one.system for one in federation.opening_balances} == {System.REGULAR, System.QUICK, System.BLITZ}
    assert all(
        one.rating.as_of is not None and one.rating.as_of < FIRST for one in federation.opening_balances
    )


@pytest.mark.long
def test_opening_balances_can_be_true() -> None:
    """Counts add up to the games, peaks stand with established ratings only, floors lie below ratings."""
    kinds = set()
    for _, _, rating, floor in usual().opening_balances:
        if rating.games is None:
            assert rating._replace(rating=0.0, as_of=None) == Rating(0.0)
            continue
        assert rating.wins is not None
        assert rating.draws is not None
        assert rating.losses is not None
        assert min(rating.wins, rating.draws, rating.losses) >= 0
        assert rating.wins + rating.draws + rating.losses == rating.games
        assert (rating.peak is not None) == (rating.games > 25)
        assert 100 <= rating.rating <= (rating.peak or 3_000)
        if floor is not None:
            kinds.add(floor.kind)
            assert floor.floor <= rating.rating
            assert floor.floor % 100 == 0
        if rating.life_master_games is not None and rating.life_master_games >= 300:
            assert floor is not None
            assert floor.kind is FloorKind.OLM
    assert kinds == {FloorKind.OLM, FloorKind.MONEY}


@pytest.mark.long
def test_external_ratings_are_of_members_and_some_of_unrated_ones() -> None:
    federation = usual()
    rated = {balance.member for balance in federation.opening_balances}
    ids = {member.facts.id for member in federation.members}
    sources = Counter((one.source.value, one.member in rated) for one in federation.external_ratings)
    assert all(one.member in ids for one in federation.external_ratings)
    assert min(sources[key] for key in (("fide", True), ("fide", False), ("cfc", False))) >= 5
    first = {(one.member, one.source.value): one for one in reversed(federation.external_ratings)}
    for member in federation.members:
        fide = first.get((member.facts.id, "fide"))
        listed = member.facts.fide
        assert (fide and (fide.rating, fide.list_date)) == (listed and tuple(listed))


# Reports


def test_reports_say_no_more_than_a_director_knows(federation: InventedFederation) -> None:
    for arrival in federation.arrivals:
        for key, facts in arrival.report.players.items():
            if facts.fide is not None:
                assert Habit.FOREIGN in arrival.habits
                assert arrival.format == "native"
                assert key.startswith("FIDE")
            assert facts._replace(fide=None) == PlayerFacts(key, facts.name)


def test_arrivals_are_numbered_in_order_and_event_ids_begin_with_the_last_day(
    federation: InventedFederation,
) -> None:
    received = [arrival.received for arrival in federation.arrivals]
    assert received == sorted(received)
    assert [arrival.number for arrival in federation.arrivals] == list(range(1, len(received) + 1))
    seen: dict[str, Report] = {}
    for arrival in federation.arrivals:
        event = arrival.report.event
        assert event.end is not None
        assert re.fullmatch(f"{event.end:%Y%m%d}[0-9]{{4}}", event.id)
        if Habit.DUPLICATE in arrival.habits:
            assert seen[event.id] == arrival.report
        else:
            assert event.id not in seen
        seen[event.id] = arrival.report


def test_late_reports_arrive_weeks_after_later_events(federation: InventedFederation) -> None:
    overtaken = 0
    latest = date.min
    for arrival in federation.arrivals:
        end = arrival.report.event.end
        assert end is not None
        overtaken += (latest - end).days > 14
        latest = max(latest, end)
    assert overtaken >= 10


def test_nothing_but_what_is_planted_is_found_in_the_reports(federation: InventedFederation) -> None:
    """Unrated players are as they should be: the book brings ratings and birth dates."""
    expected = {"unrated-without-birth-date", "name-twice"}
    for arrival in federation.arrivals:
        found = {one.code for one in check_report(arrival.report, ReportedFacts(received=arrival.received))}
        late = found & {"report-late"}
        assert found <= expected | late, arrival
        if late:
            assert {Habit.LATE, Habit.WRONG_DATE, Habit.DUPLICATE} & set(arrival.habits)


def test_wrong_ids_are_nobodys_or_another_members(federation: InventedFederation) -> None:
    ids = {member.facts.id for member in federation.members}
    for arrival in federation.arrivals:
        unknown = [key for key in arrival.report.players if key not in ids and not key.startswith("FIDE")]
        assert len(unknown) == (Habit.UNKNOWN_MEMBER in arrival.habits)


# Corrections


def event_of(federation: InventedFederation, event_id: str) -> Arrival:
    return next(one for one in federation.arrivals if one.report.event.id == event_id)


def test_every_kind_of_correction_occurs_after_everything_has_arrived(federation: InventedFederation) -> None:
    last = max(arrival.received for arrival in federation.arrivals)
    kinds = Counter(correction.kind for correction in federation.corrections)
    assert kinds.keys() == set(CorrectionSubject)
    days = [correction.on for correction in federation.corrections]
    assert days == sorted(days)
    assert days[0] > last
    mistakes = [habit for arrival in federation.arrivals for habit in arrival.habits]
    twice = sum(
        Habit.DUPLICATE in arrival.habits and len(set(arrival.habits) & set(AT_LEAST)) > 2
        for arrival in federation.arrivals
    )
    assert kinds[CorrectionSubject.RESULT] <= mistakes.count(Habit.WRONG_RESULT)
    assert kinds[CorrectionSubject.RESULT] >= mistakes.count(Habit.WRONG_RESULT) - twice


def test_a_correction_changes_what_the_report_says(federation: InventedFederation) -> None:
    ids = {member.facts.id: member.facts for member in federation.members}
    for correction in federation.corrections:
        if correction.kind is CorrectionSubject.BIRTH_DATE:
            wrong = ids[correction.value].birth_date
            assert wrong is not None
            assert date.fromisoformat(correction.opponent_value).year == wrong.year + 10
            continue
        report = event_of(federation, correction.event_id).report
        section = next(section for section in report.sections if section.number == correction.section)
        seats = {entry.seat: entry for entry in section.entries}
        if correction.kind is CorrectionSubject.RESULT:
            assert correction.seat is not None
            assert correction.round is not None
            cell = seats[correction.seat].rounds[correction.round - 1]
            assert cell.opponent is not None
            other = seats[cell.opponent].rounds[correction.round - 1]
            assert (cell.letter, other.letter) == ("L", "W")
            assert (correction.value, correction.opponent_value) == ("W", "L")
        elif correction.kind is CorrectionSubject.MEMBER:
            assert correction.seat is not None
            wrong_id = seats[correction.seat].player
            assert wrong_id != correction.value
            assert sorted(wrong_id) == sorted(correction.value), "digits are swapped"
            assert report.players[wrong_id].name == ids[correction.value].name
        elif correction.kind is CorrectionSubject.DATE:
            assert section.start is not None
            assert (date.fromisoformat(correction.value) - section.start).days in {7, 14}
            assert (date.fromisoformat(correction.opponent_value) - section.end).days in {7, 14}
        elif correction.kind is CorrectionSubject.TIME_CONTROL:
            assert section.time_control == MISREAD[correction.value]
            assert systems_of(section) != systems_of(section._replace(time_control=correction.value))


# Rating it


# That all reports of a federation can be rated is shown by tests/unit/office/test_whole_federation.py too.
@pytest.mark.soak
def test_all_reports_can_be_rated_in_the_order_of_arrival_and_strong_juniors_pass_2200() -> None:
    federation = usual()
    facts = members_with_balances(federation)
    begin = {key: one.ratings[System.REGULAR] for key, one in facts.items() if System.REGULAR in one.ratings}
    rulebook = load_rulebook()
    warned = Counter[str]()
    for arrival in federation.arrivals:
        if Habit.DUPLICATE in arrival.habits:
            continue
        players = {key: facts.get(key, listed) for key, listed in arrival.report.players.items()}
        reported = ReportedFacts(received=arrival.received)
        rated = rate_report(
            arrival.report._replace(players=players), rulebook, RatingOptions(reported=reported)
        )
        assert [one for one in rated.findings if one.severity is Severity.ERROR] == []
        assert rated.sections
        warned.update({one.code for one in rated.findings if one.severity is Severity.WARNING})
        for section in rated.sections:
            for key, after in facts_after(section).items():
                if key in facts:
                    facts[key] = merged(facts[key], after, section.system)
    passed = [
        key
        for key, before in begin.items()
        if max(before.rating, before.peak or 0.0) < 2_200
        and (facts[key].ratings[System.REGULAR].peak or 0.0) >= 2_200
    ]
    assert len(passed) >= 3
    assert sum(
        one.ratings[System.REGULAR].rating < 130 for one in facts.values() if System.REGULAR in one.ratings
    )
    # Ratings that do not fit a performance belong to quickly growing children.
    assert warned["performance-unlikely"] < len(federation.arrivals) / 10
    assert warned["fide-not-eligible"] == 0


# Its arguments


def test_years_end_the_day_before_they_begin_again() -> None:
    federation = build_federation(40, 1, date(2020, 2, 29))
    sections = sections_of(federation)
    assert date(2020, 2, 29) <= min(one.start for one in sections if one.start)
    assert date(2020, 12, 1) < max(one.end for one in sections) <= date(2021, 2, 28)
    assert {one.rating.as_of for one in federation.opening_balances} == {date(2020, 2, 28)}


def test_no_three_members_share_a_name(federation: InventedFederation) -> None:
    names = Counter(member.facts.name for member in federation.members)
    assert sorted(Counter(names.values())) == [1, 2]


def test_events_have_many_names(federation: InventedFederation) -> None:
    names = Counter(arrival.report.event.name for arrival in federation.arrivals)
    assert max(names.values()) < len(federation.arrivals) / 20
    assert all(0 < len(name) <= 35 for name in names)


def test_the_first_member_plays_often(federation: InventedFederation) -> None:
    first = federation.members[0].facts.id
    played = sum(first in arrival.report.players for arrival in federation.arrivals)
    assert played > 30
    assert federation.members[0].expires == LIFE


def test_another_seed_gives_another_federation() -> None:
    first, second = (build_federation(40, 1, seed=seed) for seed in (1, 2))
    assert first.members != second.members
    assert first.arrivals != second.arrivals


def test_the_same_arguments_give_the_same_federation() -> None:
    assert build_federation(40, 1, FIRST, 3) == build_federation(40, 1, FIRST, 3)


@pytest.mark.parametrize("first_year", [2016, 2019, 2025])
def test_every_year_that_can_be_asked_for_can_be_rated(first_year: int) -> None:
    federation = build_federation(120, 1, date(first_year, 1, 1))
    for section in sections_of(federation):
        assert section.type is SectionType.FIDE or systems_of(section)


@pytest.mark.parametrize(
    ("members", "years", "start"), [(19, 1, FIRST), (40, 0, FIRST), (40, 1, date(2015, 12, 31))]
)
def test_arguments_without_sense_are_refused(members: int, years: int, start: date) -> None:
    with pytest.raises(ValueError, match="must"):
        build_federation(members, years, start)


def test_progress_is_told_event_by_event() -> None:
    told: list[tuple[int, int]] = []
    build_federation(40, 1, progress=lambda held, planned: told.append((held, planned)))
    assert told == [(number, len(told)) for number in range(1, len(told) + 1)]


def test_a_federation_of_the_least_size_has_files() -> None:
    assert len(list(federation_files(build_federation(20, 1)))) > 10
