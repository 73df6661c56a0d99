"""Commands that correct events and members, adjust ratings, and undo it: those that the office declares."""

import click

from ratebook.cli.action import decide_command
from ratebook.office.decisions.actions import DECISIONS


@click.group("correct")
def correct_group() -> None:
    """Correct a rated event, a report that waits, or facts about a member.

    EVENT is the id of an event; results, ids, dates and time controls of a report that is not rated yet are corrected
    too, and the number of its submission names it as well. Each correction is a decision with person, time and reason.
    The report is checked like a new one: if that of a rated event has errors, or warnings that are not accepted with
    --accept, nothing is changed; a waiting one is held back. The consequences of what was rated wait for ratebook book
    rerate.
    """


@click.group("adjust")
def adjust_group() -> None:
    """Adjust a rating; set or lift a floor, a ceiling, an initial rating or an opt-in; or enter a prize.

    It is a decision of the office and applies to sections that end on its day or later, an opt-in to events that begin
    after it. The consequences wait for ratebook book rerate.
    """


GROUPS = {"correct": correct_group, "adjust": adjust_group}
COMMANDS = {
    action.word: decide_command(action, GROUPS.get(action.command.partition(" ")[0]))
    for actions in DECISIONS.values()
    for action in actions
}
undo_command, grant_command, deny_command = (COMMANDS[word] for word in ("undo", "grant", "deny"))
