"""Commands that show what was done: the decisions of the office, and the audit log."""

from collections.abc import Callable

from ratebook.book.audit import RecordFilter, count_entries, newest_entries
from ratebook.book.connection import Connection
from ratebook.book.decisions import count_decisions, newest_decisions
from ratebook.cli.book.session import reading
from ratebook.cli.command import bundled, command, option
from ratebook.cli.options import WholeRange, day_option, default_option, flag_option
from ratebook.cli.show import json_option, show, table
from ratebook.pages.columns import counted
from ratebook.pages.records import AUDIT, DECISIONS

MOST = 100_000

FREQUENT = ("opening-balance", "accept-warning")
"""Kinds that would drown all others; they are counted unless they are asked for."""

most_option = default_option("--most N", "Number of lines, newest first.", WholeRange(1, MOST), default=100)


question_options = bundled(
    "question",
    RecordFilter,
    option("--by NAME", "Only what this person did.", default=""),
    day_option("--since", "Only what was done on this day (in UTC) or later."),
    day_option("--until", "Only what was done on this day (in UTC) or earlier."),
    option("--kind KIND", "Only this kind; repeatable.", name="kinds", multiple=True),
    option(
        "--subject TEXT",
        'Only this subject and its parts, such as "submission 12", "event 202611140001" or "member 90000012".',
        default="",
    ),
    flag_option("--all", "Include opening balances and acceptances.", name="everything"),
)


@command("decisions", most_option, json_option)
@question_options
def decisions_command(question: RecordFilter, most: int, *, everything: bool) -> None:
    """List the decisions of the office, newest first: who made them, about what, and why.

    Opening balances and acceptances of warnings are only counted, unless you ask for them.

    Examples:
      ratebook book decisions --most 20
      ratebook book decisions --kind accept-warning --since 2026-11-01
      ratebook book decisions --subject "member 90000012"
    """
    with reading() as connection:
        wanted = _wanted(question, everything=everything)
        rows = newest_decisions(connection, most, wanted)
        left_out = _left_out(connection, wanted, count_decisions)
    none = "Nothing else has been decided." if left_out else "Nothing has been decided."
    none = none if question == RecordFilter() and not everything else "No decision matches."
    shown = table(counted(len(rows), "decision"), DECISIONS, rows, none=none)
    show("book-decisions", {"decisions": rows, "left_out": left_out}, shown, *_left_out_text(left_out))


@command("audit", most_option, json_option)
@question_options
def audit_command(question: RecordFilter, most: int, *, everything: bool) -> None:
    """Show the audit log, newest first: who did what, and when.

    Opening balances and acceptances of warnings are only counted, unless you ask for them.

    Examples:
      ratebook book audit --most 20
      ratebook book audit --subject "event 202611140001"
      ratebook book audit --by "Registrar Example" --since 2026-11-01 --kind rate-section
    """
    with reading() as connection:
        wanted = _wanted(question, everything=everything)
        rows = newest_entries(connection, most, wanted)
        left_out = _left_out(connection, wanted, count_entries)
    none = "No entry has this subject." if question.subject else "No entry matches."
    none = "The log is empty." if question == RecordFilter() and not everything else none
    shown = table(counted(len(rows), "entry", "entries"), AUDIT, rows, none=none)
    show("book-audit", {"entries": rows, "left_out": left_out}, shown, *_left_out_text(left_out))


def _wanted(question: RecordFilter, *, everything: bool) -> RecordFilter:
    """Return the filter of what is shown: frequent kinds only if they, a subject or *everything* is asked for."""
    hides = not (everything or question.kinds or question.subject)
    return question._replace(without=FREQUENT) if hides else question


def _left_out(
    connection: Connection, wanted: RecordFilter, count: Callable[[Connection, RecordFilter], dict[str, int]]
) -> dict[str, int]:
    """Return how many of the frequent kinds the filter leaves out, by kind."""
    return count(connection, wanted._replace(without=(), kinds=wanted.without)) if wanted.without else {}


def _left_out_text(left_out: dict[str, int]) -> list[str]:
    """Return the line that counts what is not shown."""
    words = [f"{number:,} {kind}" for kind, number in left_out.items()]
    return [f"Not shown: {', '.join(words)} (--all shows them)."] if words else []
