"""A director who asks for pages and sends forms without a browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ratebook.web.gate.visitors import COOKIE
from support.web.accounts import FROM_THIS_SITE

if TYPE_CHECKING:
    from litestar import Litestar
    from litestar.testing import TestClient

    from support.web.accounts import Office

PREVIEWS, SENT = "/director/previews", "/director/submissions"
KEY = re.compile(r'name="key" value="([^"]+)"')


class Director:
    """Asks for pages and sends forms as an account."""

    def __init__(self, client: TestClient[Litestar], office: Office, name: str) -> None:
        self.client = client
        self.visitor = office.signed_in(name)
        self.headers = {**FROM_THIS_SITE, "cookie": f"{COOKIE}={self.visitor.token}"}

    def get(self, path: str, status: int = 200) -> str:
        answer = self.client.get(path, headers=self.headers)
        assert answer.status_code == status, path
        return answer.text

    def post(self, path: str, file: bytes | None = None, /, **form: str) -> str:
        """Send a form and return where it leads, or else the page that comes back."""
        files = None if file is None else {"file": ("report.json", file)}
        answer = self.client.post(
            path, data={"csrf": self.visitor.csrf, **form}, files=files, headers=self.headers
        )
        return answer.headers["location"] if answer.is_redirect else answer.text


def key_in(page: str) -> str:
    found = KEY.search(page)
    assert found is not None
    return found[1]


def number_in(address: str) -> int:
    return int(page_of(address).rpartition("/")[2])


def page_of(address: str) -> str:
    return address.partition("?")[0]
