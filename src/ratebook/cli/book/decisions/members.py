"""The command that adds a member, and the facts that can be given of one."""

from datetime import date

import click

from ratebook.cli.book.session import (
    accept_option,
    dry_run_asked,
    dry_run_option,
    member_argument,
    open_session,
)
from ratebook.cli.command import bundled, command
from ratebook.cli.options import WordOf, day_option
from ratebook.cli.show import json_option, show, without_findings
from ratebook.findings import has_errors
from ratebook.model import PlayerFacts, Sex
from ratebook.office.decisions.members import ChangedFacts
from ratebook.office.imports.members import add_member
from ratebook.player_lists.row import clean_name


class TextType(click.ParamType[str]):
    """A text on one line that a terminal can print; it may be empty."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ARG002 - click's signature
        """Return the text without what does not print."""
        return clean_name(value)


TEXT = TextType()

fact_options = (
    day_option("--birth-date", help="The birth date, which is stored but never printed."),
    click.option(
        "--adult/--not-adult",
        default=None,
        help="Whether the member is an adult, if the birth date is not known.",
    ),
    click.option(
        "--canadian-resident/--not-canadian-resident",
        default=None,
        help="Whether the member lives in Canada, so that CFC ratings count.",
    ),
    click.option("--state", type=TEXT, metavar="TEXT", help="The state, or what the federation has instead."),
    click.option("--fide-id", type=TEXT, metavar="ID", help="The FIDE id."),
    click.option("--sex", type=WordOf(Sex), help="The sex: f, m, or x for neither."),
    click.option("--title", type=TEXT, metavar="CODE", help="The FIDE title."),
    click.option("--federation", type=TEXT, metavar="CODE", help="The FIDE federation, such as USA."),
    click.option("--club", type=TEXT, metavar="TEXT", help="The club or school."),
)
"""Facts of a person, as `ChangedFacts` has them, but the name."""


@command("add-member", accept_option, dry_run_option, json_option)
@member_argument
@bundled("facts", ChangedFacts, click.argument("name", type=TEXT, metavar="NAME"), *fact_options)
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
    if not facts.name:
        raise click.UsageError("A member needs a name.")
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
