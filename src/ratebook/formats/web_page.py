"""Saved web pages as text: tables become lines with tabs between cells, so that the readers of text read them.

A page has more than its report: menus, forms, scripts. Only preformatted text and tables of results are kept, each with
the lines just above it, which say what it is: from the first heading on, if there are headings among them.
"""

import re
from html.parser import HTMLParser

from ratebook.formats.reading.text import decoded_text, first_character

_HEAD = 1 << 12
_PAGE = re.compile(rb"<(?:!doctype\s+html|html|head|body|table)\b", re.IGNORECASE)
_LINES_ABOVE = 18
"""The header of a table is looked for in its first twenty lines."""
_LEAST_COLUMNS = 4
_LEAST_ROWS = 3
_MOST_SPANNED = 99
_SILENT = frozenset(
    {"head", "script", "style", "select", "button", "noscript", "template", "svg", "textarea"}
)
_CELLS = frozenset(("td", "th"))
_HEADINGS = frozenset(("h1", "h2", "h3"))
_LINES = frozenset(("br", "dd", "div", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "p"))


def is_page(data: bytes) -> bool:
    """Return whether *data* begins as a web page does.

    >>> is_page(b"<!DOCTYPE html><title>Open</title>"), is_page(b"1. <i>Adams</i>")
    (True, False)
    """
    return first_character(data) == b"<" and _PAGE.search(data[:_HEAD]) is not None


def text_of_page(data: bytes) -> bytes:
    r"""Return the tables of results and the preformatted text of a page, each with what is above it, as UTF-8.

    >>> rows = "".join(f"<tr><td>{seat}<td>A<td>1500<td>W2" for seat in (1, 2, 3))
    >>> text_of_page(f"<script>menu()</script><h2>Quad</h2><table>{rows}</table><p>Imprint".encode())
    b'Quad\n1\tA\t1500\tW2\n2\tA\t1500\tW2\n3\tA\t1500\tW2\n'
    """
    page = _Page()
    page.feed(decoded_text(data)[0])
    page.close()
    return page.text().encode()


class _Page(HTMLParser):
    """Gathers the lines that are kept, and those above what may come next."""

    def __init__(self) -> None:
        super().__init__()
        self._kept: list[str] = []
        self._above: list[str] = []
        self._first_heading: int | None = None
        self._words: list[str] = []
        self._tables: list[list[list[str]]] = []
        self._spanned = 0
        self._silent: list[str] = []
        self._in_pre = False

    def text(self) -> str:
        """Return what is kept; all lines of a page that has neither results nor preformatted text."""
        while self._tables:
            self.handle_endtag("table")
        self._end_line()
        return "".join(f"{line}\n" for line in self._kept or self._above)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a line, a cell or a table."""
        if tag in _SILENT:
            self._silent.append(tag)
        elif tag == "body":
            self._silent.clear()
        elif tag in {"pre", "table"}:
            # What holds preformatted text or another table only lays out the page.
            self._end_cell()
            if self._tables:
                self._above += _lines_of(self._tables[-1])
                self._tables[-1] = [[]]
            self._in_pre = tag == "pre"
            self._tables += [[]] if tag == "table" else []
        elif tag == "tr" and self._tables:
            self._end_cell()
            self._tables[-1].append([])
        elif tag in _CELLS and self._tables:
            self._end_cell()
            span = dict(attrs).get("colspan") or "1"
            self._spanned = min(int(span), _MOST_SPANNED) if span.isascii() and span.isdecimal() else 1
        elif tag in _LINES:
            self._end_line()

    def handle_endtag(self, tag: str) -> None:
        """End a cell, a table or preformatted text."""
        if tag in self._silent:
            self._silent.remove(tag)
        elif tag == "table" and self._tables:
            self._end_cell()
            rows = self._tables.pop()
            if sum(len(row) >= _LEAST_COLUMNS for row in rows) >= _LEAST_ROWS:
                self._keep(_lines_of(rows))
            else:
                self._above += _lines_of(rows)
        elif tag == "pre" and self._in_pre:
            self._in_pre = False
            self._keep("".join(self._words).strip("\n").split("\n"))
            self._words.clear()
        elif tag in _CELLS:
            self._end_cell()
        elif tag in _LINES:
            at = len(self._above)
            self._end_line()
            if tag in _HEADINGS and len(self._above) > at and self._first_heading is None:
                self._first_heading = at

    def handle_data(self, data: str) -> None:
        """Take text that a reader of the page sees."""
        if not self._silent:
            self._words.append(data)

    def _keep(self, lines: list[str]) -> None:
        above = self._above[self._first_heading or 0 :]
        self._kept += above[-_LINES_ABOVE:] + lines
        self._above.clear()
        self._first_heading = None

    def _end_line(self) -> None:
        """End a line; a cell has one line, and preformatted text keeps its own."""
        if self._spanned or self._in_pre:
            self._words.append("\n" if self._in_pre else " ")
        elif text := self._taken():
            self._above.append(text)

    def _end_cell(self) -> None:
        if not self._spanned:
            self._end_line()
            return
        rows = self._tables[-1] or [[]]
        rows[-1] += [self._taken(), *[""] * (self._spanned - 1)]
        self._tables[-1] = rows
        self._spanned = 0

    def _taken(self) -> str:
        text = " ".join("".join(self._words).split())
        self._words.clear()
        return text


def _lines_of(rows: list[list[str]]) -> list[str]:
    return ["\t".join(row).rstrip() for row in rows if any(row)]
