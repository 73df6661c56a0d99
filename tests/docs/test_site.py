"""The site of the documentation, without its builder: every page has its place, and links lead to pages of the site."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

import pytest
from scripts import site
from scripts.pages.citations import FENCED, headings
from scripts.pages.places import DOCS, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TABS = (
    *("Start", "Director", "Player", "Office", "Operator", "Committee"),
    *("Researcher", "Programmer", "Rules", "Project"),
)


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return site.prepare(tmp_path_factory.mktemp("built") / "site")


def pages_in(entries: list[Any]) -> Iterator[str]:
    for entry in entries:
        if isinstance(entry, dict):
            for below in entry.values():
                yield from pages_in(below)
        else:
            yield entry


def test_each_reader_has_a_tab_and_every_page_is_in_one(settings: Path) -> None:
    tabs = tomllib.loads(settings.read_text(encoding="utf-8"))["project"]["nav"]
    assert [title for tab in tabs for title in tab] == list(TABS)
    pages = settings.parent / site.PAGES
    there = sorted(path.relative_to(pages).as_posix() for path in pages.rglob("*.md"))
    parts = {site.name_of_part(page, anchor) for page in site.SPLIT for anchor in [*headings(page)][1:]}
    assert sorted({*pages_in(tabs)} | parts) == there
    assert len([*pages_in(tabs)]) == len([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])


def test_a_finding_and_a_command_have_pages_of_their_own(settings: Path) -> None:
    """The long page leads to each of them, and so do links to its headings."""
    pages = settings.parent / site.PAGES
    for name, part in (("findings.md", "findings/end-missing.md"), ("cli.md", "cli/ratebook-book-rate.md")):
        assert f"]({part})" in (pages / name).read_text(encoding="utf-8")
    assert (pages / "findings/end-missing.md").read_text(encoding="utf-8").startswith("# `end-missing`\n")
    text = site.with_links_of_the_site("[it](findings.md#end-missing)", DOCS / "checks.md", "checks.md")
    assert text == "[it](findings/end-missing.md)"


def test_links_lead_to_pages_of_the_site(settings: Path) -> None:
    """And headings are there; no link leads out of it but to other sites."""
    pages = settings.parent / site.PAGES
    links = 0
    for page in pages.rglob("*.md"):
        prose = re.sub(r"(?<!\[)`[^`\n]*`(?!\])", "", FENCED.sub("", page.read_text(encoding="utf-8")))
        for target, _, anchor in (link.partition("#") for link in re.findall(r"\]\(([^)\s]+)\)", prose)):
            if ":" in target:
                continue
            file = (page.parent / target).resolve() if target else page
            assert file.is_file(), (page.name, target)
            assert file.is_relative_to(pages), (page.name, target)
            assert not anchor or anchor in headings(file), (page.name, target, anchor)
            links += 1
    assert links > len([*pages.rglob("*.md")])


def test_a_file_that_is_not_on_the_site_is_named() -> None:
    page = DOCS / "guide.md"
    text = "[examples/festival](../examples/festival), [a file](../Makefile), [rules](rules/timeline.md#k), `[a](b)`"
    assert site.with_links_of_the_site(text, page, page.name) == (
        "`examples/festival`, a file (`Makefile`), [rules](rules/timeline.md#k), `[a](b)`"
    )
    text = site.with_links_of_the_site(
        "[all](docs/guide.md#what-if)", ROOT / "README.md", "project/README.md"
    )
    assert text == "[all](../guide.md#what-if)"


def test_what_belongs_to_an_item_is_four_blanks_deep() -> None:
    text = "1. Item\n\n   ```sh\n   make\n   ```\n   * below\n\nText\n\n* Item\n  more\n"
    assert site.with_deeper_lists(text) == (
        "1. Item\n\n    ```sh\n    make\n    ```\n    * below\n\nText\n\n* Item\n    more\n"
    )
