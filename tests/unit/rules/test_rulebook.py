"""The rulebook: what holds on a day, where it comes from, and what-if values."""

from __future__ import annotations

import json
import math
import pickle
import re
import subprocess
import sys
import tomllib
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratebook.model import System
from ratebook.rules.in_force import OFF, RulesInForce
from ratebook.rules.rulebook import (
    RulebookError,
    RuleNotKnown,
    as_json,
    fingerprint,
    load_rulebook,
    rules_from_json,
)

if TYPE_CHECKING:
    from pathlib import Path

RULEBOOK = load_rulebook()
JUNE_2025 = date(2025, 6, 1)
IN_THE_TIMELINE = st.dates(min_value=date(2001, 1, 1), max_value=date(2030, 12, 31))


def test_before_the_timeline_is_an_error_that_says_what_is_known() -> None:
    with pytest.raises(RuleNotKnown, match="known from 2001-01-01 on; 2000-12-31 is earlier"):
        RULEBOOK.in_force(System.REGULAR, date(2000, 12, 31))
    with pytest.raises(RuleNotKnown, match="known from 2001-01-01 on"):
        RULEBOOK.value("bonus_multiplier", System.REGULAR, date(1995, 8, 1))


def test_rules_are_resolved_once_for_each_period() -> None:
    first = RULEBOOK.in_force(System.REGULAR, date(2017, 6, 1))
    assert first is RULEBOOK.in_force(System.REGULAR, date(2019, 12, 31))


@given(system=st.sampled_from(System), on=IN_THE_TIMELINE)
def test_nothing_changes_between_change_dates(system: System, on: date) -> None:
    if on not in RULEBOOK.change_dates(system):
        assert RULEBOOK.in_force(system, on) == RULEBOOK.in_force(system, on - timedelta(days=1))


@pytest.mark.long
@given(system=st.sampled_from(System), on=IN_THE_TIMELINE)
def test_every_field_has_a_source(system: System, on: date) -> None:
    values = as_json(RULEBOOK.in_force(system, on))
    for field in RulesInForce._fields:
        dated = RULEBOOK.value(field, system, on)
        assert dated.since <= on
        assert system in dated.systems
        assert dated.document in RULEBOOK.documents
        assert dated.value == values[field]


def test_a_rule_and_its_field_have_the_same_source() -> None:
    of_rule = RULEBOOK.value("peak_floor", System.REGULAR, JUNE_2025)
    of_field = RULEBOOK.value("peak_floor_lowest", System.REGULAR, JUNE_2025)
    assert of_rule.value == {"lowest": 1200, "highest": 2100, "drop": 200, "step": 100}
    assert of_field == of_rule._replace(value=1200)
    assert of_field.document == "D25"
    assert of_field.where.startswith("section 5")


def test_places_of_a_list_rule_are_words() -> None:
    values = [
        RULEBOOK.value(f"initial_priority_{place}", System.QUICK, JUNE_2025).value for place in range(1, 9)
    ]
    assert values == ["regular-from-few-games", "fide", "cfc", "age", "end", "end", "end", "end"]


def test_a_rule_that_is_off_is_off_in_each_field() -> None:
    assert RULEBOOK.value("half_k_numerator", System.REGULAR, JUNE_2025).value == "off"


def test_unknown_names_come_with_close_matches() -> None:
    with pytest.raises(RulebookError, match="Did you mean bonus_multiplier"):
        RULEBOOK.value("bonus_multiplyer", System.REGULAR, JUNE_2025)
    with pytest.raises(RulebookError, match="Did you mean peak_floor_drop"):
        RULEBOOK.rule_of_field("peak_flor_drop")


def test_a_rulebook_survives_pickling() -> None:
    """Sweeps send what-if rulebooks to other processes."""
    what_if = RULEBOOK.with_overlay({"bonus_multiplier": 14})
    copy = pickle.loads(pickle.dumps(what_if))  # noqa: S301 - our own bytes
    assert copy.in_force(System.QUICK, JUNE_2025) == what_if.in_force(System.QUICK, JUNE_2025)


