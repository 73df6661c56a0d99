"""Files that are whole and kept through a loss of power, or not there at all."""

import os
from pathlib import Path

_WINDOWS = os.name == "nt"
"""Windows keeps the names in a folder by itself, and asks for a file that is open for writing."""

PARTIAL = ".partial"
"""Ends the name of what is not complete yet; it can be deleted."""


def write_durably(path: Path, content: bytes) -> None:
    """Write a file and have the disk keep it."""
    with path.open("wb") as file:
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
    """Give a complete file its name."""
    make_durable(Path(partial))
    Path(partial).replace(target)
    make_durable(Path(target).absolute().parent)
