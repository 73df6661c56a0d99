"""US Chess lists in dBASE files: Golden Database, supplement, combined list."""

from __future__ import annotations

import io
import struct
from datetime import date
from typing import TYPE_CHECKING

import pytest

from ratebook.findings import Findings
from ratebook.formats.archive import SourceError
from ratebook.formats.uschess.dbf import write_dbf
from ratebook.model import Rating, System
from ratebook.player_lists.row import ListKind, Search
from ratebook.player_lists.uschess import (
    UnreadableRatingError,
    iter_uschess_dbf,
    list_kind,
    parse_expiry,
    parse_month,
    parse_printed,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratebook.player_lists.row import ListedPlayer

GOLDEN = (("MEM_ID", 8), ("MEM_NAME", 17), ("EXPIRED", 8), ("STATE", 2), ("R_LPB_RAT", 7), ("Q_LPB_RAT", 7))
SUPPLEMENT = (
    ("R_MEM_ID", 8),
    ("R_MEM_NAME", 27),
    ("R_EXP_DATE", 8),
    ("R_STATE", 2),
    ("R_RATING1", 7),
    ("R_RATING2", 7),
)
COMBINED = (
    ("MEM_ID", 8),
    ("MEM_NAME", 30),
    ("GENDER", 1),
    ("BYEAR", 4),
    ("FEDERATION", 3),
    ("TITLE", 3),
    ("R_LPB_RAT", 7),
    ("Q_LPB_RAT", 7),
    ("B_LPB_RAT", 7),
    ("ONL_R_RTG", 7),
    ("ONL_Q_RTG", 7),
    ("ONL_B_RTG", 7),
)


def table(fields: Sequence[tuple[str, int]], *rows: Sequence[str]) -> bytes:
    return write_dbf(fields, rows, date(2026, 11, 1))


def read(
    data: bytes, *ids: str, second: System = System.QUICK
) -> tuple[list[ListedPlayer], list[tuple[str, str]]]:
    """Return the records with these ids (90000001 unless given) and the codes and places of the findings."""
    findings = Findings()
    search = Search(ids=frozenset(ids or ("90000001",)))
    players = list(iter_uschess_dbf(io.BytesIO(data), "LIST.DBF", search, findings, second=second))
    return players, [(finding.code, finding.where) for finding in findings.of_file("LIST.DBF")]


def refused(data: bytes) -> str:
    with pytest.raises(SourceError) as failure:
        read(data)
    return failure.value.finding.code


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("1234", (1234, None)),
        ("1234/10", (1234, 10)),
        ("1234/ 5", (1234, 5)),
        ("1234P10", (1234, 10)),
        ("1234P 5", (1234, 5)),
        ("1234p5", (1234, 5)),
        (" 987E", (987, None)),
        ("1575E4C", (1575, None)),
        ("1575*c2", (1575, None)),
        ("*1575", (1575, None)),
        ("1575*", (1575, None)),
        ("1234/10*", (1234, 10)),
        ("1600.00", (1600, None)),
    ],
)
def test_a_rating_is_read_in_every_style(text: str, printed: tuple[int, int | None]) -> None:
    assert parse_printed(text) == printed


@pytest.mark.parametrize("text", ["", "  ", "U", "0000U", "   0U", "0", "0000", "UNR", "unrated", "***"])
def test_the_unrated_have_many_names(text: str) -> None:
    assert parse_printed(text) is None


@pytest.mark.parametrize(
    "text", ["12345", "1234 56", "99", "3501", "1234P", "1234/", "1234X", "P10", "1234/123", "١٢٣٤"]
)
def test_what_is_no_rating_is_refused(text: str) -> None:
    with pytest.raises(UnreadableRatingError):
        parse_printed(text)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("20271130", date(2027, 11, 30)),
        ("2027-11-30", date(2027, 11, 30)),
        ("11/30/2027", date(2027, 11, 30)),
        ("1/31/27", date(2027, 1, 31)),
        ("12/31/98", date(1998, 12, 31)),
        ("12/31/99", date.max),
        ("19991231", date.max),
        ("LIFE", date.max),
        ("20270230", None),
        ("", None),
        ("soon", None),
    ],
)
def test_the_end_of_a_membership_is_read_in_every_style(text: str, day: date | None) -> None:
    assert parse_expiry(text) == day


@pytest.mark.parametrize(
    ("text", "day"),
    [("202611", date(2026, 11, 1)), ("2026/11", date(2026, 11, 1)), ("202613", None), ("NY", None)],
)
def test_a_supplement_is_a_year_and_a_month(text: str, day: date | None) -> None:
    assert parse_month(text) == day


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        (GOLDEN, ListKind.GOLDEN),
        (SUPPLEMENT, ListKind.SUPPLEMENT),
        (COMBINED, ListKind.COMBINED),
        ((("D_MEM_ID", 8), ("D_NAME", 30)), None),
    ],
)
def test_the_fields_tell_which_list_it_is(fields: Sequence[tuple[str, int]], kind: ListKind | None) -> None:
    assert list_kind(tuple(name for name, _ in fields)) is kind


def test_a_golden_record_has_published_ratings() -> None:
    players, found = read(
        table(
            GOLDEN,
            ["90000009", "BAKER, EXAMPLE", "20261231", "NY", "nonsens", ""],
            ["90000001", "ADAMS, EXAMPLE", "20271130", "NY", "1794E", "1650P10"],
        )
    )
    (player,) = players
    assert player.kind is ListKind.GOLDEN
    assert str(player.where) == "LIST.DBF, record 2"
    assert (player.facts.id, player.facts.name) == ("90000001", "ADAMS, EXAMPLE")
    assert player.expires == date(2027, 11, 30)
    assert player.facts.ratings == {
        System.REGULAR: Rating(1794.0, None, published=1794, published_games=None),
        System.QUICK: Rating(1650.0, 10.0, published=1650, published_games=10.0),
    }
    assert found == [("second-rating-assumed", "LIST.DBF")]


