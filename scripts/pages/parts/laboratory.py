"""What the laboratory declares: the columns of its tables, and the studies that are ready."""

from __future__ import annotations

from scripts.pages.markdown import table, with_part
from scripts.pages.places import DOCS

from ratebook.lab.cells.gathering import MEASURES
from ratebook.lab.studies.draft import READY, draft
from ratebook.rules.rulebook import load_rulebook


def measures_page() -> str:
    """Return the page of measures with its table of columns made anew."""
    rows = [(measure.title, f"`{measure.name}`", measure.about) for measure in MEASURES]
    text = (DOCS / "laboratory-measures.md").read_text(encoding="utf-8")
    return with_part(text, "columns", table(("column", "in JSON", "what"), rows))


def ready_study(about: str) -> str:
    """Return the study that `ratebook lab new --about` writes."""
    return draft(READY[about], load_rulebook(), None)
