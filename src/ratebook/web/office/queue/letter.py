"""What the office writes to who sent a report: what holds it back, in the sender's words."""

from collections.abc import Callable, Iterable

from ratebook.findings import Place
from ratebook.pages.submission import FoldedFinding, SubmissionPage, remedy_once_sent
from ratebook.web.layout.words import day_words, in_running_text, in_title_case

MOST_PLACES = 12


def letter(submission: SubmissionPage, place_words: Callable[[Place], str]) -> str:
    """Return the text of a letter about a report that is held back; *place_words* names the seats of players."""
    line = submission.line
    name = in_title_case(line.event_name) or line.source
    paragraphs = [
        f"About your report “{name}” (number {line.number}, received on {day_words(line.received)}):",
        "We cannot rate it yet. This is what we need to know or to have corrected:",
        *_points((held for held in submission.findings if held.holds), place_words),
        "Please answer this letter, or send a corrected report. Thank you.",
    ]
    return "\n\n".join(paragraphs)


def _points(findings: Iterable[FoldedFinding], place_words: Callable[[Place], str]) -> list[str]:
    points = []
    for number, (finding, places, _) in enumerate(findings, start=1):
        where = "; ".join(place_words(place) for place in places[:MOST_PLACES])
        more = f"; and {len(places) - MOST_PLACES} more" if len(places) > MOST_PLACES else ""
        texts = in_running_text(finding.message), in_running_text(remedy_once_sent(finding))
        points.append(f"{number}. {where}{more}: " + "\n   ".join(texts))
    return points
