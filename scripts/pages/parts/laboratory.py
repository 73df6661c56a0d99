"""The columns of the laboratory's tables, from the declared measures."""

from __future__ import annotations

from scripts.pages.markdown import table, with_part
from scripts.pages.places import DOCS

from ratebook.lab.cells.gathering import MEASURES


def measures_page() -> str:
    """Return the page of measures with its table of columns made anew."""
    rows = [(measure.title, f"`{measure.name}`", measure.about) for measure in MEASURES]
    text = (DOCS / "laboratory-measures.md").read_text(encoding="utf-8")
    return with_part(text, "columns", table(("column", "in JSON", "what"), rows))
