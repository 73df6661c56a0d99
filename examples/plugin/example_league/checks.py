"""What the league asks of a report beside the checks of ratebook."""

from collections.abc import Iterator

from ratebook.checks import Submission
from ratebook.findings import Finding, Place, finding

LEAST_ROUNDS = 3


def check_rounds(submission: Submission) -> Iterator[Finding]:
    """Report sections of fewer rounds than the league rates."""
    for section in submission.report.sections:
        rounds = max((len(entry.rounds) for entry in section.entries), default=0)
        if rounds < LEAST_ROUNDS:
            yield finding("league-rounds", Place(section=section.number), rounds=rounds, least=LEAST_ROUNDS)
