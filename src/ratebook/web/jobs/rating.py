"""Jobs that compute the ledger again: what a re-rating would change, the re-rating, verifying."""

from typing import NamedTuple

from ratebook.book.profile import revision
from ratebook.office.rating.rerate import rerate
from ratebook.office.rating.verify import Verified, verify
from ratebook.office.trials.rerating import Rerated, rerated, try_rerating
from ratebook.web.jobs.kinds import Work


class VerifiedBook(NamedTuple):
    """What verifying a book found, which was at this *revision* or a later one."""

    revision: int
    verified: Verified


def preview_rerating(work: Work) -> Rerated:
    """Return what a re-rating would change."""
    return try_rerating(work.site.book, work.actor, work.site.today(), work.progress)


def rerate_as_seen(work: Work) -> Rerated:
    """Rate again what waits, if the book is as it was when that was decided."""
    book = work.site.book.sibling(expecting=work.revision)
    difference = rerate(book, work.actor, progress=work.progress)
    with work.site.book.reading() as connection:
        return rerated(connection, work.revision, difference)


def verify_book(work: Work) -> VerifiedBook:
    """Verify the book."""
    with work.site.book.reading() as connection:
        seen = revision(connection)
    return VerifiedBook(seen, verify(work.site.book, work.progress))
