"""Characters that no one sees: ids are refused with them, other texts are questioned."""

from __future__ import annotations

import pytest

from ratebook.checks import check_report
from ratebook.model import PlayerFacts, Report
from unit.checks.checked_reports import QUAD, report_of


def found(report: Report) -> list[str]:
    codes = {"id-unaddressable", "id-untypable", "name-invisible", "text-invisible"}
    return [one.code for one in check_report(report) if one.code in codes]


@pytest.mark.parametrize("hidden", ["\u202e", "\u200b", "\ufeff", "\u00ad", "\u2028"])
def test_what_no_one_sees_is_refused_in_ids_and_questioned_in_names(hidden: str) -> None:
    report = report_of(*QUAD)
    assert found(report) == []
    event = report.event
    assert found(report._replace(event=event._replace(id=f"A{hidden}"))) == ["id-untypable"]
    assert found(report._replace(event=event._replace(city=f"A{hidden}"))) == ["text-invisible"]
    for name, code in ((f"A{hidden}B", "text-invisible"), (hidden, "name-invisible")):
        players = {**report.players, "P1": PlayerFacts("P1", name)}
        assert found(report._replace(players=players)) == [code]


@pytest.mark.parametrize("wrong", [".", "..", " 7", "7 "])
def test_ids_that_no_address_can_have_are_refused(wrong: str) -> None:
    report = report_of(*QUAD)
    assert found(report._replace(event=report.event._replace(id=wrong))) == ["id-unaddressable"]
    assert found(report._replace(event=report.event._replace(id=f"2026/{wrong.strip()}x?#%2e y"))) == []
    assert found(report_of(*QUAD, players=("P1", "P2", "P3", wrong))) == ["id-unaddressable"]


def test_digits_of_other_scripts_are_refused_in_ids() -> None:
    for digit in "\u00b2\u0663\uff11":
        players = ("P1", "P2", "P3", digit)
        assert found(report_of(*QUAD, players=players)) == ["id-untypable"]


def test_joiners_are_part_of_names() -> None:
    report = report_of(*QUAD)
    players = {**report.players, "P1": PlayerFacts("P1", "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627")}
    assert found(report._replace(players=players)) == []
