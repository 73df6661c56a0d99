"""What a person adds to a file that cannot say it, as inputs of a form."""

from ratebook.formats.contract import DayOrder, Hints
from ratebook.model import SectionType
from ratebook.web.forms.inputs import Input, InputKind
from ratebook.web.forms.sent import Sent

UNSAID = (
    Input("time_control", "Time control", hint="For example G/60;d5.", needed=False, most=1000),
    Input("start", "First day", InputKind.DATE, needed=False),
    Input("end", "Last day", InputKind.DATE, needed=False),
    Input(
        "type",
        "How it was played",
        InputKind.CHOICE,
        needed=False,
        choices=[(one.value, one.value) for one in SectionType],
    ),
    Input("online", "It was played online", InputKind.CHECK, needed=False),
    Input("name", "Name of the event", needed=False),
    Input("event", "Event id", hint="The event to read, where the file has several.", needed=False),
    Input(
        "ratings",
        "The ratings of a FIDE tournament report are",
        InputKind.CHOICE,
        needed=False,
        choices=[("fide", "FIDE ratings"), ("pairing", "others, used for pairing")],
    ),
    Input(
        "day_order",
        "Dates such as 5/6/2026",
        InputKind.CHOICE,
        needed=False,
        choices=[(DayOrder.MONTH_FIRST, "month first"), (DayOrder.DAY_FIRST, "day first")],
    ),
)
"""What some formats cannot say."""


def hints_of(sent: Sent) -> Hints:
    """Return what was typed into `UNSAID`."""
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
