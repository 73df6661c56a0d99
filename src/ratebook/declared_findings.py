"""What ``findings.toml`` declares of each code: when it comes, and its texts with examples."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ratebook.findings import FindingText, Severity, filled, stored_findings, texts


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
    return {
        code: DeclaredCode(
            explanation,
            {
                name.partition(".")[2]: Declared(texts()[name], {**samples(), **own}, own)
                for name, (_, own) in cases.items()
            },
        )
        for code, (explanation, cases) in stored_findings()["codes"].items()
    }


def explanation_of(code: str) -> str:
    """Return when a finding comes, empty where it is another package's.

    >>> explanation_of("excel-unreadable"), explanation_of("league-rounds")
    ('A workbook is broken.', '')
    """
    explanation: str = stored_findings()["codes"].get(code, ("",))[0]
    return explanation


def samples() -> Mapping[str, Any]:
    """Return the values from which examples are made, by the names of their places."""
    content: Mapping[str, Any] = stored_findings()["samples"]
    return content
