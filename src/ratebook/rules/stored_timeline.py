"""A timeline that a book has stored, perhaps written by an older version: what holds for the rules it does not know."""

from collections.abc import Mapping
from datetime import date

from ratebook.rules.in_force import RulesInForce, off_value
from ratebook.rules.loading import DOCUMENTS, read_contents
from ratebook.rules.snapshot import TIMELINE, Contents
from ratebook.rules.timeline import DOCUMENTED, LIST_RULES, OFF_WORD, RulebookError, fields_of_rule

OLDER = "OLDER"
_OLDER_ENTRY = {
    "title": "A timeline of an older version",
    "date": "",
    "what": "Rules that later versions of the program added; in this timeline they are off.",
}


def completed(stored: Contents) -> Contents:
    """Return a stored timeline with every rule that later versions added, off from the first day.

    A timeline that is damaged, or has rules that this version does not know, raises `RulebookError`.
    """
    contents = {file: with_later_keys(content) for file, content in stored.items()}
    names = [name for file, content in contents.items() if file != DOCUMENTS for name in content]
    unknown = [name for name in names if not fields_of_rule(name)]
    if unknown:
        raise RulebookError(f"The rules {', '.join(unknown)} are not known here.")
    filled = {field for name in names for field in fields_of_rule(name)}
    unfilled = [field for field in RulesInForce._fields if field not in filled]
    missing = [field for field in unfilled if off_value(field) is None]
    if missing:
        raise RulebookError(f"No rule fills {', '.join(missing)}, although every version has one.")
    if not unfilled:
        return contents
    off = {"from": _first_day(contents), "is": OFF_WORD, "document": OLDER, "status": DOCUMENTED}
    contents[DOCUMENTS] = {**contents[DOCUMENTS], OLDER: _OLDER_ENTRY}
    for file, content in read_contents(TIMELINE).items():
        for name, rule in content.items():
            fields = fields_of_rule(name)
            if fields and filled.isdisjoint(fields) and isinstance(rule, Mapping):
                values = [{**off, "where": f"rule {name}"}]
                contents[file] = {**contents.get(file, {}), name: {**rule, "values": values}}
    return contents


def _first_day(contents: Contents) -> date:
    rules = (rule for content in contents.values() for rule in content.values() if isinstance(rule, Mapping))
    days: list[date] = [value["from"] for rule in rules for value in rule.get("values", ())]
    return min(days)


def with_later_keys(rules: Mapping[str, object]) -> dict[str, object]:
    """Return the *rules* of a parsed file with the keys that later versions added to their tables, off."""
    return {name: _with_later_keys(name, rule) for name, rule in rules.items()}


def _with_later_keys(name: str, rule: object) -> object:
    fields = fields_of_rule(name)
    later = {field[len(name) + 1 :]: OFF_WORD for field in fields if field in RulesInForce._field_defaults}
    if fields == (name,) or name in LIST_RULES or not later or not isinstance(rule, Mapping):
        return rule
    values = rule.get("values")
    if not isinstance(values, list):
        return rule
    return {
        **rule,
        "values": [
            {**value, "is": {**later, **value["is"]}}
            if isinstance(value, Mapping) and isinstance(value.get("is"), Mapping)
            else value
            for value in values
        ],
    }
