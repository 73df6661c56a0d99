"""Lists of every kind, by their content: found players, wrong ids, archives, and files that are no lists."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from ratebook.findings import Severity
from ratebook.model import ForeignRating, Rating, System
from ratebook.player_lists.read import read_players
from unit.player_lists.lists import (
    ADAMS,
    CFC,
    FIDE_HEADER,
    FIDE_TEXT,
    FIDE_XML,
    GOLDEN,
    LISTS,
    MEMBERS,
    SUPPLEMENT,
    archive,
    codes,
    fide_row,
    report_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.mark.parametrize("data", [*LISTS.values(), FIDE_XML])
@pytest.mark.parametrize("packed", [False, True])
def test_every_list_is_known_by_its_content(
    given_list: Callable[[bytes], Path], data: bytes, *, packed: bool
) -> None:
    path = given_list(archive(inside=data) if packed else data)
    listed = read_players(path, report_of(ADAMS))
    assert listed.players.keys() == {"90000001"}
    assert not any(finding.severity is Severity.ERROR for finding in listed.findings)
    player = listed.players["90000001"]
    assert player.where.file == ("list/inside" if packed else "list")
    known = player.facts.ratings or player.facts.fide or player.facts.cfc
    assert known


def test_the_kind_is_told(given_list: Callable[[bytes], Path]) -> None:
    for kind, data in LISTS.items():
        assert read_players(given_list(data), report_of(ADAMS)).kind is kind


def test_a_player_is_found_by_member_id_with_or_without_zeros(given_list: Callable[[bytes], Path]) -> None:
    listed = read_players(given_list(b"id,cfc\n  00090000001,1500\n"), report_of(("90000001", "")))
    assert listed.players["90000001"].facts.cfc == ForeignRating(1500.0)
    assert listed.findings == ()


def test_the_membership_is_kept(given_list: Callable[[bytes], Path]) -> None:
    for data in (MEMBERS, GOLDEN):
        listed = read_players(given_list(data), report_of(ADAMS, ("90000002", "")))
        assert listed.expires == {"90000001": date(2027, 11, 30), "90000002": date(2026, 1, 31)}
    assert read_players(given_list(FIDE_TEXT), report_of(ADAMS)).expires == {}


@pytest.mark.parametrize("data", [MEMBERS, GOLDEN])
def test_an_id_that_a_complete_list_lacks_is_an_error_with_similar_names(
    given_list: Callable[[bytes], Path], data: bytes
) -> None:
    report = report_of(("90000010", "Example Adams"), ("90000002", ""))
    listed = read_players(given_list(data), report, complete=True)
    assert listed.players.keys() == {"90000002"}
    (finding,) = listed.findings
    assert (finding.severity, finding.code) == (Severity.ERROR, "member-id-unknown")
    assert finding.where == "section 1, seat 1"
    assert "ADAMS, EXAMPLE 90000001" in finding.message
    assert "BAKER" not in finding.message


def test_resembling_names_are_offered_the_nearest_first(given_list: Callable[[bytes], Path]) -> None:
    listed = read_players(given_list(GOLDEN), report_of(("90000010", "ADAMS, EXAMPLES")))
    assert listed.findings[0].message.endswith(
        " It has similar names: ADAMS, EXAMPLE 90000001; ADAMS, EXAMINER 90000003."
    )


def test_an_id_without_name_is_unknown_too(given_list: Callable[[bytes], Path]) -> None:
    report = report_of(("90000010", ""))
    assert read_players(given_list(GOLDEN), report, complete=True).findings[0].code == "member-id-unknown"


def test_an_id_that_a_list_lacks_under_the_same_name_is_a_warning_and_a_similar_name_is_noted(
    given_list: Callable[[bytes], Path],
) -> None:
    for name, severity in (("ADAMS, EXAMPLE", Severity.WARNING), ("ADAMS, EXAMPLES", Severity.NOTE)):
        found = read_players(given_list(SUPPLEMENT), report_of(("90000010", name))).findings
        (finding,) = [one for one in found if one.code == "member-id-not-listed"]
        assert finding.severity is severity
        assert "ADAMS, EXAMPLE 90000001" in finding.message


def test_a_list_brings_what_it_has_and_lacks_whom_it_lacks(given_list: Callable[[bytes], Path]) -> None:
    """One birth date is enough of a list; nobody else has to be in it."""
    small = given_list(b"USCF ID,Name,DOB\n90000001,ADAMS,2012-05-03\n")
    listed = read_players(small, report_of(ADAMS, ("90000010", "CLARK, ZOE")))
    assert listed.players["90000001"].facts.birth_date == date(2012, 5, 3)
    assert {one.severity for one in listed.findings} == {Severity.NOTE}


def test_a_wrong_id_whose_player_is_found_by_name_is_a_warning(given_list: Callable[[bytes], Path]) -> None:
    """What is sent in still has the wrong id: here a letter O in it."""
    listed = read_players(given_list(GOLDEN), report_of(("9000O001", "ADAMS, EXAMPLE")))
    assert listed.players["9000O001"].facts.id == "90000001"
    assert [one.code for one in listed.findings] == ["player-id-differs", "player-found-by-name"]


def test_nobody_needs_to_be_in_a_list_of_fide_or_cfc(given_list: Callable[[bytes], Path]) -> None:
    for data in (FIDE_TEXT, FIDE_XML, CFC):
        listed = read_players(given_list(data), report_of(("90000010", "CLARK, EXAMPLE")))
        assert [(one.severity, one.code) for one in listed.findings] == [(Severity.NOTE, "player-not-listed")]


def test_a_key_of_the_report_need_not_be_in_the_list(given_list: Callable[[bytes], Path]) -> None:
    listed = read_players(given_list(GOLDEN), report_of(("seat-1", "DAVIS, EXAMPLE"), ("P2", "")))
    (finding,) = listed.findings
    assert (finding.severity, finding.code) == (Severity.NOTE, "player-not-listed")
    assert finding.where == "section 1, seats 1, 2"


def test_an_id_under_another_persons_name_is_a_warning(given_list: Callable[[bytes], Path]) -> None:
    """Digits change places, and siblings theirs: the office takes the id, so that the director must look."""
    listed = read_players(given_list(GOLDEN), report_of(("90000001", "ADAMS, ZOE")))
    assert listed.players.keys() == {"90000001"}
    (finding,) = listed.findings
    assert (finding.severity, finding.code, finding.where) == (
        Severity.WARNING,
        "member-name-differs",
        "section 1, seat 1, name",
    )


def test_a_player_without_member_id_is_found_by_a_name_that_is_there_once(
    given_list: Callable[[bytes], Path],
) -> None:
    listed = read_players(given_list(GOLDEN), report_of(("seat-1", "Éxample Adams"), ("90000002", "")))
    assert listed.players["seat-1"].facts.id == "90000001"
    (finding,) = listed.findings
    assert (finding.severity, finding.code) == (Severity.NOTE, "player-found-by-name")
    assert finding.where == "section 1, seat 1"


def test_a_member_id_is_never_given_up_for_a_name(given_list: Callable[[bytes], Path]) -> None:
    """A row with the same name and another id is another person, or the report's id is wrong."""
    assert read_players(given_list(SUPPLEMENT), report_of(("90000010", "ADAMS, EXAMPLE"))).players == {}


