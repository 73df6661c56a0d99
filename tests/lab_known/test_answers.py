"""The laboratory finds every answer that is known beforehand; `make lab-check` computes the slow ones too."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab_known.answers import KnownAnswer, KnownFigure
from lab_known.elo import ELO
from lab_known.fits import FITS
from lab_known.glicko import GLICKO
from lab_known.quads import QUADS
from lab_known.replays import REPLAYS
from lab_known.reports import REPORTS, variants
from lab_known.strengths import STRENGTHS
from lab_known.studies import STUDIES
from ratebook.lab.studies.store import rules_digest
from ratebook.lab.studies.study import read_study, variants_of

pytestmark = pytest.mark.usefixtures("compiled_engine")
ANSWERS = sorted(
    (*ELO, *FITS, *GLICKO, *QUADS, *REPLAYS, *REPORTS, *STRENGTHS, *STUDIES),
    key=lambda answer: (int(answer.number[1:]), answer.long),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder that answers share."""
    return tmp_path_factory.mktemp("known")


@pytest.mark.parametrize(
    "answer",
    [pytest.param(answer, marks=pytest.mark.soak) if answer.long else answer for answer in ANSWERS],
    ids=lambda answer: f"{answer.number} {answer.says}",
)
def test_the_laboratory_finds_it(answer: KnownAnswer, folder: Path) -> None:
    """The figures are printed, for `make lab-check`."""
    figures = list(answer.compute(folder))
    print(f"{answer.number}: {answer.says} ({answer.source})")  # noqa: T201 - `make lab-check` shows it
    for figure in figures:
        print(f"  {figure}")  # noqa: T201 - the same
    assert figures
    assert [figure for figure in figures if not figure.holds] == []


@pytest.mark.parametrize(("got", "holds"), [(0.9, False), (1.0, True), (2.0, True), (float("nan"), False)])
def test_a_figure_holds_within_its_bounds(got: float, holds: bool) -> None:  # noqa: FBT001 - a column of a table
    assert KnownFigure("x", 1.0, 2.0, got).holds is holds


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
