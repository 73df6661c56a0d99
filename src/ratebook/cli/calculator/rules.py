"""The commands about rules: what is in force, how a rule changed, what differs between two days."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import click

from ratebook.cli.options import (
    DAY,
    SystemType,
    json_option,
    on_option,
    overlay_option,
    rulebook_with,
    set_option,
    system_option,
)
from ratebook.cli.output import Table, fail, number_text, print_json, print_table
from ratebook.findings import finding
from ratebook.model import System
from ratebook.rules.rulebook import Rulebook, RulebookError, RuleNotKnown, as_json, fingerprint

if TYPE_CHECKING:
    from ratebook.rules.in_force import RulesInForce
    from ratebook.rules.timeline import DatedValue


@click.group("rules")
def rules_group() -> None:
    """Show the dated rules: values, dates, sources, and whether a document states them or they are inferred."""


def rules_or_failed(rulebook: Rulebook, system: System, on: date) -> RulesInForce:
    """Return the rules in force; a finding and exit status 1 for a day before the timeline."""
    try:
        return rulebook.in_force(system, on)
    except RuleNotKnown as unknown:
        fail([finding("rules-not-known.converted-by-timeline", "--on", unknown=str(unknown))])


def source_text(value: DatedValue) -> str:
    """Return document and place of a value."""
    return f"{value.document}, {value.where}"


@rules_group.command("show")
@on_option
@system_option
@set_option
@overlay_option
@json_option
def show(
    on: date | None, system: str, settings: tuple[str, ...], overlay: str | None, *, as_json: bool
) -> None:
    """Show every rule value in force on a day, with source and status.

    \b
    Examples:
      ratebook rules show --on 2016-02-01
      ratebook rules show --system online-blitz --json
    """
    day = on or date.today()  # noqa: DTZ011 - a calendar day where the user is
    rulebook = rulebook_with(settings, overlay)
    chosen = System(system)
    shown = words(rules_or_failed(rulebook, chosen, day))
    dated = {field: rulebook.value(field, chosen, day) for field in shown}
    if as_json:
        print_json(
            {
                "format": "ratebook-rules/1",
                "on": day.isoformat(),
                "system": system,
                "fingerprint": fingerprint(rulebook.in_force(chosen, day)),
                "rules": {
                    field: {"is": value, **value_as_json(dated[field])} for field, value in shown.items()
                },
            }
        )
        return
    rows = [
        (
            field,
            number_text(value),
            dated[field].since.isoformat(),
            dated[field].status,
            source_text(dated[field]),
        )
        for field, value in shown.items()
    ]
    title = f"Rules of {system} on {day}, fingerprint {fingerprint(rulebook.in_force(chosen, day))}"
    print_table(Table(title, ("Rule", "Value", "Since", "Status", "Source"), rows, frozenset({0, 3, 4})))


def words(rules: RulesInForce) -> dict[str, float | int | str]:
    """Return the rules in force with words for off, unlimited and variants."""
    return as_json(rules)


def value_as_json(value: DatedValue) -> dict[str, object]:
    """Return where a dated value comes from as JSON."""
    return {
        "since": value.since.isoformat(),
        "status": value.status,
        "document": value.document,
        "where": value.where,
        "note": value.note,
    }


def raw_text(value: object) -> str:
    """Return a value as the timeline file has it."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {raw_text(entry)}" for key, entry in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(str(entry) for entry in value)
    return number_text(float(value)) if isinstance(value, int | float) else str(value)


@rules_group.command("history")
@click.argument("rule")
@json_option
def history(rule: str, *, as_json: bool) -> None:
    """Show all dated values of RULE (a rule, or one field of it), with their sources.

    \b
    Examples:
      ratebook rules history bonus_multiplier
      ratebook rules history peak_floor --json
    """
    rulebook = rulebook_with((), None)
    try:
        found = (
            rulebook.rules[rule] if rule in rulebook.rules else rulebook.rules[rulebook.rule_of_field(rule)]
        )
    except RulebookError as unknown:
        fail([finding("rule-unknown", rule, unknown=str(unknown))])
    if as_json:
        values = [
            {"systems": [system.value for system in value.systems], "is": value.value, **value_as_json(value)}
            for value in found.values
        ]
        print_json(
            {
                "format": "ratebook-rule-history/1",
                "rule": found.name,
                "what": found.what,
                "unit": found.unit,
                "values": values,
            }
        )
        return
    rows = []
    for value in found.values:
        systems = "all" if len(value.systems) == len(System) else ", ".join(value.systems)
        rows.append(
            (
                value.since.isoformat(),
                systems,
                raw_text(value.value),
                value.status,
                source_text(value),
                value.note,
            )
        )
    title = f"{found.name} ({found.unit}): {found.what}"
    print_table(
        Table(title, ("Since", "Systems", "Value", "Status", "Source", "Note"), rows, frozenset(range(6)))
    )


@rules_group.command("diff")
@click.argument("date1", type=DAY)
@click.argument("date2", type=DAY)
@click.option("--system", "systems", type=SystemType(), multiple=True, help="Only this system; repeatable.")
@json_option
def diff(date1: date, date2: date, systems: tuple[str, ...], *, as_json: bool) -> None:
    """Show the rule values that differ between DATE1 and DATE2.

    \b
    Examples:
      ratebook rules diff 2014-01-01 2026-01-01
      ratebook rules diff 2016-02-01 2017-07-01 --system regular --json
    """
    rulebook = rulebook_with((), None)
    found = []
    for system in [System(word) for word in systems] or list(System):
        first = words(rules_or_failed(rulebook, system, date1))
        second = words(rules_or_failed(rulebook, system, date2))
        found += [
            (system, field, first[field], second[field]) for field in first if first[field] != second[field]
        ]
    if as_json:
        print_json(
            {
                "format": "ratebook-rules-diff/1",
                "first": date1.isoformat(),
                "second": date2.isoformat(),
                "differences": [
                    {"system": system.value, "rule": field, "first": first, "second": second}
                    for system, field, first, second in found
                ],
            }
        )
        return
    rows = [
        (
            system.value,
            field,
            number_text(old),
            number_text(new),
            source_text(rulebook.value(field, system, max(date1, date2))),
        )
        for system, field, old, new in found
    ]
    title = (
        f"{len(rows)} {'value differs' if len(rows) == 1 else 'values differ'} between {date1} and {date2}"
    )
    headings = ("System", "Rule", str(date1), str(date2), "Source of the later")
    print_table(Table(title, headings, rows, frozenset({0, 1, 4})))
