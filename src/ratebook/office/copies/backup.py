"""Backups of a book while it is worked with, and their restoration: beside the old book, checked, then switched.

A book in a file is copied into a file by SQLite itself; a book on a server is written as portable files
(``export.py``), since the server's own tools need not be at hand. A switch is one transaction of the store: if it is
killed at any point the old book is left, other programs see the old book or the new one, and those that have the book
open need not open it again.
"""

import os
from contextlib import closing
from pathlib import Path

from ratebook.book.audit import BOOK, note_audit
from ratebook.book.connection import WAIT_SECONDS, Actor, Book, file_of, open_book
from ratebook.book.copies.file import copy_book, copy_file, failures_of_file, revision_of_file, switch_file
from ratebook.book.copies.stage import staged
from ratebook.book.copies.tables import note_restored
from ratebook.book.failures import refused
from ratebook.findings import Place, Severity
from ratebook.office import Progress, no_progress
from ratebook.office.copies.export import export_book, import_book
from ratebook.office.creation import upgrade_book
from ratebook.office.rating.verify import Verified, verify
from ratebook.private_files import give_rights_of
from ratebook.unfinished_files import unfinished_file

RESTORING = ".restoring"
"""Ends the name of the file in which a backup is checked."""


def backup(book: Book, target: str, actor: Actor, progress: Progress = no_progress) -> None:
    """Copy one state of the book while others read and write.

    The copy of a file, which may be of any version, is a file whose audit log says who made it; the copy of a server's
    database is a folder of portable files, and the book's own audit log says so: in a file that would have to wait for
    other writers.

    Raises:
        BookError: there is something at *target* already, it cannot be written, or the book is damaged.
    """
    if os.path.lexists(target):
        raise refused("backup-target-exists", Place(file=target))
    if not book.on_server:
        copy_book(book, target, actor, progress)
        return
    export_book(book, target, progress)
    with book.logging() as connection:
        note_audit(connection, actor, "backup-book", BOOK, Path(target).name)


def restore(
    source: str,
    place: str,
    actor: Actor,
    progress: Progress = no_progress,
    *,
    wait_seconds: float = WAIT_SECONDS,
) -> Verified:
    """Restore a backup: it replaces a book, or becomes one where there is none.

    It is made beside the old book, upgraded where it is older, and computed again as a whole; only where that finds no
    error it takes the place of the old book, whose state is then gone.

    *source* is a file or folder that `backup` or `export_book` has made; a file is restored into files only. A new
    file has the rights of its backup. Other writers, and on a server readers, have *wait_seconds* to finish.

    Raises:
        BookError: there is no such backup, it is damaged or not clean, or the store fails; the old book stays.
    """
    if not Path(source).exists():
        raise refused("backup-missing.path", Place(file=source))
    path = file_of(place)
    with failures_of_file(source, place):
        if path is not None:
            return _restore_file(source, path, actor, progress, wait_seconds)
        return _restore_on_server(source, place, actor, progress, wait_seconds)


def _restore_file(source: str, path: str, actor: Actor, progress: Progress, wait_seconds: float) -> Verified:
    with unfinished_file(path, RESTORING) as unfinished:
        beside = str(unfinished)
        if Path(source).is_dir():
            import_book(source, beside)
        else:
            copy_file(source, beside, wait_seconds)
        upgrade_book(beside, actor, shown=source)
        with closing(open_book(beside)) as book:
            restored = _checked(book, source, progress)
            with book.writing() as connection:
                note_restored(connection, revision_of_file(path, wait_seconds), Path(source).name, actor)
        give_rights_of(path if Path(path).exists() else source, beside)
        switch_file(beside, path, wait_seconds)
    return restored


def _restore_on_server(
    source: str, place: str, actor: Actor, progress: Progress, wait_seconds: float
) -> Verified:
    if not Path(source).is_dir():
        raise refused("backup-not-portable", Place(file=source))
    with staged(place, wait_seconds) as stage:
        import_book(source, stage.place, shown=place)
        with closing(open_book(stage.place)) as book:
            restored = _checked(book, source, progress)
        stage.switch(Path(source).name, actor)
    return restored


def _checked(book: Book, source: str, progress: Progress) -> Verified:
    """Compute the ledger of a staged book again, and refuse it unless it is clean."""
    verified = verify(book, progress)
    for finding in verified.findings:
        if finding.severity is Severity.ERROR:
            raise refused(
                "backup-not-clean", Place(file=source), place=finding.where, message=finding.message
            )
    return verified
