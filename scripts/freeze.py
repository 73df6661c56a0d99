"""Keeps what a release promises to read for ever: `python -m scripts.freeze` writes tests/unit/releases/VERSION.zip.

It has a book with something of everything, a web store with an account of each role, the book as portable files,
the steps that make the tables of both, and the schemas of the formats and of the interface for programs. Once a version
is released, its file stays as it is.
"""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from contextlib import closing
from pathlib import Path

from scripts.pages.places import DOCS, ROOT

from ratebook import __version__
from ratebook.book.connection import open_book
from ratebook.book.profile import Profile
from ratebook.office.copies.export import export_book
from ratebook.office.creation import create_book
from support.book_rounds import ACTOR, work_a_round
from support.web.accounts import office_in

RELEASES = ROOT / "tests" / "unit" / "releases"
BOOK, STORE, EXPORT, SCHEMAS, STEPS = "league.book", "league.book.web", "export", "schemas", "steps"


def schemas() -> dict[str, Path]:
    """Return the schemas that the program keeps to, by name."""
    described = (*(DOCS / "formats").glob("*.schema.json"), ROOT / "tests" / "web" / "api" / "openapi.json")
    return {path.name: path for path in described}


def steps() -> dict[str, Path]:
    """Return what makes the tables, version by version, by name."""
    folders = (ROOT / "src" / "ratebook" / "book", ROOT / "src" / "ratebook" / "web" / "store")
    return {
        f"{folder.name}-{path.name}": path
        for folder in folders
        for path in (folder / "migrations" / "versions").glob("v*.*")
    }


def freeze(target: Path) -> None:
    """Write the archive of the version at hand."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        create_book(str(place / BOOK), Profile(), ACTOR).close()
        with closing(open_book(str(place / BOOK))) as book:
            work_a_round(book)
            export_book(book, str(place / EXPORT))
        office_in(place / STORE).gate.store.close()
        for part, files in ((SCHEMAS, schemas()), (STEPS, steps())):
            (place / part).mkdir()
            for name, path in files.items():
                shutil.copy(path, place / part / name)
        with zipfile.ZipFile(target, "w", zipfile.ZIP_LZMA) as archive:
            for path in sorted(place.rglob("*")):
                if path.is_file():
                    archive.write(path, path.relative_to(place))


if __name__ == "__main__":
    freeze(RELEASES / f"{__version__}.zip")
