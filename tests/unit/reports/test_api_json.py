"""Standings of the ratings API: one page or several, alone or with the details of section and event."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratebook.model import Cell, Event, ForeignRating, Rating, Report, SectionType, System
from ratebook.problems import Severity, has_errors
from ratebook.reports import native_json
from ratebook.reports.api_json import looks_like, parse
from ratebook.reports.parsed import Hints, ParsedReport
from ratebook.reports.source import Source, SourceFile
from report_strategies import reports

Values = dict[str, Any]

DAY = date(2026, 11, 14)
HINTS = Hints(DAY, DAY, "G/90;d5")


def outcome(number: int, result: str, opponent: int | None = None, color: str = "Unknown") -> Values:
    return {
        "id": f"01-{number}",
        "roundNumber": number,
        "outcome": result,
        "color": color,
        "opponentOrdinal": None if opponent is None else opponent + 10,
        "opponentPairingNumber": opponent,
    }


def player(seat: int, *outcomes: Values, **more: object) -> Values:
    return {
        "ordinal": seat + 10,
        "pairingNumber": seat,
        "playerId": f"01-{seat}",
        "memberId": f"9000000{seat}",
        "firstName": "EXAMPLE Q.",
        "lastName": "ADAMS",
        "stateRep": "NY",
        "score": 1.5,
        "roundOutcomes": list(outcomes),
        "ratings": [],
        **more,
    }


def rating(system: str, before: float | None, after: float | None, provisional: int | None) -> Values:
    return {
        "preRating": None if before is None else round(before),
        "preRatingDecimal": before,
        "postRating": None if after is None else round(after),
        "postRatingDecimal": after,
        "ratingSystem": system,
        "postProvisionalGameCount": provisional,
    }


def page(*players: Values, more: bool = False, offset: int = 0) -> Values:
    return {
        "items": list(players),
        "offset": offset,
        "pageSize": 100,
        "hasPreviousPage": offset > 0,
        "hasNextPage": more,
    }


def two_players() -> list[Values]:
    return [
        player(
            1,
            outcome(1, "Win", 2, "White"),
            outcome(2, "ByeHalf"),
            ratings=[rating("R", 634.81, 650.25, None), rating("Q", 600.5, 612.75, 12)],
        ),
        player(
            2,
            outcome(1, "Loss", 1, "Black"),
            outcome(2, "Unpaired"),
            ratings=[rating("R", None, 412.5, 1), rating("Q", 700.0, 690.0, None)],
        ),
    ]


SECTION: Values = {
    "number": 3,
    "name": "OPEN",
    "playerCount": 2,
    "gameCount": 1,
    "roundCount": 2,
    "startDate": "2026-11-13",
    "endDate": "2026-11-14",
    "format": "Swiss",
    "timeControl": "G/60;d5",
    "ratingSystem": "D",
    "isOnline": False,
    "volunteers": [],
}
EVENT: Values = {
    "id": "202611140001",
    "name": "AUTUMN OPEN",
    "startDate": "2026-11-13",
    "endDate": "2026-11-15T00:00:00",
    "affiliate": {"id": "A9000001", "name": "EXAMPLE CLUB"},
    "sectionCount": 1,
    "stateCode": "NY",
    "city": "EXAMPLEVILLE",
    "countryCode": "USA",
    "sections": [],
}


def source_of(*values: object) -> Source:
    files = [
        SourceFile(f"{number}.json", value if isinstance(value, bytes) else json.dumps(value).encode())
        for number, value in enumerate(values, start=1)
    ]
    return Source(files[0].name if len(files) == 1 else "folder", tuple(files))


def read(*values: object, hints: Hints = HINTS) -> ParsedReport:
    return parse(source_of(*values), hints)


def report_of(*values: object, hints: Hints = HINTS) -> Report:
    result = read(*values, hints=hints)
    assert result.report is not None, result.problems
    return result.report


def codes(*values: object, hints: Hints = HINTS) -> list[str]:
    return [problem.code for problem in read(*values, hints=hints).problems]


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
    (only,) = result.problems
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
    assert [problem.code for problem in result.problems] == ["games-missing"]


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
    one, two = two_players()
    report = report_of(page(one, two))
    assert report_of([one, two]) == report
    assert report_of([page(one, more=True), page(two, offset=1)]) == report
    assert report_of(page(one, more=True), page(two, offset=1)) == report
    assert report_of({"standings": [page(one, more=True), page(two, offset=1)]}) == report


def test_a_missing_page_is_a_warning() -> None:
    one, two = two_players()
    assert codes(page(one, more=True)) == ["page-missing", "games-missing"]
    assert "page-missing" in codes({"standings": page(one, two, more=True)})
    assert "page-missing" in codes(SECTION, page(one), hints=Hints(DAY, DAY))


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
    one, two = two_players()
    one["pairingNumber"] = None
    # The opponent of seat 12 is named by pairing number only, that of seat 11 by ordinal.
    two["roundOutcomes"][0]["opponentOrdinal"] = 11
    one["roundOutcomes"][0]["opponentOrdinal"] = None
    report = report_of([one, two])
    assert [(entry.seat, entry.rounds[0]) for entry in report.sections[0].entries] == [
        (11, Cell("W", 12, "w")),
        (12, Cell("L", 11, "b")),
    ]


def test_opponents_that_only_the_ordinal_names_are_found_by_it() -> None:
    one, two = two_players()
    for values in (one, two):
        values["roundOutcomes"][0]["opponentPairingNumber"] = None
    report = report_of([one, two])
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
        assert "type-wrong" in [problem.code for problem in result.problems]
        return
    assert result.report is not None
    assert result.report.players["90000001"].ratings.get(System.REGULAR) == expected
    assert result.published.get((1, 1, System.REGULAR)) == published


def test_the_key_of_older_answers_names_the_system_too() -> None:
    report = report_of([player(1, ratings=[{"ratingSource": "OQ", "preRating": 900}]), player(2)])
    assert dict(report.players["90000001"].ratings) == {System.ONLINE_QUICK: Rating(900)}
    assert report.sections[0].online


def test_ratings_of_other_federations_are_left_out_and_the_fide_rating_is_kept() -> None:
    one = player(
        1, ratings=[{"ratingSystem": "CFC", "preRating": 900}], fideRating=1480, fideCountry="USA", fideId="1"
    )
    known = report_of([one, player(2)]).players
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
    assert [problem.code for problem in result.problems] == []
    parts[0]["standings"][0]["ratings"][0] = rating("R", 1700.0, 1710.0, 20)  # type: ignore[index]
    assert codes(parts) == ["rating-before-differs"]


def test_what_the_pieces_do_not_say_names_the_options() -> None:
    found = {problem.code: problem for problem in read(two_players(), hints=Hints()).problems}
    assert {"end-missing", "time-control-missing"} <= set(found)
    assert "--end" in found["end-missing"].remedy
    assert found["end-missing"].where == "section 1"
    assert "start-missing" in codes(two_players(), hints=Hints(end=DAY, time_control="G/60"))


def test_options_that_the_pieces_answer_are_named() -> None:
    found = {one.code: one for one in read(EVENT, SECTION, two_players(), hints=HINTS).problems}
    assert "--start, --end, --time-control." in found["option-unused"].message


def test_one_of_several_events_is_chosen_by_its_id() -> None:
    other: Values = {**EVENT, "id": "202601010001", "name": "OTHER"}
    parts = [{"event": EVENT, "standings": two_players()}, {"event": other, "standings": two_players()[:1]}]
    assert codes(parts) == ["several-events"]
    report = report_of(parts, hints=HINTS._replace(event="202601010001"))
    assert (report.event.name, len(report.sections), len(report.players)) == ("OTHER", 1, 1)
    assert codes(parts, hints=HINTS._replace(event="1")) == ["event-unknown"]


RATING = "section 1, seat 1, rating 1"


def changed(change: dict[str, object], **of_player: object) -> list[Values]:
    """Return two players of whom the first has other values, and another outcome if *change* says so."""
    one, two = two_players()
    one["roundOutcomes"][0].update(change)
    one.update(of_player)
    return [one, two]


@pytest.mark.parametrize(
    ("values", "code", "where"),
    [
        (changed({"outcome": "Won"}), "outcome-unknown", "section 1, seat 1, outcome 1, outcome"),
        (changed({"outcome": None}), "outcome-unknown", "section 1, seat 1, outcome 1, outcome"),
        (changed({"outcome": []}), "outcome-unknown", "section 1, seat 1, outcome 1, outcome"),
        (changed({"color": "Grey"}), "colour-unreadable", "section 1, seat 1, outcome 1, color"),
        (changed({"roundNumber": "1"}), "type-wrong", "section 1, seat 1, outcome 1, roundNumber"),
        (changed({"roundNumber": 100}), "type-wrong", "section 1, seat 1, outcome 1, roundNumber"),
        (changed({"roundNumber": 2}), "round-twice", "section 1, seat 1, round 2"),
        (changed({"opponentPairingNumber": 1.5}), "type-wrong", "section 1, seat 1, outcome 1, opponentPairingNumber"),
        (changed({}, roundOutcomes={}), "type-wrong", "section 1, seat 1, roundOutcomes"),
        (changed({}, roundOutcomes=[1]), "type-wrong", "section 1, seat 1, outcome 1"),
        (changed({}, ratings={}), "type-wrong", "section 1, seat 1, ratings"),
        (changed({}, ratings=[1]), "type-wrong", "section 1, seat 1, ratings"),
        (changed({}, ratings=[{"preRating": 1}]), "type-wrong", f"{RATING}, ratingSystem"),
        (changed({}, ratings=[rating("R", 99.0, None, None)]), "rating-out-of-range", f"{RATING}, preRating"),
        (changed({}, ratings=[rating("R", 1500.0, 1e9, None)]), "rating-out-of-range", f"{RATING}, postRating"),
        (changed({}, ratings=[{"ratingSystem": "R", "preRating": "1500"}]), "type-wrong", f"{RATING}, preRating"),
        (changed({}, ratings=[rating("R", 900.0, None, -1)]), "type-wrong", f"{RATING}, postProvisionalGameCount"),
        (changed({}, ratings=[rating("R", 900.0, None, None)] * 2), "rating-twice", "section 1, seat 1, regular"),
        (changed({}, lastName=1.5), "type-wrong", "section 1, seat 1, lastName"),
        (changed({}, firstName="A\x1bB"), "text-unreadable", "section 1, seat 1, firstName"),
        (changed({}, fideRating="1480"), "type-wrong", "section 1, seat 1, fideRating"),
        (changed({}, pairingNumber="1"), "type-wrong", "section 1, player 1 of the list, pairingNumber"),
        (changed({}, pairingNumber=2), "seat-twice", "section 1, seat 2"),
        (changed({}, pairingNumber=None, ordinal=None), "key-missing", "section 1, player 1 of the list, ordinal"),
        ([*two_players(), 1], "type-wrong", "1.json, item 3"),
        ({"items": 1}, "type-wrong", "1.json, items"),
        ({"standings": [{"a": 1}]}, "piece-unknown", "1.json, standings"),
        ({"a": 1}, "piece-unknown", "1.json"),
        (SECTION, "standings-missing", "1.json"),
        ({"section": 1, "standings": two_players()}, "type-wrong", "1.json, section"),
        ({"section": {"format": "Swizz"}, "standings": two_players()}, "section-type-unknown", "section 1, format"),
        ({"section": {"endDate": "soon"}, "standings": two_players()}, "date-unreadable", "section 1, endDate"),
        ({"section": {"roundCount": 100}, "standings": two_players()}, "number-out-of-range", "section 1, roundCount"),
        ({"event": {"name": []}, "standings": two_players()}, "type-wrong", "event, name"),
        ([{"section": SECTION, "standings": two_players()}] * 2, "section-number-twice", "section 3"),
        ([SECTION, SECTION, *two_players()], "several-sections", "1.json"),
        (b"[{", "not-json", "1.json, line 1, column 3"),
        (b"null", "type-wrong", "1.json"),
        (b"[" * 100_000, "nested-too-deeply", "1.json"),
        (b'{"standings":' * 900, "not-json", "1.json, line 1, column 11701"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_an_error_with_its_place(values: object, code: str, where: str) -> None:
    result = read(values)
    assert result.report is None
    assert (code, where) in [(problem.code, problem.where) for problem in result.problems]
    assert all(problem.remedy for problem in result.problems)


def test_nested_standings_are_no_way_to_stop_the_program() -> None:
    assert codes(b'{"standings":' * 900 + b"[]" + b"}" * 900) == ["piece-unknown"]
    assert codes(b'{"items":' * 900 + b"[]" + b"}" * 900) == ["piece-unknown"]
    deep = b'{"event":{},"standings":[],"sections":[' * 400 + b"]}" * 400
    assert set(codes(deep)) == {"entries-empty"}


def test_standings_are_known_by_their_keys() -> None:
    assert looks_like(source_of(page(*two_players())))
    assert looks_like(source_of(EVENT, b"\xef\xbb\xbf\n" + json.dumps(two_players()).encode()))
    assert not native_json.looks_like(source_of(page(*two_players())))
    assert not looks_like(source_of({"format": "ratebook-report/1", "note": "roundOutcomes"}))
    assert not looks_like(source_of(b'"roundOutcomes"'))


def test_files_that_are_not_json_are_named() -> None:
    result = read(page(*two_players()), b"Hello")
    assert result.report is not None
    assert "file-not-read" in [problem.code for problem in result.problems]


NAMES = {
    "W": "Win",
    "L": "Loss",
    "D": "Draw",
    "N": "WinAsym",
    "S": "LossAsym",
    "R": "DrawAsym",
    "X": "WinForfeit",
    "F": "Forfeit",
    "Z": "DrawForfeit",
    "B": "ByeFull",
    "H": "ByeHalf",
    "U": "Unpaired",
    "": "NotReported",
}


def as_standings(report: Report) -> list[Values]:
    """Return the sections of *report* as the API would give them."""
    colours = {"w": "White", "b": "Black", "": "Unknown"}
    return [
        {
            "section": {"number": section.number, "name": section.name},
            "standings": page(
                *(
                    {
                        "ordinal": place,
                        "pairingNumber": entry.seat,
                        "memberId": entry.player,
                        "lastName": report.players[entry.player].name,
                        "roundOutcomes": [
                            outcome(number, NAMES[cell.letter], cell.opponent, colours[cell.colour])
                            for number, cell in enumerate(entry.rounds, start=1)
                        ],
                    }
                    for place, entry in enumerate(section.entries, start=1)
                )
            ),
        }
        for section in report.sections
    ]


@settings(max_examples=80, deadline=None)
@given(reports())
def test_the_results_of_every_report_come_back_from_its_standings(report: Report) -> None:
    back = report_of(as_standings(report))
    assert {key: player.name for key, player in back.players.items()} == {
        key: player.name for key, player in report.players.items()
    }
    assert [[(one.seat, one.player, one.rounds) for one in section.entries] for section in back.sections] == [
        [(one.seat, one.player, one.rounds) for one in section.entries] for section in report.sections
    ]


WHOLE = json.dumps({"event": EVENT, "section": SECTION, "standings": page(*two_players())}).encode()


@settings(max_examples=500, deadline=None)
@given(
    cuts=st.lists(st.tuples(st.integers(0, 2_800), st.integers(0, 40), st.binary(max_size=3)), max_size=4),
    end=st.integers(0, 6_000),
)
def test_damaged_standings_yield_findings_and_never_an_exception(
    cuts: list[tuple[int, int, bytes]], end: int
) -> None:
    data = bytearray(WHOLE)
    for position, length, replacement in cuts:
        data[position : position + length] = replacement
    result = read(bytes(data[:end]))
    assert (result.report is None) == has_errors(result.problems)


anything = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10_000) | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


@settings(max_examples=500, deadline=None)
@given(data=st.data())
def test_any_value_in_any_place_yields_findings_and_never_an_exception(data: st.DataObject) -> None:
    values: Any = json.loads(WHOLE)
    place = values
    while isinstance(place, dict | list) and place:
        keys = sorted(place) if isinstance(place, dict) else range(len(place))
        key = data.draw(st.sampled_from(keys))
        if data.draw(st.integers(0, 3)) == 0 or not isinstance(place[key], dict | list) or not place[key]:
            place[key] = data.draw(anything)
            break
        place = place[key]
    result = read(values)
    assert (result.report is None) == has_errors(result.problems)
