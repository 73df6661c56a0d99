"""Makes a release as far as that needs no public account (`make release`, after `make check`).

What a version says of itself must agree, and what it promises to read must be kept. Then the packages are built,
checked and tried, and a tag is made, which is pushed by hand.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator

from scripts.freeze import RELEASES
from scripts.pages.places import ROOT

from ratebook import __version__

BUILT = ROOT / "build" / "release"
BY_HAND = "## What a release still needs by hand\n"


def main() -> int:
    """Make the release; return 1 where something is missing."""
    lacking = list(missing())
    if lacking:
        print(f"{__version__} cannot be released yet:", *(f"* {line}" for line in lacking), sep="\n")
        return 1
    shutil.rmtree(BUILT, ignore_errors=True)
    python = (sys.executable, "-m")
    for words in (
        (*python, "build", "--no-isolation", "--outdir", str(BUILT), str(ROOT)),
        (*python, "twine", "check", "--strict", str(BUILT / "*")),
        (*python, "scripts.wheel_smoke"),
        ("git", "tag", "--annotate", tag(), "--message", f"ratebook {__version__}"),
    ):
        if subprocess.run(words, cwd=ROOT, check=False).returncode:
            return 1
    print(f"{tag()} is tagged here, and its packages are in {BUILT.relative_to(ROOT)}. By hand:")
    print((ROOT / "CONTRIBUTING.md").read_text("utf-8").partition(BY_HAND)[2].partition("\n## ")[0])
    print(f"git push origin {tag()}, and twine upload {BUILT.relative_to(ROOT)}/*")
    return 0


def missing() -> Iterator[str]:
    """Yield what is to be done before the version can be released."""
    part = re.search(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    if part is None or not re.fullmatch(rf"{re.escape(__version__)}, \d{{4}}-\d\d-\d\d", part[1]):
        yield f"The first part of CHANGELOG.md is not called {__version__} and a day."
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    if not re.search(rf"^version: {re.escape(__version__)}\ndate-released: ", citation, re.MULTILINE):
        yield f"CITATION.cff has not version: {__version__} and date-released."
    if not (RELEASES / f"{__version__}.zip").exists():
        yield "What it promises to read is not kept: PYTHONPATH=tests python -m scripts.freeze."
    if (
        "4 - Beta" not in (project := (ROOT / "pyproject.toml").read_text("utf-8"))
        and "5 - Prod" not in project
    ):
        yield "pyproject.toml calls it an alpha."
    if git("tag", "--list", tag()):
        yield f"{tag()} is tagged already; set another version in src/ratebook/__init__.py."
    if git("status", "--porcelain"):
        yield "Some changes are not committed."


def tag() -> str:
    """Return the name of the version's tag."""
    return f"v{__version__}"


def git(*words: str) -> str:
    """Return what git says of the checkout."""
    return subprocess.run(("git", *words), cwd=ROOT, check=True, capture_output=True, text=True).stdout  # noqa: S607 - whichever git there is


if __name__ == "__main__":
    sys.exit(main())
