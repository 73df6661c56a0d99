"""The variants of the known answers are those of the example."""

from __future__ import annotations

from pathlib import Path

import pytest

from ratebook.lab.known.reports import variants
from ratebook.lab.studies.store import rules_digest
from ratebook.lab.studies.study import read_study, variants_of


@pytest.mark.parametrize("name", ["study.toml", "full.toml"])
def test_both_studies_of_the_example_are_these_variants(name: str) -> None:
    study = read_study(Path("examples/lab/committee-2012") / name)
    wanted = {tuple(map(str, levels)): rules_digest(rules) for levels, rules in variants().items()}
    found = {
        (one.levels["effective-games"], one.levels["dual-k"], one.levels["bonus"]): rules_digest(one.rules)
        for one in variants_of(study)
    }
    assert found == wanted
    assert len(set(found.values())) == 18
