"""What came of the comparison: totals by era and system, causes, and every value that nothing explains."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from scripts.published.before_2001 import AS_PUBLISHED, NEARLY, compare_1995
from scripts.published.comparison import compare
from scripts.published.histories import shown_before
from scripts.published.office import rated_by_mistake
from scripts.published.reports import systems_of
from scripts.published.stored import FOLDER

from ratebook.model import System
from ratebook.rating.floors import NO_FLOOR, peak_floor
from ratebook.rules.rulebook import load_rulebook

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scripts.published.before_2001 import OldValue
    from scripts.published.comparison import Value
    from scripts.published.stored import StoredSection

FILE = FOLDER / "agreement.json"


class Era(NamedTuple):
    """The sections that start while one bonus multiplier is in force."""

    first: date
    bonus: float


class Line(NamedTuple):
    """The values of one era and system."""

    first: str
    bonus: float
    system: str
    values: int
    as_published: int
    explained: int
    unexplained: int


class OldLine(NamedTuple):
    """The values of one system and kind of rating before 2001."""

    system: str
    kind: str
    values: int
    within_1: int
    within_2: int
    explained: int
    unexplained: int


class CauseLine(NamedTuple):
    """How often a cause, or several together, explain a value; *shown* where other stored sections show the fact."""

    cause: str
    values: int
    shown: int


class Unexplained(NamedTuple):
    """One value that nothing explains."""

    end: str
    event: int
    section: int
    system: str
    seat: int
    before: int
    after: int
    computed: float


class Floors(NamedTuple):
    """Ratings whose owner had shown a peak that makes a floor: how many, how many hold it, and whose do not."""

    values: int
    held: int
    players_below: int


class Planted(NamedTuple):
    """Ratings that were made wrong on purpose, and how many of them are explained all the same."""

    values: int
    explained: int


class Summary(NamedTuple):
    """Everything that the page of agreement says."""

    sections: int
    lines: tuple[Line, ...]
    causes: tuple[CauseLine, ...]
    unexplained: tuple[Unexplained, ...]
    games_after: int
    games_agree: int
    time_controls: int
    time_controls_agree: int
    floors: Floors
    old_sections: int
    old_lines: tuple[OldLine, ...]
    old_causes: tuple[CauseLine, ...]
    planted: Planted = Planted(0, 0)

    def total(self, column: str) -> int:
        """Return the sum of one column of the table."""
        return sum(getattr(line, column) for line in self.lines)


def era_of(day: date) -> Era:
    """Return the era of a section that starts on *day*."""
    values = load_rulebook().rules["bonus_multiplier"].values
    since = [value.since for value in values if value.since <= day][-1]
    return Era(since, load_rulebook().in_force(System.REGULAR, since).bonus_multiplier)


def before_the_timeline(section: StoredSection) -> bool:
    """Return whether the rules of the section are not in the timeline."""
    return section.start < load_rulebook().first_day


def summarize(sections: Iterable[StoredSection]) -> Summary:
    """Compare all *sections* and add up what comes of it."""
    old: list[StoredSection] = []
    new: list[StoredSection] = []
    for section in sections:
        (old if before_the_timeline(section) else new).append(section)
    values = [value for section in new for value in compare(section)]
    old_values = [value for section in old for value in compare_1995(section)]
    written = [section for section in new if section.time_control is not None]
    games = [value for value in values if value.published.games_after is not None]
    return Summary(
        sections=len(new),
        lines=lines_of(values),
        causes=causes_of(values),
        unexplained=unexplained_of(values),
        games_after=len(games),
        games_agree=sum(value.games == value.published.games_after for value in games),
        time_controls=len(written),
        time_controls_agree=sum(map(class_agrees, written)),
        floors=floors_shown(new),
        old_sections=len(old),
        old_lines=old_lines_of(old_values),
        old_causes=old_causes_of(old_values),
    )


def class_agrees(section: StoredSection) -> bool:
    """Return whether the program gives the published systems from the time control as it is written."""
    online = section.systems[0].online
    found = systems_of(section.time_control or "", section.start, online=online)
    return set(found) == set(section.systems)


def lines_of(values: Iterable[Value]) -> tuple[Line, ...]:
    """Return the table by era and system."""
    counts: dict[tuple[date, int], Counter[str]] = {}
    eras: dict[date, Era] = {}
    order = tuple(System)
    for value in values:
        era = era_of(value.section.start)
        eras[era.first] = era
        outcome = "as_published" if value.agrees else "explained" if value.causes else "unexplained"
        counts.setdefault((era.first, order.index(value.system)), Counter())[outcome] += 1
    return tuple(
        Line(
            first.isoformat(),
            eras[first].bonus,
            order[system],
            count.total(),
            count["as_published"],
            count["explained"],
            count["unexplained"],
        )
        for (first, system), count in sorted(counts.items())
    )


def causes_of(values: Iterable[Value]) -> tuple[CauseLine, ...]:
    """Return how often each cause explains a value, the most frequent first."""
    explained = [(" + ".join(value.causes), value.shown) for value in values if value.causes]
    return cause_lines(explained)


def cause_lines(explained: Sequence[tuple[str, bool]]) -> tuple[CauseLine, ...]:
    """Return the lines of causes, each with whether it is shown elsewhere."""
    counts = Counter(cause for cause, _ in explained)
    shown = Counter(cause for cause, is_shown in explained if is_shown)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple(CauseLine(cause, count, shown[cause]) for cause, count in ordered)


def unexplained_of(values: Iterable[Value]) -> tuple[Unexplained, ...]:
    """Return the values that nothing explains, in the order of rating."""
    return tuple(
        Unexplained(
            value.section.end.isoformat(),
            value.section.event,
            value.section.number,
            value.system.value,
            value.seat,
            value.published.before or 0,
            value.published.after,
            round(value.computed, 2),
        )
        for value in values
        if not value.agrees and not value.causes
    )


def floors_shown(sections: Iterable[StoredSection]) -> Floors:
    """Return how many established ratings have a floor by an earlier published rating, and how many hold it."""
    values = held = 0
    below: set[int] = set()
    for section in sections:
        if rated_by_mistake(section):
            continue
        for seat in section.seats:
            for system, published in seat.ratings.items():
                peak = shown_before(section, seat.person, system).peak
                rules = load_rulebook().in_force(system, section.start)
                floor = NO_FLOOR if peak is None else peak_floor(rules, peak)
                if published.established_before is not None and floor != NO_FLOOR:
                    values += 1
                    if published.after >= floor:
                        held += 1
                    else:
                        below.add(seat.person)
    return Floors(values, held, len(below))


def old_lines_of(values: Iterable[OldValue]) -> tuple[OldLine, ...]:
    """Return the table of the system before 2001."""
    grouped: dict[tuple[str, str], list[OldValue]] = {}
    for value in values:
        grouped.setdefault((value.system.value, value.kind.value), []).append(value)
    return tuple(
        OldLine(
            system,
            kind,
            len(group),
            sum(value.distance <= AS_PUBLISHED for value in group),
            sum(value.distance <= NEARLY for value in group),
            sum(value.cause is not None for value in group),
            sum(value.unexplained for value in group),
        )
        for (system, kind), group in sorted(grouped.items(), key=lambda item: -len(item[1]))
    )


def old_causes_of(values: Iterable[OldValue]) -> tuple[CauseLine, ...]:
    """Return how often each cause explains a value before 2001."""
    return cause_lines([(value.cause.value, False) for value in values if value.cause is not None])


def stored_summary() -> Summary:
    """Return the summary of the last `make published`."""
    return summary_of(json.loads(FILE.read_text(encoding="utf-8")))


def summary_of(document: dict[str, Any]) -> Summary:
    """Return the summary that `text_of` wrote."""
    kinds: dict[str, type[Any]] = {
        "lines": Line,
        "causes": CauseLine,
        "unexplained": Unexplained,
        "old_lines": OldLine,
        "old_causes": CauseLine,
    }
    values: dict[str, Any] = {
        name: tuple(kinds[name](*row) for row in value) if name in kinds else value
        for name, value in document.items()
    }
    values["floors"] = Floors(*document["floors"])
    values["planted"] = Planted(*document["planted"])
    return Summary(**values)


def text_of(summary: Summary) -> str:
    """Return *summary* as it is stored, one row a line."""
    lines = []
    for name, value in summary._asdict().items():
        if isinstance(value, tuple) and value and isinstance(value[0], tuple):
            rows = ",\n".join(f"  {json.dumps(row)}" for row in value)
            lines.append(f'"{name}": [\n{rows}\n]')
        else:
            lines.append(f'"{name}": {json.dumps(value)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"
