"""The group ``ratebook book``: its options, and its commands, each loaded when it runs."""

from typing import Any, NamedTuple

import click

from ratebook.cli.command import option
from ratebook.cli.settings import BOOK_VARIABLE, SettledGroup, settings_option


class Caller(NamedTuple):
    """The options before the command's name: the book's place and the acting person; None if not given."""

    place: str | None
    name: str | None


COMMANDS = {
    # The book itself
    "init": ("creation", "Make a new book."),
    "upgrade": ("creation", "Upgrade a book made by an older version."),
    "profile": ("creation", "Show or change the federation's profile."),
    "adopt-rules": ("creation", "Adopt rules for the whole book."),
    "found": ("imports", "Set up the book from a folder of lists and reports."),
    "import": ("imports", "Import members, lists, balances or reports."),
    "add-member": ("decisions", "Add a member."),
    "foreign-events": ("imports", "List players with a US flag who played abroad."),
    # Reports
    "submit": ("queue", "Submit reports to the queue."),
    "queue": ("queue", "List the waiting reports."),
    "show": ("queue", "Show a submitted report and its findings."),
    "fix": ("queue", "Replace a waiting report with an edited one."),
    "recheck": ("queue", "Check waiting reports again."),
    "accept": ("acceptance", "Accept warnings about a report."),
    "reject": ("acceptance", "Take a report out of the queue."),
    # Rating
    "rate": ("rating", "Rate the reports that are ready."),
    "rerate": ("rating", "Rate again what has changed."),
    "waits": ("rating", "List what waits for a re-rating."),
    "verify": ("safekeeping", "Recompute the whole ledger and compare."),
    # Decisions
    "correct": ("decisions", "Correct an event, a waiting report or a member."),
    "undo": ("decisions", "Undo a correction, a merge or an adjustment."),
    "grant": ("decisions", "Grant a floor request after a match."),
    "deny": ("decisions", "Deny a floor request after a match."),
    "adjust": ("decisions", "Set a floor, a ceiling or a rating; enter a prize."),
    "merge": ("decisions", "Merge two ids of one person."),
    "erase": ("decisions", "Remove a member's personal data."),
    "decisions": ("records", "List the decisions of the office."),
    "audit": ("records", "Show the audit log."),
    # Official lists
    "publish": ("lists", "Publish the official list of a month."),
    "lists": ("lists", "List the published lists."),
    "list": ("lists", "Print or write a published list."),
    "list-diff": ("lists", "Show what differs between two lists."),
    "official": ("lists", "Show a member's official ratings on a day."),
    # Reading
    "member": ("reading", "Show a member with ratings and rank, by id or name."),
    "members": ("reading", "List members, by name, club or FIDE id."),
    "events": ("reading", "List rated events, by name or day."),
    "event": ("reading", "Show an event and its sections."),
    "crosstable": ("reading", "Show the crosstables of an event."),
    "history": ("reading", "Show a member's rated sections."),
    "head-to-head": ("reading", "Show two members' games against each other."),
    "compare": ("reading", "Show two members beside each other."),
    "explain": ("reading", "Explain a member's rating of an event."),
    "top": ("reading", "Rank the highest rated members."),
    "norms": ("reading", "Show a member's norms."),
    "titles": ("reading", "Show a member's titles."),
    # Keeping it safe
    "export": ("safekeeping", "Write the whole book as portable files."),
    "data": ("safekeeping", "Write what is public as complete tables."),
    "import-book": ("safekeeping", "Make a book from exported files."),
    "backup": ("safekeeping", "Copy the book while it is in use."),
    "restore": ("safekeeping", "Replace the book with a backup."),
    "server-role": ("creation", "Let a role of the PostgreSQL server do office work."),
    "seal": ("safekeeping", "Print a seal of everything in the book so far."),
    "seal-key": ("safekeeping", "Make a key that signs seals."),
}


_MEMBERS = "ratebook book members lists the members."
_MONTHS = "ratebook book lists shows the months of the published lists."

WHERE_TO_FIND = {
    "MEMBER": _MEMBERS,
    "OTHER": _MEMBERS,
    "OLD": _MEMBERS,
    "NEW": _MEMBERS,
    "ID|NAME": _MEMBERS,
    "EVENT": "ratebook book events lists the events, and ratebook book history MEMBER those of a member.",
    "MONTH": _MONTHS,
    "MONTH1": _MONTHS,
    "MONTH2": _MONTHS,
    "N": "ratebook book queue lists the waiting reports.",
}
"""Which command lists what an argument can be, by the name that the usage line gives it."""


class BookGroup(SettledGroup):
    """The group of the book's commands; an error says where its options belong, or what lists a missing argument."""

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's signature
        """Run the command; a usage error says what lists a missing argument, or where the group's options belong."""
        try:
            return super().invoke(ctx)
        except click.MissingParameter as missing:
            argument = missing.param
            if not isinstance(argument, click.Argument) or argument.metavar not in WHERE_TO_FIND:
                raise
            raise click.MissingParameter(WHERE_TO_FIND[argument.metavar], missing.ctx, argument) from missing
        except click.NoSuchOption as wrong:
            if wrong.option_name in {"--book", "--as"}:
                command = ctx.invoked_subcommand
                words = f"{wrong.option_name} goes before the command: ratebook book {wrong.option_name} ... {command}."
                raise click.UsageError(words, wrong.ctx) from wrong
            raise


@click.group("book", cls=BookGroup, package="ratebook.cli.book", lazy=COMMANDS, extras=("book",))
@settings_option
@option(
    "--book PATH_OR_URL",
    "The book: a file, or postgresql://user@server/database.",
    name="place",
    envvar=BOOK_VARIABLE,
    show_envvar=True,
)
@option("--as NAME", "Your name in the audit log (default: the system's user).", name="name")
@click.pass_context
def book_group(context: click.Context, place: str | None, name: str | None) -> None:
    """Keep a federation's players, events and ratings: submit, rate, correct, re-rate, verify, publish.

    \b
    Examples:
      export RATEBOOK_BOOK=league.book
      ratebook book init --name "Example League"
      ratebook book submit reports/*.json
      ratebook book rate
      ratebook book publish --for 2026-12
    """
    context.obj = Caller(place, name)
