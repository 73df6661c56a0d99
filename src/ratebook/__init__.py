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
    from ratebook.findings import Finding as Finding
    from ratebook.findings import Place as Place
    from ratebook.findings import Severity as Severity
    from ratebook.formats.contract import InputError as InputError
    from ratebook.formats.contract import ParsedReport as ParsedReport
    from ratebook.formats.registry import load_report as load_report
    from ratebook.formats.registry import read_report as read_report
    from ratebook.formats.results.rated import rated_as_json as rated_as_json
    from ratebook.model import Cell as Cell
    from ratebook.model import Entry as Entry
    from ratebook.model import Event as Event
    from ratebook.model import PlayerFacts as PlayerFacts
    from ratebook.model import Rating as Rating
    from ratebook.model import Report as Report
    from ratebook.model import Section as Section
    from ratebook.model import SectionType as SectionType
    from ratebook.model import System as System
    from ratebook.rating.explanation.explain import explain as explain
    from ratebook.rating.explanation.explain import explanation_of as explanation_of
    from ratebook.rating.results import After as After
    from ratebook.rating.results import Before as Before
    from ratebook.rating.results import RatedEntry as RatedEntry
    from ratebook.rating.results import RatedSection as RatedSection
    from ratebook.records.explanations import Explanation as Explanation
    from ratebook.reports.rate import RatedReport as RatedReport
    from ratebook.reports.rate import RatingOptions as RatingOptions
    from ratebook.reports.rate import check as check
    from ratebook.reports.rate import rate_report as rate_report
    from ratebook.rules.in_force import RulesInForce as RulesInForce
    from ratebook.rules.rulebook import Rulebook as Rulebook
    from ratebook.rules.rulebook import load_rulebook as load_rulebook
    from ratebook.rules.rulebook import rules_on as rules_on
    from ratebook.rules.timecontrol import TimeControl as TimeControl
    from ratebook.rules.timecontrol import parse_time_control as parse_time_control

__version__ = "1.0.0"

_HOMES = {
    "After": "ratebook.rating.results",
    "Before": "ratebook.rating.results",
    "Cell": "ratebook.model",
    "Entry": "ratebook.model",
    "Event": "ratebook.model",
    "Explanation": "ratebook.records.explanations",
    "Finding": "ratebook.findings",
    "InputError": "ratebook.formats.contract",
    "ParsedReport": "ratebook.formats.contract",
    "Place": "ratebook.findings",
    "PlayerFacts": "ratebook.model",
    "RatedEntry": "ratebook.rating.results",
    "RatedReport": "ratebook.reports.rate",
    "RatedSection": "ratebook.rating.results",
    "Rating": "ratebook.model",
    "RatingOptions": "ratebook.reports.rate",
    "Report": "ratebook.model",
    "Rulebook": "ratebook.rules.rulebook",
    "RulesInForce": "ratebook.rules.in_force",
    "Section": "ratebook.model",
    "SectionType": "ratebook.model",
    "Severity": "ratebook.findings",
    "System": "ratebook.model",
    "TimeControl": "ratebook.rules.timecontrol",
    "check": "ratebook.reports.rate",
    "explain": "ratebook.rating.explanation.explain",
    "explanation_of": "ratebook.rating.explanation.explain",
    "load_report": "ratebook.formats.registry",
    "load_rulebook": "ratebook.rules.rulebook",
    "parse_time_control": "ratebook.rules.timecontrol",
    "rate_report": "ratebook.reports.rate",
    "rated_as_json": "ratebook.formats.results.rated",
    "read_report": "ratebook.formats.registry",
    "rules_on": "ratebook.rules.rulebook",
}

__all__ = ["__version__"]
__all__ += list(_HOMES)


def __getattr__(name: str) -> object:
    """Load a public name from where it lives."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
