"""Commands that import in bulk: members, memberships, foreign ratings, balances, reports, corrections."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import date
from pathlib import Path
from typing import Any, Protocol

import click

from ratebook.book.connection import Book
from ratebook.cli.book.session import (
    accept_option,
    dry_run_asked,
    dry_run_option,
    open_session,
    progress_shown,
    second_option,
)
from ratebook.cli.command import command
from ratebook.cli.hints import DAY_ORDER_HELP, hint_options, load_given
from ratebook.cli.options import PATH, PATH_TEXT, WordOf, day_option, flag_option, today
from ratebook.cli.output import all_findings_option
from ratebook.cli.show import fail, json_option, show, table, without_findings
from ratebook.findings import has_errors
from ratebook.formats.contract import DayOrder, Hints
from ratebook.model import System
from ratebook.office.imports.corrections import apply_corrections
from ratebook.office.imports.foreign_players import ABROAD, players_of_list, players_of_report
from ratebook.office.imports.foreign_ratings import import_external_ratings, import_foreign_list
from ratebook.office.imports.members import import_members
from ratebook.office.imports.memberships import import_memberships
from ratebook.office.imports.opening_balances import import_opening_balances
from ratebook.office.imports.reports import import_reports
from ratebook.office.imports.table import Imported
from ratebook.pages.columns import counted

file_argument = click.argument("path", type=PATH, metavar="FILE")
as_of_option = day_option("--as-of", help="Day of the balances whose ratings have no day of their own.")
order_option = click.option("--day-order", "order", type=WordOf(DayOrder), help=DAY_ORDER_HELP)
replace_option = flag_option("--replace", help="Replace the balances that members already have.")


DRY_RUN = "Dry run: nothing was changed."

MOST_CHANGES = 10
"""Members whose changes are shown; all are in the JSON."""


def tried_as_one(book: Book) -> AbstractContextManager[None]:
    """Return what lets later rows of a dry run see what earlier ones did."""
    return book.trying() if dry_run_asked() else nullcontext()


@click.group("import")
def import_group() -> None:
    """Import members, lists, opening balances, reports and corrections; each file whole or not at all.

    The columns of the tables are described in docs/formats/README.md. A file can be imported again: what the book
    already has is left out.
    """


class ImportOfFile(Protocol):
    """A function that imports a file, given the book, the path, the acting person and the options of its command."""

    def __call__(self, *given: Any, **options: Any) -> Imported: ...  # noqa: ANN401, D102 - each import has options of its own


def _import(path: Path, read: ImportOfFile, **options: object) -> None:
    """Import the file at *path* by *read*, and show the result."""
    with open_session() as session, progress_shown("Importing") as progress:
        imported = read(session.book, path, session.actor, progress=progress, **options)
    shown = [f"{path.name}: nothing was imported."]
    if not has_errors(imported.findings):
        shown = [f"{path.name}: {counted(imported.rows, 'row')}, {imported.counts.words}."]
        if any(imported.balances):
            shown.append(f"Opening balances: {imported.balances.words}.")
        shown += _folded(imported.changes)
        if imported.marked:
            of = counted(imported.marked, "member")
            shown.append(f"Rated sections of {of} {'would ' * dry_run_asked()}wait: ratebook book rerate.")
        if dry_run_asked():
            shown.append(DRY_RUN)
    show("book-import", {"file": path.name, **without_findings(imported)}, *shown, findings=imported.findings)


def _folded(changes: Sequence[str]) -> list[str]:
    """Return the first of *changes* as lines, and a line that counts the others."""
    more = len(changes) - MOST_CHANGES
    rest = [f"  and {more:,} more (--json has them all)"] if more > 0 else []
    return [*(f"  {change}" for change in changes[:MOST_CHANGES]), *rest]


@command(
    "members",
    file_argument,
    as_of_option,
    replace_option,
    order_option,
    all_findings_option,
    dry_run_option,
    json_option,
    within=import_group,
)
@accept_option
@flag_option("--balances", help="Import ratings and floors as opening balances.")
def members_command(
    path: Path,
    as_of: date | None,
    order: DayOrder | None,
    accepted: tuple[str, ...],
    *,
    balances: bool,
    replace: bool,
) -> None:
    """Import a members CSV: new members, and changes to existing ones; an empty cell changes nothing.

    A new member with the name and birth date, or the FIDE id, of another one is refused unless --accept
    possible-duplicate is given.

    Examples:
      ratebook book import members members.csv
      ratebook book import members members.csv --balances --as-of 2026-01-01
    """
    if not balances and (as_of is not None or replace):
        raise click.UsageError("--as-of and --replace are for --balances.")
    _import(
        path, import_members, balances=balances, as_of=as_of, replace=replace, order=order, accepted=accepted
    )


@command(
    "memberships",
    file_argument,
    order_option,
    all_findings_option,
    dry_run_option,
    json_option,
    within=import_group,
)
def memberships_command(path: Path, order: DayOrder | None) -> None:
    """Import a table of memberships: member_id, starts, expires.

    Examples:
      ratebook book import memberships memberships.csv
    """
    _import(path, import_memberships, order=order)


@command(
    "foreign-ratings", file_argument, all_findings_option, dry_run_option, json_option, within=import_group
)
@click.option(
    "--numbers",
    type=PATH,
    metavar="FILE",
    help="A table (member_id, source, number) of the members' numbers in the FIDE or CFC list that is imported.",
)
@day_option("--list-date", help="Day of a FIDE or CFC list that does not state it.")
def foreign_ratings_command(path: Path, numbers: Path | None, list_date: date | None) -> None:
    """Import FIDE or CFC ratings: a table (member_id, source, list_date, rating), or a list with --numbers.

    Examples:
      ratebook book import foreign-ratings external-ratings.csv
      ratebook book import foreign-ratings players_list.zip --numbers numbers.csv --list-date 2026-11-01
    """
    if numbers is None and list_date is not None:
        raise click.UsageError("--list-date is for a list, which needs --numbers too.")
    if numbers is None:
        _import(path, import_external_ratings)
        return
    _import(path, import_foreign_list, numbers=numbers, list_date=list_date)


@command("foreign-events", all_findings_option, json_option)
@click.argument("report", type=PATH_TEXT, required=False, metavar="[REPORT]")
@click.option(
    "--from", "path", type=PATH, metavar="FIDE-LIST", help="The FIDE list, alone or in a zip archive."
)
@click.option(
    "--numbers",
    type=PATH,
    metavar="FILE",
    help="A table (member_id, source, number) of the members' numbers in the FIDE list.",
)
@day_option("--list-date", help="Day of a FIDE list that does not state it.")
@hint_options
def foreign_events_command(
    report: str | None, path: Path | None, numbers: Path | None, list_date: date | None, hints: Hints
) -> None:
    """Name all players with the US flag who have FIDE-rated games, by a FIDE list or by a report of a foreign event.

    A list says how many games of each player were rated for it. For each player the answer says whether foreign events
    update the rating, and why: automatic, opted in, or what is missing. Nothing is changed.

    Examples:
      ratebook book foreign-events --from players_list.zip --numbers numbers.csv --list-date 2026-11-01
      ratebook book foreign-events reykjavik.txt
    """
    if (report is None) == (path is None):
        raise click.UsageError("Give either a REPORT or --from FIDE-LIST.")
    if path is None and (numbers is not None or list_date is not None):
        raise click.UsageError("--numbers and --list-date are for --from.")
    if path is not None and hints != Hints():
        raise click.UsageError(
            "What a file does not state is given for a REPORT; a FIDE list has --list-date."
        )
    loaded = None if report is None else load_given(report, hints, today())
    if loaded is not None and loaded.report is None:
        fail(loaded.findings)
    with open_session() as session, session.book.reading() as connection:
        if path is not None:
            abroad = players_of_list(connection, path, numbers, list_date, today())
        else:
            assert loaded is not None and loaded.report is not None  # noqa: S101, PT018 - looked at above
            abroad = players_of_report(connection, loaded.report)
    title = f"{counted(len(abroad.players), 'player')} with the US flag and FIDE-rated games"
    content = {"day": abroad.day, "players": abroad.players}
    none = (
        "No player with the US flag has a game that was rated for this list."
        if report is None
        else "Neither the report nor the book says that one of the players has the US flag;"
        f" the book does not know {counted(abroad.unknown, 'player')} of the event."
    )
    # What went wrong is no answer to who played.
    answered = abroad.players or not abroad.findings
    shown = [table(title, ABROAD, abroad.players, none=none)] if answered else []
    show("book-foreign-events", content, *shown, findings=abroad.findings)


@command(
    "opening-balances",
    file_argument,
    order_option,
    all_findings_option,
    dry_run_option,
    json_option,
    within=import_group,
)
@as_of_option
@replace_option
@second_option
def opening_balances_command(
    path: Path, as_of: date | None, second: System, order: DayOrder | None, *, replace: bool
) -> None:
    """Import opening balances: a table of them, a members CSV, or a US Chess list (DBF).

    A member's ledger begins with the balance; sections up to its day are not rated.

    Examples:
      ratebook book import opening-balances balances.csv
      ratebook book import opening-balances TARATSUP.DBF --as-of 2026-01-01
    """
    _import(path, import_opening_balances, as_of=as_of, replace=replace, second=second, order=order)


@command("reports", all_findings_option, dry_run_option, json_option, within=import_group)
@click.argument("place", type=PATH, metavar="FOLDER|ZIP")
@day_option("--received", help="The day the reports came in, if no table states it (default: today).")
@accept_option
def reports_command(place: Path, received: date | None, accepted: tuple[str, ...]) -> None:
    """Submit every report of a folder or a zip archive; after an interruption, run it again to continue.

    A table reports.csv in it may state what the formats cannot. The findings about a report are kept with it in the
    queue.

    Examples:
      ratebook book import reports archive-2025.zip
    """
    day = received or today()
    with open_session() as session, tried_as_one(session.book), progress_shown("Submitting") as progress:
        done = import_reports(session.book, place, day, session.actor, accepted=accepted, progress=progress)
    shown = [
        (
            f"{place.name}: {counted(done.files, 'file')}, {counted(done.ready, 'report')} ready,"
            f" {done.held:,} held back, {done.already:,} known already."
        )
    ]
    if dry_run_asked():
        shown.append(DRY_RUN)
    elif done.held:
        shown.append("ratebook book queue shows what holds reports back.")
    show("book-import-reports", without_findings(done), *shown, findings=done.findings)


@command(
    "corrections",
    file_argument,
    order_option,
    all_findings_option,
    dry_run_option,
    json_option,
    within=import_group,
)
@accept_option
def corrections_command(path: Path, order: DayOrder | None, accepted: tuple[str, ...]) -> None:
    """Make the corrections in a table, each as a decision of its own by the person named there.

    A correction that cannot be made is reported, and the exit status is 1; the other corrections are made. One that
    raises warnings is made only if its row accepts them in its column accept, or --accept does for all rows.

    Examples:
      ratebook book import corrections corrections.csv
    """
    with open_session() as session, tried_as_one(session.book), progress_shown("Correcting") as progress:
        done = apply_corrections(
            session.book, path, session.actor, accepted=accepted, order=order, progress=progress
        )
    shown = [
        (
            f"{path.name}: {done.rows:,} corrections, {done.made:,} made, {done.mended:,} made in waiting reports,"
            f" {done.already:,} made already, {done.refused:,} refused."
        )
    ]
    if done.accepted:
        shown.append(f"{counted(done.accepted, 'warning was', 'warnings were')} accepted.")
    shown += _folded(done.changes)
    if done.made:
        waits = "would wait" if dry_run_asked() else "wait"
        shown.append(f"Ratings that they affect {waits} for a re-rating: ratebook book rerate.")
    if dry_run_asked():
        shown.append(DRY_RUN)
    content = {"file": path.name, **without_findings(done)}
    show("book-import-corrections", content, *shown, findings=done.findings)
