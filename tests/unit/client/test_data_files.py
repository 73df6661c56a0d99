"""A copy of complete tables: only what changed is fetched, and nothing is taken on trust."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import httpx
import msgspec
import pytest

from ratebook.client import Client, ServerError
from ratebook.records.data_files import DATA_FORMAT, DATA_MANIFEST, DataFile, DataManifest

if TYPE_CHECKING:
    from pathlib import Path

PAGES = {"history": b"1" * 5_000, "standings": b"2" * 3_000}


class Tables(httpx.BaseTransport):
    """A server with files of two tables, and what it was asked for; it may break off, or send something else."""

    def __init__(self) -> None:
        self.contents = dict(PAGES)
        self.sent: dict[str, bytes] = {}
        self.breaks_off_at = 0
        self.knows_ranges = True
        self.named = ""
        self.asked: list[tuple[str, str]] = []

    def file(self, table: str) -> DataFile:
        content = self.contents[table]
        digest = hashlib.sha256(content).hexdigest()
        name = self.named or f"{table}-2026-{digest[:16]}.csv.gz"
        return DataFile(
            name=name, table=table, year="2026", format="csv", rows=1, bytes=len(content), sha256=digest
        )

    def manifest(self) -> DataManifest:
        return DataManifest(
            format=DATA_FORMAT,
            federation="Example Federation",
            revision=7,
            newest_list=None,
            rules="",
            erasures=0,
            formats=("csv",),
            tables=(),
            files=tuple(map(self.file, self.contents)),
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        name, asked = request.url.path.rpartition("/")[2], request.headers.get("range", "")
        if name == "data":
            return httpx.Response(200, stream=httpx.ByteStream(msgspec.json.encode(self.manifest())))
        self.asked.append((name.partition("-")[0], asked))
        table = next(table for table in self.contents if self.file(table).name == name)
        content = self.sent.get(table, self.contents[table])
        first = int(asked[6:-1]) if asked and self.knows_ranges else 0
        part = content[first : self.breaks_off_at or None]
        return httpx.Response(206 if first else 200, stream=httpx.ByteStream(part))


@pytest.fixture
def server() -> Tables:
    return Tables()


@pytest.fixture
def client(server: Tables) -> Client:
    return Client("https://ratings.example.org", transport=server)


def there(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != DATA_MANIFEST}


def test_only_what_changed_is_fetched_and_what_is_gone_goes(
    server: Tables, client: Client, tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    steps: list[tuple[int, int]] = []
    copy = client.mirror_data(tmp_path, progress=lambda done, total: steps.append((done, total)))
    assert (copy.fetched, copy.bytes) == (2, 8_000)
    assert steps[0] == (0, 8_000)
    assert steps[-1] == (8_000, 8_000)
    assert steps == sorted(steps)
    server.contents["history"] = b"3" * 100
    assert client.mirror_data(tmp_path).fetched == 1
    assert client.mirror_data(tmp_path).fetched == 0
    assert sorted(there(tmp_path).values()) == [PAGES["standings"], b"3" * 100, b"mine"]
    assert [table for table, _ in server.asked] == ["history", "standings", "history"]
    assert (
        msgspec.json.decode((tmp_path / DATA_MANIFEST).read_bytes(), type=DataManifest) == server.manifest()
    )


def test_what_was_broken_off_goes_on(server: Tables, client: Client, tmp_path: Path) -> None:
    server.breaks_off_at = 2_000
    with pytest.raises(ServerError, match="not complete"):
        client.mirror_data(tmp_path)
    assert not (tmp_path / DATA_MANIFEST).exists()
    server.breaks_off_at = 0
    copy = client.mirror_data(tmp_path)
    assert (copy.fetched, copy.bytes) == (2, 3_000 + 3_000)
    assert server.asked == [("history", ""), ("history", "bytes=2000-"), ("standings", "")]
    assert sorted(there(tmp_path).values()) == sorted(PAGES.values())


def test_a_server_without_ranges_begins_again(server: Tables, client: Client, tmp_path: Path) -> None:
    server.breaks_off_at, server.knows_ranges = 2_000, False
    with pytest.raises(ServerError):
        client.mirror_data(tmp_path)
    server.breaks_off_at = 0
    assert client.mirror_data(tmp_path).bytes == 8_000
    assert sorted(there(tmp_path).values()) == sorted(PAGES.values())


@pytest.mark.parametrize("content", [b"1" * 4_999 + b"0", b"1" * 6_000])
def test_what_is_not_the_file_of_the_manifest_is_refused(
    server: Tables, client: Client, tmp_path: Path, content: bytes
) -> None:
    server.sent["history"] = content
    for _ in range(2):
        with pytest.raises(ServerError, match=r"differs|longer"):
            client.mirror_data(tmp_path)
        assert not {name for name in there(tmp_path) if name.endswith(".gz")}
    assert not (tmp_path / DATA_MANIFEST).exists()
    server.sent.clear()
    client.mirror_data(tmp_path)
    assert sorted(there(tmp_path).values()) == sorted(PAGES.values())


def test_a_file_that_was_damaged_is_fetched_again(server: Tables, client: Client, tmp_path: Path) -> None:
    client.mirror_data(tmp_path)
    (tmp_path / server.file("history").name).write_bytes(b"?")
    assert client.mirror_data(tmp_path).fetched == 1
    assert sorted(there(tmp_path).values()) == sorted(PAGES.values())


@pytest.mark.parametrize(
    "name", ["../away-2026-0123456789abcdef.csv.gz", "manifest.json", "a.csv.gz\n", "/x"]
)
def test_a_manifest_that_names_other_files_is_refused(
    server: Tables, client: Client, tmp_path: Path, name: str
) -> None:
    server.named = name
    with pytest.raises(ServerError, match="names a file"):
        client.mirror_data(tmp_path / "copy")
    assert not list(tmp_path.iterdir())


def test_a_format_that_the_server_does_not_have_is_refused(client: Client, tmp_path: Path) -> None:
    with pytest.raises(ServerError, match="It has csv"):
        client.mirror_data(tmp_path, "parquet")
