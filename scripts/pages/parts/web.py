"""The public pages of the web, from what their handlers say."""

from __future__ import annotations

import re

from scripts.pages.markdown import table, with_part
from scripts.pages.places import DOCS

from ratebook.web.api.routing import summary_of
from ratebook.web.public import ROUTES

_KIND = re.compile(r":\w+}")


def web_page() -> str:
    """Return the page about the web with its table of public pages made anew."""
    summaries = {_KIND.sub("}", path): summary_of(route.fn) for route in ROUTES for path in route.paths}
    rows = ((f"`{path}`", summaries[path]) for path in sorted(summaries))
    text = (DOCS / "web.md").read_text(encoding="utf-8")
    return with_part(text, "public pages", table(("address", "what it does"), rows))
