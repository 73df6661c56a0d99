"""Commands that rate: rate, rerate, what waits for a re-rating, verify."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ratebook.book.ledger.pending import read_pending
from ratebook.book.members import names_of
from ratebook.book.schema import day_of_place
from ratebook.book.submissions import Status, waiting
from ratebook.cli.book.session import confirm, finish, open_session, print_answer, progress_shown
from ratebook.cli.options import DAY, json_option
from ratebook.cli.output import Table, number_text, print_table
from ratebook.findings import finding
from ratebook.office.rating.difference import BUCKETS, LARGEST_SHOWN, Difference
from ratebook.office.rating.rate_queue import RatedQueue, rate_ready
from ratebook.office.rating.rerate import rerate
from ratebook.office.rating.verify import verify

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import date

    from ratebook.book.connection import Book
    from ratebook.book.ledger.pending import Pending
    from ratebook.book.ledger.rows import LedgerRow
    from ratebook.findings import Finding
    from ratebook.office.rating.difference import Change
    from ratebook.office.rating.rate_queue import HeldReport, PostedSection

dry_run_option = click.option("--dry-run", is_flag=True, help="Show what would change, and keep nothing.")


@click.command("rate")
@dry_run_option
@json_option
def rate_command(*, dry_run: bool, as_json: bool) -> None:
    """Rate every section of the reports that are ready, in the order of history, each in one transaction.

    Interrupted, it leaves whole sections; run it again to rate the others. Members who had been rated in later
    sections already are marked for a re-rating. A report against which an error stands by now is held back again,
    and the exit status is 1.

    \b
    Examples:
      ratebook book rate --dry-run
      ratebook book rate
    """
    with open_session() as session:
        with progress_shown("Rating") as progress:
            result = rate_ready(session.book, session.actor, dry_run=dry_run, progress=progress)
        names = _names(session.book, {member for one in result.posted for member in _members(one)})
        with session.book.reading() as connection:
            waiting_held = len(waiting(connection, [Status.HELD.value]))
    findings = list(_held_back(result.held))
    if as_json:
        content = {**_queue_as_json(result, dry_run=dry_run), "held_back": waiting_held}
        print_answer("rate", content, findings)
        finish(findings, as_json=True)
        return
    if dry_run:
        for one in result.posted:
            print_table(_changes_table(one, names))
    if result.posted:
        print_table(_posted_table(result.posted, dry_run=dry_run))
    elif not findings:
        click.echo("No report is ready to be rated.")
    if waiting_held:
        click.echo(
            f"{waiting_held} {'report is' if waiting_held == 1 else 'reports are'} held back;"
            " ratebook book recheck looks at them again."
        )
    late = {member for one in result.posted for member in one.late}
    if late:
        click.echo(
            f"{len(late)} {'member' if len(late) == 1 else 'members'} had been rated in later sections:"
            " ratebook book rerate."
        )
    if dry_run and result.posted:
        click.echo("Nothing of this was kept.")
    finish(findings)


def _held_back(held: Iterable[HeldReport]) -> Iterator[Finding]:
    for one in held:
        yield finding(
            "report-held-back",
            f"submission {one.submission}, event {one.event_id}",
            submission=one.submission,
        )


def _members(one: PostedSection) -> set[str]:
    return {member for rows in one.rows.values() for member in rows}


def _names(book: Book, members: Iterable[str]) -> dict[str, str]:
    wanted = sorted(members)
    if not wanted:
        return {}
    with book.reading() as connection:
        return names_of(connection, wanted)


def _queue_as_json(result: RatedQueue, *, dry_run: bool) -> dict[str, object]:
    return {
        "dry_run": dry_run,
        "run": None if dry_run or not result.run else result.run,
        "sections": [
            {
                "submission": one.submission,
                "event": one.event_id,
                "section": one.number,
                "name": one.name,
                "late": list(one.late),
                "ratings": [
                    {
                        "member": member,
                        "system": system.value,
                        "before": row.rating_before,
                        "games_before": row.games_before,
                        "source": row.source,
                        "after": row.rating,
                        "games": row.games,
                    }
                    for system, rows in one.rows.items()
                    for member, row in rows.items()
                ],
            }
            for one in result.posted
        ],
        "held": [one._asdict() for one in result.held],
    }


def _changes_table(one: PostedSection, names: Mapping[str, str]) -> Table:
    """Return every new rating of a section."""
    return Table(
        f"Event {one.event_id}, section {one.number} {one.name}".rstrip(),
        ("ID", "Name", "System", "Before", "After", "Change", "Games"),
        [
            (
                member,
                names.get(member, ""),
                system.value,
                _before(row),
                number_text(row.rating),
                f"{row.rating - row.rating_before:+.2f}" if row.source == "rated" else "new",
                "-" if row.games is None else f"{row.games:g}",
            )
            for system, rows in one.rows.items()
            for member, row in rows.items()
        ],
        frozenset({0, 1, 2}),
    )


def _before(row: LedgerRow) -> str:
    text = number_text(row.rating_before)
    return text if row.source == "rated" else f"unrated ({text}/{row.games_before or 0:g})"


def _posted_table(posted: Iterable[PostedSection], *, dry_run: bool) -> Table:
    rows = [
        (
            one.event_id,
            str(one.number),
            one.name,
            str(one.submission),
            ", ".join(system.value for system in one.rows),
            str(len(_members(one))),
            str(len(one.late)),
        )
        for one in posted
    ]
    verb = "would be rated" if dry_run else "rated"
    return Table(
        f"{len(rows)} {'section' if len(rows) == 1 else 'sections'} {verb}",
        ("Event", "Section", "Name", "Submission", "Systems", "Members", "Late"),
        rows,
        frozenset({0, 2, 4}),
    )


@click.command("rerate")
@click.option(
    "--from", "since", type=DAY, metavar="DATE", help="Look at every section that ended on this day or later."
)
@click.option("--all", "everything", is_flag=True, help="Look at the whole history.")
@dry_run_option
@click.option("--ask", is_flag=True, help="Show what would change first, and keep it only after a yes.")
@json_option
def rerate_command(since: date | None, *, everything: bool, dry_run: bool, ask: bool, as_json: bool) -> None:
    """Rate again, in the order of history, what waits for it, and print what that changes.

    A section is rated again only where something that it reads has changed. Everything happens in one transaction:
    whoever reads sees the book before it or after it. Interrupted, it leaves the book as it was.

    \b
    Examples:
      ratebook book rerate --dry-run
      ratebook book rerate --ask
      ratebook book rerate --from 2026-01-01
    """
    if ask and (dry_run or as_json):
        raise click.UsageError("--ask stands alone; use --dry-run first.")
    with open_session() as session:

        def rated_again(*, dry_run: bool) -> Difference:
            with progress_shown("Rating again") as progress:
                return rerate(
                    session.book,
                    session.actor,
                    since=since,
                    everything=everything,
                    dry_run=dry_run,
                    progress=progress,
                    compiling=_say_that_it_compiles,
                )

        difference = rated_again(dry_run=dry_run or ask)
        names = _names(session.book, {one.member for one in difference.changes})
        if as_json:
            print_answer("rerate", _difference_as_json(difference, dry_run=dry_run))
            return
        _print_rerating(difference, names)
        if ask and difference.run:
            confirm("Keep this?", "rerate --ask", "Look with --dry-run, then give the command without --ask.")
            again = rated_again(dry_run=False)
            if again[1:] != difference[1:]:
                click.echo("Meanwhile something else had come in; this is what was kept.")
                _print_rerating(again, _names(session.book, {one.member for one in again.changes}))
            return
    if dry_run and difference.run:
        click.echo("Nothing of this was kept.")


def _say_that_it_compiles() -> None:
    click.echo("Compiling the engine, once, for about a minute; it is kept for the next time.", err=True)


def _print_rerating(difference: Difference, names: Mapping[str, str]) -> None:
    """Print what a re-rating did, or would do."""
    if not difference.run:
        click.echo("Nothing waits for a re-rating.")
        return
    click.echo(
        f"{difference.sections:,} sections looked at, {difference.rated:,} ratings of sections made again,"
        f" {difference.rows:,} ledger rows added, {difference.closed:,} closed."
    )
    _print_difference(difference, names)


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
        "changes": [one._asdict() for one in difference.changes],
    }


def _print_difference(difference: Difference, names: Mapping[str, str]) -> None:
    """Print how many ratings changed by how much, and the largest changes."""
    changes = difference.changes
    if not changes:
        click.echo("No current rating changed.")
        return
    members = len({one.member for one in changes})
    lower = 0
    rows = []
    for upper, count in zip(BUCKETS, difference.histogram, strict=False):
        rows.append((f"{lower} to {upper}" if lower else f"up to {upper}", str(count)))
        lower = upper
    rows.append((f"above {lower}", str(difference.histogram[-1])))
    print_table(
        Table(
            f"{len(changes):,} current {'rating' if len(changes) == 1 else 'ratings'} of {members:,}"
            f" {'member' if members == 1 else 'members'} changed",
            ("Points", "Ratings"),
            rows,
            frozenset({0}),
        )
    )
    shown = changes[:LARGEST_SHOWN]
    print_table(
        Table(
            "All changes" if len(shown) == len(changes) else f"The {len(shown)} largest changes",
            ("ID", "Name", "System", "Before", "After", "Change"),
            [_change_row(one, names) for one in shown],
            frozenset({0, 1, 2}),
        )
    )


def _change_row(one: Change, names: Mapping[str, str]) -> tuple[str, ...]:
    moved = "-" if one.before is None or one.after is None else f"{one.after - one.before:+.2f}"
    before, after = ("unrated" if rating is None else f"{rating:.2f}" for rating in (one.before, one.after))
    return (one.member, names.get(one.member, ""), one.system.value, before, after, moved)


@click.command("waits")
@json_option
def waits_command(*, as_json: bool) -> None:
    """List what waits for a re-rating, and why.

    \b
    Examples:
      ratebook book waits
    """
    with open_session() as session, session.book.reading() as connection:
        pending = read_pending(connection)
    if as_json:
        print_answer("waits", {"waits": [_pending_as_json(one) for one in pending]})
        return
    if not pending:
        click.echo("Nothing waits for a re-rating.")
        return
    rows = []
    for one in pending:
        day, event, section = _where(one)
        rows.append((day or "the beginning", event, section, one.member or "", one.reason))
    print_table(
        Table(
            f"{len(pending)} {'change waits' if len(pending) == 1 else 'changes wait'} for a re-rating",
            ("From", "Event", "Section", "Member", "Because of"),
            rows,
            frozenset({0, 1, 3, 4}),
        )
    )


def _where(one: Pending) -> tuple[str, str, str]:
    """Return day, event and section from which on something waits; empty where it is no section's place."""
    parts = one.place.split("\t")
    if len(parts) == 3:  # noqa: PLR2004 - day, event, section
        return parts[0], parts[1], str(int(parts[2]))
    return day_of_place(one.place), "", ""


def _pending_as_json(one: Pending) -> dict[str, object]:
    day, event, section = _where(one)
    return {
        "from": day or None,
        "event": event or None,
        "section": int(section) if section else None,
        "member": one.member,
        "reason": one.reason,
    }


@click.command("verify")
@json_option
def verify_command(*, as_json: bool) -> None:
    """Compute the whole ledger again from balances, reports, decisions and stored rules, and print what differs.

    Exit status 1 where anything differs.

    \b
    Examples:
      ratebook book verify
    """
    with open_session() as session, progress_shown("Verifying") as progress:
        verified = verify(session.book, progress)
    if as_json:
        print_answer("verify", {"sections": verified.sections, "rows": verified.rows}, verified.findings)
    else:
        wrong = sum(finding.severity == "error" for finding in verified.findings)
        words = "nothing differs" if not wrong else f"{wrong:,} {'error' if wrong == 1 else 'errors'}"
        click.echo(
            f"{verified.sections:,} sections and {verified.rows:,} ledger rows computed again: {words}."
        )
    finish(verified.findings, as_json=as_json)
