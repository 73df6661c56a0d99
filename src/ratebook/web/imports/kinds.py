"""What can be imported in the browser, and what an import did, in words."""

from typing import NamedTuple

from ratebook.findings import Finding, has_errors
from ratebook.office.imports.actions import IMPORTS
from ratebook.office.imports.reports import ImportedReports
from ratebook.office.imports.table import Imported
from ratebook.pages.columns import counted

KINDS = {action.word: action for action in IMPORTS}


class Outcome(NamedTuple):
    """What an import did, or would do, in words.

    Attributes:
        changes: who of those that the book had is changed how.
        is_whole: whether nothing keeps it from being done.
    """

    words: tuple[str, ...]
    changes: tuple[str, ...]
    findings: tuple[Finding, ...]
    is_whole: bool


def outcome_of(done: Imported | ImportedReports) -> Outcome:
    """Return what an import did."""
    is_whole = not has_errors(done.findings)
    if isinstance(done, ImportedReports):
        counts = (
            f"{counted(done.ready, 'report')} ready, {done.held:,} held back, {done.already:,} already known"
        )
        return Outcome((f"{counted(done.files, 'file')}: {counts}.",), (), done.findings, is_whole)
    words = [f"{counted(done.rows, 'row')}: {done.counts.words}."]
    if any(done.balances):
        words.append(f"Opening balances: {done.balances.words}.")
    if done.marked:
        words.append(f"Rated sections of {counted(done.marked, 'member')} wait for a re-rating then.")
    return Outcome(tuple(words) if is_whole else (), done.changes, done.findings, is_whole)
