"""The page of all findings, and the texts as the program reads them."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Any, NamedTuple

from scripts.pages.places import MADE_BY, SOURCE

from ratebook.findings import FindingText, Severity, filled

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SEVERITIES = tuple(severity.value for severity in Severity)


class Declared(NamedTuple):
    """One text of ``findings.toml``: what it says, and values for its places.

    Attributes:
        own: those of the values that a sample would say wrongly.
    """

    text: FindingText
    example: Mapping[str, Any]
    own: Mapping[str, Any]

    def filled_in(self, text: str) -> str:
        """Return the message or the remedy with the values of the example."""
        return filled(text, self.example)


class Code(NamedTuple):
    """What ``findings.toml`` declares of one code: when it comes, and its texts by case (empty where it has none)."""

    explanation: str
    cases: Mapping[str, Declared]

    @property
    def severity(self) -> str:
        """The severities of its texts, in words."""
        found = {declared.text.severity for declared in self.cases.values()}
        return " or ".join(one for one in SEVERITIES if one in found)


def declared_findings() -> dict[str, Code]:
    """Return what ``findings.toml`` declares, by code."""
    entries = tomllib.loads((SOURCE / "findings.toml").read_text(encoding="utf-8"))
    samples = entries.pop("samples")
    return {code: Code(entry["explanation"], dict(_cases(entry, samples))) for code, entry in entries.items()}


def samples() -> dict[str, Any]:
    """Return the values from which examples are made, by the names of their places."""
    content: dict[str, Any] = tomllib.loads((SOURCE / "findings.toml").read_text(encoding="utf-8"))["samples"]
    return content


def _cases(entry: Mapping[str, Any], samples: Mapping[str, Any]) -> Iterator[tuple[str, Declared]]:
    inner = {case: table for case, table in entry.items() if isinstance(table, dict) and case != "example"}
    tables: dict[str, Mapping[str, Any]] = {"": entry, **inner}
    for case, table in tables.items():
        if "message" in table:
            said = (
                table.get(field, entry.get(field, "") if field == "brief" else "")
                for field in FindingText._fields[1:]
            )
            text = FindingText(Severity(table["severity"]), *said)
            own = table.get("example", {})
            yield case, Declared(text, {**samples, **own}, own)


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
        for one in declared.cases.values():
            said = f"{one.filled_in(one.text.message)} {one.filled_in(one.text.remedy)}"
            lines.append(f"* {' '.join(said.split())}")
            if one.text.for_sender:
                lines.append(f"  A director in the browser reads: {one.filled_in(one.text.for_sender)}")
    return "\n".join(lines) + "\n"
