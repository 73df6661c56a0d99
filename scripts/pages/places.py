"""Where the pages, the source and the tests lie."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
SOURCE = ROOT / "src" / "ratebook"
TESTS = ROOT / "tests"
MADE_BY = "Made by `scripts/generate_docs.py`"
"""How every generated page begins."""
