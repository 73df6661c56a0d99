"""Reading FIDE tournament report files: dates and time controls."""

from __future__ import annotations

from datetime import date

import pytest

from ratebook.findings import Severity
from ratebook.formats.contract import Hints
from ratebook.formats.trf.write import write
from ratebook.model import SectionType
from unit.formats.trf.files import NO_HINTS, QUAD, codes, parse, without


def time_control(*records: str, hints: Hints = NO_HINTS) -> tuple[str | None, list[str]]:
    result = parse(*without("122"), *records, hints=hints)
    shown = [code for code in codes(result) if code != "birth-year-only"]
    return (None if result.report is None else result.report.sections[0].time_control), shown


# Dates


@pytest.mark.parametrize(
    "text",
    [
        *("2026/11/14", "26/11/14", "2026-11-14", "2026.11.14", "14.11.2026", "20261114"),
        # As in files of several programs; no month has the number 14.
        *("14. 11. 2026", "14/11/2026", "11/14/2026", "Nov 14, 2026", "November 14 2026", "NOV. 14, 2026"),
    ],
)
def test_dates_are_read_however_they_are_parted(text: str) -> None:
    report = parse(*without("042"), f"042 {text}").report
    assert report is not None
    assert report.sections[0].start == date(2026, 11, 14)


def test_two_digits_from_70_on_are_of_the_last_century() -> None:
    report = parse(*without("042"), "042 99/11/14").report
    assert report is not None
    assert report.sections[0].start == date(1999, 11, 14)


@pytest.mark.parametrize(
    "text",
    [
        *("2026/02/30", "soon", "\u0662\u0660\u0662\u0666/11/14", "2026/11/14 to 15"),
        *(
            "05/06/2026",
            "12/12/2026",
            "14/14/2026",
            "32/11/2026",
            "Non 14, 2026",
            "Nov 31, 2026",
            "14/11/26/2",
        ),
    ],
)
def test_a_date_that_cannot_be_read_is_an_error_unless_an_option_says_it(text: str) -> None:
    lines = (*without("052"), f"052 {text}")
    assert "date-unreadable" in codes(parse(*lines))
    result = parse(*lines, hints=Hints(end=date(2026, 11, 15)))
    assert "record-replaced" in codes(result)
    assert result.report is not None
    assert result.report.sections[0].end == date(2026, 11, 15)


@pytest.mark.parametrize(
    ("start", "end", "day"),
    [
        ("05/09/2010", "24/09/2010", date(2010, 9, 5)),
        ("09/05/2010", "09/24/2010", date(2010, 9, 5)),
        ("05/09/2010", "09/24/2010", date(2010, 5, 9)),
        ("05/09/2010 - 24/09/2010", "05/09/2010 - 24/09/2010", date(2010, 9, 5)),
        ("Sep 5, 2010", "24. 09. 2010", date(2010, 9, 5)),
    ],
)
def test_a_date_is_in_the_order_of_the_other_one(start: str, end: str, day: date) -> None:
    lines = [line for line in without("042") if line[:3] not in {"052", "132"}]
    report = parse(*lines, f"042 {start}", f"052 {end}").report
    assert report is not None
    assert report.sections[0][2:4] == (day, date(2010, 9, 24))


def test_a_year_beyond_all_events_is_an_error() -> None:
    assert "date-out-of-range" in codes(parse(*without("042"), "042 1066/10/14"))


def test_dates_reversed_are_an_error() -> None:
    assert "dates-reversed" in codes(parse(*without("042"), "042 2026/11/16"))


def test_without_dates_those_of_the_rounds_are_taken() -> None:
    result = parse(*[line for line in QUAD if line[:3] not in {"042", "052"}])
    assert codes(result).count("dates-from-rounds") == 2
    assert result.report is not None
    assert result.report.sections[0][2:4] == (date(2026, 11, 14), date(2026, 11, 15))


