"""Several files that are read as sections of one event: whether they are, by their titles and days."""

import re
from collections.abc import Sequence
from datetime import date
from itertools import takewhile
from typing import NamedTuple

from ratebook.findings import Findings, Place, list_text
from ratebook.formats.contract import Hints
from ratebook.formats.hints import section_name
from ratebook.formats.reading.fields import shown

_WORD = re.compile(r"[^\W_]+")
_OF_SECTIONS = re.compile(
    r"the|[a-z]|[0-9]+|[uo][0-9]+|k[0-9]*|open|under|over|reserve|premier|champion\w*|amateur|novice|booster|elite"
    r"|junior|senior|scholastic|primary|elementary|middle|high|school|girls|boys|women|unrated|rated|section|group"
    r"|quad|round|robin|swiss|class|main|top|and|adult|youth|masters?|challengers?|blitz|rapid|quick|regular"
)
"""Words of which names of sections are made, which tell nothing of the event."""
_APART = 3
"""Days between files of one event that are not unusual: two weekends of a club are two events."""
_MOST_SHOWN = 3
_SIGNS = frozenset("-\u2013\u2014:,|/(")
_BETWEEN = " -\u2013\u2014:,|/("


class FileTitle(NamedTuple):
    """What a file says of its event: its name, as *title* above a table or *stated* as the event's, and its days."""

    file: str
    title: str
    start: date | None = None
    end: date | None = None
    is_stated: bool = False


def check_one_event(findings: Findings, place: Place, files: Sequence[FileTitle], hints: Hints) -> bool:
    """Return whether *files* can be of one event; report an error if they cannot, a warning if that is unlikely.

    Whoever gives the name of the event says that it is one.
    """
    if len(files) < len(("one", "another")) or hints.name:
        return True
    stated = {file.title.casefold() for file in files if file.is_stated}
    named = {word for file in files if (word := _first_word(file.title))}
    gap = _days_apart(files)
    if len(stated) > 1:
        code = "different-events.stated"
    elif len(named) > 1 and gap > 0:
        code = "different-events.by-days"
    elif len(named) > 1 or gap > _APART:
        code = "different-events.possible"
    else:
        return True
    findings.add(code, place, events=list_text([_words_of(file) for file in files], _MOST_SHOWN))
    return code == "different-events.possible"


def event_of_titles(files: Sequence[FileTitle]) -> str:
    """Return the name of the event of which *files* are sections: what their titles have in common.

    >>> event_of_titles([FileTitle("Open", "Fall Swiss — Open"), FileTitle("U1400", "Fall Swiss — U1400")])
    'Fall Swiss'
    >>> event_of_titles([FileTitle("a.csv", "Maple Quads"), FileTitle("b.csv", "")])
    'Maple Quads'
    >>> event_of_titles([FileTitle("Open", "Open"), FileTitle("U1400", "U1400")])
    ''
    """
    titled = [file for file in files if file.title]
    if not titled:
        return ""
    rests = [_without_section(file, is_alone=len(files) == 1) for file in titled]
    if len({*rests}) == 1:
        return rests[0]
    words = zip(*(file.title.split() for file in titled), strict=False)
    common = [of_all[0] for of_all in takewhile(lambda of_all: len({*map(str.casefold, of_all)}) == 1, words)]
    if not common:
        return rests[0]
    name = " ".join(common).rstrip(_BETWEEN)
    # One word alone, as in Maple Open and Maple Reserve, is rarely the whole name.
    return name if " " in name or name != " ".join(common) else ""


def _without_section(file: FileTitle, *, is_alone: bool) -> str:
    """Return the title of *file* without the name of its section at the end; behind a sign where it *is_alone*."""
    section = section_name(file.file).strip()
    rest = file.title[: -len(section)] if section else ""
    if not file.title.casefold().endswith(section.casefold()) or (
        is_alone and rest.rstrip()[-1:] not in _SIGNS
    ):
        return file.title
    return rest.rstrip(_BETWEEN) if rest[-1:] in _BETWEEN else file.title


def _days_apart(files: Sequence[FileTitle]) -> int:
    """Return the longest time between the days of *files*, 0 where they overlap."""
    apart, last = 0, date.max
    for first, end in sorted((file.start or file.end, file.end) for file in files if file.end is not None):
        apart = max(apart, (first - last).days)
        last = end if last == date.max else max(last, end)
    return apart


def _first_word(title: str) -> str:
    """Return the first word of *title* that tells one event from another."""
    words = (match[0].casefold() for match in _WORD.finditer(title))
    return next((word for word in words if not _OF_SECTIONS.fullmatch(word)), "")


def _words_of(file: FileTitle) -> str:
    days = dict.fromkeys(day.isoformat() for day in (file.start, file.end) if day is not None)
    said = [*([shown(file.title)] if file.title else []), *days]
    return f"{shown(section_name(file.file))} ({', '.join(said)})" if said else shown(section_name(file.file))
