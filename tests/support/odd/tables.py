"""The tables of a page, as a browser shows them on a wide screen."""

from __future__ import annotations

from html.parser import HTMLParser


class Tables(HTMLParser):
    """Collects the tables of a page by their captions: each a list of rows, a row its cells by heading."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.by_caption: dict[str, list[dict[str, str]]] = {}
        self._caption = ""
        self._headings: list[str] = []
        self._cells: list[str] = []
        self._inside: list[str] | None = None
        self._is_narrow = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self._cells = []
        elif tag in {"th", "td", "caption"}:
            self._inside = []
        elif tag == "span":
            self._is_narrow = "narrow" in (dict(attrs).get("class") or "").split()

    def handle_data(self, data: str) -> None:
        if self._inside is not None and not self._is_narrow:
            self._inside.append(data)

    def handle_endtag(self, tag: str) -> None:
        text = "".join(self._inside or ())
        self._is_narrow = False
        if tag == "caption":
            self._caption, self._inside = text, None
            self.by_caption[text] = []
        elif tag in {"th", "td"}:
            self._cells.append(text)
            self._inside = None
        elif tag == "thead":
            self._headings = self._cells
        elif tag == "tr" and self._caption and self._cells and self._headings:
            self.by_caption[self._caption].append(dict(zip(self._headings, self._cells, strict=True)))
        elif tag == "table":
            self._caption, self._headings = "", []
