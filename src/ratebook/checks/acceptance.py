"""Acknowledging findings: a warning that was looked at and is right becomes a note."""

from collections.abc import Collection, Iterable

from ratebook.findings import Finding, Severity, finding


def acknowledged(findings: Iterable[Finding], codes: Collection[str]) -> tuple[str, ...]:
    """Return those of *codes* that acknowledge a warning among *findings*, in the order of the alphabet.

    >>> late = Finding("report-late", Severity.WARNING, "report", "It is late.", "Ask.")
    >>> found = [late, late._replace(code="rare", severity=Severity.NOTE)]
    >>> acknowledged(found, ["report-late", "rare", "report-late"])
    ('report-late',)
    """
    warnings = {finding.code for finding in findings if finding.severity is Severity.WARNING}
    return tuple(sorted(warnings.intersection(codes)))


def accept(findings: Iterable[Finding], codes: Collection[str]) -> tuple[Finding, ...]:
    """Return *findings* with the warnings of these *codes* turned into notes that say so.

    An error cannot be accepted: it stays, and a further error names the code. A code that no finding has gives a note.

    >>> late = Finding("report-late", Severity.WARNING, "section 1", "The report is late.", "Ask the office.")
    >>> accept([late], ["report-late"])[0].message
    'Accepted: The report is late.'
    """
    accepted: list[Finding] = []
    severities: dict[str, set[Severity]] = {}
    for one in findings:
        severities.setdefault(one.code, set()).add(one.severity)
        if one.severity is Severity.WARNING and one.code in codes:
            accepted.append(one._replace(severity=Severity.NOTE, message=f"Accepted: {one.message}"))
        else:
            accepted.append(one)
    for code in sorted(set(codes)):
        found = severities.get(code, set())
        if Severity.ERROR in found:
            accepted.append(finding("not-acceptable", f"accepted code {code}"))
        elif not found:
            accepted.append(finding("accepted-in-vain.accept", f"accepted code {code}"))
    return tuple(accepted)
