"""The rating report as text: the table that a tournament director prints for the office before the event is rated.

The office asked for it but published no layout of its own; programs that print one use the lines, bars and columns of
the published crosstable (docs/formats/crosstable.md#layout). So it is read as that table without ratings after
(inferred):

| under the name | read as |
|---|---|
| ``90000001 / R: 1641P17`` | member id, and a rating of one system with the games of a provisional one |
| ``90000001 / R: 1641P17 Q: 1580`` or a line for each | ratings of several systems |
| ``90000001 / 1641`` or ``90000001  1641P17`` or ``1641/17`` | a pairing rating, which names no system |
| ``90000001`` or ``90000001 / Unrated`` or nothing | no rating |

A column for the ratings may be missing altogether.
"""

import functools
import re

from ratebook.findings import Findings, Place
from ratebook.formats.contract import Hints, ParsedReport
from ratebook.formats.crosstable.read import keep_rating, parse_tables, texts_below
from ratebook.formats.crosstable.rows import (
    PlayerLines,
    PrintedTable,
    has_arrows,
    is_member_id,
    looks_like_crosstable,
    system_of_label,
)
from ratebook.formats.reading.fields import rating_in_range, shown
from ratebook.formats.reading.printed_table import PrintedRating, RatingsRead
from ratebook.formats.source import Source
from ratebook.model import System

_RATING = re.compile(
    r"""(?:\b(?P<label>O?[RQB])\s*:\s*)?
        \b(?P<points>Unrated|Unr\.?|0|\d{3,4}(?:\.\d{1,12})?)
        (?:\s*[P/*]\s*(?P<games>\d{1,2})?)?
        (?![0-9A-Za-z])""",
    re.ASCII | re.IGNORECASE | re.VERBOSE,
)
# Shorter than five signs is a rating.
_MEMBER = re.compile(r"(?P<member>[0-9A-Za-z]{5,12})\s*(?:/|\s|$)\s*", re.ASCII)


def looks_like(source: Source) -> bool:
    """Return whether a file of *source* has a table between bars without ratings after."""
    return any(not has_arrows(file.data) and looks_like_crosstable(file.data) for file in source.files)


def parse(source: Source, hints: Hints) -> ParsedReport:
    """Return the report in the tables of *source*, with all findings.

    *hints* say when and how fast was played, and whether the labels R, Q and B mean the online systems.
    """
    reader = functools.partial(_read_ratings, online=hints.online)
    return parse_tables(source, hints, reader, "A rating report")


def _read_ratings(
    findings: Findings, table: PrintedTable, lines: PlayerLines, where: Place, *, online: bool
) -> RatingsRead:
    """Return what is under a player's name: the member id and the ratings before."""
    member = ""
    ratings: dict[System, PrintedRating] = {}
    pairing: float | None = None
    for number, below in texts_below(findings, table, lines, where):
        text = below
        first = _MEMBER.match(text)
        if first and not member and is_member_id(first["member"]) and not _RATING.fullmatch(first["member"]):
            # Zeros stand for an id that is not known (docs/formats/uschess.md#seats).
            member = first["member"] if first["member"].strip("0") else ""
            text = text[first.end() :]
        unread = _RATING.sub("", text).strip(" \t/")
        if unread:
            findings.add("rating-unreadable.rating-report", where, number=number, unread=shown(unread))
            continue
        for found in _RATING.finditer(text):
            label, points, games = found.group("label", "points", "games")
            # A rating of 0 stands for none, as in the upload files (docs/formats/uschess.md#seats).
            rating = float(points) or None if points[0].isdecimal() else None
            if label is None:
                if pairing is None and rating is not None:
                    rating_in_range(findings, where, rating)
                    pairing = rating
                continue
            system = system_of_label(label, online=online)
            printed = PrintedRating(system, rating, None if games is None else float(games), None)
            keep_rating(findings, ratings, printed, where, number)
    return RatingsRead(member, tuple(ratings.values()), pairing)
