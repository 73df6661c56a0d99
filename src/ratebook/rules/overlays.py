"""What-if values laid over the timeline: single settings, and files in the format of the timeline."""

import os
from collections.abc import Mapping
from datetime import date

from ratebook.rules.loading import ALL_SYSTEMS, dated_value, read_toml, value_entries
from ratebook.rules.snapshot import StrPath
from ratebook.rules.timeline import (
    LIST_RULES,
    OFF_WORD,
    OVERLAY,
    DatedValue,
    Document,
    Entry,
    Rule,
    RulebookError,
    Value,
    close_matches,
    fields_of_rule,
    numbers_of_value,
)

OVERLAY_DOCUMENT = Document(
    "OVERLAY", "What-if values", "", "Values that the user has laid over the timeline; no rule of US Chess."
)


def rules_with_settings(
    rules: Mapping[str, Rule], first_day: date, changes: Mapping[str, str | float]
) -> dict[str, Rule]:
    """Return *rules* with each setting made for all systems and days (see `Rulebook.with_overlay`)."""
    changed = dict(rules)
    for name, setting in changes.items():
        rule = _rule_of_name(changed, name)
        try:
            values = _values_with_setting(rule, first_day, name, setting)
        except ValueError as failure:
            raise RulebookError(f"Setting {name[:80]}={str(setting)[:80]}: {failure}") from failure
        changed[rule.name] = rule._replace(values=values)
    return changed


def _rule_of_name(rules: Mapping[str, Rule], name: str) -> Rule:
    if name in rules:
        return rules[name]
    for rule in rules.values():
        if name in fields_of_rule(rule.name):
            return rule
    known = (*rules, *(field for rule in rules for field in fields_of_rule(rule)))
    raise RulebookError(f"There is no rule or field {name[:80]!r} to set.{close_matches(name, known)}")


def _values_with_setting(
    rule: Rule, first_day: date, name: str, setting: str | float
) -> tuple[DatedValue, ...]:
    where = f"{name}={setting}"[:160]
    if rule.name in LIST_RULES and name != rule.name:
        raise ValueError(f"the places of a list cannot be set one by one; set {rule.name}=first,second,…")
    if name != rule.name:
        return tuple(
            _with_field(rule.name, dated, name, _entry_of_setting(setting), where) for dated in rule.values
        )
    value: Value = _entry_of_setting(setting)
    if name in LIST_RULES:
        value = tuple(word.strip().lower() for word in str(setting).split(","))
    elif name not in fields_of_rule(name) and value != OFF_WORD:
        raise ValueError(f"{name} is a table; set it off, or set one of {', '.join(fields_of_rule(name))}.")
    numbers_of_value(name, value)
    dated = DatedValue(
        systems=ALL_SYSTEMS,
        since=first_day,
        value=value,
        document=OVERLAY_DOCUMENT.code,
        where=where,
        status=OVERLAY,
        note="",
    )
    return (dated,)


def _with_field(name: str, dated: DatedValue, field: str, entry: Entry, where: str) -> DatedValue:
    """Return a dated value of the rule *name* with one field set; a rule that is off stays off."""
    if dated.value == OFF_WORD:
        return dated
    assert isinstance(dated.value, Mapping), "a rule with several fields that is no list is a table"  # noqa: S101 - tells the type checker
    value = {**dated.value, field[len(name) + 1 :]: entry}
    numbers_of_value(name, value)
    note = f"Instead of {dated.document}, {dated.where}."
    return dated._replace(value=value, document=OVERLAY_DOCUMENT.code, where=where, status=OVERLAY, note=note)


def _entry_of_setting(setting: str | float) -> Entry:
    """Return a setting as the timeline would write it: a number if it reads as one, else a word."""
    if not isinstance(setting, str):
        return setting
    word = setting.strip().lower()
    try:
        return float(word)
    except ValueError:
        return word


def overlaid_rules(
    rules: Mapping[str, Rule], first_day: date, source: StrPath | Mapping[str, object]
) -> dict[str, Rule]:
    """Return *rules* with the dated values of an overlay file (see `Rulebook.with_overlay_file`)."""
    if isinstance(source, Mapping):
        file, entries = "overlay", source
    else:
        file, entries = os.path.basename(source), read_toml(source)
    changed = dict(rules)
    for name, entry in entries.items():
        place = f"{file}, rule {name}"
        if name not in rules:
            raise RulebookError(f"{place}: there is no such rule.{close_matches(name, tuple(rules))}")
        overlay = []
        for number, value_entry in enumerate(value_entries(name, entry, place)[1], start=1):
            value = dated_value(name, value_entry, f"{place}, value {number}")
            if value.since < first_day:
                raise RulebookError(
                    f"{place}, {value.since}: is before the timeline. Start on {first_day} or later."
                )
            where = ", ".join(part for part in (value.document, value.where) if part) or file
            overlay.append(value._replace(document=OVERLAY_DOCUMENT.code, where=where, status=OVERLAY))
        changed[name] = rules[name]._replace(values=_merged_values(rules[name], overlay))
    return changed


def _merged_values(rule: Rule, overlay: list[DatedValue]) -> tuple[DatedValue, ...]:
    first = {
        system: min(value.since for value in overlay if system in value.systems)
        for value in overlay
        for system in value.systems
    }
    remaining = []
    for value in rule.values:
        systems = tuple(
            system for system in value.systems if system not in first or value.since < first[system]
        )
        if systems:
            remaining.append(value._replace(systems=systems))
    return (*remaining, *overlay)
