"""Someone who is signed in and sends forms as a browser does, without one."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from typing import TYPE_CHECKING

from ratebook.web.gate.visitors import COOKIE
from support.web.accounts import FROM_THIS_SITE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from httpx import Response
    from litestar import Litestar
    from litestar.testing import TestClient

    from support.web.accounts import Office


class Forms(HTMLParser):
    """The inputs of the forms of a page, by the addresses that these are sent to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: dict[str, dict[str, str]] = {}
        self._open: dict[str, str] = {}
        self._choice = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        if tag == "form":
            self._open = self.found.setdefault(said.get("action") or "", {})
        elif tag == "input" and said.get("name") and said.get("type") not in {"checkbox", "file"}:
            self._open[str(said["name"])] = said.get("value") or ""
        elif tag == "select":
            self._choice = str(said["name"])
        elif tag == "option" and "selected" in said:
            self._open[self._choice] = said.get("value") or ""


BOX = re.compile(r'name="(accept-[0-9a-f]+)".*?<label[^>]*>\s*([^<]*)', re.DOTALL)


def boxes_on(page: Response) -> dict[str, str]:
    """Return the names of the boxes of a page by which warnings are accepted, by their labels."""
    return {unescape(label).strip(): name for name, label in BOX.findall(page.text)}


class Person:
    """An account with a session, and the client by which it asks."""

    def __init__(self, client: TestClient[Litestar], office: Office, name: str) -> None:
        self.client, self._office, self._name = client, office, name
        self.sign_in()

    def sign_in(self) -> None:
        """Begin a session, as if the password had been given."""
        self.visitor = self._office.signed_in(self._name)

    def get(self, address: str) -> Response:
        """Ask for a page."""
        self.client.cookies.clear()
        return self.client.get(address, headers=self.headers)

    def filled(self, page: str, action: str) -> dict[str, str]:
        """Return what the form of a page holds before anything is typed."""
        return Forms(self.get(page).text).found[action]

    def send(
        self, action: str, form: Mapping[str, str], files: Mapping[str, tuple[str, bytes]] | None = None
    ) -> Response:
        """Send a form, perhaps with files."""
        self.client.cookies.clear()
        return self.client.post(action, data=dict(form), files=files, headers=self.headers)

    def fill_in(self, page: str, action: str, **typed: str) -> Response:
        """Open a page, fill its form in, and send it."""
        return self.send(action, self.filled(page, action) | typed)

    def send_shown(self, page: Response, action: str) -> Response:
        """Send a form of a page as it is shown."""
        return self.send(action, Forms(page.text).found[action])

    @property
    def headers(self) -> dict[str, str]:
        """What a browser says of itself."""
        return {**FROM_THIS_SITE, "cookie": f"{COOKIE}={self.visitor.token}"}