def test_a_row_without_id_is_found_by_name(given_list: Callable[[bytes], Path]) -> None:
    listed = read_players(given_list(b'name,fide\n"Adams, Example",1500\n'), report_of(ADAMS))
    assert listed.players["90000001"].facts.fide == ForeignRating(1500.0)
    assert codes(listed) == ["player-found-by-name"]


def test_a_name_that_is_in_the_list_twice_gives_nothing(given_list: Callable[[bytes], Path]) -> None:
    rows = [fide_row("2000001", "Adams, Example", 1610), fide_row("2000002", "ADAMS, Example", 1710)]
    listed = read_players(given_list("\n".join([FIDE_HEADER, *rows]).encode()), report_of(ADAMS))
    assert listed.players == {}
    (finding,) = listed.findings
    assert (finding.severity, finding.code) == (Severity.WARNING, "player-name-ambiguous")


def test_a_name_that_is_in_the_report_twice_gives_nothing(given_list: Callable[[bytes], Path]) -> None:
    report = report_of(("seat-1", "Example Adams"), ("seat-2", "ADAMS, EXAMPLE"))
    listed = read_players(given_list(GOLDEN), report)
    assert listed.players == {}
    assert codes(listed) == ["player-name-ambiguous"] * 2


def test_a_person_found_by_id_is_not_found_again_by_name(given_list: Callable[[bytes], Path]) -> None:
    report = report_of(ADAMS, ("seat-2", "ADAMS, EXAMPLE"))
    listed = read_players(given_list(GOLDEN), report)
    assert listed.players.keys() == {"90000001"}
    assert codes(listed) == ["player-not-listed"]


def test_a_member_id_that_is_somebody_elses_fide_number_is_not_taken(
    given_list: Callable[[bytes], Path],
) -> None:
    rows = [fide_row("90000001", "Zeta, Other", 2610), fide_row("2000001", "Adams, Example", 1610)]
    listed = read_players(given_list("\n".join([FIDE_HEADER, *rows]).encode()), report_of(ADAMS))
    assert listed.players["90000001"].facts.fide == ForeignRating(1610.0)
    assert codes(listed) == ["player-found-by-name"]


def test_a_fide_number_as_id_is_used_and_noted(given_list: Callable[[bytes], Path]) -> None:
    for data in (FIDE_TEXT, FIDE_XML, CFC):
        assert codes(read_players(given_list(data), report_of(ADAMS))) == ["player-found-by-number"]


def test_an_id_that_comes_twice_with_other_facts_is_a_warning(given_list: Callable[[bytes], Path]) -> None:
    text = b"id,name,cfc\n90000001,A,1500\n90000001,A,1600\n90000002,B,1500\n90000002,B,1500\n"
    listed = read_players(given_list(text), report_of(("90000001", ""), ("90000002", "")))
    assert listed.players["90000001"].facts.cfc == ForeignRating(1500.0)
    assert [(one.code, one.where) for one in listed.findings] == [("list-id-twice", "list, line 2")]


def test_ids_that_differ_in_zeros_alone_keep_their_rows(given_list: Callable[[bytes], Path]) -> None:
    listed = read_players(given_list(b"id,cfc\n07,1500\n7,1600\n"), report_of(("7", ""), ("07", "")))
    assert {key: row.facts.cfc for key, row in listed.players.items()} == {
        "7": ForeignRating(1600.0),
        "07": ForeignRating(1500.0),
    }


def test_the_second_rating_may_be_blitz(given_list: Callable[[bytes], Path]) -> None:
    path = given_list(SUPPLEMENT)
    for second in (System.QUICK, System.BLITZ):
        listed = read_players(path, report_of(ADAMS), second=second)
        assert listed.players["90000001"].facts.ratings[second] == Rating(
            1450.0, 9.0, published=1450, published_games=9.0
        )
        assert codes(listed) == ["second-rating-assumed"]
