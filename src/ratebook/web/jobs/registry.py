"""The kinds of jobs, by the words under which the store keeps them (`ratebook.web.jobs.kinds` says how to add one)."""

from typing import NamedTuple

from ratebook.book.failures import BookError, refused
from ratebook.book.profile import revision
from ratebook.findings import Place, has_errors
from ratebook.office.decisions.revision import Reason
from ratebook.office.publish.actions import PUBLISH as PUBLISH_LIST
from ratebook.office.publish.lists import Publication
from ratebook.office.rating.rerate import KeptRerating, rerate
from ratebook.office.rating.verify import Verified, keep_verified, verify, verify_new
from ratebook.office.trials import Rerated, rerated, try_rerating
from ratebook.web.imports.kept import TriedImport, WaitingImport, kept_import, run_import, try_import
from ratebook.web.jobs.kinds import JobKind, Work
from ratebook.web.jobs.studies import run_study
from ratebook.web.store.jobs import JobState, answer_job, asked_jobs

KIND, NAME, OWNER = "kind", "name", "owner"
"""Arguments of an import."""
MONTH, ACCEPTED, SECOND = "month", "accepted", "second"
"""Arguments of publishing: the month, codes of what was accepted, and who consented."""
ONLY_NEW = "new"
"""Argument of verifying: not everything."""


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
    waiting = kept_import(gate, int(work.arguments[OWNER]), work.arguments[KIND], work.arguments[NAME])
    if waiting is None:
        raise refused("import-forgotten", Place(subject=f"import of {work.arguments[KIND]}"))
    return waiting


class VerifiedBook(NamedTuple):
    """What verifying a book found, which was at this *revision* or a later one."""

    revision: int
    verified: Verified


def preview_rerating(work: Work) -> Rerated:
    """Return what a re-rating would change, and keep it."""
    work.tried.keep(KeptRerating())
    return try_rerating(work.site.book, work.actor, work.site.today(), work.progress, work.tried.rerating)


def rerate_as_seen(work: Work) -> Rerated:
    """Rate again what waits, as it was seen, if the book is as it was when that was decided."""
    book = work.site.book.sibling(expecting=work.revision)
    difference = rerate(book, work.actor, progress=work.progress, preview=work.tried.rerating)
    work.tried.keep(None)
    with work.site.book.reading() as connection:
        return rerated(connection, work.revision, difference)


def verify_book(work: Work) -> VerifiedBook:
    """Verify the book, or only what is new, and note in it that nothing differs."""
    book = work.site.book
    with book.reading() as connection:
        seen = revision(connection)
    if work.arguments.get(ONLY_NEW):
        verified = verify_new(book, work.site.today(), work.progress)
    else:
        verified = verify(book, work.progress)
    unnoted = keep_verified(book, work.actor, verified)
    return VerifiedBook(seen, verified._replace(findings=(*verified.findings, *unnoted)))


def publish_as_seen(work: Work) -> Publication:
    """Publish a list, if the book is as it was when that was decided.

    Raises:
        BookError: it cannot be published.
    """
    arguments = work.arguments
    values = {"month": arguments[MONTH], "accept": arguments[ACCEPTED].split()}
    published = PUBLISH_LIST.done(
        work.site.book.sibling(expecting=work.revision),
        Reason(work.actor, ""),
        {**values, "second": arguments.get(SECOND, "")},
        work.site.today(),
    )
    if has_errors(published.findings):
        raise BookError(published.findings[0])
    assert work.site.gate is not None, "it runs jobs"  # noqa: S101 - tells the type checker
    with work.site.gate.store.writing() as connection:
        for job in asked_jobs(connection):
            if job.kind == PUBLISH and job.arguments[MONTH] == arguments[MONTH]:
                # Another request for the same list has nothing to wait for.
                answer_job(connection, job.number, JobState.DECLINED, job.arguments)
    return published


IMPORT_PREVIEW, IMPORT = "import-preview", "import"
RERATE_PREVIEW, RERATE, VERIFY = "rerate-preview", "rerate", "verify"
PUBLISH, STUDY = "publish", "study"

KINDS = {
    IMPORT_PREVIEW: JobKind("See what an import would change", try_kept, "/office/imports/jobs/{number}"),
    IMPORT: JobKind("Import", import_kept, "/office/imports/jobs/{number}", goes_on=True),
    RERATE_PREVIEW: JobKind("Preview the re-rating", preview_rerating, "/office/rerate/{number}"),
    RERATE: JobKind("Rate again", rerate_as_seen, "/office/rerate/{number}"),
    PUBLISH: JobKind("Publish an official list", publish_as_seen, "/office/lists/publications/{number}"),
    STUDY: JobKind("Run a study of a rule", run_study, "/office/studies/{number}"),
    VERIFY: JobKind("Verify the book", verify_book, "/office/verify?job={number}"),
}
