"""Commands that show what was done: the decisions of the office, and the audit log."""

from __future__ import annotations

import json

import click

from ratebook.cli.book.session import open_session, plain, print_answer
from ratebook.cli.options import json_option
from ratebook.cli.output import Table, print_table
from ratebook.pages.queries import audit_entries, decisions
from ratebook.rating.formulas import rounded

MOST = 100_000

most_option = click.option(
    "--most",
    type=click.IntRange(1, MOST),
    default=100,
    show_default=True,
    metavar="N",
    help="How many, the newest first.",
)


@click.command("decisions")
@most_option
@json_option
def decisions_command(most: int, *, as_json: bool) -> None:
    """List the decisions of the office, the newest first: who decided what about whom, and why.

    \b
    Examples:
      ratebook book decisions --most 20
    """
    with open_session() as session, session.book.reading() as connection:
        rows = decisions(connection, most=most)
    if as_json:
        print_answer(
            "decisions", {"decisions": [{**plain(row), "details": json.loads(row.details)} for row in rows]}
        )
        return
    if not rows:
        click.echo("Nothing has been decided.")
        return
    print_table(
        Table(
            f"{len(rows)} {'decision' if len(rows) == 1 else 'decisions'}",
            ("No.", "Made", "By", "Kind", "Member", "Event", "Section", "System", "From", "What", "Reason"),
            [
                (
                    str(row.id),
                    row.decided_at,
                    row.decided_by,
                    row.kind,
                    row.member_id or "",
                    row.event_id or "",
                    "" if row.section_number is None else str(row.section_number),
                    row.system or "",
                    "" if row.effective is None else row.effective.isoformat(),
                    _what(row.value, json.loads(row.details)),
                    row.reason,
                )
                for row in rows
            ],
            frozenset({1, 2, 3, 4, 5, 7, 8, 10}),
        )
    )


def _what(value: float | None, details: dict[str, object]) -> str:
    """Return what was decided in a few words; ratings are rounded, since an initial one would tell an age."""
    words = [f"{rounded(value):.0f}"] if value is not None else []
    for name, detail in details.items():
        if detail not in ("", None, []):
            shown = ", ".join(map(str, detail)) if isinstance(detail, list) else detail
            words.append(f"{name.replace('_', ' ')} {shown}")
    return "; ".join(words)


@click.command("audit")
@click.option("--subject", default="", metavar="TEXT", help='One subject, for example "submission 12".')
@most_option
@json_option
def audit_command(subject: str, most: int, *, as_json: bool) -> None:
    """List who did what when, the newest first.

    \b
    Examples:
      ratebook book audit --most 20
      ratebook book audit --subject "event 202611140001"
    """
    with open_session() as session, session.book.reading() as connection:
        rows = audit_entries(connection, subject=subject, most=most)
    if as_json:
        print_answer("audit", {"entries": [plain(row) for row in rows]})
        return
    if not rows:
        click.echo("No entry has this subject." if subject else "The log is empty.")
        return
    print_table(
        Table(
            f"{len(rows)} {'entry' if len(rows) == 1 else 'entries'}",
            ("At", "By", "Action", "Subject", "Details"),
            [(row.at, row.by, row.action, row.subject, row.details) for row in rows],
            frozenset(range(5)),
        )
    )
