"""Time controls in words, as clubs of several countries write them: 1 hour + 10 sec, 90 minuti + 30 secondi a mossa.

Source: docs/formats/time-controls.md#in-words.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

_HOURS = r"(?:h|hrs?|hours?|heures?|or[ae]|horas?|std|stunden?|timm(?:e|ar)|timer|uur|tuntia?)\b\.?"
_MINUTES = r"(?:'|m(?:in(?:s|ut(?:e[nrs]?|[io]s?|ter?|tia?)?|uut(?:tia?)?)?)?\b\.?)"
_SECONDS = r"(?:\"|s(?:e[cgk]s?|econd(?:s|en|[eio]s?)?|egund[oi]s?|ekund(?:e[nr]?|er)?|ekuntia?)?\b\.?)"
_ARTICLES = r"(?:an?|the|die|das|la|le|hela|whole|entire|ganze|eine?n?)"
_EACH = rf"(?:per|each|every|pro|je|par|por|for|för|av|af|til|{_ARTICLES})"
_MOVE = r"(?:moves?|z[uü]ge?|coup|mossa|jugada|movimiento|lance|drag|trekk|træk|zet|siirto)"
_OF_A_GAME = (
    r"(?:players?|sides?|games?|spieler|partie|seite|joueur|giocatore|partita|jugador|partida|spelare|partiet?|spiller|speler"
    r"|partij|person|persoon|persona|personne|pelaaja)"
)
_AND = r"(?:and|und|et|en|e|y|og|och|ja)"
_ADDED = (
    r"(?:bonus|zuschlag|zugabe|increment|inkrement|incremento|incrément|ink|inc|tillägg|tillæg|tillegg|toeslag"
    r"|added)"
)
_DELAY = r"(?:delay|d)"
_LABELS = (
    r"(?:time[ -]?(?:control|limit)|rate of play|tc|betänketid|bet[eæ]nknings?tid|bedenkzeit|bedenktijd|cadence|tempo"
    r"(?: di (?:riflessione|gioco))?|ritmo(?: de juego)?|miettimisaika|peliaika)"
)
LABEL = rf"{_LABELS}(?=\s*[:;|\t])|(?:time control|cadence|bedenktijd|bedenkzeit|betänketid)(?=\s)"
"""What clubs write before a time control; a colon need not follow those that cannot begin a name."""


_NUMBERS = {
    "one": "1", "two": "2", "three": "3", "five": "5", "ten": "10", "fifteen": "15", "twenty": "20",
    "twenty-five": "25", "thirty": "30", "forty": "40", "forty-five": "45", "sixty": "60", "ninety": "90",
}  # fmt: skip
"""Figures of the words for numbers in time controls."""


def _minutes_of(found: re.Match[str]) -> str:
    return f"{int(found[1]) * 60 + int(found[2] or 0)}m"


_PLAIN: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    ("[\u2032\u2019]", "'"),
    ("''|[\u2033\u201d]", '"'),
    (rf"^(?:{_LABELS}|standard|classical|rapid|blitz) ?:", ""),
    (r"\b(?:an|one) hour and a half\b", "90m"),
    (r"\bhalf an hour\b", "30m"),
    (r"\ban(?= hour\b)", "1"),
    (rf"\b(?:{'|'.join(sorted(_NUMBERS, reverse=True))})\b", lambda found: _NUMBERS[found[0]]),
    (r"\bp\.? ?p\b\.?", ""),
    (r"\bgame in\b(?= ?[0-9])|\ball (?:the )?moves in\b|\b(?:starting )?from move (?:1|one)\b", ""),
    (r"\bfor the rest of the game\b", ""),
    (r"(?<![0-9:])([0-4]):([0-5][0-9])(?![0-9:])", _minutes_of),
    (rf"(?<![0-9.,])([0-9])[.,]5 ?{_HOURS}", lambda found: f"{int(found[1]) * 60 + 30}m"),
    (
        (
            rf"(?<![0-9.,])([0-9]) ?(?:{_HOURS}|h(?=[0-9]))"
            rf"(?: ?(?:{_AND} )?([0-5][0-9])(?= ?(?:m|'|\+|,|pour|für|$))(?: ?{_MINUTES})?)?"
        ),
        _minutes_of,
    ),
    (rf"(?<=[0-9]) ?{_MINUTES}", "m"),
    (rf"(?<=[0-9]) ?{_MOVE}s?\b", " moves"),
    (rf"(?<=[0-9])[ -]?{_SECONDS}", "s"),
    (rf"(?<=[0-9])s?[ -]?{_DELAY}\b", "d"),
    (rf"(?<=[ ;,]){_DELAY}(?: of)? ?/? ?([0-9]{{1,3}})s?\b", r"\1d"),
    (rf"\b{_ADDED}\.?(?: of)? ?/? ?([0-9]{{1,3}})s?\b", r"\1i"),
    (rf"(?<=[0-9])s?(?:[ -]?(?:{_ADDED}\b\.?|{_EACH} {_MOVE}\b|/ ?{_MOVE}\b))+", "i"),
    (rf"(?:/ ?|\b{_EACH} (?:{_ARTICLES} )?){_MOVE}\b(?! ?[0-9])", ""),
    (rf"(?:/ ?|\b{_EACH} (?:{_ARTICLES} )?){_OF_A_GAME}\b|\b(?:each|{_ADDED})\b\.?", ""),
    (r"\b(?:for(?: the first)?|für|pour|voor|för)\b", "x"),
    (
        r"\b(?:plus|with(?: an addition of)?|and|mit|med|met|con|avec|og|och|und|et|più|más)\b(?: (?:an?|einem)\b)?",
        "+",
    ),
    (r"\b(?:followed by|then|danach|dann|puis|daarna|luego|poi|sedan|derefter)\b", ","),
    (r"\bto finish\b|\bfinish(?: in)?\b", ""),
)
"""What is said in many ways, and how it is said here: 90m for minutes, 30s for seconds, 30i an increment, 5d a delay.

