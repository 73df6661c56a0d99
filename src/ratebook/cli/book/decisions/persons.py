"""Commands about persons: two ids that are one, and personal data that are removed."""

from typing import Any

import click

from ratebook.book.connection import Book
from ratebook.cli.book.session import Decision, book_place, confirm, decide_command, decision_of, yes_option
from ratebook.cli.output import print_findings
from ratebook.office.decisions.persons import MergeSide, preview_merge
from ratebook.office.decisions.revision import DecisionResult, Reason
from ratebook.office.erasure.actions import ERASE, MERGE
from ratebook.pages.columns import counted


def _merged(*, yes: bool, **values: Any) -> Decision:  # noqa: ANN401 - what the options give
    old, into = values["old"], values["into"]

    def decision(book: Book, because: Reason) -> DecisionResult:
        if not yes and not book.dry_run:
            with book.reading() as connection:
                preview = preview_merge(connection, old, into)
            for side in (preview.old, preview.new):
                click.echo(_side_text(side), err=True)
            print_findings(preview.findings)
            confirm(f"{MERGE.sure.format(**values)}?", f"members {old} and {into}")
        return decision_of(MERGE, values)(book, because)

    return decision


merge_command = decide_command(MERGE, yes_option, decided_by=_merged)


def _side_text(side: MergeSide) -> str:
    """Return one of the two members of a merge in a line."""
    person = ", ".join(part for part in (side.id, side.name or "(no name)", side.state) if part)
    days = f" from {side.first} to {side.last}" if side.first else ""
    ratings = f"; {', '.join(side.ratings)}" if side.ratings else "; unrated"
    return f"{person}: {counted(side.sections, 'rated section')}{days}{ratings}"


def _erased(*, yes: bool, **values: Any) -> Decision:  # noqa: ANN401 - what the options give
    if not yes:
        confirm(f"{ERASE.sure.format(**values)}?", f"member {values['member']}")

    def decision(book: Book, because: Reason) -> DecisionResult:
        from ratebook.cli.web.session import erased_beside  # noqa: PLC0415 - only here is the web store asked

        return decision_of(ERASE, {**values, "elsewhere": erased_beside(book_place())})(book, because)

    return decision


erase_command = decide_command(ERASE, yes_option, decided_by=_erased)
