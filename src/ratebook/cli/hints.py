"""What the user adds to a file that cannot state it: options of every command that reads a report."""

import sys
from collections.abc import Sequence
from datetime import date

import click

from ratebook.bounded_files import MOST_BYTES, FileTooLargeError, bounded_rest
from ratebook.cli.command import bundled
from ratebook.cli.options import WordOf, day_option, flag_option
from ratebook.cli.show import fail
from ratebook.formats.archive import too_large
from ratebook.formats.contract import DayOrder, Hints
from ratebook.model import SectionType
from ratebook.reports.load import LoadedReport, load_bytes, load_file

STANDARD_INPUT = "-"

DAY_ORDER_HELP = "How to read dates such as 5/6/2026, if the file does not say."
# Read first, since other options can be dates too.
day_order_option = click.option("--day-order", type=WordOf(DayOrder), is_eager=True, help=DAY_ORDER_HELP)

hint_options = bundled(
    "hints",
    Hints,
    day_option("--start", help="First day, if the file does not state it."),
    day_option("--end", help="Last day, if the file does not state it."),
    click.option(
        "--time-control",
        metavar="TEXT",
        help='Time control such as "G/60;d5", if the file does not state it.',
    ),
    click.option(
        "--type", type=WordOf(SectionType), help="Type of the sections, if the file does not state it."
    ),
    flag_option("--online", help="The event was online, if the file does not state it."),
    day_order_option,
    click.option("--event", metavar="ID", help="The event to read, if the file has several."),
    click.option("--name", metavar="TEXT", help="Name of the event, if the file does not state it."),
    click.option(
        "--sheet",
        metavar="NAME",
        help="The sheet of a workbook or the file of a folder to read. Without it, all with results are sections.",
    ),
    click.option(
        "--column",
        multiple=True,
        metavar="TITLE=COLUMN",
        help="What a column of a table holds, for example 'Wertung=rating'; 'Wertung=none' leaves it out.",
    ),
    click.option(
        "--ratings",
        type=click.Choice(["fide", "pairing"]),
        help="What the rating column of a FIDE tournament report has: FIDE ratings, or others used for pairing.",
    ),
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
    """Return the report at *path*, completed from *lists*; a dash is standard input."""
    if path == STANDARD_INPUT:
        return load_bytes(
            standard_input(), "standard input", hints, lists=lists, complete=complete, received=received
        )
    return load_file(path, hints, lists=lists, complete=complete, received=received)
