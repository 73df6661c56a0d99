"""Acknowledging findings: a warning that was looked at and is right becomes a note."""

from collections.abc import Collection, Iterable

from ratebook.findings import Finding, Place, Severity, finding


def acknowledged(findings: Iterable[Finding], codes: Collection[str]) -> tuple[str, ...]:
    """Return those of *codes* that acknowledge a warning among *findings*, in the order of the alphabet.

    >>> late, rare = Finding("match-not-coded", "", Place(section=1)), Finding("peak-missing", "", Place())
    >>> acknowledged([late, rare], ["match-not-coded", "peak-missing", "match-not-coded"])
    ('match-not-coded',)
    """
    warnings = {finding.code for finding in findings if finding.severity is Severity.WARNING}
    return tuple(sorted(warnings.intersection(codes)))


def accept(findings: Iterable[Finding], codes: Collection[str]) -> tuple[Finding, ...]:
    """Return *findings* with the warnings of these *codes* turned into notes that say so.

    An error cannot be accepted: it stays, and a further error names the code. A code that no finding has gives a note.

    >>> accept([finding("name-twice", Place(section=1, seats=(3,)), first=2)], ["name-twice"])[0].message
    'Accepted: The player has the same name as the player of seat 2, under another id.'
    """
    accepted: list[Finding] = []
    severities: dict[str, set[Severity]] = {}
    for reported in findings:
        severities.setdefault(reported.code, set()).add(reported.severity)
        if reported.severity is Severity.WARNING and reported.code in codes:
            accepted.append(reported._replace(accepted=True))
        else:
            accepted.append(reported)
    for code in sorted(set(codes)):
        of_code = severities.get(code, set())
        if Severity.ERROR in of_code:
            accepted.append(finding("not-acceptable", Place(code=code)))
        elif not of_code:
            accepted.append(finding("accepted-in-vain.no-finding", Place(code=code)))
    return tuple(accepted)
