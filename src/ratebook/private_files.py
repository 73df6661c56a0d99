"""Files that hold birth dates: their owner alone may read them, whatever the umask allows."""

import os
import stat
from pathlib import Path
from typing import BinaryIO

_FILE = 0o600
PRIVATE_FOLDER = 0o700
_NO_PROGRAM = 0o666


def make_private_file(path: str | Path) -> None:
    """Make an empty file.

    Raises:
        FileExistsError: there is something already.
        OSError: it cannot be made.
    """
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _FILE))


def open_private_file(path: Path) -> BinaryIO:
    """Open a file to be written; one that was there is emptied and keeps its rights."""
    return open(path, "wb", opener=lambda name, flags: os.open(name, flags, _FILE))


def make_private_folder(path: Path) -> None:
    """Make a folder, and those above it that are missing.

    Raises:
        FileExistsError: there is something already.
        OSError: it cannot be made.
    """
    for missing in reversed([above for above in path.parents if not above.exists()]):
        missing.mkdir(PRIVATE_FOLDER, exist_ok=True)
    path.mkdir(PRIVATE_FOLDER)


def give_rights_of(other: str | Path, path: str | Path) -> None:
    """Let those read and write a file who may read and write the *other* file or folder."""
    Path(path).chmod(stat.S_IMODE(Path(other).stat().st_mode) & _NO_PROGRAM)
