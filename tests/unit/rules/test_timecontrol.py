"""Time controls: every spelling and worked example of docs/formats/time-controls.md and D25 footnote 1."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ratebook.findings import Finding, Place, Severity
from ratebook.model import System
from ratebook.rules.rulebook import RuleNotKnown, load_rulebook
from ratebook.rules.timecontrol import (
    Control,
    TimeControl,
    check_main_time,
    check_reading,
    parse_time_control,
    systems_for,
)
from support.counted_work import SCANNED_IN_A_STEP, steps_of

RULEBOOK = load_rulebook()
TODAY = date(2025, 6, 1)
REGULAR, QUICK, BLITZ = (System.REGULAR,), (System.QUICK,), (System.BLITZ,)
DUAL = (System.REGULAR, System.QUICK)
NONE: tuple[System, ...] = ()


def understood(text: str) -> TimeControl:
    parsed = parse_time_control(text)
    assert isinstance(parsed, TimeControl), parsed
    return parsed


def systems_of(text: str, on: date = TODAY, *, online: bool = False) -> tuple[System, ...]:
    return systems_for(RULEBOOK, understood(text), on, online=online)


@pytest.mark.parametrize(
    ("text", "minutes", "seconds", "kind"),
    [
        ("G/60;d5", 60, 5, "delay"),
        ("G/90;+30", 90, 30, "increment"),
        ("40/90,SD/30;d5", 120, 5, "delay"),
        ("G/60;d0", 60, 0, "none"),
        ("G/60", 60, 0, "none"),
        ("Game/60", 60, 0, "none"),
        ("40/90, SD/30", 120, 0, "none"),
        ("G/3+2", 3, 2, "increment"),
        ("G/7d3", 7, 3, "delay"),
        ("G/5d0", 5, 0, "none"),
        ("G60 d5", 60, 5, "delay"),
        ("G60; d5", 60, 5, "delay"),
        ("G90d5", 90, 5, "delay"),
        ("G/45; d5", 45, 5, "delay"),
        ("G/25;+5", 25, 5, "increment"),
        ("G/5/d0", 5, 0, "none"),
        ("G/60 d/5", 60, 5, "delay"),
        ("G/60;d/5", 60, 5, "delay"),
        ("G/90 inc30", 90, 30, "increment"),
        ("G/90 inc/30", 90, 30, "increment"),
        ("G/90 inc 30", 90, 30, "increment"),
        ("G/90, increment 30", 90, 30, "increment"),
        ("G/60 delay 5", 60, 5, "delay"),
        ("g/60 D5", 60, 5, "delay"),
        ("  G / 60 ;  d 5 ", 60, 5, "delay"),
        ("G/60\u00a0d5", 60, 5, "delay"),
        ("GAME/60;D5", 60, 5, "delay"),
        ("40/90;SD/30;+30", 120, 30, "increment"),
        ("30/90 SD/60 d10", 150, 10, "delay"),
        ("30/90, SD/60, t/d5", 150, 5, "delay"),
        ("40/90,G/30;d5", 120, 5, "delay"),
        ("40/90 d5, SD/30 d5", 120, 5, "delay"),
        ("40/80,20/40,SD/15;+30", 135, 30, "increment"),
        ("40/2, SD/1", 180, 0, "none"),
        ("40/2,SD/1;d5", 180, 5, "delay"),
        ("30/1 SD/30", 90, 0, "none"),
        ("40/120", 120, 0, "none"),
        ("G/1", 1, 0, "none"),
        ("G/2+1", 2, 1, "increment"),
        ("G/90+30", 90, 30, "increment"),
        ("G90;d5", 90, 5, "delay"),
        # The seconds first, or with their unit.
        ("G90/5d", 90, 5, "delay"),
        ("G/90 5d", 90, 5, "delay"),
        ("G/60; 5 sec delay", 60, 5, "delay"),
        ("G/60, 5-second delay", 60, 5, "delay"),
        ("G/90; 30 sec. increment", 90, 30, "increment"),
        ("G/90 30 inc", 90, 30, "increment"),
        ("G/90 +30s", 90, 30, "increment"),
        ("G/60 d5 sec", 60, 5, "delay"),
        ("40/90, SD/30, 5d", 120, 5, "delay"),
        ("Game in 60; d5", 60, 5, "delay"),
        # As sections of 2005 to 2021 were published, and as the same forms are met elsewhere.
        ("40/120 THEN SD/60", 180, 0, "none"),
        ("40/2 THEN SD/1", 180, 0, "none"),
        ("40/2, THEN SD/60", 180, 0, "none"),
        ("40/120, ALL/60", 180, 0, "none"),
        ("G/100(+30)", 100, 30, "increment"),
        ("G/90 (d5)", 90, 5, "delay"),
        ("G/60 + 30 SEC DELAY", 60, 30, "delay"),
        ("G/30+5DELAY", 30, 5, "delay"),
        ("G150/5S", 150, 5, "delay"),
        ("GAME 100 + 30 SEC INCREMENT", 100, 30, "increment"),
        ("GAME 90 WITH 30 SECOND INCREME", 90, 30, "increment"),
        ("game/2", 2, 0, "none"),
        ("G/90 minutes", 90, 0, "none"),
        ("GAME IN 90 MINUTES", 90, 0, "none"),
        ("G/60 minutes d5", 60, 5, "delay"),
        ("G/60 min.; +5", 60, 5, "increment"),
        ("40/120 THEN SD", 120, 0, "none"),
        ("40/90, SD; +30", 90, 30, "increment"),
        ("Rd 1: G/60", 60, 0, "none"),
        ("R1-3: G/60;d5, Rds. 4-5: G/60;d5", 60, 5, "delay"),
        # Minutes alone, with a delay or an increment.
        ("90+30", 90, 30, "increment"),
        ("90 + 30", 90, 30, "increment"),
        ("90;+30", 90, 30, "increment"),
        ("90 min + 30 sec", 90, 30, "increment"),
        ("90min+30s", 90, 30, "increment"),
        ("25d5", 25, 5, "delay"),
        ("25 d5", 25, 5, "delay"),
        ("25/d5", 25, 5, "delay"),
        ("25;d5", 25, 5, "delay"),
        ("25 5d", 25, 5, "delay"),
        ("15 inc 10", 15, 10, "increment"),
        ("60+0", 60, 0, "none"),
        ("180+30", 180, 30, "increment"),
    ],
)
def test_spellings_are_read(text: str, minutes: int, seconds: int, kind: str) -> None:
    parsed = understood(text)
    assert (parsed.main_minutes, parsed.seconds, parsed.kind) == (minutes, seconds, kind)
    assert parsed.total == minutes + seconds
    assert parsed.text == text


def test_controls_are_kept_in_order() -> None:
    assert understood("40/90, 20/1, SD/30; d5").controls == (
        Control(40, 90),
        Control(20, 60),
        Control(None, 30),
    )


@pytest.mark.statement("S2")
@pytest.mark.parametrize(
    ("text", "total", "systems"),
    [
        ("G/5d0", 5, BLITZ),
        ("G/3+2", 5, BLITZ),
        ("G/7d3", 10, BLITZ),
        ("G/20+5", 25, QUICK),
        ("G/26d3", 29, QUICK),
        ("G/30", 30, DUAL),
        ("G/65", 65, DUAL),
        ("G/66", 66, REGULAR),
        ("G/4", 4, NONE),
        ("G/11", 11, QUICK),
        # worked examples of docs/formats/time-controls.md#classes
        ("G/60;d5", 65, DUAL),
        ("G/65;d5", 70, REGULAR),
        ("G/45;+30", 75, REGULAR),
        ("G/55;+10", 65, DUAL),
        ("40/90,G/30;d5", 125, REGULAR),
        ("G/25;d5", 30, DUAL),
        ("G/25;d4", 29, QUICK),
        ("G/20;d10", 30, DUAL),
        ("G/5;d5", 10, BLITZ),
        ("G/4;+25", 29, QUICK),
        ("G/1", 1, NONE),
        ("G/2", 2, NONE),
    ],
)
def test_total_decides_the_systems(text: str, total: int, systems: tuple[System, ...]) -> None:
    assert understood(text).total == total
    assert systems_of(text) == systems


@pytest.mark.statement("S3")
@pytest.mark.parametrize("on", [date(2013, 3, 1), date(2015, 1, 7), date(2015, 6, 1), TODAY])
def test_ten_minutes_are_blitz_only(on: date) -> None:
    """The 2015 editions put G/10+0 in Blitz and in Quick; docs/rules/readings.md#time-control-classes follows D25."""
    assert systems_of("G/10", on) == BLITZ
    assert systems_of("G/10;+0", on) == BLITZ


