"""Reading the timeline files, and every check that a wrong file must fail.

The checks run on every load: a timeline that is wrong must not rate anything. What is wrong raises `RulebookError`.
"""

import os
from collections.abc import Collection, Mapping
from datetime import date, datetime
from itertools import pairwise

from ratebook.bounded_files import bounded_bytes
from ratebook.model import System
from ratebook.rules.in_force import RulesInForce
from ratebook.rules.snapshot import Contents, StrPath, snapshot_contents
from ratebook.rules.timeline import (
    INFERRED,
    LIST_RULES,
    PUBLISHED,
    STATUSES,
    DatedValue,
    Document,
    Rule,
    RulebookError,
    Value,
    close_matches,
    fields_of_rule,
    numbers_of_value,
)

SUBJECTS = (
    "systems", "time_controls", "terms", "initial_rating", "blend", "conversions", "age", "effective_games",
    "special", "standard", "bonus", "floors", "stored_precision", "matches", "foreign_fide",
)  # fmt: skip
"""The timeline files in the order in which the rules are listed."""

DOCUMENTS = "documents.toml"

ALL_SYSTEMS = tuple(System)
_SYSTEM_OF_WORD = {system.value: system for system in System}
_VALUE_KEYS = ("from", "is", "systems", "document", "where", "status", "note")
_RULE_KEYS = ("what", "unit", "values")


def read_files(folder: StrPath) -> dict[str, bytes]:
    """Return the bytes of the timeline files in *folder*, by name."""
    names = [DOCUMENTS, *(f"{subject}.toml" for subject in SUBJECTS)]
    return {name: _bytes_of(os.path.join(folder, name)) for name in names}


def _bytes_of(path: StrPath) -> bytes:
    try:
        return bounded_bytes(path)
    except OSError as failure:
        raise RulebookError(
            f"{os.path.basename(path)}: cannot be read ({failure.strerror}). Give a file that exists."
        ) from failure


def parse_files(files: Mapping[str, bytes]) -> Contents:
    """Return what each file says."""
    return {name: _parsed(name, data) for name, data in files.items()}


def read_contents(folder: StrPath) -> Contents:
    """Return what the timeline files in *folder* say, from their snapshot where it is current.

    A wheel has the snapshot alone.
    """
    if not os.path.exists(os.path.join(folder, DOCUMENTS)) and (alone := snapshot_contents(folder, None)):
        return alone
    files = read_files(folder)
    return snapshot_contents(folder, files) or parse_files(files)


def documents_in(contents: Contents) -> dict[str, Document]:
    """Return the documents that ``documents.toml`` lists, by code."""
    documents = {}
    for code, entry in contents[DOCUMENTS].items():
        place = f"{DOCUMENTS}, document {code}"
        table = table_of(entry, place, f"Write [{code}] with title, date and what.")
        documents[code] = Document(
            code,
            title=text_of(table, "title", place),
            date=text_of(table, "date", place, empty_allowed=True),
            what=text_of(table, "what", place),
        )
    return documents


def rules_in(contents: Contents, documents: Mapping[str, Document]) -> dict[str, Rule]:
    """Return the rules of all timeline files, checked, by name."""
    rules: dict[str, Rule] = {}
    for subject in SUBJECTS:
        file = f"{subject}.toml"
        for name, entry in contents.get(file, {}).items():
            if name in rules:
                raise RulebookError(
                    f"{file}, rule {name}: {rules[name].subject}.toml has it too. Remove one."
                )
            rules[name] = _rule_of_entry(subject, name, entry, documents)
    return rules


def read_toml(path: StrPath) -> dict[str, object]:
    """Return the content of a TOML file."""
    return _parsed(os.path.basename(path), _bytes_of(path))


def _parsed(name: str, data: bytes) -> dict[str, object]:
    import tomllib  # noqa: PLC0415 - start-up reads the snapshot instead

    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as failure:
        raise RulebookError(f"{name}: not TOML in UTF-8 ({failure}). Correct the file there.") from failure


def _rule_of_entry(subject: str, name: str, entry: object, documents: Mapping[str, Document]) -> Rule:
    place = f"{subject}.toml, rule {name}"
    table, entries = value_entries(name, entry, place)
    description, unit = text_of(table, "what", place), text_of(table, "unit", place)
    values = []
    for number, value_entry in enumerate(entries, start=1):
        value = dated_value(name, value_entry, f"{place}, value {number}")
        check_source(value[-4:], documents, f"{place}, {value.since}")
        values.append(value)
    return Rule(name, description, unit, tuple(values), subject)


def check_source(source: tuple[str, str, str, str], documents: Collection[str], place: str) -> None:
    """Refuse a value without a known document, a place in it and a known status, and a reading without a note.

    A *source* is document, where, status and note, as `DatedValue` ends.
    """
    document, where, status, note = source
    if document not in documents:
        raise RulebookError(
            f"{place}: the document {document or '(none)'} is not known. Name one of {', '.join(documents)}."
        )
    if not where:
        raise RulebookError(f"{place}: no 'where'. Give the section or page of {document}.")
    if status not in STATUSES:
        raise RulebookError(
            f"{place}: the status is {status!r}. Write {', '.join(STATUSES[:-1])} or {STATUSES[-1]}."
        )
    if status == INFERRED and not note:
        raise RulebookError(f"{place}: inferred without a note. Say in 'note' what is our reading.")
    if status == PUBLISHED and not note:
        raise RulebookError(f"{place}: published without a note. Say in 'note' which ratings, and how many.")


