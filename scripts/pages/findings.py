"""The page of all findings, and the texts as the program reads them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from scripts.pages.places import MADE_BY

from ratebook.declared_findings import declared_findings

if TYPE_CHECKING:
    from ratebook.findings import FindingText


def texts_file() -> str:
    """Return ``findings.json``: every text by ``code`` or ``code.case``, one a line."""
    lines = [
        f"{json.dumps(f'{code}.{case}' if case else code)}: {json.dumps(_stored(one.text), ensure_ascii=False)}"
        for code, declared in declared_findings().items()
        for case, one in declared.cases.items()
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _stored(text: FindingText) -> tuple[str, ...]:
    last = max(at for at, words in enumerate(text) if words)
    return text[: last + 1]


def findings_page() -> str:
    """Return the page of all findings."""
    lines = [
        "# Findings",
        "",
        f"{MADE_BY} from `src/ratebook/findings.toml`; change that, not this page.",
        "",
        "A finding has a code, a severity, a place (file, section, seat, round or field), a message and a remedy.",
        "While there is an **error**, nothing is rated and the exit status is 1.",
        "A **warning** is probably a mistake, a **note** names an assumption; neither stops the rating.",
        "Names and numbers in the texts below are examples.",
        "What a whole report is checked for, and why, is on the page of [checks](checks.md).",
    ]
    for code, declared in declared_findings().items():
        lines += ["", f"## `{code}`", "", f"{declared.severity}: {declared.explanation}", ""]
        lines += declared.lines()
    return "\n".join(lines) + "\n"
