"""Kinds of fields: how a value of each is read from JSON, written to JSON, and described by a JSON Schema."""

from __future__ import annotations

import functools
import math
import operator
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ratebook.formats.reading.cells import plain_number
from ratebook.formats.reading.fields import (
    EARLIEST_YEAR,
    HIGHEST_RATING,
    LATEST_YEAR,
    LOWEST_RATING,
    MOST_GAMES,
    WHAT_IS_WRITTEN,
    YEARS,
    close_match,
    day_of_events,
    parse_day,
    readable,
    shown,
)
from ratebook.model import Bound

if TYPE_CHECKING:
    from ratebook.formats.reading.fields import Fields


Value = TypeVar("Value")
Word = TypeVar("Word", bound=StrEnum)


class FieldKind(Generic[Value]):
    """What a field may hold; *schema* is the JSON Schema of a value, as far as it is not in a table."""

    def __init__(self, **schema: object) -> None:
        self.schema: dict[str, Any] = schema

    def read(self, fields: Fields, key: str, value: object) -> Value | None:
        """Return the value of the field *key* of *fields*, or None with a finding; *value* is its JSON, not null."""
        raise NotImplementedError

    def plain(self, value: Value) -> object:
        """Return *value* as JSON has it."""
        return value


class Text(FieldKind[str]):
    """A text that can be printed; an empty one says nothing."""

    def read(self, fields: Fields, key: str, value: object) -> str | None:
        """Return the text, None where it is empty."""
        if not isinstance(value, str):
            fields.wrong_type(key, "a text in quotes", value)
            return None
        if not readable(value):
            fields.add("text-unreadable.field", key, key=key, value=shown(value))
            return None
        return value or None


class Flag(FieldKind[bool]):
    """True or false."""

    def read(self, fields: Fields, key: str, value: object) -> bool | None:
        """Return the flag."""
        if isinstance(value, bool):
            return value
        fields.wrong_type(key, "true or false", value)
        return None


