"""Backups and exports of the book, to be kept elsewhere: they hold everything, birth dates too."""

import shutil
import tempfile
from pathlib import Path

from litestar import Response
from litestar.background_tasks import BackgroundTask
from litestar.response import File

from ratebook.office.copies.backup import backup
from ratebook.office.copies.export import export_book
from ratebook.web.admin.links import COPIES
from ratebook.web.forms.context import RequestContext, TheContext
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.store.log import LogKind


@shown_to(Needs.ADMINISTRATOR, COPIES, again=True)
def copies_page(context: TheContext) -> Response[bytes]:
    """Offer a backup and an export."""
    return context.page("admin/copies.html", on_server=context.site.book.on_server)


@done_by(Needs.ADMINISTRATOR, f"{COPIES}/backup", again=True)
def download_backup(context: TheContext) -> File:
    """Return a copy of the book: its file, or a zip archive of portable files where it is on a server."""
    place = Path(tempfile.mkdtemp(prefix="ratebook-copy-"))
    name = f"{context.site.today():%Y-%m-%d}"
    target = place / f"{name}.book"
    backup(context.site.book, str(target), context.because.actor)
    return _copied(context, place, target, "backup")


@done_by(Needs.ADMINISTRATOR, f"{COPIES}/export", again=True)
def download_export(context: TheContext) -> File:
    """Return the book as portable files in a zip archive."""
    place = Path(tempfile.mkdtemp(prefix="ratebook-copy-"))
    target = place / f"{context.site.today():%Y-%m-%d}"
    export_book(context.site.book, str(target))
    return _copied(context, place, target, "export")


def _copied(context: RequestContext, place: Path, target: Path, content: str) -> File:
    """Return a file, or a folder as a zip archive, and remove it when it was sent."""
    if target.is_dir():
        target = Path(shutil.make_archive(str(target), "zip", place, target.name))
    with context.gate.store.writing() as connection:
        context.note(connection, LogKind.COPY_TAKEN, content)
    return File(
        target,
        filename=target.name,
        media_type="application/octet-stream",
        background=BackgroundTask(shutil.rmtree, place, ignore_errors=True),
    )
