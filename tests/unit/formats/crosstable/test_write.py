"""The text crosstable written: the published layout, column by column, and what is read back from it."""

from __future__ import annotations

import math
from datetime import date
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from ratebook.findings import Severity
from ratebook.formats.archive import SourceFile
from ratebook.formats.contract import Hints
from ratebook.formats.crosstable.read import looks_like, parse
from ratebook.formats.crosstable.write import write
from ratebook.formats.source import Source
from ratebook.model import (
    Ceiling,
    Cell,
    Entry,
    Event,
    InitialRating,
    PlayerFacts,
    Rating,
    Report,
    Section,
    SectionType,
    System,
)
from ratebook.rating.results import After
from ratebook.reports.rate import after_ratings, rate_report
from ratebook.rules.rulebook import load_rulebook
from support.builders import cell
from support.report_strategies import reports
from support.whole_run import examples

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ratebook.formats.contract import AfterRatings, ParsedReport, Written

DAY = date(2026, 11, 14)
HINTS = Hints(DAY, DAY, "G/90;d5")

# What the time controls of the random reports are rated in, by hand from docs/formats/time-controls.md#classes and
# docs/rules/readings.md#2-dated-values: T is the minutes of all controls plus the seconds; over the board 30 to 65 is
# dual since 2013, online never.
OVER_THE_BOARD = {
    "G/90;d5": {System.REGULAR},
    "G/60;d5": {System.REGULAR, System.QUICK},
    "G/45; d5": {System.REGULAR, System.QUICK},
    "G/25;+5": {System.REGULAR, System.QUICK},
    "G/15;d3": {System.QUICK},
    "G/5;d0": {System.BLITZ},
    "40/90,SD/30;+30": {System.REGULAR},
    "G/90": {System.REGULAR},
    "40/90,SD/30": {System.REGULAR},
    "G/29": {System.QUICK},
}
ONLINE = {
    "G/90;d5": {System.ONLINE_REGULAR},
    "G/60;d5": {System.ONLINE_REGULAR},
    "G/45; d5": {System.ONLINE_REGULAR},
    "G/25;+5": {System.ONLINE_REGULAR},
    "G/15;d3": {System.ONLINE_QUICK},
    "G/5;d0": {System.ONLINE_BLITZ},
    "40/90,SD/30;+30": {System.ONLINE_REGULAR},
}


def source_of(written: Written) -> Source:
    return Source("folder", tuple(SourceFile(name, data) for name, data in written.files.items()))


def read_back(report: Report, after: AfterRatings | None = None) -> ParsedReport:
    return parse(source_of(write(report, after)), HINTS)


def lines_of(report: Report, after: AfterRatings | None = None) -> list[str]:
    return write(report, after).files["crosstable.txt"].decode().split("\n")


def section(*rounds: str, time_control: str = "G/90;d5", online: bool = False, number: int = 1) -> Section:
    entries = tuple(
        Entry(seat, f"9000000{seat}", tuple(map(cell, texts.split(","))))
        for seat, texts in enumerate(rounds, 1)
    )
    return Section(number, "Open", DAY, DAY, time_control, SectionType.OTHER, online, False, False, entries)


def players(*facts: PlayerFacts) -> dict[str, PlayerFacts]:
    keys = [f"9000000{seat}" for seat in range(1, len(facts) + 1)]
    return {key: one._replace(id=key) for key, one in zip(keys, facts, strict=True)}


def rated(rating: float, games: float | None = None, name: str = "") -> PlayerFacts:
    return PlayerFacts("", name, ratings={System.REGULAR: Rating(rating, games)})


def lost(report: Report) -> list[str]:
    return [
        finding.message.removeprefix("The format has no place for: ")
        for finding in write(report).findings
        if finding.code == "lost-in-conversion"
    ]


SEVEN_ROUNDS = section("W39w,W21b,L18w,D14b,H,U,B", "N4,S4b,R4,X,F3,Z,")

