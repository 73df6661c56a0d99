"""What a killed program has left beside its place is removed by the next of its kind, and nothing else is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from ratebook import unfinished_files
from ratebook.book.connection import Actor, open_book
from ratebook.book.profile import Profile
from ratebook.cli.output_files import write_files
from ratebook.office.copies.backup import backup, restore
from ratebook.office.copies.export import export_book
from ratebook.office.creation import create_book
from ratebook.unfinished_files import unfinished_file, unfinished_folder

if TYPE_CHECKING:
    from pathlib import Path

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
KILLED = """
import os, signal, sys
from pathlib import Path
from ratebook.book.connection import Actor, open_book
from ratebook.cli import output_files
from ratebook.office.copies import backup
from ratebook.office.copies.export import export_book
actor = Actor("office", "2026-11-20T12:00:00Z")
def killed(*_):
    os.kill(os.getpid(), signal.SIGKILL)
work = sys.argv[1]
if work == "backup":
    backup.backup(open_book("league.book"), "copy.book", actor, killed)
elif work == "restore":
    backup.verify = killed
    backup.restore("kept.book", "league.book", actor)
elif work == "export":
    export_book(open_book("league.book"), "export", killed)
else:
    output_files.os.fsync = killed
    output_files.write_files({"report.json": b"{}"}, Path("report.json"))
"""


@pytest.mark.long
def test_what_killed_commands_have_left_goes_with_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with closing(create_book("league.book", Profile(), ACTOR)) as book:
        backup(book, "kept.book", ACTOR)
        kept = {"league.book", "kept.book"}
        for work, again in (
            ("backup", lambda: backup(book, "copy.book", ACTOR)),
            ("restore", lambda: restore("kept.book", "league.book", ACTOR)),
            ("export", lambda: export_book(book, "export")),
            ("write", lambda: write_files({"report.json": b"{}"}, tmp_path / "report.json")),
        ):
            before = names(tmp_path)
            for _ in range(2):
                ended = subprocess.run([sys.executable, "-c", KILLED, work], check=False)
                assert ended.returncode == -signal.SIGKILL
            # The second one has removed what the first one left.
            (left,) = {one for one in names(tmp_path) - before if not one.endswith(("-wal", "-shm"))}
            assert left.endswith((".partial", ".restoring", ".unfinished"))
            again()
            assert left not in names(tmp_path)
    assert names(tmp_path) == kept | {"copy.book", "export", "report.json"}
    with closing(open_book("league.book")):
        pass


def names(folder: Path) -> set[str]:
    """Return the names in a folder, without what SQLite keeps beside the open book."""
    return {one for one in os.listdir(folder) if one not in {"league.book-wal", "league.book-shm"}}  # noqa: PTH208 - names alone


def test_what_is_in_use_or_is_no_ones_leftover_stays(tmp_path: Path) -> None:
    place = tmp_path / "copy.book"
    others = [
        "copy.book.partial",
        "copy.book.UPPERCAS.partial",
        "copy.book.toolong99.partial",
        "copy.book.a.b.partial",
    ]
    for name in others:
        (tmp_path / name).touch()
    with unfinished_file(place, ".partial") as first, unfinished_folder(place, ".partial") as second:
        with unfinished_file(place, ".partial") as third:
            assert first.exists()
            assert second.is_dir()
            assert third.exists()
        assert not third.exists()
    assert names(tmp_path) == set(others)


def test_what_has_its_name_by_then_stays(tmp_path: Path) -> None:
    with unfinished_file(tmp_path / "copy.book", ".partial") as path:
        path.write_bytes(b"whole")
        path.rename(tmp_path / "copy.book")
    assert (tmp_path / "copy.book").read_bytes() == b"whole"
    assert names(tmp_path) == {"copy.book"}


def test_a_file_gets_its_name_on_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows opens no folder, and syncs no file that is only read."""
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
        unfinished_files.rename_durably(str(partial), str(target))
    monkeypatch.setattr(unfinished_files, "_WINDOWS", True)
    unfinished_files.rename_durably(str(partial), str(target))
    assert target.read_bytes() == b"whole"
