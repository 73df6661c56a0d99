"""What the user says in the place of a file that cannot: the options of every command that reads a report."""

import sys
from collections.abc import Callable, Sequence
from datetime import date
from functools import wraps

import click

from ratebook.cli.options import DAY
from ratebook.formats.contract import Hints
from ratebook.model import SectionType
from ratebook.reports.load import LoadedReport, load_bytes, load_file

STANDARD_INPUT = "-"

_OPTIONS = (
    click.option("--start", type=DAY, metavar="DATE", help="First day, where the file does not say it."),
    click.option("--end", type=DAY, metavar="DATE", help="Last day, where the file does not say it."),
    click.option(
        "--time-control", metavar="TEXT", help='For example "G/60;d5", where the file does not say it.'
    ),
    click.option(
        "--type",
        "section_type",
        type=click.Choice([kind.value for kind in SectionType]),
        help="How it was played, where the file does not say it.",
    ),
    click.option("--online", is_flag=True, help="The event was online, where the file does not say it."),
    click.option("--event", metavar="ID", help="The event to read, where the file holds several."),
)


def hint_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options; the command is given them as *hints*."""

    @wraps(command)
    def with_hints(
        *,
        start: date | None,
        end: date | None,
        time_control: str | None,
        section_type: str | None,
        online: bool,
        event: str | None,
        **others: object,
    ) -> None:
        kind = None if section_type is None else SectionType(section_type)
        command(hints=Hints(start, end, time_control, online, kind, event), **others)

    decorated: Callable[..., None] = with_hints
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


def load_given(path: str, hints: Hints, received: date | None, lists: Sequence[str] = ()) -> LoadedReport:
    """Return the report at *path*, completed from *lists*; a dash is standard input."""
    if path == STANDARD_INPUT:
        return load_bytes(sys.stdin.buffer.read(), path, hints, lists=lists, received=received)
    return load_file(path, hints, lists=lists, received=received)
