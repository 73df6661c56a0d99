"""Writing a report's files: each appears whole or not at all, under the target and nowhere else.

One file goes to the target itself; several go into a zip archive (target ``*.zip``) or a folder. Devices and pipes are
written to and never replaced; behind a link, the file that it leads to is replaced.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from ratebook.cli.show import fail
from ratebook.findings import Finding, Place, finding
from ratebook.private_files import give_rights_of
from ratebook.unfinished_files import unfinished_file

UNFINISHED = ".unfinished"
ZIP_SUFFIX = ".zip"
ZIP_DAY = (1980, 1, 1, 0, 0, 0)
"""The day of every member, so that the same report gives the same bytes (no clock below the command line)."""


def write_files(
    files: Mapping[str, bytes], target: Path, *, overwrite: bool = False, private: bool = False
) -> Finding | None:
    """Write *files* to *target*; return a finding where that cannot be done, and leave nothing half-written.

    Several, by plain names, go into a folder or a ``.zip`` archive. Without *overwrite*, a file that is there is a
    finding; a new *private* one only the user may read.
    """
    try:
        if target.suffix.lower() == ZIP_SUFFIX:
            places = {target: zipped(files)}
        elif len(files) == 1 and not target.is_dir():
            places = {target: next(iter(files.values()))}
        elif target.exists() and not target.is_dir():
            return exists_already(target)
        else:
            places = {target / Path(name).name: data for name, data in files.items()}
        taken = None if overwrite else next((place for place in places if place.is_file()), None)
        if taken is not None:
            return exists_already(taken)
        if target not in places:
            target.mkdir(0o700 if private else 0o777, exist_ok=True)
        for place, data in places.items():
            _put(data, place, private=private)
    except OSError as failure:
        return unwritable(target, failure)
    return None


def write_or_fail(
    files: Mapping[str, bytes], target: Path, *, overwrite: bool = False, private: bool = False
) -> None:
    """Write *files* as `write_files` does; a finding and exit status 1 where that cannot be done."""
    if (refused := write_files(files, target, overwrite=overwrite, private=private)) is not None:
        fail([refused])


def unwritable(target: object, failure: OSError) -> Finding:
    """Return the finding that *target* cannot be written."""
    return finding(
        "output-unwritable.unwritable", Place(file=str(target)), reason=failure.strerror or str(failure)
    )


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return *files* as a zip archive."""
    import io  # noqa: PLC0415 - start-up: only archives need it
    import zipfile  # noqa: PLC0415 - start-up: only archives need it

    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, ZIP_DAY), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def exists_already(target: Path) -> Finding:
    """Return the finding that *target* is there already."""
    return finding("output-exists.file", Place(file=str(target)))


def _put(data: bytes, target: Path, *, private: bool) -> None:
    """Write *data* to *target*: a file appears whole or not at all, anything else takes it as it comes."""
    if target.exists() and not target.is_file():
        with target.open("wb") as stream:
            stream.write(data)
    else:
        _replace(data, target.resolve(), private=private)


def _replace(data: bytes, target: Path, *, private: bool) -> None:
    """Write beside the target and rename: readers see the old file or the new one, never a part."""
    with unfinished_file(target, UNFINISHED, hidden=".") as temporary:
        with temporary.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        # Temporary files are private.
        if target.exists():
            give_rights_of(target, temporary)
        elif not private:
            mask = os.umask(0)
            os.umask(mask)
            temporary.chmod(0o666 & ~mask)
        temporary.replace(target)
