"""The job that publishes an official list."""

from ratebook.book.failures import BookError
from ratebook.findings import has_errors
from ratebook.office.publish.lists import Publication, publish
from ratebook.web.jobs.kinds import Work

MONTH, ACCEPTED, SECOND = "month", "accepted", "second"
"""Names of its arguments: the month, codes of what was accepted, and who consented."""


def publish_as_seen(work: Work) -> Publication:
    """Publish a list, if the book is as it was when that was decided.

    Raises:
        BookError: it cannot be published.
    """
    said = work.arguments
    published = publish(
        work.site.book.sibling(expecting=work.revision),
        said[MONTH],
        work.site.today(),
        work.actor,
        accepted=said[ACCEPTED].split(),
        second=said.get(SECOND, ""),
    )
    if has_errors(published.findings):
        raise BookError(published.findings[0])
    return published