class Bounded(FieldKind[Value]):
    """A number from *low* to *high*, in units of *unit*; outside them it is an error with *code*."""

    def __init__(self, low: float, high: float, code: str = "number-out-of-range", unit: str = "") -> None:
        super().__init__(type="number", minimum=low, maximum=high)
        self.unit = unit
        self.low = low
        self.high = high
        self.code = code

    def report(self, fields: Fields, key: str, value: object) -> None:
        """Report what is wrong with *value*, which is no number within the bounds."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            fields.wrong_type(key, "a number", value)
        elif isinstance(value, float) and not math.isfinite(value):
            fields.add("number-not-finite", key, key=key, low=self.low, high=self.high)
        else:
            fields.add(self.code, key, key=key, value=shown(value), low=self.low, high=self.high)


class Number(Bounded[float]):
    """A number, read as a float."""

    def read(self, fields: Fields, key: str, value: object) -> float | None:
        """Return the number."""
        if (type(value) is float or type(value) is int) and self.low <= value <= self.high:
            return float(value)
        self.report(fields, key, value)
        return None

    def plain(self, value: float) -> float:
        """Return the number, whole ones without a point."""
        return plain_number(value)


class Whole(Bounded[int]):
    """A whole number."""

    def __init__(self, low: int, high: int, code: str = "number-out-of-range", unit: str = "") -> None:
        super().__init__(low, high, code, unit)
        self.schema["type"] = "integer"

    def read(self, fields: Fields, key: str, value: object) -> int | None:
        """Return the number."""
        if (type(value) is not float and type(value) is not int) or not self.low <= value <= self.high:
            self.report(fields, key, value)
        elif value == int(value):
            return int(value)
        else:
            fields.wrong_type(key, "a whole number", value)
        return None


_A_DATE = "a date in quotes (YYYY-MM-DD)"


class Day(FieldKind[date]):
    """A day of the calendar, written YYYY-MM-DD."""

    def read(self, fields: Fields, key: str, value: object) -> date | None:
        """Return the day."""
        if not isinstance(value, str):
            fields.wrong_type(key, _A_DATE, value)
            return None
        day = parse_day(value)
        if day is None:
            fields.add("date-unreadable.iso", key, value=shown(value))
            return None
        return day_of_events(fields.findings, fields.place(key), day)

    def plain(self, value: date) -> str:
        """Return the day as text."""
        return value.isoformat()


class PrivateDay(Day):
    """A day that no finding may show."""

    def read(self, fields: Fields, key: str, value: object) -> date | None:
        """Return the day."""
        if not isinstance(value, str):
            fields.add("type-wrong.field", key, key=key, wanted=_A_DATE, value="what is written here")
            return None
        day = parse_day(value)
        if day is None:
            fields.add("date-unreadable.iso", key, value=WHAT_IS_WRITTEN)
        elif not EARLIEST_YEAR <= day.year <= LATEST_YEAR:
            fields.add("date-out-of-range.private", key, **YEARS)
            return None
        return day


class AnyItems(FieldKind["list[object]"]):
    """A list of anything."""

    def read(self, fields: Fields, key: str, value: object) -> list[object] | None:
        """Return the list."""
        if isinstance(value, list):
            return value
        fields.wrong_type(key, "a list in square brackets", value)
        return None


class Choice(FieldKind[Word]):
    """One of the *words*; another one is an error with *code*."""

    def __init__(self, words: type[Word], code: str) -> None:
        super().__init__(enum=[word.value for word in words])
        self.words = words
        self.code = code

    def read(self, fields: Fields, key: str, value: object) -> Word | None:
        """Return the word."""
        if not isinstance(value, str):
            fields.wrong_type(key, "a text in quotes", value)
            return None
        try:
            return self.words(value)
        except ValueError:
            known = frozenset(word.value for word in self.words)
            remedy = "" if fields.findings.full else close_match(value, known)
            fields.add(self.code, key, value=shown(value), key=key, remedy=remedy)
            return None


class Bounds(FieldKind[Bound]):
    """Words, separated by spaces, that name the figures of a rating that are only lower bounds."""

    def __init__(self) -> None:
        super().__init__(type="string")
        self.words = {str(bound.name).lower(): bound for bound in Bound}

    def read(self, fields: Fields, key: str, value: object) -> Bound | None:
        """Return the bounds."""
        if not isinstance(value, str):
            fields.wrong_type(key, "a text in quotes", value)
            return None
        unknown = [word for word in value.split() if word not in self.words]
        if unknown:
            fields.add("bound-unknown", key, value=shown(unknown[0]), known=", ".join(self.words))
            return None
        return functools.reduce(operator.or_, (self.words[word] for word in value.split()), Bound(0))

    def plain(self, value: Bound) -> str:
        """Return the words."""
        return " ".join(word for word, bound in self.words.items() if bound in value)


class Lines(FieldKind["tuple[str, ...]"]):
    """Lines of text."""

    def __init__(self) -> None:
        super().__init__(type="array", items={"type": "string"})

    def read(self, fields: Fields, key: str, value: object) -> tuple[str, ...] | None:
        """Return the lines, without those that cannot be read."""
        lines = (TEXT.read(fields, key, line) for line in LIST.read(fields, key, value) or ())
        return tuple([line for line in lines if line is not None])

    def plain(self, value: tuple[str, ...]) -> object:
        """Return the lines as a list."""
        return list(value)


TEXT = Text(type="string")
FLAG = Flag(type="boolean")
DAY = Day(type="string", format="date", pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")
BIRTH_DAY = PrivateDay(**DAY.schema)
LIST = AnyItems(type="array")
ID = Text(type="string", minLength=1)
POINTS = Number(LOWEST_RATING, HIGHEST_RATING, "rating-out-of-range.field", "rating points")
PUBLISHED = Whole(LOWEST_RATING, HIGHEST_RATING, "rating-out-of-range.field", "rating points")
GAMES = Number(0, MOST_GAMES, "games-out-of-range.field", "games")
"""Games that a rating is based on; fractions come from sections at half K."""
COUNT = Whole(0, MOST_GAMES, "games-out-of-range.field")
