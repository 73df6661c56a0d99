"""Tables of pages: cells with links, chips, and a quiet second line; what their rows are in HTML."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple, TypeAlias, TypeVar
from urllib.parse import unquote

from markupsafe import Markup, escape

from ratebook.pages.columns import Column, Columns
from ratebook.pages.look import with_minus
from ratebook.web.layout.words import is_day, is_moment, moment_words

Line = TypeVar("Line")
Texts: TypeAlias = Mapping[str, Callable[[Line], str]]
"""What is made of a line, by the titles of columns."""

NO_NAME = "(no name)"
NO_PICTURE = Markup()
POINTS = {"Points", "Pts"}
"""Titles of columns of points of games; their halves are written by hand: 2½."""
_HALF = re.compile(r"\b(?:0|([0-9]+))\.5\b", re.ASCII)


class Look(StrEnum):
    """How the text of a cell is set; the value is the class of its chip or badge."""

    PLAIN = ""
    UP = "chip up"
    DOWN = "chip down"
    EVEN = "chip"
    WON = "result w"
    DRAWN = "result d"
    LOST = "result l"
    UNPLAYED = "result"
    BADGE = "badge"
    GOOD = "badge good"
    CAUTION = "badge gold"
    BAD = "badge bad"


def change_look(text: str) -> Look:
    """Return how a change of a rating is set: by its sign.

    >>> change_look("+12"), change_look("-3"), change_look("0"), change_look("")
    (<Look.UP: 'chip up'>, <Look.DOWN: 'chip down'>, <Look.EVEN: 'chip'>, <Look.PLAIN: ''>)
    """
    if not text or text == "-":
        return Look.PLAIN
    return {"+": Look.UP, "-": Look.DOWN}.get(text[0], Look.EVEN)


def result_look(text: str) -> Look:
    """Return how a result of a crosstable is set, by its letter: ``W12``, ``D3``, ``L5``, ``X``, ``F``, ``B``, ``H``.

    >>> result_look("W12b"), result_look("F"), result_look("U")
    (<Look.WON: 'result w'>, <Look.LOST: 'result l'>, <Look.UNPLAYED: 'result'>)
    """
    looks = {"W": Look.WON, "X": Look.WON, "D": Look.DRAWN, "L": Look.LOST, "F": Look.LOST}
    return looks.get(text[:1], Look.UNPLAYED) if text else Look.PLAIN


def crosstable_looks(columns: Iterable[Column[Line]]) -> dict[str, Callable[[str], Look]]:
    """Return how the cells of a crosstable are set: its changes, and the results of its rounds (`rounds_of`)."""
    looks = {column.title: result_look for column in columns if _ROUND.fullmatch(column.title)}
    return {"Change": change_look, **looks}


_ROUND = re.compile(r"R[0-9]+", re.ASCII)


class HtmlCell(NamedTuple):
    """A cell of a table: its text, where it leads, a quiet second line, how it is set, a picture before the text.

    What is *narrow* is a line that narrow screens alone have.
    """

    text: str
    link: str = ""
    under: str = ""
    look: Look = Look.PLAIN
    picture: Markup = NO_PICTURE
    narrow: str = ""


class HtmlTable(NamedTuple):
    """A table as pages show it.

    Attributes:
        caption: what it is.
        headings: with the alignment of each column.
        heads: number of the column whose cells head their rows.
        wide: numbers of the columns that a narrow screen leaves out, since a second line says the same.
        below: numbers of the columns that a narrow screen has in a line below the others.
        marked: numbers of the rows that something is wrong with.
        sought: numbers of the rows that are looked for.
        anchors: by which links lead to rows; none where they do not.
    """

    caption: str
    headings: tuple[tuple[str, str], ...]
    rows: tuple[tuple[HtmlCell, ...], ...]
    heads: int = 0
    wide: frozenset[int] = frozenset()
    below: frozenset[int] = frozenset()
    marked: frozenset[int] = frozenset()
    sought: frozenset[int] = frozenset()
    anchors: tuple[str, ...] = ()

    @property
    def html_headings(self) -> Iterator[Markup]:
        """Yield its headings as HTML."""
        for at, (heading, align) in enumerate(self.headings):
            is_set = {"number": align == "right", "wide": at in self.wide, "below": at in self.below}
            classes = " ".join(name for name, holds in is_set.items() if holds)
            shown = f' class="{classes}"' if classes else ""
            yield Markup(f'<th scope="col"{shown}>{escape(heading)}</th>')  # noqa: S704 - the heading is escaped

    @property
    def html_rows(self) -> Iterator[Markup]:
        """Yield its rows as HTML: most of most pages are cells, and a template takes four times as long."""
        numbers = [align == "right" for _, align in self.headings]
        ratings = [
            is_number and any("P" in row[at].text for row in self.rows)
            for at, is_number in enumerate(numbers)
        ]
        for number, row in enumerate(self.rows):
            anchor = f' id="{escape(self.anchors[number])}"' if self.anchors else ""
            mark = ' class="marked"' if number in self.marked else ""
            mark = ' class="sought"' if number in self.sought else mark
            cells = [f"<tr{anchor}{mark}>"]
            for at, cell in enumerate(row):
                tag, scope = ("th", ' scope="row"') if at == self.heads else ("td", "")
                classes = _width(cell.text, is_number=numbers[at], is_wide=at in self.wide)
                if ratings[at] and not cell.under:
                    classes += _short_of_games(cell.text)
                if at in self.below:
                    classes = f"{classes} below" if classes else "below"
                shown = f' class="{classes}"' if classes else ""
                if at in self.below and numbers[at]:
                    # A narrow screen has no headings of what it shows below.
                    shown += f' data-title="{escape(self.headings[at][0])}"'
                cells.append(f"<{tag}{scope}{shown}>{_inner(cell)}</{tag}>")
            yield Markup("".join([*cells, "</tr>"]))  # noqa: S704 - every text and address in it is escaped


_BREAKABLE = Markup("_<wbr>")
"""Names of rules may take several lines on a narrow screen."""
TIGHT, LONG = 6, 40
"""Letters below which a cell keeps its words on one line, and above which it may take several."""


_DAY = re.compile(r"(\d{1,2}) ([A-Z][a-z]{2,8}) (\d{4})")


def _kept_together(quiet: str) -> str:
    """Return a second line that breaks after its dots only, and not within a day."""
    return _DAY.sub("\\1\u00a0\\2\u00a0\\3", quiet.replace(" · ", "\u00a0· "))


def _inner(cell: HtmlCell) -> str:
    text, link, under, look, picture, narrow = cell
    inner: str = escape(with_minus(moment_words(text, short=True)))
    if "_" in inner:
        inner = inner.replace("_", _BREAKABLE)
    if link and text:
        set_as = f' class="{look}"' if look else ""
        inner = f'<a href="{escape(link)}"{set_as}>{inner}</a>'
    elif look and text:
        inner = f'<span class="{look}">{inner}</span>'
    if picture:
        inner = f"{picture} {inner}"
    if under:
        inner = f'{inner}<span class="sub">{escape(_kept_together(under))}</span>'
    if narrow:
        inner = f'{inner}<span class="sub narrow">{escape(_kept_together(with_minus(narrow)))}</span>'
    return inner


def spelled_out(columns: Columns[Line], *titles: str, words: Callable[[str], str]) -> Columns[Line]:
    """Return columns of which some have codes or names as they came, with *words* for these."""

    def in_words(column: Column[Line]) -> Column[Line]:
        return Column(column.title, lambda line: words(column.text(line)), column.align)

    return tuple(in_words(column) if column.title in titles else column for column in columns)


def _width(text: str, *, is_number: bool, is_wide: bool) -> str:
    """Return the classes of a cell: whether its words stay on one line, and narrow screens have it."""
    if is_number:
        return "number wide" if is_wide else "number"
    if is_wide:
        return "wide long" if len(text) > LONG else "wide tight" if is_day(text) else "wide"
    if len(text) < TIGHT or is_moment(text) or is_day(text):
        return "tight"
    return "long" if len(text) > LONG else ""


def _short_of_games(text: str) -> str:
    """Return the class of a rating by which its digits are below those of provisional ones such as 1512P12.

    >>> (
    ...     _short_of_games("1512"),
    ...     _short_of_games("1512P8"),
    ...     _short_of_games("1512P12"),
    ...     _short_of_games("unrated"),
    ... )
    (' p0', ' p1', '', '')
    """
    if text.isdecimal():
        return " p0"
    return " p1" if len(text.partition("P")[2]) == 1 else ""


def _id_in(link: str) -> str:
    """Return the id in the address of a page: of what has no name.

    >>> _id_in("/events/202611140001/1"), _id_in("/office/members/90000012"), _id_in("")
    ('202611140001', '90000012', '(no name)')
    """
    _, _, after = link.partition("?")[0].removeprefix("/office/").strip("/").partition("/")
    return unquote(after.partition("/")[0]) or NO_NAME


def html_table(
    caption: str,
    columns: Columns[Line],
    lines: Iterable[Line],
    links: Texts[Line] | None = None,
    heads: str = "",
    *,
    under: Texts[Line] | None = None,
    narrow: Texts[Line] | None = None,
    looks: Mapping[str, Callable[[str], Look]] | None = None,
    pictures: Mapping[str, Callable[[Line], Markup]] | None = None,
    wide: Collection[str] = (),
    below: Collection[str] = (),
    marked: Callable[[Line], bool] | None = None,
    sought: Callable[[Line], bool] | None = None,
    anchors: Callable[[Line], str] | None = None,
) -> HtmlTable:
    """Return a table of *lines*.

    Columns in which no line has anything are left out, but for that which *heads* the lines: the first one that leads
    somewhere, if no other is named.

    Args:
        caption: what it is.
        columns: what they show.
        lines: one a row.
        links: where cells lead, by the titles of columns, as all that follows.
        heads: title of the column that heads the lines.
        under: the quiet second line of cells.
        narrow: a line of cells that narrow screens have in place of columns.
        looks: how the texts of cells are set.
        pictures: what stands before the texts of cells.
        wide: titles of the columns that a narrow screen leaves out.
        below: titles of those that it has in a line below the others; of a crosstable all but names and figures.
        marked: whether something is wrong with a line.
        sought: whether a line is looked for.
        anchors: by what links lead to a line.
    """
    lead, seconds, settings, drawn = links or {}, under or {}, looks or {}, pictures or {}
    thirds = narrow or {}
    heads = heads or next(iter(lead), "")
    lines = list(lines)
    shown = {column: [column.text(line) for line in lines] for column in columns}
    columns = tuple(
        column
        for column in columns
        if column.title == heads or column.title in drawn or any(shown[column]) or not lines
    )
    titles = [column.title for column in columns]
    head = titles.index(heads) if heads else 0

    def cells(at: int, column: Column[Line]) -> Iterator[HtmlCell]:
        title = column.title
        link, second, look = lead.get(title), seconds.get(title), settings.get(title)
        picture, third = drawn.get(title), thirds.get(title)
        for line, plain in zip(lines, shown[column], strict=True):
            text = _HALF.sub(r"\1½", plain) if title in POINTS else plain
            address = link(line) if link else ""
            yield HtmlCell(
                # A heading is never empty, and neither is a link: it leads to the page of an id.
                text=text or (_id_in(address) if at == head else ""),
                link=address,
                under=second(line) if second else "",
                look=look(text) if look else Look.PLAIN,
                picture=picture(line) if picture else NO_PICTURE,
                narrow=third(line) if third else "",
            )

    rows = tuple(zip(*(cells(at, column) for at, column in enumerate(columns)), strict=True))
    headings = tuple((column.title, column.align) for column in columns)
    left_out = frozenset(at for at, title in enumerate(titles) if title in wide)
    if any(map(_ROUND.fullmatch, titles)):
        below = [title for at, (title, align) in enumerate(headings) if align == "left" and at != head]
    wrong = frozenset(at for at, line in enumerate(lines) if marked(line)) if marked else frozenset()
    return HtmlTable(
        caption=caption,
        headings=headings,
        rows=rows,
        heads=head,
        wide=left_out,
        below=frozenset(at for at, title in enumerate(titles) if title in below),
        marked=wrong,
        sought=frozenset(at for at, line in enumerate(lines) if sought(line)) if sought else frozenset(),
        anchors=tuple(map(anchors, lines)) if anchors else (),
    )
