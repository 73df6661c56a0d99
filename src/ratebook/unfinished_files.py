"""Files that are whole, and kept through a loss of power, or not there at all.

They are made beside their place until they are whole; the next of their kind removes what a kill has left. The program
that makes one locks it as long as it works, and the system unlocks what a killed program had: what is not locked
belongs to no one. Windows has no such locks; there, nothing that others have left is removed.
"""

import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ratebook.private_files import open_private_file

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows
    fcntl = None  # type: ignore[assignment]

_WINDOWS = os.name == "nt"
"""Windows stores the names in a folder by itself, and needs a file that is open for writing."""

PARTIAL = ".partial"
"""Ends the name of what is not complete yet."""

_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_")
_COUNT = 8
"""Letters of a name that Python's `tempfile` gives, and how many."""

_OF_SQLITE = ("", "-wal", "-shm", "-journal")
"""What SQLite keeps beside a file."""


@contextmanager
def unfinished_file(target: str | Path, ending: str, hidden: str = "") -> Iterator[Path]:
    """Give an empty file beside *target* that no other program has, readable by its owner alone.

    Its name is that of the target, some letters and the *ending*, after a dot where it is *hidden*. At the end it is
    removed, unless it has its own name by then.

    Raises:
        OSError: it cannot be made.
    """
    place = Path(target)
    prefix = f"{hidden}{place.name}."
    remove_abandoned(place.parent, prefix, ending)
    while True:
        number, path = tempfile.mkstemp(prefix=prefix, suffix=ending, dir=place.parent)
        if _is_locked(number, path):
            break
        os.close(number)
    try:
        yield Path(path)
    finally:
        _remove(path)
        os.close(number)


@contextmanager
def unfinished_folder(target: str | Path, ending: str) -> Iterator[Path]:
    """Give an empty folder beside *target*, as `unfinished_file` gives a file.

    Raises:
        OSError: it cannot be made.
    """
    place = Path(target)
    prefix = f"{place.name}."
    remove_abandoned(place.parent, prefix, ending)
    while True:
        path = tempfile.mkdtemp(prefix=prefix, suffix=ending, dir=place.parent)
        if fcntl is None:
            number = None
            break
        number = os.open(path, os.O_RDONLY)
        if _is_locked(number, path):
            break
        os.close(number)
    try:
        yield Path(path)
    finally:
        _remove(path)
        if number is not None:
            os.close(number)


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Let no other program that asks for it work in a *folder*.

    Raises:
        BlockingIOError: another one does.
        OSError: there is no such folder.
    """
    if fcntl is None:
        yield
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(number)


def remove_abandoned(folder: Path, prefix: str, ending: str) -> None:
    """Remove what killed programs of this user have left in a *folder*, under names of this kind."""
    if fcntl is None:
        return
    with suppress(OSError):
        for name in os.listdir(folder):  # noqa: PTH208 - names alone
            letters = name[len(prefix) : len(name) - len(ending)]
            if name == f"{prefix}{letters}{ending}" and len(letters) == _COUNT and set(letters) <= _LETTERS:
                _remove_if_abandoned(str(folder / name))


def _remove_if_abandoned(path: str) -> None:
    with suppress(OSError):
        number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            state = os.fstat(number)
            if state.st_uid != os.geteuid() or not (
                stat.S_ISREG(state.st_mode) or stat.S_ISDIR(state.st_mode)
            ):
                return
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(path)
        finally:
            os.close(number)


def _is_locked(number: int, path: str) -> bool:
    """Lock what was just made; return whether it is there still, and no one took it for abandoned before that."""
    if fcntl is None:
        return True
    with suppress(OSError):
        # Not every file system has locks.
        fcntl.flock(number, fcntl.LOCK_EX)
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(number), os.stat(path))  # noqa: PTH116 - of a descriptor and a name
    return False


def _remove(path: str) -> None:
    shutil.rmtree(path, ignore_errors=True)
    for ending in _OF_SQLITE:
        with suppress(OSError):
            Path(path + ending).unlink(missing_ok=True)


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
