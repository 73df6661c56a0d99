"""What the timeline is made of: documents, rules, dated values, and how a value becomes fields.

A rule is written in ``timeline/*.toml`` in one of three shapes, which the fields of `RulesInForce` decide:

* a **scalar** rule has the name of one field (``bonus_multiplier``);
* a **table** rule has one key per field ``rule_key`` (``peak_floor`` = lowest, highest, drop, step);
* a **list** rule has up to as many words as there are fields ``rule_1``, ``rule_2`` … (``initial_priority``).
"""

import sys
from collections.abc import Mapping
from datetime import date
from functools import cache
from typing import NamedTuple, TypeAlias

from ratebook.model import System
from ratebook.rules import in_force
from ratebook.rules.in_force import RulesInForce

Entry: TypeAlias = float | str
"""A number or a word: "off", "unlimited" or a variant."""

Value: TypeAlias = Entry | tuple[str, ...] | Mapping[str, Entry]
"""A value as the timeline writes it: an entry, a list of words, or a table of entries ("off": all of it)."""

OFF_WORD = "off"
UNLIMITED_WORD = "unlimited"
END_WORD = "end"
"""The word for the places of a list rule behind its last word."""

DOCUMENTED = "documented"
INFERRED = "inferred"
PUBLISHED = "published"
OVERLAY = "overlay"
STATUSES = (DOCUMENTED, PUBLISHED, INFERRED)
"""What a timeline file may say of a value; ``overlay`` marks a what-if value and comes from overlays only."""

LIST_RULES = frozenset(name for name in in_force.VARIANT_NAMES if name not in RulesInForce._fields)
LIST_FIELDS = {
    field: name
    for name in LIST_RULES
    for field in RulesInForce._fields
    if field.startswith(f"{name}_") and field.removeprefix(f"{name}_").isdecimal()
}


class RulebookError(ValueError):
    """A timeline file or an overlay is wrong; the message names file, rule, date and remedy."""


class RuleNotKnown(LookupError):  # noqa: N818 - reads as a statement where it is raised
    """No value is known on that day; the message says what is known from when."""


class Document(NamedTuple):
    """A document that the timeline cites.

    Attributes:
        code: short code, for example ``D25``.
        date: day, month or year it was issued, as ISO text; empty for collections without one.
        what: what it is good for, in a sentence.
    """

    code: str
    title: str
    date: str
    what: str


class DatedValue(NamedTuple):
    """The value of a rule from one day on, and where it comes from.

    Attributes:
        since: the first day; sections are keyed on their start.
        value: as the timeline writes it.
        document: code of a document.
        where: section or page.
        status: ``documented`` (a document states value and date), ``published`` (published ratings confirm them),
            ``inferred`` or ``overlay``.
        note: what is inferred, which published ratings confirm it, or which documents disagree.
    """

    systems: tuple[System, ...]
    since: date
    value: Value
    document: str
    where: str
    status: str
    note: str


class Rule(NamedTuple):
    """One rule and all its dated values.

    Attributes:
        what: what the rule says, in a sentence.
        values: in the order of the file; for each system by date.
        subject: the timeline file that it is in, for example ``floors``.
    """

    name: str
    what: str
    unit: str
    values: tuple[DatedValue, ...]
    subject: str


@cache  # needed for every value of every rule at start-up
def fields_of_rule(name: str) -> tuple[str, ...]:
    """Return the fields of `RulesInForce` that the rule *name* fills; none if there is no such rule.

    >>> fields_of_rule("half_k")
    ('half_k_numerator', 'half_k_game_weight')
    >>> fields_of_rule("absolute_floor")
    ('absolute_floor',)
    """
    if name in RulesInForce._fields:
        return (name,)
    prefix = f"{name}_"
    return tuple(field for field in RulesInForce._fields if field.startswith(prefix))


def number_of_entry(field: str, entry: object) -> float:
    """Return the number that *field* of `RulesInForce` holds for *entry*.

    An entry that does not fit the field raises ``ValueError``; the message is a sentence without a place.

    >>> number_of_entry("stored_precision", "integer-away")
    2
    >>> number_of_entry("bonus_multiplier", 14)
    14.0
    """
    if entry == OFF_WORD:
        off = in_force.off_value(field)
        if off is not None:
            return off
        hint = (
            "; 'unlimited' takes the limit away"
            if in_force.is_marked(field, in_force.FieldMark.UNLIMITED)
            else ""
        )
        raise ValueError(f"{field} cannot be off: the rule has always been in force{hint}.")
    words = in_force.VARIANT_NAMES.get(LIST_FIELDS.get(field, field))
    if words is not None:
        if isinstance(entry, str) and entry in words:
            return words[entry]
        raise ValueError(f"{field} takes one of the words {', '.join(words)}, not {entry!r}.")
    if entry == UNLIMITED_WORD:
        if in_force.is_marked(field, in_force.FieldMark.UNLIMITED):
            return in_force.UNLIMITED
        raise ValueError(f"{field} is not an upper end and cannot be unlimited; give a number.")
    if isinstance(entry, bool) or not isinstance(entry, int | float):
        raise ValueError(f"{field} takes a number, not {entry!r}.")  # noqa: TRY004 - a wrong value in a file, not a wrong call
    return _checked_number(field, entry)


