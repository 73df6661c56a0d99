"""ratebook plugins: what other installed packages bring, and what of it cannot be used."""

from collections.abc import Iterator
from importlib.metadata import EntryPoint
from typing import NamedTuple

from ratebook.cli.command import command
from ratebook.cli.show import json_option, show, table
from ratebook.findings import Finding, Place, finding
from ratebook.formats.registry import checked_format
from ratebook.pages.columns import Column, Columns
from ratebook.player_lists.read import checked_list
from ratebook.plugins import ContractError, checked_findings, entry_points_of, package_of, reason_of


class InstalledPlugin(NamedTuple):
    """What a package declares by an entry point, and whether it can be used."""

    kind: str
    name: str
    package: str
    version: str
    usable: bool


COLUMNS: Columns[InstalledPlugin] = (
    Column("Kind", "kind"),
    Column("Name", "name"),
    Column("Package", "package"),
    Column("Version", "version"),
    Column("State", lambda plugin: "usable" if plugin.usable else "fails"),
)


def _check(entry: EntryPoint) -> None:
    """Load a check."""
    if not callable(entry.load()):
        raise ContractError(f"{entry.value} is no function")


def _competitor(entry: EntryPoint) -> None:
    """Load a rating system."""
    system = entry.load()
    for name in ("begin", "wait", "play"):
        if not callable(getattr(system, name, None)):
            raise ContractError(f"{entry.value}.{name} is no function")


KINDS = {
    "format": ("ratebook.formats", checked_format),
    "check": ("ratebook.checks", _check),
    "list": ("ratebook.lists", checked_list),
    "competitor": ("ratebook.competitors", _competitor),
    "findings": ("ratebook.findings", checked_findings),
}
"""The group of each kind, and what loads one of it, or raises for whatever reason it cannot be used."""


@command("plugins", json_option)
def plugins_command() -> None:
    """List what other installed packages add: formats, checks, lists, rating systems, and texts of findings.

    All are loaded. One that cannot be used gives an error that says why; commands work without it.

    Examples:
      ratebook plugins
      ratebook plugins --json
    """
    plugins: list[InstalledPlugin] = []
    failures: list[Finding] = []
    for kind, entry, failure in _loaded():
        version = "" if entry.dist is None else entry.dist.version
        plugins.append(InstalledPlugin(kind, entry.name, package_of(entry), version, failure is None))
        if failure is not None:
            place = Place(subject=f"package {package_of(entry)}")
            reason = reason_of(failure)
            failures.append(finding("plugin-failed.listed", place, kind=kind, name=entry.name, reason=reason))
    none = "No installed package brings anything."
    show("plugins", {"plugins": plugins}, table("Plug-ins", COLUMNS, plugins, none), findings=failures)


def _loaded() -> Iterator[tuple[str, EntryPoint, BaseException | None]]:
    for kind, (group, load) in KINDS.items():
        for entry in entry_points_of(group):
            try:
                load(entry)
            except (Exception, SystemExit) as failure:  # noqa: BLE001 - it is another's code
                yield kind, entry, failure
            else:
                yield kind, entry, None
