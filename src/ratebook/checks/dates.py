"""Checks of dates: they select the rules, the age and the order of rating."""

from collections.abc import Iterator
from datetime import date

from ratebook.checks.submission import Submission
from ratebook.findings import Finding, Place, finding
from ratebook.formats.reading.fields import EARLIEST_YEAR, LATEST_YEAR, YEARS
from ratebook.model import Report

FAR_DAYS = 31
"""A last day that is further ahead is a typing mistake, not an event that is being played."""


def dates_of(report: Report) -> Iterator[tuple[Place, date | None]]:
    """Yield every date of *report* with its place."""
    yield Place(subject="event", field="start"), report.event.start
    yield Place(subject="event", field="end"), report.event.end
    for section in report.sections:
        yield Place(section=section.number, field="start"), section.start
        yield Place(section=section.number, field="end"), section.end
    for player in report.players.values():
        players = (player.id,)
        yield Place(players=players, field="birth_date"), player.birth_date
        for system, rating in player.ratings.items():
            yield Place(players=players, field=f"ratings.{system}.as_of"), rating.as_of
        for name, foreign in (("fide", player.fide), ("cfc", player.cfc)):
            if foreign is not None:
                yield Place(players=players, field=f"{name}.as_of"), foreign.as_of
        for number, match in enumerate(player.matches, start=1):
            yield Place(players=players, position=number, field="matches.end"), match.end


def last_day_of(report: Report) -> date | None:
    """Return the last day of the event, else of its sections."""
    if report.event.end is not None:
        return report.event.end
    return max((section.end for section in report.sections), default=None)


def check_years(submission: Submission) -> Iterator[Finding]:
    """Report dates in years in which no rated event can have been played and no player can have been born.

    Birth dates are private, so the message does not show them.
    """
    for place, day in dates_of(submission.report):
        if day is not None and not EARLIEST_YEAR <= day.year <= LATEST_YEAR:
            yield finding("date-out-of-range.private", place, **YEARS)


def check_dates_are_in_order(submission: Submission) -> Iterator[Finding]:
    """Report events and sections that end before they start."""
    event = submission.report.event
    spans = [(Place(subject="event", field="end"), event.start, event.end)]
    spans += [
        (Place(section=section.number, field="end"), section.start, section.end)
        for section in submission.report.sections
    ]
    for place, start, end in spans:
        if start is not None and end is not None and end < start:
            yield finding("dates-reversed.fields", place, end=end, start=start)


def check_sections_lie_within_the_event(submission: Submission) -> Iterator[Finding]:
    """Report sections that start before the event, end after it, or start after it is over.

    The section's own dates count: its start selects the rules, its end the age and the order of rating.
    """
    event = submission.report.event
    for section in submission.report.sections:
        first = section.rules_date
        early = event.start is not None and first < event.start
        late = event.end is not None and max(first, section.end) > event.end
        if early or late:
            yield finding(
                "section-outside-event",
                Place(section=section.number, field="dates"),
                first=first,
                end=section.end,
                start=event.start or "an unknown day",
                end_2=event.end or "an unknown day",
            )


def check_report_is_in_time(submission: Submission) -> Iterator[Finding]:
    """Report a report that arrived more than 10 days after the last day of the event.

    Checked only if the day of arrival is known. The profile of a book may name another number of days.
    """
    received, end = submission.facts.received, last_day_of(submission.report)
    allowed = submission.facts.thresholds.days_to_report
    if received is not None and end is not None and (received - end).days > allowed:
        yield finding(
            "report-late",
            Place(subject="report"),
            end=end,
            received=received,
            days=(received - end).days,
            most_days_to_report=allowed,
        )


def check_event_is_over(submission: Submission) -> Iterator[Finding]:
    """Report a report that arrived before the last day of the event, or whose last day is far in the future.

    Where the day of arrival is not known, 31 days from today are far: a schedule may be read while an event is played.
    """
    received, end = submission.facts.received, last_day_of(submission.report)
    today = submission.facts.today
    if end is None:
        return
    if received is not None and received < end:
        yield finding("event-not-over.received-before", Place(subject="report"), received=received, end=end)
    elif received is None and today is not None and (end - today).days > FAR_DAYS:
        yield finding("event-not-over.far-ahead", Place(subject="report"), end=end, today=today)
