"""Timelines and numbers that a book has stored stay readable, whatever later versions of the program add.

A field is taken for a later one by giving it a default, as a field that is added would have one.
"""

from __future__ import annotations

import hashlib
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ratebook.model import System
from ratebook.rules.in_force import OFF, RulesInForce, off_value
from ratebook.rules.rulebook import (
    Rulebook,
    RulebookError,
    as_json,
    check_overlay,
    fingerprint,
    load_rulebook,
    rulebook_of_text,
    rules_from_json,
    stored_json,
)
from ratebook.rules.timeline import fields_of_rule

FIRST_TIMELINE = Path(__file__).with_name("timeline_0001.json").read_text(encoding="utf-8")
"""The timeline of the first version, as its books store it; it never changes."""

FINGERPRINTS = {
    (System.REGULAR, date(2001, 1, 1)): "d273b3f346733f4a",
    (System.REGULAR, date(2025, 6, 1)): "52d53b3d265e3671",
    (System.ONLINE_BLITZ, date(2025, 6, 1)): "64e1705752db9a1c",
}
"""Of the first version; stored books name them."""

TODAY = date(2026, 11, 20)
A_TABLE = "[[match_net_short.values]]\nfrom = 2026-01-01\nis = { points = 80 }\n"


@pytest.fixture
def as_if_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take three fields for fields that a later version has added."""
    for field, off in {"foreign_games_above": 7.0, "match_net_short_days": OFF, "match_change": OFF}.items():
        monkeypatch.setitem(RulesInForce._field_defaults, field, off)


def timeline_without(*names: str) -> str:
    """Return the first timeline without some rules."""
    files = json.loads(FIRST_TIMELINE)
    return json.dumps(
        {
            file: {name: rule for name, rule in rules.items() if name not in names}
            for file, rules in files.items()
        }
    )


def rules_of(rulebook: Rulebook) -> RulesInForce:
    return rulebook.in_force(System.REGULAR, TODAY)


def test_the_first_timeline_gives_the_numbers_and_fingerprints_of_the_first_version() -> None:
    rulebook = rulebook_of_text(FIRST_TIMELINE)
    found = {key: fingerprint(rulebook.in_force(*key)) for key in FINGERPRINTS}
    assert found == FINGERPRINTS
    assert rules_of(rulebook).bonus_multiplier == 10


def test_a_field_has_a_default_unless_the_first_timeline_fills_it() -> None:
    """CONTRIBUTING, recipe "add a rule year", step 5."""
    of_first = {
        field
        for rules in json.loads(FIRST_TIMELINE).values()
        for name in rules
        for field in fields_of_rule(name)
    }
    assert {field for field in RulesInForce._fields if field not in RulesInForce._field_defaults} == of_first


@pytest.mark.parametrize("rule", ["match_coding_least_games", "match_net_short", "reduced_k"])
def test_a_rule_that_a_stored_timeline_does_not_know_is_off(rule: str) -> None:
    rulebook = rulebook_of_text(timeline_without(rule))
    whole = rules_of(rulebook_of_text(FIRST_TIMELINE))
    assert rules_of(rulebook)._asdict() == whole._asdict() | dict.fromkeys(fields_of_rule(rule), OFF)
    dated = rulebook.value(rule, System.REGULAR, TODAY)
    assert (dated.value, dated.since) == ("off", rulebook.first_day)
    assert "later versions" in rulebook.documents[dated.document].what


@pytest.mark.usefixtures("as_if_later")
def test_a_later_field_has_its_own_value_in_a_timeline_that_does_not_know_it() -> None:
    rulebook = rulebook_of_text(timeline_without("foreign_games_above"))
    assert rules_of(rulebook).foreign_games_above == off_value("foreign_games_above") == 7.0


def test_a_rule_of_every_timeline_is_missed() -> None:
    with pytest.raises(RulebookError, match="No rule fills logistic_scale"):
        rulebook_of_text(timeline_without("logistic_scale", "match_change"))


@pytest.mark.parametrize("file", ["matches.toml", "a_later_file.toml"])
def test_a_rule_of_a_newer_version_is_named(file: str) -> None:
    files = json.loads(FIRST_TIMELINE)
    files.setdefault(file, {})["coin_toss"] = files["matches.toml"]["match_change"]
    with pytest.raises(RulebookError, match="The rules coin_toss are not known here"):
        rulebook_of_text(json.dumps(files))


@pytest.mark.usefixtures("as_if_later")
def test_a_key_that_a_stored_timeline_or_overlay_does_not_know_is_off() -> None:
    files = json.loads(FIRST_TIMELINE)
    files["matches.toml"]["match_net_short"]["values"][-1]["is"] = {"points": 100}
    assert rules_of(rulebook_of_text(json.dumps(files))).match_net_short_days == OFF
    rules = rules_of(rulebook_of_text(FIRST_TIMELINE, A_TABLE))
    assert (rules.match_net_short_points, rules.match_net_short_days) == (80, OFF)


@pytest.mark.usefixtures("as_if_later")
def test_a_new_overlay_gives_every_key() -> None:
    with pytest.raises(RulebookError, match="match_net_short lacks the key days"):
        check_overlay(A_TABLE)
    with pytest.raises(RulebookError, match="there is no such rule"):
        check_overlay(A_TABLE.replace("match_net_short", "coin_toss"))


def lines_of(numbers: dict[str, Any]) -> str:
    """Return the fingerprint of some fields, as its docstring describes it."""
    text = "".join(f"{field}={float(number)!r}\n" for field, number in numbers.items())
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@pytest.mark.usefixtures("as_if_later")
def test_fingerprints_and_stored_numbers_leave_out_a_later_field_that_is_off() -> None:
    rules = rules_of(load_rulebook())._replace(
        foreign_games_above=7.0, match_change=50.0, national_rating_most_games=0.0, match_established=0
    )
    said = RulesInForce._fields[: RulesInForce._fields.index("initial_constant")]
    numbers = {field: getattr(rules, field) for field in said if field != "foreign_games_above"}
    assert fingerprint(rules) == lines_of(numbers)
    assert set(stored_json(rules)) == set(numbers)
    assert set(as_json(rules)) == set(RulesInForce._fields)
    stated = rules._replace(foreign_games_above=8.0)
    assert fingerprint(stated) == lines_of({field: getattr(stated, field) for field in said})


@pytest.mark.usefixtures("as_if_later")
def test_numbers_that_an_older_version_stored_are_read() -> None:
    rules = rules_of(load_rulebook())._replace(foreign_games_above=7.0, match_change=OFF)
    stored = json.loads(json.dumps(stored_json(rules)))
    assert "match_change" not in stored
    assert rules_from_json(stored) == rules
