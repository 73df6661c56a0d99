"""ratebook: the US Chess rating system as software, every rule since 2001, every number explained.

>>> import ratebook
>>> parsed = ratebook.read_report(b'{"format": "ratebook-report/1"}', "empty.json")
>>> parsed.report is None
True

The names below are loaded when they are first used, so that ``import ratebook`` stays quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ratebook.findings import Finding
    from ratebook.formats.registry import read_report
    from ratebook.formats.results.json import rated_as_json
    from ratebook.model import Report, System
    from ratebook.rating.explanation.explain import explain
    from ratebook.rating.results import RatedSection
    from ratebook.reports.rate import RatedReport, check, rate_report
    from ratebook.rules.rulebook import Rulebook, load_rulebook, rules_on
    from ratebook.rules.timecontrol import parse_time_control

__version__ = "0.1.0"

_HOMES = {
    "Finding": "ratebook.findings",
    "RatedReport": "ratebook.reports.rate",
    "RatedSection": "ratebook.rating.results",
    "Report": "ratebook.model",
    "Rulebook": "ratebook.rules.rulebook",
    "System": "ratebook.model",
    "check": "ratebook.reports.rate",
    "explain": "ratebook.rating.explanation.explain",
    "load_rulebook": "ratebook.rules.rulebook",
    "parse_time_control": "ratebook.rules.timecontrol",
    "rate_report": "ratebook.reports.rate",
    "rated_as_json": "ratebook.formats.results.json",
    "read_report": "ratebook.formats.registry",
    "rules_on": "ratebook.rules.rulebook",
}

__all__ = [
    "Finding",
    "RatedReport",
    "RatedSection",
    "Report",
    "Rulebook",
    "System",
    "__version__",
    "check",
    "explain",
    "load_rulebook",
    "parse_time_control",
    "rate_report",
    "rated_as_json",
    "read_report",
    "rules_on",
]


def __getattr__(name: str) -> object:
    """Load a public name from where it lives."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
