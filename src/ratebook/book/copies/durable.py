"""Files that are whole and kept through a loss of power, or not there at all."""

import os
from pathlib import Path

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
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def rename_durably(partial: str, target: str) -> None:
    """Give a complete file its name."""
    make_durable(Path(partial))
    Path(partial).replace(target)
    make_durable(Path(target).absolute().parent)
