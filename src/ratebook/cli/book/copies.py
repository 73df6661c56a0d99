"""Commands that keep a book safe, or hand it on: export and import-book, complete tables, backup and restore."""

from pathlib import Path

import click

from ratebook.book.connection import is_url, open_any_version, shown_place
from ratebook.cli.book.session import acting, book_place, confirm, findings_shown, open_session, what_waits
from ratebook.cli.command import command
from ratebook.cli.options import PATH_TEXT, flag_option
from ratebook.cli.output import progress_bar
from ratebook.cli.show import json_option, show
from ratebook.office.copies.backup import backup, restore
from ratebook.office.copies.export import Manifest, export_book, import_book
from ratebook.office.publish.data_files import write_data
from ratebook.office.rating.history_columns import export_history
from ratebook.records.data_files import ENDINGS


def _show_manifest(manifest: Manifest, what: str, done: str) -> None:
    rows = sum(table.rows for table in manifest.tables)
    show(f"book-{what}", manifest._asdict(), f"{done}: {rows:,} rows of {len(manifest.tables)} tables.")


@command("export", json_option)
@click.argument("target", type=PATH_TEXT, metavar="FOLDER")
@flag_option("--parquet", help="Write the rated history instead, as Parquet columns for ratebook replay.")
@flag_option(
    "--with-birth-dates", help="Include birth dates in the history, for studies of initial ratings or ages."
)
def export_command(target: str, *, parquet: bool, with_birth_dates: bool) -> None:
    """Write the whole book as portable files into a new FOLDER. The same book always gives the same bytes.

    The files contain everything, including birth dates: protect them like the book. A history (--parquet) has no names,
    and birth dates only if you ask for them; initial ratings that follow from birth dates are in it as decided.

    Examples:
      ratebook book export league-2026-11
      ratebook book export --parquet league-history
    """
    if with_birth_dates and not parquet:
        raise click.UsageError("--with-birth-dates is for --parquet; an export without it has everything.")
    if parquet:
        with open_session() as session, progress_bar("Writing") as progress:
            history = export_history(session.book, Path(target), progress, with_birth_dates=with_birth_dates)
            with session.book.reading() as connection:
                waits = what_waits(connection)
        words = f"{history.sections:,} sections, {history.games:,} games, {history.members:,} members."
        show("book-export", history._asdict(), words, findings=waits)
        return
    with open_session() as session, progress_bar("Writing") as progress:
        manifest = export_book(session.book, target, progress)
    _show_manifest(manifest, "export", f"Exported to {target}")


@command("data", json_option)
@click.argument("folder", type=PATH_TEXT, metavar="FOLDER")
@click.option(
    "--format",
    "formats",
    type=click.Choice([*ENDINGS]),
    multiple=True,
    default=("csv",),
    show_default=True,
    help="Format of the files; repeatable. Parquet needs the extra bulk.",
)
def data_command(folder: str, formats: tuple[str, ...]) -> None:
    """Write what the public pages show to FOLDER, as complete tables for mirrors and researchers.

    They have players, ratings, titles, sections, standings and histories, of sections and histories a file for each
    year, and a manifest with their hashes. Run it again after the book has changed: a file that stays as it was keeps
    its name, and is not fetched again by mirrors. The same revision of the book gives the same bytes.

    Examples:
      ratebook book data public-data
      ratebook book data public-data --format csv --format ndjson --format parquet
    """
    with open_session() as session, progress_bar("Writing") as progress:
        written = write_data(session.book, Path(folder), tuple(dict.fromkeys(formats)), progress)
        with session.book.reading() as connection:
            waits = what_waits(connection)
    manifest = written.manifest
    words = (
        f"Revision {manifest.revision} in {folder}: {len(manifest.files)} files, {written.made} of them new."
    )
    content = {"revision": manifest.revision, "files": manifest.files, "new": written.made}
    show("book-data", content, words, findings=waits)


@command("import-book", json_option)
@click.argument("folder", type=PATH_TEXT, metavar="FOLDER")
def import_book_command(folder: str) -> None:
    """Make a new book in the place that --book names, from a FOLDER that export has written.

    Examples:
      ratebook book --book postgresql://office@server/league import-book league-2026-11
    """
    with findings_shown(), progress_bar("Reading") as progress:
        manifest = import_book(folder, book_place(), progress)
    _show_manifest(manifest, "import-book", "Made the book")


@command("backup", json_option)
@click.argument("target", type=PATH_TEXT, metavar="TARGET")
def backup_command(target: str) -> None:
    """Copy the book to a new file (from a server: to a new folder), while others may work with it.

    Examples:
      ratebook book backup league-2026-11-20.book
    """
    with open_session(open_any_version) as session, progress_bar("Copying") as progress:
        backup(session.book, target, session.actor, progress)
    show("book-backup", {"target": target}, f"The book is copied to {target}.")


@command("restore", json_option)
@click.argument("source", type=PATH_TEXT, metavar="BACKUP")
@flag_option("--yes", help="Do not ask for confirmation; the current contents of the book are lost.")
def restore_command(source: str, *, yes: bool) -> None:
    """Replace the book with a backup, which is first copied beside it and verified as a whole.

    Examples:
      ratebook book restore league-2026-11-20.book --yes
    """
    place, actor = book_place(), acting()
    if not yes and (is_url(place) or Path(place).exists()):
        confirm(f"Replace the current contents of {shown_place(place)} with {source}?", shown_place(place))
    with findings_shown(), progress_bar("Verifying the backup") as progress:
        restored = restore(source, place, actor, progress)
    counted = f"{restored.sections:,} sections and {restored.rows:,} ledger rows computed again"
    content = {"sections": restored.sections, "rows": restored.rows}
    show("book-restore", content, f"Restored: {counted}, nothing differs.", findings=restored.findings)
