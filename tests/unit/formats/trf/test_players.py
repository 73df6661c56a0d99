"""Reading FIDE tournament report files: ids, ratings and birth dates."""

from __future__ import annotations

from datetime import date

import pytest

from ratebook.findings import Severity
from ratebook.formats.contract import Hints, ParsedReport
from ratebook.model import Cell, ForeignRating, SectionType
from support.builders import paired_by
from unit.formats.trf.files import PLAYERS, QUAD, TOURNAMENT, codes, in_columns, national, parse, player


def test_a_us_record_brings_the_id_and_the_rating_for_pairing() -> None:
    result = parse(*QUAD, national(2, rating="1650", number="   90000002"), national(1, number="90000009"))
    assert result.report is not None
    assert [entry.player for entry in result.report.sections[0].entries] == [
        "90000009",
        "90000002",
        "seat-3",
        "seat-4",
    ]
    assert paired_by(result.report) == {"90000002": 1650.0}
    assert result.report.players["90000002"].fide == ForeignRating(1480.0)
    assert result.report.players["90000002"].ratings == {}


def test_a_us_record_may_stand_before_the_player_and_give_name_and_birth_date() -> None:
    lines = (*TOURNAMENT, national(5, number="90000005", name="EVANS EXAMPLE", born="1999/12/31"), *PLAYERS)
    result = parse(*lines, player(5, ""))
    assert result.report is not None
    evans = result.report.players["90000005"]
    assert (evans.name, evans.birth_date) == ("EVANS EXAMPLE", date(1999, 12, 31))


def test_a_canadian_record_brings_the_cfc_rating() -> None:
    report = parse(*QUAD, national(2, tag="CAN", rating="1500")).report
    assert report is not None
    assert report.players["seat-2"].cfc == ForeignRating(1500.0)


def test_other_national_records_are_named_once() -> None:
    result = parse(*QUAD, national(1, tag="GER", rating="1500"), national(2, tag="FRA", rating="1500"))
    (found,) = [finding for finding in result.findings if finding.code == "national-ratings-ignored"]
    assert "FRA, GER" in found.message


def test_a_national_record_without_a_player_is_a_warning() -> None:
    assert "national-record-alone" in codes(parse(*QUAD, national(9, rating="1500")))


def test_a_second_national_record_of_a_seat_is_a_warning_and_the_first_holds() -> None:
    result = parse(*QUAD, national(2, rating="1500"), national(2, rating="1600"))
    assert "record-twice" in codes(result)
    assert paired_by(result.report) == {"seat-2": 1500.0}


@pytest.mark.parametrize(
    ("line", "name", "pairing"),
    [
        ("USA    5", "", {}),
        ("USA    5 w", "", {}),
        ("USA    5      EVANS", "EVANS", {}),
        ("USA 5         EVANS", "EVANS", {}),
        (in_columns((1, "USA"), (5, "0005"), (49, "980")), "", {"seat-5": 980.0}),
        (in_columns((1, "USA"), (5, "   5"), (49, " 980"), (58, "90000005   ")), "", {"90000005": 980.0}),
    ],
)
def test_a_national_record_may_end_behind_any_field(line: str, name: str, pairing: dict[str, float]) -> None:
    result = parse(*QUAD, player(5, ""), line)
    assert result.report is not None
    assert result.report.players[next(iter(pairing), "seat-5")].name == name
    assert paired_by(result.report) == pairing


@pytest.mark.parametrize("seat", ["1   ", "01  ", "  1 ", "0001"])
def test_a_starting_rank_may_stand_anywhere_in_its_columns(seat: str) -> None:
    line = in_columns((1, "001"), (5, seat), (15, "ADAMS EXAMPLE"), (49, "1500"), (92, "0000 - H"))
    report = parse(*TOURNAMENT, line).report
    assert report is not None
    (entry,) = report.sections[0].entries
    assert (entry.seat, report.players[entry.player].name, entry.rounds) == (1, "ADAMS EXAMPLE", (Cell("H"),))
    assert report.players[entry.player].fide == ForeignRating(1500.0)


def test_ids_of_zeros_are_none() -> None:
    report = parse(*QUAD, national(3, number="00000000")).report
    assert report is not None
    assert report.sections[0].entries[2].player == "seat-3"


def test_tornelo_lines_bring_us_chess_ids() -> None:
    report = parse(*QUAD, "DAT    2 ID:USCF 90000002", "DAT    3 ID:FOO 7").report
    assert report is not None
    assert [entry.player for entry in report.sections[0].entries][1:3] == ["90000002", "seat-3"]


def test_a_fide_number_is_no_id_even_where_it_is_the_us_chess_id_of_another() -> None:
    result = parse(*QUAD, national(2, number="90000001"))
    assert result.report is not None
    players = result.report.players
    assert [(key, one.fide_id) for key, one in players.items()][:2] == [
        ("seat-1", "90000001"),
        ("90000001", "2600002"),
    ]


def test_one_fide_number_at_two_seats_is_one_person_and_another_name_there_is_an_error() -> None:
    other = parse(*QUAD, player(5, "EVANS EXAMPLE", number="90000001"))
    assert [one.where for one in other.findings if one.severity is Severity.ERROR] == ["seat 5"]
    assert {one.code for one in other.findings if one.severity is Severity.ERROR} == {"member-names-differ"}
    numbers = [player(5, "ADAMS, EXAMPLE", number="90000001"), player(6, "Example, Adams", number="90000001")]
    result = parse(*QUAD, *numbers)
    assert result.report is not None
    assert [entry.player for entry in result.report.sections[0].entries[4:]] == ["seat-1", "seat-1"]
    assert "member-names-differ" not in {one.code for one in result.findings}


