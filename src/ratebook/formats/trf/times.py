"""Time controls of tournament report files: record 222 in seconds, record 122 in words.

Source: docs/formats/trf.md; rule 5C as in docs/formats/time-controls.md#classes.
"""

import re
from typing import NamedTuple

from ratebook.findings import Finding
from ratebook.rules.timecontrol import DELAY, LONGEST_TEXT, parse_time_control

_PERIOD = re.compile(
    r"(?:(?P<moves>[0-9]{1,3})/)?(?P<seconds>[0-9]{1,6})(?:\+(?P<bonus>[0-9]{1,3}))?", re.ASCII
)
_MINUTE = 60
_MOST_MINUTES = 999
# Where our notation writes moves/minutes or SD/minutes, 1 and 2 mean hours.
_READ_AS_HOURS = (1, 2)

_IN_WORDS = re.compile(
    r"(?P<minutes>[0-9]{1,3}) ?(?:'|\u2032|\u2019|min(?:ute)?s?\.?)? ?"
    r"(?:\+ ?(?P<seconds>[0-9]{1,2}) ?(?:\"|''|\u2033|\u201d|s(?:ec(?:ond)?s?)?\.?)?"
    r"(?: ?(?:/|per|a|each) ?move| (?:increment|inc\.?))?)?",
    re.ASCII | re.IGNORECASE,
)
# More minutes than this for one game, and the number is in seconds.
_LONGEST_GAME = 180

_TOO_LONG = f"it is longer than {LONGEST_TEXT} characters"


class Spoken(NamedTuple):
    """A time control as our notation writes it, or the reason why it cannot be written so."""

    text: str
    reason: str = ""


def decode_time_control(code: str) -> Spoken:
    """Return the coded time control of record 222 in the notation of US Chess.

    >>> decode_time_control("5400+30").text, decode_time_control("40/6000+30:900+30").text
    ('G/90;+30', '40/100,SD/15;+30')
    >>> decode_time_control("330").reason
    '330 seconds are not whole minutes'
    """
    if len(code) > LONGEST_TEXT:
        return Spoken("", _TOO_LONG)
    if code[:1].upper() == "W":
        return Spoken("", "White and Black have different times")
    periods = [_PERIOD.fullmatch(period) for period in code.replace(" ", "").split(":")]
    controls: list[str] = []
    bonuses: set[int] = set()
    for place, period in enumerate(periods, start=1):
        if period is None:
            return Spoken("", f"period {place} is not one such as 40/6000+30")
        control = _period(period, alone=len(periods) == 1, last=place == len(periods))
        if control.reason:
            return control
        controls.append(control.text)
        bonuses.add(int(period["bonus"] or 0))
    if len(bonuses) > 1:
        return Spoken("", "its periods have different increments")
    bonus = bonuses.pop()
    text = ",".join(controls) + (f";+{bonus}" if bonus else "")
    unreadable = isinstance(parse_time_control(text), Finding)
    return Spoken("", "it is not a time control") if unreadable else Spoken(text)


def _period(period: re.Match[str], *, alone: bool, last: bool) -> Spoken:
    """Return one *period* as a control: for so many moves, or for the rest of the game."""
    minutes, rest = divmod(int(period["seconds"]), _MINUTE)
    if rest:
        return Spoken("", f"{period['seconds']} seconds are not whole minutes")
    moves = period["moves"]
    if not 1 <= minutes <= _MOST_MINUTES or (minutes in _READ_AS_HOURS and not (alone and moves is None)):
        return Spoken("", f"a period of {minutes} minutes cannot be written in the notation of US Chess")
    if moves is not None:
        return Spoken(f"{int(moves)}/{minutes}")
    if not last:
        return Spoken("", "a period for the rest of the game is followed by another")
    return Spoken(f"G/{minutes}" if alone else f"SD/{minutes}")


def read_words(words: str) -> Spoken:
    """Return the time control of record 122, if its form is known.

    >>> read_words("G/60;d5").text, read_words("90 min + 30 sec").text, read_words("90+30").text
    ('G/60;d5', 'G/90;+30', 'G/90;+30')
    >>> read_words("by arrangement").text
    ''
    """
    if len(words) > LONGEST_TEXT:
        return Spoken("", _TOO_LONG)
    found = _IN_WORDS.fullmatch(" ".join(words.split()))
    if found is not None and 0 < int(found["minutes"]) <= _LONGEST_GAME:
        seconds = int(found["seconds"] or 0)
        return Spoken(f"G/{int(found['minutes'])}" + (f";+{seconds}" if seconds else ""))
    if not isinstance(parse_time_control(words), Finding):
        return Spoken(words)
    coded = decode_time_control(words)
    return coded if coded.text else Spoken("", "it is in no form that is known")


def encode_time_control(text: str | None) -> str:
    """Return the time control *text* as record 222 codes it, empty where it cannot: it knows no delay and no schedule.

    >>> encode_time_control("40/90,SD/30;+30"), encode_time_control("G/60;d5")
    ('40/5400+30:1800+30', '')
    """
    control = None if text is None else parse_time_control(text)
    if control is None or isinstance(control, Finding) or control.kind == DELAY or control.schedule:
        return ""
    bonus = f"+{control.seconds}" if control.seconds else ""
    return ":".join(
        f"{'' if one.moves is None else f'{one.moves}/'}{one.minutes * _MINUTE}{bonus}"
        for one in control.controls
    )
