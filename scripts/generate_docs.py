"""Make the pages of ``docs`` that follow from the code, the rules and the tests.

    python -m scripts.generate_docs            write them
    python -m scripts.generate_docs --check    say which are out of date, and exit with status 1

The same code, rules and tests always give the same pages: no date, no path of the machine, fixed width.
"""

from __future__ import annotations

import argparse
import sys
from functools import cache, partial
from typing import TYPE_CHECKING

from scripts.pages.agreement import agreement_page, readme_page
from scripts.pages.book_schema import book_schema_page
from scripts.pages.chain import chain_page
from scripts.pages.checks import checks_page
from scripts.pages.citations import with_links
from scripts.pages.command_line import cli_page
from scripts.pages.coverage import coverage_page
from scripts.pages.findings import findings_page, texts_file
from scripts.pages.formats.report import report_page, report_schema
from scripts.pages.formats.settings import overlay_page, overlay_schema, profile_page, profile_schema
from scripts.pages.formats.tables import (
    corrections_page,
    csv_report_page,
    members_csv_page,
    table_page,
    tables_schema,
)
from scripts.pages.formats.written import formats_page, official_lists_page, rated_page
from scripts.pages.parts.decisions import decisions_page
from scripts.pages.parts.laboratory import measures_page, ready_study
from scripts.pages.parts.reference import reference_page
from scripts.pages.parts.settings import settings_page
from scripts.pages.parts.web import web_page
from scripts.pages.places import ROOT
from scripts.pages.rules import inferred_page, timeline_page, timeline_snapshot

from ratebook.lab.studies.draft import READY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_MADE: Mapping[str, Callable[[], str]] = {
    "docs/rules/timeline.md": timeline_page,
    "docs/rules/coverage.md": coverage_page,
    "docs/agreement.md": agreement_page,
    "docs/cli.md": cli_page,
    "docs/findings.md": findings_page,
    "docs/checks.md": checks_page,
    "docs/inferred.md": inferred_page,
    "docs/laboratory-measures.md": measures_page,
    "docs/decisions/README.md": decisions_page,
    "docs/reference.md": reference_page,
    "docs/web.md": web_page,
    "docs/settings.md": settings_page,
    "docs/book/schema.md": book_schema_page,
    "docs/book/chain.md": chain_page,
    "docs/formats/README.md": formats_page,
    "docs/formats/report.md": report_page,
    "docs/formats/csv-report.md": csv_report_page,
    "docs/formats/members-csv.md": members_csv_page,
    "docs/formats/opening-balances.md": partial(table_page, "balances"),
    "docs/formats/memberships.md": partial(table_page, "memberships"),
    "docs/formats/foreign-ratings.md": partial(table_page, "foreign ratings", "numbers"),
    "docs/formats/corrections.md": corrections_page,
    "docs/formats/reports-table.md": partial(table_page, "manifest"),
    "docs/formats/official-lists.md": official_lists_page,
    "docs/formats/rated.md": rated_page,
    "docs/formats/profile.md": profile_page,
    "docs/formats/overlay.md": overlay_page,
}


def _linked(name: str, make: Callable[[], str]) -> str:
    return with_links(make(), name)


_OF_ALL: Mapping[str, Callable[[], str]] = {
    "src/ratebook/findings.json": texts_file,
    "README.md": readme_page,
    "src/ratebook/rules/timeline/snapshot.json": timeline_snapshot,
    "docs/formats/report.schema.json": report_schema,
    "docs/formats/tables.schema.json": tables_schema,
    "docs/formats/profile.schema.json": profile_schema,
    "docs/formats/overlay.schema.json": overlay_schema,
    **{f"examples/lab/{about}.toml": partial(ready_study, about) for about in READY},
    **{name: partial(_linked, name, make) for name, make in _MADE.items()},
}
PAGES: Mapping[str, Callable[[], str]] = {name: cache(make) for name, make in _OF_ALL.items()}
"""Every generated page or file and what makes it, once; pages with their citations as links."""


def out_of_date() -> Iterator[str]:
    """Yield the pages that are not what the code, the rules and the tests give, after those that they are made from."""
    for name, make in PAGES.items():
        if not (ROOT / name).exists() or (ROOT / name).read_text(encoding="utf-8") != make():
            yield name


def main() -> int:
    """Write the pages, or check them; return the exit status."""
    parser = argparse.ArgumentParser(description="Make the generated pages of docs.")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; status 1 where a page is out of date"
    )
    checking, status = parser.parse_args().check, 0
    for name in out_of_date():
        if checking:
            print(f"{name} is out of date: run make docs.", file=sys.stderr)
            status = 1
        else:
            (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / name).write_text(PAGES[name](), encoding="utf-8")
            print(f"wrote {name}")
    return status


if __name__ == "__main__":
    sys.exit(main())
