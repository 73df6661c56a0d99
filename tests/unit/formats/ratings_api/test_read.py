"""Standings of the ratings API: one page or several, alone or with the details of section and event."""

from __future__ import annotations

from datetime import date

import pytest

from ratebook.findings import Severity
from ratebook.formats.contract import Hints
from ratebook.model import Cell, Event, ForeignRating, Rating, SectionType, System
from unit.formats.ratings_api.standings import (
    DAY,
    EVENT,
    HINTS,
    SECTION,
    Values,
    codes,
    outcome,
    page,
    player,
    rating,
    read,
    report_of,
    two_players,
)


def test_one_page_gives_seats_results_and_ratings_with_their_decimals() -> None:
    result = read(page(*two_players()))
    assert result.report is not None
    (section,) = result.report.sections
    assert section[:7] == (1, "", DAY, DAY, "G/90;d5", SectionType.OTHER, False)
    assert [(entry.seat, entry.player, entry.rounds) for entry in section.entries] == [
        (1, "90000001", (Cell("W", 2, "w"), Cell("H"))),
        (2, "90000002", (Cell("L", 1, "b"), Cell("U"))),
    ]
    first, second = result.report.players.values()
    assert first.name == "ADAMS, EXAMPLE Q."
    # 12 provisional games after one rated game were 11 before; null means established.
    assert dict(first.ratings) == {System.REGULAR: Rating(634.81), System.QUICK: Rating(600.5, 11)}
    assert dict(second.ratings) == {System.QUICK: Rating(700.0)}
    assert result.published == {
        (1, 1, System.REGULAR): 650.25,
        (1, 1, System.QUICK): 612.75,
        (1, 2, System.REGULAR): 412.5,
        (1, 2, System.QUICK): 690.0,
    }
    (only,) = result.findings
    assert (only.code, only.severity, only.where) == ("games-missing", Severity.NOTE, "section 1")
    assert only.message.startswith("2 players")


def test_details_of_section_and_event_say_what_the_standings_do_not() -> None:
    result = read(EVENT, SECTION, page(*two_players()), hints=Hints())
    assert result.report is not None
    assert result.report.event == Event(
        "202611140001",
        "AUTUMN OPEN",
        date(2026, 11, 13),
        date(2026, 11, 15),
        "EXAMPLEVILLE",
        "NY",
        "USA",
        "A9000001",
    )
    (section,) = result.report.sections
    assert section[:7] == (3, "OPEN", date(2026, 11, 13), DAY, "G/60;d5", SectionType.SWISS, False)
    assert (3, 1, System.REGULAR) in result.published
    assert (result.stated_rounds, result.stated_systems) == ({3: 2}, {3: "D"})
    assert [finding.code for finding in result.findings] == ["games-missing"]


def test_the_pieces_may_stand_in_one_object_in_any_number_of_sections() -> None:
    first = {"event": EVENT, "section": SECTION, "standings": page(*two_players())}
    second = {"event": EVENT, "section": {**SECTION, "number": 1}, "standings": [page(*two_players())]}
    report = report_of([first, second], hints=Hints())
    assert [section.number for section in report.sections] == [1, 3]
    assert report_of(first, second, hints=Hints()) == report
    whole = {"event": EVENT, "sections": [{**first, "event": None}, {**second, "event": None}]}
    assert report_of(whole, hints=Hints()) == report
    assert report_of({"section": SECTION, "standings": two_players()}).sections[0].number == 3


def test_pages_make_one_section_whichever_way_they_are_given() -> None:
    first, second = two_players()
    report = report_of(page(first, second))
    assert report_of([first, second]) == report
    assert report_of([page(first, more=True), page(second, offset=1)]) == report
    assert report_of(page(first, more=True), page(second, offset=1)) == report
    assert report_of({"standings": [page(first, more=True), page(second, offset=1)]}) == report


def test_a_missing_page_is_a_warning() -> None:
    first, second = two_players()
    assert codes(page(first, more=True)) == ["page-missing", "games-missing"]
    assert "page-missing" in codes({"standings": page(first, second, more=True)})
    assert "page-missing" in codes(SECTION, page(first), hints=Hints(DAY, DAY))


