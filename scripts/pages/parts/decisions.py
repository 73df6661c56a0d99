"""The list of decision records."""

from __future__ import annotations

from scripts.pages.places import DOCS, MADE_BY

HEAD = f"""# Decisions

{MADE_BY} from the headings of the records.

Why the project is as it is. Each record has a context, a decision and its consequences, and describes its day.
Where a later record changes it, the later one says so.

"""


def decisions_page() -> str:
    """Return the page that lists each record by its number and title."""
    lines = []
    for record in sorted((DOCS / "decisions").glob("[0-9]*.md")):
        heading = record.read_text(encoding="utf-8").partition("\n")[0]
        number, _, title = heading.removeprefix("# ").partition(" ")
        lines.append(f"{number} [{title}]({record.name})\n")
    return HEAD + "".join(lines)
