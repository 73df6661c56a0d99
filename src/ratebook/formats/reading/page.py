"""What an event page says above its tables: the event, its days, its time control, the name of each section.

A line above the first line "Section N" is about the whole event, one below it about that section.
Source: docs/formats/crosstable.md#event-pages.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ratebook.formats.hints import Schedule, joined
from ratebook.formats.reading.dates import parse_days
from ratebook.model import SectionType

_LABELLED = re.compile(
    r"(?:(?P<days>(?:event |section )?dates?(?:\(s\))?)|(?P<control>time control))(?:\s*[:|]\s*|\s+)(?P<value>\S.*)"
    # Such a word may begin a name too: a colon, a tab or several blanks end it where it does not.
    r"|(?:(?P<name>event(?: name)?)|(?P<stats>stats)|(?:location|(?:sponsoring )?affiliate"
    r"|chief (?:assist\.? )?td|processed))(?:\s*[:\t]\s*|\s{2,})(?P<text>\S.*)",
    re.IGNORECASE,
)
_SECTION = re.compile(
    r"section\s+(?P<number>[0-9]{1,4})(?:\s*[-:]\s*(?P<name>\S.*)?)?", re.IGNORECASE | re.ASCII
)
_EVENT_ID = re.compile(r"(?P<name>.*\S)\s*\((?P<id>[0-9]{12})\)", re.ASCII)
_TOURNAMENT_TYPE = re.compile(r"Tnmt Type:\s*(?P<letter>[SRM])\b")
_TYPES = {"S": SectionType.SWISS, "R": SectionType.ROUND_ROBIN, "M": SectionType.MATCH}


class TableHead(NamedTuple):
    """What is above one table: names, the event's id of twelve digits (all may be empty), and what was said of it."""

    event: str
    event_id: str
    section: str
    played: Schedule


def heads_of(texts: Sequence[Sequence[str]]) -> list[TableHead]:
    """Return what the lines above each table say; what is said of the event holds for the tables that follow.

    >>> lines = ["AUTUMN OPEN", "Event Date(s) 2026-09-12 thru 2026-09-13", "Section 1 - K-12"]
    >>> first, second = heads_of([lines, ["Section 2 - RESERVE", "Time Control: G/60;d5"]])
    >>> first.event, first.section, second.section, second.played.end, second.played.time_control
    ('AUTUMN OPEN', 'K-12', 'RESERVE', datetime.date(2026, 9, 13), 'G/60;d5')
    """
    heads = []
    of_event = Schedule()
    for place, lines in enumerate(texts, start=1):
        head, of_section, said = _read_head(lines, place)
        of_event = joined(said, of_event)
        heads.append(head._replace(played=joined(of_section, of_event)))
    return heads


def _read_head(lines: Sequence[str], place: int) -> tuple[TableHead, Schedule, Schedule]:
    """Return the names above the table in that *place*, and what is said of its section and of the event."""
    event = event_id = ""
    section: str | None = None
    free: list[str] = []
    of_section = of_event = Schedule()
    for line in lines:
        if labelled := _LABELLED.fullmatch(line):
            if labelled["name"]:
                event = event or labelled["text"]
            elif section is None:
                of_event = _with_value(of_event, labelled)
            else:
                of_section = _with_value(of_section, labelled)
        elif found := _SECTION.fullmatch(line):
            # A number that is not the section's place is a part of its name.
            section = (found["name"] or "") if int(found["number"]) == place else line
        elif section is None:
            free.append(line)
    if section is None:
        section = free.pop() if free else ""
    if not event and free and place == 1:
        event = free[0]
    if named := _EVENT_ID.fullmatch(event):
        event, event_id = named["name"], named["id"]
    return TableHead(event, event_id, section, Schedule()), of_section, of_event


def _with_value(schedule: Schedule, labelled: re.Match[str]) -> Schedule:
    """Return the *schedule* and what one line adds to it."""
    if labelled["control"]:
        return schedule._replace(time_control=labelled["value"])
    if labelled["days"]:
        days = parse_days(labelled["value"])
        return schedule if days is None else schedule._replace(start=days[0], end=days[1])
    if labelled["stats"] and (found := _TOURNAMENT_TYPE.search(labelled["text"])):
        return schedule._replace(type=_TYPES[found["letter"]])
    return schedule
