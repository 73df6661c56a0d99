"""Acknowledging findings: a warning that was looked at and is right becomes a note."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ratebook.findings import Finding, Severity, error, note

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


def acknowledged(findings: Iterable[Finding], codes: Collection[str]) -> tuple[str, ...]:
    """Return those of *codes* that acknowledge a warning among *findings*, in the order of the alphabet.

    >>> from ratebook.findings import note, warning
    >>> found = [
    ...     warning("report-late", "report", "It is late.", "Ask."),
    ...     note("rare", "report", "Rare.", "-"),
    ... ]
    >>> acknowledged(found, ["report-late", "rare", "report-late"])
    ('report-late',)
    """
    warnings = {finding.code for finding in findings if finding.severity is Severity.WARNING}
    return tuple(sorted(warnings.intersection(codes)))


def accept(findings: Iterable[Finding], codes: Collection[str]) -> tuple[Finding, ...]:
    """Return *findings* with the warnings of these *codes* turned into notes that say so.

    An error cannot be accepted: it stays, and a further error names the code. A code that no finding has gives a note.

    >>> from ratebook.findings import warning
    >>> gap = warning(
    ...     "seats-with-gaps", "section 1, seats", "Nobody has the pairing number 3.", "Add the entry."
    ... )
    >>> accept([gap], ["seats-with-gaps"])[0].message
    'Accepted: Nobody has the pairing number 3.'
    """
    accepted: list[Finding] = []
    severities: dict[str, set[Severity]] = {}
    for finding in findings:
        severities.setdefault(finding.code, set()).add(finding.severity)
        if finding.severity is Severity.WARNING and finding.code in codes:
            accepted.append(finding._replace(severity=Severity.NOTE, message=f"Accepted: {finding.message}"))
        else:
            accepted.append(finding)
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