@given(system=st.sampled_from(System), on=IN_THE_TIMELINE)
def test_rules_survive_json(system: System, on: date) -> None:
    rules = RULEBOOK.in_force(system, on)
    restored = rules_from_json(json.loads(json.dumps(as_json(rules), allow_nan=False)))
    assert restored == rules
    assert fingerprint(restored) == fingerprint(rules)


def test_json_has_words_and_whole_numbers() -> None:
    shown = as_json(RULEBOOK.in_force(System.REGULAR, JUNE_2025))
    assert shown["half_k_numerator"] == "off"
    assert shown["time_control_most"] == "unlimited"
    assert shown["initial_method"] == "blend"
    assert shown["initial_priority_1"] == "fide"
    assert shown["initial_priority_8"] == "end"
    assert shown["stored_precision"] == "float"
    assert shown["system_exists"] == 1
    assert shown["bonus_multiplier"] == 10
    assert isinstance(shown["bonus_multiplier"], int)
    assert shown["reduced_k_slope"] == 0.0025


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bonus_multiplier": None}, "bonus_multiplier takes a number"),
        ({"unheard_of": 1}, "the fields unheard_of are not known"),
    ],
)
def test_wrong_stored_rules_are_refused(change: dict[str, object], message: str) -> None:
    stored: dict[str, object] = {**as_json(RULEBOOK.in_force(System.REGULAR, JUNE_2025)), **change}
    with pytest.raises(RulebookError, match=message):
        rules_from_json(stored)


def test_a_missing_stored_field_is_named() -> None:
    stored = as_json(RULEBOOK.in_force(System.REGULAR, JUNE_2025))
    del stored["k_numerator"]
    with pytest.raises(RulebookError, match="k_numerator is missing"):
        rules_from_json(stored)


def test_fingerprint_is_stable_across_processes() -> None:
    here = fingerprint(RULEBOOK.in_force(System.REGULAR, JUNE_2025))
    code = (
        "from ratebook.rules.rulebook import *;"
        "print(fingerprint(rules_on('2025-06-01')))"
    )  # fmt: skip
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert there.stdout.strip() == here
    assert re.fullmatch("[0-9a-f]{16}", here)


@given(field=st.sampled_from(RulesInForce._fields))
def test_fingerprint_differs_with_every_field(field: str) -> None:
    rules = RULEBOOK.in_force(System.REGULAR, JUNE_2025)
    number: float = getattr(rules, field)
    numbers = rules._asdict() | {field: 0.0 if math.isinf(number) else number + 1}
    assert fingerprint(RulesInForce(**numbers)) != fingerprint(rules)


def test_fingerprint_does_not_depend_on_how_a_number_is_written() -> None:
    rules = RULEBOOK.in_force(System.REGULAR, JUNE_2025)
    assert fingerprint(rules._replace(bonus_multiplier=10)) == fingerprint(rules)


@pytest.mark.parametrize("setting", ["14", " 14.0 ", 14, 14.0])
def test_a_setting_holds_for_all_systems_and_days(setting: str | float) -> None:
    what_if = RULEBOOK.with_overlay({"bonus_multiplier": setting})
    for system in System:
        for day in (date(2001, 1, 1), date(2012, 8, 3), JUNE_2025):
            assert what_if.in_force(system, day).bonus_multiplier == 14
    dated = what_if.value("bonus_multiplier", System.QUICK, JUNE_2025)
    assert (dated.document, dated.status) == ("OVERLAY", "overlay")
    assert dated.where.startswith("bonus_multiplier=")
    assert "OVERLAY" in what_if.documents


def test_an_overlay_leaves_the_rulebook_and_other_rules_alone() -> None:
    before = RULEBOOK.in_force(System.REGULAR, JUNE_2025)
    what_if = RULEBOOK.with_overlay({"bonus_multiplier": 14})
    assert RULEBOOK.in_force(System.REGULAR, JUNE_2025) == before
    assert "OVERLAY" not in RULEBOOK.documents
    assert what_if.in_force(System.REGULAR, JUNE_2025) == before._replace(bonus_multiplier=14.0)
    assert what_if.value("k_numerator", System.REGULAR, JUNE_2025).document == "A01"