@pytest.mark.statement("S3")
@pytest.mark.parametrize(
    ("text", "systems"),
    [("G/5", BLITZ), ("G/3+2", BLITZ), ("G/25+5", DUAL), ("G/30", DUAL), ("G/60+5", DUAL), ("G/90", REGULAR)],
)
def test_the_ranges_of_2015_are_totals(text: str, systems: tuple[System, ...]) -> None:
    assert systems_of(text, date(2015, 6, 1)) == systems


@pytest.mark.statement("S4")
@pytest.mark.parametrize(
    ("text", "on", "systems"),
    [
        ("G/30", TODAY, (System.ONLINE_REGULAR,)),
        ("G/65", TODAY, (System.ONLINE_REGULAR,)),
        ("G/29", TODAY, (System.ONLINE_QUICK,)),
        ("G/10", TODAY, (System.ONLINE_BLITZ,)),
        ("G/4", TODAY, NONE),
        ("G/30", date(2020, 6, 1), (System.ONLINE_REGULAR,)),
        ("G/30", date(2020, 5, 31), (System.ONLINE_QUICK,)),
        ("G/65", date(2020, 5, 31), (System.ONLINE_QUICK,)),
        ("G/66", date(2020, 5, 31), NONE),
        ("G/15", date(2015, 2, 28), NONE),
        ("G/15", date(2015, 3, 1), (System.ONLINE_QUICK,)),
        ("G/5", date(2014, 9, 30), NONE),
        ("G/5", date(2014, 10, 1), (System.ONLINE_BLITZ,)),
    ],
)
def test_online_sections_are_never_dual(text: str, on: date, systems: tuple[System, ...]) -> None:
    assert systems_of(text, on, online=True) == systems


