"""Whether all is well with the book: how large it is, when it was copied and verified last, and what its jobs do."""

from datetime import date
from typing import NamedTuple

from ratebook import __version__
from ratebook.book.audit import RecordFilter
from ratebook.book.audit import newest_entries as newest_audited
from ratebook.book.chain.verifications import EVERYTHING, last_verification
from ratebook.book.figures.size import BookSize, size_of
from ratebook.web.forms.context import RequestContext
from ratebook.web.jobs.kinds import result_of
from ratebook.web.jobs.registry import KINDS, VERIFY, VerifiedBook
from ratebook.web.layout.words import day_words
from ratebook.web.office.verify import last_verified
from ratebook.web.store.jobs import JobState, newest_jobs
from ratebook.web.store.log import LogKind, last_of

LOOKED_BACK = 20
OLD = 7
"""Days after which a backup, and a verification, should be made again."""
THOUSAND = 1000


class Moment(NamedTuple):
    """When something was done last; *days* ago."""

    day: str
    days: int

    @property
    def is_old(self) -> bool:
        """Whether it should be done again."""
        return self.days > OLD

    @property
    def words(self) -> str:
        """Return how long ago it was."""
        return {0: "today", 1: "yesterday"}.get(self.days, f"{self.days} days ago")


class Health(NamedTuple):
    """What an administrator looks at first.

    Attributes:
        program: its version.
        backup, verified: when the book was copied and verified last; None: not in the browser.
        errors: what verifying found.
        under_way: titles of the jobs that run or wait.
        failed: the title of the newest job, if it failed.
    """

    program: str
    size: BookSize
    backup: Moment | None
    verified: Moment | None
    errors: int
    under_way: tuple[str, ...]
    failed: str

    @property
    def stored(self) -> str:
        """Return the size of the store."""
        return size_words(self.size.stored_bytes)


def health_of(context: RequestContext) -> Health:
    """Return how the book is."""
    today = context.gate.now().date()
    with context.site.reading() as reader:
        size = size_of(reader.connection)
        audited = newest_audited(reader.connection, 1, RecordFilter(kinds=("backup-book",)))
        whole = last_verification(reader.connection, EVERYTHING)
    with context.gate.store.reading() as connection:
        copied = [entry.at for entry in audited] + [last_of(connection, LogKind.COPY_TAKEN, "backup") or ""]
        clean = max(last_of(connection, LogKind.BOOK_VERIFIED) or "", whole.at if whole else "")
        jobs = newest_jobs(connection, LOOKED_BACK)
    job = last_verified(context.gate)
    verified = result_of(job, VERIFY, VerifiedBook)
    by_job = (job and verified and job.ended_at) or ""
    return Health(
        program=__version__,
        size=size,
        backup=_moment(max(copied), today),
        verified=_moment(max(by_job, clean), today),
        errors=0
        if verified is None or clean > by_job
        else sum(each.severity == "error" for each in verified.verified.findings),
        under_way=tuple(KINDS[each.kind].title for each in jobs if each.is_under_way),
        failed=KINDS[jobs[0].kind].title if jobs and jobs[0].state is JobState.FAILED else "",
    )


def size_words(count: int) -> str:
    """Return a number of bytes as people say it.

    >>> size_words(900), size_words(81_920), size_words(3_400_000), size_words(12_345_678_901)
    ('900 bytes', '82 KB', '3.4 MB', '12 GB')
    """
    size, units = float(count), iter(("bytes", "KB", "MB", "GB", "TB"))
    unit = next(units)
    while size >= THOUSAND:
        size, unit = size / THOUSAND, next(units)
    return f"{size:.0f} {unit}" if unit in {"bytes", "KB"} or size >= 10 else f"{size:.1f} {unit}"  # noqa: PLR2004 - two digits are enough


def _moment(at: str, today: date) -> Moment | None:
    if not at:
        return None
    return Moment(day_words(at), (today - date.fromisoformat(at[:10])).days)
