"""Ratings and numbers as people and programs write them."""

import functools
import re
from typing import NamedTuple

_KEPT = 4_096
_UNRATED = frozenset(
    (
        "",
        "0",
        "-",
        "--",
        "---",
        "----",
        "nr",
        "nr.",
        "n/r",
        "u",
        "unr",
        "unr.",
        "unrated",
        "new",
        "none",
        "n/a",
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


def parse_points(text: str) -> float | None:
    """Return the points of a score, or None where it is none.

    >>> (
    ...     parse_points("2½"),
    ...     parse_points("2,5"),
    ...     parse_points("1/2"),
    ...     parse_points("2 1/2"),
    ...     parse_points("won"),
    ... )
    (2.5, 2.5, 0.5, 2.5, None)
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
