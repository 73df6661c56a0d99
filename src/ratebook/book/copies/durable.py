"""Files that are whole and kept through a loss of power, or not there at all."""

import errno
import os
from pathlib import Path

from ratebook.private_files import open_private_file

_WINDOWS = os.name == "nt"
"""Windows stores the names in a folder by itself, and needs a file that is open for writing."""

PARTIAL = ".partial"
"""Ends the name of what is not complete yet."""


def write_durably(path: Path, content: bytes) -> None:
    """Write a file that only its owner may read, and have the disk keep it."""
    with open_private_file(path) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def make_durable(path: Path) -> None:
    """Have the disk keep a file, or the names in a folder."""
    if _WINDOWS and path.is_dir():
        return
    number = os.open(path, os.O_RDWR if _WINDOWS else os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def rename_durably(partial: str, target: str) -> None:
    """Give a complete file its name.

    Raises:
        FileExistsError: something has that name.
    """
    make_durable(Path(partial))
    try:
        # Renaming would replace what has appeared there, except on Windows.
        os.link(partial, target)
        Path(partial).unlink()
    except FileExistsError:
        raise
    except OSError:
        # Not every file system has links.
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target) from None
        Path(partial).rename(target)
    make_durable(Path(target).absolute().parent)
