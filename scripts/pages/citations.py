"""Citations: pages named in the source, and sections of two pages that data cites by a code, as links.

Docstrings name a page of ``docs`` and a heading of it by its anchor, ``docs/rules/readings.md#a8``, or several headings
of one page, ``docs/rules/readings.md#a1, #a3``. The timeline, the rules of titles and the statements cite documents by
code; ``OUTSIDE section 4`` and ``RULINGS A8`` are sections of pages of this project.
"""

from __future__ import annotations

import os
import re
from functools import cache
from typing import TYPE_CHECKING

from scripts.pages.places import ROOT

if TYPE_CHECKING:
    from pathlib import Path

PAGES_BY_CODE = {"OUTSIDE": "docs/rules/outside.md", "RULINGS": "docs/rules/readings.md"}
NAMED = re.compile(r"\bdocs/[\w./-]+\.md(?:#[\w-]+(?:, #[\w-]+)*)?")
CODED = re.compile(r"\b(OUTSIDE|RULINGS),? (?:section (\d+[a-z]?)(?:, ([^;|()\"]*[^;|()\"., ]))?|(A\d+))")
FENCED = re.compile(r"^( *)```.*?^\1```$", re.DOTALL | re.MULTILINE)
CODE_OR_LINK = re.compile(r"(`[^`\n]*`|\[[^\]\n]*\]\([^)\n]*\))")


class BrokenCitationError(ValueError):
    """A citation of a page or a heading that is not there."""


@cache
def headings(page: Path) -> dict[str, str]:
    """Return the headings of *page* by their anchors."""
    prose = FENCED.sub("", page.read_text(encoding="utf-8"))
    titles = re.findall(r"^#+ (.*)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-"): title for title in titles}


def targets(citation: str) -> list[tuple[str, str]]:
    """Return title and target of each heading that ``docs/page.md#one, #two`` names.

    Raises:
        BrokenCitationError: the page, or a heading of it, is not there.
    """
    page, _, anchors = citation.partition("#")
    if not (ROOT / page).is_file():
        raise BrokenCitationError(citation)
    titles = headings(ROOT / page)
    if not anchors:
        return [(next(iter(titles.values())), page)]
    try:
        return [(titles[anchor], f"{page}#{anchor}") for anchor in anchors.split(", #")]
    except KeyError as missing:
        raise BrokenCitationError(f"{citation}: {missing}") from None


def target_by_code(citation: re.Match[str]) -> str:
    """Return page and anchor of a citation by code, as ``OUTSIDE section 6a`` or ``RULINGS, section 2, matches``.

    Raises:
        BrokenCitationError: the page has no such section.
    """
    code, number, name, reading = citation.groups()
    titles = headings(ROOT / PAGES_BY_CODE[code])
    for anchor, title in titles.items():
        if title == reading or (name and title.lower() == name.lower()):
            return f"{PAGES_BY_CODE[code]}#{anchor}"
    for anchor, title in titles.items():
        if number and title.startswith(f"{number}. "):
            return f"{PAGES_BY_CODE[code]}#{anchor}"
    raise BrokenCitationError(citation.group())


def with_links(text: str, page: str) -> str:
    """Return the Markdown *text* of *page* with its citations as links; code and links stay as they are.

    Raises:
        BrokenCitationError: a citation leads nowhere.
    """
    folder = os.path.dirname(page)  # noqa: PTH120 - a name in a page, not a path to open

    def link(title: str, target: str) -> str:
        return f"[{title}]({os.path.relpath(target, folder)})"

    def linked(prose: str) -> str:
        prose = NAMED.sub(lambda one: ", ".join(link(*target) for target in targets(one.group())), prose)
        return CODED.sub(lambda one: link(one.group(), target_by_code(one)), prose)

    def outside_code(prose: str) -> str:
        return "".join(part if at % 2 else linked(part) for at, part in enumerate(CODE_OR_LINK.split(prose)))

    parts = []
    end = 0
    for fence in FENCED.finditer(text):
        parts += [outside_code(text[end : fence.start()]), fence.group()]
        end = fence.end()
    return "".join([*parts, outside_code(text[end:])])
