"""Ratings after that a file prints, compared with the computed ones."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from ratebook.findings import Finding, Severity
from ratebook.formats.archive import SourceFile
from ratebook.formats.contract import Hints
from ratebook.formats.registry import parse_source
from ratebook.formats.source import Source
from ratebook.reports.load import load_file
from ratebook.reports.rate import RatingOptions, rate_report
from ratebook.rules.rulebook import load_rulebook

QUAD = Path(__file__).parents[3] / "examples" / "quad-crosstable.txt"
FESTIVAL = Path(__file__).parents[3] / "examples" / "festival" / "standings-1.json"
DAY = date(2026, 8, 30)


def differences(text: str) -> list[Finding]:
    source = Source("quad.txt", (SourceFile("quad.txt", text.encode()),))
    parsed = parse_source(source, Hints(DAY, DAY, "G/25;d5"))
    assert parsed.report is not None
    options = RatingOptions(printed=parsed.published)
    rated = rate_report(parsed.report, load_rulebook(), options)
    return [one for one in rated.findings if one.code == "rating-after-differs"]


def test_printed_ratings_that_are_the_computed_ones_are_no_finding() -> None:
    assert differences(QUAD.read_text()) == []


def test_ratings_that_rest_on_facts_which_are_not_given_are_a_note() -> None:
    standings = load_file(FESTIVAL, Hints())
    assert standings.report is not None
    rated = rate_report(standings.report, load_rulebook(), RatingOptions(printed=standings.published))
    told = [(one.code, one.severity) for one in rated.findings if one.code.startswith("rating-after")]
    assert told == [("rating-after-unsure", Severity.NOTE)] * 2


def test_planted_ratings_are_one_warning_for_each_system_with_both_values() -> None:
    text = QUAD.read_text().replace("1794   ->1803", "1794   ->1850").replace("->1567P15", "->1568P15")
    (only,) = differences(text.replace("1655   ->1655", "1655   ->1655.99"))
    assert (only.severity, only.where) == (Severity.WARNING, "section 1, regular")
    assert only.message.startswith("3 of the 4 new ratings")
    for part in (
        "ADAMS EXAMPLE 1850 (computed 1803)",
        "BAKER EXAMPLE 1655.99 (",
        "CLARK EXAMPLE 1568 (computed 1567)",
    ):
        assert part in only.message
