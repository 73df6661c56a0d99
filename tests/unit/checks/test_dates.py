"""Checks of dates: in order, within the event, and in time."""

from __future__ import annotations

from datetime import date

import pytest

from ratebook.checks import ReportedFacts, check_report
from ratebook.findings import Severity
from ratebook.model import EarlierMatch, Event, ForeignRating, PlayerFacts, Rating, Report, System
from unit.checks.checked_reports import QUAD, found, rated, report_of, report_with, section_of, severities

FRIDAY = date(2026, 11, 13)
SATURDAY = date(2026, 11, 14)
SUNDAY = date(2026, 11, 15)
MONDAY = date(2026, 11, 16)


def quad(start: date | None, end: date, event: Event) -> Report:
    return report_with(section_of(*QUAD, start=start, end=end), event=event)


def test_an_end_before_the_start_is_an_error() -> None:
    report = quad(SUNDAY, SATURDAY, Event(start=MONDAY, end=FRIDAY))
    assert found(report)[:2] == [("dates-reversed", "event, end"), ("dates-reversed", "section 1, end")]
    assert severities(report)["dates-reversed"] is Severity.ERROR


@pytest.mark.parametrize("start", [SATURDAY, FRIDAY, None])
def test_dates_in_order_or_not_known_are_no_finding(start: date | None) -> None:
    assert check_report(quad(start, SATURDAY, Event())) == []
    assert check_report(quad(start, SATURDAY, Event(start=start))) == []


@pytest.mark.parametrize("day", [date(1849, 12, 31), date(2200, 1, 1), date(1, 1, 1), date(9999, 12, 31)])
def test_a_year_without_rated_chess_is_an_error_wherever_it_stands(day: date) -> None:
    player = PlayerFacts(
        "P1",
        "P1 EXAMPLE",
        birth_date=day,
        ratings={System.REGULAR: Rating(1500, as_of=day)},
        fide=ForeignRating(1500, day),
        cfc=ForeignRating(1500, day),
        matches=(EarlierMatch(System.REGULAR, day, 10),),
    )
    section = section_of(*QUAD, start=day, end=day)
    report = report_with(section, facts={"P1": player}, event=Event(start=day, end=day))
    places = [place for code, place in found(report) if code == "date-out-of-range"]
    assert places == [
        "event, start",
        "event, end",
        "section 1, start",
        "section 1, end",
        "player P1, birth_date",
        "player P1, ratings.regular.as_of",
        "player P1, fide.as_of",
        "player P1, cfc.as_of",
        "player P1, number 1 of the list, matches.end",
    ]
    assert severities(report)["date-out-of-range"] is Severity.ERROR
    births = [finding.message for finding in check_report(report) if "birth" in finding.where]
    assert not any(str(day) in message for message in births)


@pytest.mark.parametrize("day", [date(1850, 1, 1), date(2199, 12, 31)])
def test_the_first_and_the_last_year_are_taken(day: date) -> None:
    assert "date-out-of-range" not in severities(quad(day, day, Event()))


@pytest.mark.parametrize(
    ("start", "end"),
    [(FRIDAY, SATURDAY), (SATURDAY, MONDAY), (MONDAY, MONDAY), (None, FRIDAY), (FRIDAY, MONDAY)],
)
def test_a_section_outside_the_dates_of_the_event_is_a_warning(start: date | None, end: date) -> None:
    report = quad(start, end, Event(start=SATURDAY, end=SUNDAY))
    assert found(report) == [("section-outside-event", "section 1, dates")]
    assert severities(report) == {"section-outside-event": Severity.WARNING}


@pytest.mark.parametrize(
    ("start", "end"), [(SATURDAY, SUNDAY), (SATURDAY, SATURDAY), (SUNDAY, SUNDAY), (None, SUNDAY)]
)
def test_a_section_within_the_event_is_no_finding(start: date | None, end: date) -> None:
    assert check_report(quad(start, end, Event(start=SATURDAY, end=SUNDAY))) == []


def test_an_event_of_which_one_day_is_known_bounds_that_side_only() -> None:
    assert check_report(quad(FRIDAY, MONDAY, Event(start=FRIDAY))) == []
    assert check_report(quad(FRIDAY, MONDAY, Event(end=MONDAY))) == []
    for event in (Event(start=SATURDAY), Event(end=SUNDAY)):
        report = quad(FRIDAY, MONDAY, event)
        assert [code for code, _ in found(report)] == ["section-outside-event"]
        assert "unknown day" in check_report(report)[0].message


@pytest.mark.parametrize(
    ("received", "codes"),
    [
        (date(2026, 11, 25), []),
        (date(2026, 11, 26), ["report-late"]),
        (date(2027, 11, 15), ["report-late"]),
        (SUNDAY, []),
        (SATURDAY, ["event-not-over"]),
    ],
)
@pytest.mark.parametrize("event", [Event(), Event(start=SATURDAY, end=SUNDAY)])
def test_a_report_has_ten_days_from_the_last_day(received: date, codes: list[str], event: Event) -> None:
    report = quad(SATURDAY, SUNDAY, event)
    facts = ReportedFacts(received=received)
    assert [code for code, _ in found(report, facts)] == codes
    assert set(severities(report, facts).values()) <= {Severity.WARNING}


def test_the_latest_section_ends_an_event_that_does_not_say_its_own_end() -> None:
    report = report_with(section_of(*QUAD, end=MONDAY), section_of(*QUAD, number=2))
    assert check_report(report, ReportedFacts(received=date(2026, 11, 26))) == []
    assert found(report, ReportedFacts(received=date(2026, 11, 27))) == [("report-late", "report")]


def test_nothing_is_late_where_nobody_says_when_it_came() -> None:
    assert check_report(report_of(*QUAD, facts={"P1": rated("P1")})) == []
