"""Time controls of tournament report files: record 222 in seconds, record 122 in words.

Source: docs/formats/trf.md#time-controls; rule 5C as in docs/formats/time-controls.md#classes.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ratebook.findings import Finding
from ratebook.rules.timecontrol import (
    DELAY,
    LONGEST_CONTROL,
    LONGEST_TEXT,
    Control,
    TimeControl,
    parse_time_control,
    same_control,
)

_PERIOD = re.compile(
    r"(?:(?P<moves>[0-9]{1,3})/)?(?P<seconds>[0-9]{1,6})(?:\+(?P<bonus>[0-9]{1,3}))?", re.ASCII
)
_MINUTE = 60


def _minutes_of(found: re.Match[str]) -> str:
    return f"{int(found[1]) * 60 + int(found[2] or 0)}m"


_PLAIN = tuple(
    (re.compile(pattern, re.ASCII), plain)
    for pattern, plain in (
        ("[\u2032\u2019]", "'"),
        ("''|[\u2033\u201d]", '"'),
        (r"^(?:standard|classical|rapid|blitz) ?:", ""),
        (r"/ ?move\b|\b(?:per|a|each) (?:move|player|game)\b|\b(?:starting )?from move (?:1|one)\b", ""),
        (r"\ball (?:the )?moves in\b|\bfor the rest of the game\b|\binc(?:rement\b|\b\.?)", ""),
        (r"\bfor(?: the first)?\b", "x"),
        (r"\bplus\b|\bwith(?: an addition of)?\b", "+"),
        (r"\bfollowed by\b", ","),
        (r"(?<![0-9:])([0-4]):([0-5][0-9])(?![0-9:])", _minutes_of),
        (
            r"\b([0-9]) ?h(?:(?:ou)?rs?\b)?\.?(?: ?([0-5][0-9])(?= ?(?:m|'|\+|,|$))(?: ?min(?:ute)?s?\b\.?|m|')?)?",
            _minutes_of,
        ),
        (r"(?<=[0-9]) ?(?:'|min(?:ute[ns]?|s)?\b\.?)", "m"),
        (r"(?<=[0-9])[ -]?(?:\"|s(?:ec(?:ond)?s?|ek(?:unden?)?)?\b\.?)", "s"),
    )
)
"""What is said in many ways, and how it is said here: 90m for minutes, 30s for seconds, + before an increment."""

_PART = re.compile(
    r"(?P<parting>[ ,;+]*)(?:(?P<within>[0-9]{1,3})(?:m ?/|m? ?x) ?(?P<for_moves>[0-9]{1,3})(?: moves)?"
    r"|(?P<moves>[0-9]{1,3})(?P<order>(?: moves)? ?)(?P<sign>in|/) ?(?P<minutes>[0-9]{1,3})(?P<unit>m?)"
    r"|(?:rest (?:in )?|(?:sd|g) ?/ ?)?(?P<time>[0-9]{1,3})(?P<time_unit>[ms]?))(?![0-9a-z]) *",
    re.ASCII,
)
# More minutes than this for one game, and the number is in seconds.
_LONGEST_GAME = 180
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


def _written(controls: Sequence[Control], seconds: int, sign: str = "+") -> Spoken:
    """Return *controls* in the notation of US Chess, where it can say them: it reads SD/1 and 40/2 as hours."""
    last = "G" if len(controls) == 1 else "SD"
    text = ",".join(f"{last if one.moves is None else one.moves}/{one.minutes}" for one in controls)
    text += f";{sign}{seconds}" if seconds else ""
    parsed = parse_time_control(text)
    if isinstance(parsed, Finding) or parsed.controls != tuple(controls):
        return Spoken("", "it cannot be written in the notation of US Chess")
    return Spoken(text)


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
    if isinstance(ours, TimeControl):
        ordered = _moves_first(ours.controls)
        if not ours.schedule and ordered != ours.controls:
            return _written(ordered, ours.seconds, "d" if ours.kind == DELAY else "+")
        # A number without G/ is read, but to be confirmed.
        if ours.schedule or ours.controls[0].moves is not None or not words[:1].isdigit():
            return Spoken(words)
    said = _said_in_words(words)
    if said.text:
        return said
    if isinstance(ours, TimeControl):
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


def _said_in_words(words: str) -> Spoken:
    """Return what *words* such as ``90 min/40 moves + 30 min + 30 sec per move`` or ``1:30 + 10 from move 1`` say."""
    text = words.lower()
    for pattern, plain in _PLAIN:
        text = pattern.sub(plain, text)
    text = " ".join(text.split())
    controls: list[Control] = []
    bonuses: list[int | None] = []
    ordered, at = False, 0
    while at < len(text):
        part = _PART.match(text, at)
        ended = bool(bonuses) and bonuses[-1] is not None
        if part is None or (controls and not part["parting"].strip(" +" if ended else "")):
            return Spoken("", _UNKNOWN)
        at = part.end()
        added = part["time_unit"] == "s" or (part["time_unit"] == "" and "+" in part["parting"])
        if controls and added and not ended:
            bonuses[-1] = int(part["time"])
            continue
        bonuses.append(None)
        if part["within"]:
            ordered = True
            controls.append(Control(int(part["for_moves"]), int(part["within"])))
        elif part["moves"]:
            ordered = ordered or bool(part["unit"]) or part["sign"] == "in"
            controls.append(Control(int(part["moves"]), int(part["minutes"])))
        elif part["time_unit"] != "s" and (
            controls or part["time_unit"] or int(part["time"]) <= _LONGEST_GAME
        ):
            controls.append(Control(None, int(part["time"])))
        else:
            return Spoken("", _UNKNOWN)
    if not controls or any(seconds not in (None, bonuses[-1]) for seconds in bonuses):
        return Spoken("", _UNKNOWN)
    return _written(controls if ordered else _moves_first(tuple(controls)), bonuses[-1] or 0)


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
