"""Everything that a server keeps, backed up together, restored together, and tried as a drill.

A backup is a folder with the book and, beside it, the web store. The store is copied first: what it says of reports of
the book is then there in the copy of the book.
"""

import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from ratebook.book.connection import Actor, Book, Connection
from ratebook.book.copies.file import copy_file, failures_of_file
from ratebook.book.failures import BookError, failure_of_file, refused, unwritable
from ratebook.findings import Place
from ratebook.office import Progress, no_progress
from ratebook.office.copies.backup import backup, restore
from ratebook.office.rating.verify import Verified
from ratebook.private_files import make_private_folder
from ratebook.unfinished_files import PARTIAL, make_durable, unfinished_folder
from ratebook.web.gate.vault import Vault
from ratebook.web.store.accounts import all_accounts
from ratebook.web.store.copies import copy_store, restore_store
from ratebook.web.store.log import LogKind, last_of, note
from ratebook.web.store.opening import ENDING, Store, open_store

BOOK = "federation.book"
STORE = BOOK + ENDING
WAIT_SECONDS = 30.0
_NAME = re.compile(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ")
_MOMENT = "%Y-%m-%dT%H-%M-%SZ"


class Tried(NamedTuple):
    """What was restored to a scratch place: sections and ledger rows that were computed again, and accounts."""

    sections: int
    rows: int
    accounts: int


def name_at(moment: datetime) -> str:
    """Return the name of a backup, so that names in order are backups in order."""
    return moment.strftime(_MOMENT)


def moment_of(backup: Path) -> datetime | None:
    """Return when a backup was made, in UTC; None where its name is not one that `name_at` gives."""
    return datetime.strptime(f"{backup.name}+0000", f"{_MOMENT}%z") if _NAME.fullmatch(backup.name) else None


def back_up(
    book: Book, store: Store | None, target: Path, actor: Actor, progress: Progress = no_progress
) -> Tried:
    """Copy book and store into the new folder *target* while they are in use, and prove that they can be restored.

    Raises:
        BookError: there is something at *target* already, it cannot be written, or the copy is not clean.
    """
    if target.exists():
        raise refused("backup-target-exists", Place(file=str(target)))
    try:
        if not target.parent.exists():
            make_private_folder(target.parent)
        with unfinished_folder(target, PARTIAL) as partial:
            if store is not None:
                copy_store(store, str(partial / STORE))
            backup(book, str(partial / BOOK), actor)
            trial = try_restoring(partial, actor, progress, scratch=target.parent)
            partial.rename(target)
            make_durable(target.parent)
    except OSError as failure:
        raise unwritable(failure, str(target)) from failure
    return trial


def backups_in(folder: Path) -> list[Path]:
    """Return the backups in a folder, the newest first.

    Raises:
        BookError: it cannot be read.
    """
    try:
        return sorted((path for path in folder.iterdir() if moment_of(path)), reverse=True)
    except OSError as failure:
        raise failure_of_file(failure, str(folder)) from failure


def backup_at(place: Path) -> Path:
    """Return the backup that is at a place, or the newest of those in it.

    Raises:
        BookError: there is none.
    """
    if (place / BOOK).exists():
        return place
    if not place.exists():
        raise refused("backup-missing.path", Place(file=str(place)))
    newest = next((path for path in backups_in(place) if (path / BOOK).exists()), None)
    if newest is None:
        raise refused("backup-missing.none", Place(file=str(place)))
    return newest


def remove_older(folder: Path, keep: int) -> list[str]:
    """Remove all but the newest backups in a folder, and return their names.

    Raises:
        BookError: one cannot be removed.
    """
    older = backups_in(folder)[keep:]
    for path in older:
        try:
            shutil.rmtree(path)
        except OSError as failure:
            raise failure_of_file(failure, str(path)) from failure
    return [path.name for path in older]


def try_restoring(
    source: Path, actor: Actor, progress: Progress = no_progress, *, scratch: Path, vault: Vault | None = None
) -> Tried:
    """Restore a backup into a folder of *scratch*, which is removed; with a *vault*, its key must open all accounts.

    Raises:
        BookError: something of it is damaged, or computed otherwise; or the key is another; or there is no room.
    """
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(unfinished_folder(scratch / "drill", PARTIAL))
        except OSError as failure:
            raise unwritable(failure, str(scratch)) from failure
        place = str(folder / BOOK)
        verified = restore(str(source / BOOK), place, actor, progress)
        accounts = 0
        if (source / STORE).exists():
            with closing(open_store(place + ENDING)) as store:
                restore_accounts(source, store)
                with store.reading() as connection:
                    restored = all_accounts(connection)
            accounts = len(restored)
            if vault is not None and any(account.secret for account in restored):
                vault.require(restored)
    return Tried(verified.sections, verified.rows, accounts)


def restore_accounts(source: Path, store: Store) -> bool:
    """Restore the web store of a backup, also while it is in use; return whether the backup has one.

    Raises:
        BookError: it is damaged, or a store fails.
    """
    if not (source / STORE).exists():
        return False
    with _opened_copy(source / STORE) as copy:
        restore_store(copy, store)
    return True


def restore_all(
    source: Path, place: str, store: Store | None, actor: Actor, progress: Progress = no_progress
) -> Verified:
    """Restore book and web store of a backup, also while they are served.

    Raises:
        BookError: something of it is damaged or not clean, or a store fails.
    """
    verified = restore(str(source / BOOK), place, actor, progress)
    if store is not None:
        restore_accounts(source, store)
    return verified


@contextmanager
def _opened_copy(path: Path) -> Iterator[Store]:
    """Open the web store of a backup, which stays as it is: what is opened is a copy, upgraded where it is older."""
    with TemporaryDirectory(prefix="ratebook-accounts-") as folder:
        beside = str(Path(folder) / STORE)
        with failures_of_file(str(path), beside):
            copy_file(str(path), beside, WAIT_SECONDS)
        with closing(open_store(beside)) as copy:
            yield copy


def note_backup(connection: Connection, who: str, at: datetime, name: str) -> None:
    """Note in the log of the web store that a backup was made, and that it was computed again."""
    note(connection, LogKind.COPY_TAKEN, who, at, details="backup")
    note(connection, LogKind.BOOK_VERIFIED, who, at, details=f"backup {name}")


def note_drill(connection: Connection, who: str, at: datetime, name: str, failure: BookError | None) -> None:
    """Note in the log of the web store how a drill ended."""
    if failure is None:
        note(connection, LogKind.BOOK_VERIFIED, who, at, details=f"backup {name}")
        note(connection, LogKind.DRILL_DONE, who, at, details=f"backup {name}")
    else:
        note(connection, LogKind.DRILL_FAILED, who, at, details=f"backup {name}: {failure.finding.code}")


LAST_BACKUP, LAST_VERIFIED, LAST_DRILL, LAST_FAILED = "backup", "verified", "drill", "failed_drill"


def kept_moments(connection: Connection) -> dict[str, str | None]:
    """Return when everything was backed up last, a copy verified, and a drill done; None: never."""
    return {
        LAST_BACKUP: last_of(connection, LogKind.COPY_TAKEN, "backup"),
        LAST_VERIFIED: last_of(connection, LogKind.BOOK_VERIFIED),
        LAST_DRILL: last_of(connection, LogKind.DRILL_DONE),
        LAST_FAILED: last_of(connection, LogKind.DRILL_FAILED),
    }
