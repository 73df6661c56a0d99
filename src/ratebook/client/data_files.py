"""A copy of the complete tables of a server in a folder: only what changed is fetched, and everything is verified."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import msgspec

from ratebook.bounded_files import sha256_of
from ratebook.client.connection import NOT_OF_RATINGS, ServerConnection, no_answer
from ratebook.records.data_files import DATA_FORMAT, DATA_MANIFEST, DATA_NAME, DataFile, DataManifest

PARTIAL = ".partial"
"""Ends the name of a file that is not complete yet."""
NOT_THE_FILE = "This is not the file that the manifest names"


class DataCopy(NamedTuple):
    """What a folder has: the manifest with the files that are there, and how many files and bytes were fetched."""

    manifest: DataManifest
    fetched: int
    bytes: int


def no_progress(done: int, total: int) -> None:
    """Do nothing."""
    del done, total


def mirror_data(
    server: ServerConnection,
    manifest: DataManifest,
    folder: Path,
    form: str | None,
    progress: Callable[[int, int], object],
) -> DataCopy:
    """Bring a folder to what the *manifest* of a server says, as `ratebook.client.Client.mirror_data` does.

    Raises:
        ServerError: the server refuses, does not answer, or does not have what its manifest says.
        OSError: the folder cannot be written.
    """
    form = form or next(iter(manifest.formats), "")
    files = tuple(file for file in manifest.files if file.format == form)
    _require_sound(manifest, files, form)
    folder.mkdir(exist_ok=True)
    total = sum(file.bytes for file in files)
    bytes_so_far = fetched = received = 0
    for file in files:
        progress(bytes_so_far, total)
        if sha256_of(folder / file.name) != file.sha256:
            received += _fetch(server, file, folder, _behind(progress, bytes_so_far, total))
            fetched += 1
        bytes_so_far += file.bytes
    progress(bytes_so_far, total)
    copied = replace(manifest, formats=(form,), files=files)
    beside = folder / f"{DATA_MANIFEST}{PARTIAL}"
    beside.write_bytes(msgspec.json.encode(copied))
    beside.replace(folder / DATA_MANIFEST)
    named = {file.name for file in files}
    for path in folder.iterdir():
        name = path.name.removesuffix(PARTIAL)
        if DATA_NAME.fullmatch(name) and name not in named:
            path.unlink()
    return DataCopy(copied, fetched, received)


def _behind(progress: Callable[[int, int], object], done: int, total: int) -> Callable[[int], object]:
    """Return what is told the bytes of a file where so many of others are *done*."""
    return lambda there: progress(done + there, total)


def _require_sound(manifest: DataManifest, files: Sequence[DataFile], form: str) -> None:
    """Refuse a manifest of another version, one without the format, and names that are none of complete tables."""
    if manifest.format != DATA_FORMAT:
        raise no_answer(NOT_OF_RATINGS, "/data", f"Its manifest is of the format {manifest.format}.")
    if form not in manifest.formats:
        offered = ", ".join(manifest.formats)
        raise no_answer("The server does not have this format", "/data", f"It has {offered or 'none'}.")
    for file in files:
        if not DATA_NAME.fullmatch(file.name):
            raise no_answer(NOT_OF_RATINGS, "/data", f"Its manifest names a file {file.name}.")


def _fetch(server: ServerConnection, file: DataFile, folder: Path, progress: Callable[[int], object]) -> int:
    """Fetch a file, or what is missing of it, and return how many bytes were sent."""
    path = folder / file.name
    partial = path.with_name(file.name + PARTIAL)
    with partial.open("ab") as stream:
        first = stream.tell()
        if first >= file.bytes:
            first = stream.seek(0)
            stream.truncate()
        received = 0

        def take(goes_on: bool, part: bytes) -> None:  # noqa: FBT001 - of a connection
            nonlocal received
            if not received and not goes_on:
                stream.seek(0)
                stream.truncate()
            received += len(part)
            if stream.tell() + len(part) > file.bytes:
                raise no_answer(NOT_THE_FILE, file.name, "It is longer.")
            stream.write(part)
            progress(stream.tell())

        server.stream(f"/data/{file.name}", first, take)
        is_whole = stream.tell() == file.bytes
    if not is_whole:
        raise no_answer("The server broke off", file.name, "The file is not complete.")
    if sha256_of(partial) != file.sha256:
        partial.unlink()
        raise no_answer(NOT_THE_FILE, file.name, "Its SHA-256 differs.")
    partial.replace(path)
    return received
