"""A director who types a report without a browser."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urlsplit

from support.web.accounts import Director

FIELD = re.compile(r"<input[^>]*>")


class Typist(Director):
    """A director who fills in the forms in which a report is typed."""

    def shown(self, path: str) -> dict[str, str]:
        """Return what the inputs of a page hold, but for boxes that are not checked."""
        return fields_in(self.get(path))

    def sends(self, path: str, page: dict[str, str], **changed: str) -> str:
        """Send the form of a *page* with some fields changed, and return where it leads, or what comes back."""
        return self.post(urlsplit(path).path, None, **{"type": "swiss", **page, **changed})


def fields_in(page: str) -> dict[str, str]:
    """Return what the inputs of a page hold, but for boxes that are not checked."""
    fields: dict[str, str] = {}
    for tag in FIELD.findall(page):
        name, value = re.search(r' name="([^"]*)"', tag), re.search(r' value="([^"]*)"', tag)
        if name is None or ('type="checkbox"' in tag and "checked" not in tag):
            continue
        fields.setdefault(name[1], unescape(value[1]) if value is not None else "")
    return fields