SEVEN_ROUNDS_TEXT = """\
Open
-----------------------------------------------------------------------------------------
 Pair | Player Name                     |Total|Round|Round|Round|Round|Round|Round|Round|\x20
 Num  | USCF ID / Rtg (Pre->Post)       | Pts |  1  |  2  |  3  |  4  |  5  |  6  |  7  |\x20
-----------------------------------------------------------------------------------------
    1 | ADAMS EXAMPLE                   |4.0  |W  39|W  21|L  18|D  14|H    |U    |B    |
      | 90000001 / R: 1794   ->1817     |     |W    |B    |W    |B    |     |     |     |
-----------------------------------------------------------------------------------------
    2 | ÉLOÏSE EXAMPLE-WITH-A-NAME-LONGE|3.0  |N   4|S   4|R   4|X    |F   3|Z    |     |
      | 90000002 / R:  377P3 ->1076P10  |     |     |B    |     |     |     |     |     |
-----------------------------------------------------------------------------------------
"""


def test_the_published_layout_is_kept_column_by_column() -> None:
    facts = players(rated(1794, name="ADAMS EXAMPLE"), rated(377, 3, "Éloïse Example-with-a-name-longer"))
    after = {
        (1, 1, System.REGULAR): After(1817.2, 60.0, 1817, established=True),
        (1, 2, System.REGULAR): After(1075.9, 10.0, 1076, established=False),
    }
    report = Report(Event(), facts, (SEVEN_ROUNDS,))
    text = write(report, after).files["crosstable.txt"].decode()
    assert text == SEVEN_ROUNDS_TEXT
    lines = text.split("\n")[1:-1]
    # A line of 89 dashes for seven rounds, bars in columns 7, 41, 47 and every six to 89:
    # docs/formats/crosstable.md#layout.
    assert {len(line.rstrip()) for line in lines} == {89}
    bars = [7, 41, 47, 53, 59, 65, 71, 77, 83, 89]
    for line in lines:
        if "|" in line:
            assert [at for at, sign in enumerate(line, start=1) if sign == "|"] == bars


def test_a_name_that_is_cut_is_a_note() -> None:
    report = Report(
        Event(), players(rated(1500, name="A" * 33), rated(1500, name="B" * 32)), (section("W2", "L1"),)
    )
    first, *others = write(report).findings
    assert (first.code, first.severity) == ("names-cut-in-crosstable", Severity.NOTE)
    assert first.message == "1 name was cut to 32 characters."
    assert {finding.code for finding in others} == {"lost-in-conversion"}


def test_without_ratings_after_nothing_stands_behind_the_arrow() -> None:
    report = Report(Event(), players(rated(1794), PlayerFacts("")), (section("W2w", "L1b"),))
    lines = lines_of(report)
    assert lines[6] == "      | 90000001 / R: 1794   ->         |     |W    |"
    assert lines[9] == "      | 90000002 / R: Unrated->         |     |B    |"
    back = read_back(report)
    assert back.findings == ()
    assert back.published == {}
    assert back.report is not None
    assert dict(back.report.players["90000001"].ratings) == {System.REGULAR: Rating(1794)}
    assert dict(back.report.players["90000002"].ratings) == {}


def test_a_player_who_is_still_unrated_after_reads_so() -> None:
    report = Report(Event(), players(rated(1794), PlayerFacts("")), (section("W9w", "H"),))
    after = {(1, 1, System.REGULAR): After(1800.0, math.inf, 1800, established=True)}
    assert lines_of(report, after)[9] == "      | 90000002 / R: Unrated->Unrated  |     |     |"
    assert read_back(report, after).published == {(1, 1, System.REGULAR): 1800}


def test_a_dual_section_has_a_line_for_each_system() -> None:
    one = PlayerFacts("", ratings={System.REGULAR: Rating(1500), System.QUICK: Rating(1441, 12)})
    report = Report(Event(), players(one, one), (section("D2", "D1", time_control="G/60;d5"),))
    assert lines_of(report)[6:8] == [
        "      | 90000001 / R: 1500   ->         |     |     |",
        "      |            Q: 1441P12->         |     |     |",
    ]
    back = read_back(report).report
    assert back is not None
    assert dict(back.players["90000001"].ratings) == {
        System.REGULAR: Rating(1500),
        System.QUICK: Rating(1441, 12),
    }