@pytest.mark.parametrize(
    ("name", "letter"),
    [
        ("Win", "W"),
        ("Loss", "L"),
        ("Draw", "D"),
        ("WinAsym", "N"),
        ("LossAsym", "S"),
        ("DrawAsym", "R"),
        ("WinForfeit", "X"),
        ("Forfeit", "F"),
        ("DrawForfeit", "Z"),
        ("ByeFull", "B"),
        ("ByeHalf", "H"),
        ("Unpaired", "U"),
        ("ReportNoResult", "U"),
        ("NotReported", ""),
    ],
)
def test_every_outcome_has_its_letter(name: str, letter: str) -> None:
    one = player(1, outcome(1, name, 2, "Black"), outcome(2, name))
    report = report_of([one, player(2)])
    expected = Cell(letter, 2 if letter in "WLDNSRXFZ" else None, "b") if letter else Cell()
    assert report.sections[0].entries[0].rounds == (expected, Cell(letter))


def test_rounds_that_nobody_reported_are_empty_and_the_details_count_them() -> None:
    details: Values = {**SECTION, "roundCount": 4}
    report = report_of({"section": details, "standings": [player(1, outcome(2, "ByeFull")), player(2)]})
    assert [entry.rounds for entry in report.sections[0].entries] == [
        (Cell(), Cell("B"), Cell(), Cell()),
        (Cell(),) * 4,
    ]


def test_ordinals_are_the_seats_where_not_every_player_has_a_pairing_number() -> None:
    first, second = two_players()
    first["pairingNumber"] = None
    # The opponent of seat 12 is named by pairing number only, that of seat 11 by ordinal.
    second["roundOutcomes"][0]["opponentOrdinal"] = 11
    first["roundOutcomes"][0]["opponentOrdinal"] = None
    report = report_of([first, second])
    assert [(entry.seat, entry.rounds[0]) for entry in report.sections[0].entries] == [
        (11, Cell("W", 12, "w")),
        (12, Cell("L", 11, "b")),
    ]


def test_opponents_that_only_the_ordinal_names_are_found_by_it() -> None:
    first, second = two_players()
    for values in (first, second):
        values["roundOutcomes"][0]["opponentPairingNumber"] = None
    report = report_of([first, second])
    assert [entry.rounds[0] for entry in report.sections[0].entries] == [Cell("W", 2, "w"), Cell("L", 1, "b")]


@pytest.mark.parametrize(
    ("record", "expected", "published"),
    [
        ({"preRating": 1500, "postRating": 1510}, Rating(1500), 1510),
        # Old sections have decimals of 0 beside the rating.
        (
            {"preRating": 1500, "preRatingDecimal": 0, "postRating": 100, "postRatingDecimal": 0},
            Rating(1500),
            100,
        ),
        ({"preRatingDecimal": 1500.25, "postRatingDecimal": 1501.5}, Rating(1500.25), 1501.5),
        ({"preRating": None, "preRatingDecimal": 1500.25, "postRating": 1501}, None, 1501),
        ({"preRating": 0, "postRating": None}, None, None),
        ({"preRating": 1500, "postProvisionalGameCount": 25}, Rating(1500, 23), None),
        ({"preRating": 1500, "postProvisionalGameCount": 2}, Rating(1500, 0), None),
        ({"preRating": 1500, "postProvisionalGameCount": 1}, Rating(1500, 0), None),
        ({"preRating": 1500, "ratingSystem": None, "ratingSource": "R"}, None, None),
    ],
)
def test_ratings_before_and_after(record: Values, expected: Rating | None, published: float | None) -> None:
    system: Values = {} if "ratingSource" in record else {"ratingSystem": "R"}
    games = (outcome(1, "Win", 2), outcome(2, "Draw", 2), outcome(3, "WinForfeit", 2))
    result = read([player(1, *games, ratings=[{**record, **system}]), player(2)])
    if "ratingSource" in record:
        assert "type-wrong" in [finding.code for finding in result.findings]
        return
    assert result.report is not None
    assert result.report.players["90000001"].ratings.get(System.REGULAR) == expected
    assert result.published.get((1, 1, System.REGULAR)) == published


def test_the_key_of_older_answers_names_the_system_too() -> None:
    report = report_of([player(1, ratings=[{"ratingSource": "OQ", "preRating": 900}]), player(2)])
    assert dict(report.players["90000001"].ratings) == {System.ONLINE_QUICK: Rating(900)}
    assert report.sections[0].online


