"""What a page weighs: bytes as they travel, and how many requests it takes."""

from __future__ import annotations

import gzip
import re
from typing import TYPE_CHECKING

from litestar.testing import TestClient

from ratebook.web.rendering import static_files
from support.web.routes.public import PAGES
from support.web.served import app_of

if TYPE_CHECKING:
    from ratebook.web.site import Site

KB = 1024
PAGE, SCRIPTS, STYLES, REQUESTS = 20 * KB, 12 * KB, 12 * KB, 4
LOADED = re.compile(r'<(?:script|img)[^>]* src="([^"]+)"|<link rel="(?:stylesheet|icon)"[^>]* href="([^"]+)"')


def test_pages_are_light(site: Site) -> None:
    heavy = {}
    with TestClient(app_of(site), base_url="http://127.0.0.1") as client:
        for path in PAGES.values():
            with client.stream("GET", path, headers={"accept-encoding": "gzip"}) as answer:
                travelled = sum(map(len, answer.iter_raw()))
                assert answer.headers.get("content-encoding") == "gzip"
                assert "accept-encoding" in answer.headers["vary"].lower()
            text = client.get(path).text
            loaded = {script or link for script, link in LOADED.findall(text)}
            assert loaded <= {f"/static/{one.name}" for one in static_files().values()}
            if travelled > PAGE or len(loaded) + 1 > REQUESTS:
                heavy[path] = (travelled, sorted(loaded))
    assert heavy == {}


def test_styles_and_scripts_are_light() -> None:
    def weight(kind: str) -> int:
        return sum(len(gzip.compress(one.content)) for one in static_files().values() if one.kind == kind)

    assert 0 < weight("text/css") <= STYLES
    assert 0 < weight("text/javascript") <= SCRIPTS
