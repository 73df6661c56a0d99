"""CFC's tdlist.txt with its broken quoting."""

from __future__ import annotations

import io

import pytest

from ratebook.findings import Findings
from ratebook.formats.archive import SourceError
from ratebook.model import ForeignRating
from ratebook.player_lists.cfc import iter_cfc_tdlist, looks_like_cfc_tdlist
from ratebook.player_lists.row import ListedPlayer, ListKind, Search

HEADER = "CFC#,Expiry,Last,First,Prov,City,Rating,High,Active Rtg,Active High,FIDE Number,FIDE Rating"
OLD_HEADER = "CFC#,Expiry,Last,First,Prov,City,Rating,High,Active Rtg,Active High"


def read(*rows: str, header: str = HEADER) -> tuple[list[ListedPlayer], list[tuple[str, str]]]:
    findings = Findings()
    data = "\n".join([header, *rows]).encode("latin-1")
    players = list(
        iter_cfc_tdlist(io.BytesIO(data), "tdlist.txt", Search(ids=frozenset({"900001"})), findings)
    )
    return players, [(finding.code, finding.where) for finding in findings.of_file("tdlist.txt")]


def test_a_row_gives_cfc_and_fide_ratings() -> None:
    players, found = read(
        "900002,2027-01-01,Baker,Example,BC,Vancouver,1200,1300,0,0,0,0",
        "900001,2020-01-01,Adams,Example,ON,Exampleville,1510,1600,1490,1500,2600001,1710",
    )
    assert found == []
    (player,) = players
    assert player.kind is ListKind.CFC
    assert player.facts.id == "900001"
    assert (player.facts.name, str(player.where)) == ("Adams, Example", "tdlist.txt, line 3")
    assert player.facts.cfc == ForeignRating(1510.0, None)
    assert player.facts.fide == ForeignRating(1710.0, None)
    assert player.facts.canadian_resident
    assert player.expires is None, "the CFC's membership is not the US Chess one"


@pytest.mark.parametrize(
    "city", ['"Exampleville', 'Exampleville"', '"Exampleville, the Old, Town"', "Saint-Éxample", '""', ""]
)
def test_the_city_may_be_quoted_in_any_way(city: str) -> None:
    players, found = read(f"900001,2027-01-01,Adams,Example,ON,{city},1510,1600,1490,1500,0,0")
    assert players[0].facts.cfc == ForeignRating(1510.0, None)
    assert players[0].facts.fide is None
    assert found == []


def test_a_quotation_mark_does_not_swallow_the_next_row() -> None:
    players, _ = read(
        '900003,2027-01-01,Clark,Example,ON,"Exampleville,1000,1000,0,0,0,0',
        "900001,2027-01-01,Adams,Example,ON,Exampleville,1510,1600,1490,1500,0,0",
    )
    assert [player.facts.name for player in players] == ["Adams, Example"]


def test_the_older_list_has_no_fide_columns() -> None:
    players, _ = read("900001,2027-01-01,Adams,Example,US,Exampleville,1510,1600,0,0", header=OLD_HEADER)
    assert players[0].facts.cfc == ForeignRating(1510.0, None)
    assert players[0].facts.fide is None
    assert not players[0].facts.canadian_resident


def test_tabs_may_separate_the_columns() -> None:
    row = "900001,2027-01-01,Adams,Example,ON,Exampleville,1510,1600,1490,1500,0,0"
    players, _ = read(row.replace(",", "\t"), header=HEADER.replace(",", "\t"))
    assert players[0].facts.cfc == ForeignRating(1510.0, None)


def test_rows_without_a_person_are_skipped() -> None:
    players, _ = read("900001,,---,---,,,0,0,0,0,0,0", "900001,short")
    assert players == []


@pytest.mark.parametrize("rating", ["0", "", "-", "---", "NULL"])
def test_the_unrated_have_no_rating(rating: str) -> None:
    players, found = read(f"900001,2027-01-01,Adams,Example,ON,Exampleville,{rating},0,0,0,0,0")
    assert (players[0].facts.cfc, found) == (None, [])


@pytest.mark.parametrize("rating", ["15x0", "99", "15001500150015001500"])
def test_what_is_no_rating_is_a_warning(rating: str) -> None:
    players, found = read(f"900001,2027-01-01,Adams,Example,ON,Exampleville,{rating},0,0,0,0,0")
    assert players[0].facts.cfc is None
    assert found == [("listed-rating-unreadable", "tdlist.txt, line 2, Rating")]


def test_other_headers_are_refused() -> None:
    assert looks_like_cfc_tdlist("\ufeff" + HEADER)
    assert not looks_like_cfc_tdlist("id,name,rating")
    with pytest.raises(SourceError) as refused:
        read(header="CFC#,Expiry")
    assert refused.value.finding.code == "list-columns-missing"