def test_the_systems_of_the_ratings_after_come_before_those_of_the_time_control() -> None:
    one = PlayerFacts("", ratings={System.REGULAR: Rating(1500), System.QUICK: Rating(1441, 12)})
    report = Report(Event(), players(one, one), (section("D2", "D1", time_control="G/60;d5"),))
    after = {(1, seat, System.QUICK): After(1441.0, 13.0, 1441, established=False) for seat in (1, 2)}
    assert lines_of(report, after)[6:8] == ["      | 90000001 / Q: 1441P12->1441P13  |     |     |", "-" * 53]
    assert "rating in a system that the player's tables do not show (2 times)." in [
        finding.message.removeprefix("The format has no place for: ")
        for finding in write(report, after).findings
    ]


def test_an_online_section_has_the_labels_of_the_online_systems() -> None:
    one = PlayerFacts("", ratings={System.ONLINE_BLITZ: Rating(1500, 20)})
    report = Report(Event(), players(one, one), (section("D2", "D1", time_control="G/5", online=True),))
    assert lines_of(report)[6] == "      | 90000001 / OB: 1500P20->        |     |     |"
    back = read_back(report).report
    assert back is not None
    assert back.sections[0].online


def test_a_later_section_begins_with_the_ratings_after_the_earlier_one() -> None:
    report = Report(
        Event(),
        players(rated(1500.6, 10), PlayerFacts("")),
        (section("W2", "L1"), section("L2", "W1", number=2)),
    )
    after = {
        (1, 1, System.REGULAR): After(1511.7, 11.0, 1512, established=False),
        (1, 2, System.REGULAR): After(1100.2, 1.0, 1100, established=False),
        (2, 1, System.REGULAR): After(1490.0, 12.0, 1490, established=False),
        (2, 2, System.REGULAR): After(1205.0, 2.0, 1205, established=False),
    }
    shown = [line[18:40].rstrip() for line in lines_of(report, after) if "R: " in line]
    assert shown == [
        " R: 1501P10->1512P11",
        " R: Unrated->1100P1",
        " R: 1512P11->1490P12",
        " R: 1100P1 ->1205P2",
    ]
    back = read_back(report, after)
    assert back.findings == ()
    assert back.report is not None
    assert dict(back.report.players["90000001"].ratings) == {System.REGULAR: Rating(1501, 10)}
    assert dict(back.report.players["90000002"].ratings) == {}


def test_sections_that_stand_in_another_order_than_they_are_rated_in_keep_the_rating_before_the_event() -> (
    None
):
    early = section("L2", "W1", number=2)._replace(end=date(2026, 11, 13), start=None)
    report = Report(Event(), players(rated(1500), rated(1400)), (section("W2", "L1"), early))
    after = {
        (number, seat, System.REGULAR): After(1450.0, 50.0, 1450, established=True)
        for number in (1, 2)
        for seat in (1, 2)
    }
    shown = [line[18:40].rstrip() for line in lines_of(report, after) if "R: " in line]
    assert shown == [" R: 1500   ->1450", " R: 1400   ->1450"] * 2


def test_ids_that_would_break_the_layout_are_left_out_and_reported() -> None:
    keys = ("P1", "ADAMS", "123456789", "seat-4", "00000000")
    facts = {key: PlayerFacts(key) for key in keys}
    entries = tuple(Entry(seat, key, (Cell("H"),)) for seat, key in enumerate(keys, start=1))
    report = Report(Event(), facts, (section("H")._replace(entries=entries),))
    assert [line[8:18] for line in lines_of(report) if "R: " in line] == ["P1       /", *[" " * 10] * 4]
    assert "player id (3 times)." in lost(report)
    back = read_back(report).report
    assert back is not None
    assert list(back.players) == ["P1", "seat-2", "seat-3", "seat-4", "seat-5"]


