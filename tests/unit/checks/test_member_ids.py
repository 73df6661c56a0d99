"""The form of ids: what is certainly mistyped, what is unlike the others, and what is a report's own key."""

from __future__ import annotations

import re

import pytest

from ratebook.checks import ReportedFacts, check_report
from ratebook.checks.member_ids import corrected_id
from unit.checks.checked_reports import QUAD, found, report_of

MEMBERS = ("90000001", "90000002", "90000003")
SIX = "D2", "D1", "D4", "D3", "D6", "D5"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("1234O077", "12340077"),
        ("16000001x", "16000001"),
        ("US 16000001", "16000001"),
        ("16000001.0", "16000001"),
        ("1234 5674", "12345674"),
        ("#12345675", "12345675"),
        ("l2345678", "12345678"),
        ("12345\u200b678", "12345678"),
        ("1234\u041e077", "12340077"),
        ("\uff11\uff12345678", "12345678"),
    ],
)
def test_letters_blanks_and_signs_in_an_id_are_an_error_with_the_id_that_is_meant(
    typed: str, meant: str
) -> None:
    wrong, *others = (
        finding
        for finding in check_report(report_of(*QUAD, players=(*MEMBERS, typed)))
        # The builder's names repeat the id.
        if finding.code != "text-invisible"
    )
    assert (wrong.code, wrong.severity, others) == ("member-id-wrong", "error", [])
    assert meant in wrong.remedy


def test_an_id_that_cannot_be_corrected_is_a_warning_where_nearly_all_others_have_one_form() -> None:
    ids = ("NCF-00123", "NCF-00124", "NCF-00125", "NCF-00126", "NCF-00127")
    assert found(report_of(*SIX, players=(*ids, "NGR-9-00128"))) == [
        ("member-id-unlike", "player NGR-9-00128")
    ]
    assert found(report_of(*SIX, players=("90000004", "90000005", *MEMBERS, "1234567E"))) == [
        ("member-id-unlike", "player 1234567E")
    ]
    assert found(report_of(*QUAD, players=(*MEMBERS, "1234567E"))) == [
        ("member-id-unlike", "player 1234567E")
    ]
    assert found(report_of(*QUAD, players=(*MEMBERS[:2], "NGR-9-00128", "1234567E"))) == []


def test_a_form_that_is_given_holds_for_every_id_but_those_of_seats() -> None:
    facts = ReportedFacts(member_id_pattern=r"NCF\-[0-9]{5}")
    report = report_of(*QUAD, players=("NCF-00123", "ncf-OO124", "P1", "seat-4"))
    first, second = sorted(check_report(report, facts), key=lambda one: one.where, reverse=True)
    assert (first.code, first.where, "NCF-00124" in first.remedy) == (
        "member-id-wrong",
        "player ncf-OO124",
        True,
    )
    assert (second.code, second.where, "--id-form" in second.remedy) == ("member-id-wrong", "player P1", True)


@pytest.mark.parametrize("word", ["new", "UNKNOWN", "n/a"])
def test_a_word_is_no_id(word: str) -> None:
    assert found(report_of(*QUAD, players=(*MEMBERS, word))) == [("id-placeholder", f"player {word}")]


def test_what_is_an_id_already_is_corrected_to_itself_and_anything_else_to_nothing() -> None:
    form = re.compile("[0-9]{8}")
    none = ("Okafor", "", "123456789", "1234567.0", "90000001/90000002")
    assert [corrected_id(text, form) for text in ("12345678", *none)] == ["12345678", *[""] * len(none)]
