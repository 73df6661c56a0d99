"""All checks together: their order, their bounds, and what they do to reports that are valid or broken."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratebook.checks import ReportedFacts, all_checks, check_report
from ratebook.findings import Severity, has_errors
from ratebook.formats.native.read import parse_native_json
from ratebook.model import POINTS, Cell, Entry, Event, PlayerFacts, Rating, Report, SectionType, System
from support.report_strategies import built, reports
from support.whole_run import examples
from unit.checks.checked_reports import QUAD, found, rated, report_of, report_with, section_of

if TYPE_CHECKING:
    from random import Random

EXAMPLES = Path(__file__).parents[3] / "examples"


def test_every_check_says_what_it_is_for() -> None:
    assert all(check.__doc__ for check in all_checks())
    assert len(set(all_checks())) == len(all_checks())


@pytest.mark.parametrize("name", ["open-64-players.json", "quad.json"])
def test_the_examples_raise_no_false_alarm(name: str) -> None:
    parsed = parse_native_json((EXAMPLES / name).read_bytes(), name)
    assert parsed.report is not None
    assert check_report(parsed.report, ReportedFacts(received=parsed.report.sections[0].end)) == []


def test_all_findings_have_a_message_and_a_remedy() -> None:
    report = report_of("W9 W1 W", "B1 W1 W2", kind=SectionType.MATCH, players=("P1", "P1"))
    findings = check_report(report)
    assert len(findings) >= 6
    assert all(finding.message and finding.remedy and finding.where for finding in findings)


def test_errors_come_before_warnings_and_warnings_before_notes() -> None:
    bad = section_of("B2 W2w", "L1 W1w", "U L9", seats=(1, 2, 4))
    foreign = section_of("W2", "L1", number=2, kind=SectionType.FIDE, update=(1,))
    findings = check_report(report_with(bad, foreign))
    order = [list(Severity).index(finding.severity) for finding in findings]
    assert set(order) == {0, 1, 2}
    assert order == sorted(order)


def test_findings_are_counted_where_there_are_too_many() -> None:
    rounds = ["H1 W9"] * 600
    findings = check_report(report_of(*rounds))
    assert len(findings) == 1_001
    # 600 opponents are not there or are others (one of them seat 9 itself), 600 byes name an opponent.
    assert [finding.severity for finding in findings[:600]] == [Severity.ERROR] * 600
    assert findings[600].severity is Severity.WARNING
    assert findings[-1].code == "too-many-findings"
    assert findings[-1].message.startswith("1,200 findings in all; 1,000 are shown")


def test_no_flood_of_one_finding_hides_an_error_of_another_kind() -> None:
    rounds = [f"N{seat % 600 + 1} N{seat % 600 + 1}" for seat in range(1, 600)] + ["W600 U"]
    findings = check_report(report_of(*rounds))
    assert findings[0].code == "self-pairing"
    assert findings[-1].message.startswith("At least 1,00")
    assert len(findings) == 1_001


def test_long_texts_stay_out_of_the_findings() -> None:
    keys = ("9" * 5_000, "90000001", "90000002", "90000003")
    for finding in check_report(report_of(*QUAD, players=keys)):
        assert all(len(text) < 300 for text in (finding.where, finding.message, finding.remedy))


@pytest.mark.long
@examples(40)
@given(reports())
def test_valid_reports_have_no_errors(report: Report) -> None:
    assert not has_errors(check_report(report))


@pytest.mark.long
@examples(20)
@given(reports(), st.randoms(use_true_random=False))
def test_the_order_of_entries_makes_no_difference_to_what_is_wrong(report: Report, random: Random) -> None:
    shuffled = report._replace(
        sections=tuple(
            section._replace(entries=tuple(sorted(section.entries, key=lambda _: random.random())))
            for section in report.sections
        )
    )
    codes = [finding.code for finding in check_report(report)]
    assert sorted(finding.code for finding in check_report(shuffled)) == sorted(codes)


_cells = built(
    Cell,
    st.sampled_from(sorted(POINTS)),
    st.none() | st.integers(-1, 6),
    st.sampled_from(("", "w", "b", "x")),
)
_days = st.sampled_from((date.min, date(1999, 1, 1), date(2024, 2, 29), date(2026, 1, 1), date.max))
_keys = st.sampled_from(("P1", "P2", "90000001", "9", "", "\x00", "P3"))
_players = built(
    PlayerFacts,
    id=_keys,
    name=st.sampled_from(("", ",", "ADAMS EXAMPLE", "Example, Adams")),
    birth_date=st.none() | _days,
    ratings=st.dictionaries(
        st.sampled_from(System), built(Rating, st.floats(), st.none() | st.floats()), max_size=2
    ),
)
_entries = built(Entry, st.integers(-1, 5), _keys, st.lists(_cells, max_size=5).map(tuple), st.booleans())


@st.composite
def broken_reports(draw: st.DrawFn) -> Report:
    """Return a report of the right types in which nothing need fit together."""
    sections = []
    for _ in range(draw(st.integers(0, 3))):
        base = section_of(
            number=draw(st.integers(-1, 3)),
            kind=draw(st.sampled_from(SectionType)),
            start=draw(st.none() | _days),
            end=draw(_days),
            time_control=draw(st.none() | st.sampled_from(("", "G/60;d5", "G/5;d0", "nonsense"))),
            online=draw(st.booleans()),
        )
        sections.append(base._replace(entries=tuple(draw(st.lists(_entries, max_size=6)))))
    listed = draw(st.lists(_players, max_size=5))
    event = Event(start=draw(st.none() | _days), end=draw(st.none() | _days))
    return Report(event, {player.id: player for player in listed}, tuple(sections))


_facts = built(
    ReportedFacts,
    stated_rounds=st.dictionaries(st.integers(-1, 3), st.integers(-1, 100), max_size=3),
    stated_systems=st.dictionaries(st.integers(-1, 3), st.text(max_size=2), max_size=3),
    received=st.none() | _days,
    expires=st.dictionaries(_keys, _days, max_size=3),
)


@pytest.mark.long
@examples(120)
@given(broken_reports(), _facts)
def test_no_report_makes_a_check_raise(report: Report, facts: ReportedFacts) -> None:
    for finding in check_report(report, facts):
        assert finding.where
        assert finding.message
        assert finding.remedy


def test_a_report_may_be_checked_with_other_rules() -> None:
    """The rulebook that the caller gives decides which system rates a time control."""
    from ratebook.rules.rulebook import load_rulebook  # noqa: PLC0415 - only this test has a rulebook of its own

    facts = ReportedFacts(stated_systems={1: "Q"})
    report = report_with(section_of(*QUAD, time_control="G/70"), facts={"P1": rated("P1")})
    assert [code for code, _ in found(report, facts)] == ["system-contradicts-time-control"]
    longer = load_rulebook().with_overlay({"time_control_most": 80})
    assert check_report(report, facts, longer) == []