def test_without_any_date_the_end_must_be_given_and_the_start_should_be() -> None:
    lines = [line for line in QUAD if line[:3] not in {"042", "052", "132"}]
    result = parse(*lines)
    (missing,) = [finding for finding in result.findings if finding.severity is Severity.ERROR]
    assert (missing.code, missing.remedy) == ("end-missing", "Give the last day with --end YYYY-MM-DD.")
    result = parse(*lines, hints=Hints(end=date(2026, 11, 15)))
    assert codes(result)[:1] == ["start-missing"]
    assert result.report is not None
    assert result.report.sections[0][2:4] == (None, date(2026, 11, 15))


def test_a_round_outside_the_days_of_the_event_is_a_warning() -> None:
    assert "round-date-outside" in codes(parse(*QUAD, "132 26/11/16"))


# Time controls


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("5400+30", "G/90;+30"),
        ("40/6000+30:900+30", "40/100,SD/15;+30"),
        ("3600", "G/60"),
        ("60", "G/1"),
        ("300+0", "G/5"),
        ("40/7200:20/3600:1800", "40/120,20/60,SD/30"),
        ("40/6000:20/3000", "40/100,20/50"),
    ],
)
def test_the_coded_time_control_is_read(code: str, text: str) -> None:
    assert time_control(f"222 {code}") == (text, [])


@pytest.mark.parametrize(
    "code",
    [
        "W300-B240",
        "90",
        "5400+30:900+15",
        "40/6000:60",
        "5400:900",
        "0",
        "abc",
        "5400+",
        "9" * 90,
        "9" * 200,
        "1/60:" * 40,
    ],
)
def test_a_code_that_cannot_be_written_in_our_notation_is_an_error_unless_an_option_says_it(
    code: str,
) -> None:
    assert time_control(f"222 {code}") == (None, ["time-control-unreadable"])
    hints = Hints(time_control="G/90;d5")
    assert time_control(f"222 {code}", hints=hints) == ("G/90;d5", ["record-replaced"])


def test_a_code_that_cannot_be_used_leaves_the_words() -> None:
    assert time_control("222 W300-B240", "122 G/5") == ("G/5", ["time-control-not-decoded"])


def test_words_that_say_the_same_as_the_code_are_kept() -> None:
    assert time_control("222 40/5400+30:1800+30", "122 40/90, SD/30; +30") == ("40/90, SD/30; +30", [])


@pytest.mark.parametrize("words", ["G/60;d5", "ninety minutes"])
def test_words_that_say_something_else_than_the_code_are_a_warning(words: str) -> None:
    assert time_control("222 5400+30", f"122 {words}") == ("G/90;+30", ["time-control-differs"])


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("90+30", "G/90;+30"),
        ("90 min + 30 sec", "G/90;+30"),
        ("90 minutes + 30 seconds per move", "G/90;+30"),
        ("90'+30''", "G/90;+30"),
        ("60 min.", "G/60"),
        ("5400+30", "G/90;+30"),
        ("40/6000+30:900+30", "40/100,SD/15;+30"),
        # As in the files of several programs.
        ("12'+3''", "G/12;+3"),
        ("1:30 + 10 from move 1", "G/90;+10"),
        ("1:30 plus 15 per move", "G/90;+15"),
        ("1h30 + 30", "G/90;+30"),
        ("1 hour 30 minutes + 30 seconds", "G/90;+30"),
        ("15 minutes plus 10 sec per move", "G/15;+10"),
        ("90 minutes + 10 sec from move 1", "G/90;+10"),
        ("All moves in 90 minutes, plus 10 seconds per move", "G/90;+10"),
        ("Standard: 90 minutes with 30 second increment from move 1", "G/90;+30"),
        ("120 minutes per player per game", "G/120"),
        ("90 Min. + 30 Sek.", "G/90;+30"),
        ("40/120, 60", "40/120,SD/60"),
        ("60 in 2hr, 30 in 1hr, rest in 1hr", "60/120,30/60,SD/60"),
        ("100'x40+15'+30\"", "40/100,SD/15;+30"),
        ("90 min/40 moves + 30 min", "40/90,SD/30"),
        ("45'x40", "40/45"),
        (
            "90 minutes for the first 40 moves, followed by 30 min for the rest of the game with 30 sec per move",
            "40/90,SD/30;+30",
        ),
        # FIDE's order is minutes/moves.
        ("90/40+30", "40/90;+30"),
        ("60/40+5", "40/60;+5"),
        ("45/40+5", "40/45;+5"),
        ("90/40;d5", "40/90;d5"),
        ("100/40, 50/20, 15 + 30", "40/100,20/50,SD/15;+30"),
        # The increment of each period, as long as it is the same.
        ("90/40+30,30+30", "40/90,SD/30;+30"),
        ("100/40+30, 50/20+30, 15+30", "40/100,20/50,SD/15;+30"),
    ],
)
def test_common_words_are_read_with_a_note(words: str, text: str) -> None:
    assert time_control(f"122 {words}") == (text, ["time-control-assumed"])


