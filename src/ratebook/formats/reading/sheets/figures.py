"""Ratings and numbers as people and programs write them."""

import functools
import re
from typing import NamedTuple

_KEPT = 4_096
_UNRATED = frozenset(
    (
        *("", "0", "-", "--", "---", "----", "nr", "nr.", "n/r"),
        *("u", "unr", "unr.", "unrated", "new", "none", "n/a"),
    )
)
_PRINTED_UNRATED = re.compile(r"unr(?:ated|\.)?\s*\(.*\)", re.IGNORECASE)
WRITTEN_RATING = (
    r"(?:[0-9]{1,4}(?:(?:/?[Pp]|/)[0-9]{1,2})?|[Uu][Nn][Rr](?:ated|ATED|\.)?|[Nn]/?[Rr]\.?|new|NEW|-{2,4})"
)
"""A rating in a line of text, or a word for none; New may be a name."""
_RATING = re.compile(
    r"([0-9]{1,6}(?:[.,][0-9]{1,20})?)\s*(?:(?:(?:/?[Pp]|/)\s*([0-9]{1,2}(?:[.,][0-9]{1,4})?))|\(?\s*[Pp]\s*([0-9]{1,2})\s*\))?(?:\s?[FNE])?",
    re.ASCII,
)
_MEMBER = re.compile(
    r"(?:[-,;]?\s*\b(?:USCF|US Chess|FIDE|ID|Mem(?:ber)?)\b[\s#.:]*(?:(?:ID|No|Nr|Number|N)\b[\s#.:]*)?)?"
    r"(?P<id>(?<![0-9])[0-9]{6,12}(?![0-9])|\b[A-Z]{1,4}-?[0-9]{3,8}\b)",
    re.ASCII | re.IGNORECASE,
)
_NO_MEMBER = re.compile(r"\s*[,;]\s*(?:new|none|no id|tba)\s*$", re.IGNORECASE)
_BESIDE_NAME = re.compile(
    r"[(\[]\s*(?P<bracketed>[0-9]{3,4}(?:\s*[P/]\s*[0-9]{1,2})?|unr(?:ated)?\.?|new|n/?r)\s*[)\]]"
    r"|(?<=\s)(?P<bare>[1-9][0-9]{2,3}(?:P[0-9]{1,2})?|unr(?:ated)?\.?)$",
    re.IGNORECASE | re.ASCII,
)
_SCORE = re.compile(r"[(\[]\s*[0-9]{0,2}(?:[.,][05]|\u00bd)?\s*[)\]]", re.ASCII)
"""Points in brackets, or what is left of brackets."""
_WITH_SCORE = re.compile(
    r"[(\[]\s*(?:[0-9]{0,2}(?:[.,][05]|\u00bd)?[ ,;]+){0,2}(?P<rating>[0-9]{3,4}|unr\.?)"
    r"(?:[ ,;]+[0-9]{0,2}(?:[.,][05]|\u00bd)?)?\s*[)\]]",
    re.ASCII | re.IGNORECASE,
)
"""Number and points beside a rating, as programs print them for pairings: Moore (1.5 1512), Moore (3, 1512, 1.5)."""
_AROUND = " \t,;:"
_POINTS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{0,2})?|\.5", re.ASCII)
_DECIMAL_COMMA = re.compile(r"([+-]?[0-9]{1,15}),([0-9]{1,30})", re.ASCII)


class WrittenRating(NamedTuple):
    """A rating in a cell, and the games of a provisional one; no points: the player is unrated."""

    points: float | None
    games: float | None = None


UNRATED = WrittenRating(None)


@functools.lru_cache(maxsize=_KEPT)
def parse_rating(text: str) -> WrittenRating | None:
    """Return the rating that *text* is, whatever its decimal sign, or None where it cannot be read.

    >>> parse_rating("1641,5"), parse_rating("1500P12"), parse_rating("about 1600")
    (WrittenRating(points=1641.5, games=None), WrittenRating(points=1500.0, games=12.0), None)
    >>> parse_rating("1500/P12") == parse_rating("1500/12") == parse_rating("1500P12")
    True
    >>> parse_rating("UNR") == parse_rating("unrated (750/0)") == UNRATED
    True
    """
    text = text.strip()
    if text.casefold() in _UNRATED or _PRINTED_UNRATED.fullmatch(text):
        return UNRATED
    match = _RATING.fullmatch(text)
    if match is None:
        return None
    games = match[2] or match[3]
    return WrittenRating(_number(match[1]), None if games is None else _number(games))


def _number(text: str) -> float:
    return float(text.replace(",", "."))


class PlayerText(NamedTuple):
    """A name, and the id and the rating beside it as they are written, empty where they are not there.

    Attributes:
        is_bare: whether the rating is a number or a word without brackets.
    """

    name: str
    player: str = ""
    rating: str = ""
    is_bare: bool = False


def player_in(text: str) -> PlayerText:
    """Return the player whom *text* names.

    >>> player_in("12345671 Moore, Ann (1512P9)")
    PlayerText(name='Moore, Ann', player='12345671', rating='1512P9', is_bare=False)
    >>> player_in("Ann Moore, 1512, USCF 12345671")[:3], player_in("Quinn, unr, new")[::2]
    (('Ann Moore', '12345671', '1512'), ('Quinn', 'unr'))
    >>> player_in("Moore, Ann (1.5 1512)")[:3], player_in("Moore, Ann (3, 1512, 1.5)")[::2]
    (('Moore, Ann', '', '1512'), ('Moore, Ann', '1512'))
    """
    if member := _MEMBER.search(text):
        text = f"{text[: member.start()]} {text[member.end() :]}"
    text = _NO_MEMBER.sub("", _SCORE.sub(" ", _WITH_SCORE.sub(r"(\g<rating>)", text))).strip(_AROUND)
    if rating := _BESIDE_NAME.search(text):
        text = f"{text[: rating.start()]} {text[rating.end() :]}"
    return PlayerText(
        " ".join(text.strip(_AROUND).split()),
        member["id"] if member else "",
        rating[rating.lastgroup or 0] if rating else "",
        is_bare=rating is not None and rating["bare"] is not None,
    )


def parse_points(text: str) -> float | None:
    """Return the points of a score, or None where it is none.

    >>> [parse_points(text) for text in ("2½", "2,5", "1/2", "2 1/2", "won")]
    [2.5, 2.5, 0.5, 2.5, None]
    """
    plain = text.strip().replace(",", ".").replace("½", "1/2").replace(" 1/2", "1/2").replace("1/2", ".5")
    found = _POINTS.fullmatch(plain)
    return float(found[0]) if found else None


def with_point(text: str) -> str:
    """Return *text* with a point for its decimal comma.

    >>> with_point("448,5"), with_point("1,2,3")
    ('448.5', '1,2,3')
    """
    found = _DECIMAL_COMMA.fullmatch(text)
    return f"{found[1]}.{found[2]}" if found else text
