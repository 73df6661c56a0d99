"""The federation that ends last weekend: memberships hold, and the pages opened first have something new."""

from __future__ import annotations

from collections import defaultdict
from datetime import date, timedelta
from functools import cache
from typing import TYPE_CHECKING

import pytest

from ratebook.demo.build import recent_federation
from ratebook.demo.values import Habit
from ratebook.model import System

if TYPE_CHECKING:
    from ratebook.demo.values import InventedFederation, MembershipSpan
    from ratebook.model import Section

TODAY = date(2026, 11, 27)


@cache
def recent() -> InventedFederation:
    return recent_federation(300, 4, TODAY)


def sections_of(federation: InventedFederation) -> list[Section]:
    return [section for arrival in federation.arrivals for section in arrival.report.sections]


def spans_of(federation: InventedFederation) -> dict[str, list[MembershipSpan]]:
    spans = defaultdict(list)
    for span in federation.memberships:
        spans[span.member].append(span)
    return spans


@pytest.mark.parametrize(
    ("today", "sunday"),
    [
        (date(2026, 11, 27), date(2026, 11, 22)),
        (date(2026, 11, 30), date(2026, 11, 29)),
        (date(2026, 11, 29), date(2026, 11, 22)),
    ],
)
def test_a_recent_federation_ends_on_the_last_sunday_and_has_what_arrived(today: date, sunday: date) -> None:
    federation = recent_federation(120, 2, today)
    ends = [section.end for section in sections_of(federation)]
    assert date(2024, 11, 21) <= min(ends) < date(2024, 12, 31)
    assert max(ends) == sunday
    assert max(arrival.received for arrival in federation.arrivals) <= today
    assert {correction.on for correction in federation.corrections} == {today}
    events = {arrival.report.event.id for arrival in federation.arrivals}
    assert {one.event_id for one in federation.corrections} <= events | {""}


def test_who_has_played_in_the_last_year_was_a_member_then() -> None:
    ids = {member.facts.id for member in recent().members}
    days = {
        (entry.player, section.end)
        for section in sections_of(recent())
        if TODAY - section.end <= timedelta(days=365)
        for entry in section.entries
        if entry.player in ids
    }
    assert len(days) > 1_000
    spans = spans_of(recent())
    assert {(key, day) for key, day in days if not any(a <= day <= b for _, a, b in spans[key])} == set()


def test_a_few_memberships_have_lapsed_and_these_members_play_no_more() -> None:
    lapsed = [member for member in recent().members if member.expires < TODAY]
    assert 1 <= len(lapsed) <= 6
    ends = {
        entry.player: section.end
        for section in sorted(sections_of(recent()), key=lambda section: section.end)
        for entry in section.entries
    }
    assert max(ends.get(member.facts.id, date.min) for member in lapsed) < TODAY - timedelta(days=365)
    assert {member.facts.id: member.expires for member in recent().members} == {
        key: spans[-1].expires for key, spans in spans_of(recent()).items()
    }


def test_whoever_directs_was_a_member_all_the_time() -> None:
    spans = spans_of(recent())
    for arrival in recent().arrivals:
        event = arrival.report.event
        if Habit.FOREIGN in arrival.habits:
            assert event.chief_td == ""
        else:
            assert any(starts <= arrival.received <= expires for _, starts, expires in spans[event.chief_td])


def test_the_first_member_and_others_who_play_often_meet_on_the_last_weekend() -> None:
    """The official list of the month knows no event of it, so that their ratings have changed since."""
    first = recent().members[0].facts.id
    of_the_first = [arrival for arrival in recent().arrivals if first in arrival.report.players]
    *_, night, opened = sorted(of_the_first, key=lambda arrival: arrival.report.sections[0].end)
    assert (night.habits, opened.habits) == ((Habit.NIGHT,), (Habit.OPEN,))
    assert (night.report.event.end, opened.report.event.end) == (date(2026, 11, 20), date(2026, 11, 22))
    assert len(opened.report.players) >= 24
    (played,) = (e.rounds for s in opened.report.sections for e in s.entries if e.player == first)
    assert {cell.letter for cell in played} <= set("WDLB")


def test_the_second_club_has_two_nights_whose_reports_are_in_time() -> None:
    """They are what waits in the queue of the demonstration."""
    reports = [
        arrival.report for arrival in recent().arrivals if arrival.report.event.affiliate == "A9000002"
    ]
    ends = sorted(section.end for report in reports for section in report.sections)
    assert ends[-2:] == [date(2026, 11, 19), date(2026, 11, 20)]


def test_strong_players_of_a_recent_federation_were_rated_in_every_system() -> None:
    systems: dict[str, dict[System, float]] = defaultdict(dict)
    for balance in recent().opening_balances:
        systems[balance.member][balance.system] = balance.rating.rating
    strong = [ratings for ratings in systems.values() if ratings[System.REGULAR] >= 1_500]
    assert len(strong) > 30
    assert {tuple(sorted(ratings)) for ratings in strong} == {tuple(sorted(System))}
