"""The formats of official lists by name, and how a list is written in each."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from ratebook.findings import Finding, Place, finding
from ratebook.formats.contract import Written
from ratebook.formats.reading.spreadsheet import csv_text
from ratebook.formats.uschess.columns import ascii_text
from ratebook.formats.uschess.dbf import write_dbf
from ratebook.model import Shown, System
from ratebook.official_lists import columns
from ratebook.official_lists.contents import ListMember, OfficialList
from ratebook.official_lists.html import html_page
from ratebook.player_lists.members_csv import members_table

JSON_FORMAT = "ratebook-official-list/1"
MOST_POINTS = 9999
MOST_GAMES = 99
"""In dBASE lists: four digits of points and two of games."""
_TEXTS = 3
"""Columns of the text list before the ratings; the last one is text too."""


def _text(official: OfficialList) -> str:
    """Return aligned columns, one line for each member."""
    cells = columns.text_columns(official.systems)
    rows = [list(cells), *([cell(member) for cell in cells.values()] for member in official.members)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        f"{official.federation}: official ratings of {official.month}",
        f"Sections that ended by {official.cut_off}; P and a number: provisional, on so many games",
        *([f"Seal of the book: {official.seal}"] if official.seal else []),
        "",
    ]
    for row in rows:
        texts = [
            cell.rjust(width) if _TEXTS <= at < len(row) - 1 else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(texts).rstrip())
    return "\n".join(lines) + "\n"


def _csv(official: OfficialList) -> str:
    cells = columns.csv_columns(official.systems)
    return csv_text([cells, *([cell(member) for cell in cells.values()] for member in official.members)])


def _members_csv(official: OfficialList) -> str:
    rows = [columns.members_csv_cells(member, official.cut_off) for member in official.members]
    return members_table(rows, always=("id", "name"))


def _json(official: OfficialList) -> str:
    return json.dumps(as_json(official), indent=1, ensure_ascii=False) + "\n"


def as_json(official: OfficialList) -> dict[str, object]:
    """Return the list as a JSON object."""
    return {
        "format": JSON_FORMAT,
        "problems": [],
        "federation": official.federation,
        "month": official.month,
        "cut_off": official.cut_off.isoformat(),
        "seal": official.seal or None,
        "members": list(map(columns.json_fields, official.members)),
    }


class ListFormat(NamedTuple):
    """One format of official lists, called *title*, and *name* after ``--format``.

    Attributes:
        file_name: with the month in it where the list's users allow that.
        layout: makes the text of a list, or the columns of a dBASE file.
    """

    name: str
    title: str
    file_name: str
    layout: Callable[[OfficialList], str] | columns.DbfColumns

    @property
    def binary(self) -> bool:
        """Whether it can only go to a file."""
        return isinstance(self.layout, columns.DbfColumns)


LIST_FORMATS = (
    ListFormat("text", "text", "ratings-{month}.txt", _text),
    ListFormat("html", "HTML, to be printed", "ratings-{month}.html", html_page),
    ListFormat("csv", "CSV, one row for each member", "ratings-{month}.csv", _csv),
    ListFormat("members-csv", "members CSV", "members-{month}.csv", _members_csv),
    ListFormat("golden", "Golden Database (dBASE)", "TARATSUP.DBF", columns.GOLDEN),
    ListFormat("titles-dbf", "ratings and titles (dBASE)", "TITLES.DBF", columns.TITLED),
    ListFormat("supplement", "rating supplement (dBASE)", "TARSFLE.DBF", columns.SUPPLEMENT),
    ListFormat("json", "JSON", "ratings-{month}.json", _json),
)


def list_format(name: str) -> ListFormat:
    """Return the format of this *name*.

    Raises:
        KeyError: there is none.
    """
    return {known.name: known for known in LIST_FORMATS}[name]


def write_list(official: OfficialList, name: str, second: System = System.QUICK) -> Written:
    """Return an official list as the file of one format, with a note for everything that the format cannot hold.

    *second* is the system of the second rating, in the formats that hold two; the first is OTB Regular.

    Raises:
        KeyError: there is no format of this *name*.
    """
    list_file = list_format(name)
    file_name = list_file.file_name.format(month=official.month)
    if not isinstance(list_file.layout, columns.DbfColumns):
        return Written({file_name: list_file.layout(official).encode(errors="replace")}, ())
    table = _DbfTable(list_file.layout, (System.REGULAR, second))
    # The day of the table is the first of the list's month.
    data = write_dbf(
        list_file.layout.fields, table.rows(official), date.fromisoformat(f"{official.month}-01")
    )
    return Written({file_name: data}, tuple(table.notes()))


class _DbfTable:
    """The rows of a dBASE list with two ratings each; counts what they cannot hold."""

    def __init__(self, layout: columns.DbfColumns, systems: tuple[System, System]) -> None:
        self.layout = layout
        self.systems = systems
        self.losses: Counter[str] = Counter()

    def rows(self, official: OfficialList) -> Iterator[tuple[str, ...]]:
        """Yield the row of each member who has a rating in one of the systems."""
        for member in official.members:
            for system in member.ratings:
                if system not in self.systems:
                    self.losses[f"{system} rating"] += 1
            if member.ratings.keys().isdisjoint(self.systems):
                continue
            if len(member.id) > columns.ID_WIDTH or not member.id.isascii():
                self.losses[f"member whose id has more than {columns.ID_WIDTH} plain characters"] += 1
                continue
            ratings = [self._rating(member.ratings.get(system)) for system in self.systems]
            facts = member.id, self._name(member), columns.expiry_digits(member.expires), self._state(member)
            cells = (*facts, *ratings, official.month.replace("-", ""), self._titles(member))
            yield cells[: len(self.layout.titles)]

    def _name(self, member: ListMember) -> str:
        plain = " ".join(ascii_text(member.name).split())
        width = self.layout.name_width
        if plain != member.name:
            self.losses["name with letters beyond ASCII"] += 1
        if len(plain) > width:
            self.losses[f"name longer than {width} letters"] += 1
        return plain[:width].rstrip()

    def _state(self, member: ListMember) -> str:
        if len(member.state) <= columns.STATE_WIDTH and member.state.isascii():
            return member.state
        self.losses["state that is no code of two letters"] += 1
        return ""

    def _titles(self, member: ListMember) -> str:
        text = columns.titles_text(member)
        if len(text) <= columns.TITLES_WIDTH or "TITLES" not in self.layout.titles:
            return text
        self.losses[f"member whose titles take more than {columns.TITLES_WIDTH} letters"] += 1
        return text[: text.rindex(" ", 0, columns.TITLES_WIDTH + 1)]

    def _rating(self, rating: Shown | None) -> str:
        if rating is not None:
            if rating.provisional_games is not None and rating.provisional_games > MOST_GAMES:
                self.losses[f"number of games above {MOST_GAMES}"] += 1
                rating = replace(rating, provisional_games=MOST_GAMES)
            rating = replace(rating, rating=min(rating.rating, MOST_POINTS))
        return self.layout.rating(rating)

    def notes(self) -> Iterator[Finding]:
        """Yield a note for each kind of thing that was lost."""
        for what, count in sorted(self.losses.items()):
            yield finding("lost-in-dbf-list", Place(file=self.layout.list_name), what=what, count=count)
