"""Files are kept through a loss of power on Windows too, which opens no folder and syncs no file that is only read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from ratebook.book.copies import durable

if TYPE_CHECKING:
    from pathlib import Path


def test_a_file_gets_its_name_on_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, flags_of = os.open, {}

    def windows_open(path: Path, flags: int) -> int:
        if path.is_dir():
            raise PermissionError(13, "Permission denied", str(path))
        number = real(path, flags)
        flags_of[number] = flags
        return number

    def windows_fsync(number: int) -> None:
        if not flags_of[number] & os.O_RDWR:
            raise OSError(9, "Bad file descriptor")

    partial, target = tmp_path / "b.partial", tmp_path / "b"
    partial.write_bytes(b"whole")
    monkeypatch.setattr(os, "open", windows_open)
    monkeypatch.setattr(os, "fsync", windows_fsync)
    with pytest.raises(OSError, match="Bad file"):
        durable.rename_durably(str(partial), str(target))
    monkeypatch.setattr(durable, "_WINDOWS", True)
    durable.rename_durably(str(partial), str(target))
    assert target.read_bytes() == b"whole"
