"""Commands that correct events and members, adjust ratings, undo it, and add members, as the office declares them."""

from typing import Any

import click

from ratebook.cli.action import command_of
from ratebook.cli.book.session import decide_command, dry_run_asked, dry_run_option, open_session
from ratebook.cli.options import today
from ratebook.cli.show import json_option, show, without_findings
from ratebook.findings import has_errors
from ratebook.office.decisions.actions import DECISIONS
from ratebook.office.decisions.revision import Reason
from ratebook.office.imports.actions import ADD_MEMBER


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