@pytest.mark.parametrize(
    "words",
    [
        *("by arrangement", "0", "200+30", "x" * 500, "x" * 5000, "90, 30", "90 + 30 + 30", "2/40 + 30"),
        *("40/90+30,20/60+15,15+30", "90/40+30,30", "90 + 30, 30s"),
        *("90 min 30 sec", "9:00", "10:00", "1:30:00", "2 horses", "90 minx", "40 moves", "rest 30 30"),
    ],
)
def test_words_that_are_not_read_are_an_error(words: str) -> None:
    assert time_control(f"122 {words}") == (None, ["time-control-unreadable"])


@pytest.mark.parametrize(
    "words", ["40/90", "40/90+30", "40/2, SD/1", "60/120, SD/60", "30/50, SD/20;d5", "40/100,SD/60;+10"]
)
def test_moves_before_minutes_are_read_as_they_are(words: str) -> None:
    assert time_control(f"122 {words}") == (words, [])


def test_a_schedule_by_round_is_kept_as_it_is() -> None:
    words = ", ".join(f"Round {place}: G/{minutes};d5" for place, minutes in enumerate((90, 90, 120) * 3))
    assert time_control(f"122 {words}") == (words, [])


@pytest.mark.parametrize("control", ["40/45", "60/50", "40/45;+5", "40/120", "60/90,SD/30", "40/2,SD/1;d5"])
@pytest.mark.parametrize("edition", [16, 26])
def test_a_control_is_written_so_that_it_is_not_turned_round(control: str, edition: int) -> None:
    report = parse(*QUAD).report
    assert report is not None
    written = write(
        report._replace(sections=(report.sections[0]._replace(time_control=control),)), edition=edition
    )
    (content,) = written.files.values()
    again = parse(*content.decode().split("\r\n"))
    assert again.report is not None
    assert again.report.sections[0].time_control == control
    assert "time-control-differs" not in codes(again)


def test_without_a_time_control_the_remedy_is_that_of_crosstables() -> None:
    (found,) = [finding for finding in parse(*without("122")).findings if finding.severity is Severity.ERROR]
    assert found.code == "time-control-missing"
    assert found.remedy == "Give it with --time-control, for example --time-control 'G/90;d5'."


def test_what_the_file_says_holds_and_an_option_that_is_not_needed_is_named() -> None:
    hints = Hints(
        date(2026, 11, 13), date(2026, 11, 16), "G/60", online=True, type=SectionType.OTHER, event="1"
    )
    result = parse(*QUAD, hints=hints)
    (found,) = [finding for finding in result.findings if finding.code == "option-unused"]
    assert "not used: --start, --end, --time-control." in found.message
    assert result.report is not None
    assert result.report.sections[0][2:5] == (date(2026, 11, 14), date(2026, 11, 15), "G/90;d5")


def test_an_option_holds_before_words_that_must_be_guessed() -> None:
    assert time_control("122 90+30", hints=Hints(time_control="G/90;+30")) == ("G/90;+30", [])
    assert time_control("122 90+30", hints=Hints(time_control="G/90;d30")) == (
        "G/90;d30",
        ["record-replaced"],
    )
