"""Every citation can be followed: pages and headings that the source names are there, and data cites known sections."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from scripts.pages.citations import (
    CODE_OR_LINK,
    CODED,
    FENCED,
    NAMED,
    BrokenCitationError,
    target_by_code,
    targets,
    with_links,
)
from scripts.pages.places import DOCS, ROOT

THIS = Path(__file__)
TEXTS = [
    path
    for folder in ("src", "tests", "scripts", "benchmarks", "fuzz")
    for suffix in ("py", "toml")
    for path in sorted((ROOT / folder).rglob(f"*.{suffix}"))
    if path not in {THIS, ROOT / "scripts" / "pages" / "citations.py"}
]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]
HAND_WRITTEN = [page for page in PAGES if "decisions" not in page.parts]
"""Decision records name the files of their day."""
TOPS = ("src", "tests", "docs", "scripts", "benchmarks", "examples", "fuzz")
UNWRITTEN = re.compile(r"\b(?:FORMATS|CHECKLIST) (?:sections?\b|[A-Z]?\d)|\bissue \d")
BY_CODE = re.compile(r"\b(?:OUTSIDE|RULINGS)[,:]? (?:sections? |A\d)")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def dead_ends(text: str) -> list[str]:
    """Return the citations of *text* whose page or heading is not there."""
    dead = []
    for find, cited in ((NAMED, lambda one: targets(one.group())), (CODED, target_by_code)):
        for citation in find.finditer(text):
            try:
                cited(citation)
            except BrokenCitationError:
                dead.append(citation.group())
    return dead


def test_the_source_names_pages_and_headings_that_are_there() -> None:
    found = {name_of(path): dead_ends(path.read_text(encoding="utf-8")) for path in TEXTS}
    assert {name: dead for name, dead in found.items() if dead} == {}


def test_the_source_cites_nothing_that_cannot_be_followed() -> None:
    """Python names the page, as docs/rules/readings.md#a8; data may cite OUTSIDE and RULINGS by a known section."""
    for path in TEXTS:
        text = " ".join(path.read_text(encoding="utf-8").split())
        assert UNWRITTEN.findall(text) == [], name_of(path)
        known = 0 if path.suffix == ".py" else len(CODED.findall(text))
        assert len(BY_CODE.findall(text)) == known, name_of(path)


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_a_page_cites_with_links(path: Path) -> None:
    prose = FENCED.sub("", path.read_text(encoding="utf-8"))
    plain = "".join(CODE_OR_LINK.split(prose)[::2])
    assert NAMED.findall(plain) + BY_CODE.findall(plain) + UNWRITTEN.findall(plain) == []


def test_citations_become_links() -> None:
    text = "Rated (docs/rules/readings.md#a8, #a11); OUTSIDE section 6a; `docs/cli.md`; RULINGS, section 2, matches."
    assert with_links(text, "docs/rules/timeline.md") == (
        "Rated ([A8](readings.md#a8), [A11](readings.md#a11)); "
        "[OUTSIDE section 6a](outside.md#6a-titles-from-norms); `docs/cli.md`; "
        "[RULINGS, section 2, matches](readings.md#matches)."
    )


@pytest.mark.parametrize(
    "citation", ["docs/missing.md", "docs/rules/readings.md#a99", "OUTSIDE section 99", "RULINGS A99"]
)
def test_a_citation_that_leads_nowhere_is_refused(citation: str) -> None:
    with pytest.raises(BrokenCitationError):
        with_links(citation, "docs/checks.md")


def test_examples_that_the_help_names_are_there() -> None:
    """Options and studies are shown with files of the examples: none of them is a dead end."""
    shown = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\bexamples/[\w./-]*\w", shown))
    assert "examples/lab/world.toml" in named
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("path", HAND_WRITTEN, ids=name_of)
def test_files_named_on_a_page_are_there(path: Path) -> None:
    """From the top of the project, or below the source, as the map of the rooms names them."""
    named = re.findall(r"`((?:[\w.*-]+/)+[\w.*-]*)`", path.read_text(encoding="utf-8"))
    for name in named:
        if name.partition("/")[0] in TOPS or name.endswith(".py"):
            assert any([*ROOT.glob(name), *(ROOT / "src" / "ratebook").glob(name)]), name
