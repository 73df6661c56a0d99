"""What the user adds to a file that cannot state it: options of every command that reads a report."""

import shlex
import sys
from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple

import click

from ratebook.bounded_files import MOST_BYTES, FileTooLargeError, bounded_rest
from ratebook.cli.command import NotedFlag, bundled, option
from ratebook.cli.options import DAY, WordOf, day_option, flag_option, today
from ratebook.cli.show import fail, json_asked
from ratebook.findings import Finding, Severity
from ratebook.formats.archive import too_large
from ratebook.formats.contract import DayOrder, Hints
from ratebook.model import SectionType
from ratebook.reports.load import LoadedReport, LoadOptions, load_bytes, load_file
from ratebook.rules.timecontrol import parse_time_control

STANDARD_INPUT = "-"

DAY_ORDER_HELP = "How to read dates such as 5/6/2026, if the file does not say."
# Read first, since other options can be dates too.
day_order_option = option("--day-order", DAY_ORDER_HELP, WordOf(DayOrder), is_eager=True)

_NO_INPUT = NotedFlag("--no-input", "Ask nothing at a terminal if the file lacks something; for scripts.")

hint_options = bundled(
    "hints",
    Hints,
    day_option("--start", "First day, if the file does not state it."),
    day_option("--end", "Last day, if the file does not state it."),
    option("--time-control TEXT", 'Time control such as "G/60;d5", if the file does not state it.'),
    option("--type", "Type of the sections, if the file does not state it.", WordOf(SectionType)),
    flag_option("--online", "The event was online, if the file does not state it."),
    day_order_option,
    option("--event ID", "The event to read, if the file has several."),
    option("--name TEXT", "Name of the event, if the file does not state it."),
    option(
        "--sheet NAME",
        "The sheet of a workbook or the file of a folder to read. Without it, all with results are sections.",
    ),
    option(
        "--column TITLE=COLUMN",
        "What a column of a table holds, for example 'Wertung=rating'; 'Wertung=none' leaves it out.",
        multiple=True,
    ),
    option(
        "--ratings",
        "What the rating column of a FIDE tournament report has: FIDE ratings, or others used for pairing.",
        click.Choice(["fide", "pairing"]),
    ),
    _NO_INPUT.option,
)


def standard_input() -> bytes:
    """Return what standard input has; a finding and exit status 1 where that is more than a report can be."""
    try:
        return bounded_rest(sys.stdin.buffer, "standard input", MOST_BYTES)
    except FileTooLargeError:
        fail([too_large("standard input").finding])


def load_given(
    path: str, hints: Hints, received: date | None, lists: Sequence[str] = (), *, complete: bool = False
) -> LoadedReport:
    """Return the report at *path*, completed from *lists*; a dash is standard input.

    Where the file does not say what has to be known, a terminal is asked.
    """
    more = LoadOptions(lists=lists, complete=complete, received=received, stand_in=today())
    if path == STANDARD_INPUT:
        return load_bytes(standard_input(), "standard input", hints, **more)
    loaded = load_file(path, hints, **more)
    options: list[str] = []
    while _can_ask() and (questions := _questions(loaded, hints)):
        for question in questions:
            hints = hints._replace(**{question.hint: question.answer(hints)})
            options.append(question.option(hints))
        loaded = load_file(path, hints, **more)
    if options:
        click.echo(f"Next time, give {' '.join(options)}.", err=True)
    return loaded


def _can_ask() -> bool:
    """Return whether someone sits at a terminal, and may be asked."""
    return not (_NO_INPUT.is_given() or json_asked()) and sys.stdin.isatty() and sys.stderr.isatty()


class _Question(NamedTuple):
    """What a file does not say: the field of `Hints` (or a *column* of it) that answers it, in words, and the kind."""

    hint: str
    words: str
    kind: click.ParamType[Any]
    column: str = ""

    def answer(self, hints: Hints) -> Any:  # noqa: ANN401 - the types are those of `Hints`
        """Ask, until the answer can be read, and return the new value of the hint."""
        answer = click.prompt(self.words, type=self.kind, err=True)
        return (*hints.column, f"{self.column}={answer}") if self.column else answer

    def option(self, hints: Hints) -> str:
        """Return the option that says the same."""
        value = getattr(hints, self.hint)
        return f"--{self.hint.replace('_', '-')} {shlex.quote(str(value[-1] if self.column else value))}"


def _time_control(text: str) -> str:
    """Return a time control, or say what cannot be read in it."""
    problem = parse_time_control(text)
    if isinstance(problem, Finding):
        raise click.BadParameter(f"{problem.message} {problem.remedy}")
    return text


COLUMNS_ASKED = ("rating", "name", "id", "birth_date", "none")
"""What a column may hold that the table otherwise lacks."""

_QUESTIONS = {
    "end-missing": _Question("end", "Last day of the event (YYYY-MM-DD)", DAY),
    **dict.fromkeys(
        ("time-control-missing", "time-control-unreadable"),
        _Question("time_control", "Time control, such as G/60;d5", click.types.FuncParamType(_time_control)),
    ),
    "date-order-unclear": _Question("day_order", "Dates such as 5/6/2026 begin with", WordOf(DayOrder)),
}


def _questions(loaded: LoadedReport, hints: Hints) -> list[_Question]:
    """Return what has to be asked about a file, each once; nothing that was answered already."""
    questions: dict[str, _Question] = {}
    sections = () if loaded.report is None else loaded.report.sections
    controls = [parse_time_control(section.time_control) for section in sections if section.time_control]
    unread = [control for control in controls if isinstance(control, Finding)]
    for problem in (*loaded.findings, *unread):
        if problem.code in _QUESTIONS:
            question = _QUESTIONS[problem.code]
        elif problem.code == "column-unclear":
            title = str(dict(problem.values)["column"])
            words = f"What the column {title!r} holds"
            question = _Question("column", words, click.Choice(COLUMNS_ASKED), title)
        else:
            continue
        told = [text.rpartition("=")[0] for text in hints.column]
        is_answered = question.column in told if question.column else getattr(hints, question.hint)
        if problem.severity is Severity.ERROR and not is_answered:
            questions[question.hint + question.column] = question
    # An answer about the order of dates may say the days, too.
    return [questions["day_order"]] if "day_order" in questions else list(questions.values())
