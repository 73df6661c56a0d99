"""Builds the documentation as a site, in build/site/html (`make site`).

    python -m scripts.site

The pages are written to be read in the repository. The builder reads copies of them and of the pages at the top of the
project, in which links to files that are not on the site are names of files.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING, Any

import tomli_w
from scripts.pages.citations import FENCED, headings
from scripts.pages.places import DOCS, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SETTINGS = ROOT / "zensical.toml"
LINK = re.compile(rf"{FENCED.pattern}|`[^`\n]*`|\[(?P<text>[^\]\n]*)\]\((?P<target>[^)\s]+)\)", FENCED.flags)
"""A link, or code, in which there is none."""
PAGES = "pages"
SPLIT = (DOCS / "cli.md", DOCS / "findings.md")
"""Long generated pages: on the site, each of their parts is a page."""


def name_on_site(path: Path) -> str | None:
    """Return where a file of the project is on the site, or None."""
    if path.is_dir() and (path / "README.md").is_file():
        path /= "README.md"
    if path.is_file() and path.is_relative_to(DOCS):
        return path.relative_to(DOCS).as_posix()
    return f"project/{path.name}" if path.suffix == ".md" and path.parent == ROOT else None


def with_links_of_the_site(text: str, path: Path, name_of_page: str) -> str:
    """Return text of the page *path* whose links lead from its place on the site to others; other files are named."""
    folder = os.path.dirname(name_of_page) or "."  # noqa: PTH120 - a name on the site, not a path to open

    def linked(link: re.Match[str]) -> str:
        target, _, anchor = (link["target"] or "").partition("#")
        if not link["target"] or ":" in target:
            return link[0]
        file = (path.parent / target).resolve() if target else path
        name = name_on_site(file)
        if file in SPLIT and anchor:
            name, anchor = name_of_part(file, anchor), ""
        if name:
            return f"[{link['text']}]({os.path.relpath(name, folder)}{'#' if anchor else ''}{anchor})"
        shown = f"`{file.relative_to(ROOT).as_posix()}`"
        return shown if link["text"].strip("`") in shown else f"{link['text']} ({shown})"

    return LINK.sub(linked, text)


def name_of_part(path: Path, anchor: str) -> str:
    """Return where a part of a page that is split is on the site."""
    return f"{path.stem}/{anchor}.md"


def pages_of(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the names on the site, and the texts, of the pages that a page becomes there."""
    text, name = path.read_text(encoding="utf-8"), str(name_on_site(path))
    if path in SPLIT:
        text, *parts = re.split(r"^## ", text, flags=re.MULTILINE)
        whole, *titles = headings(path).items()
        for (anchor, title), part in zip(titles, parts, strict=True):
            place = name_of_part(path, anchor)
            part_text = f"# {part.rstrip()}\n\n[{whole[1]}: all]({path.name})\n"
            yield place, with_links_of_the_site(part_text, path, place)
            text += f"* [{title}](#{anchor})\n"
    yield name, with_links_of_the_site(text, path, name)


def with_deeper_lists(text: str) -> str:
    """Return the text with what belongs to an item four blanks deep, as the builder wants it."""
    lines, deeper = [], ""
    for line in text.splitlines():
        item = re.match(r"(?:[*-]|\d+\.) +", line)
        if item:
            deeper = " " * max(0, 4 - len(item[0]))
        elif line and not line.startswith("  "):
            deeper = ""
        lines.append(line if item or not line else deeper + line)
    return "\n".join(lines) + "\n"


def pages_of_navigation(entries: list[Any], pages: Path) -> Iterator[Any]:
    """Yield the entries of the navigation; a pattern becomes the pages that it fits."""
    for entry in entries:
        if isinstance(entry, dict):
            yield {title: list(pages_of_navigation(below, pages)) for title, below in entry.items()}
        elif "*" in entry:
            yield from sorted(page.relative_to(pages).as_posix() for page in pages.glob(entry))
        else:
            yield entry


def prepare(site: Path) -> Path:
    """Write copies of the pages into the folder *site*, with the settings of the builder, which are returned."""
    pages = site / PAGES
    shutil.rmtree(site, ignore_errors=True)
    shutil.copytree(DOCS, pages)
    (pages / "project").mkdir()
    for path in (*ROOT.glob("*.md"), *DOCS.rglob("*.md")):
        for name, text in pages_of(path):
            (pages / name).parent.mkdir(exist_ok=True)
            (pages / name).write_text(with_deeper_lists(text), encoding="utf-8")
    settings = tomllib.loads(SETTINGS.read_text(encoding="utf-8"))
    settings["project"]["nav"] = list(pages_of_navigation(settings["project"]["nav"], pages))
    file = site / SETTINGS.name
    file.write_text(tomli_w.dumps(settings), encoding="utf-8")
    return file


def main() -> int:
    """Prepare and build; anything that the builder warns of fails."""
    file = prepare(ROOT / "build" / "site")
    return subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict", "--clean", "-f", str(file)], check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
