"""Time controls by round, and published sections: the systems that rated them."""

from __future__ import annotations

from datetime import date

import pytest

from ratebook.findings import Place, Severity
from ratebook.model import System
from ratebook.rules.timecontrol import (
    Control,
    check_main_time,
    check_reading,
    check_schedule,
    same_control,
    systems_for,
)
from unit.rules.test_timecontrol import REGULAR, RULEBOOK, TODAY, systems_of, understood


def schedule(*controls: str) -> str:
    """Return a schedule as US Chess publishes it."""
    named = [f"Round {place}: {control}" for place, control in enumerate(controls, start=1)]
    return ", ".join(named)


def schedules(*of_rounds: tuple[str, ...]) -> str:
    return ", ".join(
        f"Schedule {number} Round {place}: {control}"
        for number, controls in enumerate(of_rounds, start=1)
        for place, control in enumerate(controls, start=1)
    )


LONG, SHORT = "40/120,SD/30;d10", "G/60;d10"


@pytest.mark.parametrize(
    ("text", "start", "longest", "systems"),
    [
        ("40/120 THEN SD/60", date(2011, 3, 18), 180, REGULAR),
        ("40/2 THEN SD/1", date(2010, 7, 15), 180, REGULAR),
        ("G150/5S", date(2011, 5, 13), 155, REGULAR),
        ("GAME 100 + 30 SEC INCREMENT", date(2010, 9, 25), 130, REGULAR),
        ("GAME 90 WITH 30 SECOND INCREME", date(2009, 7, 11), 120, REGULAR),
        (schedule("G/90;d5", "G/90;d5", *["G/120;d5"] * 3), date(2014, 6, 28), 125, REGULAR),
        (schedule(*["G/75;+10"] * 2, *["G/90;+10"] * 3), date(2021, 5, 22), 100, REGULAR),
        (schedule(*["G/90;+30"] * 2, *["40/90,SD/30;+30"] * 3), date(2018, 3, 23), 150, REGULAR),
        # The rounds of G/45;+15 are dual-rated where they are a section of their own (T = 60).
        (
            schedules(("G/120;+30",) * 7, ("G/45;+15",) * 2 + ("G/120;+30",) * 5),
            date(2021, 5, 28),
            150,
            REGULAR,
        ),
        (
            schedules((LONG,) * 7, (SHORT,) * 2 + (LONG,) * 5, ("G/30;d10",) * 4 + (LONG,) * 3),
            date(2019, 2, 15),
            160,
            REGULAR,
        ),
    ],
)
def test_published_sections_are_rated_in_the_systems_that_rated_them(
    text: str, start: date, longest: int, systems: tuple[System, ...]
) -> None:
    """Texts, days and systems as US Chess published them (MSA pages, 2021)."""
    assert understood(text).total == longest
    assert systems_of(text, start) == systems


def test_a_schedule_has_the_controls_of_its_rounds_the_slowest_first() -> None:
    control = understood("Round 1: G/25; d5, Rounds 2-3: G/25;d5; Round 4: 40/90, SD/30; d5")
    assert [one.text for one in control.schedule] == ["40/90, SD/30; d5", "G/25; d5"]
    assert (control.controls, control.total) == ((Control(40, 90), Control(None, 30)), 125)
    assert control.text.startswith("Round 1: G/25; d5, Rounds")
    assert systems_of(control.text) == REGULAR


def test_rounds_that_are_all_alike_are_no_schedule() -> None:
    assert understood(schedule(*["G/90;d5"] * 5)).schedule == ()
    assert same_control(schedule(*["G/90;d5"] * 5), "G/90; d5")


@pytest.mark.parametrize(
    ("rounds", "online", "rated"),
    [
        (("G/25;d3", "G/90;d5"), False, "G/90;d5 in regular, G/25;d3 in quick"),
        (("G/60;d5", "G/5;d0"), False, "G/60;d5 in regular and quick, G/5;d0 in blitz"),
        (("G/30;d5", "G/20;d5"), True, "G/30;d5 in online-regular, G/20;d5 in online-quick"),
        (("G/5;d0", "G/3;d0"), False, "G/5;d0 in blitz, G/3;d0 in no system"),
    ],
)
def test_rounds_that_no_system_rates_together_are_an_error(
    rounds: tuple[str, ...],
    online: bool,  # noqa: FBT001 - a column of the table
    rated: str,
) -> None:
    control = understood(schedule(*rounds))
    assert systems_for(RULEBOOK, control, TODAY, online=online) == ()
    (found,) = check_schedule(RULEBOOK, control, TODAY, Place(section=1), online=online)
    assert (found.code, found.severity, found.place) == (
        "time-control-rounds-differ",
        Severity.ERROR,
        Place(section=1),
    )
    assert found.message.endswith(f": {rated}.")


def test_the_fastest_rounds_of_a_schedule_decide_its_main_time() -> None:
    control = understood(schedule("G/90;d5", "G/4;+90"))
    (found,) = check_main_time(RULEBOOK, control, TODAY, REGULAR)
    assert found.message.startswith("The main time of 'G/4;+90' is 4 minutes")


@pytest.mark.parametrize(
    ("text", "twice"),
    [
        ("Round 1: G/90;d5, Round 1: G/60;d5", [1]),
        ("Round 1: G/90;d5, Rounds 1-3: G/60;d5, Round 2: G/90;d5", [1, 2]),
        ("Schedule 1 Round 1: G/90;d5, Schedule 2 Round 1: G/60;d5", []),
        ("Schedule 1: G/90;d5, Schedule 2: G/60;d5", []),
        ("Round 1: G/90;d5, Round 1: G/90; d/5, Round 2: G/60;d5", []),
    ],
)
def test_two_controls_for_one_round_are_a_warning(text: str, twice: list[int]) -> None:
    assert [
        (one.code, one.severity, one.message.split(",")[0]) for one in check_reading(understood(text))
    ] == [
        ("time-control-round-twice", Severity.WARNING, f"Round {number} has two time controls")
        for number in twice
    ]
