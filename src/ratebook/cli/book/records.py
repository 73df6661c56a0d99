"""Commands that show what was done: the decisions of the office, and the audit log."""

import click

from ratebook.book.audit import newest_entries
from ratebook.book.decisions import newest_decisions
from ratebook.cli.book.session import reading
from ratebook.cli.command import command
from ratebook.cli.options import default_option
from ratebook.cli.output import counted
from ratebook.cli.show import json_option, show, table
from ratebook.pages.records import AUDIT, DECISIONS

MOST = 100_000

most_option = default_option(
    "--most", type=click.IntRange(1, MOST), default=100, metavar="N", help="Number of lines, newest first."
)


@command("decisions", most_option, json_option)
def decisions_command(most: int) -> None:
    """List the decisions of the office, newest first: by whom, about what, and why.

    Examples:
      ratebook book decisions --most 20
    """
    with reading() as connection:
        rows = newest_decisions(connection, most)
    shown = table(counted(len(rows), "decision"), DECISIONS, rows, none="Nothing has been decided.")
    show("book-decisions", {"decisions": rows}, shown)


@command("audit", most_option, json_option)
@click.option("--subject", default="", metavar="TEXT", help='Only this subject, for example "submission 12".')
def audit_command(subject: str, most: int) -> None:
    """Show the audit log, newest first: when, by whom, and what.

    Examples:
      ratebook book audit --most 20
      ratebook book audit --subject "event 202611140001"
    """
    with reading() as connection:
        rows = newest_entries(connection, most, subject)
    none = "No entry has this subject." if subject else "The log is empty."
    shown = table(counted(len(rows), "entry", "entries"), AUDIT, rows, none=none)
    show("book-audit", {"entries": rows}, shown)