def test_a_setting_of_one_field_leaves_a_rule_that_is_off_off() -> None:
    what_if = RULEBOOK.with_overlay({"reduced_k_above": "2300"})
    assert what_if.in_force(System.REGULAR, date(2013, 5, 7)).reduced_k_above == OFF
    assert what_if.in_force(System.REGULAR, date(2013, 5, 8)).reduced_k_above == 2300
    assert what_if.in_force(System.QUICK, JUNE_2025).reduced_k_above == OFF
    changed = what_if.value("reduced_k", System.REGULAR, JUNE_2025)
    assert changed.status == "overlay"
    assert changed.note.startswith("Instead of D25, section 4.2")


@pytest.mark.parametrize(
    ("name", "setting", "field", "number"),
    [
        ("reduced_k", "off", "reduced_k_above", OFF),
        ("match_change", "off", "match_change", OFF),
        ("match_change", "unlimited", "match_change", math.inf),
        ("bonus_multiplier", "unlimited", "bonus_multiplier", math.inf),
        ("special_ceiling", "Unlimited", "special_ceiling", math.inf),
        ("stored_precision", "integer-away", "stored_precision", 2),
        ("initial_method", "priority-lists", "initial_method", 1),
        ("fide_conversion_low_intercept", "-900.5", "fide_conversion_low_intercept", -900.5),
        ("cfc_residents_only", "0", "cfc_residents_only", 0),
        ("initial_priority", "age, fide", "initial_priority_2", 1),
        ("initial_priority", "age, fide", "initial_priority_3", 0),
    ],
)
def test_settings_are_read_from_text(name: str, setting: str, field: str, number: float) -> None:
    rules = RULEBOOK.with_overlay({name: setting}).in_force(System.REGULAR, JUNE_2025)
    assert getattr(rules, field) == number


def test_later_settings_build_on_earlier_ones() -> None:
    what_if = RULEBOOK.with_overlay({"peak_floor_lowest": 1000, "peak_floor_drop": 300})
    rules = what_if.with_overlay({"peak_floor_highest": 2000}).in_force(System.REGULAR, JUNE_2025)
    assert (rules.peak_floor_lowest, rules.peak_floor_drop, rules.peak_floor_highest) == (1000, 300, 2000)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bonus_multiplyer": "14"}, r"Did you mean bonus_multiplier\?"),
        ({"bonus_multiplier": "much"}, "bonus_multiplier=much: bonus_multiplier takes a number, not 'much'"),
        ({"bonus_multiplier": "nan"}, "finite number"),
        ({"bonus_multiplier": "inf"}, "'unlimited'"),
        ({"bonus_multiplier": 10**400}, "finite number"),
        ({"bonus_multiplier": "-1"}, "write 'off'"),
        ({"special_ceiling": "off"}, "'unlimited' takes the limit away"),
        ({"bonus_multiplier": True}, "takes a number, not True"),
        ({"logistic_scale": "0"}, "must be above 0"),
        ({"logistic_scale": "off"}, "cannot be off"),
        ({"k_numerator": "unlimited"}, "not an upper end"),
        ({"stored_precision": "1"}, "one of the words float, integer-away"),
        ({"peak_floor": "1200"}, "peak_floor is a table; set it off, or set one of peak_floor_lowest"),
        ({"age_rating": "off"}, "cannot be off"),
        ({"initial_priority": "fide, fide"}, "source twice"),
        ({"initial_priority_1": "cfc"}, "set initial_priority=first,second"),
        ({"": "1"}, "no rule or field"),
    ],
)
def test_wrong_settings_are_refused(changes: dict[str, str | float], message: str) -> None:
    with pytest.raises(RulebookError, match=message):
        RULEBOOK.with_overlay(changes)


@given(name=st.text(max_size=60), setting=st.text(max_size=60) | st.floats() | st.integers())
def test_any_setting_works_or_is_refused(name: str, setting: str | float) -> None:
    for key in (
        name,
        "bonus_multiplier",
        "stored_precision",
        "initial_priority",
        "half_k",
        "peak_floor_step",
    ):
        try:
            what_if = RULEBOOK.with_overlay({key: setting})
        except RulebookError:
            continue
        what_if.in_force(System.REGULAR, JUNE_2025)


