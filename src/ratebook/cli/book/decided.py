"""What every decision prints: its number, what was found, and whether something waits for a re-rating."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ratebook.cli.book.session import finish, print_answer

if TYPE_CHECKING:
    from ratebook.office.decisions.revision import DecisionResult


def show_decided(decided: DecisionResult, *, as_json: bool = False) -> None:
    """Print a decision; exit status 1 where errors stand against it and nothing was changed."""
    if as_json:
        print_answer(
            "decision", {"decision": decided.decision, "waits": decided.waits}, findings=decided.findings
        )
    elif decided.decision is None:
        click.echo("Nothing was changed.")
    else:
        rerate = " What follows from it waits: ratebook book rerate." if decided.waits else ""
        click.echo(f"Decision {decided.decision} is recorded.{rerate}")
    finish(decided.findings, as_json=as_json)
