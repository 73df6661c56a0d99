"""Commands that rate: rate, rerate, what waits for a re-rating, verify."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import NamedTuple

import click

from ratebook.book.connection import Book
from ratebook.book.facts.members import names_of
from ratebook.book.ledger.pending import read_pending
from ratebook.book.submissions import Status, waiting
from ratebook.cli.book.session import DRY_RUN, confirm, open_session, reading
from ratebook.cli.command import command, option
from ratebook.cli.options import PATH, day_option, flag_option
from ratebook.cli.output import TextTable, progress_bar
from ratebook.cli.output_files import exists_already, write_files
from ratebook.cli.show import fail, json_asked, json_option, show, table
from ratebook.findings import Finding, Place, finding
from ratebook.formats.reading.spreadsheet import csv_text, guarded
from ratebook.model import System
from ratebook.office.rating.difference import BUCKETS, LARGEST_SHOWN, SIZES, Difference, change_columns, sizes
from ratebook.office.rating.rate_queue import POSTED, PostedSection, RatedQueue, rate_ready
from ratebook.office.rating.rerate import KeptRerating, rerate
from ratebook.pages.columns import Column, Columns, counted
from ratebook.pages.records import PENDING, pending_as_json

dry_run_option = flag_option("--dry-run", "Show what would change, without changing anything.")


@command("rate", dry_run_option, json_option)
def rate_command(*, dry_run: bool) -> None:
    """Rate every section of the reports that are ready, in chronological order.

    A few hundred sections are rated in one transaction, those of an event together. After an interruption,
    run it again to rate the remaining ones. Members already rated in later sections are marked for a
    re-rating. A report that now has an error is held back again, and the exit status is 1.

    Examples:
      ratebook book rate --dry-run
      ratebook book rate
    """
    with open_session() as session:
        with_rows = dry_run or json_asked()
        with progress_bar("Rating") as progress:
            result = rate_ready(
                session.book, session.actor, dry_run=dry_run, with_rows=with_rows, progress=progress
            )
        rated = {member for section in result.posted for rows in section.rows.values() for member in rows}
        names = _names(session.book, rated)
        with session.book.reading() as connection:
            waiting_held = len(waiting(connection, [Status.HELD.value]))
    content = {**_queue_as_json(result, dry_run=dry_run), "held_back": waiting_held}
    shown = _queue_lines(result, names, waiting_held, dry_run=dry_run)
    findings = [
        finding("report-held-back", Place(submission=number, event=event), submission=number)
        for number, event in result.held
    ]
    for section in result.posted:
        findings += (problem.within(Place(event=section.event_id)) for problem in section.findings)
    show("book-rate", content, *shown, findings=findings)


def _queue_lines(
    result: RatedQueue, names: Mapping[str, str], waiting_held: int, *, dry_run: bool
) -> Iterator[TextTable | str]:
    if dry_run:
        for section in result.posted:
            title = f"Event {section.event_id}, section {section.number} {section.name}".rstrip()
            yield table(title, _new_rating_columns(names), list(_new_ratings(section)))
    if result.posted:
        rated = "would be rated" if dry_run else "rated"
        yield table(f"{counted(len(result.posted), 'section')} {rated}", POSTED, result.posted)
    elif not result.held:
        yield "No report is ready to be rated."
    if waiting_held:
        held_back = counted(waiting_held, "report is", "reports are")
        yield f"{held_back} held back; ratebook book queue says why."
    late = {member for section in result.posted for member in section.late}
    if late:
        were = counted(len(late), "member was", "members were")
        yield f"{were} already rated in later sections, which wait for a re-rating: ratebook book rerate."
    if dry_run and result.posted:
        yield DRY_RUN


def _names(book: Book, members: Iterable[str]) -> dict[str, str]:
    with book.reading() as connection:
        return names_of(connection, sorted(members))


def _queue_as_json(result: RatedQueue, *, dry_run: bool) -> dict[str, object]:
    return {
        "dry_run": dry_run,
        "run": None if dry_run or not result.run else result.run,
        "sections": [
            {
                "submission": section.submission,
                "event": section.event_id,
                "section": section.number,
                "name": section.name,
                "late": section.late,
                "ratings": list(_new_ratings(section)),
            }
            for section in result.posted
        ],
        "held": result.held,
    }


class NewRating(NamedTuple):
    """The rating of a member before and after a section."""

    member: str
    system: System
    before: float
    games_before: float | None
    source: str
    after: float
    games: float | None

    @property
    def before_text(self) -> str:
        """The rating before; a newcomer's is where he starts, and on how many games."""
        text = f"{self.before:.2f}"
        return text if self.source == "rated" else f"unrated ({text}/{self.games_before or 0:g})"

    @property
    def change_text(self) -> str:
        """By how much the rating moved."""
        return f"{self.after - self.before:+.2f}" if self.source == "rated" else "new"


def _new_ratings(section: PostedSection) -> Iterator[NewRating]:
    for system, rows in section.rows.items():
        for member, row in rows.items():
            yield NewRating(
                member=member,
                system=system,
                before=row.rating_before,
                games_before=row.games_before,
                source=row.source,
                after=row.rating,
                games=row.games,
            )


