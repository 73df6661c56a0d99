"""What a person adds to a file that cannot say it, as inputs of a form."""

from ratebook.formats.contract import Hints
from ratebook.formats.reading.sheets.days import DayOrder
from ratebook.model import SectionType
from ratebook.web.forms.inputs import Input, Kind
from ratebook.web.forms.sent import Sent

HINTS = (
    Input("end", "Last day", Kind.DATE, needed=False),
    Input("start", "First day", Kind.DATE, needed=False),
    Input("time_control", "Time control", needed=False, hint="Such as G/60;d5.", most=1000),
    Input("type", "Type", Kind.CHOICE, needed=False, choices=[(one.value, one.value) for one in SectionType]),
    Input("online", "Played online", Kind.CHECK, needed=False),
    Input("name", "Name of the event", needed=False),
    Input("event", "Event id", needed=False, hint="Of the event to read, where the file has several."),
    Input(
        "ratings",
        "The rating column of a FIDE report has",
        Kind.CHOICE,
        needed=False,
        choices=(("fide", "FIDE ratings"), ("pairing", "ratings used for pairing")),
    ),
    Input(
        "day_order",
        "Dates such as 5/6/2026 have first",
        Kind.CHOICE,
        needed=False,
        choices=[(one.value, one.value) for one in DayOrder],
    ),
)
"""All may be left empty: a format that says it has the last word."""


def hints_of(sent: Sent) -> Hints:
    """Return what was typed into `HINTS`."""
    kind, order = sent.text("type"), sent.text("day_order")
    return Hints(
        start=sent.day("start"),
        end=sent.day("end"),
        time_control=sent.text("time_control") or None,
        online=sent.is_checked("online"),
        type=SectionType(kind) if kind else None,
        event=sent.text("event") or None,
        name=sent.text("name") or None,
        ratings=sent.text("ratings") or None,
        day_order=DayOrder(order) if order else None,
    )
