"""Sources are bounded and stay in their folder; outputs appear whole or not at all."""

from __future__ import annotations

import io
import os
import shutil
import socket
import stat
import tracemalloc
import zipfile
from typing import TYPE_CHECKING

import pytest

from ratebook.cli.output_files import write_files
from ratebook.formats import archive as archives
from ratebook.formats import source as sources
from ratebook.formats.archive import SourceError, SourceFile
from ratebook.formats.source import read_source, source_of_bytes

if TYPE_CHECKING:
    from pathlib import Path


def zip_of(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


def test_a_file_a_folder_and_an_archive_are_the_same_source(tmp_path: Path) -> None:
    members = {"THEXPORT.DBF": b"header", "TSEXPORT.DBF": b"sections"}
    folder = tmp_path / "event"
    folder.mkdir()
    for name, data in members.items():
        (folder / name).write_bytes(data)
    (folder / ".hidden").write_bytes(b"not read")
    (folder / "sub").mkdir()
    shutil.copytree(folder, tmp_path / "below" / "event")
    packed = tmp_path / "event.zip"
    packed.write_bytes(zip_of({f"event/{name}": data for name, data in members.items()}))
    expected = tuple(SourceFile(name, data) for name, data in members.items())
    assert read_source(folder).files == expected
    assert read_source(tmp_path / "below").files == expected
    assert read_source(packed).files == expected
    assert read_source(folder / "THEXPORT.DBF").files == expected[:1]


@pytest.mark.parametrize("member", ["../outside", "/etc/passwd", "a/../../b", "..\\outside", "C:\\outside"])
def test_an_archive_with_a_path_outside_its_folder_is_refused(member: str) -> None:
    with pytest.raises(SourceError) as caught:
        source_of_bytes(zip_of({member: b"x"}), "event.zip")
    assert caught.value.finding.code == "zip-path-outside"


def test_a_zip_bomb_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_BYTES", 1_000_000)
    bomb = zip_of({"a": b"\0" * 900_000, "b": b"\0" * 900_000})
    assert len(bomb) < 10_000
    with pytest.raises(SourceError) as caught:
        source_of_bytes(bomb, "bomb.zip")
    assert caught.value.finding.code == "source-too-large"


@pytest.mark.parametrize("member", ["report.json", "xl/workbook.xml"])
@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_packings_that_cannot_be_unpacked_within_bounds_are_refused(method: int, member: str) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        archive.writestr(member, b" " * 8_000_000)
    tracemalloc.start()
    with pytest.raises(SourceError) as caught:
        source_of_bytes(out.getvalue(), "bomb.zip")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert caught.value.finding.code == "zip-unreadable"
    assert most < 4_000_000


def test_an_archive_of_too_many_files_is_refused() -> None:
    with pytest.raises(SourceError) as caught:
        source_of_bytes(zip_of({f"{number}": b"" for number in range(1_001)}), "many.zip")
    assert caught.value.finding.code == "source-too-large"


def test_a_broken_archive_is_a_finding() -> None:
    whole = zip_of({"report.json": b"{}" * 500})
    for broken in (whole[:40], whole[:-10], b"PK\x03\x04", whole[:60] + b"\xff" * 10 + whole[70:]):
        with pytest.raises(SourceError) as caught:
            source_of_bytes(broken, "broken.zip")
        assert caught.value.finding.code == "zip-unreadable"


def test_a_file_beyond_the_bound_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MOST_BYTES", 10)
    large = tmp_path / "large.json"
    large.write_bytes(b"x" * 11)
    for path in (large, tmp_path):
        with pytest.raises(SourceError) as caught:
            read_source(path)
        assert caught.value.finding.code == "source-too-large"


def test_what_is_not_there_is_a_finding(tmp_path: Path) -> None:
    with pytest.raises(SourceError) as caught:
        read_source(tmp_path / "missing.json")
    assert caught.value.finding.code == "file-unreadable"


def test_one_file_is_written_to_its_target_and_replaced_only_on_demand(tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    assert write_files({"any.json": b"one"}, target) is None
    refused = write_files({"any.json": b"two"}, target)
    assert refused is not None
    assert refused.code == "output-exists"
    assert target.read_bytes() == b"one"
    assert write_files({"any.json": b"two"}, target, overwrite=True) is None
    assert target.read_bytes() == b"two"
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]
    assert stat.S_IMODE(target.stat().st_mode) == 0o666 & ~current_mask()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
@pytest.mark.parametrize("overwrite", [False, True])
def test_a_pipe_is_written_to_and_never_replaced(tmp_path: Path, overwrite: bool) -> None:  # noqa: FBT001 - a parameter of the test
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # Opened for reading and writing, a pipe waits for nobody.
    reader = os.open(pipe, os.O_RDWR)
    try:
        assert write_files({"any.json": b"new"}, pipe, overwrite=overwrite) is None
        assert os.read(reader, 100) == b"new"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def test_what_is_no_file_and_takes_nothing_is_a_finding_and_stays(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        refused = write_files({"any.json": b"new"}, tmp_path / "socket", overwrite=True)
        assert refused is not None
        assert refused.code == "output-unwritable"
        assert stat.S_ISSOCK((tmp_path / "socket").stat().st_mode)


def test_behind_a_link_the_file_is_replaced_and_the_link_stays(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "report.json").write_bytes(b"old")
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "real" / "report.json")
    refused = write_files({"any.json": b"new"}, link)
    assert refused is not None
    assert refused.code == "output-exists"
    assert write_files({"any.json": b"new"}, link, overwrite=True) is None
    assert link.is_symlink()
    assert (tmp_path / "real" / "report.json").read_bytes() == b"new"
    assert [path.name for path in (tmp_path / "real").iterdir()] == ["report.json"]


def current_mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_several_files_go_into_a_folder_or_an_archive(tmp_path: Path) -> None:
    files = {"THEXPORT.DBF": b"header", "TSEXPORT.DBF": b"sections"}
    assert write_files(files, tmp_path / "event") is None
    assert write_files(files, tmp_path / "event.zip") is None
    assert {path.name: path.read_bytes() for path in (tmp_path / "event").iterdir()} == files
    assert {file.name: file.data for file in read_source(tmp_path / "event.zip").files} == files
    refused = write_files(files, tmp_path / "event")
    assert refused is not None
    assert refused.code == "output-exists"


def test_a_name_cannot_lead_out_of_the_target(tmp_path: Path) -> None:
    folder = tmp_path / "event"
    assert write_files({"../outside": b"x", "inside": b"y"}, folder) is None
    assert sorted(path.name for path in folder.iterdir()) == ["inside", "outside"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["event"]


def test_a_failed_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    target = tmp_path / "report.json"
    target.write_bytes(b"old")
    refused = write_files({"any.json": b"new"}, target, overwrite=True)
    assert refused is not None
    assert refused.code == "output-unwritable"
    assert target.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]


def test_a_place_that_cannot_be_written_is_a_finding(tmp_path: Path) -> None:
    refused = write_files({"a": b"x"}, tmp_path / "missing" / "report.json")
    assert refused is not None
    assert refused.code == "output-unwritable"