def _new_rating_columns(names: Mapping[str, str]) -> Columns[NewRating]:
    return (
        Column("ID", "member"),
        Column("Name", lambda rating: names.get(rating.member, "")),
        Column("System", "system"),
        Column("Before", "before_text", "right"),
        Column("After", "after", "right", ".2f"),
        Column("Change", "change_text", "right"),
        Column("Games", "games", "right", lambda games: "-" if games is None else f"{games:g}"),
    )


@command("rerate", json_option)
@day_option("--from", "Consider every section that ended on this day or later.", name="since")
@flag_option("--all", "Consider the whole history.", name="everything")
@dry_run_option
@flag_option("--ask", "Show what would change, and ask before keeping it.")
@option("--out FILE.csv", "Write all changes to this file.", PATH)
def rerate_command(
    since: date | None, out: Path | None, *, everything: bool, dry_run: bool, ask: bool
) -> None:
    """Rate again, in chronological order, whatever waits for a re-rating, and print the changes.

    A section is rated again only if something that it depends on has changed. All of this is one transaction:
    readers see the book either as it was before or as it is afterwards. If the command is interrupted,
    nothing changes. With --ask, the changes shown are kept without being computed again, unless something
    else came in meanwhile.

    Examples:
      ratebook book rerate --dry-run --out changes.csv
      ratebook book rerate --ask
      ratebook book rerate --from 2026-01-01
    """
    if ask and (dry_run or json_asked()):
        raise click.UsageError("--ask cannot be used with --dry-run or --json.")
    if out is not None and out.exists():
        fail([exists_already(out)])
    with open_session() as session, closing(KeptRerating()) as preview:

        def rated_again(*, dry_run: bool) -> Difference:
            with progress_bar("Rating again") as progress:
                return rerate(
                    session.book,
                    session.actor,
                    since=since,
                    everything=everything,
                    dry_run=dry_run,
                    progress=progress,
                    preview=preview if ask else None,
                )

        difference = rated_again(dry_run=dry_run or ask)
        shown = _rerating_lines(session.book, difference)
        if dry_run and difference.run:
            shown = [*shown, DRY_RUN]
        failed = None if out is None else _write_changes(session.book, difference, out)
        shown += [f"All changes are in {out}."] if out is not None and failed is None else []
        content = _difference_as_json(difference, dry_run=dry_run)
        show("book-rerate", content, *shown, findings=[] if failed is None else [failed])
        if ask and difference.run:
            confirm("Keep this?", "rerate --ask", "Look with --dry-run, then give the command without --ask.")
            again = rated_again(dry_run=False)
            if again[1:] != difference[1:]:
                intro = "Something else had come in meanwhile; this is what was kept."
                show("book-rerate", {}, intro, *_rerating_lines(session.book, again))


def _write_changes(book: Book, difference: Difference, out: Path) -> Finding | None:
    """Write every change of a re-rating as CSV; return a finding where that cannot be done."""
    names = _names(book, {change.member for change in difference.changes})
    rows: list[Sequence[str]] = [("member", "name", "system", "before", "after")]
    for change in difference.changes:
        ratings = ("" if rating is None else str(rating) for rating in (change.before, change.after))
        rows.append(
            (guarded(change.member), guarded(names.get(change.member, "")), change.system.value, *ratings)
        )
    return write_files({out.name: csv_text(rows).encode()}, out, private=True)


def _rerating_lines(book: Book, difference: Difference) -> list[TextTable | str]:
    """Return what a re-rating did, or would do: how many ratings changed by how much, and the largest changes."""
    if not difference.run:
        return ["Nothing waits for a re-rating."]
    looked = (
        f"{counted(difference.sections, 'section')} checked, {difference.rated:,} rated again (counted by system),"
        f" {counted(difference.rows, 'ledger row')} added, {difference.closed:,} superseded."
    )
    changes = difference.changes
    if not changes:
        return [looked, "No current rating changed."]
    names = _names(book, {change.member for change in changes})
    members = counted(len({change.member for change in changes}), "member")
    largest = changes[:LARGEST_SHOWN]
    title = "All changes" if len(largest) == len(changes) else f"The {len(largest)} largest changes"
    how_many = f"{counted(len(changes), 'current rating')} of {members} changed"
    by_size = table(how_many, SIZES, list(sizes(difference.histogram)))
    return [looked, by_size, table(title, change_columns(names), largest)]


def _difference_as_json(difference: Difference, *, dry_run: bool) -> dict[str, object]:
    return {
        "dry_run": dry_run,
        "run": None if dry_run or not difference.run else difference.run,
        "sections": difference.sections,
        "rated": difference.rated,
        "rows_added": difference.rows,
        "rows_closed": difference.closed,
        "histogram": [
            {"up_to": upper, "changes": count}
            for upper, count in zip((*BUCKETS, None), difference.histogram, strict=True)
        ],
        "changes": difference.changes,
    }


@command("waits", json_option)
def waits_command() -> None:
    """List what waits for a re-rating, and why.

    Examples:
      ratebook book waits
    """
    with reading() as connection:
        pending = read_pending(connection)
    title = f"{counted(len(pending), 'change waits', 'changes wait')} for a re-rating"
    shown = table(title, PENDING, pending, none="Nothing waits for a re-rating.")
    show("book-waits", {"waits": [pending_as_json(change) for change in pending]}, shown)
