"""Reading the fields of one JSON object, with a finding for everything that is not as it should be.

A field that is absent or null takes its default; only the fields that a reader requires must be there.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, TypeVar

from ratebook.findings import Findings, Place
from ratebook.formats.reading.json import RepeatedKeys

if TYPE_CHECKING:
    from ratebook.formats.reading.kinds import FieldKind


Value = TypeVar("Value")

# Outside these years a date is a slip of the pen, and windows of years around it could leave the calendar.
EARLIEST_YEAR = 1850
LATEST_YEAR = 2199

YEARS = {"earliest_year": EARLIEST_YEAR, "latest_year": LATEST_YEAR}
"""As findings say them."""

LOWEST_RATING = 100
HIGHEST_RATING = 3_500
RATINGS = {"lowest_rating": LOWEST_RATING, "highest_rating": HIGHEST_RATING}
"""As findings say them."""
MOST_GAMES = 100_000

_SHOWN_LENGTH = 40
_DATE_LENGTH = len("2026-11-14")


def readable(text: str) -> bool:
    r"""Return whether *text* can be printed: no control characters and no halves of surrogate pairs.

    >>> readable("ADAMS EXAMPLE"), readable("bell\a")
    (True, False)
    """
    # Most text is printable; only the rest (a no-break space, say) is looked at character by character.
    if text.isprintable():
        return True
    # Control characters would move a terminal's cursor; surrogate halves cannot be written as UTF-8.
    from unicodedata import category  # noqa: PLC0415 - start-up loads it only when needed

    return not any(category(character) in {"Cc", "Cs"} for character in text)


WHAT_IS_WRITTEN = "What is written here"
"""Stands in findings for a value that is private."""


def shown(value: object) -> str:
    """Return *value* as a message shows it: short, and on one line.

    >>> shown("A/90"), shown([1, 2])
    ("'A/90'", 'a list')
    """
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    text = repr(value)
    return text if len(text) <= _SHOWN_LENGTH else f"{text[:_SHOWN_LENGTH]}…"


def close_match(word: str, words: frozenset[str]) -> str:
    """Return a remedy's beginning: the known word that *word* looks like, or all known words."""
    # Loading difflib takes longer than reading a report.
    import difflib  # noqa: PLC0415 - start-up loads it only when needed

    matches = difflib.get_close_matches(word[:_SHOWN_LENGTH].lower(), sorted(words), 1)
    return f"Did you mean {matches[0]!r}?" if matches else f"Known here: {', '.join(sorted(words))}."


class Fields:
    """The fields of one JSON object, which is at *where*; a method reads one and reports what is wrong."""

    __slots__ = ("findings", "values", "where")

    def __init__(self, findings: Findings, values: dict[str, object], where: Place) -> None:
        self.findings = findings
        self.values = values
        self.where = where

    def place(self, key: str) -> Place:
        """Return the place of the field *key*, such as ``ratings.regular.games`` of a player."""
        return self.where.inner(key)

    def add(self, name: str, key: str, /, **values: object) -> None:
        """Add a finding about the field *key* (`ratebook.findings.finding`)."""
        self.findings.add(name, self.place(key), **values)

    def wrong_type(self, key: str, wanted: str, value: object) -> None:
        """Report that the field *key* is not what is *wanted*."""
        self.add("type-wrong.field", key, key=key, wanted=wanted, value=shown(value))

    def require(self, *keys: str) -> bool:
        """Return whether all of *keys* are there; each that is not is an error."""
        complete = True
        for key in keys:
            if self.values.get(key) is None:
                complete = False
                self.add("key-missing.field", key, key=key)
        return complete

    def read(self, key: str, kind: FieldKind[Value]) -> Value | None:
        """Return the value of the field *key*, None where it is absent, null or wrong."""
        value = self.values.get(key)
        return None if value is None else kind.read(self, key, value)


def open_object(
    findings: Findings, value: object, where: Place, allowed: frozenset[str], unknown: str = "key-unknown"
) -> Fields | None:
    """Return the fields of the JSON object *value*, or None; report unknown and repeated keys."""
    if not isinstance(value, dict):
        findings.add("type-wrong.object", where, value=shown(value))
        return None
    fields = Fields(findings, value, where)
    if isinstance(value, RepeatedKeys):
        for key in value.repeated:
            fields.add("key-twice", key, key=shown(key))
    if not value.keys() <= allowed:
        for key in value:
            if key not in allowed:
                remedy = "" if findings.full else f"{close_match(key, allowed)} Otherwise remove it."
                fields.add(unknown, key, key=shown(key), remedy=remedy)
    return fields


def parse_day(text: str) -> date | None:
    """Return the day that *text* names as YYYY-MM-DD, or None.

    >>> parse_day("2026-11-14"), parse_day("2026-02-30"), parse_day("20261114")
    (datetime.date(2026, 11, 14), None, None)
    """
    # date.fromisoformat also reads 20261114 and 2026-W46-6, which the format does not allow.
    if len(text) != _DATE_LENGTH or text[4] != "-" or text[7] != "-" or not text.isascii():
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def rating_in_range(findings: Findings, where: Place, rating: float) -> bool:
    """Return whether *rating* can be one; report where it cannot."""
    if LOWEST_RATING <= rating <= HIGHEST_RATING:
        return True
    findings.add("rating-out-of-range.pairing", where, rating=rating, **RATINGS)
    return False


def day_of_events(findings: Findings, where: Place, day: date) -> date | None:
    """Return *day*, or None with a finding where no rated event can have been played in its year."""
    if EARLIEST_YEAR <= day.year <= LATEST_YEAR:
        return day
    findings.add("date-out-of-range.shown", where, day=day, **YEARS)
    return None