The patterns are compiled when they are first needed.
"""

_PART = re.compile(
    r"(?P<parting>[ ,;+]*)(?:(?P<within>[0-9]{1,3})(?:m ?/|m? ?x) ?(?P<for_moves>[0-9]{1,3})(?: moves)?"
    r"|(?P<moves>[0-9]{1,3})(?P<order>(?: moves)? ?)(?P<sign>in|/) ?(?P<minutes>[0-9]{1,3})(?P<unit>m?)"
    r"|(?:rest (?:in )?|(?:sd|g) ?/ ?)?(?P<time>[0-9]{1,3})(?P<time_unit>[msid]?))(?![0-9a-z]) *",
    re.ASCII,
)
_LONGEST_GAME = 180
"""More minutes than this for one game, and a number without a unit is in seconds."""


class SpokenControl(NamedTuple):
    """A time control in words: moves (None: the rest of the game) and minutes of each control, and seconds.

    It *is_ordered* if its words tell moves from minutes, and *is_certain* if they say a unit and call the seconds an
    addition or a delay.
    """

    controls: tuple[tuple[int | None, int], ...]
    seconds: int
    is_delay: bool
    is_ordered: bool
    is_certain: bool


def spoken_control(words: str) -> SpokenControl | None:
    """Return what *words* say, or None where they cannot be read.

    >>> spoken_control("1 hour + 10 sec").controls, spoken_control("90 min, 5 sec delay").seconds
    (((None, 60),), 5)
    >>> spoken_control("by arrangement")
    """
    text = words.lower()
    for pattern, plain in _PLAIN:
        text = re.sub(pattern, plain, text)
    text = " ".join(text.split())
    controls: list[tuple[int | None, int]] = []
    bonuses: list[int | None] = []
    is_ordered = is_delay = False
    is_certain = re.search(r"[0-9][msid]\b|moves", text) is not None
    at = 0
    while at < len(text):
        part = _PART.match(text, at)
        ended = bool(bonuses) and bonuses[-1] is not None
        if part is None:
            return None
        unit, is_signed = part["time_unit"] or "", "+" in part["parting"]
        is_named = unit in {"i", "d"}
        if controls and not (part["parting"].strip(" +") if ended else part["parting"] or is_named):
            return None
        at = part.end()
        if (
            controls
            and not ended
            and (unit in {"s", "i", "d"} or (unit == "" and part["time"] and is_signed))
        ):
            bonuses[-1] = int(part["time"])
            is_delay = unit == "d"
            is_certain = is_certain and (is_signed or is_named)
            continue
        bonuses.append(None)
        if part["within"]:
            is_ordered = True
            controls.append((int(part["for_moves"]), int(part["within"])))
        elif part["moves"]:
            is_ordered = is_ordered or bool(part["unit"]) or part["sign"] == "in"
            controls.append((int(part["moves"]), int(part["minutes"])))
        elif unit in {"", "m"} and (controls or unit or int(part["time"]) <= _LONGEST_GAME):
            controls.append((None, int(part["time"])))
        else:
            return None
    if not controls or any(seconds not in (None, bonuses[-1]) for seconds in bonuses):
        return None
    return SpokenControl(tuple(controls), bonuses[-1] or 0, is_delay, is_ordered, is_certain)
