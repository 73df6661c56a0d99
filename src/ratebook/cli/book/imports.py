"""Commands that import in bulk: members, memberships, foreign ratings, balances, reports, corrections."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack, nullcontext
from datetime import date
from pathlib import Path
from typing import Any

import click

from ratebook.book.connection import file_of
from ratebook.cli.action import command_of, require
from ratebook.cli.book.creation import profile_in
from ratebook.cli.book.session import (
    DRY_RUN,
    acting,
    book_place,
    confirm,
    dry_run_asked,
    dry_run_option,
    findings_shown,
    open_session,
)
from ratebook.cli.command import command, option
from ratebook.cli.hints import hint_options, load_given
from ratebook.cli.options import PATH, PATH_TEXT, day_option, today
from ratebook.cli.output import TextTable, all_findings_option, progress_bar
from ratebook.cli.show import fail, json_asked, json_option, show, table, without_findings
from ratebook.findings import Finding, has_errors
from ratebook.formats.contract import Hints
from ratebook.office.action import Action, Values
from ratebook.office.creation import create_book
from ratebook.office.decisions.revision import Reason
from ratebook.office.founding.contents import Archive, Content, opened_archive
from ratebook.office.founding.found import (
    FOUND,
    FOUNDED,
    NOTHING_FOUNDED,
    UNDERSTOOD,
    Founded,
    UnderstoodFile,
    found,
    looked_at,
    understood_files,
    wanted_of,
)
from ratebook.office.imports.actions import CORRECTIONS, IMPORTS
from ratebook.office.imports.corrections import Corrected
from ratebook.office.imports.foreign_ratings import ABROAD, players_of_list, players_of_report
from ratebook.office.imports.reports import ImportedReports
from ratebook.office.imports.table import Imported
from ratebook.pages.columns import counted
from ratebook.pages.queue import SUMMARY

MOST_CHANGES = 10
"""Members whose changes are shown; all are in the JSON."""


@click.group("import")
def import_group() -> None:
    """Import members, lists, opening balances, reports and corrections: each file as a whole or not at all.

    The columns of the tables are described in docs/formats/README.md. You can import a file again: what the book
    already has is skipped.
    """


def _declare(action: Action[Any, Any], showing: str, show_done: Callable[[str, Any], None]) -> None:
    """Add the command of an import; what became of it is shown by *show_done*."""

    @command_of(action, all_findings_option, dry_run_option, json_option, within=import_group)
    def run(**values: Any) -> None:  # noqa: ANN401 - what the options give
        require(action, values)
        with open_session() as session, progress_bar(showing) as progress, ExitStack() as tried:
            if dry_run_asked() and not action.at_once:
                # Later rows see what earlier ones did.
                tried.enter_context(session.book.trying())
            reason = Reason(session.actor, "")
            done = action.done(session.book, reason, {**values, "progress": progress}, today())
        show_done(values["file"].name, done)


def _show_import(name: str, imported: Imported) -> None:
    shown = [f"{name}: nothing was imported."]
    if not has_errors(imported.findings):
        shown = [f"{name}: {counted(imported.rows, 'row')}, {imported.counts.words}."]
        if any(imported.balances):
            shown.append(f"Opening balances: {imported.balances.words}.")
        shown += _folded(imported.changes)
        if imported.marked:
            of = counted(imported.marked, "member")
            shown.append(f"Rated sections of {of} {'would ' * dry_run_asked()}wait: ratebook book rerate.")
        if dry_run_asked():
            shown.append(DRY_RUN)
    show("book-import", {"file": name, **without_findings(imported)}, *shown, findings=imported.findings)


def _folded(changes: Sequence[str]) -> list[str]:
    """Return the first of *changes* as lines, and a line that counts the others."""
    more = len(changes) - MOST_CHANGES
    rest = [f"  and {more:,} more (--json has them all)"] if more > 0 else []
    return [*(f"  {change}" for change in changes[:MOST_CHANGES]), *rest]


def _show_reports(name: str, reports: ImportedReports) -> None:
    shown = [
        (
            f"{name}: {counted(reports.files, 'file')}, {counted(reports.ready, 'report')} ready,"
            f" {reports.held:,} held back, {reports.already:,} already known."
        )
    ]
    if dry_run_asked():
        shown.append(DRY_RUN)
    elif reports.held:
        shown.append("ratebook book queue shows what holds reports back.")
    show("book-import-reports", without_findings(reports), *shown, findings=reports.findings)


def _show_corrections(name: str, corrections: Corrected) -> None:
    shown = [
        (
            f"{name}: {counted(corrections.rows, 'correction')}, {corrections.made:,} made,"
            f" {corrections.mended:,} made in waiting reports, {corrections.already:,} already made,"
            f" {corrections.refused:,} refused."
        )
    ]
    if corrections.accepted:
        shown.append(f"{counted(corrections.accepted, 'warning was', 'warnings were')} accepted.")
    shown += _folded(corrections.changes)
    if corrections.made:
        waits = "would wait" if dry_run_asked() else "wait"
        shown.append(f"Ratings that they affect {waits} for a re-rating: ratebook book rerate.")
    if dry_run_asked():
        shown.append(DRY_RUN)
    content = {"file": name, **without_findings(corrections)}
    show("book-import-corrections", content, *shown, findings=corrections.findings)


@command_of(
    FOUND,
    click.option("--yes", "--no-input", is_flag=True, help="Do not ask whether to go on; for scripts."),
    all_findings_option,
    dry_run_option,
    json_option,
)
def found_command(*, yes: bool, **values: Any) -> None:  # noqa: ANN401 - what the options give
    """Say what is in the folder and what is missing, ask, and found the book."""
    path, wanted = values["file"], wanted_of(Values(**values))
    with findings_shown(), ExitStack() as opened:
        with progress_bar("Looking at the files") as progress:
            archive = opened.enter_context(opened_archive(path, progress))
        profile = archive.of(Content.PROFILE)[:1] if _is_missing(book_place()) else []
        if profile:
            problems = looked_at(None, archive, wanted)
        else:
            with open_session() as session:
                problems = looked_at(session.book, archive, wanted)
        _show_understood(archive, problems)
        if not yes and not dry_run_asked():
            confirm("Set up the book with these files?", archive.name)
        if profile and dry_run_asked():
            click.echo(DRY_RUN)
            return
        for file in profile:
            create_book(book_place(), profile_in(file.path), acting()).close()
            if not json_asked():
                click.echo(f"Made the book {book_place()}.")
        with (
            open_session() as session,
            progress_bar("Founding", noted=True) as progress,
            session.book.trying() if dry_run_asked() else nullcontext(),
        ):
            done = found(session.book, archive, wanted, session.actor, today(), progress=progress)
    _show_founded(archive.name, done, shown_before=problems)


def _is_missing(place: str) -> bool:
    """Return whether the book is a file that does not exist."""
    file = file_of(place)
    return file is not None and not Path(file).exists()


def _show_understood(archive: Archive, problems: Sequence[Finding]) -> None:
    """Say what the files are and what they lack, before anything is done; with an error, that is all."""
    if has_errors(problems):
        understood = tuple(understood_files(archive))
        _show_founded(archive.name, NOTHING_FOUNDED._replace(understood=understood, findings=tuple(problems)))
    if not json_asked():
        show("book-found", {}, _understood_table(archive.name, understood_files(archive)), findings=problems)


def _understood_table(name: str, understood: Sequence[UnderstoodFile]) -> TextTable | str:
    return table(f"Contents of {name}", UNDERSTOOD, understood)


def _show_founded(name: str, founding: Founded, shown_before: Sequence[Finding] | None = None) -> None:
    """Print the summary, without what was *shown_before*."""
    shown = [_understood_table(name, founding.understood)] if shown_before is None else []
    if not founding.is_done:
        shown.append("Nothing was imported.")
    else:
        shown += [
            table(f"Result of {name}", FOUNDED, founding.files),
            (
                f"The book has {counted(founding.members, 'member')} and {counted(founding.sections, 'rated section')},"
                f" {founding.now:,} of them new."
            ),
        ]
    if founding.held_by:
        held = counted(founding.held, "report is", "reports are")
        shown += [table(f"{held} held back", SUMMARY, founding.held_by)]
        shown += ["ratebook book queue shows each report, and ratebook book show N why it is held back."]
    if dry_run_asked():
        shown.append(DRY_RUN)
    elif founding.now:
        shown.append("Next: ratebook book verify, and ratebook book publish.")
    findings = (
        founding.findings
        if json_asked()
        else [each for each in founding.findings if each not in (shown_before or ())]
    )
    show("book-found", {"folder": name, **without_findings(founding)}, *shown, findings=findings)


for _action in IMPORTS:
    if _action.word == "reports":
        _declare(_action, "Submitting", _show_reports)
    else:
        _declare(_action, "Importing", _show_import)
_declare(CORRECTIONS, "Correcting", _show_corrections)


@command("foreign-events", all_findings_option, json_option)
@click.argument("report", type=PATH_TEXT, required=False, metavar="[REPORT]")
@option("--from FIDE-LIST", "The FIDE list, alone or in a zip archive.", PATH, name="path")
@option(
    "--numbers FILE", "A table (member_id, source, number) with the members' numbers in the FIDE list.", PATH
)
@day_option("--list-date", "Day of a FIDE list that does not state it.")
@hint_options
def foreign_events_command(
    report: str | None, path: Path | None, numbers: Path | None, list_date: date | None, hints: Hints
) -> None:
    """List the players with the US flag who have FIDE-rated games, from a FIDE list or a report of a foreign event.

    A FIDE list says how many games of each player were rated for it. The answer says for each player whether
    foreign events update the rating, and why: automatically, by an opt-in, or what is missing. Nothing is
    changed.

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
            "Options for what a file does not state are for a REPORT; for a FIDE list there is --list-date."
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
        else "Neither the report nor the book says that any of the players has the US flag;"
        f" the book does not know {counted(abroad.unknown, 'player')} of the event."
    )
    # What went wrong is no answer to who played.
    answered = abroad.players or not abroad.findings
    shown = [table(title, ABROAD, abroad.players, none=none)] if answered else []
    show("book-foreign-events", content, *shown, findings=abroad.findings)
