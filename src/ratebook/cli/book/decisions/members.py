"""The command that adds a member."""

from typing import Any

from ratebook.cli.action import help_of, option_of
from ratebook.cli.book.session import dry_run_asked, dry_run_option, open_session
from ratebook.cli.command import command
from ratebook.cli.options import today
from ratebook.cli.show import json_option, show, without_findings
from ratebook.findings import has_errors
from ratebook.office.decisions.revision import Reason
from ratebook.office.imports.actions import ADD_MEMBER


def _add_member(**given: Any) -> None:  # noqa: ANN401 - what the options give
    with open_session() as session:
        added = ADD_MEMBER.done(session.book, Reason(session.actor, ""), given, today())
    member, name = given["id"], given["name"]
    text = f"Member {member}, {name}, is added."
    if has_errors(added.findings):
        text = "Nothing was changed."
    elif dry_run_asked():
        text = f"Dry run: member {member}, {name}, would be added."
    show("book-add-member", {"member": member, **without_findings(added)}, text, findings=added.findings)


_add_member.__doc__ = help_of(ADD_MEMBER)
add_member_command = command(
    ADD_MEMBER.word, *map(option_of, ADD_MEMBER.parameters), dry_run_option, json_option
)(_add_member)
