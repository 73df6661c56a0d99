"""How reports arrive at the office: when, in which format, with which event id, late, and some twice."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from ratebook.demo.chance import Chance
from ratebook.demo.events import TrueEvent
from ratebook.demo.mistakes import Mishaps
from ratebook.demo.values import Arrival, Correction, Habit
from ratebook.formats.contract import Hints
from ratebook.model import Report, Section, SectionType

NATIVE = "native"
UPLOAD = "uschess-2c"
CROSSTABLE = "crosstable"
TOURNAMENT_REPORTS = ("trf16", "trf26")

_FORMATS = ((NATIVE, 40), (UPLOAD, 26), ("trf16", 7), ("trf26", 9), ("csv", 10), (CROSSTABLE, 8))
"""How many of 100 reports come in which format."""

_LATE = 0.05
_TWICE = 0.008
_FIRST_CORRECTION_AFTER = 10
_CORRECTIONS_A_DAY = 4


class SentIn(NamedTuple):
    """A report on its way, with what will have to be corrected; *event* is the event's place in the calendar."""

    event: int
    report: Report
    received: date
    format: str
    habits: tuple[Habit, ...]
    corrections: tuple[Correction, ...]


def sent_in(chance: Chance, mishaps: Mishaps, event: TrueEvent, number: int) -> tuple[SentIn, ...]:
    """Return what the director of *event*, *number* in the calendar, sends in: a report, or the same report twice."""
    report, mistake, corrections = mishaps.sent_in(event.report)
    habits = [event.planned.habit] if mistake is None else [event.planned.habit, mistake]
    if chance.happens(_LATE):
        habits.append(Habit.LATE)
        received = event.planned.end + timedelta(days=chance.between(15, 75))
    else:
        received = event.planned.end + timedelta(
            days=chance.weighted(((0, 3), (1, 5), (2, 3), (4, 2), (7, 1)))
        )
    report_sent = SentIn(
        event=number,
        report=report,
        received=received,
        format=_format(chance, report),
        habits=tuple(habits),
        corrections=corrections,
    )
    if not chance.happens(_TWICE):
        return (report_sent,)
    again = report_sent.received + timedelta(days=chance.between(2, 30))
    return report_sent, report_sent._replace(
        received=again, habits=(*habits, Habit.DUPLICATE), corrections=()
    )


def arrived(reports: Iterable[SentIn]) -> tuple[tuple[Arrival, ...], tuple[Correction, ...]]:
    """Return the arrivals in their order, with event ids, and the corrections with these ids.

    An id is the last day as reported and four digits; a report that comes twice has one id.
    """
    taken: dict[date, int] = {}
    id_of: dict[int, str] = {}
    arrivals: list[Arrival] = []
    corrections: list[Correction] = []
    # Sorting keeps the order of events among reports of one day.
    for number, sent in enumerate(sorted(reports, key=lambda sent: sent.received), start=1):
        end = sent.report.event.end or sent.received
        event_id = id_of.get(sent.event, "")
        if not event_id:
            taken[end] = taken.get(end, 0) + 1
            event_id = f"{end:%Y%m%d}{taken[end]:04}"
            id_of[sent.event] = event_id
        report = sent.report._replace(event=sent.report.event._replace(id=event_id))
        hints = hints_for(report, sent.format)
        arrivals.append(
            Arrival(
                number=number,
                report=report,
                received=sent.received,
                format=sent.format,
                hints=hints,
                habits=sent.habits,
            )
        )
        corrections += [correction._replace(event_id=event_id) for correction in sent.corrections]
    return tuple(arrivals), tuple(corrections)


def dated(corrections: Sequence[Correction], arrivals: Sequence[Arrival]) -> tuple[Correction, ...]:
    """Return *corrections* with the days on which the office makes them, after the last arrival."""
    last = max((arrival.received for arrival in arrivals), default=None)
    if last is None:
        return ()
    return tuple(
        correction._replace(on=last + timedelta(days=_FIRST_CORRECTION_AFTER + number // _CORRECTIONS_A_DAY))
        for number, correction in enumerate(corrections)
    )


def hints_for(report: Report, name: str) -> Hints:
    """Return what the format *name* cannot say of *report*, beside the id of the event."""
    section = report.sections[0]
    online = section.online and name in {UPLOAD, CROSSTABLE, *TOURNAMENT_REPORTS}
    if name != CROSSTABLE:
        return Hints(online=online, event=report.event.id)
    return Hints(
        start=section.start,
        end=section.end,
        time_control=section.time_control,
        online=online,
        type=section.type,
        event=report.event.id,
    )


def _format(chance: Chance, report: Report) -> str:
    """Return the format that a report is written in: one that can hold it, with one set of hints for all sections."""
    name = chance.weighted(_FORMATS)
    if any(section.type is SectionType.FIDE for section in report.sections):
        # Only the native report says whom a foreign event updates.
        return NATIVE
    if name == CROSSTABLE and len({_settings(section) for section in report.sections}) > 1:
        return UPLOAD
    return name


def _settings(section: Section) -> tuple[date | None, date, str | None, SectionType]:
    return section.start, section.end, section.time_control, section.type
