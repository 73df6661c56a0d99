"""What a page weighs: bytes as they travel, and how many requests it takes."""

from __future__ import annotations

import gzip
import re
from collections import Counter
from typing import TYPE_CHECKING

from litestar.testing import TestClient

from ratebook.web.rendering import static_files
from support.web.routes.public import PAGES
from support.web.served import app_of

if TYPE_CHECKING:
    from litestar import Litestar

    from ratebook.web.site import Site

KB = 1024
PAGE, REQUESTS = 20 * KB, 4
MOST = {"text/css": 12 * KB, "text/javascript": 12 * KB, "image/svg+xml": KB}
LOADED = re.compile(r'<(?:script|img)[^>]* src="([^"]+)"|<link rel="(?:stylesheet|icon)"[^>]* href="([^"]+)"')


def _travelling(client: TestClient[Litestar], path: str) -> int:
    """Return the bytes of an answer to a browser, which takes it packed."""
    with client.stream("GET", path, headers={"accept-encoding": "gzip"}) as answer:
        travelled = sum(map(len, answer.iter_raw()))
    assert answer.headers.get("content-encoding") == "gzip"
    assert "accept-encoding" in answer.headers["vary"].lower()
    return travelled


def test_pages_are_light(site: Site) -> None:
    heavy = {}
    with TestClient(app_of(site), base_url="http://127.0.0.1") as client:
        for path in PAGES.values():
            travelled = _travelling(client, path)
            text = client.get(path).text
            loaded = {script or link for script, link in LOADED.findall(text)}
            assert loaded <= {f"/static/{file.name}" for file in static_files().values()}
            if travelled > PAGE or len(loaded) + 1 > REQUESTS:
                heavy[path] = (travelled, sorted(loaded))
    assert heavy == {}


def test_styles_and_scripts_are_light_as_they_travel(site: Site) -> None:
    weights: Counter[str] = Counter()
    with TestClient(app_of(site), base_url="http://127.0.0.1") as client:
        for file in static_files().values():
            weights[file.kind] += _travelling(client, f"/static/{file.name}")
    assert weights.keys() == MOST.keys()
    assert {kind: weight for kind, weight in weights.items() if weight > MOST[kind]} == {}


def test_a_file_comes_as_it_is_to_whoever_takes_nothing_packed_and_not_at_all_to_whoever_has_it(
    site: Site,
) -> None:
    file = static_files()["style.css"]
    address = f"/static/{file.name}"
    with TestClient(app_of(site), base_url="http://127.0.0.1") as client:
        plain = client.get(address, headers={"accept-encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert "accept-encoding" in plain.headers["vary"].lower()
        assert plain.content == file.content == gzip.decompress(file.packed)
        again = client.get(address, headers={"if-none-match": plain.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == plain.headers["etag"]
