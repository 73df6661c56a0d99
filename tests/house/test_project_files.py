"""Files that tell the world about the project agree with it: versions, systems, targets of make, classifiers."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from scripts import release
from scripts.pages.places import ROOT
from trove_classifiers import classifiers as known_classifiers

import ratebook

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOW: dict[str, Any] = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))


def test_the_tests_run_on_every_python_that_is_promised_and_on_every_system() -> None:
    matrix = WORKFLOW["jobs"]["tests"]["strategy"]["matrix"]
    promised = [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)]
    assert matrix["python"] == promised
    assert PROJECT["requires-python"] == f">={promised[0]}"
    assert {name.partition("-")[0] for name in matrix["os"]} == {"ubuntu", "windows", "macos"}


def test_the_workflow_runs_targets_and_modules_that_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    commands = [step["run"] for job in WORKFLOW["jobs"].values() for step in job["steps"] if "run" in step]
    targets = [command.split()[1] for command in commands if command.startswith("make ")]
    assert targets == ["lowest", "check", "site", "looks", "soak"]
    assert all(re.search(f"^{target}:", makefile, re.MULTILINE) for target in targets)
    assert "python -m scripts.wheel_smoke" in commands
    assert (ROOT / "scripts" / "wheel_smoke.py").exists()


def test_classifiers_are_known() -> None:
    assert set(PROJECT["classifiers"]) <= set(known_classifiers)


def test_the_citation_is_of_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == ratebook.__version__
    assert citation["license"] == PROJECT["license"]


def test_templates_have_a_name_and_say_what_they_are_for() -> None:
    templates = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.md"))
    assert templates
    for path in templates:
        head = yaml.safe_load(path.read_text(encoding="utf-8").split("---")[1])
        assert head.keys() == {"name", "about", "labels"}, path.name


def test_a_release_says_what_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Of a version that no file knows, everything is."""
    monkeypatch.setattr(release, "__version__", "9.9.9")
    lacking = "\n".join(release.missing())
    assert all(words in lacking for words in ("CHANGELOG.md", "CITATION.cff", "scripts.freeze"))
    for name, text in (
        ("CHANGELOG.md", "# Changelog\n\n## 9.9.9, 2027-01-05\n"),
        ("CITATION.cff", "version: 9.9.9\ndate-released: 2027-01-05\n"),
        ("pyproject.toml", '"Development Status :: 4 - Beta"'),
        ("9.9.9.zip", ""),
    ):
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.setattr(release, "ROOT", tmp_path)
    monkeypatch.setattr(release, "RELEASES", tmp_path)
    monkeypatch.setattr(release, "git", lambda *_words: "")
    assert list(release.missing()) == []
