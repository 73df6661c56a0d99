"""Actions: what must be so of several parameters, and what a page says of them."""

from __future__ import annotations

import pytest

from ratebook.office.action import Condition, Together
from ratebook.office.decisions.actions import DECISIONS

OPTS_OUT, ALONE = {"lift": True, "approved_by": "A. Director"}, {"fide_opt_in": True, "name": None}


@pytest.mark.parametrize(
    ("how", "names", "values", "broken"),
    [
        (Together.EITHER, ("rating", "lift"), {"rating": 0.0, "lift": None}, False),
        (Together.EITHER, ("rating", "lift"), {"rating": 1800.0, "lift": True}, True),
        (Together.EITHER, ("rating", "lift"), {"lift": None}, True),
        (Together.BOTH, ("lift", "approved_by"), OPTS_OUT, False),
        (Together.BOTH, ("lift", "approved_by"), {"approved_by": "A. Director"}, True),
        (Together.SOME, ("name", "adult"), {"adult": False}, False),
        (Together.SOME, ("name", "club"), {"name": None}, True),
        (Together.SOME, ("name", "club"), {"club": ""}, False),
        (Together.ALONE, ("fide_opt_in", "name"), ALONE, False),
        (Together.ALONE, ("fide_opt_in", "name"), ALONE | {"name": "Adams, Ann"}, True),
    ],
)
def test_a_rule_says_what_goes_together(
    how: Together, names: tuple[str, ...], values: dict[str, object], *, broken: bool
) -> None:
    assert Condition(how, names).is_broken(values) is broken


@pytest.mark.parametrize("group", DECISIONS)
def test_a_page_says_of_whom_an_action_is_without_the_capitals_of_the_command(group: str) -> None:
    for action in DECISIONS[group]:
        assert not {"MEMBER", "SYSTEM", "SEAT", "DECISION"} & set(action.plain.replace(",", " ").split())
