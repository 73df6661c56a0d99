"""Commands about official lists: publish one, list them, print or write one, compare two, ask for a member."""

from datetime import date
from pathlib import Path
from typing import NamedTuple

import click

from ratebook.book.connection import Book
from ratebook.book.facts.members import holding_id
from ratebook.book.ledger.lists import all_lists, ratings_in_lists
from ratebook.book.ledger.official import list_in_effect
from ratebook.book.profile import read_federation
from ratebook.cli.action import command_of
from ratebook.cli.book.session import (
    member_argument,
    one_member,
    open_session,
    reading,
    second_option,
    today_option,
)
from ratebook.cli.command import bundled, command, option
from ratebook.cli.options import PATH, day_option, default_option, flag_option, systems_option, today
from ratebook.cli.output import print_findings
from ratebook.cli.output_files import ZIP_SUFFIX, exists_already, write_files
from ratebook.cli.show import fail, fail_with, json_option, show, table, without_findings
from ratebook.findings import Finding, Place, has_errors
from ratebook.model import System
from ratebook.office.decisions.revision import Reason
from ratebook.office.publish.actions import PUBLISH
from ratebook.office.publish.lists import list_change_columns, list_difference, official_list
from ratebook.official_lists.contents import ORDERS, in_order
from ratebook.official_lists.write import LIST_FORMATS, list_format, write_list
from ratebook.pages.columns import counted
from ratebook.pages.member import would_be_official
from ratebook.pages.records import LISTS, OFFICIAL

TEXT = "text"


class ListOutput(NamedTuple):
    """Where a list goes, in which formats and in which order."""

    formats: tuple[str, ...]
    out: Path | None
    second: System
    order: str
    force: bool

    def files(self, month: str, out: Path) -> list[Path]:
        """Return the files below *out* that a list will go to (cli/output_files.py)."""
        names = [list_format(name).file_name.format(month=month) for name in self.formats or (TEXT,)]
        if out.suffix.lower() == ZIP_SUFFIX or (len(names) == 1 and not out.is_dir()):
            return [out]
        return [out / Path(name).name for name in names]

    def write(self, book: Book, month: str, out: Path) -> list[Finding]:
        """Write a published list to *out* and return what is to be said about it."""
        files: dict[str, bytes] = {}
        findings: list[Finding] = []
        with book.reading() as connection:
            official = in_order(official_list(connection, month), self.order)
        for name in dict.fromkeys(self.formats or (TEXT,)):
            written = write_list(official, name, self.second)
            files.update(written.files)
            findings += written.findings
        failed = write_files(files, out, overwrite=self.force)
        return findings if failed is None else [*findings, failed]


output_options = bundled(
    "output",
    ListOutput,
    option(
        "--format",
        "Format (default: text); repeatable if --out is a folder or a .zip archive.",
        click.Choice([known.name for known in LIST_FORMATS]),
        name="formats",
        multiple=True,
    ),
    option("--out FILE|FOLDER", "Write the list there; required for dBASE tables.", PATH),
    second_option,
    default_option(
        "--order",
        'Order of the members; "rating" means the rating in the first system.',
        click.Choice(ORDERS),
        default="id",
    ),
    flag_option("--force", "Replace existing files."),
)


@command_of(PUBLISH, today_option, json_option)
@output_options
def publish_command(
    month: str, accept: tuple[str, ...] | None, output: ListOutput, as_if: date | None
) -> None:
    """Publish an official list."""
    out = output.out
    if output.formats and out is None:
        raise click.UsageError("--format is for --out; ratebook book list prints a published list.")
    with open_session() as session:
        if out is not None:
            there = next((file for file in output.files(month, out) if file.exists()), None)
            if there is not None and not output.force:
                fail([exists_already(there)])
            if not out.resolve().parent.is_dir():
                fail_with("output-unwritable.folder-missing", Place(file=str(out)))
        values = {"month": month, "accept": accept, "second": ""}
        because = Reason(session.actor, "")
        published = PUBLISH.done(session.book, because, values, as_if or today())
        findings: list[Finding] = list(published.findings)
        if has_errors(findings):
            fail(findings)
        if out is not None:
            findings += output.write(session.book, month, out)
    summary = (
        f"Official list {published.month}: {published.ratings:,} ratings of {published.members:,} members,"
        f" from sections that ended by {published.cut_off}."
    )
    shown = [summary]
    if out is not None and not has_errors(findings):
        shown.append(f"Written to {out}.")
    content = {**without_findings(published), "out": None if out is None else str(out)}
    show("book-publish", content, *shown, findings=findings)


