"""Questions of a report that is typed at the prompt, and what is wrong with an answer."""

import re
from collections.abc import Callable, Generator, Sequence
from datetime import date
from typing import NamedTuple, TypeAlias

from ratebook.findings import Finding
from ratebook.formats.reading.dates import days_in_order, plain_day
from ratebook.formats.reading.fields import HIGHEST_RATING, LOWEST_RATING, readable
from ratebook.model import Rating, Report, System
from ratebook.rules.rulebook import Rulebook, RuleNotKnown
from ratebook.rules.timecontrol import TimeControl, parse_time_control, systems_for

YES = {"y": True, "yes": True, "n": False, "no": False}
_LONGEST = 200
_RATING = re.compile(r"(\d{2,4}(?:\.\d{1,10})?)(?:[P/](\d{1,4}(?:\.5)?))?", re.ASCII | re.IGNORECASE)
_UNRATED = frozenset({"unr", "unrated"})


class Question(NamedTuple):
    """One question of the form.

    Attributes:
        key: which it is, however the form came there.
        text: the question itself.
        wrong: says what is wrong with an answer; None where nothing is.
        default: the answer that an empty line gives.
        heading: what is said before it, where a new part begins.
        empties: whether a minus sign is the empty answer, since an empty line gives the default.
    """

    key: str
    text: str
    wrong: Callable[[str], str | None]
    default: str = ""
    heading: str = ""
    empties: bool = False


class FormOptions(NamedTuple):
    """What the questions of a report depend on.

    Attributes:
        rulebook: tells the systems that rate a time control.
        today: no event begins later.
        ratings: whether ratings and birth dates are asked for, or come from a players' list later.
        id_pattern: the form of member ids; empty: any text; None: eight digits, or keys of the report's own.
    """

    rulebook: Rulebook
    today: date
    ratings: bool = True
    id_pattern: str | None = None


Form: TypeAlias = Generator[Question, str, Report]


def yes_or_no(key: str, text: str, *, default: str = "n", heading: str = "") -> Question:
    """Return a question that is answered with yes or no."""

    def wrong(answer: str) -> str | None:
        return None if answer.lower() in YES and answer == answer.lower() else "Write y or n."

    return Question(key, f"{text} (y/n)", wrong, default, heading)


def wrong_text(*, least: int = 0) -> Callable[[str], str | None]:
    """Return what says whether a text can be printed, and is as long as it must be."""

    def wrong(text: str) -> str | None:
        if len(text) < least:
            return "It cannot be empty."
        if len(text) > _LONGEST:
            return f"It is longer than {_LONGEST} letters."
        return None if readable(text) else "It has characters that cannot be printed."

    return wrong


def wrong_event_id(text: str) -> str | None:
    """Return what is wrong with the id of an event, which may be empty; None where nothing is.

    >>> wrong_event_id("Nov 14, 2026"), wrong_event_id("202611140001")
    ('This is a date; the days are asked for next. Write the id, or nothing.', None)
    """
    if plain_day(text) or days_in_order(text):
        return "This is a date; the days are asked for next. Write the id, or nothing."
    return wrong_text()(text)


def wrong_choice(known: Sequence[str]) -> Callable[[str], str | None]:
    """Return what says whether an answer is one of those *known*."""
    return lambda text: None if text in known else f"Write one of {', '.join(known)}."


def wrong_number(text: str, most: int) -> str | None:
    """Return what is wrong with a number that is 1 at least; None where nothing is."""
    fits = text.isascii() and text.isdecimal() and len(text) <= len(str(most)) and 1 <= int(text) <= most
    return None if fits else f"Write a number from 1 to {most}."


def read_day(text: str) -> date | None:
    """Return the day that an answer names, as files name it; None where it names none, or may name two.

    >>> read_day("2026-11-08") == read_day("Nov 8, 2026"), str(read_day("10/14/2026")), read_day("11/8/2026")
    (True, '2026-10-14', None)
    """
    day, days = plain_day(text), days_in_order(text)
    return day or (days[0] if len(days) == 1 else None)


def wrong_day(text: str) -> str | None:
    """Return what is wrong with a date; None where nothing is.

    >>> wrong_day("11/8/2026"), wrong_day("2026-11-08")
    ("'11/8/2026' can be read in two ways; write 2026-11-08 or 2026-08-11.", None)
    """
    if read_day(text):
        return None
    days = days_in_order(text)
    if days:
        return f"{text!r} can be read in two ways; write {' or '.join(map(str, days))}."
    return f"{text!r} is not a date; write it as 2026-11-14."


def wrong_start(text: str, today: date) -> str | None:
    """Return what is wrong with the first day; None where nothing is."""
    start = read_day(text)
    return f"{start} is in the future." if start is not None and start > today else wrong_day(text)


def wrong_end(text: str, start: date) -> str | None:
    """Return what is wrong with the last day; None where nothing is."""
    end = read_day(text)
    if end is None:
        return wrong_day(text)
    return f"The event started on {start}." if end < start else None


def day_of(text: str) -> date:
    """Return the date of an answer without mistakes."""
    day = read_day(text)
    assert day is not None  # noqa: S101 - the answer was checked
    return day


def wrong_rating(text: str) -> str | None:
    """Return what is wrong with a rating, which may be empty or ``unr``; None where nothing is."""
    if is_unrated(text):
        return None
    match = _RATING.fullmatch(text)
    if match is None or not LOWEST_RATING <= float(match[1]) <= HIGHEST_RATING:
        return "Write a rating such as 1500, 1432.5, or 1432P12 if it is based on 12 games."
    return None


def is_unrated(text: str) -> bool:
    """Return whether an answer says that a player has no rating."""
    return not text or text.lower() in _UNRATED


def rating_of(text: str) -> Rating:
    """Return the rating of an answer without mistakes.

    >>> rating_of("1432P12").games, rating_of("1500").games
    (12.0, None)
    """
    match = _RATING.fullmatch(text)
    assert match is not None  # noqa: S101 - the answer was checked
    return Rating(float(match[1]), None if match[2] is None else float(match[2]))


def rating_text(rating: Rating | None) -> str:
    """Return a rating as it is typed.

    >>> rating_text(Rating(1432.5, 12.0)), rating_text(None)
    ('1432.5P12', 'unr')
    """
    if rating is None:
        return "unr"
    return f"{rating.rating:g}" if rating.games is None else f"{rating.rating:g}P{rating.games:g}"


def wrong_time_control(text: str, rulebook: Rulebook, day: date, *, online: bool) -> str | None:
    """Return what is wrong with a time control, which has to be rated on the *day*; None where nothing is."""
    parsed = parse_time_control(text)
    if isinstance(parsed, Finding):
        return f"{parsed.message} {parsed.on_page}"
    try:
        rated = systems_for(rulebook, parsed, day, online=online)
    except RuleNotKnown as unknown:
        return str(unknown)
    return None if rated else f"No system rates {text!r} on {day}."


def systems_of(text: str, rulebook: Rulebook, day: date, *, online: bool) -> tuple[System, ...]:
    """Return the systems that rate a time control without mistakes."""
    parsed = parse_time_control(text)
    assert isinstance(parsed, TimeControl)  # noqa: S101 - the answer was checked
    return systems_for(rulebook, parsed, day, online=online)
