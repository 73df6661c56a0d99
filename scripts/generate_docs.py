"""Make the pages of ``docs`` that follow from the code, the rules and the tests.

    python -m scripts.generate_docs            write them
    python -m scripts.generate_docs --check    say which are out of date, and exit with status 1

The same code, rules and tests always give the same pages: no date, no path of the machine, fixed width.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from typing import TYPE_CHECKING

from scripts.pages.agreement import agreement_page, readme_page
from scripts.pages.book_schema import book_schema_page
from scripts.pages.checks import checks_page
from scripts.pages.citations import with_links
from scripts.pages.command_line import cli_page
from scripts.pages.coverage import coverage_page
from scripts.pages.findings import findings_page, texts_file
from scripts.pages.places import ROOT
from scripts.pages.report import report_page, report_schema
from scripts.pages.rules import inferred_page, timeline_page, timeline_snapshot

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_MADE: Mapping[str, Callable[[], str]] = {
    "docs/rules/timeline.md": timeline_page,
    "docs/rules/coverage.md": coverage_page,
    "docs/agreement.md": agreement_page,
    "docs/cli.md": cli_page,
    "docs/findings.md": findings_page,
    "docs/checks.md": checks_page,
    "docs/inferred.md": inferred_page,
    "docs/book/schema.md": book_schema_page,
    "docs/formats/report.md": report_page,
}


def _linked(name: str, make: Callable[[], str]) -> str:
    return with_links(make(), name)


PAGES: Mapping[str, Callable[[], str]] = {
    "README.md": readme_page,
    "src/ratebook/findings.json": texts_file,
    "src/ratebook/rules/timeline/snapshot.json": timeline_snapshot,
    "docs/formats/report.schema.json": report_schema,
    **{name: partial(_linked, name, make) for name, make in _MADE.items()},
}
"""Every generated page or file and what makes it, pages with their citations as links."""


def out_of_date() -> list[str]:
    """Return the pages that are not what the code, the rules and the tests give."""
    return [
        name
        for name, make in PAGES.items()
        if not (ROOT / name).exists() or (ROOT / name).read_text(encoding="utf-8") != make()
    ]


def main() -> int:
    """Write the pages, or check them; return the exit status."""
    parser = argparse.ArgumentParser(description="Make the generated pages of docs.")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; status 1 where a page is out of date"
    )
    stale = out_of_date()
    if parser.parse_args().check:
        for name in stale:
            print(f"{name} is out of date: run make docs.", file=sys.stderr)
        return 1 if stale else 0
    for name in stale:
        (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / name).write_text(PAGES[name](), encoding="utf-8")
        print(f"wrote {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
