"""Twelve whole explanations, word for word; a change of them is seen, and made by ``--snapshot-update`` alone.

The figures are checked elsewhere, against documents and published ratings; here they are read as people read them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from support.command_line import invoke

ROOT = Path(__file__).resolve().parents[2]
KEPT = Path(__file__).parent / "explanations"
OPEN = "examples/open-64-players.json"
FESTIVAL = "examples/festival/festival.json"

EXPLAINED = {
    "established": (OPEN, "--seat", "2"),
    "provisional": (OPEN, "--seat", "8"),
    "special-formula": (OPEN, "--seat", "46"),
    "initial-by-age": (FESTIVAL, "--section", "1", "--seat", "5", "--system", "regular"),
    "initial-from-fide": (FESTIVAL, "--section", "1", "--seat", "6", "--system", "quick"),
    "initial-from-another-system": (FESTIVAL, "--section", "3", "--seat", "4"),
    "dual-rated": (FESTIVAL, "--section", "1", "--seat", "2"),
    "blitz": (FESTIVAL, "--section", "3", "--seat", "1"),
    "match": (FESTIVAL, "--section", "4", "--seat", "1"),
    "small-section": ("examples/quad.json", "--seat", "3"),
    "rules-of-2005": (OPEN, "--seat", "8", "--rules-on", "2005-06-01"),
    "what-if": (OPEN, "--seat", "2", "--set", "bonus_multiplier=14"),
}


@pytest.mark.parametrize("name", EXPLAINED)
def test_an_explanation_reads_as_it_did(
    name: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    shown = invoke("explain", *EXPLAINED[name])
    assert shown.exit_code == 0, shown.output
    kept = KEPT / f"{name}.txt"
    if request.config.getoption("--snapshot-update"):
        KEPT.mkdir(exist_ok=True)
        kept.write_text(shown.stdout, encoding="utf-8")
    assert shown.stdout == kept.read_text(encoding="utf-8")


def test_every_explanation_that_is_kept_is_compared() -> None:
    assert {path.stem for path in KEPT.iterdir()} == set(EXPLAINED)
