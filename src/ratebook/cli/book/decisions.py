"""Commands of decisions, as the office declares them: events and members corrected, ratings adjusted, ids merged."""

from typing import Any

import click

from ratebook.book.connection import Book
from ratebook.cli.action import command_of
from ratebook.cli.book.session import (
    Decision,
    book_place,
    confirm,
    decide_command,
    decision_of,
    dry_run_asked,
    dry_run_option,
    open_session,
    yes_option,
)
from ratebook.cli.options import today
from ratebook.cli.output import print_findings
from ratebook.cli.show import json_option, show, without_findings
from ratebook.findings import has_errors
from ratebook.office.decisions.actions import DECISIONS
from ratebook.office.decisions.persons import MergeSide, preview_merge
from ratebook.office.decisions.revision import DecisionResult, Reason
from ratebook.office.erasure.actions import ERASE, MERGE
from ratebook.office.imports.actions import ADD_MEMBER
from ratebook.pages.columns import counted


@click.group("correct")
def correct_group() -> None:
    """Correct a rated event, a waiting report, or facts about a member.

    EVENT is the id of an event. What a report says can also be corrected before it is rated, and EVENT may then be the
    number of the submission. Each correction is a decision with person, time and reason. The corrected report is
    checked like a new one. If it has errors, or warnings that are not accepted with --accept, nothing is changed in a
    rated event, and a waiting report is held back. Ratings that a correction affects wait for ratebook book rerate.
    """


@click.group("adjust")
def adjust_group() -> None:
    """Adjust a rating; set or lift a floor, a ceiling, an initial rating or an opt-in; or enter a prize.

    Each is a decision of the office. It applies to sections that end on its day or later; an opt-in applies to events
    that begin after its day. Ratings that it affects wait for ratebook book rerate.
    """


GROUPS = {"correct": correct_group, "adjust": adjust_group}
COMMANDS = {
    action.word: decide_command(action, within=GROUPS.get(action.command.partition(" ")[0]))
    for actions in DECISIONS.values()
    for action in actions
}
undo_command, grant_command, deny_command = (COMMANDS[word] for word in ("undo", "grant", "deny"))


@command_of(ADD_MEMBER, dry_run_option, json_option)
def add_member_command(**values: Any) -> None:  # noqa: ANN401 - what the options give
    """Add a member."""
    with open_session() as session:
        added = ADD_MEMBER.done(session.book, Reason(session.actor, ""), values, today())
    member, name = values["id"], values["name"]
    text = f"Member {member}, {name}, is added."
    if has_errors(added.findings):
        text = "Nothing was changed."
    elif dry_run_asked():
        text = f"Dry run: member {member}, {name}, would be added."
    show("book-add-member", {"member": member, **without_findings(added)}, text, findings=added.findings)


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