def test_an_id_made_of_the_seat_is_nobody_elses() -> None:
    report = parse(*QUAD, national(2, number="seat-3")).report
    assert report is not None
    assert len({entry.player for entry in report.sections[0].entries}) == 4


@pytest.mark.parametrize(
    ("rating", "code"), [("12", "rating-not-used"), ("9999", "rating-not-used"), ("16x0", "rating-not-used")]
)
def test_what_is_no_rating_is_a_warning_and_not_used(rating: str, code: str) -> None:
    result = parse(*QUAD, player(5, "EVANS EXAMPLE", rating=rating), national(1, rating=rating))
    assert codes(result).count(code) == 2
    assert result.report is not None
    assert result.report.players["seat-5"].fide is None
    assert paired_by(result.report) == {}


def test_a_fide_number_with_letters_is_a_warning() -> None:
    result = parse(*QUAD, player(5, "EVANS EXAMPLE", number="12x4"))
    assert "fide-number-unreadable" in codes(result)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("1980/02/29", date(1980, 2, 29)),
        ("1980-02-29", date(1980, 2, 29)),
        ("29.02.1980", date(1980, 2, 29)),
        ("0000/00/00", None),
        ("    /  /  ", None),
    ],
)
def test_birth_dates(text: str, day: date | None) -> None:
    lines = [line for line in QUAD if "Clark" not in line]
    result = parse(*lines, player(3, "EVANS EXAMPLE", born=text))
    assert set(codes(result)) <= {"opponent-missing"}
    assert result.report is not None
    assert result.report.players["seat-3"].birth_date == day


@pytest.mark.parametrize("text", ["1990/00/00", "1990", "1990/  /  ", "1990-00-00"])
def test_a_birth_year_alone_is_a_note_and_not_used(text: str) -> None:
    result = parse(*QUAD, player(5, "EVANS EXAMPLE", born=text))
    (found,) = [finding for finding in result.findings if finding.code == "birth-year-only"]
    assert found.message == (
        "2 birth dates give only the year: they are not used, and left out of what is written (seats 3, 5)."
    )


@pytest.mark.parametrize(
    "text", ["1990/02/30", "80/02/01", "02/03/1980", "unknown", "2026-W46-6", "1066/10/14"]
)
def test_a_birth_date_that_cannot_be_is_a_warning_that_does_not_show_it(text: str) -> None:
    result = parse(*QUAD, player(5, "EVANS EXAMPLE", born=text))
    (found,) = [finding for finding in result.findings if finding.code == "birth-date-unreadable"]
    assert text not in found.message
    assert result.report is not None


def test_a_birth_date_after_the_event_is_an_error() -> None:
    assert "birth-date-after-event" in codes(parse(*QUAD, player(5, "EVANS EXAMPLE", born="2026/11/16")))


NATIONAL = (
    player(1, "ADAMS EXAMPLE", "   2 w 1", rating=" 408", federation="NGR"),
    player(2, "BAKER EXAMPLE", "   1 b 0", rating="1608", federation="NGR"),
    player(3, "CLARK EXAMPLE", rating="1999", federation="NGR", number="    8500002"),
)


def national_event(end: str, ratings: str | None = None) -> ParsedReport:
    kept = [line for line in TOURNAMENT if line[:3] in {"012", "122"}]
    return parse(*kept, "042 " + end, "052 " + end, *NATIONAL, hints=Hints(ratings=ratings))


@pytest.mark.parametrize(
    ("ratings", "alone"),
    [(None, "FIDE ratings: ADAMS EXAMPLE NGR 408; BAKER EXAMPLE NGR 1608."), ("fide", ""), ("pairing", "")],
)
def test_ratings_without_a_fide_number_are_named(ratings: str | None, alone: str) -> None:
    messages = {one.code: one.message for one in national_event("2026/11/15", ratings).findings}
    assert alone in messages.get("fide-number-missing", "")
    assert ("fide-number-missing" in messages) == bool(alone)


def test_ratings_for_pairing_are_no_fide_ratings() -> None:
    report = national_event("2026/11/15", "pairing").report
    assert report is not None
    assert [(one.fide, one.pairing_rating) for one in report.players.values()] == [
        (None, 408.0),
        (None, 1608.0),
        (None, 1999.0),
    ]


def test_a_letter_that_is_no_sex_is_a_note() -> None:
    result = parse(*TOURNAMENT, player(1, "ADAMS", sex_and_title="q"), player(2, "BAKER", sex_and_title="w"))
    (note,) = [one for one in result.findings if one.code == "sex-not-taken"]
    assert (note.severity, "'q'" in note.message) == ("note", True)


def test_a_word_in_the_place_of_an_id_is_no_id() -> None:
    result = parse(*QUAD, national(1, number="NEW"), national(2, number="NEW"), national(3, number="000"))
    assert result.report is not None
    entries = result.report.sections[0].entries
    assert [entry.player for entry in entries] == ["seat-1", "seat-2", "seat-3", "seat-4"]
    assert codes(result).count("id-placeholder") == 2


@pytest.mark.parametrize(
    ("hints", "noted"),
    [
        (Hints(), ["2 ratings of the report were taken as FIDE ratings"]),
        (Hints(ratings="pairing"), []),
        (Hints(ratings="fide"), []),
        (Hints(type=SectionType.FIDE), []),
    ],
)
def test_how_ratings_were_taken_is_said_once_unless_the_user_says_it(hints: Hints, noted: list[str]) -> None:
    notes = [one.message for one in parse(*QUAD, hints=hints).findings if one.code == "fide-ratings-taken"]
    assert [message.partition(",")[0] for message in notes] == noted
