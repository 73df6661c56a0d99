"""The page of all checks of a whole report."""

from __future__ import annotations

import ast
import inspect
from textwrap import dedent
from typing import TYPE_CHECKING, NamedTuple

from scripts.pages.findings import read_findings
from scripts.pages.findings_in_source import (
    SEVERITIES,
    argument_at,
    calls_of,
    carriers_in,
    findings_in_source,
    literal_codes,
    message_form,
)
from scripts.pages.places import MADE_BY, SOURCE

from ratebook.checks import CHECKS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ratebook.checks import Check


CHECKED_BY_RULES: Mapping[str, tuple[str, ...]] = {
    "reports/rate.py": ("plan_section", "classify", "plan_report"),
    "checks/eligibility.py": (),
    "rules/timecontrol.py": (),
}
"""Where findings about a report are made that need the rules of its day: functions by file, none for all."""

REMEDY_PLACE = 3


class DescribedCheck(NamedTuple):
    """What the source says of one check of a whole report.

    Attributes:
        severity: error, warning or note.
        reports: what it finds, from the first sentence of the docstring.
        details: why and when, from the rest of the docstring; paragraphs.
        remedy: what to do, with … for what the case fills in.
    """

    code: str
    severity: str
    reports: str
    details: tuple[str, ...]
    remedy: str


def described(check: Check) -> DescribedCheck:
    """Return what the page says of *check*.

    Raises:
        ValueError: the check does not make exactly one kind of finding, or does not say what it reports.
    """
    summary, _, rest = (inspect.getdoc(check) or "").partition("\n")
    node = ast.parse(dedent(inspect.getsource(check))).body[0]
    findings = [(call, name) for call, name, _ in calls_of(node) if name in SEVERITIES]
    if len(findings) != 1 or not summary.startswith("Report "):
        raise ValueError(f"{check.__name__}: one finding, and a docstring that begins with Report")
    made, severity = findings[0]
    codes = literal_codes(argument_at(made, 0, "code"))
    remedy = argument_at(made, REMEDY_PLACE, "remedy")
    if len(codes) != 1 or remedy is None:
        raise ValueError(f"{check.__name__}: one code and one remedy, written out")
    what = summary.removeprefix("Report ")
    return DescribedCheck(
        codes[0],
        severity,
        what[0].upper() + what[1:],
        tuple(" ".join(paragraph.split()) for paragraph in rest.split("\n\n") if paragraph.strip()),
        message_form(remedy, None),
    )


def codes_made_in(places: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return the codes that are written out in these functions of the source (none: in all), by name of the file."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(SOURCE.rglob("*.py"))}
    carriers = carriers_in(list(trees.values()))
    codes: set[str] = set()
    for file, functions in places.items():
        for call, name, function in calls_of(trees[SOURCE / file]):
            inside = not functions or (function is not None and function.name in functions)
            if inside and name in carriers:
                carrier = carriers[name]
                codes.update(literal_codes(argument_at(call, carrier.place, carrier.parameter)))
    return sorted(codes)


def table_cell(text: str) -> str:
    """Return *text* as it can stand in a cell of a table."""
    return text.replace("|", r"\|")


def checks_page() -> str:
    """Return the page of all checks of a whole report."""
    checks = [described(check) for check in CHECKS]
    lines = [
        "# Checks",
        "",
        f"{MADE_BY} from `src/ratebook/checks`; change the docstrings there, not this page.",
        "",
        "`ratebook check` and `ratebook rate` look at the whole report once it could be read.",
        "While an **error** stands nothing is rated.",
        "A **warning** is probably a mistake; whoever has looked at it and knows better accepts its code, and it",
        "becomes a note. An error cannot be accepted (`not-acceptable`), and a code that nothing has is noted",
        "(`accepted-in-vain`). `ratebook rate REPORT --accept CODE --json` keeps the codes that were accepted with the",
        "rated report, under `accepted`; the report itself stays as it is.",
        "A **note** names an assumption.",
        "",
        "… stands for what the case fills in.",
        "What offices and other programs check is on [a page of its own](formats/office-checks.md).",
    ]
    for severity, title in zip(SEVERITIES, ("Errors", "Warnings", "Notes"), strict=True):
        group = [check for check in checks if check.severity == severity]
        lines += ["", f"## {title}", "", "| code | what it reports | remedy |", "| --- | --- | --- |"]
        lines += [
            f"| [`{check.code}`](#{check.code}) | {table_cell(check.reports)} | {table_cell(check.remedy)} |"
            for check in group
        ]
        for check in group:
            lines += ["", f"### `{check.code}`", "", f"{severity}: {check.reports}"]
            for paragraph in check.details:
                lines += ["", paragraph]
            lines += ["", f"Remedy: {check.remedy}"]
    lines += [
        "",
        "## Checked by the rules of the day",
        "",
        "These findings need the rules that were in force: which systems rate a time control, who may play a match,",
        "whether half K existed.",
        "",
        "| code | severity | what it means |",
        "| --- | --- | --- |",
    ]
    explained = read_findings()
    source = findings_in_source()
    for code in codes_made_in(CHECKED_BY_RULES):
        severity = " or ".join(one for one in SEVERITIES if one in source[code].severities)
        explanation = table_cell(explained.get(code, "(not explained)"))
        lines.append(f"| [`{code}`](findings.md#{code}) | {severity} | {explanation} |")
    lines += [
        "",
        "## Checked while reading",
        "",
        "A cell that cannot be read, a date that is not in the calendar, an unknown key: what a single field shows is",
        "found while the file is read, in every format in its own way. The page of [findings](findings.md) lists all.",
    ]
    return "\n".join(lines) + "\n"
