"""What is public is whole: examples pass a strict type checker, and all that functions take has a public name."""

from __future__ import annotations

import doctest
import inspect
import re
import subprocess
import sys
from textwrap import dedent
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

import pytest
from scripts.pages.places import DOCS, ROOT

import ratebook

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TYPED = ("library.md", "client.md", "notebook.md")


def code_of(page: Path) -> str:
    """Return the Python that a page shows, as one module."""
    text = page.read_text(encoding="utf-8")
    shown = re.findall(r"^```(?:python|py)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    parser = doctest.DocTestParser()
    blocks = ["".join(example.source for example in parser.get_examples(block)) or block for block in shown]
    return "\n".join(dedent(block) for block in blocks)


@pytest.mark.soak
def test_the_examples_pass_a_strict_type_checker(tmp_path: Path) -> None:
    files = []
    for name in TYPED:
        files.append(tmp_path / f"example_{name.partition('.')[0]}.py")
        files[-1].write_text(code_of(DOCS / name), encoding="utf-8")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", *map(str, files)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def classes_in(annotation: object) -> Iterator[type]:
    """Yield the classes of ratebook that an annotation names."""
    if isinstance(annotation, type) and annotation.__module__.startswith("ratebook."):
        yield annotation
    for part in get_args(annotation):
        yield from classes_in(part)


@pytest.mark.parametrize("name", [name for name in ratebook.__all__ if name != "__version__"])
def test_what_a_function_takes_and_returns_has_a_public_name(name: str) -> None:
    public: Any = getattr(ratebook, name)
    if inspect.isfunction(public):
        named = {each.__name__ for hint in get_type_hints(public).values() for each in classes_in(hint)}
        assert named <= {*ratebook.__all__}


@pytest.mark.parametrize(
    ("missing", "asked", "extra"),
    [("httpx", "import ratebook.client", "client"), ("polars", "from ratebook.replay import replay", "bulk")],
)
def test_a_library_that_is_missing_is_named_with_its_extra(missing: str, asked: str, extra: str) -> None:
    program = f"import sys; sys.modules[{missing!r}] = None; {asked}"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert f"No module named '{missing}'" in ended.stderr or f"import of {missing} halted" in ended.stderr
    assert ended.stderr.rstrip().endswith(f"pip install '.[{extra}]'")


def test_what_is_not_rated_is_an_error() -> None:
    report = ratebook.load_report(ROOT / "examples" / "open-64-players.json")
    rulebook = ratebook.load_rulebook()
    section = ratebook.rate_report(report, rulebook).sections[0]
    with pytest.raises(LookupError, match="seat 65"):
        section.after(65)
    with pytest.raises(LookupError, match="seat 65"):
        ratebook.explanation_of(section, 65, rulebook)


def test_a_report_that_cannot_be_read_is_an_error_with_its_findings() -> None:
    with pytest.raises(ratebook.InputError, match=r"end-missing.*time-control-missing") as raised:
        ratebook.load_report(ROOT / "examples" / "quad-crosstable.txt")
    assert raised.value.findings[0].severity is ratebook.Severity.ERROR
