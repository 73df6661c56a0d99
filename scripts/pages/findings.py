"""The page of all findings, and the texts as the program reads them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from scripts.pages.places import MADE_BY, ROOT

from ratebook.declared_findings import declared_findings
from ratebook.findings import FindingText


def texts_file() -> str:
    """Return ``findings.json``: the samples, and every code with its explanation, texts and examples, one a line."""
    declared = tomllib.loads((ROOT / "src" / "ratebook" / "findings.toml").read_text("utf-8"))
    samples = _json(declared.pop("samples"))
    codes = [
        f"{_json(code)}: {_json([entry['explanation'], dict(_cases(code, entry))])}"
        for code, entry in declared.items()
    ]
    return f'{{"samples": {samples},\n"codes": {{\n' + ",\n".join(codes) + "\n}}\n"


def _json(content: object) -> str:
    return json.dumps(content, ensure_ascii=False)


def _cases(code: str, entry: Mapping[str, Any]) -> Iterator[tuple[str, tuple[list[str], Mapping[str, Any]]]]:
    """Yield the name of each text with what it says and the values of its own example.

    What a code without a text of its own says holds for all of its cases.
    """
    inner = {case: table for case, table in entry.items() if isinstance(table, dict) and case != "example"}
    tables: dict[str, Mapping[str, Any]] = {"": entry, **inner}
    shared = {"brief": entry.get("brief", "")} if "message" in entry else entry
    for case, table in tables.items():
        if "message" in table:
            text = [table.get(field) or shared.get(field, "") for field in FindingText._fields]
            last = max(at for at, words in enumerate(text) if words)
            yield f"{code}.{case}" if case else code, (text[: last + 1], table.get("example", {}))


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
