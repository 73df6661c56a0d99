"""The snapshot of the timeline: the same rules as the TOML files, and never read when they were edited."""

from __future__ import annotations

import shutil
from pathlib import Path

from ratebook.rules.loading import parse_files, read_contents, read_files
from ratebook.rules.rulebook import read_rulebook
from ratebook.rules.snapshot import SNAPSHOT, TIMELINE, snapshot_contents


def test_the_shipped_snapshot_is_what_the_toml_files_say() -> None:
    """Run ``make docs`` where this fails."""
    files = read_files(TIMELINE)
    assert snapshot_contents(TIMELINE, files) == parse_files(files)


def test_an_edited_file_is_read_and_not_its_snapshot(tmp_path: Path) -> None:
    folder = shutil.copytree(TIMELINE, tmp_path / "timeline")
    bonus = folder / "bonus.toml"
    bonus.write_text(bonus.read_text("utf-8").replace("is = 14", "is = 15"), "utf-8")
    assert snapshot_contents(folder, read_files(folder)) is None
    assert 15 in [value.value for value in read_rulebook(folder).rules["bonus_multiplier"].values]


def test_a_missing_or_broken_snapshot_does_no_harm(tmp_path: Path) -> None:
    folder = shutil.copytree(TIMELINE, tmp_path / "timeline")
    expected = parse_files(read_files(folder))
    for content in (b"", b"\xff\xfe", b"[]", b'{"digest": 1}'):
        (folder / SNAPSHOT).write_bytes(content)
        assert read_contents(folder) == expected
    (folder / SNAPSHOT).unlink()
    assert read_contents(folder) == expected


def test_a_wheel_has_the_snapshot_alone(tmp_path: Path) -> None:
    shutil.copy(Path(TIMELINE) / SNAPSHOT, tmp_path)
    assert read_contents(tmp_path) == parse_files(read_files(TIMELINE))
