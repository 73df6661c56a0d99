"""Every small known answer is found; the long ones are in ``make lab-check``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ratebook.lab.known.answers import KnownAnswer, KnownFigure
from ratebook.lab.known.registry import ANSWERS

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder that answers share."""
    return tmp_path_factory.mktemp("known")


@pytest.mark.parametrize(
    "answer", [one for one in ANSWERS if not one.long], ids=lambda one: f"{one.number} {one.says}"
)
def test_the_laboratory_finds_it(answer: KnownAnswer, folder: Path) -> None:
    figures = list(answer.compute(folder))
    assert figures
    assert [one for one in figures if not one.holds] == []


@pytest.mark.parametrize(("got", "holds"), [(0.9, False), (1.0, True), (2.0, True), (float("nan"), False)])
def test_a_figure_holds_within_its_bounds(got: float, holds: bool) -> None:  # noqa: FBT001 - a column of a table
    assert KnownFigure("x", 1.0, 2.0, got).holds is holds
