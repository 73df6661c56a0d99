"""The columns of a table, declared beside the type of its lines: text for people comes from them, and later HTML.

JSON needs no columns: it has the fields of the page's type, with their full values.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from operator import attrgetter
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from ratebook.formats.reading.spreadsheet import guarded
from ratebook.model import Shown
from ratebook.official_lists.contents import shown_rating
from ratebook.records.explanations import Span
from ratebook.records.record import cells_of, columns_of, plain

Line = TypeVar("Line")


SMALL = 0.001
"""Below this, six digits after the point would hide the number."""


class Column(NamedTuple, Generic[Line]):
    """One column of a table.

    Attributes:
        title: its heading.
        value: the field of a line that it shows, or one within it (``score.games``), or what makes its text.
        align: words are aligned left, numbers right.
        format: how a figure is written, such as ``.2f``, or what makes the text of the field.
    """

    title: str
    value: str | Callable[[Line], str]
    align: Literal["left", "right"] = "left"
    format: str | Callable[[Any], str] = ""

    def text(self, line: Line) -> str:
        """Return the cell of *line*; nothing for a figure that is None or no number.

        >>> Column("Points", "real").text(2.5), Column("Sign", "real", "right", "+.2f").text(2.5)
        ('2.5', '+2.50')
        """
        if not isinstance(self.value, str):
            return self.value(line)
        value = attrgetter(self.value)(line)
        if not isinstance(self.format, str):
            return self.format(value)
        if not self.format:
            return shown(value)
        return "" if value is None or value != value else f"{value:{self.format}}"  # noqa: PLR0124 - NaN


Columns: TypeAlias = tuple[Column[Line], ...]


def shown(value: object) -> str:
    """Return a value for people: nothing for None, days as in a calendar, figures without needless digits.

    >>> from datetime import date
    >>> shown(None), shown(date(2026, 11, 22)), shown(2.5), shown(3.0), shown(("quick", "blitz"))
    ('', '2026-11-22', '2.5', '3', 'quick, blitz')
    """
    if value is None:
        return ""
    if isinstance(value, Shown):
        return shown_rating(value)
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, tuple | list):
        return ", ".join(map(shown, value))
    return str(value)


def rounds_of(lines: Iterable[Line], cells: Callable[[Line], tuple[str, ...]]) -> Columns[Line]:
    """Return a column for each round, where *cells* gives the results of a line; who played fewer has empty cells."""

    def cell_of(number: int) -> Callable[[Line], str]:
        return lambda line: cells(line)[number] if number < len(cells(line)) else ""

    rounds = max((len(cells(line)) for line in lines), default=0)
    return tuple(Column(f"R{number + 1}", cell_of(number)) for number in range(rounds))


def number_text(value: float | str | Span | None) -> str:
    """Return a figure for people: whole numbers as they are, others with six digits, a dash where none.

    >>> number_text(1641.0), number_text(16.57480), number_text(None), number_text(Span(least=2.31, most=2.4))
    ('1641', '16.5748', '-', '2.31 to 2.4')
    >>> number_text(1e-07), number_text(-7.39e-06)
    ('0.0000001', '-0.00000739')
    """
    if value is None:
        return "-"
    if isinstance(value, Span):
        return f"{number_text(value.least)} to {number_text(value.most)}"
    if isinstance(value, str):
        return value
    if 0.0 < abs(value) < SMALL:
        return f"{Decimal(f'{value:.3g}'):f}"
    return f"{value:.6f}".rstrip("0").rstrip(".")


def points_words(points: float) -> str:
    """Return points of games as they are written by hand.

    >>> points_words(2.5), points_words(0.5), points_words(3.0)
    ('2½', '½', '3')
    """
    whole, half = divmod(points, 1.0)
    return f"{int(whole) or ('' if half else 0)}{'½' if half else ''}"


def event_title(name: str | None, end: date | None) -> str:
    """Return what an event is called: its name, or the day on which it ended.

    >>> from datetime import date
    >>> event_title("Spring Open", date(2026, 3, 1)), event_title("", date(2026, 3, 1))
    ('Spring Open', 'Event of 1 March 2026')
    """
    return name or (f"Event of {end.day} {end:%B %Y}" if end else "Event")


def used_columns(columns: Columns[Line], lines: Sequence[Line]) -> Columns[Line]:
    """Return the columns in which any of the *lines* has something; all where there are no lines."""
    return tuple(column for column in columns if any(map(column.text, lines))) if lines else columns


def id_last(columns: Columns[Line]) -> Columns[Line]:
    """Return columns with the id behind the others, for narrow screens that show the first ones alone."""
    return tuple(sorted(columns, key=lambda column: column.title == "ID"))


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return how many there are.

    >>> counted(1, "report"), counted(1200, "report"), counted(2, "report waits", "reports wait")
    ('1 report', '1,200 reports', '2 reports wait')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


BETWEEN = {"rounds": " ", "systems": " "}
"""What stands between the texts of a list in a cell of these columns; in others they are sentences."""


def flat_cells(kind: type, item: object) -> Iterator[object]:
    """Yield the cells of a line of a public table: what is made of several values is one text."""
    for column, value in zip(columns_of(kind), cells_of(kind, item), strict=True):
        if isinstance(value, list | tuple | dict) or hasattr(value, "__dataclass_fields__"):
            cell = plain(value)
            if isinstance(cell, list) and all(isinstance(part, str) for part in cell):
                yield BETWEEN.get(column, "; ").join(cell)
            else:
                yield json.dumps(cell, ensure_ascii=False)
        else:
            yield value


def csv_cells(cells: Iterable[object]) -> Iterator[str]:
    """Yield cells as a file of CSV has them: texts that a spreadsheet would compute are guarded.

    >>> list(csv_cells([None, "=1+1", 1641, 2.5]))
    ['', "'=1+1", '1641', '2.5']
    """
    for cell in cells:
        yield guarded(cell) if isinstance(cell, str) else "" if cell is None else str(cell)
