"""Complete tables are served as they lie in their folder, in parts and on condition, and a client copies them."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest

from ratebook.book.facts.members import canonical_ids
from ratebook.client import Client
from ratebook.office.publish.data_files import read_data_manifest, write_data
from ratebook.records.data_files import DATA_MANIFEST, TABLES
from support.web.served import app_of, asked, served

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from litestar import Litestar
    from litestar.testing import TestClient

    from ratebook.records.data_files import DataFile
    from ratebook.web.site import Site

MANIFEST = "/api/v1/data"
KEYS = {table.name: [column.name for column in table.keys] for table in TABLES}


@pytest.fixture
def client(site: Site) -> Iterator[TestClient[Litestar]]:
    with asked(site) as client:
        yield client


@pytest.fixture
def file(site: Site) -> DataFile:
    """Give the largest file."""
    assert site.data is not None
    manifest = read_data_manifest(site.data)
    assert manifest is not None
    return max(manifest.files, key=lambda file: file.bytes)


def test_a_file_is_sent_whole_in_parts_and_on_condition(
    client: TestClient[Litestar], site: Site, file: DataFile
) -> None:
    assert site.data is not None
    content, address = (site.data / file.name).read_bytes(), f"{MANIFEST}/{file.name}"
    whole = client.get(address)
    tag = whole.headers["etag"]
    assert (whole.status_code, whole.content, len(content)) == (200, content, file.bytes)
    assert whole.headers["content-length"] == str(file.bytes)
    head = client.head(address)
    assert (head.status_code, head.headers["content-length"], head.content) == (200, str(file.bytes), b"")
    assert client.get(address, headers={"if-none-match": tag}).status_code == 304
    parts: dict[str, tuple[int, bytes, str | None]] = {
        "bytes=2-4": (206, content[2:5], f"bytes 2-4/{file.bytes}"),
        "bytes=7-": (206, content[7:], f"bytes 7-{file.bytes - 1}/{file.bytes}"),
        "bytes=-3": (206, content[-3:], f"bytes {file.bytes - 3}-{file.bytes - 1}/{file.bytes}"),
        f"bytes=0-{10 * file.bytes}": (206, content, f"bytes 0-{file.bytes - 1}/{file.bytes}"),
        f"bytes={file.bytes}-": (416, b"", f"bytes */{file.bytes}"),
        "bytes=5-4": (416, b"", f"bytes */{file.bytes}"),
        "bytes=-0": (416, b"", f"bytes */{file.bytes}"),
        "bytes=-": (200, content, None),
        "bytes=0-1,3-4": (200, content, None),
        "lines=0-1": (200, content, None),
    }
    for asked_range, expected in parts.items():
        answer = client.get(address, headers={"range": asked_range})
        assert (answer.status_code, answer.content, answer.headers.get("content-range")) == expected
    other = {"range": "bytes=2-4", "if-range": '"other"'}
    assert client.get(address, headers=other).content == content
    assert client.get(address, headers=other | {"if-range": tag}).content == content[2:5]


@pytest.mark.parametrize(
    "name", [DATA_MANIFEST, "..%2Fmanifest.json", "history-2020-0123456789abcdef.csv.gz"]
)
def test_nothing_else_of_the_folder_is_sent(client: TestClient[Litestar], name: str) -> None:
    answer = client.get(f"{MANIFEST}/{name}")
    assert (answer.status_code, answer.json()["code"]) == (404, "data-unknown")


def test_a_server_without_complete_tables_says_so(site: Site, tmp_path: Path) -> None:
    for data in (None, tmp_path, tmp_path / "none"):
        with asked(site._replace(data=data)) as client:
            answer = client.get(MANIFEST)
            assert (answer.status_code, answer.json()["code"]) == (404, "data-unknown")
            assert "This server has no complete tables at the moment" in client.get("/data").text


def test_the_manifest_and_the_page_follow_the_folder_though_the_book_rests(
    own_site: Site, tmp_path: Path
) -> None:
    site = own_site._replace(data=tmp_path)
    write_data(site.book, tmp_path, ["csv"])
    with asked(site) as client:
        first = client.get(MANIFEST)
        tag = {"if-none-match": first.headers["etag"]}
        assert first.json() == json.loads((tmp_path / DATA_MANIFEST).read_text(encoding="utf-8"))
        assert client.get(MANIFEST, headers=tag).status_code == 304
        assert "ND-JSON" not in client.get("/data").text
        write_data(site.book, tmp_path, ["csv", "ndjson"])
        second = client.get(MANIFEST, headers=tag)
        assert second.json()["formats"] == ["csv", "ndjson"]
        page = client.get("/data").text
    for file in second.json()["files"]:
        assert f'href="{MANIFEST}/{file["name"]}"' in page


def test_what_a_client_has_copied_is_what_programs_read_of_each_player_and_section(
    client: TestClient[Litestar], site: Site, tmp_path: Path
) -> None:
    tables: dict[str, dict[tuple[str, ...], list[dict[str, Any]]]] = {}
    with served(app_of(site)) as address, Client(address) as copying:
        copy = copying.mirror_data(tmp_path, "ndjson")
        assert copy.fetched == len(copy.manifest.files)
        assert copying.mirror_data(tmp_path, "ndjson").fetched == 0
    for file in copy.manifest.files:
        for text in gzip.decompress((tmp_path / file.name).read_bytes()).splitlines():
            line = json.loads(text)
            about = tuple(str(line.pop(key)) for key in KEYS[file.table])
            tables.setdefault(file.table, {}).setdefault(about, []).append(line)
    with site.reading() as reader:
        members = canonical_ids(reader.connection)
    for member in members:
        history = whole(client, f"/players/{member}/history?limit=200")
        assert sorted(tables["history"].get((member,), []), key=str) == sorted(history, key=str)
        now = [line["current"] for line in client.get(f"/api/v1/players/{member}").json()["ratings"]]
        assert [line["current"] for line in tables["ratings"].get((member,), [])] == list(filter(None, now))
    for (event, section), lines in tables["standings"].items():
        address = f"/events/{event}/sections/{section}/standings"
        for system in {line["system"] for line in lines}:
            said = whole(client, f"{address}?system={system}")
            assert [line for line in lines if line["system"] == system] == said
    assert min(len(tables["standings"]), len(members)) >= 30


def whole(client: TestClient[Litestar], path: str) -> list[dict[str, Any]]:
    """Return a collection, part by part."""
    items: list[dict[str, Any]] = []
    address = f"/api/v1{path}"
    while address:
        answer = client.get(address)
        items += answer.json()["items"]
        address = answer.links["next"]["url"] if "next" in answer.links else ""
    return items
