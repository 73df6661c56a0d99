"""Studies of the office: a small one is computed in a process of its own, since the laboratory takes much memory."""

import gzip
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from ratebook.book.failures import BookError
from ratebook.findings import Finding
from ratebook.lab.studies.draft import RuleQuestion, draft
from ratebook.office import Progress
from ratebook.rules.rulebook import load_rulebook
from ratebook.web.jobs.kinds import Work

RULE, VALUES = "rule", "values"
"""Arguments of a study: what varies, and its values with commas, the baseline first."""


class StudyResult(NamedTuple):
    """What is kept of a study: what is said first, and the report, compressed."""

    sentences: tuple[str, ...]
    packed: bytes

    @property
    def page(self) -> str:
        """Return the report."""
        return gzip.decompress(self.packed).decode()


def run_study(work: Work) -> StudyResult:
    """Compute the study that was asked for.

    Raises:
        BookError: a value cannot rate the federation.
    """
    question = RuleQuestion(work.arguments[RULE], tuple(work.arguments[VALUES].split(",")))
    return compute_study(draft(question, load_rulebook(), None), work.progress)


def compute_study(text: str, progress: Progress) -> StudyResult:
    """Compute a study, given as its file has it.

    Raises:
        BookError: its rules cannot rate its federation.
    """
    with (
        tempfile.TemporaryDirectory() as place,
        ProcessPoolExecutor(1, mp_context=get_context("spawn")) as lab,
    ):
        folder = Path(place)
        cells = lab.submit(_begin, text, folder).result()
        for number in range(cells):
            progress(number, cells)
            if findings := lab.submit(_advance, folder).result():
                raise BookError(findings[0])
        progress(cells, cells)
        sentences, page = lab.submit(_conclude, folder).result()
    # Without a time, the same page gives the same bytes.
    return StudyResult(sentences, gzip.compress(page.encode(), mtime=0))


def _begin(text: str, folder: Path) -> int:
    from ratebook.lab.report import steps  # noqa: PLC0415 - in the other process alone

    return steps.begin(text, folder)


def _advance(folder: Path) -> tuple[Finding, ...]:
    from ratebook.lab.report import steps  # noqa: PLC0415 - as above

    return steps.advance(folder)


def _conclude(folder: Path) -> tuple[tuple[str, ...], str]:
    from ratebook.lab.report import steps  # noqa: PLC0415 - as above

    return steps.conclude(folder)
