"""Wall charts as text, whose columns are told by the blanks between them: as WinTD and others print them."""

import re
from collections.abc import Iterator, Sequence

from ratebook.formats.csv_report.columns import KIND
from ratebook.formats.reading.sheets.header import MOST_ROWS_ABOVE, round_of

_TITLE = re.compile(r"(?:Round|Rnd|Rd|R)\.? ?[1-9][0-9]?\b\.?|\S+", re.IGNORECASE)
_SEAT = re.compile(r"\s*[0-9]{1,4}\.?(?=\s)", re.ASCII)
_LONGEST_LINE = 1_000
_RULER = frozenset("-=_+ ")

Span = tuple[int, int]


class WallChart:
    """The rows of a wall chart.

    Attributes:
        rows: one for each line of the text; what is no row of a player is empty, above the header one cell.
        left: numbers of the lines below the header that belong to no pairing number, such as a player's second line.
    """

    def __init__(self, lines: Sequence[str], header: int) -> None:
        titles = _titles_of(lines[header])
        below = {at: line for at, line in enumerate(lines) if at > header and _SEAT.match(line)}
        spans = _spans_of(titles, [lines[header], *below.values()])
        self.rows: list[list[str]] = [[line.strip()] for line in lines[:header]]
        self.rows.append([lines[header][start:end] for start, end in titles])
        self.rows += [
            [below[at][start:end].strip() for start, end in spans] if at in below else []
            for at in range(header + 1, len(lines))
        ]
        self.left = [
            at + 1
            for at in range(header + 1, len(lines))
            if at not in below and not _RULER.issuperset(lines[at])
        ]


def header_of(lines: Sequence[str]) -> int | None:
    """Return which of the first *lines* names the columns of a wall chart, None where none does."""
    for at, line in enumerate(lines[:MOST_ROWS_ABOVE]):
        if len(line) <= _LONGEST_LINE:
            columns = KIND.columns_of([line[start:end] for start, end in _titles_of(line)])
            if {"seat", "name"} <= {*columns} and any(map(round_of, columns)):
                return at
    return None


def wall_chart_of(text: str) -> WallChart | None:
    """Return the wall chart in *text*, None where it is none."""
    lines = [line.expandtabs().rstrip() for line in text.split("\n")]
    header = header_of(lines)
    if header is None or max(map(len, lines)) > _LONGEST_LINE:
        return None
    return WallChart(lines, header)


def _titles_of(line: str) -> list[Span]:
    """Return where the titles of a header line are; two words are one title where a column is called so.

    >>> _titles_of("No. Name   USCF ID  Rd 1")
    [(0, 3), (4, 8), (11, 18), (20, 24)]
    """
    titles: list[Span] = []
    for start, end in (found.span() for found in _TITLE.finditer(line)):
        if titles and titles[-1][1] == start - 1 and any(KIND.columns_of([line[titles[-1][0] : end]])):
            titles[-1] = (titles[-1][0], end)
        else:
            titles.append((start, end))
    return titles


def _spans_of(titles: Sequence[Span], lines: Sequence[str]) -> list[Span]:
    """Return from where to where the cells under each of *titles* are.

    A column ends where all lines have a blank; what has no title of its own belongs to the column before it.
    """
    groups = list(_printed(lines))
    spans: list[Span] = []
    for at, (start, end) in enumerate(titles):
        under = [group for group in groups if group[0] < end and group[1] > start]
        begin = min(start, *(group[0] for group in under))
        # A heading that touches the next one's column leaves it what begins there.
        spans.append((max(begin, spans[-1][1]) if spans else 0, max(end, *(group[1] for group in under))))
        following = titles[at + 1][0] if at + 1 < len(titles) else max(map(len, lines))
        if spans[-1][1] > following:
            spans[-1] = (spans[-1][0], following)
    starts = [start for start, _ in spans]
    return list(zip(starts, [*starts[1:], max(map(len, lines))], strict=True))


def _printed(lines: Sequence[str]) -> Iterator[Span]:
    """Yield the ranges in which at least one line has something else than a blank."""
    width = max(map(len, lines))
    blank = [all(at >= len(line) or line[at] == " " for line in lines) for at in range(width)] + [True]
    start: int | None = None
    for at, empty in enumerate(blank):
        if not empty and start is None:
            start = at
        elif empty and start is not None:
            yield start, at
            start = None
