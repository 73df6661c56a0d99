"""Days as people write them above a table and in its cells."""

from __future__ import annotations

from datetime import date

import pytest

from ratebook.formats.contract import DayOrder
from ratebook.formats.reading.dates import days_in, told_orders

WEEKEND = (date(2026, 10, 3), date(2026, 10, 4))


@pytest.mark.parametrize(
    "text",
    [
        "October 3-4, 2026",
        "Fall Swiss - Oct. 3 - 4 2026, G/90 d5",
        "Oct 3rd and 4th, 2026",
        "3-4 October 2026",
        "3. - 4. Oct 2026",
        "October 3, 2026 - October 4, 2026",
        "3 Oct 2026 to 4 Oct 2026",
        "2026-10-03 thru 2026-10-04",
        "10/3/2026 to 10/4/2026",
        "10/3/26 - 10/4/26",
    ],
)
def test_the_days_of_an_event_are_read_in_words_and_figures(text: str) -> None:
    mention = days_in(text)
    assert mention is not None
    assert mention.days == WEEKEND


def test_two_days_may_be_in_two_months_or_years() -> None:
    mention = days_in("Played December 30, 2025 - January 2, 2026 in Exampleville")
    assert mention is not None
    assert mention.days == (date(2025, 12, 30), date(2026, 1, 2))
    assert (mention.start, mention.end) == (7, 42)
    mention = days_in("31 October - 1 November 2026")
    assert mention is not None
    assert mention.days == (date(2026, 10, 31), date(2026, 11, 1))


@pytest.mark.parametrize(
    "text",
    [
        "Dec 28 2026 - Jan 3",
        "28 Dec 2026 to 3 Jan",
        "Dec 28 - Jan 3, 2027",
        "2026 Dec 28 - Jan 3",
        "28.12. - 3.1.2027",
    ],
)
def test_a_year_that_one_of_two_days_has_is_told_of_the_other(text: str) -> None:
    mention = days_in(text)
    assert mention is not None
    assert mention.days == (date(2026, 12, 28), date(2027, 1, 3))


def test_a_number_behind_a_day_may_be_something_else() -> None:
    for text in (
        "Nov 14, 2026, 10 am",
        "Nov 14, 2026 - 10:00",
        "Nov 14, 2026 - 5 rounds",
        "Nov 14, 2026, G/60 d5",
    ):
        mention = days_in(text)
        assert mention is not None
        assert mention.days == (date(2026, 11, 14),) * 2


def test_a_day_of_which_nothing_tells_the_order_is_unclear_and_nothing_else_is_a_day() -> None:
    mention = days_in("played on 3/4/2026")
    assert mention is not None
    assert mention.days is None
    told = days_in("played on 3/4/2026", [DayOrder.DAY_FIRST])
    assert told is not None
    assert told.days == (date(2026, 4, 3),) * 2
    for text in ("Opening 31, 2026", "4 rounds, G/90 d5", "March 2026", "Room 12/14", "1-2-3"):
        assert days_in(text) is None


def test_years_of_two_digits_tell_the_order_too() -> None:
    assert told_orders("12/19/25") == {DayOrder.MONTH_FIRST: 1}
