"""Whether compiled code can be trusted: whoever may write to its folder has it run as someone else.

Python trusts its own caches of byte code alike; those are in folders of the user or of the system.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from ratebook.findings import Finding, Place, finding

SYSTEM = 0
"""The owner of the system, who can do everything anyway."""


def findings_of_cache(place: Path, folder: Path) -> list[Finding]:
    """Return why code in the folder *place* of the cache *folder* is neither run nor kept; empty where it may be.

    No one else may own or write to them, the folders above them within the user's home, or what is in *place*.
    """
    if os.name == "nt":
        # There the rights of a profile are no bits, and others cannot write to it.
        return []
    for path, inside in _looked_at(place, folder):
        try:
            status = path.stat()
        except OSError:
            continue
        if status.st_uid not in {os.geteuid(), SYSTEM}:
            return [finding("compiled-code-not-trusted.owner", Place(file=str(path)))]
        writable = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        if writable and not inside and not status.st_mode & stat.S_ISVTX:
            return [finding("compiled-code-not-trusted.writable", Place(file=str(path)))]
    return []


def _looked_at(place: Path, folder: Path) -> Iterator[tuple[Path, bool]]:
    """Yield folders from the outermost one on, then what is *inside*, which no one reaches who may not enter."""
    place, home = place.absolute(), Path.home()
    last = home if place.is_relative_to(home) else folder.absolute().parent
    above = [folder for folder in place.parents if folder != last and folder.is_relative_to(last)]
    yield from ((path, False) for path in (*reversed(above), place))
    yield from ((path, True) for path in sorted(place.rglob("*")))
