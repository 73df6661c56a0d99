"""What a person adds to a file that cannot say it, as inputs of a form."""

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from ratebook.findings import Finding, Place, Severity, finding
from ratebook.formats.contract import DayOrder, Hints
from ratebook.formats.hints import section_name
from ratebook.model import Report, SectionType
from ratebook.pages.event import TYPES
from ratebook.web.forms.inputs import Input, InputKind
from ratebook.web.forms.sent import Sent

TIME_CONTROL = Input(
    "time_control",
    "Time control",
    hint="For example G/60;d5: 60 minutes with a delay of 5 seconds.",
    needed=False,
    most=1000,
)
START = Input("start", "First day", InputKind.DATE, needed=False)
END = Input("end", "Last day", InputKind.DATE, needed=False)
NAME = Input("name", "Name of the event", needed=False)
RATINGS = Input(
    "ratings",
    "The ratings of a FIDE tournament report are",
    InputKind.CHOICE,
    needed=False,
    choices=[("fide", "FIDE ratings, to be converted"), ("pairing", "US Chess ratings")],
)
DAY_ORDER = Input(
    "day_order",
    "Dates such as 5/6/2026",
    InputKind.CHOICE,
    needed=False,
    choices=[(DayOrder.MONTH_FIRST, "month first: May 6"), (DayOrder.DAY_FIRST, "day first: 5 June")],
)
SHEET = Input(
    "sheet",
    "Sheet",
    hint="The sheet, or the file of an archive, to read; if empty, all with results are read as sections.",
    needed=False,
)
EVENT = Input("event", "Event id", hint="The event to read, if the file has several.", needed=False)
UNSAID = (
    START,
    END,
    TIME_CONTROL,
    NAME,
    Input("type", "How it was played", InputKind.CHOICE, needed=False, choices=TYPES),
    Input("online", "It was played online", InputKind.CHECK, needed=False),
    RATINGS,
    DAY_ORDER,
    SHEET,
    EVENT,
)
"""What some formats cannot say."""
OF_THE_FILE = (SHEET, EVENT)
"""What chooses a part of the file: it is asked for when the file was read, and its parts are known."""
AT_UPLOAD = tuple(field for field in UNSAID if field not in OF_THE_FILE)
NEVER_WITHOUT = (END, TIME_CONTROL, NAME)
"""What every report has: once it was told for a file that does not say it, it cannot be left out again."""

ASKED_BY = {
    "end-missing": (START, END),
    "start-missing": (START,),
    "dates-reversed": (START, END),
    "time-control-missing": (TIME_CONTROL,),
    "time-control-not-decoded": (TIME_CONTROL,),
    "time-control-unreadable": (TIME_CONTROL,),
    "date-order-unclear": (DAY_ORDER,),
    "date-order-taken": (DAY_ORDER,),
    "event-unknown": (EVENT,),
    "several-events": (EVENT,),
    "sheet-unknown": (SHEET,),
    "files-as-sections": (SHEET,),
    "several-files": (SHEET,),
    "different-events": (SHEET, NAME),
    "fide-ratings-taken": (RATINGS,),
    "fide-number-missing": (RATINGS,),
    "fide-rating-too-low": (RATINGS,),
}
"""What answers a finding, by its code."""


_QUOTED = re.compile(r"'([^']+)'")
_AND_MORE = re.compile(r" and [0-9,]+ more$", re.ASCII)
MOST_SECTIONS, LONGEST_NAME = 20, 200
"""Of sections whose names can be typed."""

COLUMN_HOLDS = [
    ("rating", "ratings"),
    ("name", "names"),
    ("id", "member ids"),
    ("birth_date", "birth dates"),
    ("none", "something else, not to be read"),
]


def columns_asked(findings: Iterable[Finding], hints: Hints) -> dict[str, Input]:
    """Return an input for each column of which has to be known what it holds, by the column's title."""
    titles = [told.rpartition("=")[0] for told in hints.column]
    titles += [str(dict(one.values)["column"]) for one in findings if one.code == "column-unclear"]
    return {
        title: Input(
            f"column-{number}",
            f"The column “{title[:40]}” holds",
            InputKind.CHOICE,
            needed=False,
            choices=COLUMN_HOLDS,
        )
        for number, title in enumerate(dict.fromkeys(titles), start=1)
    }


