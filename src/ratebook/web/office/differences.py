"""How the list that is to be published differs from the one before: all of it, the largest first, each with its why."""

import csv
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import NamedTuple

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from ratebook.book.columns import day_of_place, place_at_end
from ratebook.book.failures import BookError
from ratebook.book.ledger.lists import cut_off_of_list
from ratebook.book.ledger.read import load_standings
from ratebook.book.ledger.rows import Standing
from ratebook.formats.reading.spreadsheet import guarded
from ratebook.model import System
from ratebook.office.publish.actions import PUBLISH as PUBLISH_LIST
from ratebook.office.publish.lists import (
    ListChange,
    ListPreview,
    change_between_lists,
    list_change_columns,
    preview_list,
    size_of_change,
)
from ratebook.pages.columns import Column, Columns
from ratebook.pages.official.lists import month_words
from ratebook.records.system_titles import SYSTEM_TITLES
from ratebook.web.forms.actions import shows
from ratebook.web.forms.context import TheContext
from ratebook.web.layout.tables import HtmlTable, change_look, html_table
from ratebook.web.layout.words import person_name
from ratebook.web.office.links import LISTS, MEMBER, WHY
from ratebook.web.site import Reader

CHANGES_SHOWN = 50
LARGE = 100
"""Points from which on a change is looked at before the list is closed."""
PARTS = 3
"""Of the place of a section: its day, its event, its number."""


class DifferenceCause(NamedTuple):
    """Why a rating differs, in a few words, and where it is explained."""

    words: str
    address: str


class ListDifferences(NamedTuple):
    """A page of the differences, and how many there are of all and of the large ones."""

    table: HtmlTable
    number: int
    pages: int
    total: int
    large: int
    file: str


@shows(PUBLISH_LIST, f"{LISTS}/{{month:str}}/differences.csv", costly=True)
def differences_file(context: TheContext, month: FromPath[str]) -> Response[bytes]:
    """Give all differences as a file, the largest first."""
    with context.site.reading() as reader:
        try:
            preview = preview_list(reader.connection, month, reader.today)
        except BookError as failure:
            raise NotFoundException from failure
        causes = _causes(reader, preview, preview.changes)
    columns = list_change_columns(preview.newest or "before", month)
    text = StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([*(column.title for column in columns), "Why"])
    for change in largest_first(preview.changes):
        member, name, *cells = (column.text(change) for column in columns)
        writer.writerow([guarded(member), guarded(name), *cells, causes[change.member, change.system].words])
    disposition = f'attachment; filename="differences-{preview.month}.csv"'
    return Response(
        text.getvalue().encode(),
        media_type="text/csv; charset=utf-8; header=present",
        headers={"content-disposition": disposition},
    )


def largest_first(changes: Sequence[ListChange]) -> list[ListChange]:
    """Return differences, the largest first; ratings that are new or gone come after those that moved."""
    return sorted(
        changes,
        key=lambda change: (
            change.before is None or change.after is None,
            -size_of_change(change),
            change.member,
            change.system,
        ),
    )


def differences_page(reader: Reader, preview: ListPreview, number: int) -> ListDifferences:
    """Return a page of the differences of a list that is not published."""
    changes = largest_first(preview.changes)
    shown = changes[(number - 1) * CHANGES_SHOWN : number * CHANGES_SHOWN]
    causes = _causes(reader, preview, shown)
    before = month_words(preview.newest, short=True) if preview.newest else "Before"
    columns: Columns[ListChange] = (
        Column("Name", lambda change: person_name(change.name)),
        Column("System", "system", format=SYSTEM_TITLES.__getitem__),
        *list_change_columns(before, month_words(preview.month, short=True))[3:],
        Column("Why", lambda change: causes[change.member, change.system].words),
    )
    table = html_table(
        f"What differs from the list of {month_words(preview.newest)}" if preview.newest else "What it has",
        columns,
        shown,
        {
            "Name": lambda change: MEMBER(change.member),
            "Why": lambda change: causes[change.member, change.system].address,
        },
        heads="Name",
        under={"Name": lambda change: change.member},
        narrow={"Name": lambda change: SYSTEM_TITLES[change.system]},
        looks={"Change": change_look},
        wide=("System", before),
        marked=_is_large,
    )
    return ListDifferences(
        table=table,
        number=number,
        pages=-(-len(changes) // CHANGES_SHOWN),
        total=len(changes),
        large=sum(map(_is_large, changes)),
        file=f"{LISTS}/{preview.month}/differences.csv",
    )


def _is_large(change: ListChange) -> bool:
    return change_between_lists(change) != "" and size_of_change(change) >= LARGE


def _causes(
    reader: Reader, preview: ListPreview, changes: Sequence[ListChange]
) -> Mapping[tuple[str, System], DifferenceCause]:
    """Return why ratings differ: a first rating, sections since the list before, a decision, a correction."""
    members = sorted({change.member for change in changes})
    standings = load_standings(reader.connection, members, place_at_end(preview.cut_off))
    since = cut_off_of_list(reader.connection, preview.newest).isoformat() if preview.newest else ""
    return {
        (change.member, change.system): _cause(change, standings[change.member].get(change.system), since)
        for change in changes
    }


def _cause(change: ListChange, standing: Standing | None, since: str) -> DifferenceCause:
    if change.after is None:
        return DifferenceCause("no longer listed", MEMBER(change.member))
    if standing is None:
        return DifferenceCause("an opening balance", MEMBER(change.member))
    parts = standing.place.split("\t")
    if len(parts) < PARTS:
        return DifferenceCause("a decision of the office", MEMBER(change.member))
    address = WHY(change.member, parts[1], int(parts[2]), system=change.system)
    if change.before is None:
        return DifferenceCause("a first rating", address)
    if day_of_place(standing.place) <= since:
        return DifferenceCause("a correction of what was played before", address)
    return DifferenceCause("games since", address)
