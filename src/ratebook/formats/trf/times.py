"""Time controls of tournament report files: record 222 in seconds, record 122 in words.

Source: docs/formats/trf.md#time-controls; rule 5C as in docs/formats/time-controls.md#classes.
"""

import re
from collections.abc import Sequence
from itertools import starmap
from typing import NamedTuple

from ratebook.findings import Finding
from ratebook.rules.spoken_controls import spoken_control
from ratebook.rules.timecontrol import (
    DELAY,
    INCREMENT,
    LONGEST_CONTROL,
    LONGEST_TEXT,
    Control,
    TimeControl,
    notation_of,
    parse_time_control,
    same_control,
)

_PERIOD = re.compile(
    r"(?:(?P<moves>[0-9]{1,3})/)?(?P<seconds>[0-9]{1,6})(?:\+(?P<bonus>[0-9]{1,3}))?", re.ASCII
)
_MINUTE = 60
# A number of moves so large has a still larger number of minutes.
_SURELY_MINUTES = 60

_TOO_LONG = f"it is longer than {LONGEST_TEXT} characters"
_UNKNOWN = "it is in no form that is known"


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
    if len(code) > LONGEST_CONTROL:
        return Spoken("", f"it is longer than {LONGEST_CONTROL} characters")
    if code[:1].upper() == "W":
        return Spoken("", "White and Black have different times")
    controls: list[Control] = []
    bonuses: set[int] = set()
    for place, text in enumerate(code.replace(" ", "").split(":"), start=1):
        period = _PERIOD.fullmatch(text)
        if period is None:
            return Spoken("", f"period {place} is not one such as 40/6000+30")
        minutes, rest = divmod(int(period["seconds"]), _MINUTE)
        if rest:
            return Spoken("", f"{period['seconds']} seconds are not whole minutes")
        controls.append(Control(None if period["moves"] is None else int(period["moves"]), minutes))
        bonuses.add(int(period["bonus"] or 0))
    if len(bonuses) > 1:
        return Spoken("", "its periods have different increments")
    return _written(controls, bonuses.pop())


def _written(controls: Sequence[Control], seconds: int, kind: str = INCREMENT) -> Spoken:
    text = notation_of(controls, seconds, kind)
    return Spoken(text, "" if text else "it cannot be written in the notation of US Chess")


def read_words(words: str) -> Spoken:
    """Return the time control of record 122, if its form is known.

    >>> read_words("G/60;d5").text, read_words("90 min + 30 sec").text, read_words("90/40+30").text
    ('G/60;d5', 'G/90;+30', '40/90;+30')
    >>> read_words("by arrangement").text
    ''
    """
    if len(words) > LONGEST_TEXT:
        return Spoken("", _TOO_LONG)
    ours = parse_time_control(words)
    if isinstance(ours, TimeControl) and not ours.in_words:
        ordered = _moves_first(ours.controls)
        if not ours.schedule and ordered != ours.controls:
            return _written(ordered, ours.seconds, ours.kind)
        # A number without G/ is read, but to be confirmed.
        if ours.schedule or ours.controls[0].moves is not None or not words[:1].isdigit():
            return Spoken(words)
    spoken = spoken_control(words)
    if spoken is not None:
        controls = tuple(starmap(Control, spoken.controls))
        ordered = controls if spoken.is_ordered else _moves_first(controls)
        if text := notation_of(ordered, spoken.seconds, DELAY if spoken.is_delay else INCREMENT):
            return Spoken(text)
    if isinstance(ours, TimeControl) and not ours.in_words:
        return Spoken(words)
    coded = decode_time_control(words)
    return coded if coded.text else Spoken("", _UNKNOWN)


def _moves_first(controls: tuple[Control, ...]) -> tuple[Control, ...]:
    """Return *controls* read as moves/minutes as they are meant: FIDE's order is minutes/moves.

    The larger number is minutes where it is 60 or more; else the first one is, where the last control has moves too.
    Source: docs/formats/trf.md#time-controls.
    """
    moves, minutes = controls[0]
    if moves is None:
        return controls
    sure = max(moves, minutes) >= _SURELY_MINUTES
    if not (moves > minutes if sure else controls[-1].moves is not None):
        return controls
    return tuple(one if one.moves is None else Control(one.minutes, one.moves) for one in controls)


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


def words_for(text: str | None) -> str:
    """Return the time control *text* for record 122: as it is, unless it would be read in FIDE's order there.

    >>> words_for("40/90,SD/30;d5"), words_for("40/45")
    ('40/90,SD/30;d5', '40/2700')
    """
    read = read_words(text or "").text
    turned = bool(read) and not same_control(read, text or "")
    return (encode_time_control(text) if turned else "") or text or ""
