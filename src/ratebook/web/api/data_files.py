"""Complete tables for programs: the manifest, and its files as they lie in the folder, whole or from a byte on."""

import re
from collections.abc import Iterator
from pathlib import Path

from litestar import Response
from litestar.params import FromPath
from litestar.response import Stream

from ratebook.book.failures import refused
from ratebook.bounded_files import opened_stream
from ratebook.findings import Place
from ratebook.office.publish.data_files import erasures, read_data_manifest
from ratebook.records.data_files import DATA_NAME, DataManifest
from ratebook.web.api.answers import ApiRequest, json_answer
from ratebook.web.api.routing import resource
from ratebook.web.caching import FROM_MEMORY
from ratebook.web.site import Site, TheSite

MEDIA_TYPES = {"gz": "application/gzip", "parquet": "application/vnd.apache.parquet"}
REVALIDATE = "public, max-age=0, must-revalidate"
"""What never changes may have to go."""
PART = 256 * 1024
"""Bytes that are read and sent at once."""
PARTIAL, UNCHANGED, NOT_THERE = 206, 304, 416
_RANGE = re.compile(r"bytes=([0-9]{0,15})-([0-9]{0,15})", re.ASCII)


@resource("/data")
def data(site: TheSite) -> Response[DataManifest]:
    """Complete tables of everything that is public: their columns, and the files in which they are kept."""
    manifest = manifest_of(site)
    if manifest is None:
        raise refused("data-unknown.none", Place(subject="data"))
    return json_answer(manifest)


def manifest_of(site: Site) -> DataManifest | None:
    """Return the manifest of the complete tables of a site; None where it has none, or someone was erased since."""
    manifest = None if site.data is None else read_data_manifest(site.data)
    if manifest is not None:
        with site.reading() as reader:
            if erasures(reader.connection) != manifest.erasures:
                return None
    return manifest


@resource("/data/{data_file:str}", of_bytes=True, lasting=True)
def data_file(request: ApiRequest, site: TheSite, data_file: FromPath[str]) -> Response[bytes]:
    """A file of the manifest, which never changes, whole or from a byte on."""
    if site.data is None or manifest_of(site) is None:
        raise refused("data-unknown.none", Place(subject=data_file))
    path = site.data / data_file
    if not DATA_NAME.fullmatch(data_file) or not path.is_file():
        raise refused("data-unknown.file", Place(subject=data_file))
    request.scope["state"][FROM_MEMORY] = True
    return _answer(request, path)


def _answer(request: ApiRequest, path: Path) -> Response[bytes]:
    """Return a file, or the part of it that is asked for."""
    # The name has the beginning of the hash.
    size, tag = path.stat().st_size, f'"{path.name}"'
    headers = {
        "etag": tag,
        "cache-control": REVALIDATE,
        "accept-ranges": "bytes",
        "content-disposition": f'attachment; filename="{path.name}"',
    }
    if tag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=UNCHANGED, headers=headers)
    first, end = 0, size
    wanted = _RANGE.fullmatch(request.headers.get("range", ""))
    status = 200
    if wanted and any(wanted.groups()) and request.headers.get("if-range", tag) == tag:
        first, end = _part(wanted, size)
        if first >= end:
            headers["content-range"] = f"bytes */{size}"
            return Response(b"", status_code=NOT_THERE, headers=headers)
        status = PARTIAL
        headers["content-range"] = f"bytes {first}-{end - 1}/{size}"
    headers["content-length"] = str(end - first)
    kind = MEDIA_TYPES[path.name.rpartition(".")[2]]
    return Stream(_bytes_of(path, first, end), status_code=status, headers=headers, media_type=kind)  # type: ignore[return-value] # of bytes


def _part(wanted: re.Match[str], size: int) -> tuple[int, int]:
    """Return the first byte of what is asked for, and that behind its last one.

    >>> [_part(_RANGE.fullmatch(f"bytes={wanted}"), 10) for wanted in ("2-4", "2-", "-3", "10-")]
    [(2, 5), (2, 10), (7, 10), (10, 10)]
    """
    first, last = wanted.groups()
    if not first:
        return max(0, size - int(last)), size
    return int(first), min(size, int(last) + 1) if last else size


def _bytes_of(path: Path, first: int, end: int) -> Iterator[bytes]:
    with opened_stream(path) as file:
        file.seek(first)
        while first < end and (part := file.read(min(PART, end - first))):
            first += len(part)
            yield part
