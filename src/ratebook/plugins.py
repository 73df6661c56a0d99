"""What other installed packages bring: formats, checks and texts of findings, found by their entry points."""

import os
import sys
from functools import cache
from typing import TYPE_CHECKING

from ratebook.bounded_files import bounded_bytes

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_ANY_GROUP = b"[ratebook."
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
