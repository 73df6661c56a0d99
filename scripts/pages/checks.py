"""The page of all checks of a whole report."""

from __future__ import annotations

import re
from functools import cache
from inspect import getdoc, getmembers, getsource, isfunction
from typing import TYPE_CHECKING, NamedTuple

from scripts.pages.markdown import table
from scripts.pages.places import MADE_BY

from ratebook.checks import all_checks, eligibility
from ratebook.declared_findings import declared_findings
from ratebook.findings import Severity
from ratebook.reports.plan import classify, plan_report, plan_section
from ratebook.rules import timecontrol

if TYPE_CHECKING:
    from collections.abc import Callable

    from ratebook.checks import Check


CHECKED_BY_RULES: tuple[Callable[..., object], ...] = (
    plan_section,
    classify,
    plan_report,
    *(
        getattr(module, name)
        for module in (eligibility, timecontrol)
        for name, _ in getmembers(module, isfunction)
    ),
)
"""The functions whose findings about a report need the rules of its day."""

_CODE = re.compile(r"finding\(\s*\"([\w.-]+)\"")


class DescribedCheck(NamedTuple):
    """What the source says of one check of a whole report.

    Attributes:
        severity: error, warning or note.
        reports: what it finds, from the first sentence of the docstring.
        details: why and when, from the rest of the docstring; paragraphs.
        remedy: what to do in the first case, with the values of an example.
    """

    code: str
    severity: str
    reports: str
    details: tuple[str, ...]
    remedy: str


@cache
def codes_in(function: Callable[..., object]) -> list[str]:
    """Return the codes of the findings that *function* makes."""
    return _CODE.findall(getsource(function))


@cache
def described(check: Check) -> DescribedCheck:
    """Return what the page says of *check*.

    Raises:
        ValueError: the check makes findings of more codes than one, or does not say what it reports.
    """
    summary, _, rest = (getdoc(check) or "").partition("\n")
    codes = codes_in(check)
    if len({name.partition(".")[0] for name in codes}) != 1 or not summary.startswith("Report "):
        raise ValueError(f"{check.__name__}: findings of one code, and a docstring that begins with Report")
    code, _, case = codes[0].partition(".")
    declared = declared_findings()[code].cases[case]
    what = summary.removeprefix("Report ")
    return DescribedCheck(
        code,
        declared.text.severity.value,
        what[0].upper() + what[1:],
        tuple(" ".join(paragraph.split()) for paragraph in rest.split("\n\n") if paragraph.strip()),
        declared.filled_in(declared.text.remedy),
    )


def codes_by_rules() -> list[str]:
    """Return the codes of the findings that need the rules of a report's day."""
    return sorted({code.partition(".")[0] for function in CHECKED_BY_RULES for code in codes_in(function)})


def checks_page() -> str:
    """Return the page of all checks of a whole report."""
    checks = [described(check) for check in all_checks()]
    lines = [
        "# Checks",
        "",
        f"{MADE_BY} from `src/ratebook/checks`; change the docstrings there, not this page.",
        "",
        "`ratebook check` and `ratebook rate` check the whole report once it has been read.",
        "While there is an **error**, nothing is rated.",
        "A **warning** is probably a mistake. If it is not, accept its code with `--accept`, and it becomes a note.",
        "An error cannot be accepted (`not-acceptable`); a code that matches no finding gives a note",
        "(`accepted-in-vain`). `ratebook rate REPORT --accept CODE --json` lists the accepted codes under `accepted`;",
        "the report itself does not change.",
        "A **note** names an assumption.",
        "A federation can leave warnings out of its book, and set some limits: [rules of your own](book/own-rules.md).",
        "",
        "Installed packages can bring [checks of your own](formats/plugins.md#a-check).",
        "",
        "Names and numbers in the remedies below are examples.",
        "What offices and other programs check is on [a page of its own](formats/office-checks.md).",
    ]
    for severity, title in zip(tuple(Severity), ("Errors", "Warnings", "Notes"), strict=True):
        group = [check for check in checks if check.severity == severity]
        rows = [(f"[`{check.code}`](#{check.code})", check.reports, check.remedy) for check in group]
        lines += ["", f"## {title}", "", *table(("code", "what it reports", "remedy"), rows)]
        for check in group:
            lines += ["", f"### `{check.code}`", "", f"{severity}: {check.reports}"]
            for paragraph in check.details:
                lines += ["", paragraph]
            lines += ["", f"Remedy: {check.remedy}"]
    declared = declared_findings()
    by_rules = [
        (f"[`{code}`](findings.md#{code})", declared[code].severity, declared[code].explanation)
        for code in codes_by_rules()
    ]
    lines += [
        "",
        "## Checked by the rules of the day",
        "",
        "These findings need the rules in force: which systems rate a time control, who may play a match,",
        "whether half K existed.",
        "",
        *table(("code", "severity", "what it means"), by_rules),
        "",
        "## Checked while reading",
        "",
        "Mistakes that a single field shows are found while the file is read: a cell that cannot be read, a date that",
        "is not in the calendar, an unknown key. The page of [findings](findings.md) lists all of them.",
    ]
    return "\n".join(lines) + "\n"