@command("list")
@click.argument("month", metavar="MONTH")
@output_options
def list_command(month: str, output: ListOutput) -> None:
    """Print the published list of MONTH, or write it with --out; "--format json" prints JSON.

    Examples:
      ratebook book list 2026-12
      ratebook book list 2026-12 --format csv > december.csv
      ratebook book list 2026-12 --format html --order rating > december.html
      ratebook book list 2026-12 --format golden --format supplement --out tables
    """
    formats, out = output.formats, output.out
    if out is None and (len(formats) > 1 or any(list_format(name).binary for name in formats)):
        raise click.UsageError("Several formats, and dBASE tables, need --out.")
    with open_session() as session:
        if out is not None:
            findings = output.write(session.book, month, out)
            shown = [] if has_errors(findings) else [f"Written to {out}."]
            show("book-list", {}, *shown, findings=findings)
            return
        with session.book.reading() as connection:
            official = in_order(official_list(connection, month), output.order)
    written = write_list(official, formats[0] if formats else TEXT, output.second)
    for data in written.files.values():
        click.echo(data, nl=False)
    print_findings(written.findings)


@command("lists", json_option)
def lists_command() -> None:
    """List the published lists, newest first.

    Examples:
      ratebook book lists
    """
    with reading() as connection:
        found = all_lists(connection)
    title = counted(len(found), "published list")
    show("book-lists", {"lists": found}, table(title, LISTS, found, none="No list has been published."))


@command("list-diff", json_option)
@click.argument("earlier", metavar="MONTH1")
@click.argument("later", metavar="MONTH2")
def list_diff_command(earlier: str, later: str) -> None:
    """Show every rating that differs between two published lists.

    Examples:
      ratebook book list-diff 2026-11 2026-12
    """
    with reading() as connection:
        changes = list_difference(connection, earlier, later)
    title = f"{counted(len(changes), 'rating differs', 'ratings differ')} between {earlier} and {later}"
    shown = table(
        title, list_change_columns(earlier, later), changes, none="The two lists have the same ratings."
    )
    show("book-list-diff", {"earlier": earlier, "later": later, "changes": changes}, shown)


@command("official", member_argument, systems_option, json_option)
@day_option("--on", "The day (default: today).")
def official_command(member: str, on: date | None, systems: tuple[System, ...]) -> None:
    """Show the official ratings of MEMBER on a day: those of the newest list published for it.

    If a later list was due on that day but is not published, this also shows what it would say.

    Examples:
      ratebook book official 90000012 --on 2026-12-05
      ratebook book official "ann adams" --system quick
    """
    day = on or today()
    with reading() as connection:
        federation = read_federation(connection)
        holding = holding_id(connection, one_member(connection, member))
        in_effect = list_in_effect(connection, federation, day)
        newest, month = in_effect.newest, in_effect.missing
        listed = {} if newest is None else ratings_in_lists(connection, [newest], [holding])
        would_be = {} if month is None else would_be_official(connection, federation, holding, month)
    ratings = listed.get((newest or "", holding), {})
    chosen = systems or tuple(System)
    official = {system: ratings[system] for system in chosen if system in ratings}
    would_be = {system: rating for system, rating in would_be.items() if system in chosen}
    title = f"Official ratings of member {holding} on {day}, list of {newest}"
    none = f"Member {holding} has no official rating on {day}."
    shown = [table(title, OFFICIAL, list(official.items()), none=none)]
    if month is not None:
        would_say = f"No list of {month} is published; this is what it would say"
        nothing = f"No list of {month} is published; it would say nothing of the member."
        shown.append(table(would_say, OFFICIAL, list(would_be.items()), none=nothing))
    content = {
        "member": holding,
        "on": day,
        "official_list": newest,
        "ratings": official,
        "missing_list": month,
        "would_be": would_be,
    }
    show("book-official", content, *shown)
