"""Findings as people read them: by severity, those of one kind together, with the names of the people."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, TypeAlias

from ratebook.findings import MOST_SAID, Finding, Place, Severity
from ratebook.formats.hints import is_seat_id
from ratebook.model import Report

LONGEST_PLACE = 120
"""In a longer place, people read fewer of several seats or players; JSON has the whole."""

FIRST_OF_A_KIND = 3
"""Of more findings of one code than one beyond these, the rest is counted."""

_ALIKE = ("rows", "seats", "players")
"""Parts of a place; findings that differ in one of them alone are one line."""

_NOT_SHOWN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Categories of characters: controls, formats (marks of direction), halves of pairs, separators."""

Label: TypeAlias = Callable[[Severity], str]
"""Makes the first word of a finding, such as ``error``."""


def finding_lines(
    findings: Iterable[Finding],
    label: Label,
    report: Report | None = None,
    *,
    folded: bool,
    is_note_shown: Callable[[Finding], bool] = lambda _note: True,
) -> Iterator[str]:
    """Yield the lines of *findings*, errors first, and how many there are where it is more than one.

    People have the names of *report*. If *folded*, findings that differ in their seats alone are one line, and of many
    only the first are shown; notes that are not shown are counted.
    """
    order = list(Severity)
    distinct = list(dict.fromkeys(findings))
    shown = [
        finding for finding in distinct if finding.severity is not Severity.NOTE or is_note_shown(finding)
    ]
    lines = list(together(shown)) if folded else shown
    # A kind comes where its first finding comes.
    first = {_kind(finding): at for at, finding in reversed(list(enumerate(lines)))}
    lines.sort(key=lambda finding: (order.index(finding.severity), first[_kind(finding)]))
    for _, of_kind in groupby(lines, key=_kind):
        yield from _lines_of_kind(list(of_kind), label, report, folded=folded)
    total = [f"{counts_text(shown)}."] if len(shown) > 1 else []
    if hidden := len(distinct) - len(shown):
        more = " more" if any(finding.severity is Severity.NOTE for finding in shown) else ""
        notes, them = ("notes", "them") if hidden > 1 else ("note", "it")
        total.append(f"{hidden:,}{more} {notes}: --notes shows {them}.")
    if total:
        yield " ".join(total)


def _lines_of_kind(
    kind: Sequence[Finding], label: Label, report: Report | None, *, folded: bool
) -> Iterator[str]:
    fold = folded and len(kind) > FIRST_OF_A_KIND + 1
    shown = kind[:FIRST_OF_A_KIND] if fold else kind
    for at, finding in enumerate(shown, start=1):
        sentence = f"{place_text(finding, report)}: {finding.message} [{finding.code}]"
        yield f"{label(finding.severity)}: {printable(sentence)}"
        if at == len(shown) or shown[at].remedy != finding.remedy:
            yield f"    {printable(finding.remedy)}"
    if fold:
        yield f"    And {len(kind) - len(shown):,} more of this kind; --all shows them."


def _kind(finding: Finding) -> tuple[str, Severity]:
    return finding.code, finding.severity


def together(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield findings, those that say the same of several seats, players or rows as one.

    >>> from ratebook.findings import Place, finding
    >>> alike = [finding("rating-line-missing", Place(section=1, seats=(seat,))) for seat in (3, 5)]
    >>> [one.where for one in together(alike)]
    ['section 1, seats 3, 5']
    """
    groups: dict[Finding, list[Finding]] = {}
    for finding in findings:
        part = _part_alike(finding)
        groups.setdefault(finding.at(**{part: ()}) if part else finding, []).append(finding)
    for group in groups.values():
        part = _part_alike(group[0])
        if not part or len(group) == 1:
            yield from group
        else:
            items = [item for finding in group for item in getattr(finding.place, part)]
            yield group[0].at(**{part: tuple(dict.fromkeys(items))})


def _part_alike(finding: Finding) -> str:
    known = [part for part in _ALIKE if getattr(finding.place, part)]
    return known[0] if len(known) == 1 else ""


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
    severities = Counter(problem.severity for problem in findings)
    numbers = [(severities[severity], severity) for severity in Severity]
    return ", ".join(f"{number:,} {word}{'s' * (number > 1)}" for number, word in numbers if number)


def place_text(finding: Finding, report: Report | None) -> str:
    """Return where a finding is, with the names of the people that the *report* has there, as many as fit."""
    place = at_seats(finding.place, report)
    sections = report.sections if report else ()
    section = next((each for each in sections if place.section in {None, each.number}), None)
    if place.section is None and len(sections) > 1:
        section = None
    sitting = {entry.seat: entry.player for entry in section.entries} if section else {}

    def name_of(part: str, value: Any) -> str:  # noqa: ANN401 - as in `Place`
        key = sitting.get(value) if part == "seats" else value if part == "players" else None
        player = report.players.get(key) if report and key is not None else None
        return player.name if player else ""

    for most in range(MOST_SAID, 0, -1):
        text = ", ".join(place.words(name_of, most))
        if len(text) <= LONGEST_PLACE:
            return text
    return f"{text[: LONGEST_PLACE - 1]}…"


def at_seats(place: Place, report: Report | None) -> Place:
    """Return the place of players without ids at their seats, which people know them by."""
    if report is None or not place.players or not all(map(is_seat_id, place.players)):
        return place
    seats = [
        (section.number, entry.seat)
        for section in report.sections
        for entry in section.entries
        if entry.player in place.players
    ]
    if len({number for number, _ in seats}) != 1:
        return place
    return place.but(players=(), section=seats[0][0], seats=tuple(seat for _, seat in seats))
