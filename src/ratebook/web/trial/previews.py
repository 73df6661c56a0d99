"""Previews that were computed: kept until the book changes, since each costs as much as rating the report."""

import hashlib
from typing import TypeAlias

from litestar.di import NamedDependency

from ratebook.book.chain.links import head_of
from ratebook.book.submissions import read_submission
from ratebook.office.queue.preview import Preview, preview
from ratebook.reports.load import LoadedReport
from ratebook.web.recent import Recent
from ratebook.web.site import Reader, Site
from ratebook.web.store.accounts import Account
from ratebook.web.trial.kept import Trial, content_of
from ratebook.web.trial.sending import incoming

MOST_KEPT = 100_000
"""Seats, results and findings of all previews together."""


class Previews:
    """The previews that were looked at last, of one state of the book; bounded in what they hold.

    Every change of a book has a link in its chain, and so the last link tells its states apart.
    """

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._kept = Recent(most, _size_of)

    def of(self, site: Site, reader: Reader, owner: Account, trial: Trial, loaded: LoadedReport) -> Preview:
        """Return the preview of a report that its owner tries, at the state of the book that is read."""
        report = incoming(site, owner, trial, loaded)
        if trial.revises is not None and (row := read_submission(reader.connection, trial.revises)):
            report = report._replace(received=row.received)
        key = hashlib.sha256(content_of(trial)).digest(), report.received, owner.member_id, owner.affiliates

        # Of a member whose data are removed, no older preview is left.
        state = head_of(reader.connection)
        previewed = self._kept.find(state, key)
        if previewed is None:
            previewed = preview(reader.connection, report, revises=trial.revises)
            self._kept.keep(state, key, previewed)
        return previewed


ThePreviews: TypeAlias = NamedDependency[Previews]
"""How a handler asks for them."""


def _size_of(preview: Preview) -> int:
    report = preview.examined.report
    reported = () if report is None else report.sections
    sections = (*reported, *(one.section for one in preview.sections))
    seats = [entry for one in sections for entry in one.entries]
    return 1 + len(preview.findings) + len(seats) + sum(len(entry.rounds) for entry in seats)