@pytest.mark.statement("M7")
@pytest.mark.parametrize(
    ("text", "on", "systems"),
    [
        ("G/30", date(2001, 12, 31), REGULAR),
        ("G/30", date(2002, 1, 1), DUAL),
        ("G/60", date(2002, 1, 1), DUAL),
        ("G/61", date(2002, 1, 1), REGULAR),
        ("G/61", date(2012, 8, 10), REGULAR),
        ("G/61", date(2012, 8, 11), DUAL),
        ("G/10", date(2001, 1, 1), QUICK),
        ("G/29", date(2001, 1, 1), QUICK),
        ("G/9", date(2003, 12, 31), NONE),
        ("G/5", date(2004, 1, 1), QUICK),
        ("G/4", date(2004, 1, 1), NONE),
        ("G/5", date(2013, 2, 28), QUICK),
        ("G/5", date(2013, 3, 1), BLITZ),
        ("G/11", date(2013, 3, 1), QUICK),
    ],
)
def test_systems_follow_the_rules_of_the_day(text: str, on: date, systems: tuple[System, ...]) -> None:
    assert systems_of(text, on) == systems


def test_before_the_timeline_no_system_is_known() -> None:
    with pytest.raises(RuleNotKnown):
        systems_of("G/60", date(2000, 12, 31))


@pytest.mark.statement("S2")
@pytest.mark.parametrize(
    ("text", "online", "warned"),
    [
        ("G/4;+25", False, True),
        ("G/5;+20", False, False),
        ("G/3+2", False, False),
        ("G/2+3", False, True),
        ("G/3+2", True, False),
        ("G/4;+40", True, True),
        ("10/4,SD/60;d5", False, True),
        ("G/1", False, False),
    ],
)
def test_a_short_main_time_is_a_warning_only(text: str, online: bool, warned: bool) -> None:  # noqa: FBT001 - a column of the table
    control = understood(text)
    systems = systems_for(RULEBOOK, control, TODAY, online=online)
    findings = check_main_time(RULEBOOK, control, TODAY, systems)
    assert [(finding.code, finding.severity) for finding in findings] == (
        [("main-time-short", Severity.WARNING)] if warned else []
    )
    assert systems or not warned


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        ";",
        "d5",
        "by arrangement",
        "G/",
        "G/d5",
        "60",
        "G/0",
        "G/0;+30",
        "0/90",
        "40/0",
        "G/1000",
        "G/60;d5;+5",
        "G/60 d5 d5",
        "G/60,40/90",
        "G/60, SD/30",
        "G/60;5",
        "G/-5",
        "G/1.5",
        "G/60;d1000",
        "40//90",
        "40/90/30",
        "5d",
        "+30",
        "90+",
        "90+30+30",
        "90+30 90+30",
        "90+30,SD/30",
        "40/90,30+30",
        "0+30",
        "90d",
        "25/5d",
        "25dd5",
        "25d5d",
        "25+d5",
        "5 sec",
        "60 sec delay",
        "G/60 5 sd",
        "G/60 5 sec",
        "G/60 5dx",
        "G/60 d5 secx",
        "90 minx+30",
        "2x60 min",
        "60 minutes by arrangement",
        "90 min 30 sec",
        "game in",
        # In seconds, as programs write it, or not to be told from that.
        "5400+30",
        "300+5",
        "181+2",
        "2026-11-14",
        "9.5+3",
        "G/٦٠",
        "G/²",
        "\ud800",
        "\x00",
        "G/60" + "\x00",
        "G" * 100,
        # Cut off where the delay or the next control should be said.
        "GAME 90 WITH",
        "40/120 THEN",
        "SD",
        "30/30 THEN SD",
        "40/120 SD, 20/60",
        "GAME 90 WITH 30 SEC",
        "Round 1:",
        "Round 1: G/90;d5, Round 2:",
        "Round 1: G/90;d5, Round 2: soon",
        "G/60;d5, Round 2: G/90;d5",
        "Round: G/90;d5",
        "schedule 1 round 1 G/90;d5",
        "Round 1: " + "G/60;d5" * 20,
        "G/60;d5" * 20,
    ],
)
def test_other_texts_are_a_problem_that_shows_the_accepted_forms(text: str) -> None:
    finding = parse_time_control(text, Place(section=3))
    assert isinstance(finding, Finding)
    assert (finding.code, finding.severity, finding.place) == (
        "time-control-unreadable",
        Severity.ERROR,
        Place(section=3),
    )
    for form in ("G/60;d5", "G/90;+30", "40/90,SD/30;d5", "40/2,SD/1"):
        assert form in finding.remedy
    finding.message.encode("utf-8")
    assert len(finding.message) < 600


