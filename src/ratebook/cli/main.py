"""The command ``ratebook``: each subcommand's module is loaded only when it runs, so that start-up stays short."""

import os
import sys

import click

from ratebook import __version__
from ratebook.bounded_files import BoundedLines
from ratebook.cli.lazy_group import LazyGroup

COMMANDS = {
    "book": ("book.group", "Keep a federation's players, events and ratings."),
    "check": ("report.reports", "Check a report and print every finding."),
    "convert": ("report.convert", "Convert a report to another format."),
    "convert-rating": ("calculator.convert_rating", "Convert a FIDE or CFC rating."),
    "demo-federation": ("history.demo", "Write an invented federation to try the program on."),
    "demo-history": ("history.demo", "Write a synthetic history of any size to replay."),
    "enter": ("report.enter", "Type in the players and results of an event."),
    "estimate": ("calculator.estimate", "Estimate a new rating from a few results."),
    "explain": ("report.reports", "Explain one player's new rating, number by number."),
    "finding": ("report.finding", "Say what a finding means, by the code in brackets after it."),
    "glicko": ("calculator.glicko", "Update a Glicko rating as FICS did in 1995."),
    "lab": ("lab.group", "Test rule changes over whole histories."),
    "mirror": ("history.mirror", "Copy the complete tables of a server, and verify them."),
    "plugins": ("report.plugins", "List what other installed packages add."),
    "rate": ("report.reports", "Rate a report and print its crosstables."),
    "replay": ("history.replay", "Rate a whole history again, from files to files."),
    "rules": ("calculator.rules", "Show the dated rules and their sources; write a league's."),
    "template": ("report.template", "Print a table to fill in: report, members, balances or corrections."),
    "web": ("web.group", "Serve a book to browsers."),
}


@click.group(
    cls=LazyGroup,
    package="ratebook.cli",
    lazy=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="What a code in brackets means: ratebook finding CODE. Shell completion: see docs/guide.md. "
    "Exit status: 0 done, 1 the input has errors, 2 wrong usage.",
)
@click.version_option(__version__, prog_name="ratebook")
def run() -> None:
    """Rate chess events by the US Chess rating system: every rule since 2001, every number explained.

    \b
    Examples:
      ratebook rate report.json
      ratebook explain report.json --section 1 --seat 12
      ratebook rules show --on 2016-02-01
      ratebook estimate --rating 1500 --games 30 W1400 L1600 D1550
    """


INTERRUPTED = 130
"""The status that shells give a program ended by Ctrl-C."""


NOBODY_READS = 141
"""The status that shells give a program whose output went into a closed pipe (SIGPIPE)."""


def main() -> None:
    """Run the command; a failure outside the input is one line and an exit status, never a traceback.

    If the output is no longer read, as behind ``| head -1``, it ends without a message.
    """
    if sys.stdin is not None and not sys.stdin.isatty():
        sys.stdin = BoundedLines.of(sys.stdin)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        status = status_of_run()
    except BrokenPipeError:
        drop_what_is_left(1, 2)
        status = NOBODY_READS
    except OSError as failure:
        drop_what_is_left(1)
        code, where = "output-unwritable", "standard output"
        if failure.filename is not None:
            code, where = "file-unreadable", failure.filename
        click.echo(f"error: {where}: {failure.strerror or failure}. [{code}]", err=True)
        status = 1
    sys.exit(status)


def status_of_run() -> int:
    """Run the command and return its exit status; an `OSError` if its output is not read or cannot be written."""
    out = sys.stdout
    try:
        status: int = run.main(prog_name="ratebook", standalone_mode=False) or 0
    except click.exceptions.Abort:
        click.echo("Interrupted.", err=True)
        status = INTERRUPTED
    except click.ClickException as wrong:
        wrong.show()
        status = wrong.exit_code
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else 1
    if sys.stdout is not out:
        # Click met a closed pipe, put a mute stream in its place and ended with 1.
        raise BrokenPipeError
    if out is not None:
        out.flush()
    return status


def drop_what_is_left(*descriptors: int) -> None:
    """Discard what the interpreter would still flush to these outputs: it could not write that either."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for descriptor in descriptors:
        os.dup2(nowhere, descriptor)
