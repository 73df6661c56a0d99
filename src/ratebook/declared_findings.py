"""What ``findings.toml`` declares of each code: when it comes, and its texts with examples."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from ratebook.findings import FindingText, Severity, filled


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


class DeclaredCode(NamedTuple):
    """What ``findings.toml`` declares of one code: when it comes, and its texts by case (empty where it has none)."""

    explanation: str
    cases: Mapping[str, Declared]

    @property
    def severity(self) -> str:
        """The severities of its texts, in words."""
        severities = {declared.text.severity for declared in self.cases.values()}
        return " or ".join(severity for severity in Severity if severity in severities)

    def lines(self) -> Iterator[str]:
        """Yield each text with the values of its example, and what a director reads instead, where that differs."""
        for declared in self.cases.values():
            sentences = (
                f"{declared.filled_in(declared.text.message)} {declared.filled_in(declared.text.remedy)}"
            )
            yield f"* {' '.join(sentences.split())}"
            if declared.text.for_sender:
                yield f"  A director in the browser reads: {declared.filled_in(declared.text.for_sender)}"


def declared_findings() -> dict[str, DeclaredCode]:
    """Return what ``findings.toml`` declares, by code."""
    entries = dict(_tables())
    common = entries.pop("samples")
    return {
        code: DeclaredCode(entry["explanation"], dict(_cases(entry, common)))
        for code, entry in entries.items()
    }


def explanation_of(code: str) -> str:
    """Return when a finding comes, empty where it is another package's.

    >>> explanation_of("excel-unreadable"), explanation_of("league-rounds")
    ('A workbook is broken.', '')
    """
    explanation: str = _tables().get(code, {}).get("explanation", "")
    return explanation


def samples() -> Mapping[str, Any]:
    """Return the values from which examples are made, by the names of their places."""
    content: Mapping[str, Any] = _tables()["samples"]
    return content


@cache
def _tables() -> Mapping[str, Any]:
    return tomllib.loads(files("ratebook").joinpath("findings.toml").read_text("utf-8"))


def _cases(entry: Mapping[str, Any], common: Mapping[str, Any]) -> Iterator[tuple[str, Declared]]:
    inner = {case: table for case, table in entry.items() if isinstance(table, dict) and case != "example"}
    tables: dict[str, Mapping[str, Any]] = {"": entry, **inner}
    for case, table in tables.items():
        if "message" in table:
            texts = (
                table.get(field, entry.get(field, "") if field == "brief" else "")
                for field in FindingText._fields[1:]
            )
            text = FindingText(Severity(table["severity"]), *texts)
            own = table.get("example", {})
            yield case, Declared(text, {**common, **own}, own)
