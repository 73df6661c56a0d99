"""The settings of a world, from TOML."""

from __future__ import annotations

from pathlib import Path

import pytest

from ratebook.lab.worlds.world import PRESETS, SETTINGS, Openings, World, read_world

ROOT = Path(__file__).parents[4]


def test_a_preset_is_changed_by_what_is_said() -> None:
    world = read_world('preset = "school"\nyears = 3\nfirst-year = 2010\nopenings = "exact"\n', "world.toml")
    assert world == PRESETS["school"]._replace(years=3, first_year=2010, openings=Openings.EXACT)
    assert read_world("", "world.toml") == World()


def test_the_example_of_the_help_is_a_world() -> None:
    text = (ROOT / "examples" / "lab" / "world.toml").read_text(encoding="utf-8")
    assert read_world(text, "world.toml") == PRESETS["school"]._replace(years=12, growth=600.0)


@pytest.mark.parametrize(
    ("text", "where", "code"),
    [
        ("years", "world.toml", "world-not-read"),
        ('preset = "club"', "world.toml", "world-not-read"),
        ("yeras = 3", "world.toml, yeras", "world-not-read"),
        ("years = 3.5", "world.toml, years", "world-not-read"),
        ("years = true", "world.toml, years", "world-not-read"),
        ('walk = "60"', "world.toml, walk", "world-not-read"),
        ("leaving = 1.5", "world.toml, leaving", "world-not-read"),
        ("walk = nan", "world.toml, walk", "world-not-read"),
        ('openings = "new"', "world.toml, openings", "world-not-read"),
        ("dual = 0.9\nquick = 0.2", "world.toml", "world-not-read"),
    ],
)
def test_what_is_not_understood_is_a_finding(text: str, where: str, code: str) -> None:
    found = read_world(text, "world.toml")
    assert not isinstance(found, World)
    assert [(one.code, one.where) for one in found] == [(code, where)]


def test_every_setting_has_its_bounds_and_the_presets_are_within() -> None:
    assert {*SETTINGS, "openings"} == set(World._fields)
    for world in PRESETS.values():
        for name, setting in SETTINGS.items():
            assert setting.low <= getattr(world, name) <= setting.high
