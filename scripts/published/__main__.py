"""Compare all stored published ratings with the program (`make published`).

    python -m scripts.published            print the table, store the summary and write it into the pages
    python -m scripts.published --accept   do so although more values are unexplained than before

Exit status 1, with nothing written, where a value is unexplained that was not.
"""

from __future__ import annotations

import argparse
import sys

from scripts.generate_docs import PAGES
from scripts.pages.agreement import old_table, readme_sentence, table
from scripts.pages.places import ROOT
from scripts.published.sample import plant_errors, sample
from scripts.published.stored import stored_sections
from scripts.published.summary import FILE, Summary, stored_summary, summarize, text_of

WITH_FIGURES = ("README.md", "docs/agreement.md")


def newly_unexplained(summary: Summary) -> list[str]:
    """Return what is unexplained now and was not in the stored summary."""
    if not FILE.exists():
        return []
    stored = stored_summary()
    known = {value[:5] for value in stored.unexplained}
    new = [
        f"{value.end} event {value.event} section {value.section}, {value.system}, seat {value.seat}:"
        f" {value.before} -> {value.after} published, {value.computed} computed"
        for value in summary.unexplained
        if value[:5] not in known
    ]
    known_old = {(line.system, line.kind): line.unexplained for line in stored.old_lines}
    new += [
        f"before 2001, {line.system}, {line.kind}: {line.unexplained} unexplained"
        for line in summary.old_lines
        if line.unexplained > known_old.get((line.system, line.kind), 0)
    ]
    return new


def main() -> int:
    """Compare, print and write; return the exit status."""
    parser = argparse.ArgumentParser(description="Compare all stored published ratings with the program.")
    parser.add_argument(
        "--accept", action="store_true", help="write although more is unexplained than before"
    )
    accept = parser.parse_args().accept
    summary = summarize(stored_sections())._replace(planted=plant_errors(sample()))
    print("\n".join((*table(summary), "", *old_table(summary), "", readme_sentence(summary))))
    new = newly_unexplained(summary)
    for one in new:
        print(f"unexplained: {one}", file=sys.stderr)
    if new and not accept:
        return 1
    FILE.write_text(text_of(summary), encoding="utf-8")
    for page in WITH_FIGURES:
        (ROOT / page).write_text(PAGES[page](), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
