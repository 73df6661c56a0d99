"""Every explanation of random reports, read as it is printed and computed again from nothing but its page."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples.explained_pages import check_page
from examples.printed_pages import read_page
from ratebook.cli.report.explanation import explanation_lines
from ratebook.rating.explanation.explain import explain
from ratebook.reports.rate import RatingOptions, rate_report
from ratebook.rules.rulebook import load_rulebook
from support.report_strategies import reports
from support.whole_run import examples

if TYPE_CHECKING:
    from ratebook.model import Report

DAYS = (None, None, date(2007, 5, 1), date(2012, 9, 1), date(2016, 2, 1), date(2019, 6, 1))


@given(report=reports(), day=st.sampled_from(DAYS))
@examples(20)
def test_every_number_that_a_rating_depends_on_is_on_its_page(report: Report, day: date | None) -> None:
    rulebook = load_rulebook()
    rated = rate_report(report, rulebook, RatingOptions((), day))
    for section in rated.sections:
        for entry in section.entries:
            explanation = explain(section, entry.seat, rulebook)
            assert explanation is not None
            page = read_page(explanation_lines(explanation))
            check_page(page)
            assert page.short
            if entry.workings is not None and entry.after is not None:
                assert page.step("Floors").figures["rating after"] == pytest.approx(
                    entry.after.rating, abs=1e-6
                )
