"""The group ``ratebook book``: where the book is, who acts, and the commands, each loaded when it runs."""

from typing import Any, NamedTuple

import click

from ratebook.cli.lazy_group import LazyCommand, LazyGroup

VARIABLE = "RATEBOOK_BOOK"


class Caller(NamedTuple):
    """What stands before the command's name: the book's place, and who acts; None where it was not said."""

    place: str | None
    name: str | None


_HERE = "ratebook.cli.book"

COMMANDS = {
    # The book itself
    "init": LazyCommand(f"{_HERE}.creation", "init_command", "Make a new book."),
    "upgrade": LazyCommand(f"{_HERE}.creation", "upgrade_command", "Lead an older book to this version."),
    "profile": LazyCommand(
        f"{_HERE}.creation", "profile_command", "Show or change the federation's profile."
    ),
    "adopt-rules": LazyCommand(f"{_HERE}.creation", "adopt_rules_command", "Adopt rules for the whole book."),
    "import": LazyCommand(f"{_HERE}.imports", "import_group", "Bring in members, lists, balances, reports."),
    # Reports
    "submit": LazyCommand(f"{_HERE}.queue", "submit_command", "Submit reports to the queue."),
    "queue": LazyCommand(f"{_HERE}.queue", "queue_command", "List the reports that wait."),
    "show": LazyCommand(f"{_HERE}.queue", "show_command", "Show a submitted report and its findings."),
    "fix": LazyCommand(
        f"{_HERE}.queue", "fix_command", "Put an edited report in the place of one that waits."
    ),
    "recheck": LazyCommand(f"{_HERE}.queue", "recheck_command", "Check waiting reports again."),
    "accept": LazyCommand(f"{_HERE}.queue", "accept_command", "Accept warnings of a report."),
    "reject": LazyCommand(f"{_HERE}.queue", "reject_command", "Take a report out of the queue."),
    # Rating
    "rate": LazyCommand(f"{_HERE}.rating", "rate_command", "Rate what is ready."),
    "rerate": LazyCommand(f"{_HERE}.rating", "rerate_command", "Rate again what waits for it."),
    "waits": LazyCommand(f"{_HERE}.rating", "waits_command", "List what waits for a re-rating."),
    "verify": LazyCommand(f"{_HERE}.rating", "verify_command", "Compute the whole ledger again and compare."),
    # Decisions
    "correct": LazyCommand(f"{_HERE}.corrections", "correct_group", "Correct a rated event or a member."),
    "undo": LazyCommand(f"{_HERE}.corrections", "undo_command", "Undo a correction of an event."),
    "grant": LazyCommand(f"{_HERE}.corrections", "grant_command", "Grant a floor request after a match."),
    "deny": LazyCommand(f"{_HERE}.corrections", "deny_command", "Deny a floor request after a match."),
    "adjust": LazyCommand(
        f"{_HERE}.adjustments", "adjust_group", "Set a floor, a ceiling, an initial rating."
    ),
    "merge": LazyCommand(f"{_HERE}.adjustments", "merge_command", "Say that two ids are one person."),
    "erase": LazyCommand(f"{_HERE}.adjustments", "erase_command", "Remove a member's personal data."),
    "decisions": LazyCommand(f"{_HERE}.records", "decisions_command", "List the decisions of the office."),
    "audit": LazyCommand(f"{_HERE}.records", "audit_command", "List who did what when."),
    # Official lists
    "publish": LazyCommand(f"{_HERE}.lists", "publish_command", "Publish the official list of a month."),
    "lists": LazyCommand(f"{_HERE}.lists", "lists_command", "List the published lists."),
    "list": LazyCommand(f"{_HERE}.lists", "list_command", "Print or write a published list."),
    "list-diff": LazyCommand(f"{_HERE}.lists", "list_diff_command", "Show what differs between two lists."),
    "official": LazyCommand(
        f"{_HERE}.lists", "official_command", "Show a member's official ratings on a day."
    ),
    # Reading
    "member": LazyCommand(f"{_HERE}.reading", "member_command", "Show a member, or find one by name."),
    "event": LazyCommand(f"{_HERE}.reading", "event_command", "Show an event and its sections."),
    "crosstable": LazyCommand(f"{_HERE}.reading", "crosstable_command", "Show the crosstables of an event."),
    "history": LazyCommand(f"{_HERE}.reading", "history_command", "Show a member's rated sections."),
    "explain": LazyCommand(f"{_HERE}.reading", "explain_command", "Explain a member's rating of an event."),
    "top": LazyCommand(f"{_HERE}.reading", "top_command", "Show the highest rated members."),
    "norms": LazyCommand(f"{_HERE}.reading", "norms_command", "Show a member's norms."),
    "titles": LazyCommand(f"{_HERE}.reading", "titles_command", "Show a member's titles."),
    # Keeping it safe
    "export": LazyCommand(f"{_HERE}.copies", "export_command", "Write the whole book as portable files."),
    "import-book": LazyCommand(f"{_HERE}.copies", "import_book_command", "Make a book of exported files."),
    "backup": LazyCommand(f"{_HERE}.copies", "backup_command", "Copy the book while it is used."),
    "restore": LazyCommand(f"{_HERE}.copies", "restore_command", "Put a backup in the place of the book."),
}


class BookGroup(LazyGroup):
    """The group of the book's commands; who writes its options behind a command is told where they belong."""

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's signature
        """Run the command.

        Raises:
            UsageError: an option of the group stands behind the command's name.
        """
        try:
            return super().invoke(ctx)
        except click.NoSuchOption as wrong:
            if wrong.option_name in {"--book", "--as"}:
                command = ctx.invoked_subcommand
                words = f"{wrong.option_name} goes before the command: ratebook book {wrong.option_name} ... {command}."
                raise click.UsageError(words, wrong.ctx) from wrong
            raise


@click.group("book", cls=BookGroup, lazy=COMMANDS)
@click.option(
    "--book",
    "place",
    envvar=VARIABLE,
    show_envvar=True,
    metavar="PATH_OR_URL",
    help="The book: a file, or postgresql://user@server/database.",
)
@click.option(
    "--as", "name", metavar="NAME", help="Who acts, for the audit log (default: the system's user)."
)
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
