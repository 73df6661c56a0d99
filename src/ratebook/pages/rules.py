"""Rules in force on a day, and what differs between two days, each value with where it is written."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from ratebook.model import System
from ratebook.pages.columns import Column, Columns, number_text
from ratebook.records.federation import RuleInForce
from ratebook.records.system_titles import SYSTEM_TITLES
from ratebook.rules.in_force import OFF, UNLIMITED, RulesInForce
from ratebook.rules.rulebook import Rulebook, as_json
from ratebook.rules.timeline import DatedValue, Rule, fields_of_rule, numbers_of_value


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


class OwnRule(NamedTuple):
    """A dated value of a federation's own."""

    rule: str
    value: DatedValue


def own_rules(rulebook: Rulebook) -> list[OwnRule]:
    """Return the dated values that a federation has laid over the timeline."""
    return [OwnRule(rule, value) for rule, value in rulebook.overlay_values]


def systems_text(systems: Sequence[System]) -> str:
    """Return the systems for which a value holds."""
    return "all" if len(systems) == len(System) else ", ".join(systems)


def value_text(value: object) -> str:
    """Return a value of a rule as the timeline has it.

    >>> value_text(800.0), value_text({"up_to": 2.0, "k": "off"}), value_text(("wins", "draws"))
    ('800', 'up_to 2, k off', 'wins, draws')
    """
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {value_text(part)}" for key, part in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return number_text(value) if isinstance(value, int | float) else str(value)


OWN_RULES: Columns[OwnRule] = (
    Column("Rule", "rule"),
    Column("From", "value.since"),
    Column("Systems", "value.systems", format=systems_text),
    Column("Is", "value.value", format=value_text),
    Column("Where", "value.where"),
)

RULES: Columns[RuleInForce] = (
    Column("Rule", "rule"),
    Column("Value", "value", format=number_text),
    Column("Since", "since"),
    Column("Status", "status"),
    Column("Source", source_text),
)


class Theme(NamedTuple):
    """Rules that belong together: what they are about, and the files of the timeline that have them."""

    title: str
    subjects: tuple[str, ...]


THEMES = (
    Theme("Which sections are rated", ("systems", "time_controls")),
    Theme("When a rating is established", ("terms",)),
    Theme("First ratings", ("initial_rating", "blend", "age")),
    Theme("Ratings from FIDE and Canada", ("conversions",)),
    Theme("How much earlier games count", ("effective_games",)),
    Theme("Players with few games", ("special",)),
    Theme("How strong a result counts", ("standard",)),
    Theme("Bonus", ("bonus",)),
    Theme("Floors and ceilings", ("floors",)),
    Theme("How ratings are kept", ("stored_precision",)),
    Theme("Matches", ("matches",)),
    Theme("Foreign FIDE events", ("foreign_fide",)),
)


class RuleInWords(NamedTuple):
    """A rule that is in force: a sentence on what it does, its value in words, its fields as formulas have them."""

    sentence: str
    value: str
    fields: tuple[RuleInForce, ...]


class RulesOfTheme(NamedTuple):
    """The rules of one theme."""

    title: str
    rules: tuple[RuleInWords, ...]


def rules_by_theme(
    rulebook: Rulebook, system: System, on: date, lines: Iterable[RuleInForce]
) -> list[RulesOfTheme]:
    """Return the rules of a day, given as `rules_of_day` has them, by theme and in words; those that say something."""
    fields: dict[str, list[RuleInForce]] = {}
    for line in lines:
        fields.setdefault(rulebook.rule_of_field(line.rule), []).append(line)
    themes = []
    for title, subjects in THEMES:
        rules = [rule for rule in rulebook.rules.values() if rule.subject in subjects and is_stated(rule)]
        worded = tuple(
            RuleInWords(
                _sentence(rule),
                _value_in_words(rule, rulebook.value(rule.name, system, on).value),
                tuple(fields[rule.name]),
            )
            for rule in rules
        )
        themes.append(RulesOfTheme(title, worded))
    return themes


