"""Findings as people read them: by severity, those of one kind together, with the names of the people."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import TypeAlias

from ratebook.findings import Finding, Severity
from ratebook.model import Report, Section

LONGEST_PLACE = 120
"""A place longer than this is cut for people, between two of those it names; JSON has the whole."""

FIRST_OF_A_KIND = 3
"""Of more findings of one code than one beyond these, the rest is counted."""

_SECTION = re.compile(r"\bsection ([0-9]{1,4})\b", re.ASCII)
_SEATS = re.compile(r"\bseats? ([0-9]{1,4}(?:, [0-9]{1,4})*)(?![0-9])", re.ASCII)
_PLAYERS = re.compile(r"(?<![^ ,])(players? )(.*)", re.DOTALL)

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
    found = list(dict.fromkeys(findings))
    # A kind comes where its first finding comes.
    first = {one[:2]: at for at, one in reversed(list(enumerate(found)))}
    found.sort(key=lambda one: (order.index(one.severity), first[one[:2]]))
    for _, of_kind in groupby(found, key=lambda one: one[:2]):
        kind = list(of_kind)
        fold = folded and len(kind) > FIRST_OF_A_KIND + 1
        shown = kind[:FIRST_OF_A_KIND] if fold else kind
        for at, one in enumerate(shown, start=1):
            place = one.where if report is None else place_with_names(one, report)
            yield f"{label(one)} {printable(f'{_cut(place)}: {one.message}')}"
            if at == len(shown) or shown[at].remedy != one.remedy:
                yield f"    {printable(one.remedy)}"
        if fold:
            yield f"    And {len(kind) - len(shown):,} more of this kind; --all shows them."
    if len(found) > 1:
        yield f"{counts_text(found)}."


def printable(text: str, kept: str = "") -> str:
    """Return *text* with escapes for what a terminal would obey or not show, but for the characters in *kept*.

    >>> printable("bell\\a, EXAMPLE")
    'bell\\\\x07, EXAMPLE'
    """
    if text.isprintable():
        return text
    import unicodedata  # noqa: PLC0415 - only for texts that are not plain

    return "".join(
        letter
        if letter in kept or unicodedata.category(letter) not in _NOT_SHOWN
        else letter.encode("unicode_escape").decode()
        for letter in text
    )


def counts_text(findings: Sequence[Finding]) -> str:
    """Return how many findings there are of each severity.

    >>> counts_text([Finding("a", Severity.ERROR, "", "", ""), Finding("b", Severity.NOTE, "", "", "")])
    '1 error, 1 note'
    """
    numbers = [(sum(one.severity is severity for one in findings), severity) for severity in Severity]
    return ", ".join(f"{number:,} {word}{'s' * (number > 1)}" for number, word in numbers if number)


def place_with_names(found: Finding, report: Report) -> str:
    """Return where a finding is, with the names of the people behind its seats and ids, as the *report* has them."""
    where = found.place
    section = _section_of(where, report)
    if section is not None:
        names = {str(entry.seat): report.players[entry.player].name for entry in section.entries
                 if entry.player in report.players}  # fmt: skip
        where = _SEATS.sub(lambda at: f"seat {_named(at[1], names)}", where)
    ids = {key: player.name for key, player in report.players.items()}
    where = _PLAYERS.sub(lambda at: f"{at[1]}{_named(at[2], ids)}", where)
    return ", ".join(filter(None, (found.file, where)))


def _section_of(where: str, report: Report) -> Section | None:
    """Return the section that *where* names, else the only one."""
    if found := _SECTION.search(where):
        return next((one for one in report.sections if one.number == int(found[1])), None)
    return report.sections[0] if len(report.sections) == 1 else None


def _named(text: str, names: dict[str, str]) -> str:
    """Return *text*, a list of seats or ids, with a name behind each that has one."""
    parts = text.split(", ")
    return ", ".join(f"{part} ({names[part]})" if names.get(part) else part for part in parts)


def _cut(place: str) -> str:
    """Return *place* as far as it is shown."""
    if len(place) <= LONGEST_PLACE:
        return place
    # Not within brackets, where names have commas of their own.
    ends = [
        at.start()
        for at in re.finditer(", ", place[:LONGEST_PLACE])
        if place.count("(", 0, at.start()) == place.count(")", 0, at.start())
    ]
    return f"{place[: ends[-1] if ends else LONGEST_PLACE - 1]}, …"
