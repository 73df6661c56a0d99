"""Two-player sections that are not coded as a match: a warning from 2006 on, by the rules of the day (RULINGS A19)."""

from __future__ import annotations

from datetime import date

import pytest

from ratebook.findings import Severity
from ratebook.model import Cell, Entry, Section, SectionType
from ratebook.rating.eligibility import check_match_coding
from ratebook.rules.rulebook import rules_on


def section_of(*rounds: str, kind: SectionType = SectionType.SWISS) -> Section:
    entries = tuple(
        Entry(
            seat,
            f"P{seat}",
            tuple(Cell(word[0], int(word[1:]) if word[1:] else None) for word in text.split()),
        )
        for seat, text in enumerate(rounds, start=1)
    )
    day = date(2026, 11, 14)
    return Section(1, "", day, day, "G/90;d5", kind, online=False, half_k=False, youth=False, entries=entries)


@pytest.mark.statement("A19")
@pytest.mark.parametrize("kind", [SectionType.SWISS, SectionType.ROUND_ROBIN, SectionType.OTHER])
def test_two_players_with_two_games_not_coded_as_a_match_are_a_warning_from_2006(kind: SectionType) -> None:
    section = section_of("W2 D2", "L1 D1", kind=kind)
    (finding,) = check_match_coding(section, rules_on("2006-01-01"))
    assert (finding.code, finding.severity) == ("match-not-coded", Severity.WARNING)
    assert finding.where == "section 1, type"
    assert list(check_match_coding(section, rules_on("2005-12-31"))) == []


@pytest.mark.statement("A19")
@pytest.mark.parametrize(
    "section",
    [
        section_of("W2 U", "L1 U"),
        section_of("W2 X", "L1 F"),
        section_of("W2 W3 U", "L1 U U", "U L1 U"),
        section_of("W2 D2", "L1 D1", kind=SectionType.MATCH),
        section_of("W2 D2", "L1 D1", kind=SectionType.FIDE),
    ],
    ids=["one game", "one game and a forfeit", "three players", "a match", "a foreign event"],
)
def test_other_small_sections_are_no_uncoded_matches(section: Section) -> None:
    assert list(check_match_coding(section, rules_on("2026-11-14"))) == []
