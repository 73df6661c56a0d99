"""FIDE's lists as text."""

from __future__ import annotations

import io
from datetime import date
from typing import TYPE_CHECKING

import pytest

from ratebook.findings import Findings
from ratebook.formats.archive import SourceError
from ratebook.model import ForeignRating
from ratebook.player_lists.fide_text import iter_fide_text, looks_like_fide_text, month_of_name
from ratebook.player_lists.row import ListKind, Search

if TYPE_CHECKING:
    from ratebook.player_lists.row import ListedPlayer

# The header of the combined list, character for character (docs/formats/player-lists.md#fide: columns 1, 16, 77, 81,
# 85, ..., 159).
COMBINED = (
    "ID Number      Name                                                         "
    "Fed Sex Tit  WTit OTit           FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
)
LEGACY = COMBINED.replace("FOA ", "")
SINGLE = (
    "ID Number      Name                                                         "
    "Fed Sex Tit  WTit OTit           FOA OCT26 Gms K  B-day Flag"
)
HEAD = "90000001       Adams, Example                                               USA M   IM        "
OTITLES = "FT,NI          "
REST = "AFM 2310  11  20 2290  0   20 0     0   20 1987      "


def read(
    text: str | bytes, name: str = "players_list_foa.txt", *, number: str = "90000001"
) -> tuple[list[ListedPlayer], list[tuple[str, str]]]:
    findings = Findings()
    data = text if isinstance(text, bytes) else text.encode()
    players = list(iter_fide_text(io.BytesIO(data), name, Search(ids=frozenset({number})), findings))
    return players, [(finding.code, finding.where) for finding in findings.of_file(name)]


def test_the_fixtures_have_the_widths_of_the_real_lists() -> None:
    assert (len(COMBINED), len(LEGACY), len(SINGLE)) == (162, 158, 136)
    assert len(HEAD + OTITLES + REST) == 162


def test_a_row_of_the_combined_list_gives_the_standard_rating() -> None:
    other = "90000002       Baker, Example                                               GER W   "
    players, found = read(f"{COMBINED}\r\n{other:<162}\r\n{HEAD}{OTITLES}{REST}\r\n")
    assert found == []
    (player,) = players
    assert player.kind is ListKind.FIDE
    assert (str(player.where), player.facts.id) == ("players_list_foa.txt, line 3", "90000001")
    assert player.facts.name == "Adams, Example"
    assert player.facts.fide == ForeignRating(2310.0, None)
    assert player.facts.usa_flag
    assert (player.birth_year, player.facts.birth_date, player.facts.adult) == (1987, None, None)
    assert player.expires is None


def test_a_long_list_of_titles_shifts_what_follows() -> None:
    """A real row of 163 characters; the rating would be read as 0 or 23, and the year as 7, without the shift."""
    for titles in ("SI,FI,LSI,SLI,NA", "SI,FI,LSI,SLI,NA,IO,FT"):
        players, found = read(f"{COMBINED}\n{HEAD}{titles}{REST}\n")
        assert players[0].facts.fide == ForeignRating(2310.0, None)
        assert players[0].birth_year == 1987
        assert found == []


def test_trailing_blanks_may_be_missing() -> None:
    players, _ = read(f"{COMBINED}\n{(HEAD + OTITLES + REST).rstrip()}")
    assert (players[0].facts.fide, players[0].birth_year) == (ForeignRating(2310.0, None), 1987)


def test_the_list_without_foa_is_read() -> None:
    players, _ = read(f"{LEGACY}\n{HEAD}{OTITLES}{REST[4:]}\n")
    assert (players[0].facts.fide, players[0].birth_year) == (ForeignRating(2310.0, None), 1987)


def test_a_list_of_one_rating_is_dated_by_its_header() -> None:
    row = HEAD + OTITLES + "    2310  11  20 1987      "
    assert len(row) == 136
    players, found = read(f"{SINGLE}\n{row}\n", "standard_rating_list.txt")
    assert players[0].facts.fide == ForeignRating(2310.0, date(2026, 10, 1))
    assert players[0].birth_year == 1987
    assert found == []
    _, found = read(f"{SINGLE}\n{row}\n", "list.txt")
    assert found == [("fide-list-assumed-standard", "list.txt")]


@pytest.mark.parametrize("name", ["rapid_rating_list.txt", "blitz_oct26frl.zip/list.txt"])
def test_rapid_and_blitz_lists_are_refused(name: str) -> None:
    with pytest.raises(SourceError) as refused:
        read(f"{SINGLE}\n", name)
    assert refused.value.finding.code == "fide-list-not-standard"


def test_the_old_list_with_run_together_titles_is_read() -> None:
    header = "ID number Name                              TitlFed  Mar11 GamesBorn  Flag"
    row = " 9000001  Adams, Example                        IND  1447    0  1995  wi"
    players, _ = read(f"{header}\n{row}\n", "standard_mar11frl.txt", number="9000001")
    assert players[0].facts.fide == ForeignRating(1447.0, date(2011, 3, 1))


def test_zero_is_unrated_and_an_unknown_year() -> None:
    row = HEAD + OTITLES + REST.replace("2310", "0   ").replace("1987", "0   ")
    players, found = read(f"{COMBINED}\n{row}\n")
    assert (players[0].facts.fide, players[0].birth_year, found) == (None, None, [])


def test_what_is_no_rating_is_a_warning() -> None:
    players, found = read(f"{COMBINED}\n{HEAD}{OTITLES}{REST.replace('2310', '23x0')}\n")
    assert players[0].facts.fide is None
    assert found == [("listed-rating-unreadable", "players_list_foa.txt, line 2, standard rating")]


def test_a_name_with_an_accent_is_read_in_both_encodings() -> None:
    row = (HEAD + OTITLES + REST).replace("Adams, Example", "Ádams, Example")
    for encoding in ("utf-8", "latin-1"):
        players, _ = read(f"{COMBINED}\n{row}\n".encode(encoding))
        assert players[0].facts.name == "Ádams, Example"
        assert players[0].facts.fide == ForeignRating(2310.0, None)


@pytest.mark.parametrize("header", ["", "ID Number", "ID Number Name Fed", "Name ID Number SRtng", "id,name"])
def test_other_headers_are_refused(header: str) -> None:
    assert not looks_like_fide_text(header)
    with pytest.raises(SourceError) as refused:
        read(header)
    assert refused.value.finding.code == "list-columns-missing"


def test_the_month_may_stand_in_the_name_of_the_file() -> None:
    assert month_of_name("players.zip/standard_oct26frl.txt") == date(2026, 10, 1)
    assert month_of_name("players_list_foa.txt") is None
