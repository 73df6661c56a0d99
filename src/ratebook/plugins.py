"""What other installed packages bring: formats, checks and texts of findings, found by their entry points."""

import os
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

from ratebook.bounded_files import bounded_bytes, bounded_text

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_ANY_GROUP = b"[ratebook."
_SEVERITIES = frozenset({"error", "warning", "note"})
_KEYS_OF_A_TEXT = ("severity", "message", "remedy", "on_page", "by", "for_sender")
_LONGEST_REASON = 200
_METADATA = (".dist-info", ".egg-info")


class ContractError(Exception):
    """What an installed package brings does not keep to the contract."""


def reason_of(failure: BaseException) -> str:
    """Return in one line why what an installed package brings has failed.

    >>> reason_of(KeyError("Rtg")), reason_of(ContractError("another format has this name"))
    ("KeyError: 'Rtg'", 'another format has this name')
    """
    text = str(failure) if isinstance(failure, ContractError) else f"{type(failure).__name__}: {failure}"
    return "".join(letter if letter.isprintable() else " " for letter in text[:_LONGEST_REASON])


@cache
def entry_points_of(group: str) -> tuple["EntryPoint", ...]:
    """Return what installed packages declare for a *group*, such as ``ratebook.formats``, by name and package."""
    if not _is_anything_declared():
        return ()
    from importlib.metadata import entry_points  # noqa: PLC0415 - a sixth of the start-up, for a package that is rare

    return tuple(sorted(entry_points(group=group), key=lambda entry: (entry.name, package_of(entry))))


def package_of(entry: "EntryPoint") -> str:
    """Return the name of the installed package that declares an entry point."""
    return "" if entry.dist is None else entry.dist.name


@cache
def declared_text(name: str) -> tuple[str, ...] | None:
    """Return what an installed package declares of a finding: the values of a `FindingText`.

    The entry point ``prefix = "package"`` of the group ``ratebook.findings`` gives a package whose ``findings.toml``
    has the codes that begin with the prefix and a hyphen.

    Raises:
        ContractError: it cannot be used.
    """
    code, _, case = name.partition(".")
    entries = entry_points_of("ratebook.findings") if "-" in code else ()
    for entry in entries:
        if code.startswith(f"{entry.name}-"):
            table = _findings_of(entry).get(code, {})
            text = table.get(case, {}) if case else table
            words = [text.get(key, "") for key in _KEYS_OF_A_TEXT]
            if (
                words[0] not in _SEVERITIES
                or not all(isinstance(word, str) for word in words)
                or not words[1]
            ):
                raise ContractError(f"its findings.toml has no severity and message of {name}")
            return tuple(words)
    return None


def checked_findings(entry: "EntryPoint") -> None:
    """Read the texts that an entry point names.

    Raises:
        ContractError: one of them cannot be used.
    """
    for code, table in _findings_of(entry).items():
        if not code.startswith(f"{entry.name}-"):
            raise ContractError(f"{code} does not begin with {entry.name}-")
        for case in [case for case, text in table.items() if isinstance(text, dict)] or [""]:
            declared_text(f"{code}.{case}" if case else code)


def _findings_of(entry: "EntryPoint") -> dict[str, Any]:
    import tomllib  # noqa: PLC0415 - start-up: only where a package brings findings

    try:
        folder = os.path.dirname(entry.load().__file__)
        return tomllib.loads(bounded_text(os.path.join(folder, "findings.toml")))
    except (Exception, SystemExit) as failure:
        raise ContractError(f"its findings.toml cannot be read: {reason_of(failure)}") from failure


def _is_anything_declared() -> bool:
    """Return whether an installed package has a group of this program's, in a tenth of the time of asking for it."""
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")
        except OSError:
            continue
        for name in names:
            if name.endswith(_METADATA) and _ANY_GROUP in _declared_in(os.path.join(folder, name)):
                return True
    return False


def _declared_in(metadata: str) -> bytes:
    try:
        return bounded_bytes(os.path.join(metadata, "entry_points.txt"))
    except OSError:
        return b""
