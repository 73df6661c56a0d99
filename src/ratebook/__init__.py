"""ratebook: the US Chess rating system as software, every rule since 2001, every number explained.

>>> import ratebook
>>> parsed = ratebook.read_report(b'{"format": "ratebook-report/1"}', "empty.json")
>>> parsed.report is None
True
>>> ratebook.load_report(b"1. e4 e5", "game.pgn")  # doctest: +ELLIPSIS
Traceback (most recent call last):
ratebook.formats.contract.InputError: game.pgn: ... [format-unknown]

The names below are loaded when they are first used, so that ``import ratebook`` stays quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ratebook.findings import Finding, Place, Severity
    from ratebook.formats.contract import InputError, ParsedReport
    from ratebook.formats.registry import load_report, read_report
    from ratebook.formats.results.rated import rated_as_json
    from ratebook.model import Cell, Entry, Event, PlayerFacts, Rating, Report, Section, SectionType, System
    from ratebook.rating.explanation.explain import explain, explanation_of
    from ratebook.rating.results import After, Before, RatedEntry, RatedSection
    from ratebook.records.explanations import Explanation
    from ratebook.reports.rate import RatedReport, RatingOptions, check, rate_report
    from ratebook.rules.in_force import RulesInForce
    from ratebook.rules.rulebook import Rulebook, load_rulebook, rules_on
    from ratebook.rules.timecontrol import TimeControl, parse_time_control

__version__ = "1.0.0"

_HOMES = {
    "findings": "Finding Place Severity",
    "formats.contract": "InputError ParsedReport",
    "formats.registry": "load_report read_report",
    "formats.results.rated": "rated_as_json",
    "model": "Cell Entry Event PlayerFacts Rating Report Section SectionType System",
    "rating.explanation.explain": "explain explanation_of",
    "rating.results": "After Before RatedEntry RatedSection",
    "records.explanations": "Explanation",
    "reports.rate": "RatedReport RatingOptions check rate_report",
    "rules.in_force": "RulesInForce",
    "rules.rulebook": "Rulebook load_rulebook rules_on",
    "rules.timecontrol": "TimeControl parse_time_control",
}
"""The public names of each module."""

__all__ = [
    "After", "Before", "Cell", "Entry", "Event", "Explanation", "Finding", "InputError", "ParsedReport",
    "Place", "PlayerFacts", "RatedEntry", "RatedReport", "RatedSection", "Rating", "RatingOptions",
    "Report", "Rulebook", "RulesInForce", "Section", "SectionType", "Severity", "System", "TimeControl",
    "__version__", "check", "explain", "explanation_of", "load_report", "load_rulebook",
    "parse_time_control", "rate_report", "rated_as_json", "read_report", "rules_on",
]  # fmt: skip


def __getattr__(name: str) -> object:
    """Load a public name from where it lives."""
    for module, names in _HOMES.items():
        if name in names.split():
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
