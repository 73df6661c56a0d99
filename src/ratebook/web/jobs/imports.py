"""Jobs that import large files: what one would change, and the import."""

from ratebook.book.failures import refused
from ratebook.web.imports.kept import TriedImport, WaitingImport, kept_import, run_import, try_import
from ratebook.web.jobs.kinds import Work

KIND, NAME, OWNER = "kind", "name", "owner"


def try_kept(work: Work) -> TriedImport:
    """Return what an import would change."""
    return try_import(_kept(work), work.site, work.actor, work.progress)


def import_kept(work: Work) -> TriedImport:
    """Import a file, if the book is as it was when that was tried."""
    book = work.site.book.sibling(expecting=work.revision)
    done = run_import(_kept(work), book, work.site, work.actor, work.progress)
    return TriedImport(work.revision, done)


def _kept(work: Work) -> WaitingImport:
    gate = work.site.gate
    assert gate is not None, "it runs jobs"  # noqa: S101 - tells the type checker
    found = kept_import(gate, int(work.arguments[OWNER]), work.arguments[KIND], work.arguments[NAME])
    if found is None:
        raise refused("import-forgotten", f"import of {work.arguments[KIND]}")
    return found
