"""The page of all findings."""

from __future__ import annotations

import tomllib

from scripts.pages.findings_in_source import SEVERITIES, findings_in_source
from scripts.pages.places import DOCS, MADE_BY


def read_findings() -> dict[str, str]:
    """Return the explanation of each code from ``docs/findings.toml``."""
    entries: dict[str, str] = tomllib.loads((DOCS / "findings.toml").read_text(encoding="utf-8"))
    return entries


def findings_page() -> str:
    """Return the page of all findings."""
    explained = read_findings()
    lines = [
        "# Findings",
        "",
        f"{MADE_BY} from the source and `docs/findings.toml`; change those, not this page.",
        "",
        "A finding has a code, a severity, a place (file, section, seat, round or field), a message and a remedy.",
        "While an **error** stands nothing is rated and the exit status is 1.",
        "A **warning** is probably a mistake, a **note** names an assumption; neither stops the rating.",
        "… stands for what the case fills in.",
        "What a whole report is checked for, and why, is on the page of [checks](checks.md).",
    ]
    for code, finding in findings_in_source().items():
        severity = " or ".join(one for one in SEVERITIES if one in finding.severities)
        lines += ["", f"## `{code}`", "", f"{severity}: {explained.get(code, '(not explained)')}"]
        if finding.messages:
            lines += ["", *(f"* {message}" for message in sorted(finding.messages))]
    return "\n".join(lines) + "\n"
