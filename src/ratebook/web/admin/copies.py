"""Backups and exports of the book, to be kept elsewhere: they hold everything, birth dates too."""

import shutil
import tempfile
from pathlib import Path

from litestar import Response
from litestar.background_tasks import BackgroundTask
from litestar.response import File

from ratebook.office.copies.backup import backup
from ratebook.office.copies.export import export_book
from ratebook.web.admin.keeping import AnyRequest
from ratebook.web.admin.links import COPIES
from ratebook.web.gate.gate import TheGate
from ratebook.web.gate.visitors import TheVisitor, address_of
from ratebook.web.rooms import room_page
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.site import TheSite
from ratebook.web.store.log import LogKind, note


@shown_to(Needs.ADMINISTRATOR, COPIES, again=True)
def copies_page(site: TheSite, visitor: TheVisitor) -> Response[bytes]:
    """Offer a backup and an export."""
    return room_page(site, visitor, "admin/copies.html", on_server=site.book.on_server)


@done_by(Needs.ADMINISTRATOR, f"{COPIES}/backup", again=True)
def download_backup(request: AnyRequest, site: TheSite, gate: TheGate, visitor: TheVisitor) -> File:
    """Return a copy of the book: its file, or a zip archive of portable files where it is on a server."""
    place = Path(tempfile.mkdtemp(prefix="ratebook-copy-"))
    name = f"{site.today():%Y-%m-%d}"
    target = place / f"{name}.book"
    backup(site.book, str(target), visitor.acting(gate))
    return _sent(request, gate, visitor, place, target, "backup")


@done_by(Needs.ADMINISTRATOR, f"{COPIES}/export", again=True)
def download_export(request: AnyRequest, site: TheSite, gate: TheGate, visitor: TheVisitor) -> File:
    """Return the book as portable files in a zip archive."""
    place = Path(tempfile.mkdtemp(prefix="ratebook-copy-"))
    target = place / f"{site.today():%Y-%m-%d}"
    export_book(site.book, str(target))
    return _sent(request, gate, visitor, place, target, "export")


def _sent(
    request: AnyRequest, gate: TheGate, visitor: TheVisitor, place: Path, target: Path, what: str
) -> File:
    """Return a file, or a folder as a zip archive, and remove it when it was sent."""
    if target.is_dir():
        target = Path(shutil.make_archive(str(target), "zip", place, target.name))
    with gate.store.writing() as connection:
        note(connection, LogKind.COPY_TAKEN, visitor.account.name, gate.now(), address_of(request), what)
    return File(
        target,
        filename=target.name,
        media_type="application/octet-stream",
        background=BackgroundTask(shutil.rmtree, place, ignore_errors=True),
    )
