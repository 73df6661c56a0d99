"""ratebook finding: what a code means, and what comes of a code that none has."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from ratebook.cli.main import run


@pytest.mark.parametrize("code", ["pairing-twice", "[pairing-twice]", "PAIRING-TWICE"])
def test_a_code_is_explained_with_its_texts(code: str) -> None:
    result = CliRunner().invoke(run, ["finding", code])
    assert result.exit_code == 0
    assert result.output.startswith("pairing-twice (error): A list of pairings has a player on two boards")
    assert "* 'Adams, Example' plays twice in round 2; the first time in line 7." in result.output


def test_a_code_that_none_has_leads_to_the_nearest() -> None:
    result = CliRunner().invoke(run, ["finding", "result-asymetric"])
    assert result.exit_code == 1
    assert "Did you mean result-asymmetric" in result.output
    words = CliRunner().invoke(run, ["finding", "unknown event"])
    assert "Did you mean event-unknown" in words.output
    assert "Did you mean" not in CliRunner().invoke(run, ["finding", "x"]).output
