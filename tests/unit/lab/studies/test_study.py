"""Studies as their files say."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from ratebook.lab.cells.measures import Measures
from ratebook.lab.studies.study import StudyError, read_study, variants_of
from ratebook.lab.worlds.world import PRESETS
from ratebook.model import System

COMMITTEE = Path("examples/lab/committee-2012/study.toml")
ON = date(2010, 6, 1)


def written(folder: Path, text: str) -> Path:
    path = folder / "study.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_committee_s_test_has_18_variants_of_three_rules() -> None:
    study = read_study(COMMITTEE)
    variants = variants_of(study)
    assert (study.world, study.measures) == (PRESETS["school"], Measures(System.REGULAR, date(2006, 1, 1)))
    seen = set()
    for one in variants:
        rules = one.rules.in_force(System.REGULAR, ON)
        seen.add((rules.bonus_multiplier, rules.effective_games_constant, rules.reduced_k_slope))
    assert len(variants) == len(seen) == 18
    first = variants[0]
    assert first.levels == {"effective-games": "2001", "dual-k": "none", "bonus": "6"}
    # The same from the first day to the last one.
    for day in (date(2004, 1, 1), date(2024, 1, 1)):
        assert first.rules.in_force(System.REGULAR, day).bonus_multiplier == 6.0


def test_listed_variants_and_drawn_values(tmp_path: Path) -> None:
    study = read_study(
        written(
            tmp_path,
            'history = "history"\nsamples = 4\nseed = 3\n'
            "[factor.bonus]\n6 = { bonus_multiplier = 6 }\n8 = { bonus_multiplier = 8 }\n"
            "[range.absolute_floor]\nfrom = 100\nto = 140\n"
            '[[variant]]\nbonus = "8"\n',
        )
    )
    assert study.history == tmp_path / "history"
    variants = variants_of(study)
    assert len(variants) == 2 * (1 + 4)
    drawn = sorted(float(one.levels["absolute_floor"]) for one in variants if "absolute_floor" in one.levels)
    # One in each quarter of the range, for each of the two levels.
    assert [int((value - 100) // 10) for value in drawn] == [0, 0, 1, 1, 2, 2, 3, 3]
    assert variants[0].levels == {"bonus": "6"}


def test_competitors_come_last_and_begin_as_the_baseline_does(tmp_path: Path) -> None:
    study = read_study(
        written(
            tmp_path,
            'history = "history"\nscore-from = 2006-01-01\n'
            "[factor.bonus]\n6 = { bonus_multiplier = 6 }\n8 = { bonus_multiplier = 8 }\n"
            '[competitors]\nelo = { k = [16, 24] }\nglicko = { c = "fit on training years" }\nofficial-list = true\n',
        )
    )
    variants = variants_of(study)
    assert [one.name for one in variants] == [
        "bonus 6", "bonus 8", "elo k 16", "elo k 24", "glicko c fitted", "last official list"
    ]  # fmt: skip
    assert all(one.rules is variants[0].rules for one in variants[2:])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("history", "not TOML"),
        ("", "either a history or a world"),
        ('history = "a"\nworld = "b"', "either a history or a world"),
        ('hist = "a"', "no such setting"),
        ("history = 3", "not a value that belongs here"),
        ('history = "a"\nseed = true', "not a value that belongs here"),
        ('history = "a"\nsystem = "rapid"', "no such rating system"),
        ('history = "a"\n[factor.bonus]\n', "needs levels"),
        ('history = "a"\n[factor.bonus]\n6 = 6\n', "needs levels"),
        ('history = "a"\nbaseline = { n = "2" }\n', "no factor of this name"),
        ('history = "a"\nbaseline = { b = "2" }\n[factor.b]\n6 = { bonus_multiplier = 6 }\n', "no level “2”"),
        ('history = "a"\n[range.bonus_multiplier]\nfrom = 8\nto = 6\n', "lower one first"),
        ('history = "a"\n[factor.b]\n6 = { bonus = 6 }\n', "do not fit the timeline"),
        ('history = "a"\n[factor.b]\n6 = "none.toml"\n', "do not fit the timeline"),
        ('[world]\npreset = "club"\n', "no preset"),
        ('history = "a"\n[competitors]\nelo = { c = 3 }\n', "not a competitor, or it has no such constant"),
        ('history = "a"\n[competitors]\nfide = { k = "fit on training years" }\n', "no such constant"),
        ('history = "a"\n[competitors]\nglicko-2 = { tau = 0 }\n', "no such constant"),
        ('history = "a"\n[competitors]\nglicko-2 = { tau = true }\n', "no such constant"),
        ('history = "a"\n[competitors]\nofficial-list = { k = 3 }\n', "not a competitor"),
        ('history = "a"\n[competitors]\nforecasts = { theirs = 3 }\n', "not a competitor"),
        ('history = "a"\n[competitors]\nforecasts = { theirs = "none.csv" }\n', "cannot be read"),
        ('[world]\n[competitors]\nforecasts = { theirs = "study.toml" }\n', "belong to one history"),
        ('history = "a"\nwhite = 201\n', "must be from 0 to 200"),
        ('history = "a"\n[competitors]\ntrueskill = { k = 3 }\n', "not a competitor"),
        ('history = "a"\n[competitors]\nglicko = { c = "fit on training years" }\n', "no training years"),
        ('history = "a"\nthree-way = true\n', "no training years"),
        ('history = "a"\nthree-way = 1\n', "not a value that belongs here"),
        # Found by make fuzz, as those below, or beside what it found.
        ("a = " + "[" * 5_000, "not TOML"),
        ("a = " + "1" * 5_000, "not TOML"),
        ('world = "a\\u0000b"\n', "not TOML"),
        ("[world]\npreset = []\n", "no preset"),
        ("[world]\nseed = 0x1" + "0" * 5_000, "not possible here"),
        ('history = "a"\nseed = -1\n', "from 0 to"),
        ('history = "a"\nsamples = 10_001\n', "from 0 to"),
        ('history = "a"\nscore-from = 2020-01-01T00:00:00\n', "not a value that belongs here"),
        ('history = "a"\nbaseline = { b = [] }\n[factor.b]\n6 = { bonus_multiplier = 6 }\n', "no level"),
        ('history = "a"\n[range.bonus_multiplier]\nfrom = 8\nto = 0x1' + "0" * 300, "lower one first"),
        ('history = "a"\n[factor.b]\n6 = "a\\u0000b"\n', "do not fit the timeline"),
        ('history = "a"\n' + "".join(f"[factor.f{n}]\n1 = {{}}\n2 = {{}}\n" for n in range(64)), "cells"),
    ],
)
def test_what_is_not_understood_is_a_finding(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(StudyError) as refused:
        variants_of(read_study(written(tmp_path, text)))
    assert message in refused.value.findings[0].message