def test_signs_of_the_layout_do_not_break_it() -> None:
    names = ("A|B", "C &gt; D", "<pre>E", "--------------", " F  G ")
    facts = players(*(PlayerFacts("", name) for name in names))
    report = Report(Event(), facts, (section("H", "H", "H", "H", "H")._replace(name="|----------"),))
    back = read_back(report).report
    assert back is not None
    assert [player.name for player in back.players.values()] == ["A/B", "C > D", "(PRE>E", "", "F G"]
    assert back.sections[0].name == "/----------"
    assert "signs of a name that the layout uses (5 times)." in lost(report)
    assert "signs of a section name that the layout uses (1 time)." in lost(report)


def test_every_kind_of_loss_is_a_note_that_counts_it() -> None:
    player = rated(1500.5, 60)._replace(
        birth_date=DAY,
        adult=False,
        us_member=True,
        ceilings=(Ceiling(System.REGULAR, 2000.0),),
        initial={System.QUICK: InitialRating(1500.0)},
    )
    other = PlayerFacts(
        "", ratings={System.REGULAR: Rating(1400, 10.5, wins=3, peak=1500.0), System.BLITZ: Rating(900)}
    )
    report = Report(
        Event("202611140001", "Autumn Quad", DAY, DAY, "Exampleville"),
        {**players(player, other), "X": PlayerFacts("X")},
        (section("W2", "L1", number=7)._replace(type=SectionType.SWISS, half_k=True),),
    )
    assert sorted(lost(report)) == [
        "adult mark (1 time).",
        "birth date (1 time).",
        "city (1 time).",
        "decimals of a rating (1 time).",
        "event id (1 time).",
        "event name (1 time).",
        "first day of a section (1 time).",
        "first day of the event (1 time).",
        "fraction of a number of games (1 time).",
        "last day of a section (1 time).",
        "last day of the event (1 time).",
        "mark of a half-K section (1 time).",
        "mark of a member (1 time).",
        "number of games of an established rating (1 time).",
        "number of wins (1 time).",
        "peak rating (1 time).",
        "player who sits in no section (1 time).",
        "player's ceilings (1 time).",
        "player's initial ratings by the office (1 time).",
        "rating in a system that the player's tables do not show (1 time).",
        "section number that is not the section's place (1 time).",
        "section type (1 time).",
        "time control (1 time).",
    ]


def half_up(value: float) -> int:
    return math.floor(value + 0.5)


def reduced(report: Report) -> Report:
    """Return what a crosstable can hold of *report*, read with `HINTS`."""
    shown: dict[str, set[System]] = {}
    for section in report.sections:
        if section.type is SectionType.FIDE:
            systems = {System.REGULAR}
        else:
            assert section.time_control is not None
            systems = (ONLINE if section.online else OVER_THE_BOARD)[section.time_control]
        for entry in section.entries:
            shown.setdefault(entry.player, set()).update(systems)
    return Report(
        Event(start=DAY, end=DAY),
        {
            key: PlayerFacts(
                key,
                report.players[key].name.upper().replace("|", "/")[:32].rstrip(),
                ratings=printed(report.players[key].ratings, systems),
            )
            for key, systems in shown.items()
        },
        tuple(
            Section(
                number=number,
                name=section.name,
                start=DAY,
                end=DAY,
                time_control="G/90;d5",
                type=SectionType.OTHER,
                online=section.online,
                entries=tuple(entry._replace(update=False, floor_request=None) for entry in section.entries),
            )
            for number, section in enumerate(report.sections, start=1)
        ),
    )


def printed(ratings: Mapping[System, Rating], systems: set[System]) -> dict[System, Rating]:
    return {
        system: Rating(
            half_up(rating.rating),
            half_up(rating.games) if rating.games is not None and rating.games <= 25 else None,
        )
        for system, rating in ratings.items()
        if system in systems
    }


@pytest.mark.long
@examples(45)
@given(reports(unseated=True))
def test_a_table_reads_back_as_the_report_without_what_was_reported_as_lost(report: Report) -> None:
    back = read_back(report)
    assert back.findings == ()
    assert back.report == reduced(report)
    assert back.published == {}