def test_ratings_of_other_federations_are_left_out_and_the_fide_rating_is_kept() -> None:
    player_abroad = player(
        1, ratings=[{"ratingSystem": "CFC", "preRating": 900}], fideRating=1480, fideCountry="USA", fideId="1"
    )
    known = report_of([player_abroad, player(2)]).players
    assert known["90000001"].ratings == {}
    assert (known["90000001"].fide, known["90000001"].usa_flag) == (ForeignRating(1480), True)
    assert (known["90000002"].fide, known["90000002"].usa_flag) == (None, False)


def test_an_online_section_is_told_by_its_details() -> None:
    assert report_of({"section": {"isOnline": True}, "standings": two_players()}).sections[0].online
    assert report_of({"section": {"ratingSystem": "OB"}, "standings": two_players()}).sections[0].online
    assert not report_of({"section": {"ratingSystem": "D"}, "standings": two_players()}).sections[0].online


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Swiss", SectionType.SWISS),
        ("DoubleRoundSwiss", SectionType.SWISS),
        ("Match", SectionType.MATCH),
        ("RoundRobin", SectionType.ROUND_ROBIN),
        ("DoubleRoundRobin", SectionType.ROUND_ROBIN),
        ("Other", SectionType.OTHER),
        ("FideAdjustment", SectionType.FIDE),
    ],
)
def test_every_format_has_its_type(name: str, kind: SectionType) -> None:
    details: Values = {**SECTION, "format": name}
    (section,) = report_of({"section": details, "standings": two_players()}).sections
    assert section.type is kind
    assert [entry.update for entry in section.entries] == [kind is SectionType.FIDE] * 2


def test_a_member_id_may_be_a_number_or_unknown() -> None:
    one, two = two_players()
    one["memberId"], two["memberId"] = 90000007, None
    report = report_of([one, two])
    assert list(report.players) == ["90000007", "seat-2"]


def test_a_player_of_two_sections_keeps_the_rating_before_the_first() -> None:
    parts = [
        {
            "section": {"number": number},
            "standings": [player(1, ratings=[rating("R", before, after, 20)]), player(2)],
        }
        for number, before, after in ((2, 1510.0, 1520.0), (1, 1500.0, 1510.0))
    ]
    result = read(parts)
    assert result.report is not None
    assert result.report.players["90000001"].ratings[System.REGULAR].rating == 1500.0
    assert [finding.code for finding in result.findings] == []
    parts[0]["standings"][0]["ratings"][0] = rating("R", 1700.0, 1710.0, 20)  # type: ignore[index]
    assert codes(parts) == ["rating-before-differs"]


def test_what_the_pieces_do_not_say_names_the_options() -> None:
    found = {finding.code: finding for finding in read(two_players(), hints=Hints()).findings}
    assert {"end-missing", "time-control-missing"} <= set(found)
    assert "--end" in found["end-missing"].remedy
    assert found["end-missing"].where == "section 1"
    assert "start-missing" in codes(two_players(), hints=Hints(end=DAY, time_control="G/60"))


def test_options_that_the_pieces_answer_are_named() -> None:
    found = {one.code: one for one in read(EVENT, SECTION, two_players(), hints=HINTS).findings}
    assert "--start, --end, --time-control." in found["option-unused"].message


def test_one_of_several_events_is_chosen_by_its_id() -> None:
    other: Values = {**EVENT, "id": "202601010001", "name": "OTHER"}
    parts = [{"event": EVENT, "standings": two_players()}, {"event": other, "standings": two_players()[:1]}]
    assert codes(parts) == ["several-events"]
    report = report_of(parts, hints=HINTS._replace(event="202601010001"))
    assert (report.event.name, len(report.sections), len(report.players)) == ("OTHER", 1, 1)
    assert codes(parts, hints=HINTS._replace(event="1")) == ["event-unknown"]


def test_words_are_no_ids_and_two_names_of_one_id_in_a_section_are_an_error() -> None:
    first, second = two_players()
    words = read(page({**first, "memberId": "new"}, {**second, "memberId": "new"}))
    assert words.report is not None
    assert list(words.report.players) == ["seat-1", "seat-2"]
    assert [one.code for one in words.findings].count("id-placeholder") == 2
    names = read(page(first, {**second, "memberId": "90000001", "lastName": "BAKER"}))
    assert ("member-names-differ", "section 1, seat 2") in [(one.code, one.where) for one in names.findings]
