"""Every page of the web is shown in the tour, and every picture of it is there."""

from __future__ import annotations

import re

from scripts.pages.places import DOCS
from scripts.screenshots import ROOMS, TOUR, shots


def test_every_page_has_its_picture() -> None:
    text = TOUR.read_text(encoding="utf-8")
    shown = set(re.findall(r"^`(/.*)`$", text, re.MULTILINE))
    assert shown == {shot.route for _, rows in ROOMS.values() for shot in shots(rows)}
    pictures = set(re.findall(r"\]\((web/[\w-]+\.jpg)\)", text))
    assert pictures == {f"web/{path.name}" for path in (DOCS / "web").iterdir()}
    assert sum(path.stat().st_size for path in (DOCS / "web").iterdir()) < 4_000_000