def test_a_supplement_record_has_published_ratings() -> None:
    players, _ = read(table(SUPPLEMENT, ["90000001", "ADAMS, EXAMPLE", "11/30/27", "NY", "1794/12", "1500*"]))
    assert players[0].kind is ListKind.SUPPLEMENT
    assert players[0].facts.ratings == {
        System.REGULAR: Rating(1794.0, 12.0, published=1794, published_games=12.0),
        System.QUICK: Rating(1500.0, None, published=1500),
    }


def test_the_second_rating_is_what_the_caller_says() -> None:
    data = table(SUPPLEMENT, ["90000001", "ADAMS, EXAMPLE", "", "NY", "", "1500"])
    players, found = read(data, second=System.BLITZ)
    assert players[0].facts.ratings.keys() == {System.BLITZ}
    assert found == [("second-rating-assumed", "LIST.DBF")]


def test_nothing_is_assumed_where_nobody_has_a_second_rating() -> None:
    assert read(table(SUPPLEMENT, ["90000001", "ADAMS, EXAMPLE", "", "NY", "1500", ""]))[1] == []


def test_a_combined_record_has_six_ratings_and_a_year_of_birth() -> None:
    players, found = read(
        table(
            COMBINED,
            [
                "90000001",
                "ADAMS, EXAMPLE",
                "F",
                "2012",
                "USA",
                "",
                "1001",
                "1002/7",
                "1003",
                "1004",
                "1005",
                "1006",
            ],
        ),
        second=System.BLITZ,
    )
    (player,) = players
    assert (player.kind, player.birth_year, player.expires) == (ListKind.COMBINED, 2012, None)
    assert player.facts.usa_flag
    assert {system: rating.published for system, rating in player.facts.ratings.items()} == {
        System.REGULAR: 1001,
        System.QUICK: 1002,
        System.BLITZ: 1003,
        System.ONLINE_REGULAR: 1004,
        System.ONLINE_QUICK: 1005,
        System.ONLINE_BLITZ: 1006,
    }
    assert found == [], "the fields say which rating is which"


def test_a_field_of_the_supplement_dates_the_ratings() -> None:
    data = table((*GOLDEN, ("SUPP_DATE", 6)), ["90000001", "ADAMS", "", "", "1500", "", "202610"])
    assert read(data)[0][0].facts.ratings[System.REGULAR].as_of == date(2026, 10, 1)


def test_what_cannot_be_read_is_a_warning_and_left_out() -> None:
    players, found = read(table(GOLDEN, ["90000001", "ADAMS", "soon", "NY", "1234P", "12345"]))
    assert players[0].facts.ratings == {}
    assert players[0].expires is None
    assert found == [
        ("listed-rating-unreadable", "LIST.DBF, record 1, R_LPB_RAT"),
        ("listed-rating-unreadable", "LIST.DBF, record 1, Q_LPB_RAT"),
        ("listed-date-unreadable", "LIST.DBF, record 1, expires"),
    ]


def test_fields_of_other_types_and_deleted_records_are_read_as_they_are() -> None:
    """Made by hand, byte by byte: a number and a date field, a deleted record before the wanted one."""
    fields = [(b"MEM_ID", b"N", 8), (b"MEM_NAME", b"C", 10), (b"EXPIRED", b"D", 8), (b"R_LPB_RAT", b"C", 7)]
    header = struct.pack("<BBBBIHH20x", 3, 126, 11, 1, 2, 32 + 32 * 4 + 1, 1 + 8 + 10 + 8 + 7)
    for name, kind, width in fields:
        header += struct.pack("<11sc4xBB14x", name, kind, width, 0)
    data = (
        header
        + b"\x0d"
        + b"*90000001DELETED   20200101 999   "
        + b" 90000001ADAMS, EX 202711301500/05"
        + b"\x1a"
    )
    players, found = read(data)
    assert [(str(player.where), player.facts.name) for player in players] == [
        ("LIST.DBF, record 2", "ADAMS, EX")
    ]
    assert players[0].facts.ratings == {
        System.REGULAR: Rating(1500.0, 5.0, published=1500, published_games=5.0)
    }
    assert players[0].expires == date(2027, 11, 30)
    assert found == []


def test_a_list_that_is_cut_off_is_refused() -> None:
    """Else ids behind the cut would seem not to exist."""
    data = table(GOLDEN, ["90000001", "ADAMS", "", "", "1500", ""], ["90000002", "BAKER", "", "", "1500", ""])
    assert refused(data[:-60]) == "list-unreadable"
    assert refused(data[:-20]) == "list-unreadable"
    assert refused(data[:40]) == "list-unreadable"


def test_a_list_with_more_records_than_it_says_is_refused() -> None:
    data = bytearray(table(GOLDEN, *[["90000001", "ADAMS", "", "", "1500", ""]] * 2))
    data[4] = 1
    assert refused(bytes(data)) == "list-unreadable"


def test_a_table_without_members_is_refused() -> None:
    assert refused(table([("D_MEM_ID", 8)], ["90000001"])) == "list-columns-missing"
    assert refused(b"\x03nothing") == "list-unreadable"
