"""Previews that were computed: kept until the book changes, since each costs as much as rating the report."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import TypeAlias

from litestar.di import NamedDependency

from ratebook.book.chain.links import NO_LINK, Head, head_of
from ratebook.book.submissions import read_submission
from ratebook.office.queue.preview import Preview, preview
from ratebook.reports.load import LoadedReport
from ratebook.web.site import Reader, Site
from ratebook.web.store.accounts import Account
from ratebook.web.trial.kept import Trial, content_of
from ratebook.web.trial.sending import incoming

MOST_KEPT = 100_000
"""Seats, results and findings of all previews together."""

Key: TypeAlias = tuple[object, ...]


class Previews:
    """The previews that were looked at last, of one state of the book; bounded in what they hold.

    Every change of a book has a link in its chain, and so the last link tells its states apart.
    """

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._state = NO_LINK
        self._size = 0
        self._kept: OrderedDict[Key, tuple[Preview, int]] = OrderedDict()
        self._lock = Lock()

    def of(self, site: Site, reader: Reader, owner: Account, trial: Trial, loaded: LoadedReport) -> Preview:
        """Return the preview of a report that its owner tries, at the state of the book that is read.

        Raises:
            BookError: the store fails.
        """
        report = incoming(site, owner, trial, loaded)
        if trial.revises is not None and (row := read_submission(reader.connection, trial.revises)):
            report = report._replace(received=row.received)
        key = hashlib.sha256(content_of(trial)).digest(), report.received, owner.member_id, owner.affiliates

        def compute() -> Preview:
            return preview(reader.connection, report, revises=trial.revises)

        return self._kept_or(head_of(reader.connection), key, compute)

    def _kept_or(self, state: Head, key: Key, compute: Callable[[], Preview]) -> Preview:
        with self._lock:
            if state != self._state:
                # Of a member whose data are removed, no older preview is left.
                self._kept.clear()
                self._size, self._state = 0, state
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key][0]
        computed = compute()
        size = _size_of(computed)
        with self._lock:
            if state == self._state and key not in self._kept and size <= self._most:
                self._kept[key] = computed, size
                self._size += size
                while self._size > self._most:
                    self._size -= self._kept.popitem(last=False)[1][1]
        return computed


ThePreviews: TypeAlias = NamedDependency[Previews]
"""How a handler asks for them."""


def _size_of(preview: Preview) -> int:
    report = preview.examined.report
    reported = () if report is None else report.sections
    sections = (*reported, *(one.section for one in preview.sections))
    seats = [entry for one in sections for entry in one.entries]
    return 1 + len(preview.findings) + len(seats) + sum(len(entry.rounds) for entry in seats)
