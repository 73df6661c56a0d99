"""The rows of a text crosstable: cutting a file into tables, a table into players, a player into fields.

One player takes a line with the pairing number, the name, the total and the round cells, a line with the
state, the member id, the ratings, the norm and the colours, and a line for each further system.
Source: docs/formats/crosstable.md#layout.
"""

import re
from typing import NamedTuple

from ratebook.formats.reading.cells import small_number
from ratebook.formats.reading.printed_table import SYSTEM_OF_LABEL, PrintedRating
from ratebook.formats.reading.text import decoded_text
from ratebook.model import System

COLUMNS_BEFORE_ROUNDS = 3
"""Pairing number or state; name or ratings; total or norm."""

_SHORTEST_RULE = 10
_BARS_OF_CELLS = 2
_BEGINNING = 65_536

_RATING_LINE = re.compile(
    r"""\b(?P<label>O?[RQB])\s*:\s*
        (?P<before>Unrated|Unr\.?|\d{1,6}(?:\.\d{1,12})?)\s*(?:P\s*(?P<games>\d{1,6}(?:\.\d{1,3})?))?\s*
        [-=]>\s*
        (?:(?P<after>Unrated|Unr\.?|\d{1,6}(?:\.\d{1,12})?)\s*(?:P\s*\d{1,6}(?:\.\d{1,3})?)?)?""",
    re.ASCII | re.IGNORECASE | re.VERBOSE,
)
# Nothing behind the arrow: the section is not rated yet, as in the tables that `crosstable_write` makes.
_HEADER_WORDS = frozenset({"pair", "num", "pair num", "no", "no.", "#"})


class TableLine(NamedTuple):
    """A line of a table.

    Attributes:
        number: its number in the file, from 1.
        cells: the texts between the bars; without blanks around them as far as the rounds.
        closed: whether it ends with a bar; where others do and one does not, it was cut off.
    """

    number: int
    cells: list[str]
    closed: bool


class PlayerLines(NamedTuple):
    """The lines of one player as they are printed, each with its number in the file; cut at the bars when looked at."""

    seat: int
    printed: list[tuple[int, str]]

    @property
    def first(self) -> TableLine:
        """The line with the name and the round cells."""
        return cut_line(*self.printed[0])

    @property
    def below(self) -> list[TableLine]:
        """The lines with the ratings and the colours."""
        return [cut_line(number, content) for number, content in self.printed[1:]]


class PrintedTable(NamedTuple):
    """One section as the file prints it: the lines of text above it, its header lines and its players in order."""

    above: tuple[str, ...]
    headers: list[TableLine]
    players: list[PlayerLines]

    @property
    def rounds(self) -> int:
        """Columns for rounds, by the header line; by the first player where there is none."""
        return max(0, len((self.headers or [self.players[0].first])[0].cells) - COLUMNS_BEFORE_ROUNDS)

    @property
    def closed(self) -> bool:
        """Whether a line that does not end with a bar was cut off."""
        return any(line.closed for line in self.headers)


class RatingCell(NamedTuple):
    """What the cell under the name says: the member id (may be empty), the rating lines, and text that is neither."""

    member: str
    ratings: tuple[PrintedRating, ...]
    unread: str


def plain_text(data: bytes) -> str:
    """Return the text of a crosstable: UTF-8, else Latin-1; without the tags of a copied page."""
    text, _ = decoded_text(data, ("latin-1",))
    if "<" in text and "<pre" in text.lower():
        text = re.sub(r"</?[a-zA-Z][^<>\n]*>", "", text)
    if "&gt;" in text:
        from html import unescape  # noqa: PLC0415 - start-up loads it only when needed

        text = unescape(text)
    return text


def dashed(line: str) -> bool:
    """Return whether *line* is one of the lines of dashes between players.

    >>> dashed("-----------------"), dashed("- none -")
    (True, False)
    """
    line = line.strip()
    return len(line) >= _SHORTEST_RULE and not line.strip("-")