def value_entries(name: str, entry: object, place: str) -> tuple[Mapping[str, object], list[object]]:
    """Return the table of one rule of a parsed file and its dated values, unread; check the rule's name and keys."""
    if not fields_of_rule(name):
        raise RulebookError(
            f"{place}: no field of RulesInForce belongs to it.{close_matches(name, known_names())}"
        )
    remedy = f"Write [[{name}.values]] with from and is."
    table = table_of(entry, place, remedy)
    check_keys(table, _RULE_KEYS, place)
    values = table.get("values")
    if not isinstance(values, list) or not values:
        raise RulebookError(f"{place}: no dated values. {remedy}")
    return table, values


def dated_value(name: str, entry: object, place: str) -> DatedValue:
    """Return one dated value of the rule *name*; what only a timeline must have may be empty."""
    table = table_of(entry, place, f"Write [[{name}.values]] with from and is.")
    since = table.get("from")
    if not isinstance(since, date) or isinstance(since, datetime):
        raise RulebookError(f"{place}: 'from' is {since!r}. Write a day without quotes, as 2025-01-01.")
    place = f"{place.rpartition(', value')[0]}, {since}"
    check_keys(table, _VALUE_KEYS, place)
    if "is" not in table:
        raise RulebookError(f"{place}: no value. Write 'is'.")
    value = table["is"]
    try:
        numbers_of_value(name, value)
    except ValueError as failure:
        raise RulebookError(f"{place}: {failure}") from failure
    systems = _systems_of_entry(table, place)
    source = (text_of(table, key, place, empty_allowed=True) for key in DatedValue._fields[-4:])
    return DatedValue(systems, since, as_value(name, value), *source)


def as_value(name: str, value: object) -> Value:
    """Return *value*, which fits the rule *name*, with its type."""
    if name in LIST_RULES and isinstance(value, list | tuple):
        return tuple(str(word) for word in value)
    assert isinstance(value, int | float | str | Mapping), "numbers_of_value has refused anything else"  # noqa: S101 - states what the line before has made sure, for the type checker
    return value


def _systems_of_entry(entry: Mapping[str, object], place: str) -> tuple[System, ...]:
    words = entry.get("systems")
    if words is None:
        return ALL_SYSTEMS
    if not isinstance(words, list) or not words or len(set(map(repr, words))) < len(words):
        raise RulebookError(
            f"{place}: 'systems' must be a list of different systems; leave it out for all six."
        )
    unknown = next((word for word in words if not isinstance(word, str) or word not in _SYSTEM_OF_WORD), None)
    if unknown is not None:
        raise RulebookError(f"{place}: no system {unknown!r}. Name some of {', '.join(_SYSTEM_OF_WORD)}.")
    return tuple(_SYSTEM_OF_WORD[word] for word in words)


def table_of(entry: object, place: str, remedy: str) -> Mapping[str, object]:
    """Return *entry* of a parsed file, which must be a table."""
    if not isinstance(entry, Mapping):
        raise RulebookError(f"{place}: this is not a table. {remedy}")
    return entry


def text_of(entry: Mapping[str, object], key: str, place: str, *, empty_allowed: bool = False) -> str:
    """Return the text under *key* of a table."""
    text = entry.get(key, "")
    if not isinstance(text, str) or not (text or empty_allowed):
        raise RulebookError(f'{place}: no text under {key!r}. Write {key} = "…".')
    return text


def check_keys(entry: Mapping[str, object], allowed: tuple[str, ...], place: str) -> None:
    """Refuse a table with a key that is not *known*."""
    for key in entry:
        if key not in allowed:
            raise RulebookError(f"{place}: the key {key!r} is not known. Known are {', '.join(allowed)}.")


def known_names() -> tuple[str, ...]:
    """Return the fields and the beginnings of their names, for close matches."""
    names = (field.split("_") for field in RulesInForce._fields)
    prefixes = {"_".join(parts[:end]) for parts in names for end in range(1, len(parts) + 1)}
    return tuple(sorted(prefixes))


def check_rules(rules: Mapping[str, Rule]) -> None:
    """Refuse rules that leave a field or a first day open, fill a field twice, or are not ordered by date."""
    rule_of_field: dict[str, str] = {}
    for name in rules:
        for field in fields_of_rule(name):
            if field in rule_of_field:
                raise RulebookError(
                    f"Rules {rule_of_field[field]} and {name}: both fill {field}. Remove one."
                )
            rule_of_field[field] = name
    missing = [field for field in RulesInForce._fields if field not in rule_of_field]
    if missing:
        raise RulebookError(f"No rule fills {', '.join(missing)}. Add the rule to a timeline file.")
    first_day = min(value.since for rule in rules.values() for value in rule.values)
    for rule in rules.values():
        _check_dates(rule, first_day)


def _check_dates(rule: Rule, first_day: date) -> None:
    place = f"{rule.subject}.toml, rule {rule.name}"
    for system in ALL_SYSTEMS:
        dates = [value.since for value in rule.values if system in value.systems]
        if not dates:
            raise RulebookError(
                f"{place}: no value for {system}. Add one from {first_day}; 'off' if there was no rule."
            )
        for before, after in pairwise(dates):
            if before >= after:
                how = "given twice" if before == after else f"after {before}; dates must rise"
                raise RulebookError(
                    f"{place}, {after}: the value for {system} is {how}. Correct or remove it."
                )
        if dates[0] != first_day:
            raise RulebookError(
                f"{place}, {dates[0]}: the first value for {system} leaves a gap from {first_day}."
                " Add a value from that day; 'off' if there was no rule."
            )
