"""Templates and the files beside them: what becomes of a page's contents in HTML."""

import gzip
import hashlib
import re
from datetime import timedelta
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from litestar import MediaType, Response

from ratebook import __version__
from ratebook.declared_findings import explanation_of
from ratebook.pages.columns import event_title, number_text, points_words, shown
from ratebook.pages.event import TYPE_TITLES, title_of_event
from ratebook.pages.look import tokens, with_minus
from ratebook.pages.official.lists import month_words
from ratebook.pages.opponents import COLOUR_WORDS
from ratebook.pages.rules import field_in_words
from ratebook.records.system_titles import SYSTEM_TITLES
from ratebook.web.gate.visitors import READER
from ratebook.web.layout.face import Face
from ratebook.web.layout.words import (
    code_words,
    day_words,
    days_words,
    in_running_text,
    in_title_case,
    moment_words,
    person_name,
    with_days_in_words,
)
from ratebook.web.pictures.climb import climb
from ratebook.web.pictures.pips import score_bar
from ratebook.web.routing import Address, part
from ratebook.web.running.root import linked
from ratebook.web.store.accounts import HOLDS
from ratebook.web.store.sessions import IDLE, LONGEST

BROWSERS = {"Edg/": "Edge", "OPR/": "Opera", "Firefox/": "Firefox", "Chrome/": "Chrome", "Safari/": "Safari"}
"""In this order: Edge and Opera say that they are Chrome, and Chrome says that it is Safari."""
SYSTEMS = {
    "Windows": "Windows",
    "Android": "Android",
    "iPhone": "an iPhone",
    "iPad": "an iPad",
    "Mac OS": "a Mac",
    "Linux": "Linux",
}
MOST_LETTERS = 30
KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


class StaticFile(NamedTuple):
    """A file that pages load; its name has a hash of its content, so that it never changes."""

    name: str
    content: bytes
    packed: bytes
    kind: str


STYLE = ("page", "parts", "tables", "forms", "pictures", "typing", "paper")
"""The files of which the style sheet is made after the tokens, in this order: what comes later decides."""


@cache
def static_files() -> dict[str, StaticFile]:
    """Return the files of the package by the names that templates use."""
    folder = resources.files("ratebook.web").joinpath("static")
    contents = {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}
    contents["style.css"] = tokens().encode() + b"".join(
        folder.joinpath("style", f"{name}.css").read_bytes() for name in STYLE
    )
    files = {}
    for name, content in contents.items():
        stem, dot, ending = name.rpartition(".")
        hashed = f"{stem}.{hashlib.sha256(content).hexdigest()[:12]}.{ending}"
        files[name] = StaticFile(hashed, content, gzip.compress(content, mtime=0), KINDS[dot + ending])
    return files


@cache
def build() -> str:
    """Return what tells this program's pages from those of another version: of code, templates and files."""
    digest = hashlib.sha256(__version__.encode())
    for file in sorted(Path(str(resources.files("ratebook.web"))).glob("templates/**/*.html")):
        digest.update(file.read_bytes())
    for one in static_files().values():
        digest.update(one.name.encode())
    return digest.hexdigest()[:8]


@cache
def templates() -> Environment:
    """Return the templates: everything is escaped, and a missing value is an error."""
    environment = Environment(
        loader=PackageLoader("ratebook.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters["shown"] = shown
    environment.filters["part"] = part
    environment.filters["figure"] = number_text
    environment.filters["moment"] = moment_words
    environment.filters["month"] = month_words
    environment.filters["event_title"] = title_of_event
    environment.filters["agent"] = agent_words
    environment.filters["day"] = day_words
    environment.filters["days_said"] = in_running_text
    environment.filters["days_in_words"] = with_days_in_words
    environment.filters["minus"] = with_minus
    environment.filters["points"] = points_words
    environment.filters["named"] = in_title_case
    environment.filters["person"] = person_name
    environment.filters["code"] = code_words
    environment.filters["rule_words"] = field_in_words
    environment.filters["explained"] = explanation_of
    environment.filters["short_month"] = lambda day: f"{day:%b}"
    environment.filters["climb"] = climb
    environment.filters["score_bar"] = score_bar
    environment.globals["system_titles"] = SYSTEM_TITLES
    environment.globals["colour_words"] = COLOUR_WORDS
    environment.globals["event_title"] = event_title
    environment.globals["days_words"] = days_words
    environment.globals["section_types"] = TYPE_TITLES
    environment.globals["idle_minutes"] = IDLE // timedelta(minutes=1)
    environment.globals["longest_hours"] = LONGEST // timedelta(hours=1)
    environment.globals["link_hours"] = HOLDS // timedelta(hours=1)
    environment.globals["query"] = Address("")
    environment.globals["static"] = lambda name: f"/static/{static_files()[name].name}"
    return environment


_TO_NUMBER = re.compile(" → (?=[0-9])")
"""Before the second number no line ends, and on neither side of a ±."""


def page(
    template: str,
    face: Face,
    *,
    status: int = 200,
    **contents: Any,  # noqa: ANN401 - what the template shows
) -> Response[bytes]:
    """Return a page with the *face* of a federation: a template filled with its *contents*."""
    text = templates().get_template(template).render({"visitor": READER.get(), **contents}, face=face)
    # A terminal's arrow, escaped by now.
    text = linked(text).replace(" -&gt; ", " → ").replace(" ± ", "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}")
    text = _TO_NUMBER.sub(" →\N{NO-BREAK SPACE}", text)
    return Response(text.encode(), media_type=MediaType.HTML, status_code=status)


def agent_words(agent: str) -> str:
    """Return which browser and system an agent names, or else how it begins.

    >>> agent_words("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox on Linux'
    >>> agent_words("python-httpx/0.28"), agent_words("")
    ('python-httpx/0.28', 'unknown')
    """
    browser = next((name for sign, name in BROWSERS.items() if sign in agent), "")
    system = next((name for sign, name in SYSTEMS.items() if sign in agent), "")
    if browser and system:
        return f"{browser} on {system}"
    return browser or agent[:MOST_LETTERS] or "unknown"
