"""Findings as people read them: by severity, those of one kind together, with the names of the people."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, groupby
from typing import Any, TypeAlias

from ratebook.findings import Finding, Severity
from ratebook.model import Report

LONGEST_PLACE = 120
"""A place longer than this is cut for people, between two of its parts; JSON has the whole."""

FIRST_OF_A_KIND = 3
"""Of more findings of one code than one beyond these, the rest is counted."""

_NOT_SHOWN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Categories of characters: controls, formats (marks of direction), halves of pairs, separators."""

Label: TypeAlias = Callable[[Finding], str]
"""Makes the first words of a finding, such as ``error[seat-twice]``."""


def finding_lines(
    findings: Iterable[Finding], label: Label, report: Report | None = None, *, folded: bool
) -> Iterator[str]:
    """Yield the lines of *findings*, errors first, and how many there are where it is more than one.

    Args:
        findings: what was found.
        label: see `Label`.
        report: the report with the names of the people.
        folded: whether of many findings of one code only the first are shown.
    """
    order = list(Severity)
    distinct = list(dict.fromkeys(findings))
    # A kind comes where its first finding comes.
    first = {_kind(finding): at for at, finding in reversed(list(enumerate(distinct)))}
    distinct.sort(key=lambda finding: (order.index(finding.severity), first[_kind(finding)]))
    for _, of_kind in groupby(distinct, key=_kind):
        kind = list(of_kind)
        fold = folded and len(kind) > FIRST_OF_A_KIND + 1
        shown = kind[:FIRST_OF_A_KIND] if fold else kind
        for at, finding in enumerate(shown, start=1):
            yield f"{label(finding)} {printable(f'{place_text(finding, report)}: {finding.message}')}"
            if at == len(shown) or shown[at].remedy != finding.remedy:
                yield f"    {printable(finding.remedy)}"
        if fold:
            yield f"    And {len(kind) - len(shown):,} more of this kind; --all shows them."
    if len(distinct) > 1:
        yield f"{counts_text(distinct)}."


def _kind(finding: Finding) -> tuple[str, Severity]:
    return finding.code, finding.severity


def printable(text: str, allowed: str = "") -> str:
    """Return *text* with escapes for what a terminal would obey or not show, but for the characters *allowed*.

    >>> printable("bell\\a, EXAMPLE")
    'bell\\\\x07, EXAMPLE'
    """
    if text.isprintable():
        return text
    import unicodedata  # noqa: PLC0415 - only for texts that are not plain

    return "".join(
        letter
        if letter in allowed or unicodedata.category(letter) not in _NOT_SHOWN
        else letter.encode("unicode_escape").decode()
        for letter in text
    )


def counts_text(findings: Sequence[Finding]) -> str:
    """Return how many findings there are of each severity.

    >>> from ratebook.findings import finding
    >>> counts_text(
    ...     [finding("player-twice", "player P1"), finding("peak-missing", "player P1", system="quick")]
    ... )
    '1 error, 1 note'
    """
    numbers = [(sum(problem.severity is severity for problem in findings), severity) for severity in Severity]
    return ", ".join(f"{number:,} {word}{'s' * (number > 1)}" for number, word in numbers if number)


def place_text(finding: Finding, report: Report | None) -> str:
    """Return where a finding is, cut if it is long, with the names of the people that the *report* has there."""
    place = finding.place
    sections = report.sections if report else ()
    section = next((each for each in sections if place.section in {None, each.number}), None)
    if place.section is None and len(sections) > 1:
        section = None
    sitting = {entry.seat: entry.player for entry in section.entries} if section else {}

    def name_of(part: str, value: Any) -> str:  # noqa: ANN401 - as in `Place`
        key = sitting.get(value) if part == "seats" else value if part == "players" else None
        player = report.players.get(key) if report and key is not None else None
        return player.name if player else ""

    words = place.words(name_of)
    ends = list(accumulate((len(word) + len(", ") for word in words), initial=0))[1:]
    fits = [word for word, end in zip(words, ends, strict=True) if end - len(", ") <= LONGEST_PLACE]
    if len(fits) == len(words):
        return ", ".join(words)
    return f"{', '.join(fits)}, …" if fits else f"{words[0][: LONGEST_PLACE - 1]}, …"
