"""Templates and the files beside them: what becomes of a page's contents in HTML."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from urllib.parse import unquote

from jinja2 import Environment, PackageLoader, StrictUndefined
from litestar import MediaType, Response
from markupsafe import Markup, escape

from ratebook import __version__
from ratebook.pages.columns import (
    Columns,
    event_title,
    is_moment,
    moment_text,
    number_text,
    shown,
    used_columns,
)
from ratebook.pages.crosstable import SYSTEM_TITLES
from ratebook.pages.event import title_of_event
from ratebook.pages.official.lists import month_words
from ratebook.pages.opponents import COLOUR_WORDS
from ratebook.web.routing import part

Line = TypeVar("Line")

NO_NAME = "(no name)"
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
    kind: str


@cache
def static_files() -> dict[str, StaticFile]:
    """Return the files of the package by the names that templates use."""
    files = {}
    for file in resources.files("ratebook.web").joinpath("static").iterdir():
        stem, dot, ending = file.name.rpartition(".")
        content = file.read_bytes()
        hashed = f"{stem}.{hashlib.sha256(content).hexdigest()[:12]}.{ending}"
        files[file.name] = StaticFile(hashed, content, KINDS[dot + ending])
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


def _with_arrows(value: Any) -> Any:  # noqa: ANN401 - whatever a template shows
    """Return what a page shows for what a terminal writes as an arrow."""
    return value.replace(" -> ", " → ") if isinstance(value, str) and " -> " in value else value


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
        finalize=_with_arrows,
    )
    environment.filters["shown"] = shown
    environment.filters["part"] = part
    environment.filters["figure"] = number_text
    environment.filters["moment"] = moment_text
    environment.filters["month"] = month_words
    environment.filters["event_title"] = title_of_event
    environment.filters["agent"] = agent_words
    environment.filters["in_html"] = rows_in_html
    environment.globals["system_titles"] = SYSTEM_TITLES
    environment.globals["colour_words"] = COLOUR_WORDS
    environment.globals["event_title"] = event_title
    environment.globals["static"] = lambda name: f"/static/{static_files()[name].name}"
    return environment


def page(template: str, *, status: int = 200, **contents: Any) -> Response[bytes]:  # noqa: ANN401 - what the template shows
    """Return a page: a template filled with its *contents*."""
    text = templates().get_template(template).render(contents)
    return Response(text.encode(), media_type=MediaType.HTML, status_code=status)


class HtmlCell(NamedTuple):
    """A cell of a table: its text, and where it leads."""

    text: str
    link: str = ""


class HtmlTable(NamedTuple):
    """A table as pages show it.

    Attributes:
        caption: what it is.
        headings: with the alignment of each column.
        heads: number of the column whose cells head their rows.
    """

    caption: str
    headings: tuple[tuple[str, str], ...]
    rows: tuple[tuple[HtmlCell, ...], ...]
    heads: int = 0


_BREAKABLE = Markup("_<wbr>")
"""Names of rules may take several lines on a narrow screen."""
TIGHT, LONG = 6, 40
"""Letters below which a cell keeps its words on one line, and above which it may take several."""


def rows_in_html(table: HtmlTable) -> Iterator[Markup]:
    """Yield the rows of a table as HTML: most of most pages are cells, and a template takes four times as long."""
    numbers = [align == "right" for _, align in table.headings]
    for row in table.rows:
        cells = []
        for at, (text, link) in enumerate(row):
            shown = escape(_with_arrows(moment_text(text))).replace("_", _BREAKABLE)
            inner = f'<a href="{escape(link)}">{shown}</a>' if link and text else shown
            cell = "th" if at == table.heads else "td"
            scope = ' scope="row"' if at == table.heads else ""
            cells.append(f"<{cell}{scope}{_width(text, is_number=numbers[at])}>{inner}</{cell}>")
        yield Markup("".join(cells))  # noqa: S704 - every text and address in it is escaped


def _width(text: str, *, is_number: bool) -> str:
    """Return the class of a cell, which says whether its words stay on one line."""
    if is_number:
        return ' class="number"'
    if len(text) < TIGHT or is_moment(text):
        return ' class="tight"'
    return ' class="long"' if len(text) > LONG else ""


def _id_in(link: str) -> str:
    """Return the id in the address of a page: of what has no name.

    >>> _id_in("/events/202611140001/1"), _id_in("")
    ('202611140001', '(no name)')
    """
    return unquote(link.partition("?")[0].split("/")[2]) if link.count("/") > 1 else NO_NAME


def html_table(
    caption: str,
    columns: Columns[Line],
    lines: Iterable[Line],
    links: Mapping[str, Callable[[Line], str]] | None = None,
    heads: str = "",
) -> HtmlTable:
    """Return a table of *lines*; *links* say where cells lead, by the title of their column.

    Columns in which no line has anything are left out, but for that which *heads* the lines: the first one that leads
    somewhere, if no other is named.
    """
    lead = links or {}
    heads = heads or next(iter(lead), "")
    lines = list(lines)
    columns = tuple(
        column for column in columns if column.title == heads or column in used_columns(columns, lines)
    )
    titles = [column.title for column in columns]
    head = titles.index(heads) if heads else 0

    def cell(at: int, line: Line) -> HtmlCell:
        title, text = titles[at], columns[at].text(line)
        link = lead[title](line) if title in lead else ""
        # A heading is never empty, and neither is a link: it leads to the page of an id.
        return HtmlCell(text or (_id_in(link) if at == head else ""), link)

    rows = tuple(tuple(cell(at, line) for at in range(len(columns))) for line in lines)
    headings = tuple((column.title, column.align) for column in columns)
    return HtmlTable(caption, headings, rows, head)


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