def split_tables(text: str) -> list[PrintedTable]:
    """Return the tables of *text*; a new header, or text between the lines, begins the next one."""
    tables: list[PrintedTable] = []
    headings: list[str] = []
    players: list[PlayerLines] = []
    dashes = ""
    for number, raw in enumerate(text.split("\n"), start=1):
        if raw == dashes:
            continue
        content = raw.strip()
        if not content or (content[0] == "-" and dashed(content)):
            dashes = raw
            continue
        bar = content.find("|")
        if bar < 0:
            headings.append(content)
            continue
        if not bar and players and not headings:
            # Most first lines are followed by one without a state.
            players[-1].printed.append((number, content))
            continue
        first = content[:bar].rstrip()
        if not tables or (players and (headings or first.casefold() == "pair")):
            players = []
            tables.append(PrintedTable(tuple(headings), [], players))
        headings.clear()
        if seat := small_number(first):
            players.append(PlayerLines(seat, [(number, content)]))
        elif first.casefold() in _HEADER_WORDS:
            tables[-1].headers.append(cut_line(number, content))
        elif players:
            players[-1].printed.append((number, content))
    return [table for table in tables if table.players]


def cut_line(number: int, content: str) -> TableLine:
    """Return the line *number* of the file, cut at the bars of its *content*."""
    closed = content[-1] == "|"
    cells = content.split("|")
    if closed:
        cells.pop()
    cells[:COLUMNS_BEFORE_ROUNDS] = map(str.strip, cells[:COLUMNS_BEFORE_ROUNDS])
    return TableLine(number, cells, closed)


def system_of_label(label: str, *, online: bool) -> System:
    """Return the system of a label; *online* reads R, Q and B as online systems.

    >>> system_of_label("Q", online=False).value, system_of_label("Q", online=True).value
    ('quick', 'online-quick')
    """
    label = label.upper()
    return SYSTEM_OF_LABEL[f"O{label}" if online and len(label) == 1 else label]


def parse_rating_cell(text: str, *, online: bool) -> RatingCell:
    """Return what *text*, the cell under a player's name, says; *online* reads R, Q and B as online systems.

    >>> parse_rating_cell("90000001 / R: 1641P17->1657P20", online=False)  # doctest: +ELLIPSIS
    RatingCell(member='90000001', ratings=(...before=1641.0, games=17.0, after=1657.0),), unread='')
    """
    ratings = []
    around = []
    position = 0
    for match in _RATING_LINE.finditer(text):
        around.append(text[position : match.start()])
        position = match.end()
        label, before, games, after = match.group("label", "before", "games", "after")
        ratings.append(
            PrintedRating(
                system_of_label(label, online=online),
                _printed_number(before),
                _printed_number(games),
                _printed_number(after),
            )
        )
    around.append(text[position:])
    member, *others = (part.strip(" \t/") for part in around)
    unread = [part for part in others if part]
    if not is_member_id(member):
        unread[:0] = [member] if member else []
        member = ""
    # The office writes zeros for an id that is not known (docs/formats/uschess.md#seats).
    return RatingCell(member if member.strip("0") else "", tuple(ratings), " ".join(unread))


def is_member_id(text: str) -> bool:
    """Return whether *text* can stand as a member id before the ratings: letters and digits, not letters alone.

    >>> is_member_id("90000001"), is_member_id("P1"), is_member_id("seat-1"), is_member_id("ADAMS")
    (True, True, False, False)
    """
    return text.isascii() and text.isalnum() and not text.isalpha()


def _printed_number(text: str | None) -> float | None:
    """Return the number in *text*, None where there is none ("Unrated")."""
    return float(text) if text and text[0].isdecimal() else None


def looks_like_crosstable(data: bytes) -> bool:
    """Return whether *data* begins with a line of dashes and a line of cells between bars, or text above them."""
    if b"\0" in data:
        return False
    beginning = data[:_BEGINNING]
    # A page may have its bars as entities.
    if beginning.count(b"|") < _BARS_OF_CELLS and b"&" not in beginning:
        return False
    lines = plain_text(beginning).split("\n")
    return any(line.count("|") >= _BARS_OF_CELLS for line in lines) and any(dashed(line) for line in lines)


def has_arrows(data: bytes) -> bool:
    """Return whether *data* has arrows between ratings, as they are typed or as they stand in a page."""
    return any(arrow in data for arrow in (b"->", b"=>", b"-&gt;", b"=&gt;"))
