"""Writing FIDE tournament report files: columns typed by hand from docs/formats/trf.md, losses, and the way back."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from ratebook.findings import Severity
from ratebook.formats.archive import SourceFile
from ratebook.formats.contract import Hints
from ratebook.formats.source import Source
from ratebook.formats.trf import read
from ratebook.formats.trf.write import write
from ratebook.model import (
    Cell,
    EarlierMatch,
    Entry,
    Event,
    ForeignRating,
    PlayerFacts,
    Rating,
    Report,
    Section,
    SectionType,
    Sex,
    System,
)
from ratebook.rating.results import After
from support.builders import paired_by as pairing_ratings
from support.builders import unpaired
from support.report_strategies import reports
from support.whole_run import examples
from unit.formats.trf.reduced import expected_losses, paired_by, reduced

if TYPE_CHECKING:
    from ratebook.formats.contract import ParsedReport, Written

EDITIONS = (16, 26)

PLAYERS = {
    "90000001": PlayerFacts(
        "90000001",
        "Adams, Example",
        birth_date=date(1980, 2, 29),
        ratings={System.REGULAR: Rating(1650.5, 40), System.QUICK: Rating(1500)},
        fide=ForeignRating(1702),
        usa_flag=True,
        fide_id="2000001",
        federation="USA",
        sex=Sex.FEMALE,
        title="WGM",
    ),
    "90000002": PlayerFacts("90000002", "Éloïse Beispiel-Müller", cfc=ForeignRating(1500)),
    "seat-3": PlayerFacts("seat-3", "Clark, Example"),
    "90000004": PlayerFacts("90000004", ""),
}
CELLS = (
    (Cell("W", 2, "w"), Cell("D", 3, "b"), Cell("X", 4, "w"), Cell("B"), Cell()),
    (Cell("L", 1, "b"), Cell("Z", 4), Cell("H"), Cell("B"), Cell()),
    (Cell("B"), Cell("D", 1, "w"), Cell("X"), Cell("U"), Cell()),
    (Cell("U"), Cell("Z", 2), Cell("F", 1, "b"), Cell("U"), Cell()),
)


def section(number: int = 1, name: str = "", *, time_control: str | None = "G/90;+30") -> Section:
    return Section(
        number=number,
        name=name,
        start=date(2026, 11, 14),
        end=date(2026, 11, 15),
        time_control=time_control,
        type=SectionType.SWISS,
        entries=tuple(
            Entry(seat, player, cells)
            for seat, (player, cells) in enumerate(zip(PLAYERS, CELLS, strict=True), start=1)
        ),
    )


EVENT = Event(
    name="Autumn Swiss",
    start=date(2026, 11, 14),
    end=date(2026, 11, 15),
    city="Exampleville",
    country="USA",
    chief_td="90000999",
    assistant_td="EXAMPLE, DEPUTY; EXAMPLE, OTHER",
)
REPORT = Report(EVENT, PLAYERS, (section(),))

#        1         2         3         4         5         6         7         8         9         0         1
# 234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345
EXPECTED_16 = """\
012 Autumn Swiss
022 Exampleville
032 USA
042 2026/11/14
052 2026/11/15
062 4
072 1
092 Swiss
102 90000999
112 EXAMPLE, DEPUTY
112 EXAMPLE, OTHER
122 G/90;+30
XXR 5
001    1 wWGM Adams, Example                    1702 USA     2000001 1980/02/29  3.5    1     2 w 1     3 b =     4 w +  0000 - F          \n\
001    2      Éloïse Beispiel-Müller                                             2.0    3     1 b 0     4 - D  0000 - H  0000 - F          \n\
001    3      Clark, Example                                                     2.5    2  0000 - U     1 w =  0000 - +  0000 - Z          \n\
001    4                                                                         0.5    4  0000 - Z     2 - D     1 b -  0000 - Z          \n\
DAT    1 ID:USCF 90000001
DAT    2 ID:USCF 90000002
DAT    4 ID:USCF 90000004
"""  # noqa: E501 - the lines of the format are as long as they are
EXPECTED_26 = (
    EXPECTED_16.replace("XXR 5\n", "142 5\n172 USA OTHER\n222 5400+30\nXXR 5\n").partition("DAT")[0]
    + """\
