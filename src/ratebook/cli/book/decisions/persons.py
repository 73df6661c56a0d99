"""Commands about persons: two ids that are one, and personal data that are removed."""

import click

from ratebook.book.connection import Book
from ratebook.cli.book.session import (
    Decision,
    ReasonType,
    book_place,
    confirm,
    decision_command,
    member_argument,
)
from ratebook.cli.options import flag_option
from ratebook.cli.output import print_findings
from ratebook.office.decisions.persons import MergeSide, merge, preview_merge
from ratebook.office.decisions.revision import DecisionResult, Reason
from ratebook.office.erasure.erase import erase
from ratebook.pages.columns import counted


@decision_command("merge")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@flag_option("--yes", help="Do not ask for confirmation.")
def merge_command(old: str, new: str, *, yes: bool) -> Decision:
    """Merge two ids of one person: games of OLD count for NEW, and the id OLD leads to NEW from now on.

    Both members are shown first, with what says that they are two persons; such warnings must be accepted with
    --accept, even with --yes. A merge can be undone with ratebook book undo and the number of its decision.

    Examples:
      ratebook book merge 90000112 90000012 --reason "joined twice" --dry-run
      ratebook book merge 90000112 90000012 --reason "joined twice"
    """

    def decision(book: Book, because: Reason) -> DecisionResult:
        if not yes and not book.dry_run:
            with book.reading() as connection:
                preview = preview_merge(connection, old, new)
            for side in (preview.old, preview.new):
                click.echo(_side_text(side), err=True)
            print_findings(preview.findings)
            confirm(f"Count all games of {old} for {new}?", f"members {old} and {new}")
        return merge(book, old, new, because)

    return decision


def _side_text(side: MergeSide) -> str:
    """Return one of the two members of a merge in a line."""
    person = ", ".join(part for part in (side.id, side.name or "(no name)", side.state) if part)
    days = f" from {side.first} to {side.last}" if side.first else ""
    ratings = f"; {', '.join(side.ratings)}" if side.ratings else "; unrated"
    return f"{person}: {counted(side.sections, 'rated section')}{days}{ratings}"


@decision_command("erase", member_argument)
@click.option(
    "--name",
    "names",
    multiple=True,
    type=ReasonType("Give a name as texts have it."),
    metavar="NAME",
    help="Another name by which texts call the person, such as a former one; repeatable.",
)
@flag_option("--yes", help="Do not ask for confirmation; erased data cannot be recovered.")
def erase_command(member: str, names: tuple[str, ...], *, yes: bool) -> Decision:
    """Remove the personal data of MEMBER everywhere; the ledger keeps its numbers under the id.

    Name, birth date, home and other facts go from the members, every version of every report, findings, texts of
    decisions and the web store beside the book. What is left is said; erase again to go on. Earlier backups and exports
    still contain them.

    Examples:
      ratebook book erase 90000012 --reason "asked for by letter of November 3" --yes
      ratebook book erase 90000012 --name "Ann Former" --reason "the former name, too" --yes
    """
    if not yes:
        confirm(f"Remove name, birth date and home of member {member} for good?", f"member {member}")

    def decision(book: Book, because: Reason) -> DecisionResult:
        from ratebook.cli.web.session import erased_beside  # noqa: PLC0415 - only here is the web store asked

        return erase(book, member, because, names=names, elsewhere=erased_beside(book_place()))

    return decision