@pytest.mark.parametrize(
    "text",
    [
        "40/90 d5, SD/30 d10",
        "40/90 d5, SD/30",
        "40/90 d5, SD/30 +5",
        "40/90 d0, SD/30 d5",
        "40/90+30,20/60,SD/15",
    ],
)
def test_different_bonuses_are_not_accepted(text: str) -> None:
    finding = parse_time_control(text)
    assert isinstance(finding, Finding)
    assert finding.code == "time-control-bonuses-differ"
    assert "40/90,SD/30;d5" in finding.remedy


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("60/5", "60 moves in 5 minutes"),
        ("60/50;d5", "60 moves in 50 minutes"),
        ("Round 1: 40/120, Round 2: 60/15", "60 moves in 15 minutes"),
        ("60/5,SD/5", None),
        ("40/90,60/60", None),
        ("40/2", None),
    ],
)
def test_more_moves_than_minutes_in_the_last_control_are_a_warning(text: str, read: str | None) -> None:
    found = [(one.code, one.severity, one.message) for one in check_reading(understood(text))]
    assert [(code, severity) for code, severity, _ in found] == (
        [("time-control-unlikely", Severity.WARNING)] if read else []
    )
    assert all(message.endswith(f" is read as {read}.") for *_, message in found)


PIECES = st.sampled_from(
    [
        "Round 1:",
        "(",
        ")",
        "then ",
        "G",
        "g/",
        "Game/",
        "SD/",
        "40/",
        "60",
        "90",
        "1",
        "2",
        "0",
        "d",
        "d/",
        "d5",
        "+",
        "inc",
        "t/d",
        ";",
        ",",
        " ",
        "/",
        "\n",
        "٣",
        "²",
    ]
)


@given(st.text() | st.lists(PIECES, max_size=40).map("".join))
@example("G/60" * 25)
@example("İ" * 60)
@example("Round 1: " * 400)
def test_any_text_is_read_or_is_a_problem(text: str) -> None:
    parsed = parse_time_control(text)
    if isinstance(parsed, TimeControl):
        assert parsed.total == parsed.main_minutes + parsed.seconds
        assert parsed.main_minutes == sum(control.minutes for control in parsed.controls) > 0
        assert (parsed.kind == "none") == (parsed.seconds == 0)
        for online in (True, False):
            systems = systems_for(RULEBOOK, parsed, TODAY, online=online)
            check_main_time(RULEBOOK, parsed, TODAY, systems)
        check_reading(parsed)
    else:
        assert parsed.remedy


@given(
    controls=st.lists(st.tuples(st.integers(1, 99), st.integers(3, 240)), max_size=3),
    last=st.integers(3, 240),
    bonus=st.sampled_from(["", ";d5", ";+30", " d5", "d5", "/d5", "; inc/30"]),
)
def test_what_the_rating_validator_stores_is_read(
    controls: list[tuple[int, int]], last: int, bonus: str
) -> None:
    text = ",".join([*(f"{moves}/{minutes}" for moves, minutes in controls), f"SD/{last}"]) + bonus
    parsed = understood(text)
    assert parsed.main_minutes == sum(minutes for _, minutes in controls) + last
    assert parsed.seconds == {"5": 5, "0": 30}.get(bonus[-1:], 0)


@pytest.mark.parametrize(
    "text",
    [
        "G/60 " * 200_000,
        "1" * 1_000_000,
        "G/" * 500_000,
        " " * 1_000_000,
        "٣" * 1_000_000,
        "Round 1: " * 100_000,
    ],
)
def test_a_megabyte_is_refused_at_once(text: str) -> None:
    assert isinstance(parse_time_control(text), Finding)
    assert steps_of(lambda: parse_time_control(text)) < len(text) // SCANNED_IN_A_STEP
