"""The native report: every mistake is found, named and placed."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import pytest

from ratebook.findings import Severity, has_errors
from ratebook.formats.native.read import parse_native_json
from unit.formats.native.reports import (
    CONTRACT_EXAMPLE,
    Values,
    entry,
    player,
    problems_after,
    regular,
    section,
    set_at,
)

if TYPE_CHECKING:
    from collections.abc import Callable


P1 = ("players", 0)
P1_REGULAR = (*P1, "ratings", "regular")
S1 = ("sections", 0)
SEAT3 = (*S1, "entries", 2)

BAD_REPORTS: dict[str, tuple[Callable[[Values], object], str, str]] = {
    "wrong format": (set_at("format", to="ratebook-rated/1"), "format-wrong", "quad.json, format"),
    "no format": (lambda values: values.pop("format"), "key-missing", "quad.json, format"),
    "no players": (lambda values: values.pop("players"), "key-missing", "quad.json, players"),
    "no sections": (lambda values: values.pop("sections"), "key-missing", "quad.json, sections"),
    "players no list": (set_at("players", to={}), "type-wrong", "quad.json, players"),
    "event no object": (set_at("event", to=[]), "type-wrong", "event"),
    "unknown key at the top": (set_at("playrs", to=[]), "key-unknown", "quad.json, playrs"),
    "unknown key of the event": (set_at("event", "begin", to="x"), "key-unknown", "event, begin"),
    "event date impossible": (set_at("event", "start", to="2026-02-30"), "date-unreadable", "event, start"),
    "event reversed": (set_at("event", "start", to="2026-11-15"), "dates-reversed", "event, end"),
    "player no object": (set_at("players", 1, to="P2"), "type-wrong", "players, number 2 of the list"),
    "player without id": (
        lambda values: player(values, 4).pop("id"),
        "key-missing",
        "players, number 4 of the list, id",
    ),
    "player id a number": (set_at(*P1, "id", to=1), "type-wrong", "players, number 1 of the list, id"),
    "player id empty": (set_at(*P1, "id", to=""), "id-empty", "players, number 1 of the list, id"),
    "player id with a line break": (
        set_at(*P1, "id", to="P\n1"),
        "text-unreadable",
        "players, number 1 of the list, id",
    ),
    "half a surrogate pair": (set_at(*P1, "name", to="\ud800"), "text-unreadable", "player P1, name"),
    "player twice": (set_at("players", 1, "id", to="P1"), "player-twice", "player P1, number 2 of the list"),
    "player's unknown key": (set_at(*P1, "rating", to=1), "key-unknown", "player P1, rating"),
    "born after the event": (
        set_at(*P1, "birth_date", to="2026-11-15"),
        "birth-date-after-event",
        "player P1, birth_date",
    ),
    "birth date in another notation": (
        set_at(*P1, "birth_date", to="20120501"),
        "date-unreadable",
        "player P1, birth_date",
    ),
    "birth date a number": (set_at(*P1, "birth_date", to=2012), "type-wrong", "player P1, birth_date"),
    "birth date of another age": (
        set_at(*P1, "birth_date", to="0012-05-01"),
        "date-out-of-range",
        "player P1, birth_date",
    ),
    "adult a number": (set_at(*P1, "adult", to=1), "type-wrong", "player P1, adult"),
    "unknown system": (
        set_at(*P1, "ratings", "regula", to={"rating": 1500}),
        "system-unknown",
        "player P1, ratings.regula",
    ),
    "rating no object": (set_at(*P1_REGULAR, to=1500), "type-wrong", "player P1, ratings.regular"),
    "rating missing": (
        lambda values: regular(values).pop("rating"),
        "key-missing",
        "player P1, ratings.regular.rating",
    ),
    "rating 99999": (
        set_at(*P1_REGULAR, "rating", to=99999),
        "rating-out-of-range",
        "player P1, ratings.regular.rating",
    ),
    "rating 99": (
        set_at(*P1_REGULAR, "rating", to=99.9),
        "rating-out-of-range",
        "player P1, ratings.regular.rating",
    ),
    "rating true": (
        set_at(*P1_REGULAR, "rating", to=True),
        "type-wrong",
        "player P1, ratings.regular.rating",
    ),
    "rating a text": (
        set_at(*P1_REGULAR, "rating", to="1500"),
        "type-wrong",
        "player P1, ratings.regular.rating",
    ),
    "rating NaN": (
        set_at(*P1_REGULAR, "rating", to=float("nan")),
        "number-not-finite",
        "player P1, ratings.regular.rating",
    ),
    "games infinite": (
        set_at(*P1_REGULAR, "games", to=float("inf")),
        "number-not-finite",
        "player P1, ratings.regular.games",
    ),
    "games negative": (
        set_at(*P1_REGULAR, "games", to=-1),
        "games-out-of-range",
        "player P1, ratings.regular.games",
    ),
    "games absurd": (
        set_at(*P1_REGULAR, "games", to=100_001),
        "games-out-of-range",
        "player P1, ratings.regular.games",
    ),
    "games beyond all floats": (
        set_at(*P1_REGULAR, "games", to=10**400),
        "games-out-of-range",
        "player P1, ratings.regular.games",
    ),
    "wins fractional": (set_at(*P1_REGULAR, "wins", to=1.5), "type-wrong", "player P1, ratings.regular.wins"),
    "record of wins with losses": (
        set_at(*P1_REGULAR, "record", to="wins"),
        "record-contradicts-counts",
        "player P1, ratings.regular.record",
    ),
    "record of losses with wins": (
        set_at(*P1_REGULAR, "record", to="losses"),
        "record-contradicts-counts",
        "player P1, ratings.regular.record",
    ),
    "mixed record of wins alone": (
        lambda values: regular(values).update(draws=0, losses=0),
        "record-contradicts-counts",
        "player P1, ratings.regular.record",
    ),
    "record unknown": (
        set_at(*P1_REGULAR, "record", to="draws"),
        "record-unknown",
        "player P1, ratings.regular.record",
    ),
    "peak too high": (
        set_at(*P1_REGULAR, "peak", to=4000),
        "rating-out-of-range",
        "player P1, ratings.regular.peak",
    ),
    "as_of impossible": (
        set_at(*P1_REGULAR, "as_of", to="2026-13-01"),
        "date-unreadable",
        "player P1, ratings.regular.as_of",
    ),
    "FIDE rating too high": (
        set_at(*P1, "fide", "rating", to=99999),
        "rating-out-of-range",
        "player P1, fide.rating",
    ),
    "CFC rating missing": (
        lambda values: player(values)["cfc"].pop("rating"),
        "key-missing",
        "player P1, cfc.rating",
    ),
    "initial rating too low": (
        set_at("players", 3, "initial", "regular", "rating", to=5),
        "rating-out-of-range",
        "player P4, initial.regular.rating",
    ),
    "floor between levels": (
        set_at(*P1, "floors", 0, "floor", to=1850),
        "floor-level-wrong",
        "player P1, floor 1.floor",
    ),
    "money floor too high": (
        set_at(*P1, "floors", 0, "floor", to=2100),
        "floor-level-wrong",
        "player P1, floor 1.floor",
    ),
    "floor too high": (
        set_at(*P1, "floors", 0, to={"system": "regular", "kind": "office", "floor": 2300}),
        "floor-level-wrong",
        "player P1, floor 1.floor",
    ),
    "floor kind unknown": (
        set_at(*P1, "floors", 0, "kind", to="cash"),
        "floor-kind-unknown",
        "player P1, floor 1.kind",
    ),
    "floor system unknown": (
        set_at(*P1, "floors", 0, "system", to="rapid"),
        "system-unknown",
        "player P1, floor 1.system",
    ),
    "ceiling missing": (
        set_at(*P1, "ceilings", 0, to={"system": "quick"}),
        "key-missing",
        "player P1, ceiling 1.ceiling",
    ),
    "earlier match without end": (
        set_at(*P1, "matches", 0, to={"system": "quick", "change": 1}),
        "key-missing",
        "player P1, match 1.end",
    ),
    "earlier match with an absurd change": (
        set_at(*P1, "matches", 0, "change", to=1e9),
        "number-out-of-range",
        "player P1, match 1.change",
    ),
    "no section": (set_at("sections", to=[]), "sections-empty", "quad.json, sections"),
    "section no object": (set_at("sections", 0, to=7), "type-wrong", "sections, number 1 of the list"),
    "section without number": (
        lambda values: section(values).pop("number"),
        "key-missing",
        "sections, number 1 of the list, number",
    ),
    "section number zero": (set_at(*S1, "number", to=0), "number-out-of-range", "section 0, number"),
    "section number repeated": (
        lambda values: values["sections"].append(copy.deepcopy(section(values))),
        "section-number-twice",
        "section 1, number",
    ),
    "section's unknown key": (set_at(*S1, "timecontrol", to="G/60"), "key-unknown", "section 1, timecontrol"),
    "section type unknown": (set_at(*S1, "type", to="quad"), "section-type-unknown", "section 1, type"),
    "section reversed": (set_at(*S1, "end", to="2026-11-13"), "dates-reversed", "section 1, end"),
    "section date impossible": (set_at(*S1, "end", to="2026-11-31"), "date-unreadable", "section 1, end"),
    "section without entries": (set_at(*S1, "entries", to=[]), "entries-empty", "section 1, entries"),
    "section with too many entries": (
        set_at(*S1, "entries", to=[{}] * 10_000),
        "too-many-entries",
        "section 1, entries",
    ),
    "entry no object": (set_at(*SEAT3, to=None), "type-wrong", "section 1, number 3 of the list"),
    "entry without seat": (
        lambda values: entry(values, 3).pop("seat"),
        "key-missing",
        "section 1, number 3 of the list, seat",
    ),
    "entry without rounds": (
        lambda values: entry(values, 3).pop("rounds"),
        "key-missing",
        "section 1, seat 3, rounds",
    ),
    "seat true": (set_at(*SEAT3, "seat", to=True), "type-wrong", "section 1, number 3 of the list, seat"),
    "seat twice": (set_at(*SEAT3, "seat", to=2), "seat-twice", "section 1, seat 2"),
    "entry's player unknown": (
        set_at(*SEAT3, "player", to="P9"),
        "player-unknown",
        "section 1, seat 3, player",
    ),
    "too many rounds": (
        set_at(*SEAT3, "rounds", to=["U"] * 100),
        "too-many-rounds",
        "section 1, seat 3, rounds",
    ),
    "unreadable cell": (
        set_at(*SEAT3, "rounds", 1, to="Q1"),
        "cell-unreadable",
        "section 1, seat 3, round 2",
    ),
    "cell with foreign digits": (
        set_at(*SEAT3, "rounds", 1, to="W²"),
        "cell-unreadable",
        "section 1, seat 3, round 2",
    ),
    "cell a number": (set_at(*SEAT3, "rounds", 1, to=1), "type-wrong", "section 1, seat 3, round 2"),
    "update a text": (set_at(*SEAT3, "update", to="yes"), "type-wrong", "section 1, seat 3, update"),
    "floor request unknown": (
        set_at(*SEAT3, "floor_request", to="maybe"),
        "floor-request-unknown",
        "section 1, seat 3, floor_request",
    ),
}


@pytest.mark.parametrize(("change", "code", "where"), BAD_REPORTS.values(), ids=BAD_REPORTS)
def test_a_bad_report_says_what_is_wrong_where_and_what_to_do(
    change: Callable[[Values], object], code: str, where: str
) -> None:
    findings = problems_after(change)
    assert (code, where) in [(finding.code, finding.where) for finding in findings]
    assert has_errors(findings)
    assert all(finding.remedy and finding.message for finding in findings)
    # One mistake is one finding, but where it leaves an entry's player without a record.
    assert {finding.code for finding in findings} <= {code, "player-unknown", "counts-below-games"}


def test_a_section_without_any_end_names_the_remedy() -> None:
    def change(values: Values) -> None:
        del values["event"]
        del section(values)["end"]

    (only,) = problems_after(change)
    assert (only.code, only.where) == ("end-missing", "section 1, end")
    assert '"end": "YYYY-MM-DD"' in only.remedy


def test_an_unknown_key_offers_the_one_that_was_meant() -> None:
    (only,) = problems_after(set_at("sections", 0, "time_contrl", to="G/60"))
    assert "'time_control'" in only.remedy


def test_a_birth_date_is_never_printed() -> None:
    (only,) = problems_after(set_at(*P1, "birth_date", to="2030-06-07"))
    assert "2030" not in only.message + only.where + only.remedy


@pytest.mark.statement("A8")
def test_the_same_player_may_sit_twice_but_the_same_seat_may_not_be_taken_twice() -> None:
    assert problems_after(set_at(*SEAT3, "player", to="P1")) == ()
    assert [finding.code for finding in problems_after(set_at(*SEAT3, "seat", to=1))] == ["seat-twice"]


def test_all_mistakes_of_a_report_are_found_at_once() -> None:
    def change(values: Values) -> None:
        regular(values)["rating"] = 99999
        entry(values, 1)["rounds"][0] = "?"
        section(values)["type"] = "quad"
        values["event"]["nmae"] = ""

    assert [finding.code for finding in problems_after(change)] == [
        "key-unknown",
        "rating-out-of-range",
        "section-type-unknown",
        "cell-unreadable",
    ]


def test_at_most_a_thousand_findings_are_shown_and_the_rest_is_counted() -> None:
    findings = problems_after(
        lambda values: section(values).update(
            entries=[{"seat": seat, "player": "P1", "rounds": ["?"] * 50} for seat in range(1, 101)]
        )
    )
    assert len(findings) == 1_001
    assert (findings[-1].code, findings[-1].severity) == ("too-many-findings", Severity.NOTE)
    assert "5,000" in findings[-1].message


def test_an_error_is_shown_even_after_a_thousand_notes() -> None:
    def change(values: Values) -> None:
        values["players"] += [{"id": f"N{n}", "ratings": {"quick": {"rating": 900}}} for n in range(1_500)]
        entry(values, 1)["rounds"][0] = "?"

    findings = problems_after(change)
    assert findings[0].code == "cell-unreadable"
    assert len(findings) == 1_001


BAD_FILES: dict[str, tuple[bytes, str, str]] = {
    "nothing": (b"", "file-empty", "f.json"),
    "blanks": (b" \r\n ", "file-empty", "f.json"),
    "binary": (b"\x03\x7e\x00\x00", "file-binary", "f.json"),
    "UTF-16": ("\ufeff{}".encode("utf-16-le"), "file-binary", "f.json"),
    "Latin-1": (b'{\n"format": "\xd1"}', "not-utf8", "f.json, line 2"),
    "missing bracket": (b'{\n  "format": 1,\n', "not-json", "f.json, line 3, column 1"),
    "single quotes": (b"{'format': 1}", "not-json", "f.json, line 1, column 2"),
    "two values": (b"{} {}", "not-json", "f.json, line 1, column 4"),
    "null": (b"null", "type-wrong", "f.json"),
    "list": (b"[]", "type-wrong", "f.json"),
    "very deep": (b"[" * 200_000, "nested-too-deeply", "f.json"),
    "very long number": (b'{"a": ' + b"9" * 5_000 + b"}", "number-too-long", "f.json"),
    "key twice": (b'{"format": 1, "format": "ratebook-report/1"}', "key-twice", "f.json, format"),
}


@pytest.mark.parametrize(("data", "code", "where"), BAD_FILES.values(), ids=BAD_FILES)
def test_a_file_that_is_no_report_says_why(data: bytes, code: str, where: str) -> None:
    result = parse_native_json(data, "f.json")
    assert result.report is None
    assert (result.findings[0].code, result.findings[0].where) == (code, where)
    assert result.findings[0].remedy


def test_a_key_twice_deep_inside_names_its_place() -> None:
    text = CONTRACT_EXAMPLE.replace('"rating": 655.0', '"rating": 655.0, "rating": 656.0')
    (only,) = parse_native_json(text.encode(), "quad.json").findings
    assert (only.code, only.where) == ("key-twice", "player P2, ratings.regular.rating")


@pytest.mark.parametrize(
    "text",
    [
        '{"format": 1, "format": "ratebook-report/1"}',
        '{"format" : 1, "format" : "ratebook-report/1"}',
        # The colon in a text makes up for the one that the repeated key lost.
        '{"format": "ratebook-report/1", "event": {"name": "a: b", "name": ":"}}',
        '{"format": "ratebook-report/1", "event": {"name": ":", "name": "a"}}',
    ],
)
def test_a_key_that_occurs_twice_is_found_whatever_colons_there_are(text: str) -> None:
    assert "key-twice" in {finding.code for finding in parse_native_json(text.encode(), "f.json").findings}
