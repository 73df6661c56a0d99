"""Who is who: ids, names and places as lists and reports are compared by."""

from __future__ import annotations

import io
from types import MappingProxyType

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ratebook.findings import Place
from ratebook.formats.archive import SourceError
from ratebook.formats.reading.sheets.lines import LONGEST_LINE, RowCount, lines_of
from ratebook.model import Event, PlayerFacts, Report
from ratebook.player_lists.names import name_key, similarity_keys
from ratebook.player_lists.row import (
    Match,
    clean_name,
    id_key,
    is_member_id,
    orders_of,
    place_of,
    search_for,
    similar_to,
)
from support.builders import entry, section

NAMES = st.lists(
    st.sampled_from(["ADAMS", "Baker", "O'Clark", "de", "la", "É-Davis", "Jr.", "III", "Q", ",", "Łód", "2"]),
    max_size=6,
).map(" ".join)


def report_of(*players: PlayerFacts) -> Report:
    return Report(Event(), MappingProxyType({player.id: player for player in players}), ())


@pytest.mark.parametrize(
    ("text", "key"), [("00012345", "12345"), (" 90000001 ", "90000001"), ("P1", "P1"), ("0", "0")]
)
def test_an_id_has_no_leading_zeros_and_blanks(text: str, key: str) -> None:
    assert id_key(text) == key


@pytest.mark.parametrize(
    ("text", "member"),
    [("90000001", True), ("00000000", False), ("9000001", False), ("seat-3", False), ("٩٠٠٠٠٠٠١", False)],
)
def test_a_member_id_has_eight_digits(text: str, *, member: bool) -> None:
    assert is_member_id(text) is member


def test_the_letters_of_a_name_are_known_in_every_order() -> None:
    assert set(orders_of("ann de example")) == {b"anndeexample", b"deexampleann", b"exampleannde"}
    assert b"examplejrann" in set(orders_of("ann example jr"))


@given(names=st.lists(NAMES, max_size=4), listed=NAMES)
def test_the_quick_look_at_letters_misses_no_name(names: list[str], listed: str) -> None:
    """Two suffixes in one name are the exception that is not worth the time."""
    assume(listed.count("Jr.") + listed.count("III") < 2)
    search = search_for(report_of(*(PlayerFacts(f"P{at}", name) for at, name in enumerate(names))))
    assert (search.match("", listed) is Match.WANTED) is (name_key(listed) in search.names)


def test_a_row_is_wanted_for_its_number_or_its_name() -> None:
    search = search_for(report_of(PlayerFacts("90000001", "ADAMS, EXAMPLE"), PlayerFacts("P2")))
    assert search.match("90000001", "BAKER, EXAMPLE") is Match.WANTED
    assert search.match("  090000001", "") is Match.WANTED
    assert search.match("90000009", "Example Adams") is Match.WANTED
    assert search.match("90000009", "Éxample Adams") is Match.WANTED
    assert search.match("90000009", "BAKER, EXAMPLE") is Match.NONE
    assert search.match("", "") is Match.NONE


def test_similar_names_share_a_name_and_the_beginning_of_the_other() -> None:
    search = similar_to(["ADAMS, EXAMPLE"])
    assert search.match("90000009", "ADAMS, ELLA") is Match.SIMILAR
    assert search.match("90000009", "ADLER, EXAMPLE") is Match.SIMILAR
    assert search.match("90000009", "BAKER, EXAMPLE") is Match.NONE
    assert similarity_keys("adams") == ()
    assert similarity_keys("example adams jr") == ("adams e", "example ad")


def test_a_name_is_shown_on_one_line_without_control_characters() -> None:
    assert clean_name("  ADAMS,\n EX\x1bAMPLE ") == "ADAMS, EXAMPLE"


def test_lines_are_utf8_or_latin1_each_by_itself() -> None:
    data = "É\n".encode() + "É\r\n\n".encode("latin-1") + b"last"
    assert list(lines_of(io.BytesIO(data), "list")) == ["É", "É\r", "", "last"]
    assert list(lines_of(io.BytesIO("É\nÈ\n".encode()), "list")) == ["É", "È"]
    assert list(lines_of(io.BytesIO(b""), "list")) == []


def test_lines_are_put_together_from_pieces() -> None:
    lines = ["x" * (number % 997) for number in range(1_000)]
    assert list(lines_of(io.BytesIO("\n".join(lines).encode()), "list")) == lines


def test_a_line_without_end_is_refused() -> None:
    with pytest.raises(SourceError) as refused:
        list(lines_of(io.BytesIO(b"header\n" + b"x" * 2 * LONGEST_LINE), "list"))
    assert refused.value.finding.code == "list-line-too-long"
    assert refused.value.finding.where == "list, line 2"


def test_lines_that_never_make_a_row_are_refused() -> None:
    with pytest.raises(SourceError) as refused:
        list(lines_of(io.BytesIO(b"x\n" * LONGEST_LINE), "list", RowCount()))
    assert refused.value.finding.code == "list-line-too-long"


def test_places_name_sections_and_seats() -> None:
    played = section([entry(1, "", "A"), entry(2, "", "B"), entry(7, "", "C")])
    later = section([entry(3, "", "B")], number=2)
    players = {key: PlayerFacts(key) for key in "ABCD"}
    report = Report(Event(), players, (played, later))
    assert place_of(report, ["A"]) == Place(section=1, seats=(1,))
    assert place_of(report, ["A", "C"]) == Place(section=1, seats=(1, 7))
    assert place_of(report, ["B", "C"]) == Place(players=("B", "C"))
    assert place_of(report, ["D"]) == Place(players=("D",))
    assert place_of(report, ["A", "D"]) == Place(players=("A", "D"))
