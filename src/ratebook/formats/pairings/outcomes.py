"""What a line says of the result of a game: figures, strokes and words, and the remarks behind them."""

import re
from typing import NamedTuple

_SCORE = r"1/2|0?[.,]5|\u00bd|[01=]"
_FORFEIT = (
    r"ff?|x|forf(?:ei?t(?:s|ed|ure)?)?\.?|forfait|no[- ]?shows?|default(?:s|ed)?|kampflos|kl\.?"
    r"|w\.?o\.?|walk[- ]?over"
)
# A letter may be an initial, so it is only a result behind the rating of the player.
_WON = (
    r"beats?|d\.|def(?:\.|eats|eated)?|w[io]ns? (?:against|over|vs\.?)|>|(?<=\d\)\s)w\s(?:vs?\.?|over)"
    r"|gewinnt gegen|gewann gegen|schl[\u00e4a]gt|besiegt|bat|gagne contre|(?:gana|gan\u00f3|vence|venci\u00f3) a"
    r"|wint van|batte|vince contro|ganha de|vence"
)
_LOST = (
    r"los(?:es|t) (?:to|against|vs\.?)|resigns against|<|(?<=\d\)\s)l\s(?:vs?\.?|to)"
    r"|verliert gegen|verlor gegen|perd contre|(?:pierde|perdi\u00f3) (?:con|contra|ante)|verliest van"
    r"|perde (?:con|contro|para)"
)
_DRAWN = (
    r"(?:draws?|drawn|drew)(?: (?:with|against|vs\.?))?|=|(?<=\d\)\s)d\s(?:vs?\.?|with)"
    r"|(?:remis|remise|nulle|tablas|patta|empate)(?: (?:con|contra|gegen|avec|contre|met|tegen|com))?"
)
_RESULT = re.compile(
    rf"(?<![\w.,/\u00bd+-])(?:(?P<white>{_SCORE})(?P<white_forfeit>[FX]?)\s?[-\u2013:]\s?(?P<black>{_SCORE})(?P<black_forfeit>[FX]?)"
    r"(?P<behind>\s?\(?(?:ff?|forf(?:eit)?\.?|kl|w\.?o\.?)\)?)?"
    rf"|(?P<strokes>[+-]\s?[-:/]\s?[+-])|(?P<won>{_WON})|(?P<lost>{_LOST})|(?P<draw>{_DRAWN}))(?![\w\u00bd+])",
    re.IGNORECASE,
)
_ALONE = re.compile(r"\s(?P<draw>1/2|\u00bd|=)(?:\s|$)")
_EACH = re.compile(
    rf"(?P<name>(?:[0-9]{{1,3}}[.):]?\s+)?\D*?[^\W\d_]\D*?)\s+(?P<white>{_SCORE})\s*[-,;:]?\s+(?P<other>\D*?[^\W\d_]\D*?)\s+(?P<black>{_SCORE})"
)
_STROKES = {"+-": ("X", "F"), "-+": ("F", "X"), "--": ("F", "F")}
_LETTERS = {"1": "W", "0": "L"}
_HALVES = {"W": 2, "D": 1, "L": 0}
_REMARK = re.compile(
    rf"(?:[,;]?\s*[(\[]\s*(?:won |wins? )?(?:(?:by|on|per) )?(?P<bracketed>{_FORFEIT})\s*[)\]]"
    r"|[,;]?\s+(?:(?:by|on|per) )?"
    r"(?P<bare>ff|forf(?:ei?t(?:s|ed|ure)?)?\.?|forfait|no[- ]?show|kampflos|walk[- ]?over)"
    rf"|(?<=[0-9\u00bd])\s(?P<short>{_FORFEIT})"
    r"|[,;]?\s*[(\[]?\s*(?:agreed |draw agreed )?(?:(?:in|after) )?[0-9]{1,3} moves?\s*[)\]]?"
    r"|(?<=forfeit)\s+\([^()]*\))\s*$",
    re.IGNORECASE,
)
_COLOUR_WON = re.compile(r"\s*[-\u2013:,]?\s+(?:(?P<white>white)|black) (?:wins|won)\.?$", re.IGNORECASE)
_BOTH_DREW = re.compile(r"^(.*\S) (?:and|&) (\S.*) (?:drew|draw|drawn)$", re.IGNORECASE)
_LIKE_A_RESULT = re.compile(
    rf"(?<![\w:./-])[0-9O\u00bd]\s?[-\u2013:]\s?[0-9O\u00bd][F*X]?(?![\w:./-])"
    rf"|\b(?:{_WON}|{_LOST}|{_DRAWN}|won|lost|wins|loses|forfeits?|forfeited|no[- ]show)\b",
    re.IGNORECASE,
)


class GameOutcome(NamedTuple):
    """A result in a line: the letters of both players, and the text on either side of it."""

    letters: tuple[str, str]
    left: str
    right: str


def outcome_in(line: str) -> GameOutcome | None:
    """Return the result in *line*, None where it has none.

    >>> outcome_in("Cole 1-0 Dean (forfeit)")
    GameOutcome(letters=('X', 'F'), left='Cole ', right=' Dean')
    >>> outcome_in("Cole beats Dean").letters, outcome_in("Cole \u00bd Dean \u00bd").letters
    (('W', 'L'), ('D', 'D'))
    """
    line = _BOTH_DREW.sub(r"\1 = \2", line.rstrip())
    if won := _COLOUR_WON.search(line):
        line = f"{line[: won.start()]}  {'1-0' if won['white'] else '0-1'}"
    is_forfeit = False
    while remark := _REMARK.search(line):
        is_forfeit = is_forfeit or any(remark.groups())
        line = line[: remark.start()]
    result = _RESULT.search(line)
    if result is None and (each := _EACH.fullmatch(line.strip())) is not None:
        letters = _letters_of(each.groupdict(), is_forfeit=is_forfeit)
        if sum(_HALVES.get(letter, 0) for letter in letters) == _HALVES["W"]:
            return GameOutcome(letters, each["name"], each["other"])
    if result is None:
        result = _ALONE.search(line)
    if result is None:
        return None
    letters = _letters_of(result.groupdict(), is_forfeit=is_forfeit)
    return GameOutcome(letters, line[: result.start()], line[result.end() :])


def letters_of(text: str) -> tuple[str, str] | None:
    """Return the letters of both players of a result such as 1-0, None where *text* is none."""
    outcome = outcome_in(text)
    return outcome.letters if outcome and not outcome.left.strip() and not outcome.right.strip() else None


def is_like_a_game(line: str) -> bool:
    """Return whether a *line* that cannot be read speaks of a result all the same.

    >>> is_like_a_game("Dean 0-2 Bond"), is_like_a_game("Cole has won"), is_like_a_game("Lunch at 12:30")
    (True, True, False)
    """
    return bool(_LIKE_A_RESULT.search(line))


def _letters_of(parts: dict[str, str | None], *, is_forfeit: bool) -> tuple[str, str]:
    if strokes := parts.get("strokes"):
        return _STROKES[strokes[0] + strokes[-1]]
    if parts.get("won") or parts.get("lost"):
        white, black = ("W", "L") if parts["won"] else ("L", "W")
    elif parts.get("draw"):
        white = black = "D"
    else:
        white, black = (_LETTERS.get(parts[colour] or "", "D") for colour in ("white", "black"))
    marks = ("white_forfeit", "black_forfeit", "behind")
    if is_forfeit or any(map(parts.get, marks)) or (white, black) == ("L", "L"):
        return ("X" if white == "W" else "F"), ("X" if black == "W" else "F")
    return white, black
