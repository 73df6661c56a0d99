"""The command that adds a member."""

from datetime import date

from ratebook.cli.action import option_of
from ratebook.cli.book.session import (
    accept_option,
    dry_run_asked,
    dry_run_option,
    member_argument,
    open_session,
)
from ratebook.cli.command import bundled, command
from ratebook.cli.options import day_option
from ratebook.cli.show import json_option, show, without_findings
from ratebook.findings import has_errors
from ratebook.model import PlayerFacts
from ratebook.office.decisions.actions import FACTS
from ratebook.office.decisions.members import ChangedFacts
from ratebook.office.imports.members import add_member

NAME, *OTHERS = FACTS
name_argument = option_of(NAME._replace(argument=True, refusal="A member needs a name."))


@command("add-member", accept_option, dry_run_option, json_option)
@member_argument
@bundled("facts", ChangedFacts, name_argument, *(option_of(fact._replace(needed=False)) for fact in OTHERS))
@day_option("--expires", help="The last day of the membership.")
def add_member_command(
    member: str, facts: ChangedFacts, expires: date | None, accepted: tuple[str, ...]
) -> None:
    """Add a member with the id MEMBER and this NAME, last name first: "Adams, Ann".

    The id is checked as in an import; a name and birth date, or a FIDE id, that another member has is refused unless
    --accept possible-duplicate is given.

    Examples:
      ratebook book add-member 90000112 "Adams, Ann" --birth-date 2015-03-08 --club "Lincoln School"
    """
    said = {name: value for name, value in facts._asdict().items() if value is not None}
    with open_session() as session:
        added = add_member(
            session.book, PlayerFacts(member, **said), session.actor, expires=expires, accepted=accepted
        )
    text = f"Member {member}, {facts.name}, is added."
    if has_errors(added.findings):
        text = "Nothing was changed."
    elif dry_run_asked():
        text = f"Dry run: member {member}, {facts.name}, would be added."
    show("book-add-member", {"member": member, **without_findings(added)}, text, findings=added.findings)