STAYED_14 = """
[[bonus_multiplier.values]]
from = 2023-02-01
is = 14
where = "what if"
[[bonus_multiplier.values]]
from = 2026-01-01
is = 16
systems = ["quick"]
"""


def test_an_overlay_file_replaces_values_from_its_first_day_on(tmp_path: Path) -> None:
    path = tmp_path / "stayed-14.toml"
    # Windows editors write a byte order mark.
    path.write_text(STAYED_14, "utf-8-sig")
    for what_if in (
        RULEBOOK.with_overlay_file(path),
        RULEBOOK.with_overlay_file(str(path)),
        RULEBOOK.with_overlay_file(tomllib.loads(STAYED_14)),
    ):
        for day, regular, quick in [
            (date(2017, 5, 31), 12, 12),
            (date(2023, 1, 31), 14, 14),
            (date(2023, 2, 1), 14, 14),
            (JUNE_2025, 14, 14),
            (date(2026, 1, 1), 14, 16),
        ]:
            assert what_if.in_force(System.REGULAR, day).bonus_multiplier == regular
            assert what_if.in_force(System.QUICK, day).bonus_multiplier == quick
        assert what_if.value("bonus_multiplier", System.QUICK, date(2020, 1, 1)).document == "D25"
        assert what_if.value("bonus_multiplier", System.QUICK, JUNE_2025).status == "overlay"


def test_an_overlay_value_without_a_source_cites_its_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[[k_numerator.values]]\nfrom = 2024-01-01\nis = 900\n", "utf-8")
    dated = RULEBOOK.with_overlay_file(path).value("k_numerator", System.BLITZ, JUNE_2025)
    assert (dated.document, dated.where, dated.value) == ("OVERLAY", "mine.toml", 900)


def test_an_overlay_file_can_name_single_systems() -> None:
    overlay = {"peak_floor": {"values": [{"from": date(2024, 1, 1), "is": "off", "systems": ["quick"]}]}}
    what_if = RULEBOOK.with_overlay_file(overlay)
    assert what_if.in_force(System.QUICK, JUNE_2025).peak_floor_lowest == OFF
    assert what_if.in_force(System.REGULAR, JUNE_2025).peak_floor_lowest == 1200


@pytest.mark.parametrize(
    ("overlay", "message"),
    [
        (
            {"match_net": {"values": [{"from": JUNE_2025, "is": "off"}]}},
            "rule match_net: there is no such rule",
        ),
        ({"bonus_multiplyer": {"values": []}}, "Did you mean bonus_multiplier"),
        ({"bonus_multiplier": {"values": []}}, "no dated values"),
        ({"bonus_multiplier": 14}, "not a table"),
        ({"bonus_multiplier": {"values": [14]}}, "not a table"),
        ({"bonus_multiplier": {"values": [{"is": 14}]}}, "'from' is None"),
        ({"bonus_multiplier": {"values": [{"from": date(1999, 1, 1), "is": 14}]}}, "is before the timeline"),
        (
            {"bonus_multiplier": {"values": [{"from": JUNE_2025, "is": 14}, {"from": JUNE_2025, "is": 16}]}},
            "given twice",
        ),
    ],
)
def test_wrong_overlays_are_refused(overlay: dict[str, object], message: str) -> None:
    with pytest.raises(RulebookError, match=message):
        RULEBOOK.with_overlay_file(overlay)


def test_a_missing_overlay_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(RulebookError, match=r"absent\.toml: cannot be read"):
        RULEBOOK.with_overlay_file(tmp_path / "absent.toml")


def test_a_blend_without_its_numbers_is_refused() -> None:
    """A half-made what-if must not rate with -1."""
    what_if = RULEBOOK.with_overlay({"initial_method": "blend"})
    assert what_if.in_force(System.REGULAR, JUNE_2025).initial_method == 2
    with pytest.raises(RulebookError, match="blend_most_games, blend_staleness_rate"):
        what_if.in_force(System.REGULAR, date(2015, 6, 1))
