"""Writes a constraints file of the lowest versions that ratebook declares (`make lowest`).

    python -m scripts.lowest_versions FILE

The tools of the project are not in it: only what `pip install ratebook[all]` may bring.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

from scripts.pages.places import ROOT

REQUIREMENT = re.compile(r"(?P<name>[a-z0-9-]+)(?:\[[a-z,]+\])?>=(?P<version>[0-9.]+)")


def lowest_versions() -> dict[str, str]:
    """Return the lowest version of each direct dependency, of the base and of all extras for users.

    Raises:
        ValueError: a dependency has no lower bound, or has two.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    versions: dict[str, str] = {}
    lines = [line for group in (project["dependencies"], *extras.values()) for line in group]
    for requirement in (line for line in lines if not line.startswith("ratebook[")):
        bound = REQUIREMENT.fullmatch(requirement)
        if bound is None:
            raise ValueError(f"{requirement!r} has no lower bound")
        if versions.setdefault(bound["name"], bound["version"]) != bound["version"]:
            raise ValueError(f"{bound['name']} has two lower bounds")
    return versions


def main(file: str) -> None:
    """Write the constraints file."""
    place = Path(file)
    place.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"{name}=={version}\n" for name, version in sorted(lowest_versions().items())]
    place.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
