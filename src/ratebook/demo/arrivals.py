"""What arrives at the office: mistakes and their corrections; when, in which format and with which event id."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, timedelta
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from ratebook.demo.chance import Chance
from ratebook.demo.events import PlannedEvent
from ratebook.demo.people import Person
from ratebook.demo.values import Arrival, Correction, CorrectionSubject, Habit
from ratebook.formats.contract import Hints
from ratebook.model import MIRROR, Entry, Report, Section, SectionType

NOT_YET = date.min
"""The day of a correction that has not been made yet."""

MISREAD = {
    "G/60;d5": "G/90;d5",
    "G/75;d5": "G/45;d5",
    "G/90;+30": "G/30;+30",
    "G/45;d5": "G/15;d5",
    "G/30;d5": "G/20;d5",
    "G/25;d5": "G/20;d5",
    "G/15;d3": "G/5;d3",
    "G/24;d5": "G/34;d5",
}
"""Time controls that are reported for others; another system or another set of systems rates them."""

_WRONG = 0.06
"""How often a report has a mistake."""

_PLAYERS_CHOSEN = frozenset({SectionType.MATCH, SectionType.FIDE})
"""Sections that are rated for certain players only: with another id or time control they could not be rated at all."""

_DAYS_BETWEEN = 7
_FIRST_DIGIT_SWAPPED = 3
_BIRTH_DATES_WRONG = 120
_CLERKS = ("CLERK EXAMPLE", "DEPUTY EXAMPLE")


Mistake: TypeAlias = tuple[Report, Correction]
"""A report with a mistake, and its correction."""


class Mishaps:
    """Puts mistakes into reports."""

    def __init__(self, chance: Chance, members: Sequence[str], first: date) -> None:
        self._chance = chance
        self._members = frozenset(members)
        self._first = first
        another = partial(self._transposed, of_a_member=True, reason="The id belongs to another member.")
        unknown = partial(
            self._transposed, of_a_member=False, reason="No member has this id: two digits are swapped."
        )
        self._kinds: dict[Habit, tuple[int, Callable[[Report], Mistake | None]]] = {
            Habit.WRONG_RESULT: (40, self._wrong_result),
            Habit.WRONG_MEMBER: (17, another),
            Habit.UNKNOWN_MEMBER: (17, unknown),
            Habit.WRONG_DATE: (8, self._wrong_date),
            Habit.WRONG_TIME_CONTROL: (10, self._wrong_time_control),
            Habit.NOT_TO_RATE: (8, self._not_to_rate),
        }
        """How many of 100 mistakes are of each kind, and the function that makes one."""
        self._made = dict.fromkeys(self._kinds, 0)

    def sent_in(self, report: Report) -> tuple[Report, tuple[Habit, ...], tuple[Correction, ...]]:
        """Return *report* as it arrives at the office, its mistake, and the correction; most reports are right.

        Of the mistakes that are possible in the report, it gets the one furthest behind its share, so that a small
        federation has all of them.
        """
        if self._chance.happens(_WRONG):
            for habit in sorted(
                self._kinds, key=lambda habit: (self._made[habit] + 1) / self._kinds[habit][0]
            ):
                mistake = self._kinds[habit][1](report)
                if mistake is not None:
                    self._made[habit] += 1
                    changed, correction = mistake
                    return changed, (habit,), (correction,)
        return report, (), ()

    def _wrong_result(self, report: Report) -> Mistake | None:
        """Swap the winner and the loser of a game."""
        at, section = self._one_section(report)
        games = [
            (entry, number)
            for entry in section.entries
            for number, cell in enumerate(entry.rounds)
            if cell.letter == "W"
        ]
        if not games:
            return None
        winner, number = self._chance.one_of(games)
        players = {winner.seat, winner.rounds[number].opponent}

        def swapped(entry: Entry) -> Entry:
            cells = list(entry.rounds)
            cells[number] = cells[number]._replace(letter=MIRROR[cells[number].letter])
            return entry._replace(rounds=tuple(cells))

        entries = tuple(swapped(entry) if entry.seat in players else entry for entry in section.entries)
        reason = "The winner and the loser were swapped."
        correction = self._correction(
            CorrectionSubject.RESULT, section, reason, value="W", opponent_value="L"
        )
        correction = correction._replace(seat=winner.seat, round=number + 1)
        return _with_section(report, at, section._replace(entries=entries)), correction

    def _transposed(self, report: Report, *, of_a_member: bool, reason: str) -> Mistake | None:
        """Swap two neighbouring digits of a player's id, which is then another member's or unknown."""
        at, section = self._one_section(report)
        if section.type in _PLAYERS_CHOSEN:
            return None
        for entry in self._chance.in_any_order(section.entries):
            player = entry.player
            if player not in self._members:
                continue
            wrong = [
                key
                for key in transpositions(player)
                if (key in self._members) == of_a_member and key not in report.players
            ]
            seats = [seat for other in report.sections for seat in other.entries if seat.player == player]
            if not wrong or len(seats) > 1:
                continue
            key = self._chance.one_of(wrong)
            entries = tuple(seat._replace(player=key) if seat is entry else seat for seat in section.entries)
            players = dict(
                (key, facts._replace(id=key)) if listed == player else (listed, facts)
                for listed, facts in report.players.items()
            )
            correction = self._correction(
                CorrectionSubject.MEMBER, section, reason, seat=entry.seat, value=player
            )
            changed = _with_section(report, at, section._replace(entries=entries))
            return changed._replace(players=players), correction
        return None

    def _wrong_date(self, report: Report) -> Mistake | None:
        """Report the event a week or two too early."""
        event = report.event
        if len(report.sections) > 1 or event.start is None or event.end is None:
            return None
        earlier = timedelta(days=_DAYS_BETWEEN * self._chance.between(1, 2))
        if event.start - earlier < self._first:
            return None
        section = report.sections[0]
        right = {"value": event.start.isoformat(), "opponent_value": event.end.isoformat()}
        reason = "The report gives the days of an earlier week."
        correction = self._correction(CorrectionSubject.DATE, section, reason, **right)
        start, end = event.start - earlier, event.end - earlier
        changed = _with_section(report, 0, section._replace(start=start, end=end))
        return changed._replace(event=event._replace(start=start, end=end)), correction

    def _wrong_time_control(self, report: Report) -> Mistake | None:
        at, section = self._one_section(report)
        right = section.time_control or ""
        if right not in MISREAD or section.online or section.type in _PLAYERS_CHOSEN:
            return None
        reason = "The report gives another time control."
        correction = self._correction(CorrectionSubject.TIME_CONTROL, section, reason, value=right)
        return _with_section(report, at, section._replace(time_control=MISREAD[right])), correction

    def _not_to_rate(self, report: Report) -> Mistake:
        _, section = self._one_section(report)
        reason = "The section should not have been rated."
        return report, self._correction(CorrectionSubject.WITHDRAW, section, reason)

    def _one_section(self, report: Report) -> tuple[int, Section]:
        at = self._chance.below(len(report.sections))
        return at, report.sections[at]

    def _correction(
        self,
        kind: CorrectionSubject,
        section: Section,
        reason: str,
        **right: Any,  # noqa: ANN401 - other fields of a correction
    ) -> Correction:
        by = self._chance.one_of(_CLERKS)
        return Correction(NOT_YET, by, kind, section=section.number, reason=reason, **right)


def wrong_birth_dates(
    chance: Chance, people: Sequence[Person]
) -> tuple[tuple[Person, ...], tuple[Correction, ...]]:
    """Return *people*, some with a birth date ten years too early in the members list, and the corrections.

    The first newcomer with a birth date is always among them.
    """
    changed: list[Person] = []
    corrections: list[Correction] = []
    for person in people:
        facts = person.member.facts
        listed = person
        newcomer = not person.rated_before and facts.birth_date is not None
        if newcomer and (not corrections or chance.below(_BIRTH_DATES_WRONG) == 0):
            wrong = person.born.replace(year=person.born.year - 10, day=min(person.born.day, 28))
            member = person.member._replace(facts=facts._replace(birth_date=wrong))
            listed = person._replace(member=member)
            correction = Correction(NOT_YET, chance.one_of(_CLERKS), CorrectionSubject.BIRTH_DATE)
            correction = correction._replace(value=person.id, opponent_value=person.born.isoformat())
            corrections.append(correction._replace(reason="The year of birth was wrong."))
        changed.append(listed)
    return tuple(changed), tuple(corrections)


def transpositions(key: str) -> list[str]:
    """Return the ids that come about when two neighbouring digits of *key* are swapped, from the fourth on.

    >>> transpositions("90000123")
    ['90001023', '90000213', '90000132']
    """
    return [
        key[:at] + key[at + 1] + key[at] + key[at + 2 :]
        for at in range(_FIRST_DIGIT_SWAPPED, len(key) - 1)
        if key[at] != key[at + 1]
    ]


def _with_section(report: Report, at: int, section: Section) -> Report:
    return report._replace(sections=(*report.sections[:at], section, *report.sections[at + 1 :]))


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
    arrival: Arrival
    corrections: tuple[Correction, ...]


def sent_at_once(planned: PlannedEvent, report: Report, number: int) -> SentIn:
    """Return what a director sends in on the last day of an event, *number* in the calendar, without a mistake."""
    arrival = Arrival(
        number=0, report=report, received=planned.end, format=NATIVE, hints=Hints(), habits=(planned.habit,)
    )
    return SentIn(number, arrival, ())


def sent_in(
    chance: Chance, mishaps: Mishaps, planned: PlannedEvent, true_report: Report, number: int
) -> Iterator[SentIn]:
    """Yield what the director of an event, *number* in the calendar, sends in: a report, or the same report twice."""
    report, mistakes, corrections = mishaps.sent_in(true_report)
    habits = (planned.habit, *mistakes)
    if chance.happens(_LATE):
        habits, days = (*habits, Habit.LATE), chance.between(15, 75)
    else:
        days = chance.weighted(((0, 3), (1, 5), (2, 3), (4, 2), (7, 1)))
    received = planned.end + timedelta(days=days)
    arrival = sent_at_once(planned, report, number).arrival._replace(
        received=received, format=_format(chance, report), habits=habits
    )
    yield SentIn(number, arrival, corrections)
    if chance.happens(_TWICE):
        again = received + timedelta(days=chance.between(2, 30))
        yield SentIn(number, arrival._replace(received=again, habits=(*habits, Habit.DUPLICATE)), ())


def arrived(reports: Iterable[SentIn]) -> tuple[tuple[Arrival, ...], tuple[Correction, ...]]:
    """Return the arrivals in their order, with event ids, and the corrections with these ids.

    An id is the last day as reported and four digits; a report that comes twice has one id.
    """
    events_on: dict[date, int] = {}
    id_of: dict[int, str] = {}
    arrivals: list[Arrival] = []
    corrections: list[Correction] = []
    # Sorting keeps the order of events among reports of one day.
    for number, sent in enumerate(sorted(reports, key=lambda sent: sent.arrival.received), start=1):
        arrival, event = sent.arrival, sent.arrival.report.event
        end = event.end or arrival.received
        event_id = id_of.get(sent.event, "")
        if not event_id:
            events_on[end] = events_on.get(end, 0) + 1
            event_id = f"{end:%Y%m%d}{events_on[end]:04}"
            id_of[sent.event] = event_id
        report = arrival.report._replace(event=event._replace(id=event_id))
        hints = hints_for(report, arrival.format)
        arrivals.append(arrival._replace(number=number, report=report, hints=hints))
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
        name=report.event.name,
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