USA    1                                        1651        90000001
USA    2                                                    90000002
CAN    2                                        1500
USA    4                                                    90000004
"""
)


def source_of(written: Written) -> Source:
    return Source("written", tuple(SourceFile(name, data) for name, data in written.files.items()))


def read_back(written: Written, hints: Hints) -> ParsedReport:
    return read.parse(source_of(written), hints)


def messages(written: Written) -> list[str]:
    assert all(finding.severity is Severity.NOTE for finding in written.findings)
    return [finding.message for finding in written.findings]


@pytest.mark.parametrize(("edition", "expected"), [(16, EXPECTED_16), (26, EXPECTED_26)])
def test_every_column_is_where_the_format_has_it(edition: int, expected: str) -> None:
    written = write(REPORT, edition=edition)
    assert list(written.files) == ["report.trf"]
    assert written.files["report.trf"].decode().split("\r\n") == expected.split("\n")


def test_the_old_edition_names_what_it_cannot_hold() -> None:
    assert messages(write(REPORT, edition=16)) == [
        "The format has no place for: player's ratings (1 time).",
        "The format has no place for: CFC rating (1 time).",
    ]


def test_the_new_edition_holds_ids_and_one_rating() -> None:
    assert messages(write(REPORT, edition=26)) == ["The format has no place for: player's ratings (1 time)."]
    result = read_back(write(REPORT, edition=26), Hints())
    assert pairing_ratings(result.report) == {"90000001": 1651.0}


@pytest.mark.parametrize(
    ("control", "paired", "online"),
    [
        ("G/30", 1500.0, False),
        ("G/29", 1400.0, False),
        ("G/11", 1400.0, False),
        ("G/10", 1300.0, False),
        (None, 1500.0, False),
        ("by arrangement", 1500.0, False),
        ("G/10", 1200.0, True),
    ],
)
def test_the_rating_for_pairing_is_that_of_the_control(
    control: str | None, paired: float, *, online: bool
) -> None:
    ratings = {
        System.REGULAR: Rating(1500),
        System.QUICK: Rating(1400),
        System.BLITZ: Rating(1300),
        System.ONLINE_REGULAR: Rating(1200),
    }
    player = PlayerFacts("90000001", "Adams, Example", ratings=ratings)
    played = section(time_control=control)._replace(
        entries=(Entry(1, "90000001", (Cell("H"),)),), online=online
    )
    written = write(Report(EVENT, {"90000001": player}, (played,)), edition=26)
    result = read_back(written, Hints(time_control="G/90"))
    assert pairing_ratings(result.report) == {"90000001": paired}


def test_a_tournament_of_one_day_has_that_day_for_each_round() -> None:
    played = section()._replace(start=date(2026, 11, 15))
    lines = write(REPORT._replace(sections=(played,)), edition=16).files["report.trf"].decode().split("\r\n")
    (dates,) = [line for line in lines if line.startswith("132")]
    assert [dates[column - 1 : column + 7] for column in (92, 102, 112, 122, 132)] == ["26/11/15"] * 5
    assert dates[3:91].strip() == ""


@pytest.mark.parametrize(
    "control", ["G/90;d5", "by arrangement", "Round 1: G/90;+30, Round 2: G/60;+30", None]
)
def test_a_control_that_cannot_be_coded_stands_in_words_alone(control: str | None) -> None:
    lines = (
        write(REPORT._replace(sections=(section(time_control=control),)), edition=26)
        .files["report.trf"]
        .decode()
    )
    assert ("\n222" in lines) is False
    assert ("\n122" in lines) is (control is not None)


def test_each_section_is_a_file_and_names_join() -> None:
    report = REPORT._replace(sections=(section(2, "Open"), section(4, "Under 1800")))
    written = write(report, edition=16)
    assert list(written.files) == ["section-2.trf", "section-4.trf"]
    assert written.files["section-4.trf"].startswith(b"012 Autumn Swiss - Under 1800\r\n")
    result = read_back(written, Hints())
    assert result.report is not None
    assert result.report.event == EVENT
    assert [one[:2] for one in result.report.sections] == [(2, "Open"), (4, "Under 1800")]


def test_names_that_would_be_parted_elsewhere_are_reported() -> None:
    report = Report(EVENT._replace(name="A - B"), PLAYERS, (section(1, "Open"), section(2, "Reserve")))
    written = write(report, edition=16)
    assert any(
        "event name that differs from those of its sections (1 time)" in text for text in messages(written)
    )
    assert any(
        "section name that differs from that of the event (2 times)" in text for text in messages(written)
    )


def test_names_longer_than_their_column_are_cut_and_counted() -> None:
    long = PlayerFacts("90000001", "EXAMPLE WITH A NAME THAT IS LONGER THAN ANY COLUMN")
    written = write(REPORT._replace(players={**PLAYERS, "90000001": long}), edition=26)
    assert [finding.code for finding in written.findings] == ["names-cut-in-trf"]
    result = read_back(written, Hints())
    assert result.report is not None
    assert result.report.players["90000001"].name == "EXAMPLE WITH A NAME THAT IS LONGE"


def test_a_forfeit_against_no_one_reads_as_not_paired_and_is_noted() -> None:
    entries = (Entry(1, "90000001", (Cell("F"),)), Entry(2, "90000002", (Cell("B"),)))
    written = write(REPORT._replace(sections=(section()._replace(entries=entries),)), edition=16)
    assert b"0000 - -" in written.files["report.trf"]
    assert any("forfeit without an opponent" in text for text in messages(written))
    report = read_back(written, Hints()).report
    assert report is not None
    assert report.sections[0].entries[0].rounds == (Cell("U"),)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("old", "new"), [("g", "GM"), ("m", "IM"), ("f", "FM"), ("wc", "WCM"), ("c", "CM"), ("WGM", "WGM")]
)
def test_titles_of_old_files_are_written_as_both_editions_know_them(old: str, new: str, edition: int) -> None:
    players = {**PLAYERS, "90000001": PLAYERS["90000001"]._replace(title=old)}
    written = write(REPORT._replace(players=players), edition=edition)
    (line,) = [
        line for line in written.files["report.trf"].decode().split("\r\n") if line.startswith("001    1 ")
    ]
    assert line[10:13].strip() == new
    assert any("old letters of a FIDE title" in text for text in messages(written)) == (old != new)


def test_texts_that_would_break_a_line_are_made_one() -> None:
    report = Report(
        EVENT._replace(name="Autumn\r\nSwiss", city=" A\tB ", chief_td="\ud800"),
        {**PLAYERS, "90000001": PlayerFacts("90000001", "ADAMS\n001    9")},
        (section(),),
    )
    written = write(report, edition=16)
    result = read_back(written, Hints())
    assert result.report is not None
    assert result.report.event[1:6] == ("Autumn  Swiss", date(2026, 11, 14), date(2026, 11, 15), "A B", "")
    assert len(result.report.sections[0].entries) == 4
    assert any("text of the event (2 times)" in text for text in messages(written))


@pytest.mark.parametrize("key", ["", "P 1", "member-of-the-club", " 7", "000", "seat-9"])
@pytest.mark.parametrize("edition", [16, 26])
def test_an_id_is_held_or_reported(key: str, edition: int) -> None:
    played = section()._replace(entries=(Entry(1, key, (Cell("H"),)),))
    written = write(Report(EVENT, {key: PlayerFacts(key)}, (played,)), edition=edition)
    result = read_back(written, Hints())
    assert result.report is not None
    held = result.report.sections[0].entries[0].player == key
    assert held is (key in {"seat-9", "P 1" if edition == 26 else "member-of-the-club"})
    assert any("player id" in text for text in messages(written)) is not held


def test_one_player_at_two_seats_stays_one_even_with_an_id_made_of_a_seat() -> None:
    played = section()._replace(entries=(Entry(3, "seat-3", (Cell("H"),)), Entry(5, "seat-3", (Cell("H"),))))
    report = Report(EVENT, {"seat-3": PlayerFacts("seat-3")}, (played,))
    result = read_back(write(report, edition=26), Hints())
    assert result.report is not None
    assert [entry.player for entry in result.report.sections[0].entries] == ["seat-3", "seat-3"]


def test_asymmetric_results_are_written_as_the_own_score_and_counted() -> None:
    cells = (Cell("N", 2, "w"), Cell("S", 3, "b"), Cell("R", 4))
    played = section()._replace(entries=(Entry(1, "90000001", cells),))
    written = write(REPORT._replace(sections=(played,)), edition=16)
    assert b"     2 w 1     3 b 0     4 - =\r\n" in written.files["report.trf"]
    assert any("N, S, R" in text and "(3 times)" in text for text in messages(written))


def test_ratings_after_the_event_are_reported() -> None:
    after = {(1, 1, System.REGULAR): After(1700.0, 45.0, 1700, established=True)}
    assert any(
        "rating after the event (1 time)" in text for text in messages(write(REPORT, after, edition=16))
    )


def test_a_report_beyond_all_bounds_is_written_without_raising() -> None:
    cells = (Cell("W", 123456, "w"), Cell("", 3, "w"), Cell("?", -1)) * 40
    played = section()._replace(
        entries=(Entry(10_000, "90000001", ()), Entry(0, "90000001", ()), Entry(1, "90000002", cells))
    )
    odd = PlayerFacts("90000002", fide=ForeignRating(99_999.5), ratings={System.REGULAR: Rating(-5.0)})
    written = write(Report(EVENT, {**PLAYERS, "90000002": odd}, (played,)), edition=26)
    text = " ".join(messages(written))
    assert "seat beyond four digits (2 times)" in text
    assert "round beyond the 99th (21 times)" in text
    assert "opponent of a round without result (40 times)" in text
    assert write(Report(EVENT, {}, ()), edition=26).files == {}


@pytest.mark.long
@examples(60)
@given(reports(unseated=True))
def test_what_is_read_back_is_what_the_format_can_hold_and_the_rest_was_reported(report: Report) -> None:
    control = "G/90;d5" if any(one.time_control is None for one in report.sections) else None
    hints = Hints(time_control=control)
    for edition in EDITIONS:
        written = write(report, edition=edition)
        result = read_back(written, hints)
        assert result.report is not None, result.findings
        expected = reduced(report, edition, control)
        assert result.report.event == expected.event
        assert result.report.sections == expected.sections
        assert dict(unpaired(result.report).players) == dict(expected.players)
        assert pairing_ratings(result.report) == (paired_by(report) if edition == 26 else {})
        text = "\n".join(messages(written))
        losses = expected_losses(report, edition)
        assert {part: part in text for part in losses} == losses
        source = source_of(written)
        assert (read.looks_like(source, 16), read.looks_like(source, 26)) == (edition == 16, edition == 26)
        again = write(result.report, edition=edition)
        assert read_back(again, hints).report == result.report


def test_facts_that_no_random_report_has_are_reported_too() -> None:
    facts = PlayerFacts(
        "90000001",
        fide=ForeignRating(1702.4, date(2026, 1, 1)),
        matches=(EarlierMatch(System.REGULAR, date(2026, 1, 1), 5.0),),
    )
    report = REPORT._replace(players={**PLAYERS, "90000001": facts}, sections=(section(3),))
    text = "\n".join(messages(write(report, edition=16)))
    for part in (
        "fraction of a FIDE rating (1",
        "date of a FIDE rating (1",
        "earlier matches (1",
        "number of the only section (1",
    ):
        assert part in text
