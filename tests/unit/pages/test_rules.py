"""Rules by theme and in words: each rule of the timeline is there once, as a sentence."""

from __future__ import annotations

from collections import Counter
from datetime import date

import pytest

from ratebook.model import System
from ratebook.pages.rules import (
    THEMES,
    changes_by_theme,
    rules_between,
    rules_by_theme,
    rules_of_day,
    systems_in_words,
)
from ratebook.rules.in_force import RulesInForce
from ratebook.rules.loading import SUBJECTS
from ratebook.rules.rulebook import load_rulebook

RULEBOOK = load_rulebook()


def test_every_rule_has_one_theme_and_a_sentence() -> None:
    themes = Counter(subject for theme in THEMES for subject in theme.subjects)
    assert themes == dict.fromkeys(SUBJECTS, 1)
    for rule in RULEBOOK.rules.values():
        assert rule.what.endswith("."), rule.name
        assert rule.what[0].isupper(), rule.name
        assert len(rule.what.split()) > 3, rule.name


OF_OTHERS = ("initial_constant", "expectancy_most_difference", "k_times_games_most", "plain_k_")
"""Beginnings of the fields of rules that US Chess has never had."""


@pytest.mark.parametrize("system", System)
@pytest.mark.parametrize("day", [date(2001, 1, 1), date(2013, 6, 1), date(2025, 6, 1)])
def test_the_themes_have_every_field_that_is_in_force(system: System, day: date) -> None:
    lines = rules_of_day(RULEBOOK, system, day)
    themes = rules_by_theme(RULEBOOK, system, day, lines)
    fields = Counter(field.rule for theme in themes for rule in theme.rules for field in rule.fields)
    used = [field for field in RulesInForce._fields if not field.startswith(OF_OTHERS)]
    assert fields == dict.fromkeys(used, 1)
    assert all(rule.value for theme in themes for rule in theme.rules)
    # Names of variables and their quotation marks are the timeline's own.
    assert not [rule.sentence for theme in themes for rule in theme.rules if set("`_") & set(rule.sentence)]


def test_a_rule_of_other_federations_is_shown_where_one_uses_it() -> None:
    rulebook, day = RULEBOOK.with_overlay_file("examples/federations/england.toml"), date(2026, 3, 1)
    themes = rules_by_theme(rulebook, System.REGULAR, day, rules_of_day(rulebook, System.REGULAR, day))
    shown = {field.rule: rule.value for theme in themes for rule in theme.rules for field in rule.fields}
    assert shown["plain_k_1_k"] == "k 40, age below 18"
    assert "plain_k_3_k" not in shown


def test_values_are_words_with_their_unit() -> None:
    day = date(2025, 6, 1)
    themes = rules_by_theme(RULEBOOK, System.REGULAR, day, rules_of_day(RULEBOOK, System.REGULAR, day))
    values = {rule.fields[0].rule: rule.value for theme in themes for rule in theme.rules}
    assert values["system_exists"] == "yes"
    assert values["bonus_multiplier"] == "10 rating points per square root of a game"
    assert values["established_above_games"] == "25 games"
    assert values["peak_floor_lowest"] == "lowest 1200, highest 2100, drop 200, step 100"
    assert values["fide_conversion_low_intercept"].startswith("low intercept -1073, low slope 1.5667, ")
    assert values["newcomer_effective_games"] == "1 game"
    assert values["blend_rounding"] == "no"
    assert values["stored_precision"] == "all digits"
    assert values["initial_priority_1"] == "FIDE, CFC, quick from few games, age"


def test_no_sentence_of_a_rule_speaks_of_so_many() -> None:
    for rule in RULEBOOK.rules.values():
        assert "so many" not in rule.what, rule.name


def test_what_differs_between_two_days_is_said_once_for_all_systems_that_changed_alike() -> None:
    first, second = date(2024, 1, 1), date(2026, 11, 1)
    themes = {theme.title: theme.changes for theme in changes_by_theme(RULEBOOK, first, second)}
    # E25, section 4.2: B is 10 from 2025 on; D25 of February 2025 still has 12.
    (bonus,) = themes["Bonus"]
    assert (bonus.document, systems_in_words(bonus.systems)) == ("E25", "All systems")
    assert [(part.name, part.first, part.second) for part in bonus.parts] == [
        ("", "12", "10 rating points per square root of a game")
    ]
    # D25, section 2.1: the line below 2000 changed, the one above did not.
    fide = themes["Ratings from FIDE and Canada"][0]
    assert [(part.name, part.first, part.second) for part in fide.parts] == [
        ("Low intercept", "180", "-1073"),
        ("Low slope", "0.94", "1.5667"),
    ]
    number = sum(len(change.parts) * len(change.systems) for changes in themes.values() for change in changes)
    assert number == len(rules_between(RULEBOOK, first, second))
    assert changes_by_theme(RULEBOOK, first, first) == []
