"""Commands that keep everything of a server safe: the book and its accounts together."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import click

from ratebook.book.connection import Actor, is_url, open_book, shown_place
from ratebook.book.failures import BookError, refused
from ratebook.cli.book.session import confirm, findings_shown, yes_option
from ratebook.cli.command import command, option
from ratebook.cli.options import PATH, WholeRange, default_option
from ratebook.cli.output import progress_bar
from ratebook.cli.show import json_option, show
from ratebook.cli.web.group import Places
from ratebook.cli.web.session import no_book, now, open_places, place_of_store, user_name, vault_of
from ratebook.findings import Place
from ratebook.pages.columns import counted
from ratebook.web.running import copies
from ratebook.web.store.log import LogKind, note
from ratebook.web.store.opening import Store, has_store, open_store
from ratebook.web.store.schema import moment

folder_argument = click.argument("folder", type=PATH, metavar="FOLDER")


@contextmanager
def _store_there(places: Places) -> Iterator[Store | None]:
    """Open the web store, if there is one."""
    place = place_of_store(places)
    if not has_store(place):
        yield None
        return
    with closing(open_store(place)) as store:
        yield store


def _book_place(places: Places) -> str:
    if not places.book:
        raise click.UsageError(no_book())
    return places.book


def _words(trial: copies.Tried) -> str:
    return (
        f"{counted(trial.sections, 'section')} and {counted(trial.rows, 'ledger row')} computed again, nothing differs;"
        f" {counted(trial.accounts, 'account')}."
    )


@command("backup", json_option)
@folder_argument
@default_option("--keep N", "Keep this many backups, and remove older ones.", WholeRange(min=1), default=14)
def backup_command(folder: Path, keep: int) -> None:
    """Back up the book and its accounts into a new folder of FOLDER, while they are in use.

    The new backup is restored to a scratch place and computed again; only then are older ones removed. It does not have
    the key of second factors: keep that in another place.

    Examples:
      ratebook web --book league.book backup /var/backups/ratebook
      ratebook web --book league.book backup /var/backups/ratebook --keep 30
    """
    places = open_places()
    place, at, who = _book_place(places), now(), user_name()
    target = folder / copies.name_at(at)
    with findings_shown(), progress_bar("Backing up") as progress, _store_there(places) as store:
        with closing(open_book(place)) as book:
            trial = copies.back_up(book, store, target, Actor(who, moment(at)), progress)
        removed = copies.remove_older(folder, keep)
        if store is not None:
            with store.writing() as connection:
                copies.note_backup(connection, who, at, target.name)
    content = {"backup": str(target), "removed": removed, **trial._asdict()}
    older = f" {counted(len(removed), 'older backup')} removed." if removed else ""
    show("web-backup", content, f"Backed up to {target}: {_words(trial)}{older}")


@command("restore", yes_option, json_option)
@click.argument("source", type=PATH, metavar="BACKUP")
def restore_command(source: Path, *, yes: bool) -> None:
    """Replace the book and its accounts with a backup, even while they are being served.

    BACKUP is one backup, or a folder; then its newest backup is used. The book is first copied and verified
    as a whole. Everyone must sign in again; the log keeps what it has. Accounts and tokens that were
    disabled, revoked or changed since then go back to what they were.

    Examples:
      ratebook web --book league.book restore /var/backups/ratebook/2026-11-24T02-41-09Z
    """
    places = open_places()
    place = _book_place(places)
    with findings_shown():
        backup = copies.backup_at(source)
        if not yes and (is_url(place) or Path(place).exists()):
            confirm(f"Replace {shown_place(place)} and its accounts with {backup}?", shown_place(place))
        actor = Actor(user_name(), moment(now()))
        with (
            progress_bar("Verifying the backup") as progress,
            closing(open_store(place_of_store(places))) as store,
        ):
            restored = copies.restore_all(backup, place, store, actor, progress)
            with store.writing() as connection:
                note(
                    connection, LogKind.ACCOUNTS_RESTORED, actor.name, now(), details=f"backup {backup.name}"
                )
    content = {"backup": str(backup), "sections": restored.sections, "rows": restored.rows}
    words = (
        f"{counted(restored.sections, 'section')} and {counted(restored.rows, 'ledger row')} computed again"
    )
    show("web-restore", content, f"Restored {backup}: {words}, nothing differs.", findings=restored.findings)


@command("drill", json_option)
@folder_argument
@default_option(
    "--days N", "Fail if the newest backup is older than so many days.", WholeRange(min=1), default=2
)
@option("--scratch FOLDER", "Restore into a folder of this one (default: FOLDER).", PATH)
def drill_command(folder: Path, days: int, scratch: Path | None) -> None:
    """Restore the newest backup of FOLDER to a scratch place, and prove that it is whole.

    The whole ledger is computed again, and the key must open the second factors of all accounts. The book in
    use is not touched; its log records how the drill ended. The exit status is 1 if anything is wrong.

    Examples:
      ratebook web --book league.book drill /var/backups/ratebook
    """
    places = open_places()
    at, who = now(), user_name()
    with findings_shown(), _store_there(places) as store:
        failure: BookError | None = None
        backup = folder
        try:
            backup = copies.backup_at(folder)
            made = copies.moment_of(backup)
            if made is not None and (age := (at - made).days) > days:
                raise refused("backup-old", Place(file=str(folder)), name=backup.name, days=age)
            with progress_bar("Restoring") as progress:
                trial = copies.try_restoring(
                    backup,
                    Actor(who, moment(at)),
                    progress,
                    vault=vault_of(places),
                    scratch=scratch or folder,
                )
        except BookError as wrong:
            failure = wrong
        if store is not None:
            with store.writing() as connection:
                copies.note_drill(connection, who, at, backup.name, failure)
        if failure is not None:
            raise failure
    content = {"backup": str(backup), **trial._asdict()}
    show("web-drill", content, f"Restored {backup} to a scratch place: {_words(trial)}")
