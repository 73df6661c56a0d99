"""ratebook: the US Chess rating system as software, every rule since 2001, every number explained.

>>> import ratebook
>>> parsed = ratebook.read_report(b'{"format": "ratebook-report/1"}', "empty.json")
>>> parsed.report is None
True

The names below are loaded when they are first used, so that ``import ratebook`` stays quick.
"""

from __future__ import annotations

from importlib import import_module

__version__ = "0.1.0"

_HOMES = {
    "Problem": "ratebook.problems",
    "RatedReport": "ratebook.office",
    "RatedSection": "ratebook.rating.rated",
    "Report": "ratebook.model",
    "Rulebook": "ratebook.rules.rulebook",
    "System": "ratebook.model",
    "check": "ratebook.office",
    "explain": "ratebook.rating.explain",
    "load_rulebook": "ratebook.rules.rulebook",
    "parse_time_control": "ratebook.rules.timecontrol",
    "rate_report": "ratebook.office",
    "rated_as_json": "ratebook.reports.rated_json",
    "read_report": "ratebook.reports.detect",
    "rules_on": "ratebook.rules.rulebook",
}

__all__ = ["__version__", *_HOMES]  # noqa: PLE0604 - the names of a literal table


def __getattr__(name: str) -> object:
    """Load a public name from where it lives."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