def sections_asked(report: Report | None) -> tuple[Input, ...]:
    """Return an input for the name of each of the first sections of a report, in their order."""
    sections = () if report is None else report.sections[:MOST_SECTIONS]
    return tuple(
        Input(
            f"section-name-{at}",
            f"Name of section {section.number}",
            needed=False,
            most=max(LONGEST_NAME, len(section.name)),
        )
        for at, section in enumerate(sections, start=1)
    )


def events_in(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Return the ids of the events of a file, where its findings list them all."""
    for listing in findings:
        values = dict(listing.values)
        listed = str(values.get("listed") or values.get("ids") or "")
        if listing.code in {"event-unknown", "several-events"} and not _AND_MORE.search(listed):
            return tuple(_QUOTED.findall(listed))
    return ()


def unsaid_of(sheets: Sequence[str], events: Sequence[str] = ()) -> tuple[Input, ...]:
    """Return `UNSAID` with lists of *sheets* and of *events* to choose from, where a file has several."""
    names = [sheet.strip() for sheet in sheets]
    chosen = {
        SHEET.name: _choice(
            SHEET, names, f"The file has {len(names)} with results. If none is chosen, each is a section."
        ),
        EVENT.name: _choice(EVENT, events, f"The file has {len(events)} events; a report covers one."),
    }
    return tuple(chosen.get(field.name, field) for field in UNSAID)


def _choice(field: Input, names: Sequence[str], hint: str) -> Input:
    """Return a field as a list of *names* to choose from, if there are any."""
    if not names:
        return field
    choices = [(name, name) for name in names]
    return field._replace(kind=InputKind.CHOICE, hint=hint, choices=choices, most=max(map(len, names)))


def asked_by(findings: Iterable[Finding], unsaid: Sequence[Input] = UNSAID) -> tuple[Input, ...]:
    """Return the inputs of *unsaid* that answer *findings*, in their order; an error cannot do without an answer."""
    needed: dict[str, bool] = {}
    for problem in findings:
        for field in ASKED_BY.get(problem.code, ()):
            # Either of sheet and name says what is meant.
            is_error = (
                problem.severity is Severity.ERROR
                and field is not START
                and problem.code != "different-events"
            )
            needed[field.name] = needed.get(field.name, False) or is_error
    return tuple(field._replace(needed=needed[field.name]) for field in unsaid if field.name in needed)


def hints_of(
    sent: Sent, columns: Mapping[str, Input] = MappingProxyType({}), sections: Iterable[Input] = ()
) -> Hints:
    """Return what was typed into `UNSAID`, into the inputs of *columns* and into those of names of *sections*."""
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
        sheet=sent.text("sheet") or None,
        column=tuple(
            f"{title}={holds}" for title, field in columns.items() if (holds := sent.text(field.name))
        ),
        section_names=tuple(sent.text(field.name) for field in sections),
    )


def texts_of(
    hints: Hints, columns: Mapping[str, Input] = MappingProxyType({}), sheets: Sequence[str] = ()
) -> dict[str, str]:
    """Return what `UNSAID` and the inputs of *columns* held when they gave *hints*; a sheet as *sheets* have it.

    >>> texts_of(Hints(time_control="G/60;d5", online=True))
    {'time_control': 'G/60;d5', 'online': 'yes'}
    """
    texts = {name: "yes" if value is True else str(value) for name, value in hints._asdict().items() if value}
    if hints.sheet is not None:
        wanted = hints.sheet.casefold(), section_name(hints.sheet).casefold()
        texts["sheet"] = next(
            (sheet.strip() for sheet in sheets if sheet.strip().casefold() in wanted), hints.sheet
        )
    told = {title: holds for title, _, holds in (text.rpartition("=") for text in hints.column)}
    return {field.name: texts[field.name] for field in UNSAID if field.name in texts} | {
        field.name: told[title] for title, field in columns.items() if title in told
    }


def wrong_days(hints: Hints) -> tuple[Finding, ...]:
    """Return what is wrong with the days that were typed: an event that ends before it starts."""
    if hints.start is None or hints.end is None or hints.start <= hints.end:
        return ()
    return (finding("dates-reversed.fields", Place(input="end"), end=hints.end, start=hints.start),)
