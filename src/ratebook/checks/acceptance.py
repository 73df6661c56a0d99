"""Acknowledging findings: a warning that was looked at and is right becomes a note."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ratebook.findings import Problem, Severity, error, note

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


def acknowledged(problems: Iterable[Problem], codes: Collection[str]) -> tuple[str, ...]:
    """Return those of *codes* that acknowledge a warning among *problems*, in the order of the alphabet.

    >>> from ratebook.findings import note, warning
    >>> found = [
    ...     warning("report-late", "report", "It is late.", "Ask."),
    ...     note("rare", "report", "Rare.", "-"),
    ... ]
    >>> acknowledged(found, ["report-late", "rare", "report-late"])
    ('report-late',)
    """
    warnings = {problem.code for problem in problems if problem.severity is Severity.WARNING}
    return tuple(sorted(warnings.intersection(codes)))


def accept(problems: Iterable[Problem], codes: Collection[str]) -> tuple[Problem, ...]:
    """Return *problems* with the warnings of these *codes* turned into notes that say so.

    An error cannot be accepted: it stays, and a further error names the code. A code that no finding has gives a note.

    >>> from ratebook.findings import warning
    >>> gap = warning(
    ...     "seats-with-gaps", "section 1, seats", "Nobody has the pairing number 3.", "Add the entry."
    ... )
    >>> accept([gap], ["seats-with-gaps"])[0].message
    'Accepted: Nobody has the pairing number 3.'
    """
    accepted: list[Problem] = []
    severities: dict[str, set[Severity]] = {}
    for problem in problems:
        severities.setdefault(problem.code, set()).add(problem.severity)
        if problem.severity is Severity.WARNING and problem.code in codes:
            accepted.append(problem._replace(severity=Severity.NOTE, message=f"Accepted: {problem.message}"))
        else:
            accepted.append(problem)
    for code in sorted(set(codes)):
        found = severities.get(code, set())
        if Severity.ERROR in found:
            accepted.append(
                error(
                    "not-acceptable",
                    f"accepted code {code}",
                    "An error cannot be accepted: nothing is rated while it stands.",
                    "Correct what the finding names; only warnings can be accepted.",
                )
            )
        elif not found:
            accepted.append(
                note(
                    "accepted-in-vain",
                    f"accepted code {code}",
                    "No finding has the code that was accepted.",
                    "Check the spelling, or accept it no longer.",
                )
            )
    return tuple(accepted)