def is_stated(rule: Rule) -> bool:
    """Return whether a rule says anything on any day; those of other federations are off until someone uses them.

    >>> from ratebook.rules.rulebook import load_rulebook
    >>> [is_stated(load_rulebook().rules[name]) for name in ("half_k", "plain_k_1", "expectancy")]
    [True, False, True]
    """
    absent = {field: RulesInForce._field_defaults.get(field) for field in fields_of_rule(rule.name)}
    if not set(absent.values()) <= {OFF, UNLIMITED}:
        return True
    return any(numbers_of_value(rule.name, dated.value) != absent for dated in rule.values)


def _sentence(rule: Rule) -> str:
    """Return what a rule says, with the names of its parts as their values have them.

    >>> from ratebook.rules.rulebook import load_rulebook
    >>> _sentence(load_rulebook().rules["bonus_eligibility"])[:53]
    'A bonus can be earned in at least “least games” games'
    """
    quoted = re.sub(r"`[^`]+`|\w+_\w+", lambda name: f"“{name[0].strip('`')}”", rule.what)
    return (
        quoted.replace("_", " ")
        .replace(" x ", " \N{MULTIPLICATION SIGN} ")
        .replace(" - ", " \N{MINUS SIGN} ")
    )


def _value_in_words(rule: Rule, value: object) -> str:
    if rule.unit.startswith("yes"):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_code_in_words(part)}" for name, part in value.items()).replace("_", " ")
    if isinstance(value, list | tuple):
        return ", ".join(map(_code_in_words, value))
    if isinstance(value, str):
        return _code_in_words(value)
    unit = rule.unit.removesuffix("s") if value == 1 else rule.unit
    return value_text(value) if rule.unit in {"variant", "none"} else f"{value_text(value)} {unit}"


def _code_in_words(value: object) -> str:
    """Return a value that is a code of the timeline in words, and a number as it is.

    >>> _code_in_words("fide-table"), _code_in_words("float"), _code_in_words(-1073.0)
    ('FIDE table', 'all digits', '-1073')
    """
    if not isinstance(value, str):
        return value_text(value)
    return CODES_IN_WORDS.get(value) or " ".join(CODES_IN_WORDS.get(word, word) for word in value.split("-"))


CODES_IN_WORDS = {
    "none": "no",
    "nearest": "yes",
    "float": "all digits",
    "integer-away": "integers, rounded away",
    "integer-nearest": "the nearest integers",
    "fide": "FIDE",
    "cfc": "CFC",
}
"""Values of the timeline, and parts of them, as they answer the sentence of their rule."""


class PartChange(NamedTuple):
    """A value that differs between two days, in words; *name* is empty where a rule has one value alone."""

    name: str
    first: str
    second: str


class RuleChange(NamedTuple):
    """A rule that differs between two days in some systems, in words, and where the later value is written."""

    sentence: str
    systems: tuple[System, ...]
    parts: tuple[PartChange, ...]
    document: str
    where: str


class ChangesOfTheme(NamedTuple):
    """What differs between two days in the rules of one theme."""

    title: str
    changes: tuple[RuleChange, ...]


def changes_by_theme(rulebook: Rulebook, first: date, second: date) -> list[ChangesOfTheme]:
    """Return what differs between two days by theme and in words; systems that changed alike share an entry.

    Raises:
        RuleNotKnown: a day lies before the timeline.
    """
    differing = {
        (rulebook.rule_of_field(difference.field), difference.system)
        for difference in rules_between(rulebook, first, second)
    }
    themes = []
    for title, subjects in THEMES:
        changes: dict[RuleChange, list[System]] = {}
        for rule in rulebook.rules.values():
            for system in System:
                if rule.subject in subjects and (rule.name, system) in differing:
                    values = [rulebook.value(rule.name, system, day) for day in (first, second)]
                    later = values[second >= first]
                    parts = tuple(_parts_that_differ(rule, values[0].value, values[1].value))
                    change = RuleChange(_sentence(rule), (), parts, later.document, later.where)
                    changes.setdefault(change, []).append(system)
        worded = (change._replace(systems=tuple(systems)) for change, systems in changes.items())
        themes.append(ChangesOfTheme(title, tuple(worded)))
    return [theme for theme in themes if theme.changes]


