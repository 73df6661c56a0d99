"""Rules in force on a day, and what differs between two days, each value with where it is written."""

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from ratebook.model import System
from ratebook.pages.columns import Column, Columns, number_text
from ratebook.records.federation import RuleInForce
from ratebook.rules.rulebook import Rulebook, as_json
from ratebook.rules.timeline import DatedValue


class RuleDifference(NamedTuple):
    """A value that differs between two days, and where the later one is written."""

    system: System
    field: str
    first: float | int | str
    second: float | int | str
    later: DatedValue


def source_text(value: DatedValue | RuleInForce) -> str:
    """Return document and place of a value."""
    return f"{value.document}, {value.where}"


RULES: Columns[RuleInForce] = (
    Column("Rule", "rule"),
    Column("Value", "value", format=number_text),
    Column("Since", "since"),
    Column("Status", "status"),
    Column("Source", source_text),
)


def difference_columns(first: date, second: date) -> Columns[RuleDifference]:
    """Return the columns of what differs between two days."""
    return (
        Column("System", "system"),
        Column("Rule", "field"),
        Column(str(first), lambda one: number_text(one.first), "right"),
        Column(str(second), lambda one: number_text(one.second), "right"),
        Column("Source of the later", "later", format=source_text),
    )


def rules_of_day(rulebook: Rulebook, system: System, on: date) -> list[RuleInForce]:
    """Return every rule of a system that is in force on a day.

    Raises:
        RuleNotKnown: the day lies before the timeline.
    """
    values = as_json(rulebook.in_force(system, on))
    return [
        RuleInForce(
            rule=field,
            value=value,
            since=dated.since,
            status=dated.status,
            document=dated.document,
            where=dated.where,
            note=dated.note,
        )
        for field, value in values.items()
        for dated in [rulebook.value(field, system, on)]
    ]


def rules_between(
    rulebook: Rulebook, first: date, second: date, systems: Iterable[System] = tuple(System)
) -> list[RuleDifference]:
    """Return the values that differ between two days.

    Raises:
        RuleNotKnown: a day lies before the timeline.
    """
    later = max(first, second)
    differences = []
    for system in systems:
        earlier, other = (as_json(rulebook.in_force(system, day)) for day in (first, second))
        differences += [
            RuleDifference(system, field, earlier[field], other[field], rulebook.value(field, system, later))
            for field in earlier
            if earlier[field] != other[field]
        ]
    return differences
