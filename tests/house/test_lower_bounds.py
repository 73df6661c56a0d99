"""Lower bounds are declared for all direct dependencies; `make lowest` installs exactly these."""

from __future__ import annotations

from pathlib import Path

import pytest
from scripts import lowest_versions
from scripts.pages.places import ROOT


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdecimal())


def test_every_dependency_has_one_lower_bound_and_a_pinned_version_that_satisfies_it() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").lower().replace("_", "-").split()
    pinned = dict(line.split("==") for line in lines)
    lowest = lowest_versions.lowest_versions()
    assert {"click", "litestar", "polars", "httpx", "scipy", "distributed", "psycopg"} <= lowest.keys()
    assert not {name: lower for name, lower in lowest.items() if numbers(pinned[name]) < numbers(lower)}


def test_the_constraints_name_the_lowest_versions(tmp_path: Path) -> None:
    lowest_versions.main(str(tmp_path / "build" / "lowest.txt"))
    lines = (tmp_path / "build" / "lowest.txt").read_text(encoding="utf-8").splitlines()
    assert lines == sorted(lines)
    assert "argon2-cffi==23.1" in lines
    assert not [line for line in lines if line.startswith(("pytest", "ratebook"))]


@pytest.mark.parametrize(
    ("base", "words"), [('["click"]', "has no lower bound"), ('["a>=1", "a>=2"]', "two lower bounds")]
)
def test_a_missing_or_contradictory_bound_is_an_error(
    base: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"[project]\ndependencies = {base}\noptional-dependencies = {{}}\n"
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(lowest_versions, "ROOT", tmp_path)
    with pytest.raises(ValueError, match=words):
        lowest_versions.lowest_versions()
