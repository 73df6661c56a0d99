"""What the rows above the header of a table say: the name of the event, its days, its time control."""

from collections.abc import Sequence

from ratebook.findings import Findings, Place, list_text
from ratebook.formats.csv_report.body import Body
from ratebook.formats.hints import joined
from ratebook.formats.one_event import FileTitle
from ratebook.formats.reading.cells import cell_in
from ratebook.formats.reading.dates import Days
from ratebook.formats.reading.fields import readable, shown
from ratebook.formats.reading.page import TableHead, heads_of, with_event
from ratebook.formats.reading.sheets.header import Header, is_comment

_MOST_SHOWN = 3


def heads_above(findings: Findings, tables: Sequence[tuple[str, Body]], days: Days) -> list[TableHead]:
    """Return what is above each of *tables*, given by the names of their files; note what was read and what was not.

    What is said above one table of the event holds for the tables that follow.
    """
    texts = [_lines_above(body.header) for _, body in tables]
    first, *others = heads_of(texts, days.mentioned)
    if len({name for name, _ in tables}) > 1 or not any(head.section for head in others):
        # Of tables below each other, each has the name of its section above it.
        first = with_event(first)
    heads = [first, *(_with_days(head, first) for head in others)]
    for at, ((name, body), lines, head) in enumerate(zip(tables, texts, heads, strict=True)):
        (below,) = heads_of([body.below], days.mentioned)
        heads[at] = head._replace(played=joined(head.played, below.played))
        if not lines:
            continue
        place = Place(file=name, line=body.header.row)
        if head.unread:
            unread = list_text([shown(line) for line in head.unread], _MOST_SHOWN)
            findings.add("titles-unread", place, count=len(head.unread), texts=unread)
        start, end, control, _ = head.played
        dates = [day.isoformat() for day in dict.fromkeys((start, end)) if day is not None]
        read = [*(shown(text) for text in (head.event, head.section, control) if text), " to ".join(dates)]
        if any(read):
            findings.add("titles-read", place, read=list_text([text for text in read if text]))
        else:
            findings.add("rows-above-header", place, skipped=len(lines))
    return heads


def title_of(name: str, body: Body, days: Days, *, is_alone: bool) -> FileTitle:
    """Return what the file *name* says of its event, above its table, which *is_alone* in it, or in a column."""
    head = heads_of([_lines_above(body.header)], days.mentioned)[0]
    head = with_event(head) if is_alone else head
    at = body.header.places.get("event_name")
    stated = next(filter(None, (cell_in(row.cells, at) for row in body.rows)), "")
    return FileTitle(name, stated or head.event, head.played.start, head.played.end, bool(stated))


def _lines_above(header: Header) -> list[str]:
    return [text for row in header.above if (text := _text(row))]


def _text(row: Sequence[str]) -> str:
    """Return the cells of a row above the header as one line, empty where it is a comment or cannot be printed."""
    text = "\t".join(cell.strip() for cell in row if cell.strip())
    return "" if is_comment(row) or not readable(text.replace("\t", " ")) else text


def _with_days(head: TableHead, first: TableHead) -> TableHead:
    """Return *head* with the days above the *first* table, which are the event's, if it has none of its own."""
    if head.has_days or head.unclear_days or first.played.end is None:
        return head
    return head._replace(played=head.played._replace(start=first.played.start, end=first.played.end))