def _checked_number(field: str, number: float) -> float:
    # Whole numbers may be larger than any float.
    if not -sys.float_info.max <= number <= sys.float_info.max:
        raise ValueError(
            f"{field} takes a finite number, not {number!r}; an end that does not exist is 'unlimited'."
        )
    if field in in_force.YES_OR_NO_FIELDS:
        if number in (0, 1):
            return int(number)
        raise ValueError(f"{field} is 1 for yes or 0 for no, not {number!r}.")
    if number == in_force.OFF:
        raise ValueError(
            f"{field} cannot be {number!r}, which stands for 'off'; write 'off' if that is meant."
        )
    if number < 0 and not in_force.is_marked(field, in_force.FieldMark.SIGNED):
        raise ValueError(f"{field} cannot be negative, it is {number!r}.")
    if number == 0 and in_force.is_marked(field, in_force.FieldMark.POSITIVE):
        raise ValueError(f"{field} must be above 0.")
    return float(number)


def numbers_of_value(name: str, value: object) -> dict[str, float]:
    """Return the numbers of *value* of the rule *name*, field by field.

    A value that does not fit the rule raises ``ValueError``; the message is a sentence without a place.

    >>> numbers_of_value("half_k", {"numerator": 400, "game_weight": 0.5})
    {'half_k_numerator': 400.0, 'half_k_game_weight': 0.5}
    """
    fields = fields_of_rule(name)
    if value == OFF_WORD:
        return {field: number_of_entry(field, OFF_WORD) for field in fields}
    if name in LIST_RULES:
        return _numbers_of_list(name, fields, value)
    if fields == (name,):
        return {name: number_of_entry(name, value)}
    if not isinstance(value, Mapping):
        raise ValueError(f"{name} takes a table of {_keys_text(name, fields)} or 'off', not {value!r}.")  # noqa: TRY004 - a wrong value in a file, not a wrong call
    numbers = {}
    for field in fields:
        key = field[len(name) + 1 :]
        if key not in value and not in_force.is_marked(field, in_force.FieldMark.LEFT_OUT):
            raise ValueError(f"{name} lacks the key {key}; it takes {_keys_text(name, fields)}.")
        numbers[field] = number_of_entry(field, value.get(key, OFF_WORD))
    unknown = next((key for key in value if f"{name}_{key}" not in numbers), None)
    if unknown is not None:
        raise ValueError(f"{name} has no key {unknown}; it takes {_keys_text(name, fields)}.")
    return numbers


def _keys_text(name: str, fields: tuple[str, ...]) -> str:
    return ", ".join(field[len(name) + 1 :] for field in fields)


def _numbers_of_list(name: str, fields: tuple[str, ...], value: object) -> dict[str, float]:
    words = in_force.VARIANT_NAMES[name]
    if not isinstance(value, list | tuple) or len(value) > len(fields):
        raise ValueError(f"{name} takes a list of at most {len(fields)} of the words {', '.join(words)}.")
    if len(set(map(repr, value))) < len(value):
        raise ValueError(f"{name} names a source twice.")
    numbers: dict[str, float] = dict.fromkeys(fields, in_force.CLAUSE_END)
    for field, word in zip(fields, value, strict=False):
        numbers[field] = number_of_entry(field, word)
    return numbers


def entry_of_value(name: str, field: str, value: Value) -> Entry:
    """Return the part of a rule's *value* that fills *field*, as the timeline writes it.

    >>> entry_of_value("half_k", "half_k_game_weight", {"numerator": 400, "game_weight": 0.5})
    0.5
    """
    if isinstance(value, Mapping):
        return value.get(field[len(name) + 1 :], OFF_WORD)
    if isinstance(value, tuple):
        place = int(field.rpartition("_")[2]) - 1
        return value[place] if place < len(value) else END_WORD
    return value


def word_of_number(field: str, number: float) -> float | int | str:
    """Return *number* of *field* as people read it: off, unlimited, a variant's word, or a number.

    >>> word_of_number("initial_method", 2), word_of_number("peak_floor_drop", 200.0)
    ('blend', 200)
    """
    if number == in_force.OFF:
        return OFF_WORD
    if number == in_force.UNLIMITED:
        return UNLIMITED_WORD
    words = in_force.VARIANT_NAMES.get(LIST_FIELDS.get(field, field))
    if words is not None:
        return next((word for word, code in words.items() if code == number), END_WORD)
    return int(number) if number == int(number) else number


def close_matches(name: str, names: tuple[str, ...]) -> str:
    """Return " Did you mean a, b?" for the names of *known* that resemble *name*, or nothing."""
    import difflib  # noqa: PLC0415 - start-up loads it only when needed

    # Names are short; a longer text would only make the comparison slow.
    # A rule of one number has a field of its own name: once is enough.
    matches = difflib.get_close_matches(name[:80], dict.fromkeys(names), n=3)
    return f" Did you mean {', '.join(matches)}?" if matches else ""