@examples(15)
@given(reports())
def test_the_ratings_after_the_event_are_read_back_as_published(report: Report) -> None:
    after = after_ratings(rate_report(report, load_rulebook()).sections)
    back = read_back(report, after)
    assert back.report is not None
    # Two seats of one person are rated as one; each shows the result.
    assert back.published == {key: one.published for key, one in after.items()}


@examples(20)
@given(reports())
def test_every_fact_that_does_not_come_back_is_named(report: Report) -> None:
    kinds = {text.rpartition(" (")[0] for text in lost(report)}
    event, facts = report.event, report.players.values()
    every_rating = [rating for player in facts for rating in player.ratings.values()]
    expected = {
        "event id": bool(event.id),
        "event name": bool(event.name),
        "city": bool(event.city),
        "state": bool(event.state),
        "country": bool(event.country),
        "affiliate": bool(event.affiliate),
        "chief tournament director": bool(event.chief_td),
        "section type": any(one.type is not SectionType.OTHER for one in report.sections),
        "mark of a half-K section": any(one.half_k for one in report.sections),
        "mark of a youth event": any(one.youth for one in report.sections),
        "mark of an entry to be updated": any(one.update for part in report.sections for one in part.entries),
        "answer to a floor request": any(
            one.floor_request is not None for part in report.sections for one in part.entries
        ),
        "birth date": any(player.birth_date for player in facts),
        "adult mark": any(player.adult is not None for player in facts),
        "mark of a Canadian resident": any(player.canadian_resident for player in facts),
        "FIDE rating": any(player.fide for player in facts),
        "CFC rating": any(player.cfc for player in facts),
        "player's entered floors": any(player.floors for player in facts),
        "player's ceilings": any(player.ceilings for player in facts),
        "mark of a member": any(player.us_member for player in facts),
        "mark of the US flag": any(player.usa_flag for player in facts),
        "FIDE opt-in": any(player.fide_opt_in for player in facts),
        "player's earlier matches": any(player.matches for player in facts),
        "player's initial ratings by the office": any(player.initial for player in facts),
        "number of wins": any(rating.wins is not None for rating in every_rating),
        "number of draws": any(rating.draws is not None for rating in every_rating),
        "number of losses": any(rating.losses is not None for rating in every_rating),
        "record of a rating": any(rating.record is not None for rating in every_rating),
        "number of long events": any(rating.long_events is not None for rating in every_rating),
        "peak rating": any(rating.peak is not None for rating in every_rating),
        "number of Life Master games": any(one.life_master_games is not None for one in every_rating),
        "official rating": any(rating.published is not None for rating in every_rating),
        "number of games of an official rating": any(
            rating.published_games is not None for rating in every_rating
        ),
        "date of a rating": any(rating.as_of is not None for rating in every_rating),
    }
    for kind, is_lost in expected.items():
        assert (kind in kinds) == is_lost, kind
    seen = reduced(report).players
    assert ("signs of a name that the layout uses" in kinds) == any(
        "|" in report.players[key].name for key in seen
    )
    assert ("lower-case letters of a name" in kinds) == any(
        report.players[key].name != report.players[key].name.upper() for key in seen
    )
    assert ("rating in a system that the player's tables do not show" in kinds) == any(
        len(report.players[key].ratings) != len(seen[key].ratings) for key in seen
    )


def test_what_was_written_is_known_as_a_crosstable() -> None:
    report = Report(Event(), players(rated(1500), rated(1500)), (section("W2", "L1"),))
    assert looks_like(source_of(write(report)))


def test_crosstables_in_several_files_are_sections_in_the_order_of_the_files() -> None:
    report = Report(Event(), players(rated(1500), rated(1500)), (section("W2", "L1"),))
    table = write(report).files["crosstable.txt"]
    files = (SourceFile("1.txt", table), SourceFile("2.txt", table), SourceFile("read.me", b"Hello"))
    back = parse(Source("folder", files), HINTS)
    assert back.report is not None
    assert [one.number for one in back.report.sections] == [1, 2]
    assert [finding.code for finding in back.findings] == ["file-not-read"]
