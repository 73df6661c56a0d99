"""Every address that a public page names leads to something: pages, feeds, files and answers to programs."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest
from litestar.testing import TestClient

from support.web.routes.public import PAGES
from support.web.served import app_of

if TYPE_CHECKING:
    from ratebook.web.site import Site

pytestmark = pytest.mark.long

LINK = re.compile(r'(?:href|src)="?([^"\s>]+)')
"""With or without quotes, which a template may have escaped."""


def test_every_link_of_a_public_page_leads_somewhere(site: Site) -> None:
    tried: dict[str, int] = {}
    with TestClient(app_of(site), base_url="http://127.0.0.1") as client:
        for path in PAGES.values():
            page = client.get(path)
            for said in LINK.findall(page.text):
                address = str(page.url.join(unescape(said))).partition("#")[0]
                assert address.startswith("http://127.0.0.1/"), f"{path} leads elsewhere: {said}"
                if address not in tried:
                    tried[address] = client.get(address).status_code
    assert {address: status for address, status in tried.items() if status != 200} == {}
    assert len(tried) > 100