class VariedRule(NamedTuple):
    """A rule that two rulebooks have otherwise, in words; both days are None where they differ alike all the time."""

    title: str
    sentence: str
    since: date | None
    until: date | None
    systems: tuple[System, ...]
    parts: tuple[PartChange, ...]


def varied_rules(first: Rulebook, second: Rulebook, since: date, until: date) -> Iterator[VariedRule]:
    """Yield what the rules of two rulebooks have otherwise between two days, both included.

    >>> from ratebook.rules.rulebook import load_rulebook
    >>> now, day = load_rulebook(), date(2026, 1, 1)
    >>> [
    ...     (rule.title, rule.parts[0][1:])
    ...     for rule in varied_rules(now, now.with_overlay({"k_numerator": 600}), day, day)
    ... ]
    [('K numerator', ('800', '600 rating points x games'))]
    """
    for rule in first.rules.values():
        periods: dict[tuple[date, date, tuple[PartChange, ...]], list[System]] = {}
        for system in System:
            days = {*first.change_dates(system), *second.change_dates(system)}
            begun = since
            parts: tuple[PartChange, ...] = ()
            for day in (since, *sorted(day for day in days if since < day <= until), date.max):
                now: tuple[PartChange, ...] = ()
                if day <= until:
                    was, becomes = (rules.value(rule.name, system, day).value for rules in (first, second))
                    now = () if was == becomes else tuple(_parts_that_differ(rule, was, becomes))
                if now != parts and parts:
                    end = min(until, day - timedelta(days=1))
                    periods.setdefault((begun, end, parts), []).append(system)
                if now != parts:
                    begun, parts = day, now
        for (begins, ends, differing), systems in periods.items():
            yield VariedRule(
                title=field_in_words(rule.name),
                sentence=_sentence(rule),
                since=None if begins == since else begins,
                until=None if ends == until else ends,
                systems=tuple(systems),
                parts=differing,
            )


def _parts_that_differ(rule: Rule, first: object, second: object) -> Iterator[PartChange]:
    if not isinstance(first, Mapping) or not isinstance(second, Mapping):
        both_count = isinstance(first, int | float) and isinstance(second, int | float)
        was = value_text(first) if both_count and rule.unit[:3] != "yes" else _value_in_words(rule, first)
        yield PartChange("", was, _value_in_words(rule, second))
        return
    for name in dict.fromkeys((*first, *second)):
        was, becomes = (_code_in_words(value[name]) if name in value else "none" for value in (first, second))
        if was != becomes:
            yield PartChange(field_in_words(name), was, becomes)


IN_WORDS = {"k": "K", "olm": "original Life Master"}
"""Words of the names of rules, where they are written in another way."""


def field_in_words(name: str) -> str:
    """Return the name of a rule, or of a part of one, in words: a system has its title.

    >>> field_in_words("online_quick"), field_in_words("low_intercept"), field_in_words("reduced_k_above")
    ('Online Quick', 'Low intercept', 'Reduced K above')
    >>> field_in_words("olm_floor_level")
    'Original Life Master floor level'
    """
    titles = {system.replace("-", "_"): SYSTEM_TITLES[system] for system in System}
    words = " ".join(IN_WORDS.get(word, word) for word in name.split("_"))
    return titles.get(name, words[:1].upper() + words[1:])


def systems_in_words(systems: Sequence[System]) -> str:
    """Return the systems for which something holds, in words.

    >>> systems_in_words(tuple(System)), systems_in_words((System.QUICK, System.BLITZ))
    ('All systems', 'OTB Quick, OTB Blitz')
    """
    if len(systems) == len(System):
        return "All systems"
    return ", ".join(SYSTEM_TITLES[system] for system in systems)


def difference_columns(first: date, second: date) -> Columns[RuleDifference]:
    """Return the columns of what differs between two days."""
    return (
        Column("System", "system", format=SYSTEM_TITLES.__getitem__),
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
